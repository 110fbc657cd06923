//! Bink Audio 2 as Unreal Engine stores it.
//!
//! ```text
//! head │ sizes │ seek table │ 9999 │ size │ packet │ 9999 │ size │ packet │ …
//!
//! packet   two channels │ filled up to 32 bits │ two channels │ …
//! channel  two coefficients as floats │ a scale per band │ runs of integers ──► cosine transform
//! frame    ░ cross-faded with the end of the one before │ … │ ░ kept for the next
//! ```
//!
//! Source: *packages-ue4-ue6*, §11.4: one recording of 48 kHz measured, the rest described.

mod dct;

use song::{Hz, Recording};

use self::dct::Dct;
use super::mix::{Matrix, rounded};
use super::plane_builder::PlaneBuilder;
use super::seek_table;
use super::{CodecParams, Described};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, ChannelLimit, Codec, Damage, Error, UnsupportedReason};

/// Bytes of a head.
const HEAD: u64 = 28;

/// What stands before each packet.
const SYNC: u16 = 0x9999;

/// As many as the engine has speakers.
const MAX_CHANNELS: u16 = 8;

/// Where bands begin, in hertz.
const EDGES: [u32; 25] = [
    0, 100, 200, 300, 400, 510, 630, 770, 920, 1080, 1270, 1480, 1720, 2000, 2320, 2700, 3150, 3700, 4400,
    5300, 6400, 7700, 9500, 12_000, 15_500,
];

/// Eighths of the lengths of runs that are not 8 long.
const RUNS: [usize; 16] = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64];

/// A stream as its head describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BinkParams {
    rate: u32,
    channels: u16,
    /// Where the first packet lies, or a seek table before it.
    at: u64,
    pub(super) frames: u64,
}

/// Describes a stream from its head.
///
/// # Errors
/// If it is too short for one, or has no rate.
pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let head = reader.bytes(0, HEAD.min(reader.length()))?;
    let Some(head) = head.first_chunk::<28>() else {
        return Err(malformed(0, "a Bink head that ends early"));
    };
    let &[_, _, _, _, _, channels, _, _, r0, r1, r2, r3, f0, f1, f2, f3, .., e0, e1, _, _] = head;
    let rate = u32::from_le_bytes([r0, r1, r2, r3]);
    let frames = u32::from_le_bytes([f0, f1, f2, f3]).into();
    let entries = u64::from(u16::from_le_bytes([e0, e1]));
    let Ok(hz) = Hz::new(rate) else { return Err(malformed(8, "a Bink head without a rate")) };
    let channels = u16::from(channels);
    let (codec, bits, loops) = (Codec::Bink, None, Vec::new());
    let audio = Audio { codec, rate: hz, channels, bits, frames: Some(frames), loops };
    let coding = match channels {
        1..=MAX_CHANNELS => {
            let at = HEAD.saturating_add(entries.saturating_mul(2));
            Ok(CodecParams::Bink(BinkParams { rate, channels, at, frames }))
        }
        _ => {
            let limit = ChannelLimit::AtMost { codec: "Bink Audio", channels, most: MAX_CHANNELS };
            Err(UnsupportedReason::Channels(limit))
        }
    };
    Ok(Described { audio: Some(audio), coding, tuning: None, repairs: Vec::new(), notes: Vec::new() })
}

impl BinkParams {
    /// Decodes all packets.
    ///
    /// # Errors
    /// If a packet contradicts itself, or it takes more than is allowed.
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let channels = usize::from(self.channels);
        let mut frames = FrameDecoder::new(self.rate, channels);
        // In the order of the engine, which is that of the bits of a speaker mask.
        let matrix = (channels > 2).then(|| Matrix::of(self.channels, 0));
        let mut planes = PlaneBuilder::new(channels.min(2), Some(self.frames), budget);
        let (mut at, mut packet) = (self.at, Vec::new());
        let number = |reader: &PayloadReader<'_>, at| -> Result<u16, Damage> {
            let bytes = reader.bytes(at, 2)?;
            Ok(bytes.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes)))
        };
        while at < reader.length() && (planes.length() as u64) < self.frames {
            let table = seek_table::length(reader, at)?;
            if table > 0 {
                at = at.saturating_add(table);
                continue;
            }
            if number(reader, at)? != SYNC {
                return Err(malformed(at, "Bink: no packet begins where one has to").into());
            }
            let mut data_at = at.saturating_add(4);
            let mut size = number(reader, at.saturating_add(2))?;
            let mut most = usize::MAX;
            if size == u16::MAX {
                // The last one says how many frames of it count.
                size = number(reader, data_at)?;
                most = number(reader, data_at.saturating_add(2))?.into();
                data_at = data_at.saturating_add(4);
            }
            reader.read(data_at, size.into(), &mut packet)?;
            let new = frames.new;
            let decoded =
                frames.decode(&packet).ok_or_else(|| malformed(data_at, "Bink: a packet that ends early"))?;
            let left = usize::try_from(self.frames.saturating_sub(planes.length() as u64));
            let wanted = new.min(most).min(left.unwrap_or(usize::MAX));
            planes.make_room(wanted)?;
            match &matrix {
                Some(matrix) => {
                    for frame in 0..wanted {
                        let values =
                            decoded.iter().map(|plane| plane.get(frame).copied().unwrap_or_default());
                        for (plane, mixed) in planes.planes().iter_mut().zip(matrix.mix(values)) {
                            plane.push(rounded(mixed));
                        }
                    }
                }
                None => {
                    for (plane, values) in planes.planes().iter_mut().zip(decoded) {
                        plane.extend(values.iter().take(wanted).map(|value| rounded(*value)));
                    }
                }
            }
            at = data_at.saturating_add(size.into());
        }
        planes.finish(self.at).map(Recording::I16)
    }
}

