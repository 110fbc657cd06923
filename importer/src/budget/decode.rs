//! Memory that decoded audio takes.

use super::shared::{HeldMemory, SharedBudget};
use crate::Error;

/// Bytes that decoded audio may still take in memory: of one file, and of the memory that all files share.
#[derive(Debug)]
pub struct DecodeBudget {
    left: u64,
    held: HeldMemory,
}

impl DecodeBudget {
    pub(crate) fn new(bytes: u64, shared: Option<&SharedBudget>) -> Self {
        Self { left: bytes, held: HeldMemory::of(shared) }
    }

    /// Spends bytes.
    ///
    /// # Errors
    /// [`Error::OverLimit`] if fewer are left; then nothing is spent.
    pub fn take(&mut self, needed: u64) -> Result<(), Error> {
        let left = self.left.checked_sub(needed).ok_or(Error::OverLimit { needed, left: self.left })?;
        self.held.take(needed)?;
        self.left = left;
        Ok(())
    }

    /// Decodes one sound, which may take so many bytes. What a sound took that cannot be decoded is given back.
    ///
    /// # Errors
    /// That of decoding, with what was taken.
    pub(crate) fn within<T>(
        &mut self,
        most: u64,
        decode: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, (Error, u64)> {
        let kept = self.left.saturating_sub(most);
        self.left = self.left.saturating_sub(kept);
        let before = self.left;
        let decoded = decode(self);
        let spent = before.saturating_sub(self.left);
        self.left = self.left.saturating_add(kept);
        decoded.map_err(|error| {
            self.give_back(spent);
            (error, spent)
        })
    }

    /// # Errors
    /// [`Error::OverLimit`] if fewer bytes are left.
    pub(crate) fn check(&mut self, needed: u64) -> Result<(), Error> {
        self.take(needed)?;
        self.give_back(needed);
        Ok(())
    }

    /// Returns the number of bytes that are left.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }

    /// Gives back what was spent on something that is gone.
    pub(crate) fn give_back(&mut self, bytes: u64) {
        self.left = self.left.saturating_add(bytes);
        self.held.give_back(bytes);
    }

    /// Returns the memory that what was decoded still takes.
    pub(crate) fn into_held(self) -> HeldMemory {
        self.held
    }
}
