//! FMOD: Studio banks and the FSB5 sample banks in them.
//!
//! ```text
//! .bank  event ─► timeline, parameter sheets ─► instruments ─► wave resource ─► number of a sample bank and a sound
//! .fsb   sample headers, names, data
//! ```
//!
//! All banks of a folder are one project: an event may play what lies in another bank, and names are in a third.

mod array;
mod bank;
mod crypt;
mod events;
mod fsb;
mod fsb_writer;
mod items;
mod layout;
mod project;
mod rewrite;
mod strings;
#[cfg(test)]
mod tests;

pub use crypt::FsbCipher;
pub use fsb_writer::{NewSound, SoundChange};
pub use project::open;
pub use rewrite::{rewrite, verify};

/// Returns whether a file is a bank of FMOD, by its first bytes.
#[must_use]
pub fn is_fmod(head: &[u8]) -> bool {
    bank::is_bank(head) || head.starts_with(b"FSB5")
}

use std::fmt;

/// A GUID as Windows stores it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FmodGuid(pub [u8; 16]);

/// `00112233-4455-6677-8899-aabbccddeeff`.
impl fmt::Display for FmodGuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g, h, i, rest @ ..] = self.0;
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-",
            u32::from_le_bytes([a, b, c, d]),
            u16::from_le_bytes([e, g]),
            u16::from_le_bytes([h, i])
        )?;
        for (index, byte) in rest.iter().enumerate() {
            write!(f, "{}{byte:02x}", if index == 2 { "-" } else { "" })?;
        }
        Ok(())
    }
}

/// How the sounds of a sample bank are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FsbCodec {
    /// PCM, unsigned 8 bits.
    PcmU8,
    /// PCM, 16 bits.
    Pcm16,
    /// PCM, 24 bits.
    Pcm24,
    /// PCM, 32 bits.
    Pcm32,
    /// PCM, 32-bit floats.
    PcmFloat,
    /// Nintendo's ADPCM.
    Dsp,
    /// IMA ADPCM.
    Ima,
    /// Sony's ADPCM.
    Vag,
    /// Sony's ADPCM of the Vita.
    HeVag,
    /// XMA.
    Xma,
    /// MPEG audio.
    Mpeg,
    /// CELT.
    Celt,
    /// ATRAC9.
    At9,
    /// xWMA.
    Xwma,
    /// Vorbis.
    Vorbis,
    /// FMOD's ADPCM.
    Fadpcm,
    /// Opus.
    Opus,
    /// Another one.
    Other(u32),
}

/// What a sample bank says of a sound.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleHeader {
    /// Coding.
    pub codec: FsbCodec,
    /// Whether numbers of PCM are big-endian.
    pub is_big_endian: bool,
    /// Frames per second.
    pub rate: u32,
    /// Channels.
    pub channels: u32,
    /// Frames.
    pub frames: u64,
    /// Loop in frames, with an exclusive end.
    pub loop_range: Option<(u64, u64)>,
    /// CRC-32 of the Vorbis setup header that its packets need.
    pub vorbis_setup: Option<u32>,
    /// What its bytes are encrypted with; [`FsbCipher::over`] gives the file without it.
    pub cipher: Option<FsbCipher>,
}
