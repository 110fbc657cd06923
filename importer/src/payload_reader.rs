use unreal::Source;
use unreal::bulk::Payload;

use crate::Damage;
use crate::error::malformed;

/// The most bytes that a single compressed payload may become.
pub(crate) const MAX_INFLATED: u64 = 2 << 30;

/// The stored bytes of one sound, fetched piece by piece: what describes a sound need not load it.
/// Offsets count from the payload's first byte; nothing outside the payload can be reached.
#[derive(Clone, Copy)]
pub(crate) struct PayloadReader<'s> {
    source: &'s dyn Source,
    payload: Payload,
}

impl<'s> PayloadReader<'s> {
    pub(crate) fn new(source: &'s dyn Source, payload: Payload) -> Self {
        Self { source, payload }
    }

    /// Looks at a payload. One that is compressed is inflated as far as it is looked at.
    ///
    /// # Errors
    /// Those of looking, and if what is compressed contradicts itself.
    pub(crate) fn open<T>(
        source: &dyn Source,
        payload: Payload,
        read: impl FnOnce(&PayloadReader<'_>) -> Result<T, Damage>,
    ) -> Result<T, Damage> {
        let inflated = payload.inflated(source, MAX_INFLATED).map_err(std::io::Error::other)?;
        match inflated {
            Some(inflated) => {
                read(&PayloadReader::new(&inflated, Payload::plain(0, payload.uncompressed_len())))
            }
            None => read(&PayloadReader::new(source, payload)),
        }
    }

    /// Returns a window on a part of this one; none if it does not lie inside.
    pub(crate) fn part(&self, at: u64, length: u64) -> Option<PayloadReader<'s>> {
        let is_inside = at.checked_add(length).is_some_and(|end| end <= self.payload.len);
        let start = self.payload.offset.checked_add(at).filter(|_| is_inside)?;
        Some(Self { source: self.source, payload: Payload::plain(start, length) })
    }

    pub(crate) const fn length(&self) -> u64 {
        self.payload.len
    }

    /// Returns the bytes `at..at + length`.
    ///
    /// # Errors
    /// If they are not all inside the payload, or cannot be read.
    pub(crate) fn bytes(&self, at: u64, length: u64) -> Result<Vec<u8>, Damage> {
        let mut bytes = Vec::new();
        self.read(at, length, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads bytes into memory that is there.
    ///
    /// # Errors
    /// As [`PayloadReader::bytes`].
    pub(crate) fn read(&self, at: u64, length: u64, into: &mut Vec<u8>) -> Result<(), Damage> {
        if at.checked_add(length).is_none_or(|end| end > self.payload.len) {
            let there = self.payload.len.saturating_sub(at);
            return Err(malformed(at, format!("{length} bytes wanted, {there} are there")));
        }
        let too_large = || malformed(at, format!("{length} bytes do not fit into memory"));
        into.resize(usize::try_from(length).map_err(|_| too_large())?, 0);
        let start = self.payload.offset.checked_add(at).ok_or_else(too_large)?;
        Ok(self.source.read_at(start, into)?)
    }

    /// Returns the first bytes, fewer than `length` if the payload is shorter.
    pub(crate) fn head(&self, length: u64) -> Result<Vec<u8>, Damage> {
        self.bytes(0, length.min(self.payload.len))
    }
}
