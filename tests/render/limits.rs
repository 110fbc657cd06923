//! What does not fit is said, counted, or given back; and memory that is lent comes back to be freed.

use std::sync::Arc;
use std::time::Duration;

use engine::{Bank, Config, Event, Full, Interpolation, Note, NoteError};
use fixtures::songs::{looped, mono_float, of};
use song::{
    Cents, Decibels, Envelope, Frames, Instrument, InstrumentIndex, Key, LoopMode, Sample, Song, SongParts,
    Velocity, ZoneTree,
};

use super::rig::{Rig, frame};

fn constant(value: f32) -> Sample {
    looped(mono_float([value; 100]), 0, 100, LoopMode::Forward)
}

/// Returns one instrument that sounds all samples together.
fn layered(samples: Vec<Sample>) -> Song {
    let apart = of(samples);
    let mut together = apart.instruments()[0].clone();
    together.tree = ZoneTree::layered(apart.instruments().iter().flat_map(Instrument::zones).cloned());
    let samples = apart.samples().to_vec();
    Song::new(SongParts { samples, instruments: vec![together], ..SongParts::default() }).unwrap()
}

#[test]
fn the_layers_of_a_note_sound_together() {
    let mut rig = Rig::new(&layered(vec![constant(0.5), constant(0.25)]));
    let note = rig.play(0, 0);
    assert_eq!(rig.left(1000)[999], 0.75);
    rig.controller.note_off(note, None).unwrap();
    assert_eq!(rig.left(5000)[4999], 0.0);
    let at = |frame| Frames::new(frame);
    let (started, ended) = (Event::Started { note, at: at(0) }, Event::Ended { note, at: at(1000 + 2400) });
    assert_eq!(rig.said(), [started, started, ended, ended]);
}

#[test]
fn a_full_queue_takes_all_layers_or_none_and_gives_the_note_back() {
    let config = Config { command_queue: 3, ..Config::default() };
    let mut rig = Rig::with(config, &layered(vec![constant(0.5), constant(0.25)]));
    let first = rig.play(0, 0);
    let second = Rig::note(0, 0);
    assert_eq!(rig.controller.note_on(second), Err(NoteError::Full(second)));
    rig.controller.note_off(first, frame(100)).unwrap();
    assert_eq!(rig.controller.note_off(first, None), Err(Full(first)));
    assert_eq!(rig.controller.all_notes_off(None), Err(Full(())));
    assert_eq!(rig.left(100)[99], 0.75, "one note of two layers sounds");
    assert!(rig.controller.note_on(second).is_ok());
}

#[test]
fn silence_is_had_even_when_no_queue_has_room() {
    let config = Config { command_queue: 2, ..Config::default() };
    let mut rig = Rig::with(config, &of(vec![constant(0.5)]));
    rig.play(0, 0);
    rig.render(100);
    for _ in 0..2 {
        // The schedule fills, then the ring.
        rig.play_at(0, 1_000_000);
        rig.play_at(0, 1_000_000);
        rig.render(100);
    }
    assert!(rig.controller.note_on(Rig::note(0, 0)).is_err());
    rig.controller.all_sound_off();
    assert_eq!(rig.left(1000)[999], 0.0);
    assert!(rig.processor.is_idle());
    assert!(rig.controller.note_on(Rig::note(0, 0)).is_ok());
}

#[test]
fn notes_that_cannot_be_played_say_why() {
    let config = Config { command_queue: 1, ..Config::default() };
    let (mut controller, _processor) = engine::split(config).unwrap();
    assert_eq!(controller.note_on(Rig::note(0, 0)), Err(NoteError::NoBank));
    let song = layered(vec![constant(0.5), constant(0.25)]);
    controller.load(Arc::new(Bank::prepare(&song).unwrap()));
    let missing = InstrumentIndex::new(1);
    assert_eq!(controller.note_on(Rig::note(1, 0)), Err(NoteError::NoInstrument(missing)));
    let too_many = NoteError::TooManyLayers { layers: 2, capacity: 1 };
    assert_eq!(controller.note_on(Rig::note(0, 0)), Err(too_many));

    let mut narrow = song.instruments()[0].clone();
    let (key, velocities) = (Key::C4, Velocity::LOWEST..=Velocity::HIGHEST);
    narrow.tree = narrow.zones()[0].clone().within(key..=key, velocities).unwrap().into();
    let samples = song.samples().to_vec();
    let song = Song::new(SongParts { samples, instruments: vec![narrow], ..SongParts::default() }).unwrap();
    controller.load(Arc::new(Bank::prepare(&song).unwrap()));
    assert_eq!(controller.note_on(Rig::note(0, 1)), Err(NoteError::NoZone));
    assert!(controller.note_on(Rig::note(0, 0)).is_ok());
}

