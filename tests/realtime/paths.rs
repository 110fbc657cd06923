//! Everything an engine can be asked to do, block by block, with a count of what each block allocates and frees.

use std::sync::Arc;
use std::time::Duration;

use engine::{
    ChannelStrip, Config, Controller, DelayParams, Event, Full, Interpolation, Note, NoteError, NoteId,
    Processor, Quality, ReverbParams, StripIndex,
};
use fixtures::allocator::{self, Counts};
use fixtures::songs::hz;
use song::{Cents, Decibels, Frames, InstrumentIndex, Key, Velocity};

use super::bank;

/// Frames of a block: longer than those the engine renders in one go, and no multiple of the grid.
const BLOCK: usize = 300;

/// An engine whose blocks are watched.
struct Watched {
    controller: Controller,
    processor: Processor,
    out: Vec<f32>,
    seen: Counts,
}

/// What the audio side has reported.
#[derive(Debug, Default, PartialEq, Eq)]
struct EventCounts {
    started: usize,
    ended: usize,
    stolen: usize,
    refused: usize,
}

impl Watched {
    fn new(config: Config) -> Self {
        let (mut controller, processor) = engine::split(config).unwrap();
        controller.load(bank(1));
        Self { controller, processor, out: vec![0.0; 2 * BLOCK], seen: Counts::default() }
    }

    /// With room for so many voices, and for whatever is sent and reported of twice as many.
    fn of_voices(polyphony: usize) -> Self {
        let (command_queue, event_queue) = (4 * polyphony, 16 * polyphony + 1000);
        Self::new(Config { polyphony, command_queue, event_queue, ..Config::default() })
    }

    /// Counts what something does to the processor that a device would do on its thread.
    fn watch(&mut self, run: impl FnOnce(&mut Processor, &mut [f32])) {
        let ((), Counts { allocations, frees }) =
            allocator::during(|| run(&mut self.processor, &mut self.out));
        self.seen.allocations += allocations;
        self.seen.frees += frees;
    }

    fn render(&mut self, blocks: usize) {
        (0..blocks).for_each(|_| self.watch(|processor, out| processor.process(out, 2)));
    }

    fn play(&mut self, notes: usize) -> Vec<NoteId> {
        (0..notes).map(|index| self.controller.note_on(note(index)).unwrap()).collect()
    }

    fn counts(&mut self) -> EventCounts {
        let mut counts = EventCounts::default();
        while let Some(event) = self.controller.poll() {
            match event {
                Event::Started { .. } => counts.started += 1,
                Event::Ended { .. } => counts.ended += 1,
                Event::Stolen { .. } => counts.stolen += 1,
                Event::Refused { .. } => counts.refused += 1,
                _ => {}
            }
        }
        counts
    }

    #[track_caller]
    fn was_quiet(&self) {
        assert_eq!(self.seen, Counts::default());
        assert_eq!(self.controller.lost_events(), 0, "every event was read");
    }
}

/// Returns notes on both loops at many keys, each in another quality than the one before.
fn note(index: usize) -> Note {
    let key = Key::new(40 + (index % 41) as u8).unwrap();
    let mut note = Note::new(InstrumentIndex::new([0, 1, 3][index % 3]), key, Velocity::HIGHEST);
    note.quality = [None].into_iter().chain(Quality::ALL.map(Some)).nth(index % 6).unwrap();
    note
}

#[test]
fn thousands_of_notes_in_one_block_allocate_and_free_nothing_in_any_interpolation() {
    for interpolation in Interpolation::ALL {
        let config = Config { polyphony: 2000, interpolation, command_queue: 8000, ..Config::default() };
        let mut engine = Watched::new(Config { event_queue: 20_000, ..config });
        engine.play(3000);
        engine.render(8);
        let EventCounts { started, stolen, refused, .. } = engine.counts();
        assert_eq!((started, stolen, refused), (3000, 1000, 0), "{interpolation}");
        engine.was_quiet();
    }
}

#[test]
fn all_voices_stolen_at_once_allocate_and_free_nothing() {
    let mut engine = Watched::of_voices(128);
    engine.play(128);
    engine.render(1);
    engine.play(128);
    // Those that fade have the other half of the slots: these are refused.
    engine.play(100);
    engine.render(1);
    // A block is longer than the fade of those that were stolen.
    assert_eq!(engine.counts(), EventCounts { started: 256, ended: 128, stolen: 128, refused: 100 });
    engine.was_quiet();
}

