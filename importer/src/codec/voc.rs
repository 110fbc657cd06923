//! Creative Voice File: a header, then blocks of sound, silence and repeats.
//!
//! ```text
//! header:  Creative Voice File 1A │ size u16 │ version u16 │ check u16
//! block:   kind u8 │ size u24 │ body        0 ends the file and has no size
//! ```
//!
//! Blocks with sound make one recording, one after another; silence is as long at its own rate. What lies between the
//! two blocks of a repeat is a loop.
//!
//! Source: Creative Labs, *Sound Blaster Series Hardware Programming Guide* and *Creative Voice File Format*.

use std::num::NonZeroU32;

use dasp_sample::Sample as _;
use song::{Frames, Hz, LoopCount, LoopMode, LoopRange, Recording, Width};

use super::g711::Law;
use super::plane_builder::PlaneBuilder;
use super::{CodecParams, Described};
use crate::budget::DecodeBudget;
use crate::error::malformed;
use crate::payload_reader::PayloadReader;
use crate::{Audio, Codec, Damage, Error};
use crate::{ChannelLimit, UnsupportedReason, VoiceFileReason};

/// The parts of the recording in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VocParams {
    parts: Vec<VocPart>,
    channels: u16,
    pub(super) width: Width,
    pub(super) frames: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VocPart {
    /// How values are stored, and where; silence is not stored.
    stored: Option<(VocCoding, u64)>,
    frames: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VocCoding {
    U8,
    S16,
    Companded(Law),
}

/// More blocks than any file has.
const MAX_BLOCKS: usize = 1 << 16;
/// The most frames of silence, which takes no room in a file but in memory: 12 minutes at 22 kHz.
const MAX_SILENCE: u64 = 1 << 24;
const HEADER_SIZE_AT: u64 = 20;
/// A repeat of this many times never ends.
const ENDLESS: u32 = 0xFFFF;

/// What a block says of the values in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VocSound {
    rate: Hz,
    channels: u16,
    bits: u16,
    coding: u16,
}

/// What was found up to a block.
#[derive(Default)]
struct VocScan {
    sound: Option<VocSound>,
    parts: Vec<VocPart>,
    frames: u64,
    /// Of these, frames of silence.
    silence: u64,
    loops: Vec<(u64, u64, u32)>,
    /// Where a repeat began, and how often it plays.
    repeat: Option<(u64, u32)>,
    /// What an extended block said of the next one.
    extended: Option<(u32, u16)>,
    repairs: Vec<String>,
}

pub(super) fn describe(reader: &PayloadReader<'_>) -> Result<Described, Damage> {
    let mut found = VocScan::default();
    let outcome = blocks(reader, &mut found)?;
    let Some(sound) = found.sound else {
        let reason = outcome.err().unwrap_or(UnsupportedReason::VoiceFile(VoiceFileReason::Silent));
        return Ok(Described::unknown(reason));
    };
    let length = Frames::new(found.frames);
    let loops = found.loops.iter().filter_map(|(start, end, times)| {
        let plays = match *times {
            ENDLESS => LoopCount::Forever,
            times => NonZeroU32::new(times.saturating_add(1)).map_or(LoopCount::Forever, LoopCount::Times),
        };
        LoopRange::new(Frames::new(*start), Frames::new(*end), length, LoopMode::Forward, plays).ok()
    });
    let audio = Audio {
        codec: sound.codec(),
        rate: sound.rate,
        channels: sound.channels,
        bits: Some(sound.bits),
        frames: outcome.is_ok().then_some(found.frames),
        loops: loops.collect(),
    };
    let width = if sound.bits == 8 && sound.coding == 0 { Width::Eight } else { Width::Sixteen };
    let params = VocParams { parts: found.parts, channels: sound.channels, width, frames: found.frames };
    let coding = outcome.map(|()| CodecParams::Voc(params));
    Ok(Described { audio: Some(audio), coding, tuning: None, repairs: found.repairs, notes: Vec::new() })
}