#[test]
fn a_voice_is_refused_aloud_when_those_that_made_room_still_fade() {
    let mut rig = Rig::with(Config { polyphony: 1, ..Config::default() }, &of(vec![constant(0.5)]));
    let notes = [0, 10, 20, 500].map(|frame| rig.play_at(0, frame));
    rig.render(1000);
    let at = Frames::new;
    assert_eq!(
        rig.said(),
        [
            Event::Started { note: notes[0], at: at(0) },
            Event::Stolen { note: notes[0], at: at(10) },
            Event::Started { note: notes[1], at: at(10) },
            Event::Refused { note: notes[2], at: at(20) },
            Event::Ended { note: notes[0], at: at(250) },
            Event::Stolen { note: notes[1], at: at(500) },
            Event::Started { note: notes[3], at: at(500) },
            Event::Ended { note: notes[1], at: at(740) },
        ]
    );
    assert_eq!(rig.controller.refused(), 1);
}

#[test]
fn a_voice_is_refused_aloud_when_nothing_plays_but_every_slot_still_fades() {
    let mut rig = Rig::with(Config { polyphony: 1, ..Config::default() }, &of(vec![constant(0.5)]));
    rig.play(0, 0);
    rig.play_at(0, 10);
    rig.render(20);
    rig.controller.all_sound_off();
    let refused = rig.play(0, 0);
    rig.render(20);
    assert_eq!(rig.said().last(), Some(&Event::Refused { note: refused, at: Frames::new(20) }));
}

#[test]
fn a_chord_beyond_the_polyphony_keeps_its_last_notes() {
    let values = [0.5, 0.25, 0.125, 0.0625];
    let mut rig = Rig::with(Config { polyphony: 2, ..Config::default() }, &of(values.map(constant).to_vec()));
    for index in 0..4 {
        rig.play(index, 0);
    }
    assert_eq!(rig.left(100), [0.125 + 0.0625; 100], "those that never sounded need not fade");
    assert_eq!(rig.controller.refused(), 0);
}

/// Plays one note at each of the frames, and returns at which frames they began; in the order they were sent.
fn begun(frames: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let config = Config { polyphony: 400, ..Config::default() };
    let mut rig = Rig::with(config, &of(vec![constant(0.001)]));
    let notes: Vec<_> = frames.into_iter().map(|frame| rig.play_at(0, frame)).collect();
    rig.render(1000);
    let said = rig.said();
    assert_eq!(said.len(), notes.len());
    let begun = |(event, note)| match event {
        Event::Started { note: started, at } if started == note => at.get(),
        other => panic!("{other:?} instead of the start of {note:?}"),
    };
    said.into_iter().zip(notes).map(begun).collect()
}

fn times(count: usize, frame: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_n(frame, count)
}

#[test]
fn more_than_a_grid_cell_takes_waits_for_the_next_in_order() {
    let expected: Vec<_> = times(128, 0).chain(times(128, 64)).chain(times(44, 128)).collect();
    assert_eq!(begun(times(300, 0)), expected);
}

#[test]
fn the_grid_is_aligned_to_the_engines_time_and_not_to_commands() {
    let sent = times(100, 40).chain(times(100, 41)).chain(times(100, 50));
    let expected = times(100, 40).chain(times(28, 41)).chain(times(128, 64)).chain(times(44, 128));
    assert_eq!(begun(sent), expected.collect::<Vec<_>>());
}

#[test]
fn lost_events_are_counted() {
    let config = Config { event_queue: 2, ..Config::default() };
    let mut rig = Rig::with(config, &of(vec![constant(0.5)]));
    for _ in 0..5 {
        rig.play(0, 0);
    }
    rig.render(10);
    assert_eq!((rig.said().len(), rig.controller.lost_events()), (2, 3));
}

