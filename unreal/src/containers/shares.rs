//! Entries that share their bytes with others. A container may have an entry under several names; where they share some
//! bytes only, it lies, and there could be any number of them in a few bytes.

use super::Container;
use crate::base::error::Error;

/// Bytes that an entry shares with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// Nothing.
    Nothing,
    /// All that is said of it is the same as of this one.
    All(usize),
    /// Some of its bytes are those of this one.
    Some(usize),
}

/// Returns about where an entry begins, in four bytes: there may be millions of them.
fn about(start: u64) -> u32 {
    u32::try_from(start >> 16).unwrap_or(u32::MAX)
}

/// Returns what each entry of a container shares with one before: first those of which that is not known, with why, and
/// then the others in the order in which they lie.
pub fn shares(container: &Container) -> impl Iterator<Item = (usize, Result<Shares, Error>)> {
    let unknown = (0..container.len()).filter_map(|entry| Some((entry, Err(container.extent(entry).err()?))));
    // No table has more entries than that.
    let extent = |number: u32| container.extent(number as usize).ok();
    let starts = (0..container.len()).filter_map(|entry| {
        let number = u32::try_from(entry).ok()?;
        Some((about(extent(number)?.start), number))
    });
    let mut starts: Vec<(u32, u32)> = starts.collect();
    starts.sort_unstable_by(|(start, one), (other_start, other)| {
        let extent = |number| extent(number).map(|extent| (extent.start, extent.end));
        start.cmp(other_start).then_with(|| extent(*one).cmp(&extent(*other))).then(one.cmp(other))
    });
    let said = |entry| Some((container.info(entry).ok()?, container.hash(entry).ok()?));
    // Where what is taken so far ends, and whose it is.
    let mut taken: Option<(u64, usize)> = None;
    let known = starts.into_iter().filter_map(move |(_, number)| {
        let (extent, entry) = (extent(number)?, number as usize);
        let shares = match taken {
            Some((taken, other)) if extent.start < taken && !extent.is_empty() => {
                if said(entry) == said(other) { Shares::All(other) } else { Shares::Some(other) }
            }
            _ => Shares::Nothing,
        };
        if taken.is_none_or(|(taken, _)| extent.end > taken) {
            let owner = match shares {
                Shares::Nothing => entry,
                Shares::All(other) | Shares::Some(other) => other,
            };
            taken = Some((extent.end, owner));
        }
        Some((entry, Ok(shares)))
    });
    unknown.chain(known)
}