#[test]
fn banks_swapped_under_a_thousand_voices_are_freed_by_the_control_side_only() {
    let mut engine = Watched::of_voices(1000);
    let old = Arc::downgrade(engine.controller.bank().unwrap());
    let notes = engine.play(1000);
    engine.render(3);
    assert_eq!(engine.counts().started, 1000);
    for seed in 2..20 {
        engine.controller.load(bank(seed));
        engine.play(10);
        engine.render(1);
    }
    assert!(old.upgrade().is_some(), "what was not stolen still sounds");
    for note in notes {
        engine.controller.note_off(note, None).unwrap();
    }
    engine.render(30);
    engine.was_quiet();
    assert!(old.upgrade().is_some(), "nobody has freed it");
    assert_eq!(engine.controller.collect(), 1, "the one whose voices are over");
    assert!(old.upgrade().is_none());
}

#[test]
fn full_queues_give_commands_back_and_count_events_and_allocate_nothing() {
    let config = Config { command_queue: 100, event_queue: 10, ..Config::default() };
    let mut engine = Watched::new(config);
    let (late, first) = (Frames::new(1 << 40), note(0));
    // The ring, then the schedule, then the ring again.
    for _ in 0..2 {
        for index in 0..100 {
            engine.controller.note_on(note(index).at(late)).unwrap();
        }
        assert_eq!(engine.controller.note_on(first), Err(NoteError::Full(first)));
        engine.render(1);
    }
    assert_eq!(engine.controller.note_on(first), Err(NoteError::Full(first)));
    assert_eq!(engine.controller.all_notes_off(None), Err(Full(())));
    engine.controller.all_sound_off();
    // Two hundred are forgotten, and nobody listens.
    engine.render(10);
    let EventCounts { started, ended, .. } = engine.counts();
    assert_eq!((started, ended), (0, 10));
    // A meter is reported of each 1024 frames of twelve blocks.
    let meters = 12 * BLOCK as u64 / 1024;
    assert_eq!(engine.controller.lost_events(), 200 - 10 + meters);
    engine.play(20);
    engine.render(1);
    assert_eq!(engine.counts().started, 10, "it plays on");
    assert_eq!(engine.seen, Counts::default());
}

#[test]
fn ends_of_all_kinds_allocate_and_free_nothing() {
    let mut engine = Watched::of_voices(500);
    let (mut started, mut ended) = (0, 0);
    for action in 0..6 {
        let notes = engine.play(500);
        engine.render(2);
        let soon = Frames::new(engine.controller.now().get() + 10_000);
        for index in 0..500 {
            engine.controller.note_on(note(index).at(soon)).unwrap();
        }
        engine.render(1);
        match action {
            0 | 1 => engine.controller.all_notes_off(None).unwrap(),
            2 | 3 => engine.controller.all_sound_off(),
            4 => {
                engine.controller.all_notes_off(Some(soon)).unwrap();
                engine.render(40);
            }
            _ => {
                for note in notes {
                    engine.controller.note_off(note, None).unwrap();
                }
                engine.render(30);
                engine.controller.all_sound_off();
            }
        }
        engine.render(30);
        assert!(engine.processor.is_idle(), "deed {action}");
        let counts = engine.counts();
        started += counts.started;
        ended += counts.ended;
    }
    assert!(started >= 6 * 500 && ended >= started, "{started} started, {ended} ended");
    // One that ends of its own accord.
    engine.controller.note_on(Note::new(InstrumentIndex::new(2), Key::C4, Velocity::HIGHEST)).unwrap();
    engine.render(20);
    assert_eq!(engine.counts(), EventCounts { started: 1, ended: 1, ..EventCounts::default() });
    engine.was_quiet();
}

#[test]
fn a_limiter_at_work_and_a_tap_that_overflows_allocate_and_free_nothing() {
    let mut watched = Watched::new(Config { limiter: true, ..Config::default() });
    let mut tap = watched.processor.tap(4 * BLOCK);
    watched.controller.set_gain(Decibels::new(40.0).unwrap(), None).unwrap();
    watched.play(50);
    watched.render(20);
    let limited = std::iter::from_fn(|| watched.controller.poll())
        .any(|event| matches!(event, Event::Meter { limiter_gain, .. } if limiter_gain < 0.5));
    assert!(limited, "it was not at work");
    watched.was_quiet();
    assert_eq!((tap.read(drop), tap.lost()), (4 * BLOCK, 16 * BLOCK as u64));
}