/// Decodes the packets of one stream in order.
struct FrameDecoder {
    transform: Dct,
    /// The band of each coefficient.
    bands: Vec<usize>,
    band_count: usize,
    /// What every value is multiplied by.
    scale: f32,
    /// Frames that two packets have in common.
    overlap: usize,
    /// Frames that each packet adds.
    new: usize,
    /// The last values of each channel; none before the first packet.
    planes: Vec<Vec<f32>>,
    tails: Vec<Vec<f32>>,
    magnitudes: Vec<u32>,
}

impl FrameDecoder {
    fn new(rate: u32, channels: usize) -> Self {
        let length: usize = match rate {
            0..22_050 => 512,
            22_050..44_100 => 1024,
            _ => 2048,
        };
        let half_rate = rate.saturating_add(1).checked_div(2).unwrap_or(1).max(1);
        let starts: Vec<usize> = EDGES
            .into_iter()
            .filter(|edge| *edge < half_rate)
            .map(|edge| {
                let half_length = length as u64 / 2;
                let start = half_length.saturating_mul(edge.into()).checked_div(half_rate.into());
                usize::try_from(start.unwrap_or_default().max(1)).unwrap_or(usize::MAX).saturating_mul(2)
            })
            .collect();
        let bands =
            (0..length).map(|index| starts.partition_point(|start| *start <= index).saturating_sub(1));
        let overlap = length / 16;
        Self {
            transform: Dct::new(length),
            bands: bands.collect(),
            band_count: starts.len(),
            scale: 2.0 / (length as f32).sqrt(),
            overlap,
            new: length.saturating_sub(overlap),
            planes: vec![vec![0.0; length]; channels],
            tails: vec![Vec::new(); channels],
            magnitudes: Vec::new(),
        }
    }

    /// Decodes a packet; none if it ends early.
    fn decode(&mut self, packet: &[u8]) -> Option<&[Vec<f32>]> {
        let mut bits = Bits { bytes: packet, at: 0 };
        for pair in self.planes.chunks_mut(2) {
            bits.take(2)?;
            for plane in pair {
                coefficients(&mut bits, &self.bands, self.band_count, &mut self.magnitudes, plane)?;
            }
            bits.at = bits.at.next_multiple_of(32);
        }
        for (plane, tail) in self.planes.iter_mut().zip(&mut self.tails) {
            self.transform.process(plane);
            plane.iter_mut().for_each(|value| *value *= self.scale);
            let step = 1.0 / self.overlap as f32;
            for (number, (value, before)) in plane.iter_mut().zip(&*tail).enumerate() {
                *value = before + number as f32 * step * (*value - before);
            }
            tail.clear();
            tail.extend(plane.iter().skip(self.new));
        }
        Some(&self.planes)
    }
}

/// Reads the coefficients of a channel; none if there are not enough bits.
fn coefficients(
    bits: &mut Bits<'_>,
    bands: &[usize],
    band_count: usize,
    magnitudes: &mut Vec<u32>,
    plane: &mut [f32],
) -> Option<()> {
    let mut firsts = [bits.float()?, bits.float()?].into_iter();
    let mut scales = [0.0; EDGES.len()];
    for scale in scales.iter_mut().take(band_count) {
        *scale = 10_f32.powf(0.0664 * bits.take(7)?.min(95) as f32);
    }
    let mut values = plane.iter_mut().zip(bands);
    for (value, _) in values.by_ref().take(2) {
        *value = firsts.next()?;
    }
    while values.len() > 0 {
        let is_other = bits.take(1)? != 0;
        let run = if is_other { RUNS.get(bits.take(4)? as usize)?.saturating_mul(8) } else { 8 };
        let run = run.min(values.len());
        let width = bits.take(4)?;
        magnitudes.clear();
        for _ in 0..run {
            magnitudes.push(if width == 0 { 0 } else { bits.take(width)? });
        }
        for (magnitude, (value, band)) in magnitudes.iter().zip(values.by_ref()) {
            let is_negative = *magnitude != 0 && bits.take(1)? != 0;
            let scaled = *magnitude as f32 * scales.get(*band).copied().unwrap_or_default();
            *value = if is_negative { -scaled } else { scaled };
        }
    }
    Some(())
}

/// Bits of a packet, the lowest of each byte first.
struct Bits<'p> {
    bytes: &'p [u8],
    at: usize,
}

impl Bits<'_> {
    /// Returns at most 32 bits; none if there are fewer.
    fn take(&mut self, count: u32) -> Option<u32> {
        let end = self.at.checked_add(usize::try_from(count).ok()?)?;
        if end > self.bytes.len().checked_mul(8)? {
            return None;
        }
        // At most 32 bits, and seven before them.
        let mut window = [0; 8];
        let rest = self.bytes.get(self.at / 8..)?;
        window.iter_mut().zip(rest).for_each(|(into, byte)| *into = *byte);
        let mask = 1_u64.wrapping_shl(count).wrapping_sub(1);
        let value = u64::from_le_bytes(window) >> (self.at % 8) & mask;
        self.at = end;
        u32::try_from(value).ok()
    }

    /// Returns a number of 29 bits: exponent, mantissa, sign.
    fn float(&mut self) -> Option<f32> {
        let (exponent, mantissa, sign) = (self.take(5)?, self.take(23)?, self.take(1)?);
        let value = mantissa as f32 * (exponent as f32 - 23.0).exp2();
        Some(if sign == 0 { value } else { -value })
    }
}
