//! Recognises a file with 15 samples: it has no tag, so everything in it must make sense.

use super::ROWS;

/// Bytes before the patterns.
pub(super) const HEADER: usize = 600;
/// Bytes of a pattern of four channels.
const PATTERN: usize = ROWS * 16;
/// Header and first pattern.
pub(crate) const PROBED: usize = HEADER + PATTERN;

const SAMPLES: usize = 15;
/// Orders of the first trackers.
const MAX_PATTERNS: u8 = 64;
/// The longest sample that those trackers load, in words.
const MAX_LENGTH: u16 = 0x8000;
/// Periods from the lowest note to the highest, with room for slides of converters.
const PERIODS: std::ops::RangeInclusive<u16> = 56..=1712;

/// Returns whether this is a file with 15 samples, by its first bytes and its length.
///
/// A rule of our own, stricter than those of players: text without control characters, volumes to 64, loops inside
/// their samples, orders that the file has room for, at least one sample that is there, and a first pattern whose
/// every cell has a period of the table and a sample of the 15.
pub(crate) fn is_plausible(head: &[u8], length: u64) -> bool {
    let Some((header, rest)) = head.split_first_chunk::<HEADER>() else { return false };
    let Some(pattern) = rest.get(..PATTERN) else { return false };
    let (title, rest) = header.split_at(20);
    let (samples, rest) = rest.split_at(SAMPLES * 30);
    let [played, _restart, orders @ ..] = rest else { return false };
    let (samples, _) = samples.as_chunks::<30>();
    let recorded: u64 = samples.iter().map(|[.., high, low, _, _, _, _, _, _]| words(*high, *low)).sum();
    let highest = orders.iter().copied().max().unwrap_or(0);
    let patterns = u64::from(highest).saturating_add(1).saturating_mul(PATTERN_BYTES);
    let needed = patterns.saturating_add(600);
    is_text(title)
        && samples.iter().all(is_sample)
        && (1..=128).contains(played)
        && highest < MAX_PATTERNS
        && recorded > 0
        && length > needed
        // Some files lack the end of the last sample, few have something after it.
        && length <= needed.saturating_add(recorded.saturating_mul(2)).saturating_add(1024)
        && is_pattern(pattern)
}

const PATTERN_BYTES: u64 = 1024;

fn words(high: u8, low: u8) -> u64 {
    u64::from(u16::from_be_bytes([high, low]))
}

/// Returns the printable characters of the Amiga, up to the zeros at the end.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, 0 | 0x20..=0x7E | 0xA0..=0xFF))
}

fn is_sample(header: &[u8; 30]) -> bool {
    let (name, rest) = header.split_at(22);
    let &[length_high, length_low, finetune, volume, start_high, start_low, loop_high, loop_low] = rest
    else {
        return false;
    };
    let length = u16::from_be_bytes([length_high, length_low]);
    let start = u16::from_be_bytes([start_high, start_low]);
    let looped = u16::from_be_bytes([loop_high, loop_low]);
    // The start is in bytes in some files.
    let loop_fits = looped <= 1 || (start >> 1).saturating_add(looped) <= length.saturating_add(1);
    is_text(name) && finetune == 0 && volume <= 64 && length <= MAX_LENGTH && loop_fits
}

fn is_pattern(stored: &[u8]) -> bool {
    let (cells, _) = stored.as_chunks::<4>();
    let period = |[high, low, ..]: &[u8; 4]| u16::from_be_bytes([high & 0x0F, *low]);
    let fits = |cell: &[u8; 4]| {
        let period = period(cell);
        cell[0] >> 4 == 0 && (period == 0 || PERIODS.contains(&period))
    };
    cells.iter().all(fits) && cells.iter().any(|cell| period(cell) != 0)
}
