use super::compressed;
use crate::Error;
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;
use crate::format::pcm::{Delta, StoredPcm};
use crate::format::{StoredFrames, adpcm, pcm};

/// 80 bytes, and the frames they point at. Lengths and positions are in frames, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Padded with zeros.
    pub file_name: [u8; 12],
    /// 0 to 64.
    pub global_volume: u8,
    /// Bits: 1 has frames, 2 16 bits wide, 4 stereo, 8 compressed, 16 loop, 32 sustain loop, 64 and 128 of which each
    /// is ping-pong.
    pub flags: u8,
    /// 0 to 64.
    pub volume: u8,
    /// Padded with zeros.
    pub name: [u8; 26],
    /// How values are stored, bits: 1 signed, 2 high end first, 4 differences (compressed: of the second order), 8
    /// differences of bytes; 255 for ADPCM.
    pub conversion: u8,
    /// 0 to 64, and 128 more if it is used.
    pub pan: u8,
    /// Frames that it claims.
    pub length: u32,
    /// First frame of the loop.
    pub loop_start: u32,
    /// First frame after it.
    pub loop_end: u32,
    /// Frames per second at the middle C.
    pub rate: u32,
    /// First frame of the sustain loop.
    pub sustain_start: u32,
    /// First frame after it.
    pub sustain_end: u32,
    /// Offset of the frames in the file, in bytes.
    pub offset: u32,
    /// 0 to 64.
    pub vibrato_speed: u8,
    /// 0 to 64.
    pub vibrato_depth: u8,
    /// How fast it comes.
    pub vibrato_rate: u8,
    /// 0 sine, 1 ramp down, 2 square, 3 random.
    pub vibrato_wave: u8,
    /// None if it has no frames, they are not in the file, or in a coding that is not decoded.
    pub frames: Option<StoredFrames>,
}

/// Bytes of a header.
const SIZE: usize = 80;

const HAS_FRAMES: u8 = 1;
const WIDE: u8 = 2;
const STEREO: u8 = 4;
const COMPRESSED: u8 = 8;

const SIGNED: u8 = 1;
const BIG_ENDIAN: u8 = 2;
const DIFFERENCES: u8 = 4;
const BYTE_DIFFERENCES: u8 = 8;
/// 12 bits, of a sampler.
const TX_WAVE: u8 = 16;
const ADPCM: u8 = 255;

/// Returns the offset at which the header at an offset ends; 0 if there is none.
pub(super) const fn end_of_header(at: usize) -> usize {
    if at == 0 { 0 } else { at.saturating_add(SIZE) }
}

pub(super) fn read(file: &mut ModuleReader<'_>, at: usize, number: usize) -> Result<Sample, Error> {
    let what = format_args!("sample {number}");
    let mut cursor = file.part(at, if at == 0 { 0 } else { SIZE }, "sample");
    if at == 0 {
        file.repair(at, what, "has no offset");
    } else if cursor.left() < SIZE {
        file.repair(at, what, format_args!("ends with the file: {} of {SIZE} bytes", cursor.left()));
    } else if cursor.clone().most(4) != b"IMPS" {
        file.repair(at, what, "does not begin with IMPS; taken for an empty one");
        cursor.most(SIZE);
    }
    let record = cursor.padded::<SIZE>();
    let mut cursor = Cursor::new(&record, at, "sample");
    let _tag = cursor.u32()?;
    let file_name = cursor.array()?;
    let [_zero, global_volume, flags, volume] = cursor.array()?;
    let name = cursor.array()?;
    let [conversion, pan] = cursor.array()?;
    let [length, loop_start, loop_end, rate] = [cursor.u32()?, cursor.u32()?, cursor.u32()?, cursor.u32()?];
    let [sustain_start, sustain_end, offset] = [cursor.u32()?, cursor.u32()?, cursor.u32()?];
    let [vibrato_speed, vibrato_depth, vibrato_rate, vibrato_wave] = cursor.array()?;
    let mut sample = Sample {
        file_name,
        global_volume,
        flags,
        volume,
        name,
        conversion,
        pan,
        length,
        loop_start,
        loop_end,
        rate,
        sustain_start,
        sustain_end,
        offset,
        vibrato_speed,
        vibrato_depth,
        vibrato_rate,
        vibrato_wave,
        frames: None,
    };
    sample.read_frames(file, number)?;
    Ok(sample)
}

impl Sample {
    const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn coding(&self) -> SampleCoding {
        let (wide, stereo) = (self.has(WIDE), self.has(STEREO));
        if self.has(COMPRESSED) {
            SampleCoding::Packed(compressed::CompressedParams {
                wide,
                stereo,
                twice: self.conversion & DIFFERENCES != 0,
            })
        } else if self.conversion == ADPCM {
            if wide || stereo {
                SampleCoding::Unknown("is ADPCM of 16 bits or two channels, which is not decoded")
            } else {
                SampleCoding::Adpcm
            }
        } else if self.conversion & TX_WAVE != 0 {
            SampleCoding::Unknown("is of 12 bits, which is not decoded")
        } else {
            SampleCoding::Plain(StoredPcm {
                wide,
                stereo,
                unsigned: self.conversion & SIGNED == 0,
                big_endian: self.conversion & BIG_ENDIAN != 0,
                delta: match self.conversion {
                    bits if bits & DIFFERENCES != 0 => Delta::Values,
                    bits if bits & BYTE_DIFFERENCES != 0 && wide => Delta::Bytes,
                    _ => Delta::None,
                },
            })
        }
    }

    fn read_frames(&mut self, file: &mut ModuleReader<'_>, number: usize) -> Result<(), Error> {
        let who = format_args!("sample {number}");
        let (at, frames) = (to_usize(self.offset), to_usize(self.length));
        if !self.has(HAS_FRAMES) || frames == 0 {
            return Ok(());
        }
        if at == 0 {
            file.repair(at, who, "claims frames, but has no offset for them");
            return Ok(());
        }
        self.frames = match self.coding() {
            SampleCoding::Packed(layout) => compressed::decode(file, at, frames, layout, who)?,
            SampleCoding::Adpcm => adpcm::decode(file, at, frames, who)?,
            SampleCoding::Plain(layout) => pcm::decode(file, at, frames, layout, who)?,
            SampleCoding::Unknown(text) => {
                file.repair(at, who, text);
                None
            }
        };
        Ok(())
    }

    /// Returns where its frames end in the file, decoded or not; 0 if it has no offset for them.
    pub(super) fn end(&self, file: &ModuleReader<'_>) -> usize {
        let (at, frames) = (to_usize(self.offset), to_usize(self.length));
        let stored = match self.coding() {
            _ if at == 0 || frames == 0 => return 0,
            SampleCoding::Packed(layout) => compressed::stored(file.from(at), frames, layout),
            SampleCoding::Adpcm => adpcm::bytes(frames),
            SampleCoding::Plain(layout) => layout.bytes(frames),
            SampleCoding::Unknown(_) => 0,
        };
        at.saturating_add(stored)
    }
}

/// How its frames are stored.
enum SampleCoding {
    Packed(compressed::CompressedParams),
    Adpcm,
    Plain(StoredPcm),
    /// In a way that is not decoded, and what is said of it.
    Unknown(&'static str),
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
