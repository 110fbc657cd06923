//! FSB5 written: a sample bank with other sounds, all of them PCM of 16 bits.
//!
//! All sounds of a sample bank have one codec. To put a recording among sounds of another one, all of them become PCM.

use std::collections::{BTreeMap, HashMap};

use super::FsbCodec;
use super::fsb::{Head, RATES, STEP, chunk_type};
use crate::reader::Reader;
use crate::{Error, ErrorKind};

/// A recording that takes the place of a sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSound {
    /// Channels.
    pub channels: u8,
    /// Frames per second.
    pub rate: u32,
    /// Interleaved values of 16 bits, low bytes first.
    pub data: Vec<u8>,
    /// Loop in frames, with an exclusive end.
    pub loop_range: Option<(u32, u32)>,
}

/// What becomes of a sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SoundChange {
    /// Another recording takes its place, with a loop of that.
    New(NewSound),
    /// It stays, but is stored as PCM; rate and loop are those of its header.
    Decoded {
        /// Channels.
        channels: u8,
        /// Interleaved values of 16 bits, low bytes first.
        data: Vec<u8>,
    },
}

impl SoundChange {
    /// Returns the channels.
    pub(super) const fn channels(&self) -> u8 {
        match self {
            Self::New(sound) => sound.channels,
            Self::Decoded { channels, .. } => *channels,
        }
    }

    /// Returns the values, low bytes first.
    pub(super) fn data(&self) -> &[u8] {
        match self {
            Self::New(sound) => &sound.data,
            Self::Decoded { data, .. } => data,
        }
    }

    /// Returns the number of frames.
    pub(super) fn frames(&self) -> u64 {
        let frame = usize::from(self.channels()).saturating_mul(2);
        self.data().len().checked_div(frame).unwrap_or_default() as u64
    }
}

const WHAT: &str = "FSB5";
/// The number of 16-bit PCM among the codecs.
const PCM16: u32 = 2;
/// The flag of big-endian values.
const BIG_ENDIAN: u32 = 1;
/// Offsets of fields of the head.
const HEADERS_AT: usize = 0x0C;
const NAMES_AT: usize = 0x10;
const DATA_AT: usize = 0x14;
const CODEC_AT: usize = 0x18;
const FLAGS_AT: usize = 0x20;

/// A sample header as it is stored.
struct Entry<'b> {
    bits: u64,
    chunks: Vec<(u32, &'b [u8])>,
}

/// Bits of a sample header: the lowest one, and how many there are.
mod bits {
    pub(super) const RATE: (u32, u32) = (1, 4);
    pub(super) const CHANNELS: (u32, u32) = (5, 2);
    pub(super) const OFFSET: (u32, u32) = (7, 27);
    pub(super) const FRAMES: (u32, u32) = (34, 30);
}

fn mask((_, width): (u32, u32)) -> u64 {
    1_u64.checked_shl(width).unwrap_or_default().wrapping_sub(1)
}

impl<'b> Entry<'b> {
    fn read(reader: &mut Reader<'b>) -> Result<Self, Error> {
        let bits = reader.u64()?;
        let mut entry = Self { bits, chunks: Vec::new() };
        let mut has_more = bits & 1 != 0;
        while has_more {
            let word = reader.u32()?;
            has_more = word & 1 != 0;
            let size = usize::try_from((word >> 1) & 0xFF_FFFF).unwrap_or(usize::MAX);
            entry.chunks.push((word >> 25, reader.bytes(size)?));
        }
        Ok(entry)
    }

    fn get(&self, field: (u32, u32)) -> u64 {
        self.bits.checked_shr(field.0).unwrap_or_default() & mask(field)
    }

    /// Sets a field.
    ///
    /// # Errors
    /// If the value has more bits than the field.
    fn set(&mut self, field: (u32, u32), value: u64) -> Result<(), Error> {
        if value > mask(field) {
            return Err(too_large());
        }
        let shift = |value: u64| value.checked_shl(field.0).unwrap_or_default();
        self.bits = (self.bits & !shift(mask(field))) | shift(value);
        Ok(())
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend(((self.bits & !1) | u64::from(!self.chunks.is_empty())).to_le_bytes());
        for (index, (kind, data)) in self.chunks.iter().enumerate() {
            let size = u32::try_from(data.len()).ok().filter(|size| *size <= 0xFF_FFFF);
            let has_more = u32::from(index.saturating_add(1) < self.chunks.len());
            let word = has_more | (size.ok_or_else(too_large)? << 1) | (kind << 25);
            out.extend(word.to_le_bytes());
            out.extend(*data);
        }
        Ok(())
    }
}

fn too_large() -> Error {
    Error::new(ErrorKind::Malformed("would have more than a sample bank can state"), 0, WHAT)
}

