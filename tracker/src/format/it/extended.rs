//! What `ModPlug` Tracker and its kin write beside what the format has: names before the instruments, properties after
//! the last sample. All of it is skipped, but how many channels there are.
//!
//! ```text
//! before  "PNAM" length names of patterns │ "CNAM" length names of channels, 20 bytes each
//! after  "XTPM" properties of instruments: code size, size bytes of each instrument …
//!         "STPM" properties of the song: code size bytes …
//! ```
//!
//! Source: files of public test suites, with these numbers changed; held against what openmpt123 reports of them.

use super::header::ItPointers;
use super::{ItModule, pattern, sample};
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;

const PATTERN_NAMES: &[u8; 4] = b"PNAM";
const CHANNEL_NAMES: &[u8; 4] = b"CNAM";
/// Bytes of a channel's name.
const NAME: usize = 20;

const OF_INSTRUMENTS: &[u8; 4] = b"XTPM";
const OF_SONG: &[u8; 4] = b"STPM";
/// Read backwards, as all codes are.
const CHANNEL_COUNT: &[u8; 4] = b"...C";

/// Returns how many channels have names, by the chunks after the macros.
pub(super) fn named_channels(mut cursor: Cursor<'_>) -> usize {
    let mut chunk = |wanted: &[u8; 4]| {
        let mut ahead = cursor.clone();
        let name = ahead.array::<4>().ok()?;
        let length = usize::try_from(ahead.u32().ok()?).ok()?;
        (name == *wanted).then(|| {
            let bytes = ahead.most(length);
            cursor = ahead;
            bytes
        })
    };
    let _names = chunk(PATTERN_NAMES);
    chunk(CHANNEL_NAMES).map_or(0, |names| names.len() / NAME)
}

/// Returns how many channels the properties say there are; they begin where the last of samples, frames and patterns
/// ends.
pub(super) fn claimed_channels(file: &ModuleReader<'_>, pointers: &ItPointers, module: &ItModule) -> usize {
    let headers = pointers.samples.iter().map(|at| sample::end_of_header(*at));
    let frames = module.samples.iter().map(|sample| sample.end(file));
    let patterns = pointers.patterns.iter().map(|at| pattern::end(file, *at));
    let end = headers.chain(frames).chain(patterns).max().unwrap_or(0);
    count(file.cursor(end, "properties"), module.instruments.len()).map_or(0, usize::from)
}

/// None if there are no properties, or none of them says.
fn count(mut cursor: Cursor<'_>, instruments: usize) -> Option<u16> {
    let mut code = cursor.array::<4>().ok()?;
    if code == *OF_INSTRUMENTS {
        code = cursor.array().ok()?;
        while code != *OF_SONG {
            let size = usize::from(cursor.u16().ok()?);
            cursor.bytes(size.saturating_mul(instruments)).ok()?;
            code = cursor.array().ok()?;
        }
    }
    if code != *OF_SONG {
        return None;
    }
    loop {
        code = cursor.array().ok()?;
        let size = usize::from(cursor.u16().ok()?);
        let bytes = cursor.bytes(size).ok()?;
        if code == *CHANNEL_COUNT {
            return bytes.first_chunk().map(|count| u16::from_le_bytes(*count));
        }
    }
}
