use std::sync::Arc;

use fixtures::songs::{looped, mono_float, shapes, with_shapes};
use song::{InstrumentIndex, Key, LoopMode, Velocity};

use ringbuf::traits::Consumer;

use super::*;
use crate::{Bank, Config, Processor, offline, split};

/// Returns an engine with a mono instrument.
fn engine() -> (Controller, Processor) {
    let (mut controller, processor) = split(Config::default()).unwrap();
    let sample = looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward);
    let [mono, ..] = shapes();
    controller.load(Arc::new(Bank::prepare(&with_shapes(vec![(sample, mono)])).unwrap()));
    (controller, processor)
}

fn note() -> Note {
    Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST)
}

#[test]
fn of_too_many_held_notes_the_oldest_ends() {
    let (mut controller, mut processor) = engine();
    let notes: Vec<NoteId> = (0..MAX_HELD + 2)
        .map(|_| {
            let _ = offline::render(&mut processor, Frames::new(512));
            controller.note_on(note()).unwrap()
        })
        .collect();
    let ended = std::iter::from_fn(|| controller.poll()).filter_map(|event| match event {
        Event::Ended { note, .. } => Some(note),
        _ => None,
    });
    assert_eq!(ended.collect::<Vec<_>>(), notes[..2]);
}

#[test]
fn a_voice_whose_end_was_lost_is_forgotten_once_the_engine_is_silent() {
    let (mut controller, mut processor) = engine();
    let first = controller.note_on(note()).unwrap();
    let _ = offline::render(&mut processor, Frames::new(512));
    controller.note_off(first, None).unwrap();
    let _ = offline::render(&mut processor, Frames::new(9600));
    // As if the queue had been full.
    while controller.events.try_pop().is_some() {}
    assert_eq!((controller.mono.voices.len(), controller.mono.owed.len()), (1, 1));
    let mut ended = Vec::new();
    for _ in 0..2 {
        let _ = offline::render(&mut processor, Frames::new(STALE));
        ended.extend(std::iter::from_fn(|| controller.poll()));
    }
    assert!(ended.iter().any(|event| matches!(event, Event::Ended { note, .. } if *note == first)));
    assert_eq!((controller.mono.voices.len(), controller.mono.owed.len()), (0, 0));
}
