use std::time::Duration;

use song::{
    Cents, Decibels, Envelope, FilterKind, FrameRange, Frames, Key, Pan, Quality, Sends, Shape, VoiceMode,
};

use super::*;

fn with_content<T>(bytes: &[u8], work: impl FnOnce(PackageContent<'_>) -> T) -> T {
    let read_at = |at: u64, out: &mut [u8]| {
        let at = usize::try_from(at).unwrap();
        out.copy_from_slice(&bytes[at..at + out.len()]);
        Ok(())
    };
    work(PackageContent { length: bytes.len() as u64, read_at: &read_at })
}

const OWN: SoundDefaults = SoundDefaults {
    envelope: Envelope { attack: Duration::ZERO, release: Duration::from_millis(50) },
    root: Key::C4,
    voice_mode: VoiceMode::Poly,
    glide: Duration::ZERO,
    sends: Sends { reverb: None, delay: None },
};

fn own(_: usize) -> Option<SoundDefaults> {
    Some(OWN)
}

fn named(_: usize) -> Option<(&'static str, SoundDefaults)> {
    Some(("Kick", OWN))
}

fn adjusted() -> BTreeMap<usize, Voicing> {
    let envelope = Envelope { attack: Duration::from_millis(20), ..Envelope::default() };
    let mut shape =
        Shape { velocity: 0.5, choke: 3, glide: Some(Duration::from_millis(50)), ..Shape::default() };
    shape.filter.kind = Some(FilterKind::HighPass4);
    shape.filter.cutoff = 440.0;
    let all = Voicing {
        shape,
        gain: Decibels::new(-3.5).unwrap(),
        reverb: Some(Decibels::new(-9.0).unwrap()),
        delay: Some(Decibels::UNITY),
        pan: Pan::new(0.25).unwrap(),
        tune: Cents::new(-1200.0).unwrap(),
        root_shift: -7,
        looping: Some(true),
        loop_range: Some(FrameRange { start: Frames::new(100), end: Frames::new(4000) }),
        trim: Some(FrameRange { start: Frames::new(90), end: Frames::new(5000) }),
        envelope: Some(envelope),
        quality: Some(Quality::Max),
    };
    BTreeMap::from([(0, Voicing { looping: Some(false), ..Voicing::default() }), (2, all)])
}

fn kept(folder: &Path, bytes: &[u8]) -> Adjustments {
    let folder = folder.join("sounds");
    Adjustments::in_folder(
        &folder,
        &with_content(bytes, |content| ContentKey::of(content).unwrap()),
        3,
        "Mine.uax",
    )
}

#[test]
fn what_is_saved_is_there_again_for_the_same_content_and_for_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"the package");
    assert_eq!(mine.load(own).unwrap(), BTreeMap::new());
    mine.save(&adjusted(), named).unwrap();
    assert_eq!(kept(folder.path(), b"the package").load(own).unwrap(), adjusted());
    assert_eq!(kept(folder.path(), b"the Package").load(own).unwrap(), BTreeMap::new());
    let key = with_content(b"the package", |content| ContentKey::of(content).unwrap());
    let other = Adjustments::in_folder(&folder.path().join("sounds"), &key, 4, "x");
    assert_eq!(other.load(own).unwrap(), BTreeMap::new(), "other sounds of the same file");
    assert_eq!(
        mine.load(|index| (index == 0).then_some(OWN)).unwrap().len(),
        1,
        "only sounds that are there"
    );
}

#[test]
fn a_parameter_or_choice_that_there_is_none_of_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"bytes");
    std::fs::create_dir_all(mine.path.parent().unwrap()).unwrap();
    for (text, name) in [("cutof = 3", "cutof"), ("filter = \"band\"", "band"), ("gain = 3", "gain")] {
        std::fs::write(&mine.path, format!("[sounds.1.shape]\n{text}\n")).unwrap();
        let error = mine.load(own).unwrap_err();
        assert!(error.message().contains(name), "{}", error.message());
    }
}

#[test]
fn where_nothing_is_adjusted_no_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"bytes");
    mine.save(&adjusted(), named).unwrap();
    let text = std::fs::read_to_string(&mine.path).unwrap();
    assert!(text.contains("package = \"Mine.uax\"") && text.contains("gain = -3.5"), "{text}");
    assert!(text.contains("root_key = 53") && text.contains("loop_end = 4000"), "{text}");
    let shape = "choke = 3.0\ncutoff = 440.0\ndelay_send = 0.0\nfilter = \"HP 24\"\nglide = 0.05\nreverb_send = -9.0\nvelocity = 0.5";
    assert!(text.contains(shape), "{text}");
    assert!(text.contains("trim_start = 90") && text.contains("trim_end = 5000"), "{text}");
    mine.save(&BTreeMap::from([(0, Voicing::default()), (2, Voicing::default())]), named).unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("sounds")).unwrap().count(), 0);
}

