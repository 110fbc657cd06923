//! In which order the objects of a package are made and read: none before what has to be there, public ones as early as
//! they can be.
//!
//! Source: *packages-ue4-ue6*, §6.6; the order: 194 packages of 5.8, measured.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::preload::Preload;
use crate::base::object_ref::ObjectRef;

/// An object is made.
pub(super) const MADE: u32 = 0;
/// An object is read.
pub(super) const READ: u32 = 1;

/// What is done with an object, in the order in which it is done where it can be: whether it is not public, what is
/// done, which object.
type LoadStep = (bool, u32, usize);

/// Returns in which order objects are made and read: each is two numbers, of the object and [`MADE`] or [`READ`]. None
/// if objects wait for each other.
pub(super) fn load_order(is_public: &[bool], preloads: &[Preload]) -> Option<Vec<[u32; 2]>> {
    let count = is_public.len();
    // Steps by their numbers: all objects made, then all read.
    let number =
        |command: u32, export: usize| if command == READ { count.saturating_add(export) } else { export };
    let mut after: Vec<Vec<LoadStep>> = vec![Vec::new(); count.saturating_mul(2)];
    let mut waits_for: Vec<usize> = vec![0; count.saturating_mul(2)];
    let mut add = |before: (u32, usize), (command, export): (u32, usize)| {
        let step = (!is_public.get(export).copied().unwrap_or_default(), command, export);
        if let Some(steps) = after.get_mut(number(before.0, before.1)) {
            steps.push(step);
            if let Some(waits) = waits_for.get_mut(number(command, export)) {
                *waits = waits.saturating_add(1);
            }
        }
    };
    for export in 0..count {
        add((MADE, export), (READ, export));
    }
    const LISTS: [(u32, u32); 4] = [(READ, READ), (MADE, READ), (READ, MADE), (MADE, MADE)];
    for (export, preload) in preloads.iter().enumerate() {
        for (list, (before, then)) in preload.lists.iter().zip(LISTS) {
            for object in list {
                if let ObjectRef::Export(other) = ObjectRef::from_number(*object) {
                    if other.get() >= count {
                        return None;
                    }
                    add((before, other.get()), (then, export));
                }
            }
        }
    }
    let mut ready: BinaryHeap<Reverse<LoadStep>> = BinaryHeap::new();
    for (export, waits) in waits_for.iter().take(count).enumerate() {
        if *waits == 0 {
            ready.push(Reverse((!is_public.get(export).copied().unwrap_or_default(), MADE, export)));
        }
    }
    let mut order = Vec::with_capacity(count.saturating_mul(2));
    while let Some(Reverse((_, command, export))) = ready.pop() {
        order.push([u32::try_from(export).ok()?, command]);
        for step in after.get(number(command, export)).into_iter().flatten() {
            let waits = waits_for.get_mut(number(step.1, step.2))?;
            *waits = waits.saturating_sub(1);
            if *waits == 0 {
                ready.push(Reverse(*step));
            }
        }
    }
    (order.len() == count.saturating_mul(2)).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_objects_come_first_and_none_before_what_it_needs() {
        let needs = |lists: [&[i32]; 4]| Preload { lists: lists.map(<[i32]>::to_vec), is_absent: false };
        let none = needs([&[], &[], &[], &[]]);
        // Objects in the order of their numbers; each is made before any is read.
        let order = load_order(&[false, false], &[none.clone(), none.clone()]).unwrap();
        assert_eq!(order, [[0, MADE], [1, MADE], [0, READ], [1, READ]]);
        // A public one is made and read as early as possible.
        let order = load_order(&[false, true], &[none.clone(), none.clone()]).unwrap();
        assert_eq!(order, [[1, MADE], [1, READ], [0, MADE], [0, READ]]);
        // Unless it needs another.
        let order = load_order(&[false, true], &[none.clone(), needs([&[], &[], &[], &[1]])]).unwrap();
        assert_eq!(order, [[0, MADE], [1, MADE], [1, READ], [0, READ]]);
        let order = load_order(&[false, true], &[none.clone(), needs([&[1], &[], &[], &[]])]).unwrap();
        assert_eq!(order, [[1, MADE], [0, MADE], [0, READ], [1, READ]]);
        // What is imported is there already.
        let order = load_order(&[false], &[needs([&[-1], &[-2], &[-3], &[-4]])]).unwrap();
        assert_eq!(order, [[0, MADE], [0, READ]]);
    }

    #[test]
    fn objects_that_wait_for_each_other_have_no_order() {
        let after = |number: i32| Preload { lists: [vec![], vec![], vec![], vec![number]], is_absent: false };
        assert_eq!(load_order(&[false, false], &[after(2), after(1)]), None);
        assert_eq!(load_order(&[false], &[after(1)]), None);
        // An object that is not there.
        assert_eq!(load_order(&[false], &[after(2)]), None);
    }
}
