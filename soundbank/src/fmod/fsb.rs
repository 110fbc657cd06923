//! FSB5: a sample bank, with the headers, names and bytes of its sounds.
//!
//! ```text
//! head │ sample headers: u64, chunks while one says that another follows │ names │ data, in steps of 32 bytes
//! ```

use std::sync::Arc;

use unreal::{Limits, Source};

use super::crypt::FsbCipher;
use super::{FsbCodec, SampleHeader};
use crate::reader::{Reader, read_region, take};
use crate::{Error, ErrorKind};

/// The first bytes of a sample bank.
pub(super) const MAGIC: [u8; 4] = *b"FSB5";
/// Bytes of the head; a bank of version 0 has four more.
pub(super) const HEAD: u64 = 0x3C;
const HEAD_OF_VERSION_0: u64 = 0x40;
/// Unit of offsets of data, in bytes.
pub(super) const STEP: u64 = 32;
/// Frames per second by their index.
pub(super) const RATES: [u32; 11] =
    [4000, 8000, 11000, 11025, 16000, 22050, 24000, 32000, 44100, 48000, 96000];
/// Types of the chunks of a sample header.
pub(super) mod chunk_type {
    pub(in super::super) const CHANNELS: u32 = 1;
    pub(in super::super) const RATE: u32 = 2;
    pub(in super::super) const LOOP: u32 = 3;
    pub(in super::super) const COMMENT: u32 = 4;
    pub(in super::super) const VORBIS: u32 = 11;
    pub(in super::super) const LAYERS: u32 = 14;
}
/// The most bytes of a name.
const MAX_NAME: usize = 1024;
/// Cost of a sound in memory, its name apart.
const SOUND_COST: u64 = 256;

/// A sample bank.
#[derive(Clone, Debug, Default)]
pub(super) struct SampleBank {
    pub(super) sounds: Vec<Sound>,
}

/// A sound of a sample bank.
#[derive(Clone, Debug)]
pub(super) struct Sound {
    pub(super) header: Arc<SampleHeader>,
    pub(super) name: Option<String>,
    /// Offset in the file.
    pub(super) at: u64,
    /// Length in bytes, with padding.
    pub(super) length: u64,
}

/// What the head says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) count: u32,
    pub(super) codec: FsbCodec,
    pub(super) is_big_endian: bool,
    /// Bytes of the head itself.
    pub(super) head: u64,
    pub(super) headers: u64,
    pub(super) names: u64,
    pub(super) data: u64,
}

/// What a sample header says, before the sizes follow from all of them.
struct Entry {
    header: SampleHeader,
    /// Offset in the data.
    offset: u64,
}

impl SampleBank {
    /// Reads the headers and names of a sample bank that lies in a region of a file.
    ///
    /// # Errors
    /// If it is none, is encrypted and the key does not open it, contradicts itself, or takes more memory than allowed.
    pub(super) fn read(
        source: &dyn Source,
        at: u64,
        length: u64,
        key: Option<&str>,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let stored = read_region(source, at, HEAD.min(length), "FSB5 head", limits)?;
        let (head, cipher) = open(&stored, at, length, key)?;
        let region = |start: u64, length: u64, what: &'static str, limits: &mut Limits| {
            let mut bytes = read_region(source, start, length, what, limits)?;
            if let Some(cipher) = &cipher {
                cipher.apply(start, &mut bytes);
            }
            Ok(bytes)
        };
        let headers_at = at.saturating_add(head.head);
        let headers = region(headers_at, head.headers, "FSB5 sample headers", limits)?;
        let entries = entries(&headers, headers_at, &head, cipher.as_ref(), limits)?;
        let names_at = headers_at.saturating_add(head.headers);
        let names = region(names_at, head.names, "FSB5 names", limits)?;
        let data_at = names_at.saturating_add(head.names);
        let mut starts: Vec<u64> = entries.iter().map(|entry| entry.offset).collect();
        starts.sort_unstable();
        let mut sounds = Vec::new();
        for (number, Entry { header, offset }) in entries.into_iter().enumerate() {
            if offset > head.data {
                let end = data_at.saturating_add(offset);
                let length = data_at.saturating_add(head.data);
                return Err(Error::new(
                    ErrorKind::Outside { end, length },
                    headers_at,
                    "FSB5 sample headers",
                ));
            }
            let next = starts.partition_point(|&start| start <= offset);
            let end = starts.get(next).copied().unwrap_or(head.data).min(head.data);
            let name = name(&names, number);
            take(limits, name.as_ref().map_or(0, |name| name.len() as u64), names_at, "FSB5 names")?;
            sounds.push(Sound {
                header: Arc::new(header),
                name,
                at: data_at.saturating_add(offset),
                length: end.saturating_sub(offset),
            });
        }
        Ok(Self { sounds })
    }
}

/// Reads the head, decrypted where it has to be, and returns it with the cipher that opens it.
pub(super) fn open(
    stored: &[u8],
    at: u64,
    length: u64,
    key: Option<&str>,
) -> Result<(Head, Option<FsbCipher>), Error> {
    if stored.starts_with(&MAGIC) {
        return Head::read(stored, at, length).map(|head| (head, None));
    }
    if let Some(what) = other_format(stored) {
        return Err(Error::new(what, at, "FSB5 head"));
    }
    for cipher in FsbCipher::candidates(key.unwrap_or_default(), at) {
        let mut plain = stored.to_vec();
        cipher.apply(at, &mut plain);
        if plain.starts_with(&MAGIC)
            && let Ok(head) = Head::read(&plain, at, length)
        {
            return Ok((head, Some(cipher)));
        }
    }
    Err(Error::new(ErrorKind::Encrypted, at, "FSB5 head"))
}

