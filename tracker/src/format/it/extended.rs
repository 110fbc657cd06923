//! What `ModPlug` Tracker and `OpenMPT` write beside what the format has: names before the instruments, properties
//! after the last sample. Of the names, only how many there are of channels is kept.
//!
//! ```text
//! before  "PNAM" length names of patterns │ "CNAM" length names of channels, 20 bytes each
//! ```
//!
//! Source: files of public test suites, with these numbers changed; held against what openmpt123 reports of them.

use super::header::ItPointers;
use super::{ItModule, pattern, sample};
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;
use crate::format::properties::{self, SongProperties};

const PATTERN_NAMES: &[u8; 4] = b"PNAM";
const CHANNEL_NAMES: &[u8; 4] = b"CNAM";
/// Bytes of a channel's name.
const NAME: usize = 20;

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

/// Returns the properties of the song; they begin where the last of samples, frames and patterns ends.
pub(super) fn properties(
    file: &ModuleReader<'_>,
    pointers: &ItPointers,
    module: &ItModule,
) -> SongProperties {
    let headers = pointers.samples.iter().map(|at| sample::end_of_header(*at));
    let frames = module.samples.iter().map(|sample| sample.end(file));
    let patterns = pointers.patterns.iter().map(|at| pattern::end(file, *at));
    let end = headers.chain(frames).chain(patterns).max().unwrap_or(0);
    properties::read(file.cursor(end, "properties"), module.instruments.len())
}
