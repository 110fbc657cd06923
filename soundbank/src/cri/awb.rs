//! AFS2: the stored waves of a cue sheet, inside of it or in an `.awb` beside it.
//!
//! ```text
//! AFS2, version, widths, count, alignment, subkey │ ids │ count + 1 offsets │ waves, each from a multiple on
//! ```
//!
//! Little-endian. A wave ends where the next begins, with the bytes before the alignment of that.

use std::collections::HashMap;
use std::ops::Range;

use unreal::{Limits, Source};

use crate::reader::{Reader, read_region, take};
use crate::{Error, ErrorKind};

/// The first bytes of an archive.
pub(super) const MAGIC: [u8; 4] = *b"AFS2";
/// Bytes before the ids.
const HEAD: u64 = 16;
/// Cost of a wave in memory.
const WAVE_COST: u64 = 48;

/// An archive of waves.
#[derive(Debug, Default)]
pub(super) struct Awb {
    /// Ids of the waves and where they lie in the file, as stored.
    pub(super) waves: Vec<(u32, Range<u64>)>,
    /// Indices of the waves by their ids; of several with one id, the first.
    by_id: HashMap<u32, usize>,
    /// What the key of encrypted waves is multiplied with; 0 for none.
    pub(super) subkey: u16,
}

impl Awb {
    /// Reads the tables of an archive that lies in a region of a file.
    ///
    /// # Errors
    /// If it is none, contradicts itself, or takes more memory than allowed.
    pub(super) fn read(
        source: &dyn Source,
        Range { start: at, end }: Range<u64>,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        const WHAT: &str = "AFS2";
        let room = end.saturating_sub(at);
        let head = read_region(source, at, HEAD.min(room), WHAT, limits)?;
        let mut reader = Reader::new(&head, at, WHAT);
        if reader.bytes(MAGIC.len())? != MAGIC {
            return Err(Error::new(ErrorKind::NotThisFormat("no archive of CRI"), at, WHAT));
        }
        reader.skip(1)?;
        let offset_bytes = usize::from(reader.u8()?);
        let id_bytes = usize::from(reader.u16()?);
        let count = u64::from(reader.u32()?);
        let alignment = u64::from(reader.u16()?).max(1);
        let subkey = reader.u16()?;
        for width in [offset_bytes, id_bytes] {
            if !matches!(width, 2 | 4 | 8) {
                let text = format!("has numbers of {width} bytes");
                return Err(Error::new(ErrorKind::Unsupported(text), at, WHAT));
            }
        }
        let entry = id_bytes.saturating_add(offset_bytes) as u64;
        let left = room.saturating_sub(HEAD).saturating_sub(offset_bytes as u64);
        let fit = left.checked_div(entry).unwrap_or_default();
        if count > fit {
            return Err(Error::new(ErrorKind::TooMany { count, fit }, at, WHAT));
        }
        take(limits, count.saturating_mul(WAVE_COST), at, WHAT)?;
        let tables = count.saturating_mul(entry).saturating_add(offset_bytes as u64);
        let tables_at = at.saturating_add(HEAD);
        let bytes = read_region(source, tables_at, tables, WHAT, limits)?;
        let mut reader = Reader::new(&bytes, tables_at, WHAT);
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(number(&mut reader, id_bytes)?);
        }
        let mut archive = Self { subkey, ..Self::default() };
        let mut start = number(&mut reader, offset_bytes)?;
        for id in ids {
            let next = number(&mut reader, offset_bytes)?;
            // The last offset is the length of an archive, of which less may be there.
            let first = start.checked_next_multiple_of(alignment).unwrap_or(u64::MAX).min(room);
            let last = next.min(room).max(first);
            let id = u32::try_from(id).unwrap_or(u32::MAX);
            archive.by_id.entry(id).or_insert(archive.waves.len());
            archive.waves.push((id, at.saturating_add(first)..at.saturating_add(last)));
            start = next;
        }
        Ok(archive)
    }

    /// Returns where a wave lies in the file.
    pub(super) fn get(&self, id: u32) -> Option<Range<u64>> {
        self.by_id.get(&id).and_then(|index| self.waves.get(*index)).map(|(_, place)| place.clone())
    }
}

/// Returns the key of the waves of an archive.
///
/// Source: *sound-banks*, §7.4.
pub(super) fn key_with(key: u64, subkey: u16) -> u64 {
    if subkey == 0 {
        return key;
    }
    let low = (!subkey).wrapping_add(2);
    key.wrapping_mul((u64::from(subkey) << 16) | u64::from(low))
}

/// Reads a number of 2, 4 or 8 bytes.
fn number(reader: &mut Reader<'_>, width: usize) -> Result<u64, Error> {
    match width {
        2 => reader.u16().map(u64::from),
        4 => reader.u32().map(u64::from),
        _ => reader.u64(),
    }
}
