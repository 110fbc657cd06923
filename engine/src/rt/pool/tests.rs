use std::cell::RefCell;
use std::sync::Arc;

use song::Hz;

use super::*;
use crate::bank::Bank;
use crate::config::Interpolation;
use crate::message::{Micros, NoteId, Start};

fn voice(note: u64) -> Voice {
    let bank = Arc::new(Bank { tracks: Vec::new(), instruments: Vec::new() });
    let (attack, release) = (Micros::millis(0), Micros::millis(0));
    let start = Start {
        note: NoteId(note),
        bank,
        sample: 0,
        hz: 1.0,
        left: 1.0,
        right: 1.0,
        attack,
        release,
        interpolation: None,
    };
    Voice::new(start, 0, note, Hz::new(1).unwrap(), Interpolation::Nearest)
}

fn notes(pool: &Pool) -> Vec<(usize, u64)> {
    pool.iter().map(|(slot, voice)| (slot, voice.note().get())).collect()
}

#[test]
fn a_voice_takes_the_lowest_free_slot_whatever_was_freed_last() {
    let mut pool = Pool::new(70);
    (0..70).for_each(|note| assert!(pool.insert(voice(note))));
    pool.remove(3);
    pool.remove(66);
    pool.remove(1);
    for note in [100, 101, 102] {
        assert!(pool.insert(voice(note)));
    }
    let taken: Vec<_> = notes(&pool).into_iter().filter(|(_, note)| *note >= 100).collect();
    assert_eq!(taken, [(1, 100), (3, 101), (66, 102)]);
}

#[test]
fn a_full_pool_takes_no_more() {
    let mut pool = Pool::new(2);
    assert!(pool.insert(voice(0)) && pool.insert(voice(1)));
    assert!(pool.is_full());
    assert!(!pool.insert(voice(2)));
    assert_eq!(notes(&pool), [(0, 0), (1, 1)]);
}

#[test]
fn retaining_visits_slots_in_order_and_frees_those_refused() {
    let mut pool = Pool::new(66);
    (0..66).for_each(|note| assert!(pool.insert(voice(note))));
    let mut visited = Vec::new();
    let expected = RefCell::new(Vec::new());
    let expect = |voice: &Voice| expected.borrow_mut().push(voice.note().get());
    pool.retain(expect, |voice| {
        visited.push(voice.note().get());
        voice.note().get() % 65 == 0
    });
    assert_eq!(expected.into_inner(), (2..64).collect::<Vec<_>>());
    assert_eq!(visited, (0..66).collect::<Vec<_>>());
    assert_eq!((notes(&pool), pool.occupied()), (vec![(0, 0), (65, 65)], 2));
}
