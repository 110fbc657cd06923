use crate::reader::Reader;
use crate::{Error, ErrorKind};

/// Format tags that a media of Wwise has a meaning of its own for, or writes.
pub(super) mod tag {
    pub(super) const PCM: u16 = 0x0001;
    pub(super) const ADPCM: u16 = 0x0002;
    pub(super) const ADPCM_OLD: u16 = 0x0069;
    pub(super) const OPUS_NX: u16 = 0x3039;
    pub(super) const OPUS_OGG: u16 = 0x3040;
    pub(super) const OPUS_WEM: u16 = 0x3041;
    pub(super) const PTADPCM: u16 = 0x8311;
    pub(in crate::wwise::wem) const PCM_WEM: u16 = 0xFFFE;
    pub(super) const VORBIS: u16 = 0xFFFF;
}

/// Bytes of a `fmt ` chunk of PCM, where a WAVE file of the same tag has 40.
pub(super) const FORMAT: u32 = 24;
/// Bytes of the fields after the usual 16 in such a chunk.
pub(super) const EXTRA: u16 = 6;

const WHAT: &str = "Wwise media";

/// How the samples of a media are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WemCodec {
    /// PCM.
    Pcm,
    /// IMA ADPCM in blocks of one channel.
    Ima,
    /// IMA ADPCM of old versions, whose channels are interleaved in another way.
    ImaOld,
    /// Platinum's ADPCM.
    Ptadpcm,
    /// XMA 1 or 2.
    Xma,
    /// Vorbis.
    Vorbis,
    /// ADPCM of Nintendo's sound processors.
    Dsp,
    /// xWMA.
    Xwma,
    /// AAC.
    Aac,
    /// ATRAC9.
    Atrac9,
    /// VAG or HE-VAG.
    Vag,
    /// Opus in packets of the Switch.
    OpusNx,
    /// Opus in Ogg.
    OpusOgg,
    /// Opus in bare packets, whose sizes are in a chunk.
    OpusWem,
}

impl WemCodec {
    /// Returns the codec word that sources of such a media state.
    #[must_use]
    pub const fn word(self) -> u32 {
        let number = match self {
            Self::Pcm => 1,
            Self::Ima | Self::ImaOld | Self::Ptadpcm => 2,
            Self::Xma => 3,
            Self::Vorbis => 4,
            Self::Dsp => 5,
            Self::Xwma => 9,
            Self::Aac => 0xA,
            Self::Atrac9 => 0xC,
            Self::Vag => 0xD,
            Self::OpusNx => 0x11,
            Self::OpusOgg => 0x13,
            Self::OpusWem => 0x14,
        };
        (number << 16) | 1
    }
}

/// The fields of a `fmt ` chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WemFormat {
    /// Format tag.
    pub tag: u16,
    /// Channels.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Bytes per second.
    pub average: u32,
    /// Bytes of a block of all channels.
    pub align: u16,
    /// Bits of a value; 0 where the codec has none.
    pub bits: u16,
    /// Speakers of the channels; 0 if it does not say.
    pub mask: u32,
    /// Bytes of the fields after the usual 16.
    extra: u16,
    /// Bytes of the chunk.
    size: u32,
}

impl WemFormat {
    /// Reads a chunk.
    ///
    /// # Errors
    /// If it has fewer bytes than any.
    pub fn read(chunk: &[u8], is_big_endian: bool) -> Result<Self, Error> {
        let size = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
        Self::read_start(chunk, size, is_big_endian)
    }

    /// Reads the chunk that the first bytes of a WAVE file begin with, as far as it is there; none if they are no such
    /// file, of either byte order, or another chunk comes first.
    #[must_use]
    pub fn of_head(head: &[u8]) -> Option<Self> {
        let is_big_endian = is_big_endian(head)?;
        let mut reader = Reader::new(head.get(8..)?, 8, WHAT).big_endian(is_big_endian);
        if reader.bytes(8).ok()? != b"WAVEfmt " {
            return None;
        }
        let size = reader.u32().ok()?;
        Self::read_start(reader.rest(), size, is_big_endian).ok()
    }