#[test]
fn a_lower_polyphony_lets_the_oldest_fade_and_a_higher_one_takes_more() {
    let mut rig = Rig::with(Config { polyphony: 8, ..Config::default() }, &of(vec![constant(0.125)]));
    let held = |rig: &mut Rig| *rig.left(600).last().unwrap();
    for _ in 0..8 {
        rig.play(0, 0);
    }
    assert_eq!(held(&mut rig), 1.0);
    rig.controller.set_polyphony(3, None).unwrap();
    assert_eq!(held(&mut rig), 0.375);
    let stolen = rig.said().iter().filter(|event| matches!(event, Event::Stolen { .. })).count();
    assert_eq!(stolen, 5);
    rig.play(0, 0);
    assert_eq!(held(&mut rig), 0.375, "one for another");
    rig.controller.set_polyphony(99, None).unwrap();
    for _ in 0..6 {
        rig.play(0, 0);
    }
    assert_eq!(held(&mut rig), 1.0, "never more than it was made for");
    rig.controller.set_polyphony(0, None).unwrap();
    assert_eq!(held(&mut rig), 0.125, "never fewer than one");
}

#[test]
fn a_note_may_have_a_tuning_and_an_envelope_of_its_own() {
    let ramp: Vec<f32> = (0..1000).map(|frame| frame as f32).collect();
    let mut rig = Rig::interpolating(Interpolation::Linear, &of(vec![mono_float(ramp)]));
    let octave = Note { tune: Cents::new(1200.0).unwrap(), ..Rig::note(0, 0) };
    rig.controller.note_on(octave).unwrap();
    assert_eq!(rig.left(4), [0.0, 2.0, 4.0, 6.0]);
    let mut rig = Rig::new(&of(vec![constant(1.0)]));
    let slow = Envelope { attack: Duration::from_millis(10), release: Duration::from_millis(20) };
    let note = rig.controller.note_on(Note { envelope: Some(slow), ..Rig::note(0, 0) }).unwrap();
    let begun = rig.left(480);
    assert!((begun[240] - 0.5).abs() < 0.01, "half of the attack");
    rig.controller.note_off(note, None).unwrap();
    let released = rig.left(960);
    assert!((released[480] - 0.5).abs() < 0.01, "half of the release");
}

#[test]
fn where_voices_are_is_seen_as_often_as_the_meter_is_read() {
    let frames = || (0..5000).map(|frame| frame as f32 / 5000.0).collect::<Vec<_>>();
    let there_and_back = looped(mono_float(frames()), 100, 600, LoopMode::PingPong);
    let round = looped(mono_float(frames()), 100, 600, LoopMode::Forward);
    let mut rig = Rig::new(&of(vec![mono_float(frames()), there_and_back, round]));
    let notes = [0, 1, 2].map(|index| rig.play(index, 0));
    let seen = |rig: &Rig| -> Vec<_> {
        let all = rig.controller.positions();
        all.map(|(note, recording, at)| (note, recording.get(), at.get())).collect()
    };
    assert_eq!(seen(&rig), []);
    rig.render(1024);
    // 599 − 424 and 524, in steps of 16.
    assert_eq!(seen(&rig), [(notes[0], 0, 1024), (notes[1], 1, 160), (notes[2], 2, 512)]);
    rig.render(900);
    assert_eq!(seen(&rig).len(), 3, "no reading since");
    rig.controller.all_notes_off(None).unwrap();
    rig.render(6000);
    assert_eq!(seen(&rig), []);
}

#[test]
fn the_meter_tells_peaks_and_voices() {
    let mut rig = Rig::new(&of(vec![constant(-0.5), constant(0.25)]));
    rig.play(0, 0);
    rig.play(1, 0);
    rig.render(1024);
    let meter =
        std::iter::from_fn(|| rig.controller.poll()).find(|event| matches!(event, Event::Meter { .. }));
    let at = Frames::new(1024);
    assert_eq!(meter, Some(Event::Meter { left: 0.25, right: 0.25, limiter_gain: 1.0, voices: 2, at }));
    assert_eq!(rig.controller.now(), at);
}

#[test]
fn a_full_queue_gives_the_gain_back() {
    let mut rig = Rig::with(Config { command_queue: 1, ..Config::default() }, &of(vec![constant(0.5)]));
    let gain = Decibels::new(-6.0).unwrap();
    rig.controller.all_notes_off(None).unwrap();
    assert_eq!(rig.controller.set_gain(gain, None), Err(Full(gain)));
}

