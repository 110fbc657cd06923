//! Cue sheets of CRIWARE: `.acb`, with their waves inside or in an `.awb` beside.
//!
//! ```text
//! project ─► acb: tables of a sheet (utf) ─► cues: what plays
//!         └► awb: archives of waves
//! ```

mod acb;
mod awb;
mod cues;
mod project;
#[cfg(test)]
mod tests;
mod utf;

pub use project::open;

/// Returns whether bytes begin a cue sheet (ACB) or an archive of waves (AWB).
#[must_use]
pub fn is_cri(head: &[u8]) -> bool {
    extension_of_head(head).is_some()
}

/// Returns the extension that files with these first bytes have; none if they are not of CRI.
pub(crate) fn extension_of_head(head: &[u8]) -> Option<&'static str> {
    match head {
        head if head.starts_with(&utf::MAGIC) => Some("acb"),
        head if head.starts_with(&awb::MAGIC) => Some("awb"),
        _ => None,
    }
}

/// Reads a key as people write it: a number, decimal or hexadecimal with `0x`; none if it is no such number.
#[must_use]
pub fn parse_key(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// How a wave is coded, as a cue sheet says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CriCodec {
    /// ADX.
    Adx,
    /// PCM.
    Pcm,
    /// HCA, mixed by the decoder or not.
    Hca,
    /// Nintendo's ADPCM.
    Dsp,
    /// Sony's ADPCM.
    Vag,
    /// ATRAC3.
    Atrac3,
    /// ATRAC9.
    Atrac9,
    /// XMA.
    Xma,
    /// Opus.
    Opus,
    /// Another one.
    Other(u32),
    /// Nothing says.
    Unstated,
}

impl CriCodec {
    /// Returns the codec that a number stands for.
    const fn of(number: u32) -> Self {
        match number {
            0 | 3 => Self::Adx,
            1 => Self::Pcm,
            2 | 6 => Self::Hca,
            5 | 13 | 19 => Self::Dsp,
            7 | 10 => Self::Vag,
            8 => Self::Atrac3,
            11 | 18 => Self::Atrac9,
            12 => Self::Xma,
            24 => Self::Opus,
            number => Self::Other(number),
        }
    }
}

/// What a cue sheet says of a wave; HCA and ADX have headers of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct WaveHeader {
    /// Coding.
    pub codec: CriCodec,
    /// Frames per second, 0 if nothing says.
    pub rate: u32,
    /// Channels, 0 if nothing says.
    pub channels: u32,
    /// Frames.
    pub frames: u64,
    /// Key of encrypted HCA, made from the user's and that of the archive; none if the user gave none.
    pub key: Option<u64>,
}
