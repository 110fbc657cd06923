use super::*;
use crate::{offline, split};
use fixtures::songs::{looped, mono_float, of};
use song::{Key, LoopMode, Velocity};

/// Plays a looped constant sample for each of these values.
fn playing(values: &[f32]) -> (Controller, crate::Processor) {
    let (mut controller, mut processor) = split(Config::default()).unwrap();
    let sample = |&value| looped(mono_float([value; 100]), 0, 100, LoopMode::Forward);
    let song = of(values.iter().map(sample).collect());
    controller.load(Arc::new(Bank::prepare(&song).unwrap()));
    for index in 0..values.len() {
        let note = Note::new(InstrumentIndex::new(index), Key::C4, Velocity::HIGHEST);
        controller.note_on(note).unwrap();
    }
    let _ = offline::render(&mut processor, Frames::new(100));
    (controller, processor)
}

#[test]
fn silence_spares_a_note_sent_after_it_that_was_read_before_it_was_seen() {
    let (controller, mut processor) = playing(&[0.5, 0.25]);
    // As if the second note had been sent and read between the mark and the next look at it.
    controller.shared.cancel_before(1);
    let heard = offline::render(&mut processor, Frames::new(1000));
    assert_eq!(heard.last(), Some(&0.25));
}

#[test]
fn a_pause_is_silent_and_changes_nothing_of_what_comes_after_it() {
    let render = |pause: bool| {
        let (mut controller, mut processor) = playing(&[0.5, 0.25]);
        let mut heard = offline::render(&mut processor, Frames::new(500));
        if pause {
            controller.set_paused(true);
            controller.all_notes_off(Some(Frames::new(900))).unwrap();
            let now = controller.now();
            assert!(offline::render(&mut processor, Frames::new(3000)).iter().all(|value| *value == 0.0));
            assert_eq!(controller.now(), now);
            controller.set_paused(false);
        } else {
            controller.all_notes_off(Some(Frames::new(900))).unwrap();
        }
        heard.extend(offline::render(&mut processor, Frames::new(2000)));
        heard
    };
    assert!(render(true) == render(false));
}

#[test]
fn an_instrument_is_played_from_a_bank_of_its_own_which_is_freed_when_nothing_of_it_sounds() {
    let (mut controller, mut processor) = playing(&[0.5]);
    controller.all_sound_off();
    let _ = offline::render(&mut processor, Frames::new(1000));
    let sample = looped(mono_float([0.25; 100]), 0, 100, LoopMode::Forward);
    let bank = Arc::new(Bank::prepare(&of(vec![sample])).unwrap());
    let index = InstrumentIndex::new(7);
    assert_eq!(controller.instrument(index), None);
    controller.load_instrument(index, Arc::clone(&bank));
    assert_eq!(controller.instrument(index), Some(&bank.instruments()[0]));
    let note = controller.note_on(Note::new(index, Key::C4, Velocity::HIGHEST)).unwrap();
    let heard = offline::render(&mut processor, Frames::new(1000));
    assert_eq!(heard.last(), Some(&0.25));
    controller.unload_instrument(index);
    let refused = controller.note_on(Note::new(index, Key::C4, Velocity::HIGHEST));
    assert_eq!(refused, Err(NoteError::NoInstrument(index)));
    controller.collect();
    assert_eq!(Arc::strong_count(&bank), 2, "its note sounds");
    controller.note_off(note, None).unwrap();
    let _ = offline::render(&mut processor, Frames::new(10_000));
    controller.collect();
    assert_eq!(Arc::strong_count(&bank), 1);
}

#[test]
fn a_note_that_was_not_begun_keeps_no_bank_alive() {
    let (mut controller, mut processor) = playing(&[0.5]);
    while controller.all_notes_off(None).is_ok() {}
    let note = Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST);
    assert_eq!(controller.note_on(note), Err(NoteError::Full(note)));
    let old = Arc::downgrade(controller.bank().unwrap());
    let _ = offline::render(&mut processor, Frames::new(10_000));
    controller.load(Arc::new(Bank::prepare(&of(vec![mono_float([0.0])])).unwrap()));
    assert!(old.upgrade().is_none());
}
