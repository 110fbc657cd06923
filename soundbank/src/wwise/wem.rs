//! A media file (`.wem`): its head, read and written.
//!
//! ```text
//! RIFF size WAVE │ fmt │ smpl │ JUNK │ data
//! ```
//!
//! Chunks follow each other without padding: `JUNK` makes the samples begin at a multiple of 16.

use crate::reader::Reader;
use crate::{Error, ErrorKind};

/// What the head of a media says, as far as banks have to agree with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WemHead {
    /// Codec word that sources of the media state; none of a format tag that has no known one.
    pub codec: Option<u32>,
    /// Channels.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Whether only a media of Wwise begins so, and no plain WAVE file.
    pub is_unmistakable: bool,
    /// Bytes that are needed for the first 100 ms, counted from the first byte of the file.
    pub start: u64,
    /// Bytes of the whole media, as its `data` chunk states.
    pub length: u64,
}

/// Samples of 16 bits for a new media.
#[derive(Clone, Copy, Debug)]
pub struct PcmMedia<'m> {
    /// Channels: one or two.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Interleaved values of 16 bits, low bytes first.
    pub data: &'m [u8],
    /// Loop in frames, with an exclusive end.
    pub loop_range: Option<(u32, u32)>,
}

/// Format tags.
mod tag {
    pub(super) const PCM: u16 = 0x0001;
    pub(super) const ADPCM: u16 = 0x0002;
    pub(super) const PCM_WEM: u16 = 0xFFFE;
    pub(super) const VORBIS: u16 = 0xFFFF;
}

/// Multiple of bytes at which samples begin.
const ALIGNMENT: usize = 16;
/// Bytes of a `fmt ` chunk of PCM.
const FORMAT: u32 = 24;
/// Bytes of the fields after the usual 16.
const EXTRA: u16 = 6;
/// Bytes of a `smpl` chunk with one loop.
const LOOPS: u32 = 60;
/// More chunks than a media has kinds of, by far.
const MAX_CHUNKS: usize = 256;

const WHAT: &str = "Wwise media";

impl WemHead {
    /// Reads the head of a media. It may be cut after the head of its `data` chunk.
    ///
    /// # Errors
    /// If the bytes are no media.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, 0, WHAT);
        let is_big_endian = match reader.bytes(4)? {
            b"RIFF" => false,
            b"RIFX" => true,
            _ => return Err(Error::new(ErrorKind::NotThisFormat("no media of Wwise"), 0, WHAT)),
        };
        let mut reader = reader.big_endian(is_big_endian);
        reader.skip(4)?;
        if !matches!(reader.bytes(4)?, b"WAVE" | b"XWMA") {
            return Err(Error::new(ErrorKind::NotThisFormat("no media of Wwise"), 8, WHAT));
        }
        let mut format = None;
        for _ in 0..MAX_CHUNKS {
            let tag = reader.bytes(4)?;
            let size = reader.u32()?;
            if tag == b"data" {
                let format: Format = format
                    .ok_or_else(|| reader.error(ErrorKind::Malformed("has samples before their format")))?;
                return Ok(format.head(reader.at(), size));
            }
            let mut chunk = reader.part(usize::try_from(size).unwrap_or(usize::MAX), WHAT)?;
            if tag == b"fmt " {
                format = Some(Format::read(&mut chunk)?);
            }
        }
        Err(reader.error(ErrorKind::Malformed("has more chunks than any media")))
    }
}

/// The fields of a `fmt ` chunk.
struct Format {
    tag: u16,
    channels: u16,
    rate: u32,
    /// Bytes per second.
    average: u32,
    /// Bytes of a block of all channels.
    align: u16,
    bits: u16,
    extra: u16,
    /// Bytes of the chunk.
    size: usize,
    /// Bytes of `data` before the first packet of Vorbis.
    before_packets: u32,
}

