use std::cell::RefCell;
use std::sync::Arc;

use song::{Hz, Key, NotePlayed, Velocity};

use super::*;
use crate::bank::BankHandle;
use crate::config::Interpolation;
use crate::message::{Course, Micros, NoteId, Start, StripIndex};

fn voice(note: u64) -> Voice {
    let bank = Arc::new(BankHandle::new(Arc::default()));
    let (attack, release) = (Micros::millis(0), Micros::millis(0));
    let start = Start {
        note: NoteId(note),
        bank,
        track: 0,
        hz: 1.0,
        left: 1.0,
        right: 1.0,
        attack,
        release,
        strip: StripIndex::default(),
        articulation: None,
        played: NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST },
        course: Course::Note,
        interpolation: None,
    };
    Voice::new(start, 0, note, Hz::new(1).unwrap(), Interpolation::Nearest)
}

fn notes(pool: &Pool) -> Vec<(usize, u64)> {
    let voices = pool.slots.iter().enumerate();
    voices.filter_map(|(slot, voice)| Some((slot, voice.as_ref()?.note().get()))).collect()
}

#[test]
fn a_voice_takes_the_lowest_free_slot_whatever_was_freed_last() {
    let mut pool = Pool::new(70);
    (0..70).for_each(|note| assert!(pool.insert(voice(note), None)));
    pool.remove(3, 0);
    pool.remove(66, 0);
    pool.remove(1, 0);
    for note in [100, 101, 102] {
        assert!(pool.insert(voice(note), None));
    }
    let taken: Vec<_> = notes(&pool).into_iter().filter(|(_, note)| *note >= 100).collect();
    assert_eq!(taken, [(1, 100), (3, 101), (66, 102)]);
}

#[test]
fn the_extent_ends_after_the_last_slot_that_is_taken() {
    let mut pool = Pool::new(130);
    assert_eq!(pool.extent(), 0);
    for note in 0..130 {
        assert!(pool.insert(voice(note), None));
        assert_eq!(pool.extent(), note as usize + 1);
    }
    for slot in [0, 129, 127, 128] {
        pool.remove(slot, 0);
    }
    assert_eq!(pool.extent(), 127);
}

#[test]
fn a_full_pool_takes_no_more() {
    let mut pool = Pool::new(2);
    assert!(pool.insert(voice(0), None) && pool.insert(voice(1), None));
    assert!(pool.is_full());
    assert!(!pool.insert(voice(2), None));
    assert_eq!(notes(&pool), [(0, 0), (1, 1)]);
}

#[test]
fn retaining_visits_slots_in_order_and_frees_those_refused() {
    let mut pool = Pool::new(66);
    (0..66).for_each(|note| assert!(pool.insert(voice(note), None)));
    let mut visited = Vec::new();
    let expected = RefCell::new(Vec::new());
    let expect = |voice: &Voice| expected.borrow_mut().push(voice.note().get());
    let groups = RefCell::new(Vec::new());
    let render = |visited: &mut Vec<u64>, slot: usize, voice: &mut Voice, _: &mut Modulation| {
        assert_eq!(slot as u64, voice.note().get());
        visited.push(voice.note().get());
        RenderOutcome { ended: None, is_over: !voice.note().get().is_multiple_of(65) }
    };
    pool.retain(0, &mut visited, expect, render, |visited, motions| {
        groups.borrow_mut().push((visited.len(), motions.len()));
    });
    assert_eq!(expected.into_inner(), (AHEAD as u64..64).collect::<Vec<_>>());
    assert_eq!(visited, (0..66).collect::<Vec<_>>());
    let whole = (1..=8).map(|group| (GROUP * group, GROUP));
    assert_eq!(groups.into_inner(), whole.chain([(66, 2)]).collect::<Vec<_>>());
    assert_eq!((notes(&pool), pool.occupied()), (vec![(0, 0), (65, 65)], 2));
}

#[test]
fn a_voice_that_has_ended_makes_room_and_keeps_its_slot() {
    let mut pool = Pool::new(2);
    assert!(pool.insert(voice(0), None) && pool.insert(voice(1), None));
    pool.retain(
        0,
        &mut (),
        |_| {},
        |(), _, voice, _| RenderOutcome { ended: (voice.note().get() == 0).then_some(7), is_over: false },
        |(), _| {},
    );
    assert_eq!((pool.victim(0), pool.playing(), pool.occupied()), (Some(1), 1, 2));
}

#[test]
fn a_note_off_finds_the_voices_of_its_note_alone() {
    let mut pool = Pool::new(4);
    for note in [7, 8, 7, 9] {
        assert!(pool.insert(voice(note), None));
    }
    pool.release(NoteId(7), Hz::new(1).unwrap(), 0);
    let released = |slot| pool.get(slot).unwrap().phase() == EnvelopePhase::Releasing;
    assert_eq!([0, 1, 2, 3].map(released), [true, false, true, false]);
    assert_eq!(pool.playing(), 4);
}

#[test]
fn who_fades_makes_room_and_is_asked_for_no_more() {
    let mut pool = Pool::new(2);
    assert!(pool.insert(voice(0), None) && pool.insert(voice(1), None));
    assert_eq!(pool.victim(0), Some(0));
    pool.fade(0, Hz::new(1).unwrap(), 0);
    assert_eq!((pool.victim(0), pool.playing(), pool.occupied()), (Some(1), 1, 2));
    pool.remove(1, 0);
    assert_eq!((pool.victim(0), pool.playing()), (None, 0));
}
