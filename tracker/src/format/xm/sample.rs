use std::fmt;

use crate::Error;
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;
use crate::format::pcm::{Delta, StoredPcm};
use crate::format::{StoredFrames, adpcm, pcm};

/// A sample of an instrument. Lengths and positions are in bytes, as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Of both channels, if it has two.
    pub length: u32,
    /// First byte of the loop.
    pub loop_start: u32,
    /// Bytes of the loop.
    pub loop_length: u32,
    /// 0 to 64.
    pub volume: u8,
    /// In 128ths of a semitone.
    pub finetune: i8,
    /// Bits: 1 forward loop, 2 ping-pong loop, 16 16 bits wide, 32 stereo.
    pub flags: u8,
    /// 0 to 255.
    pub pan: u8,
    /// Semitones to add to a note.
    pub relative: i8,
    /// 0xAD for ADPCM, else nothing.
    pub reserved: u8,
    /// Padded with zeros or blanks.
    pub name: [u8; 22],
    /// How the frames are stored.
    pub coding: DeltaCoding,
    /// None if it has no frames, they are not in the file, or in a coding that is not decoded.
    pub frames: Option<StoredFrames>,
}

/// How frames are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeltaCoding {
    /// Differences, value by value.
    Delta,
    /// Four bits a frame.
    Adpcm,
    /// Ogg Vorbis, by a program that shortens modules; it is not decoded.
    Vorbis,
}

/// Bytes of a header, whatever the instrument says: the tracker does not look there, and files have anything.
pub(super) const HEADER: usize = 40;
/// In the reserved byte.
const ADPCM: u8 = 0xAD;
/// After four bytes of a packed sample.
const VORBIS: &[u8] = b"OggS";

pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Sample, Error> {
    Ok(Sample {
        length: cursor.u32()?,
        loop_start: cursor.u32()?,
        loop_length: cursor.u32()?,
        volume: cursor.u8()?,
        finetune: cursor.i8()?,
        flags: cursor.u8()?,
        pan: cursor.u8()?,
        relative: cursor.i8()?,
        reserved: cursor.u8()?,
        name: cursor.array()?,
        coding: DeltaCoding::Delta,
        frames: None,
    })
}

impl Sample {
    /// Reads the frames; gives where they end.
    pub(super) fn read_frames(
        &mut self,
        file: &mut ModuleReader<'_>,
        at: usize,
        who: fmt::Arguments<'_>,
    ) -> Result<usize, Error> {
        let length = usize::try_from(self.length).unwrap_or(usize::MAX);
        let (wide, stereo) = (self.flags & 16 != 0, self.flags & 32 != 0);
        if length == 0 {
            return Ok(at);
        }
        if self.reserved == ADPCM && !wide && !stereo {
            self.coding = DeltaCoding::Adpcm;
            self.frames = adpcm::decode(file, at, length, who)?;
            return Ok(at.saturating_add(adpcm::bytes(length)));
        }
        if file.from(at.saturating_add(4)).starts_with(VORBIS) {
            self.coding = DeltaCoding::Vorbis;
            file.repair(at, who, "is Ogg Vorbis, which is not decoded in modules");
            return Ok(at.saturating_add(length));
        }
        let layout = StoredPcm { wide, stereo, delta: Delta::Values, ..StoredPcm::default() };
        let frames = length.checked_div(layout.bytes(1)).unwrap_or(0);
        self.frames = pcm::decode(file, at, frames, layout, who)?;
        Ok(at.saturating_add(length))
    }
}
