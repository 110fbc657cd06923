use std::fmt::Display;

use super::cursor::Cursor;
use super::{MAX_FRAMES_PER_BYTE, Repair};
use crate::{Error, ModuleBudget};

/// Repairs that are reported one by one; of a hostile file the rest is counted.
const MAX_REPAIRS: usize = 1000;

/// A module that is being read: its bytes, what it may still cost, and what had to be repaired.
pub(super) struct ModuleReader<'f> {
    bytes: &'f [u8],
    structures: u64,
    decoded: u64,
    has_frames: bool,
    repairs: Vec<Repair>,
    unsent: usize,
}

impl<'f> ModuleReader<'f> {
    pub(super) fn new(bytes: &'f [u8], budget: ModuleBudget) -> Self {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let decoded = budget.decoded.min(length.saturating_mul(MAX_FRAMES_PER_BYTE));
        let structures = budget.structures;
        Self { bytes, structures, decoded, has_frames: true, repairs: Vec::new(), unsent: 0 }
    }

    /// Creates a module of which no frames are decoded.
    pub(super) fn without_frames(bytes: &'f [u8], budget: ModuleBudget) -> Self {
        Self { has_frames: false, ..Self::new(bytes, budget) }
    }

    /// Returns whether frames are to be decoded.
    pub(super) const fn has_frames(&self) -> bool {
        self.has_frames
    }

    /// Returns the number of bytes of structures that are left.
    pub(super) const fn structures_left(&self) -> u64 {
        self.structures
    }

    pub(super) const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes from an offset on; none if it is outside.
    pub(super) fn from(&self, at: usize) -> &'f [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// Returns a cursor that goes from an offset to the end of the file.
    pub(super) fn cursor(&self, at: usize, what: &'static str) -> Cursor<'f> {
        Cursor::new(self.from(at), at, what)
    }

    /// Returns a cursor over at most so many bytes from an offset on.
    pub(super) fn part(&self, at: usize, length: usize, what: &'static str) -> Cursor<'f> {
        let rest = self.from(at);
        Cursor::new(rest.get(..length).unwrap_or(rest), at, what)
    }

    /// Remembers what was repaired.
    pub(super) fn repair(&mut self, at: usize, what: impl Display, text: impl Display) {
        if self.repairs.len() < MAX_REPAIRS {
            self.repairs.push(Repair { at, what: what.to_string(), text: text.to_string() });
        } else {
            self.unsent = self.unsent.saturating_add(1);
        }
    }

    /// Returns what was repaired, in the order of reading.
    pub(super) fn into_repairs(mut self) -> Vec<Repair> {
        if self.unsent > 0 {
            let text = format!("{} more repairs", self.unsent);
            self.repairs.push(Repair { at: self.bytes.len(), what: "module".to_owned(), text });
        }
        self.repairs
    }

    /// Spends room for entries of a table, each of the size of a `T`, before it is taken.
    ///
    /// # Errors
    /// [`ErrorKind::OverLimit`](crate::ErrorKind::OverLimit) if less is left; then nothing is spent.
    pub(super) fn pay<T>(&mut self, entries: usize) -> Result<(), Error> {
        spend(&mut self.structures, entries.saturating_mul(size_of::<T>()))
    }

    /// Spends bytes of decoded frames before there is room for them.
    ///
    /// # Errors
    /// As [`ModuleReader::pay`].
    pub(super) fn pay_frames(&mut self, bytes: usize) -> Result<(), Error> {
        spend(&mut self.decoded, bytes)
    }

    /// Gives back what was spent on frames that did not come.
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.decoded = self.decoded.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
    }
}

fn spend(budget: &mut u64, bytes: usize) -> Result<(), Error> {
    let (needed, left) = (u64::try_from(bytes).unwrap_or(u64::MAX), *budget);
    *budget = left.checked_sub(needed).ok_or(Error::over_limit(needed, left))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_are_reported_up_to_a_bound_and_counted_beyond_it() {
        let mut file = ModuleReader::new(&[], ModuleBudget::default());
        for at in 0..MAX_REPAIRS + 3 {
            file.repair(at, "sample 1", "is empty");
        }
        let repairs = file.into_repairs();
        assert_eq!(repairs.len(), MAX_REPAIRS + 1);
        assert_eq!(repairs[MAX_REPAIRS].text, "3 more repairs");
    }

    #[test]
    fn frames_take_no_more_than_their_share_of_the_file() {
        let mut file = ModuleReader::new(&[0; 10], ModuleBudget::default());
        assert!(file.pay_frames(640).is_ok());
        assert_eq!(file.pay_frames(1), Err(Error::over_limit(1, 0)));
        file.give_back(2);
        assert!(file.pay_frames(1).is_ok());
    }
}
