use crate::error::{Error, ErrorKind};

/// What reading may cost in memory: a budget that is spent, so that a small file cannot ask for much.
///
/// Tables, names and properties are paid from it; the default is 64 MiB. Payloads are not: who takes one out says
/// how large it may be. What a compressed package is inflated to has a limit of its own, 2 GiB by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    structures: u64,
    inflated: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self::with_structures(64 << 20)
    }
}

impl Limits {
    /// Returns that many bytes for tables, names and properties.
    #[must_use]
    pub const fn with_structures(bytes: u64) -> Self {
        Self { structures: bytes, inflated: 2 << 30 }
    }

    /// Returns limits with that many bytes for what compressed packages are inflated to.
    #[must_use]
    pub const fn with_inflated(self, bytes: u64) -> Self {
        Self { inflated: bytes, ..self }
    }

    /// Returns the number of bytes that a compressed package may be inflated to.
    #[must_use]
    pub const fn inflated(&self) -> u64 {
        self.inflated
    }

    /// Returns the number of bytes left for tables, names and properties.
    #[must_use]
    pub const fn structures_left(&self) -> u64 {
        self.structures
    }

    /// Spends bytes on a structure that is read at a place of the file.
    ///
    /// # Errors
    /// `OverLimit` if fewer are left; then nothing is spent.
    pub fn take(&mut self, bytes: u64, at: u64, what: &'static str) -> Result<(), Error> {
        let left = self.structures;
        let over = || Error::new(ErrorKind::OverLimit { asked: bytes, left }, at, what);
        self.structures = left.checked_sub(bytes).ok_or_else(over)?;
        Ok(())
    }

    /// Spends the bytes of something that grows as it is read. While it moves to a larger block, a vector holds up
    /// to three times what is in it.
    pub(crate) fn take_growing(&mut self, bytes: usize, at: u64, what: &'static str) -> Result<(), Error> {
        self.take(u64::try_from(bytes.saturating_mul(3)).unwrap_or(u64::MAX), at, what)
    }

    /// Spends the bytes of a table in memory: its entries, each of the size of a `T`.
    pub(crate) fn take_table<T>(&mut self, entries: usize, at: u64, what: &'static str) -> Result<(), Error> {
        let bytes = entries.saturating_mul(size_of::<T>());
        self.take(u64::try_from(bytes).unwrap_or(u64::MAX), at, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_can_be_spent_to_its_last_byte_and_no_further() {
        let mut limits = Limits::with_structures(10);
        assert!(limits.take(7, 0, "test").is_ok());
        assert!(limits.take(3, 0, "test").is_ok());
        let error = limits.take(1, 0x20, "test").unwrap_err();
        assert_eq!(error.to_string(), "test at 0x20: needs 1 bytes, the limit leaves 0");
    }

    #[test]
    fn what_is_refused_is_not_spent() {
        let mut limits = Limits::with_structures(10);
        assert!(limits.take(11, 0, "test").is_err());
        assert_eq!(limits.structures_left(), 10);
    }

    #[test]
    fn a_table_too_large_to_count_is_refused() {
        assert!(Limits::default().take_table::<u64>(usize::MAX, 0, "test").is_err());
    }
}
