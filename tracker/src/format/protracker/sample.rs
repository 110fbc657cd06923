use crate::Error;
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;
use crate::format::pcm::StoredPcm;
use crate::format::{StoredFrames, adpcm, pcm};

/// One of the samples, with lengths as stored: in words of two frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Padded with zeros or blanks.
    pub name: [u8; 22],
    /// In words; 1 stands for none in most trackers.
    pub length: u16,
    /// In the lower four bits, signed; eighths of a semitone.
    pub finetune: u8,
    /// 0 to 64.
    pub volume: u8,
    /// In words; in bytes in files of some of the first trackers.
    pub loop_start: u16,
    /// In words; up to 1 for no loop.
    pub loop_length: u16,
    /// How the frames are stored.
    pub coding: FrameCoding,
    /// None if it has no frames, or the file ends before them.
    pub frames: Option<StoredFrames>,
}

/// How frames are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameCoding {
    /// Value by value.
    Pcm,
    /// Four bits a frame, after a signature.
    Adpcm,
}

/// What stands in front of packed frames.
const PACKED: &[u8] = b"ADPCM";

/// Reads the header of a sample; its frames come after the patterns.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Sample, Error> {
    Ok(Sample {
        name: cursor.array()?,
        length: cursor.u16_be()?,
        finetune: cursor.u8()?,
        volume: cursor.u8()?,
        loop_start: cursor.u16_be()?,
        loop_length: cursor.u16_be()?,
        coding: FrameCoding::Pcm,
        frames: None,
    })
}

impl Sample {
    /// Returns the number of bytes that its frames take, unless they are packed.
    pub(super) fn stored_bytes(&self) -> usize {
        usize::from(self.length).saturating_mul(2)
    }

    /// Reads the frames; gives where they end.
    pub(super) fn read_frames(
        &mut self,
        file: &mut ModuleReader<'_>,
        at: usize,
        number: usize,
    ) -> Result<usize, Error> {
        let who = format_args!("sample {number}");
        let frames = self.stored_bytes();
        if frames > 0 && file.from(at).starts_with(PACKED) {
            let at = at.saturating_add(PACKED.len());
            self.coding = FrameCoding::Adpcm;
            self.frames = adpcm::decode(file, at, frames, who)?;
            return Ok(at.saturating_add(adpcm::bytes(frames)));
        }
        self.frames = pcm::decode(file, at, frames, StoredPcm::default(), who)?;
        Ok(at.saturating_add(frames))
    }
}