impl Format {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        /// Where the parameters of Vorbis state the offset of the first packet.
        const PACKETS_AT: usize = 0x18 + 0x14;
        let size = reader.rest().len();
        let mut packets = reader.clone();
        let tag = reader.u16()?;
        let (channels, rate, average, align) = (reader.u16()?, reader.u32()?, reader.u32()?, reader.u16()?);
        let bits = reader.u16()?;
        let extra = reader.u16().unwrap_or_default();
        let has_packets = tag == tag::VORBIS && packets.skip(PACKETS_AT).is_ok();
        let before_packets = if has_packets { packets.u32().unwrap_or_default() } else { 0 };
        Ok(Self { tag, channels, rate, average, align, bits, extra, size, before_packets })
    }

    fn head(&self, data_at: u64, data: u32) -> WemHead {
        let tenth = u64::from(self.average).div_ceil(10);
        let start = u64::from(self.before_packets).saturating_add(tenth).min(data.into());
        WemHead {
            codec: self.codec().map(|codec| (codec << 16) | 1),
            channels: self.channels,
            rate: self.rate,
            is_unmistakable: self.is_unmistakable(),
            start: data_at.saturating_add(start),
            length: data_at.saturating_add(data.into()),
        }
    }

    fn is_unmistakable(&self) -> bool {
        let has_word = u32::try_from(self.size) == Ok(FORMAT) && self.extra == EXTRA;
        match self.tag {
            tag::PCM => false,
            tag::PCM_WEM => has_word,
            tag::ADPCM => has_word || self.codec() == Some(5),
            // Editors leave the tag in PCM, which has bits.
            tag::VORBIS => self.bits == 0,
            // Others have plain WAVE files, too.
            tag => matches!(tag, 0x3039 | 0x3040 | 0x3041 | 0x8311),
        }
    }

    /// Returns the number of the codec in the words of sources.
    fn codec(&self) -> Option<u32> {
        const DSP_EXTRA: u16 = 0x0C;
        const DSP_EXTRA_OF_CHANNEL: u16 = 0x2E;
        let dsp = self.channels.saturating_mul(DSP_EXTRA_OF_CHANNEL).saturating_add(DSP_EXTRA);
        Some(match self.tag {
            tag::PCM | tag::PCM_WEM => 1,
            tag::ADPCM if self.extra == dsp && self.align.checked_rem(0x24) != Some(0) => 5,
            tag::ADPCM | 0x0069 | 0x8311 => 2,
            tag::VORBIS => 4,
            0x0165 | 0x0166 => 3,
            0x0161 | 0x0162 => 9,
            0xFFF0 => 5,
            0xAAC0 => 0xA,
            0xFFFC => 0xC,
            0xFFFB => 0xD,
            0x3039 => 0x11,
            0x3040 => 0x13,
            0x3041 => 0x14,
            _ => return None,
        })
    }
}

