use std::sync::{Mutex, PoisonError};

use unreal::Source;
use unreal::ue1to3::bulk::Payload;

use crate::Damage;
use crate::budget::{WorkBudget, most_inflated};
use crate::error::malformed;

/// What each look costs at least.
const PER_LOOK: u64 = 16;

/// By how much inflated bytes are cheaper than others: they are not looked at.
const INFLATED_DISCOUNT: u64 = 2;

/// Fetches bytes of a source: a few at a time from a window of it, so that many looks are few reads.
struct Fetcher<'s> {
    source: &'s dyn Source,
    /// Where the payload ends; nothing after it is fetched.
    end: u64,
    work: &'s WorkBudget,
    window: Mutex<Window>,
}

#[derive(Default)]
struct Window {
    at: u64,
    bytes: Vec<u8>,
}

/// Bytes of a window.
const WINDOW: u64 = 4096;

impl Fetcher<'_> {
    fn read(&self, at: u64, into: &mut [u8]) -> Result<(), Damage> {
        let length = u64::try_from(into.len()).unwrap_or(u64::MAX);
        self.work.take(length.max(PER_LOOK))?;
        if length > WINDOW / 4 {
            return Ok(self.source.read_at(at, into)?);
        }
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = window.get(at, into.len()) {
            into.copy_from_slice(bytes);
            return Ok(());
        }
        let more = self.end.saturating_sub(at).min(WINDOW).min(self.source.read_ahead(at).max(length));
        self.work.take(more)?;
        window.at = at;
        window.bytes.resize(usize::try_from(more).unwrap_or_default(), 0);
        if self.source.read_at(at, &mut window.bytes).is_err() {
            // What comes after may be damaged.
            window.bytes.clear();
        }
        match window.get(at, into.len()) {
            Some(bytes) => into.copy_from_slice(bytes),
            None => self.source.read_at(at, into)?,
        }
        Ok(())
    }
}

impl Window {
    fn get(&self, at: u64, length: usize) -> Option<&[u8]> {
        let from = usize::try_from(at.checked_sub(self.at)?).ok()?;
        self.bytes.get(from..from.checked_add(length)?)
    }
}

/// The stored bytes of one sound, fetched piece by piece: what describes a sound need not load it.
/// Offsets count from the payload's first byte; nothing outside the payload can be reached.
#[derive(Clone, Copy)]
pub(crate) struct PayloadReader<'s> {
    fetcher: &'s Fetcher<'s>,
    offset: u64,
    length: u64,
}

impl<'s> PayloadReader<'s> {
    /// Looks at a payload. One that is compressed is inflated as far as it is looked at.
    ///
    /// # Errors
    /// Those of looking, and if what is compressed contradicts itself, or the budget is spent.
    pub(crate) fn open<T>(
        source: &dyn Source,
        payload: Payload,
        work: &WorkBudget,
        read: impl FnOnce(&PayloadReader<'_>) -> Result<T, Damage>,
    ) -> Result<T, Damage> {
        let most = work.left().saturating_mul(INFLATED_DISCOUNT).min(most_inflated(payload.len));
        let inflated = payload.inflated(source, most).map_err(std::io::Error::other)?;
        let Some(inflated) = inflated else {
            return Self::of_bytes(source, payload.offset, payload.len, work, read);
        };
        let result = Self::of_bytes(&inflated, 0, payload.uncompressed_len(), work, read);
        work.settle(inflated.inflated().div_ceil(INFLATED_DISCOUNT));
        result
    }

    fn of_bytes<T>(
        source: &dyn Source,
        offset: u64,
        length: u64,
        work: &WorkBudget,
        read: impl FnOnce(&PayloadReader<'_>) -> Result<T, Damage>,
    ) -> Result<T, Damage> {
        let fetcher = Fetcher { source, end: offset.saturating_add(length), work, window: Mutex::default() };
        read(&PayloadReader { fetcher: &fetcher, offset, length })
    }

    /// Returns a window on a part of this one; none if it does not lie inside.
    pub(crate) fn part(&self, at: u64, length: u64) -> Option<PayloadReader<'s>> {
        let is_inside = at.checked_add(length).is_some_and(|end| end <= self.length);
        let offset = self.offset.checked_add(at).filter(|_| is_inside)?;
        Some(Self { offset, length, ..*self })
    }

    pub(crate) const fn length(&self) -> u64 {
        self.length
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
        if at.checked_add(length).is_none_or(|end| end > self.length) {
            let there = self.length.saturating_sub(at);
            return Err(malformed(at, format!("{length} bytes wanted, {there} are there")));
        }
        let too_large = || malformed(at, format!("{length} bytes do not fit into memory"));
        into.resize(usize::try_from(length).map_err(|_| too_large())?, 0);
        let start = self.offset.checked_add(at).ok_or_else(too_large)?;
        self.fetcher.read(start, into)
    }

    /// Returns the first bytes, fewer than `length` if the payload is shorter.
    pub(crate) fn head(&self, length: u64) -> Result<Vec<u8>, Damage> {
        self.bytes(0, length.min(self.length))
    }
}
