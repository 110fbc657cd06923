use crate::error::{Error, ErrorKind};

/// What reading may cost: a budget that is spent, so that a small file cannot ask for much.
///
/// | knob | default | pays for |
/// |---|---|---|
/// | structures | 64 MiB | tables, names, properties |
/// | payloads | 2 GiB, as much as a package can address | audio that is taken out, each time it is |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    structures: u64,
    payloads: u64,
}

const MIB: u64 = 1 << 20;

impl Default for Limits {
    fn default() -> Self {
        Self { structures: 64 * MIB, payloads: 2048 * MIB }
    }
}

impl Limits {
    /// With that many bytes for tables, names and properties.
    #[must_use]
    pub const fn with_structures(mut self, bytes: u64) -> Self {
        self.structures = bytes;
        self
    }

    /// With that many bytes for payloads. Exports may share their bytes, so all payloads together can be
    /// larger than the file; a small multiple of its length is a fair bound.
    #[must_use]
    pub const fn with_payloads(mut self, bytes: u64) -> Self {
        self.payloads = bytes;
        self
    }

    /// Bytes left for tables, names and properties.
    #[must_use]
    pub const fn structures_left(&self) -> u64 {
        self.structures
    }

    /// Bytes left for payloads.
    #[must_use]
    pub const fn payloads_left(&self) -> u64 {
        self.payloads
    }

    /// Spends bytes on a structure that is read at a place of the file.
    ///
    /// # Errors
    /// `OverLimit` if fewer are left; then nothing is spent.
    pub(crate) fn take(&mut self, bytes: u64, at: u64, what: &'static str) -> Result<(), Error> {
        spend(&mut self.structures, bytes, at, what)
    }

    /// Spends the bytes of a table in memory: its entries, each of the size of a `T`.
    pub(crate) fn take_table<T>(&mut self, entries: usize, at: u64, what: &'static str) -> Result<(), Error> {
        let bytes = entries.saturating_mul(size_of::<T>());
        self.take(u64::try_from(bytes).unwrap_or(u64::MAX), at, what)
    }

    /// Spends bytes on a payload.
    pub(crate) fn take_payload(&mut self, bytes: u64, at: u64) -> Result<(), Error> {
        spend(&mut self.payloads, bytes, at, "payload")
    }
}

fn spend(left: &mut u64, bytes: u64, at: u64, what: &'static str) -> Result<(), Error> {
    match left.checked_sub(bytes) {
        Some(rest) => {
            *left = rest;
            Ok(())
        }
        None => Err(Error::new(ErrorKind::OverLimit { asked: bytes, left: *left }, at, what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_can_be_spent_to_its_last_byte_and_no_further() {
        let mut limits = Limits::default().with_structures(10);
        assert!(limits.take(7, 0, "test").is_ok());
        assert!(limits.take(3, 0, "test").is_ok());
        let error = limits.take(1, 0x20, "test").unwrap_err();
        assert_eq!(error.to_string(), "test at 0x20: needs 1 bytes, the limit leaves 0");
    }

    #[test]
    fn what_is_refused_is_not_spent() {
        let mut limits = Limits::default().with_payloads(10);
        assert!(limits.take_payload(11, 0).is_err());
        assert_eq!(limits.payloads_left(), 10);
    }

    #[test]
    fn a_table_too_large_to_count_is_refused() {
        assert!(Limits::default().take_table::<u64>(usize::MAX, 0, "test").is_err());
    }
}