/// Writes a media of PCM.
///
/// # Errors
/// If it has other channels than one or two, or the file would pass 4 GiB.
pub fn write_pcm(media: &PcmMedia<'_>) -> Result<Vec<u8>, Error> {
    /// Type of the channel word: speakers.
    const SPEAKERS: u32 = 1 << 8;
    let mask: u32 = match media.channels {
        1 => 4,
        2 => 3,
        channels => {
            let text = format!("a media of {channels} channels is not written");
            return Err(Error::new(ErrorKind::Unsupported(text), 0, WHAT));
        }
    };
    let too_large = || Error::new(ErrorKind::Malformed("would be larger than 4 GiB"), 0, WHAT);
    let frame = media.channels.saturating_mul(2);
    let mut bytes = b"RIFF\0\0\0\0WAVEfmt ".to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(tag::PCM_WEM.to_le_bytes());
    bytes.extend(media.channels.to_le_bytes());
    bytes.extend(media.rate.to_le_bytes());
    bytes.extend(media.rate.saturating_mul(frame.into()).to_le_bytes());
    bytes.extend(frame.to_le_bytes());
    bytes.extend(16_u16.to_le_bytes());
    bytes.extend(EXTRA.to_le_bytes());
    bytes.extend(0_u16.to_le_bytes());
    bytes.extend((u32::from(media.channels) | SPEAKERS | (mask << 12)).to_le_bytes());
    if let Some((start, end)) = media.loop_range.filter(|(start, end)| start < end) {
        bytes.extend(b"smpl");
        bytes.extend(LOOPS.to_le_bytes());
        // Where a WAVE file has the period of a frame, this one has the rate.
        let words = [0, 0, media.rate, 0, 0, 0, 0, 1, 0];
        let range = [0, 0, start, end.saturating_sub(1), 0, 0];
        bytes.extend(words.into_iter().chain(range).flat_map(u32::to_le_bytes));
    }
    let head_of_data = bytes.len().saturating_add(16);
    let junk = head_of_data.next_multiple_of(ALIGNMENT).saturating_sub(head_of_data);
    bytes.extend(b"JUNK");
    bytes.extend(u32::try_from(junk).unwrap_or_default().to_le_bytes());
    bytes.resize(bytes.len().saturating_add(junk), 0);
    bytes.extend(b"data");
    bytes.extend(u32::try_from(media.data.len()).map_err(|_| too_large())?.to_le_bytes());
    bytes.extend(media.data);
    let size = u32::try_from(bytes.len()).map_err(|_| too_large())?.saturating_sub(8);
    if let Some(stated) = bytes.get_mut(4..8) {
        stated.copy_from_slice(&size.to_le_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn media(channels: u16, loop_range: Option<(u32, u32)>) -> Vec<u8> {
        write_pcm(&PcmMedia { channels, rate: 48_000, data: &[7; 96_000], loop_range }).unwrap()
    }

    #[test]
    fn a_media_needs_a_tenth_of_a_second_and_its_head_to_begin() {
        let head = WemHead::read(&media(1, None)).unwrap();
        assert_eq!((head.codec, head.rate, head.channels), (Some(0x0001_0001), 48_000, 1));
        assert_eq!((head.start, head.length), (64 + 9600, 64 + 96_000));
        assert!(head.is_unmistakable);
    }

    #[test]
    fn samples_begin_at_a_multiple_of_16_and_a_loop_before_them_ends_inclusively() {
        let bytes = media(2, Some((100, 200)));
        let data = bytes.windows(4).position(|tag| tag == b"data").unwrap() + 8;
        assert_eq!(data % 16, 0);
        let at = bytes.windows(4).position(|tag| tag == b"smpl").unwrap() + 8;
        let word = |index: usize| u32::from_le_bytes(bytes[at + index * 4..][..4].try_into().unwrap());
        assert_eq!((word(7), word(11), word(12)), (1, 100, 199));
    }

    #[test]
    fn only_one_or_two_channels_are_written() {
        for channels in [0, 3] {
            let media = PcmMedia { channels, rate: 1, data: &[], loop_range: None };
            assert!(matches!(write_pcm(&media).unwrap_err().kind(), ErrorKind::Unsupported(_)));
        }
    }

    #[test]
    fn a_plain_wave_file_of_another_codec_is_not_taken_for_a_media() {
        let bytes = media(1, None);
        let tagged = |tag: u16| {
            let mut bytes = bytes.clone();
            bytes[20..22].copy_from_slice(&tag.to_le_bytes());
            WemHead::read(&bytes).unwrap().is_unmistakable
        };
        // PCM, Xbox ADPCM, xWMA and XMA2 have files of their own; PTADPCM and Opus with these tags are Wwise's.
        assert_eq!([0x0001, 0x0069, 0x0161, 0x0166, 0x0055].map(tagged), [false; 5]);
        assert_eq!([0x8311, 0x3040, 0x3041].map(tagged), [true; 3]);
    }

    #[test]
    fn every_cut_of_a_head_is_an_error() {
        let bytes = media(2, Some((1, 2)));
        let data = bytes.windows(4).position(|tag| tag == b"data").unwrap() + 8;
        assert!(WemHead::read(&bytes[..data]).is_ok());
        assert!((0..data).all(|length| WemHead::read(&bytes[..length]).is_err()));
    }
}
