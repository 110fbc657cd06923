use super::error::{Error, ErrorKind, Malformed};

/// The most characters of a text that a property has, such as a subtitle, a document or the source of a shader. Names
/// and paths have far fewer: see [`super::names::MAX_NAME`] and [`self::MAX_PATH`].
pub(crate) const MAX_TEXT: usize = 16 << 20;

/// How many bytes the path of an object may have. Room for any name and for all real paths, and so little that the
/// paths of all objects cannot fill the memory.
pub const MAX_PATH: usize = 1024;

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
        Self::with_structures(Self::STRUCTURES)
    }
}

impl Limits {
    /// Bytes of structures unless it is said otherwise.
    pub const STRUCTURES: u64 = 64 << 20;

    /// Bytes that a compressed package is inflated to unless it is said otherwise.
    pub const INFLATED: u64 = 2 << 30;

    /// Returns that many bytes for tables, names and properties.
    #[must_use]
    pub const fn with_structures(bytes: u64) -> Self {
        Self { structures: bytes, inflated: Self::INFLATED }
    }

    /// Returns limits with that many bytes for what compressed packages are inflated to.
    #[must_use]
    pub const fn with_inflated(self, bytes: u64) -> Self {
        Self { inflated: bytes, ..self }
    }

    /// Returns the bytes of structures that a file of `length` bytes is worth: 64 KiB and 40 for each byte. Properties
    /// take some sixteen times their bytes, and no table takes more.
    #[must_use]
    pub const fn worth(length: u64) -> u64 {
        const LEAST: u64 = 64 << 10;
        const PER_BYTE: u64 = 40;
        length.saturating_mul(PER_BYTE).saturating_add(LEAST)
    }

    /// Bytes that each stored byte may be decompressed or decoded to. What is made for games becomes ten times as long.
    pub const EXPANSION: u64 = 64;

    /// Returns the bytes that `stored` bytes may be decompressed or decoded to, if each may give `each`: 64 MiB are
    /// always believed.
    #[must_use]
    pub const fn expanded(stored: u64, each: u64) -> u64 {
        const ALWAYS: u64 = 64 << 20;
        stored.saturating_mul(each).saturating_add(ALWAYS)
    }

    /// Reads something whose structures may take `most` bytes. Only what was read is paid for: nothing is kept of what
    /// failed.
    ///
    /// # Errors
    /// As `read`; `Malformed` if it is `most` that is too little.
    pub(crate) fn within<T>(
        &mut self,
        most: u64,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let is_less = most < self.structures;
        let most = self.structures.min(most);
        let mut limits = Self { structures: most, ..self.clone() };
        let found = read(&mut limits).map_err(|error| match error.kind() {
            ErrorKind::OverLimit { .. } if is_less => {
                Error::malformed(Malformed::TooMuch, error.at(), error.what())
            }
            _ => error,
        })?;
        self.structures = self.structures.saturating_sub(most.saturating_sub(limits.structures));
        Ok(found)
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
    fn a_file_is_paid_for_up_to_its_worth_and_only_if_it_was_read() {
        let mut limits = Limits::default();
        let spend = |bytes: u64| move |limits: &mut Limits| limits.take(bytes, 0, "test");
        assert_eq!(Limits::worth(1000), (64 << 10) + 40_000);
        assert!(limits.within(Limits::worth(1000), spend((64 << 10) + 40_000)).is_ok());
        let left = (64 << 20) - (64 << 10) - 40_000;
        assert_eq!(limits.structures_left(), left);
        let error = limits.within(Limits::worth(1000), spend((64 << 10) + 40_001)).unwrap_err();
        assert_eq!(error.to_string(), "test at 0x0: takes more memory than a file of its size may");
        assert_eq!(limits.structures_left(), left);
        let error = limits.within(u64::MAX, spend(left + 1)).unwrap_err();
        assert!(error.to_string().ends_with(&format!("the limit leaves {left}")), "{error}");
    }

    #[test]
    fn a_table_too_large_to_count_is_refused() {
        assert!(Limits::default().take_table::<u64>(usize::MAX, 0, "test").is_err());
    }
}