    fn read_start(chunk: &[u8], size: u32, is_big_endian: bool) -> Result<Self, Error> {
        let mut reader = Reader::new(chunk, 0, WHAT).big_endian(is_big_endian);
        let tag = reader.u16()?;
        let (channels, rate, average, align) = (reader.u16()?, reader.u32()?, reader.u32()?, reader.u16()?);
        let bits = reader.u16()?;
        let extra = reader.u16().unwrap_or_default();
        // A number of samples that nobody needs comes before the speakers.
        let word = reader.u16().and_then(|_| reader.u32()).unwrap_or_default();
        // Channels, their type, their mask; in older media the mask alone.
        let mask = if word & 0xFF == u32::from(channels) { word >> 12 } else { word };
        Ok(Self { tag, channels, rate, average, align, bits, mask, extra, size })
    }

    /// Returns whether only a media of Wwise has such a chunk, and no plain WAVE file.
    #[must_use]
    pub fn is_unmistakable(&self) -> bool {
        let is_short = self.size == FORMAT;
        match self.tag {
            tag::OPUS_NX | tag::OPUS_OGG | tag::OPUS_WEM | tag::PTADPCM => true,
            // Editors leave the tag in PCM, which has bits.
            tag::VORBIS => self.bits == 0,
            tag::PCM_WEM => is_short,
            tag::ADPCM => (is_short && self.extra == EXTRA) || self.codec() == Some(WemCodec::Dsp),
            // Others have plain WAVE files, too.
            _ => false,
        }
    }

    /// Returns how the samples are coded; none of a tag or a size of blocks that is not known.
    #[must_use]
    pub fn codec(&self) -> Option<WemCodec> {
        Some(match self.tag {
            tag::PCM | tag::PCM_WEM => WemCodec::Pcm,
            tag::ADPCM => return self.adpcm(),
            tag::ADPCM_OLD => WemCodec::ImaOld,
            tag::PTADPCM => WemCodec::Ptadpcm,
            tag::VORBIS => WemCodec::Vorbis,
            tag::OPUS_NX => WemCodec::OpusNx,
            tag::OPUS_OGG => WemCodec::OpusOgg,
            tag::OPUS_WEM => WemCodec::OpusWem,
            0x0161 | 0x0162 => WemCodec::Xwma,
            0x0165 | 0x0166 => WemCodec::Xma,
            0xAAC0 => WemCodec::Aac,
            0xFFF0 => WemCodec::Dsp,
            0xFFFB => WemCodec::Vag,
            0xFFFC => WemCodec::Atrac9,
            _ => return None,
        })
    }

    /// Returns which ADPCM it is, by the bytes of a block or by those of the coefficients.
    fn adpcm(&self) -> Option<WemCodec> {
        const IMA: u16 = 0x24;
        const PTADPCM: u16 = 0x104;
        const DSP_EXTRA: u16 = 0x0C;
        const DSP_EXTRA_OF_CHANNEL: u16 = 0x2E;
        let dsp = self.channels.saturating_mul(DSP_EXTRA_OF_CHANNEL).saturating_add(DSP_EXTRA);
        match self.block() {
            Some(IMA) => Some(WemCodec::Ima),
            Some(PTADPCM) => Some(WemCodec::Ptadpcm),
            _ => (self.extra == dsp).then_some(WemCodec::Dsp),
        }
    }

    /// Returns the bytes of a block of one channel; none if the channels do not share it evenly.
    #[must_use]
    pub fn block(&self) -> Option<u16> {
        let is_even = self.align.checked_rem(self.channels) == Some(0);
        self.align.checked_div(self.channels).filter(|_| is_even)
    }
}

/// Returns whether a media is big-endian, by its first bytes; none if they are not those of one.
pub(super) fn is_big_endian(media: &[u8]) -> Option<bool> {
    match media.first_chunk() {
        Some(b"RIFF") => Some(false),
        Some(b"RIFX") => Some(true),
        _ => None,
    }
}

/// Checks that a media has the byte order of the file that takes it; one that does not say its own is let through.
pub(in crate::wwise) fn check_order(
    media: &[u8],
    is_file_big_endian: bool,
    what: &'static str,
) -> Result<(), Error> {
    if is_big_endian(media).is_none_or(|own| own == is_file_big_endian) {
        return Ok(());
    }
    let name = |is_big| if is_big { "big-endian (RIFX)" } else { "little-endian (RIFF)" };
    let (wanted, own) = (name(is_file_big_endian), name(!is_file_big_endian));
    let text = format!("its media are {wanted}, and the new one is {own}: it is not converted");
    Err(Error::new(ErrorKind::Unsupported(text), 0, what))
}
