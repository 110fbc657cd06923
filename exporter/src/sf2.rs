//! `SoundFont` 2: a RIFF file with a preset for each instrument that sounds.
//!
//! ```text
//! RIFF sfbk ─┬─ LIST INFO   version, engine, name
//!            ├─ LIST sdta   smpl: all samples, 16 bits, 46 zeros after each
//!            └─ LIST pdta   presets → instruments → samples, nine tables with an end mark each
//! ```
//!
//! Presets are numbered through: 128 a bank. Bank 128 has the same sounds as kits, 64 in each: every sound has a key of
//! its own, from 36 on, and what does not repeat plays to its end.
//!
//! A stereo sample is two linked ones. The format knows forward loops only, wants 32 frames at least and eight frames
//! that fit before and after; so what repeats is written out until that is so, and forward and back becomes one long
//! forward. It sounds the same: nothing after the loop is ever heard.
//!
//! Nor does it know of turns, chance and variation: of what is chosen among, the preset has the first or most likely,
//! in the middle of its ranges. [`chooses`] says of which instruments that is so.
//!
//! Nothing can be louder than its sample there. If anything in the song is, the whole font is softer by what the
//! loudest zone has above 0 dB, so that all keep their proportions.
//!
//! Source: Creative Technology and E-mu Systems, *`SoundFont` Technical Specification* 2.04.

mod fixed;
mod generator;
mod motion;
mod names;
mod tables;

use std::fmt;
use std::io::{self, Write};

use song::Song;

use crate::Losses;
use tables::RecordTables;

pub use fixed::chooses;

/// Zeros after each sample.
const GAP: usize = 46;

/// Writes a song.
///
/// # Errors
/// [`Sf2Error::Nothing`] if no instrument sounds, [`Sf2Error::TooMany`] and [`Sf2Error::TooLarge`] for what the format
/// cannot count, [`Sf2Error::Io`].
pub fn write(song: &Song, out: &mut impl Write) -> Result<(), Sf2Error> {
    let presets = fixed::presets(song, &mut Losses::default());
    let recordings = fixed::recordings(song, &presets);
    let tables = RecordTables::of(&presets, &recordings)?;
    let info = list(
        *b"INFO",
        &[
            chunk(*b"ifil", &[2, 0, 1, 0])?,
            chunk(*b"isng", b"EMU8000\0")?,
            chunk(*b"INAM", &names::text(song.name()))?,
            chunk(*b"ISFT", b"usampler\0\0")?,
        ],
    )?;
    let samples = tables.frames.checked_mul(2).ok_or(Sf2Error::TooLarge)?;
    let pdta = tables.list()?;
    let sdta = samples.checked_add(12).ok_or(Sf2Error::TooLarge)?;
    let whole = [4, size(&info)?, 8, sdta, size(&pdta)?].into_iter().try_fold(0_u32, u32::checked_add);
    out.write_all(b"RIFF")?;
    out.write_all(&whole.ok_or(Sf2Error::TooLarge)?.to_le_bytes())?;
    out.write_all(b"sfbk")?;
    out.write_all(&info)?;
    out.write_all(b"LIST")?;
    out.write_all(&sdta.to_le_bytes())?;
    out.write_all(b"sdtasmpl")?;
    out.write_all(&samples.to_le_bytes())?;
    for (_, frames) in &recordings {
        for plane in 0..frames.channels() {
            frames.write(plane, out)?;
            out.write_all(&[0; 2 * GAP])?;
        }
    }
    out.write_all(&pdta)?;
    out.flush()?;
    Ok(())
}

/// Returns what a `SoundFont` does not keep of how the notes of a song's instruments move.
#[must_use]
pub fn losses(song: &Song) -> Losses {
    let mut losses = Losses::default();
    let _ = fixed::presets(song, &mut losses);
    losses
}

fn size(bytes: &[u8]) -> Result<u32, Sf2Error> {
    u32::try_from(bytes.len()).map_err(|_| Sf2Error::TooLarge)
}

/// Returns a RIFF chunk; the bodies of all are even.
fn chunk(id: [u8; 4], body: &[u8]) -> Result<Vec<u8>, Sf2Error> {
    Ok([&id, &size(body)?.to_le_bytes()[..], body].concat())
}

fn list(kind: [u8; 4], chunks: &[Vec<u8>]) -> Result<Vec<u8>, Sf2Error> {
    chunk(*b"LIST", &[&kind[..], &chunks.concat()].concat())
}

/// Why a song could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Sf2Error {
    /// No instrument sounds.
    Nothing,
    /// More instruments, zones or samples than the format counts.
    TooMany,
    /// More than 4 GiB.
    TooLarge,
    /// The output did not take it.
    Io(io::Error),
}

impl fmt::Display for Sf2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "there is no sound for a SoundFont"),
            Self::TooMany => write!(f, "a SoundFont cannot count so many sounds"),
            Self::TooLarge => write!(f, "a SoundFont cannot hold more than 4 GiB"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Sf2Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Sf2Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
