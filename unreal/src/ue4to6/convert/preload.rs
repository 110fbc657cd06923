//! What has to be there before each object, as files say it: containers leave out what belongs to the game's code.
//!
//! ```text
//! file        read before it is read │ made before it is read │ read before it is made │ made before it is made
//! container   made before it is made │ read before it is made │ made before it is read │ read before it is read
//! ```
//!
//! Source: *packages-ue4-ue6*, §6.6 and §8; the order, and what containers leave out: 10 packages of 5.8, measured.

use std::collections::HashMap;

use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::object_ref::ObjectRef;
use crate::ue4to6::asset::{AssetExport, AssetHeader, PreloadCounts};
use crate::ue4to6::zen::DependencyCounts;

const WHAT: &str = "preload dependencies";

/// What has to be there before an object: in the order of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Preload {
    /// Read before it is read, made before it is read, read before it is made, made before it is made.
    pub(super) lists: [Vec<i32>; 4],
    /// Whether it had nothing in the file either.
    pub(super) is_absent: bool,
}

impl Preload {
    /// Keeps the objects that are wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(i32) -> bool) {
        self.lists.iter_mut().for_each(|list| list.retain(|number| is_wanted(*number)));
    }
}

/// Returns what the header of a file says of each object.
///
/// # Errors
/// If an object has entries that are not there.
pub(super) fn of_file(header: &AssetHeader, limits: &mut Limits) -> Result<Vec<Preload>, Error> {
    let entries = header.preload();
    let exports = header.package().exports();
    limits.take_table::<Preload>(exports.len(), 0, WHAT)?;
    let mut preloads = Vec::with_capacity(exports.len());
    for export in exports {
        let PreloadCounts { first, counts } = export.preload;
        let mut lists: [Vec<i32>; 4] = Default::default();
        let Ok(mut at) = usize::try_from(first) else {
            preloads.push(Preload { lists, is_absent: true });
            continue;
        };
        for (list, count) in lists.iter_mut().zip(counts) {
            let end = usize::try_from(count).ok().and_then(|count| at.checked_add(count));
            let part = end.and_then(|end| entries.get(at..end));
            let missing = || Error::malformed(Malformed::NoSuchEntry(at as u64), 0, WHAT);
            let part = part.ok_or_else(missing)?;
            limits.take(size_of_val(part) as u64, 0, WHAT)?;
            *list = part.to_vec();
            at = at.saturating_add(part.len());
        }
        preloads.push(Preload { lists, is_absent: false });
    }
    Ok(preloads)
}

/// Returns what a container says of each object.
pub(super) fn of_chunk(counts: &[DependencyCounts], entries: &[i32]) -> Vec<Preload> {
    let of_one = |counts: &DependencyCounts| {
        let first = usize::try_from(counts.first).unwrap_or(usize::MAX);
        let mut left = entries.get(first..).unwrap_or_default();
        let mut lists: [Vec<i32>; 4] = Default::default();
        for (list, count) in lists.iter_mut().rev().zip(counts.counts) {
            let count = usize::try_from(count).unwrap_or(usize::MAX).min(left.len());
            let (own, rest) = left.split_at_checked(count).unwrap_or((left, &[]));
            (*list, left) = (own.to_vec(), rest);
        }
        Preload { lists, is_absent: counts.first < 0 }
    };
    counts.iter().map(of_one).collect()
}

/// Puts back what a container leaves out that follows from the object itself: its class and its template are there
/// before it is made. `is_left_out` says of which objects containers say nothing.
pub(super) fn complete(preload: &mut Preload, export: &AssetExport, is_left_out: impl Fn(ObjectRef) -> bool) {
    if preload.is_absent {
        return;
    }
    let [_, _, before_made, _] = &mut preload.lists;
    let mut kept = std::mem::take(before_made).into_iter().peekable();
    for object in [export.class, export.template] {
        let number = object.number();
        if kept.peek() == Some(&number) {
            before_made.extend(kept.next());
        } else if object != ObjectRef::None && is_left_out(object) && !before_made.contains(&number) {
            before_made.push(number);
        }
    }
    before_made.extend(kept);
}

/// An object of the code that a package imports.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreloadCandidate {
    /// Its reference.
    pub(super) number: i32,
    /// Whether it is a struct, which has to be read before what has values of it.
    pub(super) is_struct: bool,
    /// Whether something else in the header refers to it.
    pub(super) is_used: bool,
}

/// Puts back objects of the code that objects refer to: so many in all, those first that nothing else refers to.
/// `references` are the candidates that are found in the bytes of each object, in their order there. Returns how many
/// are still missing.
pub(super) fn fill(
    preloads: &mut [Preload],
    candidates: &HashMap<i32, PreloadCandidate>,
    references: &[Vec<i32>],
    missing: u64,
) -> u64 {
    let mut left = missing;
    for is_used in [false, true] {
        for (preload, found) in preloads.iter_mut().zip(references) {
            let found = found.iter().filter_map(|number| candidates.get(number));
            for candidate in found.filter(|candidate| candidate.is_used == is_used) {
                let is_there = preload.lists.iter().any(|list| list.contains(&candidate.number));
                if left == 0 || is_there || preload.is_absent {
                    continue;
                }
                let [structs, others, ..] = &mut preload.lists;
                let list = if candidate.is_struct { structs } else { others };
                list.push(candidate.number);
                left = left.saturating_sub(1);
            }
        }
    }
    left
}

/// Puts back what has to be there before an object where its container says nothing of single objects: what it lies in
/// and inherits from is made before it, and so is its class.
pub(super) fn from_export(preload: &mut Preload, export: &AssetExport) {
    let [_, _, before_made, made_before] = &mut preload.lists;
    let is_here = |object: &ObjectRef| *object != ObjectRef::None;
    before_made
        .extend([export.class, export.template].iter().filter(|object| is_here(object)).map(|o| o.number()));
    let others = [export.outer, export.super_object];
    made_before.extend(others.iter().filter(|object| is_here(object)).map(|object| object.number()));
}

/// Returns all of them as a chunk has them: counts of each object, and one list.
pub(super) fn into_chunk(preloads: &[Preload]) -> (Vec<DependencyCounts>, Vec<i32>) {
    let mut all = Vec::new();
    let count = |list: &Vec<i32>| u32::try_from(list.len()).unwrap_or(u32::MAX);
    let of_one = |preload: &Preload| {
        let [read_read, made_read, read_made, made_made] = preload.lists.each_ref();
        let lists = [made_made, read_made, made_read, read_read];
        let is_empty = lists.iter().all(|list| list.is_empty());
        let first = match preload.is_absent {
            true => -1,
            // What has nothing left begins nowhere.
            false if is_empty => 0,
            false => i32::try_from(all.len()).unwrap_or(i32::MAX),
        };
        lists.iter().for_each(|list| all.extend_from_slice(list));
        DependencyCounts { first, counts: lists.map(count) }
    };
    let counts = preloads.iter().map(of_one).collect();
    (counts, all)
}

/// Writes all of them as one list, and where in it each object's begin.
pub(super) fn into_file(preloads: &[Preload], exports: &mut [AssetExport]) -> Vec<i32> {
    let mut all = Vec::new();
    for (preload, export) in preloads.iter().zip(exports) {
        let counts = preload.lists.each_ref().map(|list| u32::try_from(list.len()).unwrap_or(u32::MAX));
        let first = if preload.is_absent { -1 } else { i32::try_from(all.len()).unwrap_or(i32::MAX) };
        export.preload = PreloadCounts { first, counts };
        all.extend(preload.lists.iter().flatten());
    }
    all
}