/// Goes through all blocks; the inner error says why they make no recording that is decoded.
fn blocks(reader: &PayloadReader<'_>, found: &mut VocScan) -> Result<Result<(), UnsupportedReason>, Damage> {
    let size = reader.bytes(HEADER_SIZE_AT, 2)?;
    let mut at = size.first_chunk().map_or(0, |size| u64::from(u16::from_le_bytes(*size)));
    for number in 0.. {
        if number == MAX_BLOCKS {
            return Err(malformed(at, format!("more than {MAX_BLOCKS} blocks")));
        }
        let there = reader.length().saturating_sub(at);
        let head = reader.bytes(at.min(reader.length()), there.min(4))?;
        let &[kind, a, b, c] = head.as_slice() else { break };
        if kind == 0 {
            break;
        }
        let body = at.saturating_add(4);
        let claimed = u64::from(u32::from_le_bytes([a, b, c, 0]));
        let left = reader.length().saturating_sub(body);
        if claimed > left {
            found.repairs.push(format!("a block at {at:#x} claims {claimed} bytes, {left} are there"));
        }
        let length = claimed.min(left);
        let fields = reader.bytes(body, length.min(12))?;
        if let Err(reason) = found.block(kind, &fields, body, length) {
            return Ok(Err(reason));
        }
        at = body.saturating_add(length);
    }
    Ok(Ok(()))
}

impl VocScan {
    fn block(&mut self, kind: u8, fields: &[u8], body: u64, length: u64) -> Result<(), UnsupportedReason> {
        match (kind, fields) {
            (1, [divisor, coding, ..]) => {
                let extended = self.extended.take();
                let (rate, channels) = match extended {
                    Some((rate, channels)) => (Some(rate), channels),
                    None => (rate_of(*divisor), 1),
                };
                let bits = if *coding == 4 { 16 } else { 8 };
                let sound = VocSound::new(rate, channels, bits, u16::from(*coding))?;
                self.sound(sound, body.saturating_add(2), length.saturating_sub(2))
            }
            (2, _) => match self.sound {
                Some(sound) => self.sound(sound, body, length),
                None => Err(UnsupportedReason::VoiceFile(VoiceFileReason::NoSound)),
            },
            (3, [low, high, divisor, ..]) => {
                let own = u64::from(u16::from_le_bytes([*low, *high])).saturating_add(1);
                let rate = self.sound.map(|sound| u64::from(sound.rate.get()));
                let frames = match (rate, rate_of(*divisor)) {
                    (Some(rate), Some(other)) => {
                        own.saturating_mul(rate).checked_div(other.into()).unwrap_or(own)
                    }
                    _ => own,
                };
                self.silence = self.silence.saturating_add(frames);
                if self.silence > MAX_SILENCE {
                    return Err(UnsupportedReason::VoiceFile(VoiceFileReason::LongSilence(MAX_SILENCE)));
                }
                self.part(None, frames);
                Ok(())
            }
            (6, [low, high, ..]) => {
                self.repeat = Some((self.frames, u16::from_le_bytes([*low, *high]).into()));
                Ok(())
            }
            (7, _) => {
                let begun = self.repeat.take().filter(|(start, _)| *start < self.frames);
                self.loops.extend(begun.map(|(start, times)| (start, self.frames, times)));
                Ok(())
            }
            (8, [low, high, _, mode, ..]) => {
                let channels = u16::from(*mode).saturating_add(1);
                let divisor = 65_536_u32.saturating_sub(u16::from_le_bytes([*low, *high]).into());
                let rate = 256_000_000_u32.checked_div(divisor.saturating_mul(channels.into()));
                self.extended = Some((rate.unwrap_or_default(), channels));
                Ok(())
            }
            (9, [r0, r1, r2, r3, bits, channels, c0, c1, ..]) => {
                let rate = u32::from_le_bytes([*r0, *r1, *r2, *r3]);
                let coding = u16::from_le_bytes([*c0, *c1]);
                let sound = VocSound::new(Some(rate), (*channels).into(), (*bits).into(), coding)?;
                self.sound(sound, body.saturating_add(12), length.saturating_sub(12))
            }
            // Markers, text, and blocks that are cut off.
            _ => Ok(()),
        }
    }

    fn sound(&mut self, sound: VocSound, at: u64, length: u64) -> Result<(), UnsupportedReason> {
        let first = *self.sound.get_or_insert(sound);
        let values = sound.values()?;
        if (first.rate, first.channels) != (sound.rate, sound.channels) {
            return Err(UnsupportedReason::VoiceFile(VoiceFileReason::Mixed));
        }
        let value_bytes = if values == VocCoding::S16 { 2 } else { 1 };
        let frame = u64::from(sound.channels).saturating_mul(value_bytes);
        self.part(Some((values, at)), length.checked_div(frame).unwrap_or_default());
        Ok(())
    }

    fn part(&mut self, stored: Option<(VocCoding, u64)>, frames: u64) {
        self.frames = self.frames.saturating_add(frames);
        self.parts.push(VocPart { stored, frames });
    }
}

