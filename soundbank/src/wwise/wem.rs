//! A media file (`.wem`): its head, read and written.
//!
//! ```text
//! RIFF size WAVE │ fmt │ smpl │ JUNK │ data
//! ```
//!
//! Chunks follow each other without padding: `JUNK` makes the samples begin at a multiple of 16.

mod format;

use unreal::Source;

pub(super) use format::check_order;
pub use format::{WemCodec, WemFormat};

use crate::reader::{Reader, read_region};
use crate::{Error, ErrorKind};
use format::{EXTRA, FORMAT, is_big_endian, tag};

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

/// Multiple of bytes at which samples begin.
const ALIGNMENT: usize = 16;
/// Bytes of a `smpl` chunk with one loop.
const LOOPS: u32 = 60;
/// Where a `fmt ` chunk of Vorbis states the bytes of `data` before the first packet.
const PACKETS_AT: usize = 0x18 + 0x14;
/// More chunks than a media has kinds of, by far.
const MAX_CHUNKS: usize = 256;

const WHAT: &str = "Wwise media";

impl WemHead {
    /// Reads the head of a media. It may be cut after the head of its `data` chunk.
    ///
    /// # Errors
    /// If the bytes are no media.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let other = || Error::new(ErrorKind::NotThisFormat("no media of Wwise"), 0, WHAT);
        let is_big_endian = is_big_endian(bytes).ok_or_else(other)?;
        let mut reader = Reader::new(bytes, 0, WHAT).big_endian(is_big_endian);
        reader.skip(8)?;
        if !matches!(reader.bytes(4)?, b"WAVE" | b"XWMA") {
            return Err(Error::new(ErrorKind::NotThisFormat("no media of Wwise"), 8, WHAT));
        }
        let mut format = None;
        for _ in 0..MAX_CHUNKS {
            let tag = reader.bytes(4)?;
            let size = reader.u32()?;
            if tag == b"data" {
                let (format, before_packets): (WemFormat, u32) = format
                    .ok_or_else(|| reader.error(ErrorKind::Malformed("has samples before their format")))?;
                return Ok(Self::of(&format, before_packets, reader.at(), size));
            }
            let mut chunk = reader.part(usize::try_from(size).unwrap_or(usize::MAX), WHAT)?;
            if tag == b"fmt " {
                let format_of = WemFormat::read(chunk.rest(), is_big_endian)?;
                let is_vorbis = format_of.codec() == Some(WemCodec::Vorbis);
                let has_packets = is_vorbis && chunk.skip(PACKETS_AT).is_ok();
                let before_packets = if has_packets { chunk.u32().unwrap_or_default() } else { 0 };
                format = Some((format_of, before_packets));
            }
        }
        Err(reader.error(ErrorKind::Malformed("has more chunks than any media")))
    }

    fn of(format: &WemFormat, before_packets: u32, data_at: u64, data: u32) -> Self {
        let tenth = u64::from(format.average).div_ceil(10);
        let start = u64::from(before_packets).saturating_add(tenth).min(data.into());
        Self {
            codec: format.codec().map(WemCodec::word),
            channels: format.channels,
            rate: format.rate,
            is_unmistakable: format.is_unmistakable(),
            start: data_at.saturating_add(start),
            length: data_at.saturating_add(data.into()),
        }
    }
}

/// Checks that a media has the byte order of the one in whose place a file of its own puts it.
///
/// # Errors
/// If it has the other one, or the old media cannot be read.
pub fn check_byte_order(media: &[u8], old: &dyn Source) -> Result<(), Error> {
    let mut limits = unreal::Limits::with_structures(4);
    let head = read_region(old, 0, old.len().min(4), WHAT, &mut limits)?;
    is_big_endian(&head).map_or(Ok(()), |is_big_endian| check_order(media, is_big_endian, WHAT))
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
    fn the_first_bytes_tell_as_much_as_the_whole_head() {
        for (tag, extra) in [(0x0001, 6), (0x0002, 6), (0x0002, 32), (0xFFFE, 6), (0x3039, 6), (0x0055, 6)] {
            let mut bytes = media(1, None);
            bytes[20..22].copy_from_slice(&u16::to_le_bytes(tag));
            bytes[36..38].copy_from_slice(&u16::to_le_bytes(extra));
            let whole = WemHead::read(&bytes).unwrap().is_unmistakable;
            let of_head = |head| WemFormat::of_head(head).map(|format| format.is_unmistakable());
            assert_eq!(of_head(&bytes[..40]), Some(whole), "{tag:#x}");
            assert_eq!(of_head(&bytes[..30]), None);
        }
    }

    #[test]
    fn adpcm_is_told_by_its_blocks_and_coefficients() {
        let codec = |tag: u16, channels: u16, align: u16, extra: u16| {
            let words = [tag, channels, 0, 0, 0, 0, align, 4, extra];
            let chunk: Vec<u8> = words.into_iter().flat_map(u16::to_le_bytes).collect();
            WemFormat::read(&chunk, false).unwrap().codec()
        };
        assert_eq!(codec(2, 2, 0x48, 6), Some(WemCodec::Ima));
        assert_eq!(codec(2, 2, 0x208, 6), Some(WemCodec::Ptadpcm));
        assert_eq!(codec(2, 2, 0x10, 0x0C + 2 * 0x2E), Some(WemCodec::Dsp));
        assert_eq!((codec(2, 2, 0x49, 6), codec(2, 0, 0x24, 6)), (None, None));
    }

    #[test]
    fn every_cut_of_a_head_is_an_error() {
        let bytes = media(2, Some((1, 2)));
        let data = bytes.windows(4).position(|tag| tag == b"data").unwrap() + 8;
        assert!(WemHead::read(&bytes[..data]).is_ok());
        assert!((0..data).all(|length| WemHead::read(&bytes[..length]).is_err()));
    }
}
