//! Entries that share their bytes with others. A container may have an entry under several names; where they share some
//! bytes only, it lies, and there could be any number of them in a few bytes.

use super::Container;
use crate::error::Error;

/// What an entry shares with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// Nothing.
    Nothing,
    /// All that is said of it is the same as of this one.
    All(usize),
    /// Some of its bytes are those of this one.
    Some(usize),
}

/// Returns what each entry of a container shares with one before, in the order in which they lie; or why that is not
/// known.
#[must_use]
pub fn shares(container: &Container) -> Vec<(usize, Result<Shares, Error>)> {
    let (mut found, mut places) = (Vec::new(), Vec::with_capacity(container.len()));
    for entry in 0..container.len() {
        match container.info(entry) {
            Ok(info) => places.push((info.place.start, info.place.end, entry)),
            Err(error) => found.push((entry, Err(error))),
        }
    }
    places.sort_unstable();
    found.reserve(places.len());
    // Where what is taken so far ends, and whose it is.
    let mut taken: Option<(u64, usize)> = None;
    for (start, end, entry) in places {
        let said = |entry| Some((container.info(entry).ok()?, container.hash(entry).ok()?));
        let is_same = |other| said(entry) == said(other);
        let shares = match taken {
            Some((taken, other)) if start < taken && start < end => {
                if is_same(other) {
                    Shares::All(other)
                } else {
                    Shares::Some(other)
                }
            }
            _ => Shares::Nothing,
        };
        if taken.is_none_or(|(taken, _)| end > taken) {
            let owner = match shares {
                Shares::Nothing => entry,
                Shares::All(other) | Shares::Some(other) => other,
            };
            taken = Some((end, owner));
        }
        found.push((entry, Ok(shares)));
    }
    found
}