#[test]
fn the_meter_tells_what_is_after_the_master_gain() {
    let mut rig = Rig::new(&of(vec![constant(0.5)]));
    rig.controller.set_gain(Decibels::new(-20.0).unwrap(), None).unwrap();
    rig.render(1024);
    rig.play(0, 0);
    rig.render(1024);
    let meters = std::iter::from_fn(|| rig.controller.poll()).filter_map(|event| match event {
        Event::Meter { left, .. } => Some(left),
        _ => None,
    });
    let [silent, heard] = meters.collect::<Vec<_>>()[..] else { panic!("a reading for each 1024 frames") };
    assert_eq!(silent, 0.0);
    assert!((heard - 0.05).abs() < 1e-6, "{heard}");
}

#[test]
fn a_sounding_note_keeps_its_bank_and_the_bank_is_freed_once_it_is_over() {
    let mut rig = Rig::new(&of(vec![constant(0.5)]));
    let old = Arc::downgrade(rig.controller.bank().unwrap());
    let first = rig.play(0, 0);
    let later = rig.play_at(0, 1500);
    rig.render(100);
    rig.controller.load(Arc::new(Bank::prepare(&of(vec![constant(0.125)])).unwrap()));
    rig.play(0, 0);
    assert_eq!(rig.left(1000)[999], 0.5 + 0.125);
    assert_eq!(rig.left(1000)[999], 0.5 + 0.5 + 0.125, "a note sent before plays the bank it was sent with");
    for note in [first, later] {
        rig.controller.note_off(note, None).unwrap();
    }
    assert_eq!(rig.controller.collect(), 0);
    assert_eq!(rig.left(5000)[4999], 0.125);
    assert!(old.upgrade().is_some(), "the audio thread frees nothing");
    assert_eq!(rig.controller.collect(), 1);
    assert!(old.upgrade().is_none());
}

#[test]
fn a_bank_that_two_engines_play_is_freed_when_neither_does_any_more() {
    let both = Arc::new(Bank::prepare(&of(vec![constant(0.5)])).unwrap());
    let watch = Arc::downgrade(&both);
    let next = || Arc::new(Bank::prepare(&of(vec![constant(0.125)])).unwrap());
    let mut rigs = [(); 2].map(|()| Rig::new(&of(vec![constant(0.25)])));
    for rig in &mut rigs {
        rig.controller.load(Arc::clone(&both));
        // As if it had been loaded once.
        rig.controller.load(Arc::clone(&both));
        assert!(Arc::ptr_eq(rig.controller.bank().unwrap(), &both));
    }
    drop(both);
    let [one, two] = &mut rigs;
    let notes = [one.play(0, 0), two.play(0, 0)];
    for rig in [&mut *one, &mut *two] {
        assert_eq!(rig.left(100)[99], 0.5);
        rig.controller.load(next());
        assert_eq!(rig.controller.collect(), 0, "its note sounds");
    }
    one.controller.note_off(notes[0], None).unwrap();
    one.render(5000);
    assert_eq!(one.controller.collect(), 1, "whatever others play");
    assert_eq!(two.left(5000)[4999], 0.5);
    assert!(watch.upgrade().is_some());
    two.controller.note_off(notes[1], None).unwrap();
    two.render(5000);
    assert!(watch.upgrade().is_some(), "the audio thread frees nothing");
    assert_eq!(two.controller.collect(), 1);
    assert!(watch.upgrade().is_none());
}

#[test]
fn a_bank_that_its_maker_holds_is_given_back_all_the_same() {
    let mut rig = Rig::new(&of(vec![constant(0.5)]));
    let held = Arc::clone(rig.controller.bank().unwrap());
    rig.controller.load(Arc::new(Bank::prepare(&of(vec![constant(0.125)])).unwrap()));
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn a_processor_plays_on_without_its_controller() {
    let Rig { controller, mut processor } = {
        let mut rig = Rig::new(&of(vec![constant(0.5)]));
        rig.play(0, 0);
        rig
    };
    let bank = Arc::downgrade(controller.bank().unwrap());
    drop(controller);
    let heard = engine::offline::render(&mut processor, Frames::new(100));
    assert_eq!(heard, [0.5; 200]);
    drop(processor);
    assert!(bank.upgrade().is_none());
}