/// Chunks that a changed sound has, which have to live as long as its header.
#[derive(Default)]
struct NewChunks {
    channels: Option<[u8; 1]>,
    rate: Option<[u8; 4]>,
    loop_range: Option<[u8; 8]>,
}

impl NewChunks {
    fn of(change: Option<&SoundChange>, entry: &Entry<'_>) -> Self {
        let Some(change) = change else { return Self::default() };
        let channels = change.channels();
        let mut chunks = Self::default();
        if channel_bits(channels).is_none() {
            chunks.channels = Some([channels]);
        }
        let range = match change {
            SoundChange::New(sound) => {
                if !RATES.contains(&sound.rate) {
                    chunks.rate = Some(sound.rate.to_le_bytes());
                }
                sound.loop_range.filter(|(start, end)| start < end)
            }
            SoundChange::Decoded { .. } => {
                let old = entry.chunks.iter().find(|(kind, _)| *kind == chunk_type::LOOP);
                old.and_then(|(_, data)| {
                    let mut reader = Reader::new(data, 0, WHAT);
                    let (first, last) = (reader.u32().ok()?, reader.u32().ok()?);
                    let end = u64::from(last).saturating_add(1).min(change.frames());
                    Some((first, u32::try_from(end).ok()?)).filter(|(start, end)| start < end)
                })
            }
        };
        chunks.loop_range = range.map(|(start, end)| {
            let mut bytes = [0; 8];
            let both = start.to_le_bytes().into_iter().chain(end.saturating_sub(1).to_le_bytes());
            bytes.iter_mut().zip(both).for_each(|(byte, value)| *byte = value);
            bytes
        });
        chunks
    }
}

/// Returns the two bits of a number of channels.
const fn channel_bits(channels: u8) -> Option<u64> {
    match channels {
        1 => Some(0),
        2 => Some(1),
        6 => Some(2),
        8 => Some(3),
        _ => None,
    }
}

/// Returns whether a chunk stays in the header of a sound that becomes PCM, apart from those that are written anew.
const fn stays(kind: u32, change: &SoundChange) -> bool {
    match kind {
        chunk_type::COMMENT => true,
        chunk_type::RATE => matches!(change, SoundChange::Decoded { .. }),
        _ => false,
    }
}

/// Returns a sample bank with changed sounds, by their numbers. `plain` is the old one, decrypted.
///
/// # Errors
/// If one stays in another codec than PCM of 16 bits, or the bank would have more than it can state.
pub(super) fn write(
    plain: &[u8],
    head: &Head,
    changes: &BTreeMap<u32, SoundChange>,
) -> Result<Vec<u8>, Error> {
    let mut reader = Reader::new(plain, 0, WHAT);
    let fixed = reader.bytes(size(head.head))?;
    let mut headers = reader.part(size(head.headers), "FSB5 sample headers")?;
    let names = reader.bytes(size(head.names))?;
    let data = reader.bytes(size(head.data))?;
    let count = headers.fitting(head.count.into(), 8)?;
    let mut entries: Vec<Entry<'_>> =
        (0..count).map(|_| Entry::read(&mut headers)).collect::<Result<_, _>>()?;
    let change = |index: usize| u32::try_from(index).ok().and_then(|number| changes.get(&number));
    let was_pcm = head.codec == FsbCodec::Pcm16;
    if !was_pcm && (0..count).any(|index| change(index).is_none()) {
        let text = "all sounds have to become PCM, as one does".into();
        return Err(Error::new(ErrorKind::Unsupported(text), 0, WHAT));
    }
    let is_big_endian = was_pcm && head.is_big_endian;
    let new_data = place(&mut entries, data, &change, is_big_endian)?;
    let chunks: Vec<NewChunks> =
        entries.iter().enumerate().map(|(index, entry)| NewChunks::of(change(index), entry)).collect();
    let mut new_headers = Vec::with_capacity(size(head.headers));
    for ((index, entry), new) in entries.iter_mut().enumerate().zip(&chunks) {
        if let Some(change) = change(index) {
            describe(entry, change, new)?;
        }
        entry.write(&mut new_headers)?;
    }
    let mut new_names = names.to_vec();
    if new_headers.len() != size(head.headers) {
        // The padding after the names is what makes the data begin at a multiple of 32.
        new_names.truncate(end_of_names(names, count));
        let start = fixed.len().saturating_add(new_headers.len()).saturating_add(new_names.len());
        let padding = start.next_multiple_of(size(STEP)).saturating_sub(start);
        new_names.resize(new_names.len().saturating_add(padding), 0);
    }
    let mut fixed = fixed.to_vec();
    let mut flags = Reader::new(&fixed, 0, WHAT);
    flags.skip(FLAGS_AT)?;
    let flags = if was_pcm { flags.u32()? } else { flags.u32()? & !BIG_ENDIAN };
    let length = |part: &[u8]| u32::try_from(part.len()).map_err(|_| too_large());
    let fields = [
        (HEADERS_AT, length(&new_headers)?),
        (NAMES_AT, length(&new_names)?),
        (DATA_AT, length(&new_data)?),
        (CODEC_AT, PCM16),
        (FLAGS_AT, flags),
    ];
    for (at, value) in fields {
        if let Some(field) = fixed.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<4>) {
            *field = value.to_le_bytes();
        }
    }
    Ok([fixed, new_headers, new_names, new_data].concat())
}

fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Lays the sounds out in the order of their old offsets, and tells their headers.
fn place<'c>(
    entries: &mut [Entry<'_>],
    data: &[u8],
    change: &dyn Fn(usize) -> Option<&'c SoundChange>,
    is_big_endian: bool,
) -> Result<Vec<u8>, Error> {
    let mut order: Vec<(u64, usize)> =
        entries.iter().enumerate().map(|(index, entry)| (entry.get(bits::OFFSET), index)).collect();
    order.sort_unstable();
    let starts: Vec<u64> = order.iter().map(|(offset, _)| *offset).collect();
    let mut placed: HashMap<u64, u64> = HashMap::new();
    let mut new = Vec::new();
    for (offset, index) in order {
        let at = new.len() as u64;
        let known = placed.get(&offset).copied().filter(|_| change(index).is_none());
        let position = known.unwrap_or(at);
        if known.is_none() {
            match change(index) {
                Some(change) if is_big_endian => {
                    new.extend(change.data().chunks_exact(2).flat_map(|pair| pair.iter().rev()));
                }
                Some(change) => new.extend(change.data()),
                None => {
                    placed.insert(offset, position);
                    let next = starts.partition_point(|start| *start <= offset);
                    let begin = size(offset.saturating_mul(STEP));
                    let end = starts.get(next).map_or(data.len(), |end| size(end.saturating_mul(STEP)));
                    let kept = data.get(begin..end.min(data.len())).ok_or_else(|| {
                        let (end, length) = (begin as u64, data.len() as u64);
                        Error::new(ErrorKind::Outside { end, length }, 0, "FSB5 sample headers")
                    })?;
                    new.extend(kept);
                }
            }
            // Two sounds never begin at the same offset: their length is the distance to the next one.
            let length = new.len().max(size(position).saturating_add(1)).next_multiple_of(size(STEP));
            let is_last_kept = change(index).is_none() && starts.last() == Some(&offset);
            if !is_last_kept {
                new.resize(length, 0);
            }
        }
        let steps = position.checked_div(STEP).unwrap_or_default();
        entries.get_mut(index).map_or(Ok(()), |entry| entry.set(bits::OFFSET, steps))?;
    }
    Ok(new)
}

/// Says in a header what became of its sound.
fn describe<'b>(entry: &mut Entry<'b>, change: &SoundChange, new: &'b NewChunks) -> Result<(), Error> {
    entry.set(bits::FRAMES, change.frames())?;
    if let Some(bits) = channel_bits(change.channels()) {
        entry.set(bits::CHANNELS, bits)?;
    }
    if let SoundChange::New(sound) = change
        && let Some(index) = RATES.iter().position(|rate| *rate == sound.rate)
    {
        entry.set(bits::RATE, index as u64)?;
    }
    let anew = [
        (chunk_type::CHANNELS, new.channels.as_ref().map(<[u8; 1]>::as_slice)),
        (chunk_type::RATE, new.rate.as_ref().map(<[u8; 4]>::as_slice)),
        (chunk_type::LOOP, new.loop_range.as_ref().map(<[u8; 8]>::as_slice)),
    ];
    // In their old order, where there was one: a sound that is replaced by itself has the same header.
    let mut chunks: Vec<(u32, &'b [u8])> = Vec::new();
    for (kind, data) in std::mem::take(&mut entry.chunks) {
        if stays(kind, change) {
            chunks.push((kind, data));
        } else if let Some((_, Some(data))) = anew.iter().find(|(of, _)| *of == kind)
            && !chunks.iter().any(|(of, _)| *of == kind)
        {
            chunks.push((kind, data));
        }
    }
    for (kind, data) in anew {
        if let Some(data) = data
            && !chunks.iter().any(|(of, _)| *of == kind)
        {
            chunks.push((kind, data));
        }
    }
    entry.chunks = chunks;
    Ok(())
}

/// Returns where the last name ends; all of the table if that is not certain.
fn end_of_names(names: &[u8], count: usize) -> usize {
    let mut offsets = Reader::new(names, 0, "FSB5 names");
    let ends = (0..count).map(|_| {
        let at = offsets.u32().ok().and_then(|at| usize::try_from(at).ok())?;
        let length = names.get(at..)?.iter().position(|byte| *byte == 0)?;
        Some(at.saturating_add(length).saturating_add(1))
    });
    let ends: Option<Vec<usize>> = ends.collect();
    ends.and_then(|ends| ends.into_iter().max()).unwrap_or(names.len())
}
