//! Frames of layer II at bit rates that the standard has not for so many channels: mono from 224 kbit/s on, stereo at
//! 32, 48, 56 and 80. Encoders write them, and MPEG 2 even allows them, but the decoder refuses them by their headers.
//! So a frame is rewritten in a way that it takes; its sound stays the same to the bit.
//!
//! ```text
//! frame:  header │ [checksum] │ coding of each subband and channel │ the rest, of subbands that are coded
//! ```
//!
//! Stereo gets a bit rate of which the same table of subbands is used, and zeros after. Mono gets a second channel of
//! which no subband is coded, and a rate at which frames are long enough.
//!
//! Source: ISO/IEC 11172-3 §2.4.2.3, §2.4.1.6 and tables B.2; 13818-3 §2.4.2.3.

use super::header::FrameHeader;

/// Returns whether the decoder refuses frames with such a header.
pub(super) const fn is_refused(header: &FrameHeader) -> bool {
    match (header.layer, header.channels, header.kbits) {
        (2, 1, kbits) => kbits >= 224,
        (2, _, 32 | 48 | 56 | 80) => true,
        _ => false,
    }
}

/// Returns why a refused frame cannot be rewritten: with a second channel it would be longer than any frame.
pub(super) fn unsupported_reason(header: &FrameHeader) -> Option<String> {
    let longest = FrameHeader::read(STEREO)?.bytes;
    let is_too_long = header.channels == 1 && header.bytes.saturating_add(SECOND_CHANNEL) > longest;
    let (kbits, rate) = (header.kbits, header.rate);
    (is_refused(header) && is_too_long)
        .then(|| format!("MPEG layer II of {kbits} kbit/s in mono at {rate} Hz is not decoded"))
}

/// Returns a frame of a stream with refused ones as the decoder takes it; none if it can stay as it is, or must. Once
/// one mono frame has a second channel all must have, as the decoder does not change between mono and stereo.
pub(super) fn accepted(header: &FrameHeader, frame: &[u8]) -> Option<Vec<u8>> {
    match header.channels {
        1 => with_second_channel(header, frame),
        _ if is_refused(header) => at_allowed_rate(header, frame),
        _ => None,
    }
}

/// Indices of bit rates: of MPEG 1, of which 64 and 96 kbit/s use the table of all below, and of MPEG 2, which has one
/// table for all.
const MPEG1_64: u8 = 4;
const MPEG1_96: u8 = 6;
const MPEG2_64: u8 = 8;
const MPEG2_96: u8 = 10;

fn at_allowed_rate(header: &FrameHeader, frame: &[u8]) -> Option<Vec<u8>> {
    let index = match (header.is_mpeg1, header.kbits) {
        (true, 80) => MPEG1_96,
        (true, _) => MPEG1_64,
        (false, 80) => MPEG2_96,
        (false, _) => MPEG2_64,
    };
    let mut rewritten = frame.to_vec();
    let third = rewritten.get_mut(2)?;
    *third = *third & 0x0F | index << 4;
    let length = FrameHeader::read(*rewritten.first_chunk()?)?.bytes;
    rewritten.resize(usize::try_from(length).ok()?, 0);
    Some(rewritten)
}

/// MPEG 1, layer II, no checksum; 384 kbit/s, 32,000 Hz; stereo. The longest frames, and the larger of the two tables
/// of high bit rates, which begins like the smaller one.
const STEREO: [u8; 4] = [0xFF, 0xFD, 0xE8, 0x00];

/// Bytes that the codings of the second channel take.
const SECOND_CHANNEL: u64 = 12;

/// Subbands, and the bits that give the coding of each, in groups; with the smaller table three subbands fewer.
const WIDTHS: [(usize, u32); 3] = [(11, 4), (12, 3), (7, 2)];
const FEWER: usize = 27;

fn with_second_channel(header: &FrameHeader, frame: &[u8]) -> Option<Vec<u8>> {
    let start = if header.has_checksum { 6 } else { 4 };
    let mut from = MsbBitReader { bytes: frame.get(start..)?, at: 0 };
    let mut stereo = MsbBitWriter { bytes: STEREO.to_vec(), free: 0 };
    let subbands = match (header.rate.get(), header.kbits) {
        // Of the tables of low bit rates none begins like the one that is used.
        (_, ..56) => return None,
        (48_000, _) | (_, ..=80) => FEWER,
        _ => usize::MAX,
    };
    let widths = WIDTHS.iter().flat_map(|(count, width)| std::iter::repeat_n(*width, *count));
    for (number, width) in widths.enumerate() {
        let coding = if number < subbands { from.read(width)? } else { 0 };
        stereo.write(coding, width);
        stereo.write(0, width);
    }
    while let Some(byte) = from.read(8) {
        stereo.write(byte, 8);
    }
    let left = from.left();
    let last = from.read(left).unwrap_or_default();
    stereo.write(last, left);
    let length = FrameHeader::read(STEREO)?.bytes;
    stereo.bytes.resize(usize::try_from(length).ok()?, 0);
    Some(stereo.bytes)
}

/// Reads bits, the high one of a byte first.
struct MsbBitReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl MsbBitReader<'_> {
    fn read(&mut self, width: u32) -> Option<u8> {
        let mut value = 0;
        let mut at = self.at;
        for _ in 0..width {
            let byte = self.bytes.get(at / 8)?;
            value = value << 1 | byte >> (7_usize.saturating_sub(at % 8)) & 1;
            at = at.saturating_add(1);
        }
        self.at = at;
        Some(value)
    }

    /// Bits that are left of less than a byte.
    fn left(&self) -> u32 {
        let left = self.bytes.len().saturating_mul(8).saturating_sub(self.at);
        u32::try_from(left).unwrap_or_default().min(7)
    }
}

/// Writes bits, the high one of a byte first.
struct MsbBitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are not written yet.
    free: u32,
}

impl MsbBitWriter {
    fn write(&mut self, value: u8, width: u32) {
        for bit in (0..width).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free = self.free.saturating_sub(1);
            if let Some(last) = self.bytes.last_mut() {
                *last |= (value >> bit & 1) << self.free;
            }
        }
    }
}
