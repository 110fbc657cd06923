use crate::Error;
use crate::format::file::ModuleReader;
use crate::format::pcm::StoredPcm;
use crate::format::{StoredFrames, adpcm, pcm};

/// 80 bytes, and the frames they point at.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// 0 empty, 1 a sample, 2 to 7 a sound of a synthesiser.
    pub kind: u8,
    /// Padded with zeros.
    pub file_name: [u8; 12],
    /// 0 to 64.
    pub volume: u8,
    /// Frames per second at the middle C.
    pub rate: u32,
    /// Padded with zeros.
    pub name: [u8; 28],
    /// `SCRS`, `SCRI` or zeros.
    pub tag: [u8; 4],
    /// What depends on the kind.
    pub body: S3mBody,
}

/// What an instrument sounds by.
#[derive(Clone, Debug, PartialEq)]
pub enum S3mBody {
    /// Nothing: its name is a line of the message.
    Empty,
    /// A recording.
    Sample(Sample),
    /// Registers of a synthesiser.
    Adlib(Adlib),
}

/// A recording. Lengths and positions are in frames, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Frames that it claims.
    pub length: u32,
    /// First frame of the loop.
    pub loop_start: u32,
    /// First frame after it.
    pub loop_end: u32,
    /// 0 for values as they are, 4 for ADPCM.
    pub packing: u8,
    /// Bits: 1 loops, 2 stereo, 4 16 bits wide.
    pub flags: u8,
    /// What the tracker keeps for itself, some of which identifies the tracker.
    pub internal: [u8; 12],
    /// None if it has no frames, they are not in the file, or packed in another way.
    pub frames: Option<StoredFrames>,
}

/// A sound of an OPL2 synthesiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adlib {
    /// Bytes for the registers of both operators, by turns, then of the channel.
    pub registers: [u8; 12],
    /// What follows the volume.
    pub disk: u8,
}

/// Bytes of an instrument.
const SIZE: usize = 80;
const PLAIN: u8 = 0;
const ADPCM: u8 = 4;

pub(super) fn read(
    file: &mut ModuleReader<'_>,
    at: usize,
    number: usize,
    unsigned: bool,
) -> Result<Instrument, Error> {
    let what = format_args!("instrument {number}");
    let mut cursor = file.part(at, SIZE, "instrument");
    if at == 0 {
        // It would be the header of the file.
        cursor = file.part(0, 0, "instrument");
        file.repair(at, what, "has no offset");
    } else if cursor.left() < SIZE {
        file.repair(at, what, format_args!("ends with the file: {} of {SIZE} bytes", cursor.left()));
    }
    let record = cursor.padded::<SIZE>();
    let mut cursor = crate::format::cursor::Cursor::new(&record, at, "instrument");
    let kind = cursor.u8()?;
    let file_name = cursor.array()?;
    let body = cursor.array::<15>()?;
    let [volume, disk, packing, flags] = cursor.array()?;
    let rate = cursor.u32()?;
    let internal = cursor.array()?;
    let name = cursor.array()?;
    let tag = cursor.array()?;
    let body = match kind {
        1 => {
            let [high, low, middle, rest @ ..] = body;
            // In paragraphs of 16 bytes, the high byte first.
            let paragraph = u32::from_le_bytes([low, middle, high, 0]);
            let offset = usize::try_from(paragraph).unwrap_or(usize::MAX).saturating_mul(16);
            let (words, _) = rest.as_chunks::<4>();
            let mut words = words.iter().map(|word| u32::from_le_bytes(*word));
            let mut word = || words.next().unwrap_or(0);
            let (length, loop_start, loop_end) = (word(), word(), word());
            let mut sample = Sample { length, loop_start, loop_end, packing, flags, internal, frames: None };
            sample.read_frames(file, offset, number, unsigned)?;
            S3mBody::Sample(sample)
        }
        2..=7 => {
            file.repair(at, what, "is a sound of an OPL synthesiser, which is kept but has no frames");
            let [_, _, _, registers @ ..] = body;
            S3mBody::Adlib(Adlib { registers, disk })
        }
        _ => S3mBody::Empty,
    };
    Ok(Instrument { kind, file_name, volume, rate, name, tag, body })
}

impl Sample {
    /// Returns whether its values are 16 bits wide.
    const fn is_wide(&self) -> bool {
        self.flags & 4 != 0
    }

    /// Returns whether it has a left and a right channel.
    const fn is_stereo(&self) -> bool {
        self.flags & 2 != 0
    }

    fn read_frames(
        &mut self,
        file: &mut ModuleReader<'_>,
        at: usize,
        number: usize,
        unsigned: bool,
    ) -> Result<(), Error> {
        let who = format_args!("instrument {number}");
        let frames = usize::try_from(self.length).unwrap_or(usize::MAX);
        if frames == 0 {
            return Ok(());
        }
        if at == 0 {
            file.repair(at, who, "claims frames, but has no offset for them");
            return Ok(());
        }
        self.frames = match self.packing {
            PLAIN => {
                let (wide, stereo) = (self.is_wide(), self.is_stereo());
                pcm::decode(
                    file,
                    at,
                    frames,
                    StoredPcm { wide, stereo, unsigned, ..StoredPcm::default() },
                    who,
                )?
            }
            ADPCM => adpcm::decode(file, at, frames, who)?,
            other => {
                file.repair(at, who, format_args!("is compressed in a way that is not decoded: {other}"));
                None
            }
        };
        Ok(())
    }
}
