//! From stored bytes to frames. One file per family: each describes a payload without decoding it, and decodes it.

pub(crate) mod foreign;
pub(crate) mod pcm;
pub(crate) mod riff;

/// How audio is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Unsigned 8-bit integers.
    PcmU8,
    /// Signed 16-bit integers.
    PcmS16,
    /// Signed 24-bit integers.
    PcmS24,
    /// Signed 32-bit integers.
    PcmS32,
    /// 32-bit float.
    PcmF32,
    /// 64-bit float.
    PcmF64,
    /// IMA ADPCM.
    AdpcmIma,
    /// Microsoft ADPCM.
    AdpcmMs,
    /// A-law.
    ALaw,
    /// µ-law.
    MuLaw,
    /// MPEG layer II inside a WAVE file.
    Mp2,
    /// MPEG layer III inside a WAVE file.
    Mp3,
    /// Xbox 360 XMA2.
    Xma2,
    /// Vorbis inside Ogg.
    Vorbis,
    /// Sony ATRAC3.
    Atrac3,
    /// Sony's ADPCM.
    AdpcmPsx,
    /// A WAVE format tag without a name here.
    Tag(u16),
}

impl Codec {
    /// The codec's name as it is listed.
    #[must_use]
    pub fn name(self) -> String {
        let name = match self {
            Self::PcmU8 => "pcm_u8",
            Self::PcmS16 => "pcm_s16",
            Self::PcmS24 => "pcm_s24",
            Self::PcmS32 => "pcm_s32",
            Self::PcmF32 => "pcm_f32",
            Self::PcmF64 => "pcm_f64",
            Self::AdpcmIma => "adpcm_ima",
            Self::AdpcmMs => "adpcm_ms",
            Self::ALaw => "alaw",
            Self::MuLaw => "mulaw",
            Self::Mp2 => "mp2",
            Self::Mp3 => "mp3",
            Self::Xma2 => "xma2",
            Self::Vorbis => "vorbis",
            Self::Atrac3 => "atrac3",
            Self::AdpcmPsx => "adpcm_psx",
            Self::Tag(tag) => return format!("wave_{tag:#06x}"),
        };
        name.to_owned()
    }
}