/// Returns what the bytes are instead of a sample bank that is read, where that is known.
fn other_format(stored: &[u8]) -> Option<ErrorKind> {
    match stored {
        [b'F', b'S', b'B', version @ b'1'..=b'4', ..] => {
            Some(ErrorKind::Unsupported(format!("is a sample bank of FMOD Ex, FSB{}", char::from(*version))))
        }
        [] => Some(ErrorKind::NotThisFormat("an empty file")),
        stored if stored.iter().all(|&byte| byte == 0) => Some(ErrorKind::NotThisFormat("all zero bytes")),
        _ => None,
    }
}

impl Head {
    /// Reads the head of a bank that has so many bytes.
    fn read(bytes: &[u8], at: u64, length: u64) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, at, "FSB5 head");
        reader.skip(MAGIC.len())?;
        let head = match reader.u32()? {
            0 => HEAD_OF_VERSION_0,
            1 => HEAD,
            version => {
                return Err(reader.error(ErrorKind::Unsupported(format!("is FSB5 of version {version}"))));
            }
        };
        let count = reader.u32()?;
        let headers = u64::from(reader.u32()?);
        let names = u64::from(reader.u32()?);
        let data = u64::from(reader.u32()?);
        let codec = FsbCodec::of(reader.u32()?);
        reader.skip(4)?;
        let flags = reader.u32()?;
        let end = head.saturating_add(headers).saturating_add(names).saturating_add(data);
        if end > length {
            return Err(Error::new(ErrorKind::Outside { end, length }, at, "FSB5 head"));
        }
        Ok(Self { count, codec, is_big_endian: flags & 1 != 0, head, headers, names, data })
    }
}

fn entries(
    bytes: &[u8],
    at: u64,
    head: &Head,
    cipher: Option<&FsbCipher>,
    limits: &mut Limits,
) -> Result<Vec<Entry>, Error> {
    let mut reader = Reader::new(bytes, at, "FSB5 sample headers");
    let count = reader.fitting(head.count.into(), 8)?;
    take(limits, SOUND_COST.saturating_mul(count as u64), at, "FSB5 sample headers")?;
    (0..count).map(|_| entry(&mut reader, head, cipher)).collect()
}

/// Reads a sample header with its chunks.
fn entry(reader: &mut Reader<'_>, head: &Head, cipher: Option<&FsbCipher>) -> Result<Entry, Error> {
    let start = reader.clone();
    let bits = reader.u64()?;
    // The lowest bits of a word of 64, which any shift of less than 64 leaves defined.
    let field = |shift: u32, width: u32| bits.checked_shr(shift).unwrap_or_default() & !(u64::MAX << width);
    let mut rate = usize::try_from(field(1, 4)).ok().and_then(|index| RATES.get(index).copied());
    let mut channels = match field(5, 2) {
        0 => 1,
        1 => 2,
        2 => 6,
        _ => 8,
    };
    let mut layers = 1_u32;
    let mut loop_range = None;
    let mut vorbis_setup = None;
    let mut has_more = bits & 1 != 0;
    while has_more {
        let word = reader.u32()?;
        has_more = word & 1 != 0;
        let size = usize::try_from((word >> 1) & 0xFF_FFFF).unwrap_or(usize::MAX);
        let mut chunk = reader.part(size, "FSB5 sample chunk")?;
        match word >> 25 {
            chunk_type::CHANNELS => channels = u32::from(chunk.u8()?),
            chunk_type::RATE => rate = Some(chunk.u32()?),
            chunk_type::LOOP => {
                let (first, last) = (u64::from(chunk.u32()?), u64::from(chunk.u32()?));
                loop_range = (first <= last).then(|| (first, last.saturating_add(1)));
            }
            chunk_type::VORBIS => vorbis_setup = Some(chunk.u32()?),
            chunk_type::LAYERS => layers = chunk.u32()?.max(1),
            _ => {}
        }
    }
    let Some(rate) = rate else {
        return Err(start.error(ErrorKind::Malformed("a sample rate that has no number")));
    };
    let header = SampleHeader {
        codec: head.codec,
        is_big_endian: head.is_big_endian,
        rate,
        channels: channels.saturating_mul(layers),
        frames: field(34, 30),
        loop_range,
        vorbis_setup,
        cipher: cipher.cloned(),
    };
    Ok(Entry { header, offset: field(7, 27).saturating_mul(STEP) })
}

/// Returns the name of a sound; none if the table has none for it.
fn name(table: &[u8], number: usize) -> Option<String> {
    let mut offsets = Reader::new(table, 0, "FSB5 names");
    offsets.skip(number.checked_mul(4)?).ok()?;
    let at = usize::try_from(offsets.u32().ok()?).ok()?;
    let text = table.get(at..)?;
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    let text = text.get(..text.len().min(MAX_NAME)).unwrap_or_default();
    (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
}

impl FsbCodec {
    /// Returns the codec that a number stands for.
    const fn of(number: u32) -> Self {
        match number {
            1 => Self::PcmU8,
            2 => Self::Pcm16,
            3 => Self::Pcm24,
            4 => Self::Pcm32,
            5 => Self::PcmFloat,
            6 => Self::Dsp,
            7 => Self::Ima,
            8 => Self::Vag,
            9 => Self::HeVag,
            0x0A => Self::Xma,
            0x0B => Self::Mpeg,
            0x0C => Self::Celt,
            0x0D => Self::At9,
            0x0E => Self::Xwma,
            0x0F => Self::Vorbis,
            0x10 => Self::Fadpcm,
            0x11 => Self::Opus,
            number => Self::Other(number),
        }
    }
}