/// Of the blocks of one byte per rate.
fn rate_of(divisor: u8) -> Option<u32> {
    1_000_000_u32.checked_div(256_u32.saturating_sub(divisor.into()))
}

const fn not_decoded(coding: String) -> UnsupportedReason {
    UnsupportedReason::VoiceFile(VoiceFileReason::Coding(coding))
}

impl VocSound {
    fn new(rate: Option<u32>, channels: u16, bits: u16, coding: u16) -> Result<Self, UnsupportedReason> {
        let rate = rate
            .and_then(|rate| Hz::new(rate).ok())
            .ok_or(UnsupportedReason::VoiceFile(VoiceFileReason::NoRate))?;
        if !matches!(channels, 1 | 2) {
            return Err(UnsupportedReason::Channels(ChannelLimit::MonoAndStereo(channels)));
        }
        Ok(Self { rate, channels, bits, coding })
    }

    /// Returns how values are stored.
    fn values(&self) -> Result<VocCoding, UnsupportedReason> {
        match (self.coding, self.bits) {
            (0, 8) => Ok(VocCoding::U8),
            (4, 16) => Ok(VocCoding::S16),
            (6, _) => Ok(VocCoding::Companded(Law::A)),
            (7, _) => Ok(VocCoding::Companded(Law::Mu)),
            (1, _) => Err(not_decoded("Creative ADPCM of 4 bits".to_owned())),
            (2, _) => Err(not_decoded("Creative ADPCM of 2.6 bits".to_owned())),
            (3, _) => Err(not_decoded("Creative ADPCM of 2 bits".to_owned())),
            (0x200, _) => Err(not_decoded("Creative ADPCM of 4 bits for 16".to_owned())),
            (coding, bits) => Err(not_decoded(format!("VOC coding {coding:#x} of {bits} bits"))),
        }
    }

    const fn codec(&self) -> Codec {
        match self.coding {
            0 => Codec::PcmU8,
            4 => Codec::PcmS16,
            6 => Codec::ALaw,
            7 => Codec::MuLaw,
            _ => Codec::AdpcmCreative,
        }
    }
}

impl VocParams {
    pub(super) fn decode(
        &self,
        reader: &PayloadReader<'_>,
        budget: &mut DecodeBudget,
    ) -> Result<Recording, Error> {
        let mut planes = PlaneBuilder::new(usize::from(self.channels), Some(self.frames), budget);
        for part in &self.parts {
            match part.stored {
                None => {
                    let frames = usize::try_from(part.frames).unwrap_or(usize::MAX);
                    planes.make_room(frames)?;
                    for plane in planes.planes() {
                        plane.resize(plane.len().saturating_add(frames), 0);
                    }
                }
                Some((VocCoding::U8, at)) => {
                    self.values(reader, &mut planes, part.frames, at, |[byte]: [u8; 1]| byte.to_sample())?;
                }
                Some((VocCoding::S16, at)) => {
                    self.values(reader, &mut planes, part.frames, at, i16::from_le_bytes)?;
                }
                Some((VocCoding::Companded(law), at)) => {
                    self.values(reader, &mut planes, part.frames, at, |[byte]: [u8; 1]| law.value(byte))?;
                }
            }
        }
        planes.finish(0).map(Recording::I16)
    }

    fn values<const BYTES: usize>(
        &self,
        reader: &PayloadReader<'_>,
        planes: &mut PlaneBuilder<'_, i16>,
        frames: u64,
        at: u64,
        value: impl Fn([u8; BYTES]) -> i16,
    ) -> Result<(), Error> {
        const BLOCK: u64 = 1 << 14;
        let frame = u64::from(self.channels).saturating_mul(u64::try_from(BYTES).unwrap_or(1));
        let mut done: u64 = 0;
        while done < frames {
            let block = BLOCK.min(frames.saturating_sub(done));
            let at = at.saturating_add(done.saturating_mul(frame));
            let bytes = reader.bytes(at, block.saturating_mul(frame))?;
            planes.make_room(usize::try_from(block).unwrap_or(usize::MAX))?;
            let (values, _) = bytes.as_chunks::<BYTES>();
            for values in values.chunks_exact(usize::from(self.channels)) {
                for (plane, bytes) in planes.planes().iter_mut().zip(values) {
                    plane.push(value(*bytes));
                }
            }
            done = done.saturating_add(block);
        }
        Ok(())
    }
}
