//! RIFF chunks of a WAV file.

use std::ops::Range;

/// Returns where the audio of a WAV file begins.
pub(super) fn data_offset(file: &[u8]) -> usize {
    riff_chunk(file, *b"data").map_or(file.len(), |chunk| chunk.start)
}

/// Returns where the first RIFF chunk of an identifier lies in a WAV file, as far as its bytes are there.
pub(super) fn riff_chunk(file: &[u8], wanted: [u8; 4]) -> Option<Range<usize>> {
    let mut at = 12_usize;
    while let Some((id, size)) =
        file.get(at..at.saturating_add(8)).and_then(|head| head.split_first_chunk::<4>())
    {
        let size = size.first_chunk().map_or(0, |size| u32::from_le_bytes(*size)) as usize;
        let begin = at.saturating_add(8);
        let end = begin.saturating_add(size);
        if *id == wanted {
            return Some(begin..end.min(file.len()));
        }
        at = end.saturating_add(size % 2);
    }
    None
}

/// Returns what comes before samples in a RIFF file, as the engine writes it.
///
/// Source: *packages-ue4-ue6*, §11.1: 46 bytes, measured.
pub(super) fn riff(channels: u16, rate: u32, bytes: usize) -> Vec<u8> {
    const PCM: u16 = 1;
    const FORMAT: u32 = 18;
    let size = u32::try_from(bytes).unwrap_or(u32::MAX);
    let frame = channels * 2;
    let mut header = Vec::with_capacity(46);
    header.extend(b"RIFF");
    header.extend(size.saturating_add(4 + 8 + FORMAT + 8).to_le_bytes());
    header.extend(b"WAVEfmt ");
    header.extend(FORMAT.to_le_bytes());
    header.extend(PCM.to_le_bytes());
    header.extend(channels.to_le_bytes());
    header.extend(rate.to_le_bytes());
    header.extend((rate * u32::from(frame)).to_le_bytes());
    header.extend(frame.to_le_bytes());
    header.extend(16_u16.to_le_bytes());
    // Nothing more is said of the format.
    header.extend(0_u16.to_le_bytes());
    header.extend(b"data");
    header.extend(size.to_le_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_begins_after_chunks_of_even_and_odd_sizes() {
        let file = |chunks: &[(&[u8; 4], u32, usize)]| {
            let mut bytes = b"RIFF\0\0\0\0WAVE".to_vec();
            for (id, size, stored) in chunks {
                bytes.extend(*id);
                bytes.extend(size.to_le_bytes());
                bytes.extend(vec![0; *stored]);
            }
            bytes
        };
        assert_eq!(data_offset(&file(&[(b"data", 4, 4)])), 20);
        assert_eq!(data_offset(&file(&[(b"fmt ", 16, 16), (b"data", 4, 4)])), 44);
        assert_eq!(data_offset(&file(&[(b"note", 3, 4), (b"data", 4, 4)])), 32);
        let without = file(&[(b"fmt ", 16, 16)]);
        assert_eq!(data_offset(&without), without.len());
        assert_eq!(data_offset(&file(&[(b"fmt ", u32::MAX, 16)])), 36);
    }
}