#[test]
fn effects_that_are_sent_to_and_changed_allocate_and_free_nothing() {
    let mut watched = Watched::new(Config { effects: true, ..Config::default() });
    let send = Some(Decibels::UNITY);
    let strip = ChannelStrip { reverb: send, delay: send, ..ChannelStrip::default() };
    watched.controller.set_strip(StripIndex::new(0), strip, None).unwrap();
    watched.play(50);
    watched.render(20);
    for millis in [10, 4000, 100] {
        let time = Duration::from_millis(millis);
        let delay = DelayParams { time, ping_pong: millis == 100, ..DelayParams::default() };
        watched.controller.set_delay(delay, None).unwrap();
        let reverb = ReverbParams { decay: time, pre_delay: time, ..ReverbParams::default() };
        watched.controller.set_reverb(reverb, None).unwrap();
        watched.render(20);
        watched.watch(|processor, _| processor.set_rate(hz(40_000 + millis as u32)));
        watched.render(20);
    }
    watched.controller.all_notes_off(None).unwrap();
    watched.render(30);
    assert!(!watched.processor.is_idle(), "a tail goes on");
    watched.controller.all_sound_off();
    watched.render(2);
    assert!(watched.processor.is_idle());
    watched.was_quiet();
}

#[test]
fn shaped_notes_that_follow_each_other_and_are_turned_allocate_and_free_nothing() {
    let mut watched = Watched::new(Config::default());
    for round in 0..40_u8 {
        let notes: Vec<NoteId> = [0, 4, 5, 6, 7]
            .map(|index| {
                let key = Key::new(48 + round % 24).unwrap();
                let note = Note { key, ..note(index) };
                watched.controller.note_on(note).unwrap()
            })
            .into();
        watched.render(3);
        let cents = Cents::new(f64::from(round) * -100.0).unwrap();
        let strip = ChannelStrip { cutoff: cents, ..ChannelStrip::default() };
        watched.controller.set_strip(StripIndex::new(0), strip, None).unwrap();
        for note in &notes {
            watched.controller.set_tone(*note, cents, Decibels::UNITY, None).unwrap();
        }
        watched.render(3);
        for note in notes.into_iter().filter(|_| round % 3 > 0) {
            watched.controller.note_off(note, None).unwrap();
        }
    }
    watched.controller.all_notes_off(None).unwrap();
    watched.render(300);
    assert!(watched.processor.is_idle());
    watched.was_quiet();
}

#[test]
fn a_change_of_rate_and_of_channels_allocates_and_frees_nothing() {
    let mut engine = Watched::of_voices(100);
    engine.play(100);
    for (rate, channels) in [(44_100, 1), (96_000, 2), (8_000, 6), (u32::MAX, 1), (1, 2)] {
        engine.watch(|processor, out| {
            processor.set_rate(hz(rate));
            processor.process(out, channels);
        });
    }
    assert!(!engine.processor.is_idle());
    engine.was_quiet();
}

#[test]
fn voices_that_outlive_their_controller_end_and_free_nothing() {
    let Watched { mut controller, processor, out, seen } = Watched::of_voices(100);
    let watch = Arc::downgrade(controller.bank().unwrap());
    for index in 0..100 {
        controller.note_on(note(index)).unwrap();
    }
    controller.all_notes_off(Some(Frames::new(500))).unwrap();
    // Somebody to own the other half, so that it can be watched as before.
    let idle = engine::split(Config::default()).unwrap().0;
    drop(controller);
    let mut engine = Watched { controller: idle, processor, out, seen };
    engine.render(30);
    assert!(engine.processor.is_idle());
    engine.was_quiet();
    assert!(watch.upgrade().is_some(), "the processor keeps what it has read");
    drop(engine);
    assert!(watch.upgrade().is_none());
}

#[test]
fn an_allocation_or_a_free_within_a_block_would_have_been_seen() {
    let mut engine = Watched::of_voices(10);
    engine.play(10);
    engine.render(1);
    engine.was_quiet();
    engine.watch(|processor, out| {
        processor.process(out, 2);
        std::mem::forget(std::hint::black_box(Box::new(1)));
    });
    assert_eq!(engine.seen, Counts { allocations: 1, frees: 0 });
    let last_owner = bank(2);
    engine.watch(|processor, out| {
        processor.process(out, 2);
        drop(last_owner);
    });
    assert!(engine.seen.frees > 1, "a bank has several planes");
}
