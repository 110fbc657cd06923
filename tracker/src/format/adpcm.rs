//! The 4-bit ADPCM of `ModPlug` Tracker: a table of 16 steps, then a nibble a frame, the low one of a byte first.
//!
//! Source: *OpenMPT* and *libxmp*, which agree; checked against both by files written here.

use std::fmt;

use super::file::ModuleReader;
use super::pcm::StoredFrames;
use crate::Error;

/// Bytes of the table.
const TABLE: usize = 16;

/// Returns the number of bytes that so many frames take.
pub(super) const fn bytes(frames: usize) -> usize {
    frames.div_ceil(2).saturating_add(TABLE)
}

/// Decodes so many frames from an offset on; if the file has fewer, those, and says so.
pub(super) fn decode(
    file: &mut ModuleReader<'_>,
    at: usize,
    frames: usize,
    who: fmt::Arguments<'_>,
) -> Result<Option<StoredFrames>, Error> {
    if !file.has_frames() {
        return Ok(None);
    }
    let stored = file.from(at);
    let (table, codes) = stored.split_first_chunk::<TABLE>().unwrap_or((&[0; TABLE], &[]));
    let there = frames.min(codes.len().saturating_mul(2));
    if there < frames {
        file.repair(at, who, format_args!("ends with the file: {there} of {frames} frames"));
    }
    file.pay_frames(there)?;
    let mut running = 0_u8;
    let nibbles = codes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    let values = nibbles.take(there).map(|nibble| {
        running = running.wrapping_add(table.get(usize::from(nibble)).copied().unwrap_or(0));
        i8::from_le_bytes([running])
    });
    Ok(StoredFrames::of_i8(vec![values.collect()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModuleBudget;

    #[test]
    fn each_nibble_adds_a_step_of_the_table() {
        let mut stored = vec![0_u8; TABLE];
        (stored[1], stored[2], stored[15]) = (1, 100, 0xFE);
        stored.extend([0x21, 0xF2]);
        let mut file = ModuleReader::new(&stored, ModuleBudget::default());
        let frames = decode(&mut file, 0, 4, format_args!("sample 1")).unwrap();
        assert_eq!(frames, StoredFrames::of_i8(vec![vec![1, 101, -55, -57]]));
        let shorter = decode(&mut file, 0, 9, format_args!("sample 1")).unwrap();
        assert_eq!(shorter, frames);
        assert_eq!(file.into_repairs().len(), 1, "only the second claims too much");
        assert_eq!((bytes(4), bytes(5)), (18, 19));
    }
}