#[test]
fn a_file_without_trims_is_read_and_half_a_trim_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"bytes");
    std::fs::create_dir_all(mine.path.parent().unwrap()).unwrap();
    let text = "[sounds.1]\ngain = -3.0\nloop_start = 5\nloop_end = 9\n[sounds.2]\ntrim_end = 9\n\
                [sounds.3]\ntrim_start = 9\ntrim_end = 9\n";
    std::fs::write(&mine.path, text).unwrap();
    let trims = mine.load(own).unwrap().into_values().map(|voicing| (voicing.gain.get(), voicing.trim));
    assert_eq!(trims.collect::<Vec<_>>(), [(-3.0, None), (0.0, None), (0.0, None)]);
}

#[test]
fn two_writers_by_turns_keep_the_sounds_of_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (kept(folder.path(), b"bytes"), kept(folder.path(), b"bytes"));
    let louder = |by: f32| Voicing { gain: Decibels::new(by).unwrap(), ..Voicing::default() };
    let [first, second, third] = [-1.0, -2.0, -3.0].map(louder);
    one.save(&BTreeMap::from([(0, first)]), named).unwrap();
    other.save(&BTreeMap::from([(1, second)]), named).unwrap();
    one.save(&BTreeMap::from([(2, third)]), named).unwrap();
    let all = BTreeMap::from([(0, first), (1, second), (2, third)]);
    assert_eq!(one.load(own).unwrap(), all);
    // Who takes back what it adjusted takes back nothing else, and the later of two says what a sound has.
    other.save(&BTreeMap::from([(1, Voicing::default()), (2, first)]), named).unwrap();
    assert_eq!(one.load(own).unwrap(), BTreeMap::from([(0, first), (2, first)]));
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    const WRITERS: usize = 4;
    const SOUNDS: usize = 10;
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let mine = kept(folder.path(), b"bytes");
            scope.spawn(move || {
                for sound in 0..SOUNDS {
                    let voicing = Voicing { looping: Some(true), ..Voicing::default() };
                    mine.save(&BTreeMap::from([(writer * SOUNDS + sound, voicing)]), named).unwrap();
                }
            });
        }
    });
    let there = kept(folder.path(), b"bytes").load(own).unwrap();
    assert_eq!(there.len(), WRITERS * SOUNDS);
}

#[test]
fn a_file_that_makes_no_sense_by_now_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"bytes");
    mine.save(&adjusted(), named).unwrap();
    std::fs::write(&mine.path, "[sounds.1]\nof_a_later_version = 3").unwrap();
    assert_eq!(mine.save(&adjusted(), named).unwrap_err().kind(), ErrorKind::Options);
    assert!(std::fs::read_to_string(&mine.path).unwrap().contains("of_a_later_version"));
}

#[test]
fn a_writer_that_never_ends_is_said_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"bytes");
    mine.save(&adjusted(), named).unwrap();
    let held = mine.lock().unwrap();
    let error = mine.save(&BTreeMap::from([(0, Voicing::default())]), named).unwrap_err();
    assert!(error.message().ends_with("another usampler is writing them"), "{}", error.message());
    drop(held);
    assert_eq!(mine.load(own).unwrap(), adjusted());
}

#[cfg(unix)]
#[test]
fn a_device_as_its_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"bytes");
    std::fs::create_dir(folder.path().join("sounds")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &mine.path).unwrap();
    let error = mine.load(own).unwrap_err();
    assert!(error.message().ends_with("it is a pipe or a device, not a file"), "{}", error.message());
    assert!(mine.save(&adjusted(), named).is_err());
}

#[test]
fn a_file_that_makes_no_sense_is_an_error_and_values_out_of_range_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mine = kept(folder.path(), b"bytes");
    std::fs::create_dir(folder.path().join("sounds")).unwrap();
    for text in ["[sounds", "[sounds.1]\nvolume = 3", "sounds = 3"] {
        std::fs::write(&mine.path, text).unwrap();
        assert_eq!(mine.load(own).unwrap_err().kind(), ErrorKind::Options, "{text}");
    }
    let odd = "[sounds.1]\ngain = nan\npan = 7.0\nquality = \"best\"\nroot_key = 200\nloop_start = 9\nloop_end = 9\n[sounds.x]\n[sounds.0]\n";
    std::fs::write(&mine.path, odd).unwrap();
    assert_eq!(mine.load(own).unwrap(), BTreeMap::from([(0, Voicing::default())]));
}

#[test]
fn the_key_of_a_large_package_is_made_of_its_ends_and_its_length() {
    let mut bytes = vec![7; 3 << 20];
    let key = |bytes: &[u8]| with_content(bytes, |content| ContentKey::of(content).unwrap().0);
    let first = key(&bytes);
    assert_eq!(first.len(), 32);
    for at in [0, (3 << 20) - 1] {
        bytes[at] ^= 1;
        assert_ne!(key(&bytes), first);
        bytes[at] ^= 1;
    }
    assert_ne!(key(&bytes[1..]), first);
}
