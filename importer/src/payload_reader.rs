use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use unreal::Source;
use unreal::bulk::Payload;

use crate::Damage;
use crate::error::malformed;

/// The most bytes that a single compressed payload may become.
pub(crate) const MAX_INFLATED: u64 = 2 << 30;

/// Bytes of payloads that may still be looked at, for one file. Exports may share their bytes, and small ones may lie
/// in many places of a large one: so it is not the size of the file that bounds the work, but this.
#[derive(Debug)]
pub(crate) struct PayloadBudget(AtomicU64);

impl PayloadBudget {
    /// For every byte of a file: they are looked at to recognise, to describe and to decode them.
    const PER_BYTE: u64 = 8;
    /// For files however small.
    const LEAST: u64 = 64 << 20;
    /// What each look costs at least.
    const PER_LOOK: u64 = 16;
    /// By how much inflated bytes are cheaper than others: they are not looked at.
    const INFLATED_DISCOUNT: u64 = 2;

    /// For the payloads of a file of so many bytes.
    pub(crate) const fn of_file(length: u64) -> Self {
        Self(AtomicU64::new(Self::LEAST.saturating_add(length.saturating_mul(Self::PER_BYTE))))
    }

    /// Pays for bytes.
    ///
    /// # Errors
    /// [`Damage::OverLimit`] if fewer are left.
    fn take(&self, bytes: u64) -> Result<(), Damage> {
        let less = |left: u64| left.checked_sub(bytes);
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map(drop).map_err(|_| Damage::OverLimit)
    }

    /// Gives back: what was made of a payload pays for having looked at it.
    pub(crate) fn give_back(&self, bytes: u64) {
        let more = |left: u64| Some(left.saturating_add(bytes));
        // Never an error, as there is always more.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// Returns how many bytes may be inflated.
    fn inflatable(&self) -> u64 {
        self.0.load(Ordering::Relaxed).saturating_mul(Self::INFLATED_DISCOUNT).min(MAX_INFLATED)
    }

    fn take_inflated(&self, bytes: u64) {
        let less = |left: u64| Some(left.saturating_sub(bytes.div_ceil(Self::INFLATED_DISCOUNT)));
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Fetches bytes of a source: a few at a time from a window of it, so that many looks are few reads.
struct Fetcher<'s> {
    source: &'s dyn Source,
    /// Where the payload ends; nothing after it is fetched.
    end: u64,
    budget: &'s PayloadBudget,
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
        self.budget.take(length.max(PayloadBudget::PER_LOOK))?;
        if length > WINDOW / 4 {
            return Ok(self.source.read_at(at, into)?);
        }
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = window.get(at, into.len()) {
            into.copy_from_slice(bytes);
            return Ok(());
        }
        let more = self.end.saturating_sub(at).min(WINDOW);
        self.budget.take(more)?;
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
        budget: &PayloadBudget,
        read: impl FnOnce(&PayloadReader<'_>) -> Result<T, Damage>,
    ) -> Result<T, Damage> {
        let most = budget.inflatable();
        let inflated = payload.inflated(source, most).map_err(std::io::Error::other)?;
        let Some(inflated) = inflated else {
            return Self::of_bytes(source, payload.offset, payload.len, budget, read);
        };
        let result = Self::of_bytes(&inflated, 0, payload.uncompressed_len(), budget, read);
        budget.take_inflated(inflated.inflated());
        result
    }

    fn of_bytes<T>(
        source: &dyn Source,
        offset: u64,
        length: u64,
        budget: &PayloadBudget,
        read: impl FnOnce(&PayloadReader<'_>) -> Result<T, Damage>,
    ) -> Result<T, Damage> {
        let fetcher =
            Fetcher { source, end: offset.saturating_add(length), budget, window: Mutex::default() };
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
