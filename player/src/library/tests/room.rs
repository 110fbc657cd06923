//! Which recordings are loaded, and which leave for them.

use super::*;

#[test]
fn the_sound_that_was_touched_last_stays() {
    let mut stage = Stage::new(vec![Some(package(1..=3))], 2 * SIZE);
    stage.library.far = 3;
    for sound in [0, 1] {
        let note = stage.strike(sound);
        stage.controller.note_off(note, None).unwrap();
        stage.heard(10_000);
    }
    stage.library.touch(0);
    stage.strike(2);
    assert_eq!([0, 1, 2].map(|sound| stage.is_ready(sound)), [true, false, true]);
}

#[test]
fn a_recording_that_still_sounds_with_another_loop_does_not_leave() {
    let mut stage = Stage::new(vec![Some(package(1..=3))], 2 * SIZE);
    stage.library.far = 3;
    let held = stage.strike(0);
    stage.heard(100);
    stage.library.set_voicing(&mut stage.controller, 0, unlooped());
    for (sound, expected) in [(1, [true, true, false]), (2, [true, false, true])] {
        let note = stage.strike(sound);
        assert_eq!([0, 1, 2].map(|sound| stage.is_ready(sound)), expected);
        stage.controller.note_off(note, None).unwrap();
        stage.heard(10_000);
    }
    // Once it is over it is the one that was played least recently.
    stage.controller.note_off(held, None).unwrap();
    stage.heard(10_000);
    stage.strike(1);
    assert_eq!([0, 1, 2].map(|sound| stage.is_ready(sound)), [false, true, true]);
}

#[test]
fn recordings_of_a_sound_that_is_waited_for_do_not_make_room_for_each_other() {
    let mut package = PackageWriter::new(868);
    let nodes = [("One", 100), ("Other", 50), ("Third", 25)]
        .map(|(name, value)| package.wave(&WaveObject::new(name, &recording(value).finish(), b"")));
    let tags = [Tag::objects("ChildNodes", &nodes[..2])];
    let node = package.node("SoundNodeMixer", "Node", &tags);
    package.node("SoundCue", "Both", &[Tag::new("FirstNode", "ObjectProperty", &node.0.to_le_bytes())]);
    let mut stage = Stage::new(vec![Some(package.finish())], 2 * SIZE);
    stage.library.far = 4;
    for sound in [0, 2] {
        stage.strike(sound);
        stage.controller.all_sound_off();
        stage.heard(10_000);
    }
    assert_eq!([0, 1, 2, 3].map(|sound| stage.is_ready(sound)), [true, false, true, false]);
    stage.strike(3);
    assert_eq!([0, 1, 2, 3].map(|sound| stage.is_ready(sound)), [true, true, false, true]);
}

#[test]
fn so_many_recordings_are_asked_for_ahead_and_no_more() {
    for is_near in [false, true] {
        let mut stage = Stage::new(vec![Some(package(1..=40))], 50 * SIZE);
        stage.library.far = 40;
        stage.settle();
        if is_near {
            stage.library.set_near((0..40).collect());
        } else {
            stage.library.far = 0;
        }
        stage.library.poll(&mut stage.controller);
        // What came meanwhile was taken in after these were asked for.
        let asked = stage.library.outstanding.len() + (0..40).filter(|sound| stage.is_ready(*sound)).count();
        assert_eq!(asked, AHEAD, "near: {is_near}");
    }
}

#[test]
fn the_first_sound_is_loaded_ahead_though_it_was_not_listed_at_first() {
    let mut stage = Stage::new(vec![Some(package(1..=3))], 10 * SIZE);
    stage.settle();
    stage.settle();
    assert_eq!([0, 1, 2].map(|sound| stage.is_ready(sound)), [true; 3]);
}

#[test]
fn a_recording_that_just_fits_is_loaded_ahead_and_may_become_urgent_in_its_room() {
    let mut stage = Stage::new(vec![Some(package([1, 2]))], SIZE);
    stage.library.far = 0;
    stage.settle();
    stage.settle();
    assert_eq!([0, 1].map(|sound| stage.is_ready(sound)), [true, false]);
    stage.library.set_near(vec![1]);
    stage.library.poll(&mut stage.controller);
    if let Some(load) = stage.library.outstanding.get(&1) {
        assert!(!load.is_urgent);
        assert_eq!(stage.prepare(1), Readiness::Loading);
        assert!(stage.library.outstanding[&1].is_urgent);
    }
    stage.strike(1);
    assert_eq!([0, 1].map(|sound| stage.is_ready(sound)), [false, true]);
}

#[test]
fn a_sound_that_cannot_be_decoded_says_so_once_struck_or_not() {
    let mut spoilt = fixtures::adpcm::ima(&[vec![0; 505]], 256).wave(RATE, None);
    let data = spoilt.windows(4).position(|bytes| bytes == b"data").unwrap();
    spoilt[data + 8 + 2] = 200;
    let mut package = PackageWriter::new(69);
    package.sound("Spoilt", None, "WAV", &spoilt);
    package.sound("Right", None, "WAV", &recording(5).finish());
    let bytes = package.finish();
    for is_struck in [false, true] {
        let (controller, processor) = split(Config::default()).unwrap();
        let library = Library::open(InMemory(vec![Some(bytes.clone())]), 10 * SIZE).unwrap();
        let mut stage = Stage { library, controller, processor };
        let is_it = |event: &LibraryEvent<usize, usize>| matches!(event, LibraryEvent::Unplayable(0, _));
        // Nothing is loaded before it is listed, and only then is it known which sound is struck.
        stage.library.far = 9;
        let mut events = stage.until(|event| matches!(event, LibraryEvent::AllListed));
        if is_struck {
            assert_eq!(stage.prepare(0), Readiness::Loading);
        } else {
            stage.library.far = 0;
        }
        events.extend(stage.until(is_it));
        stage.settle();
        assert_eq!(events.iter().filter(|event| is_it(event)).count(), 1, "struck: {is_struck}");
    }
}

#[test]
fn a_library_says_what_is_in_it() {
    let stage = Stage::new(vec![Some(package([1, 2]))], SIZE);
    assert!(!stage.library.is_empty());
    let names = [0, 1, 2].map(|sound| stage.library.instrument(sound).map(|of| of.name.clone()));
    assert_eq!(names, [Some("S1".to_owned()), Some("S2".to_owned()), None]);
    assert!(Stage::new(vec![None], SIZE).library.is_empty());
    let large = Unplayable::TooLarge { needed: 3 << 19, most: 1 << 20 };
    assert_eq!(large.to_string(), "it takes 1.5 MiB, and all sounds together may take 1.0 MiB");
}
