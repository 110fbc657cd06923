use std::collections::{HashMap, HashSet};

use unreal::{Limits, Source};

use super::bank::{Bank, Chunk, StoredMedia};
use super::hierarchy::Body;
use super::layout::{Layout, SourceCoding};
use super::wem::{WemHead, check_order};
use crate::reader::read_region;
use crate::{Error, ErrorKind, StreamKind};

/// A media that takes the place of another one of the same id.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'m> {
    /// The id.
    pub id: u32,
    /// The whole media. A bank that holds only the start of the old one gets as many bytes of it.
    pub bytes: &'m [u8],
    /// Codec that all sources with this id are given ([`PCM`] or another); none leaves them theirs.
    pub codec: Option<u32>,
    /// Size that sources state which stream the media without a start in a bank; none leaves them theirs.
    pub start: Option<u32>,
}

/// The codec word of PCM.
pub const PCM: u32 = 0x0001_0001;

/// A bank with other media.
#[derive(Clone, Debug)]
pub struct RewrittenBank {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// How the bank uses each media, in the order of the replacements.
    pub uses: Vec<MediaUse>,
}

/// How a bank uses a media.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MediaUse {
    /// How many sources have the id.
    pub sources: usize,
    /// Whether the bank holds bytes of it.
    pub is_listed: bool,
    /// Whether these are only its start.
    pub is_start: bool,
    /// Whether a source takes it from a file beside the bank, all of it or what comes after the start.
    pub is_loose: bool,
    /// Whether a music track plays it: its times are those of the old media.
    pub is_music: bool,
}

impl MediaUse {
    /// Adds how another bank uses the media.
    pub fn add(&mut self, other: &Self) {
        self.sources = self.sources.saturating_add(other.sources);
        self.is_listed |= other.is_listed;
        self.is_start |= other.is_start;
        self.is_loose |= other.is_loose;
        self.is_music |= other.is_music;
    }

    /// Returns whether the bank has anything to do with the media.
    #[must_use]
    pub const fn is_any(&self) -> bool {
        self.sources > 0 || self.is_listed
    }
}

const WHAT: &str = "Wwise bank";

/// Tells how a bank uses media, in the order of their ids.
///
/// # Errors
/// If the bank is damaged, or an item that may use one of the media could not be read.
pub fn uses(source: &dyn Source, ids: &[u32], limits: &mut Limits) -> Result<Vec<MediaUse>, Error> {
    let bank = read_bank(source, (0, source.len()), ids, limits)?;
    ids.iter().map(|id| use_of(&bank, *id, source)).collect()
}

/// Reads a bank that is whole, with its items scanned for media.
pub(super) fn read_bank(
    source: &dyn Source,
    region: (u64, u64),
    ids: &[u32],
    limits: &mut Limits,
) -> Result<Bank, Error> {
    let mut bank = Bank::read(source, region, ids, limits)?;
    match bank.error.take().or_else(|| bank.hierarchy.error.take()) {
        Some(error) => Err(error),
        None => Ok(bank),
    }
}

/// Tells how a bank uses a media.
pub(super) fn use_of(bank: &Bank, id: u32, file: &dyn Source) -> Result<MediaUse, Error> {
    let mut found = MediaUse::default();
    let mut is_prefetch = false;
    for item in &bank.hierarchy.items {
        for source in item.body.sources().iter().filter(|source| source.media == id) {
            if matches!(item.body, Body::Unread(_)) {
                let text = format!("item {} uses the media, but could not be read", item.id);
                return Err(Error::new(ErrorKind::Unsupported(text), source.plugin_at, WHAT));
            }
            if !source.is_codec() {
                let text = "the media of a generator is no recording".into();
                return Err(Error::new(ErrorKind::Unsupported(text), source.plugin_at, WHAT));
            }
            found.is_music |= matches!(item.body, Body::Track(..));
            found.sources = found.sources.saturating_add(1);
            is_prefetch |= source.stream == StreamKind::Prefetch;
            found.is_loose |= source.stream != StreamKind::Memory;
        }
    }
    let listed = bank.media.iter().find(|media| media.id == id);
    found.is_listed = listed.is_some();
    if let Some(media) = listed {
        found.is_start = is_start(file, media)?.unwrap_or(is_prefetch);
    }
    found.is_loose |= found.is_start || (found.sources > 0 && !found.is_listed);
    Ok(found)
}

/// Returns whether the bytes of a media in a bank are less than it states; none if it states nothing.
fn is_start(file: &dyn Source, media: &StoredMedia) -> Result<Option<bool>, Error> {
    /// Bytes that hold all chunks before the samples, tables for seeking included.
    const HEAD: u64 = 1 << 16;
    let length = media.length.min(HEAD);
    let head = read_region(file, media.at, length, "Wwise media", &mut Limits::with_structures(length))?;
    Ok(WemHead::read(&head).ok().map(|head| head.length > media.length))
}

/// Replaces media in a bank. Media keep their order in DATA, each on the bank's alignment; everything but DATA, its
/// list, and the codec and size of the sources stays byte for byte.
///
/// # Errors
/// If the bank is damaged, an item that may use a media could not be read, a new media has the other byte order, or the
/// file would pass 4 GiB.
pub fn rewrite(
    source: &dyn Source,
    replacements: &[Replacement<'_>],
    limits: &mut Limits,
) -> Result<RewrittenBank, Error> {
    let ids: Vec<u32> = replacements.iter().map(|replacement| replacement.id).collect();
    let bank = read_bank(source, (0, source.len()), &ids, limits)?;
    // Items of old versions state offsets in the bank, which would have to follow.
    let states_offsets =
        !matches!(Layout::of(bank.header.version).source, SourceCoding::Size | SourceCoding::CacheSize);
    let mut rewritten = RewrittenBank { bytes: Vec::new(), uses: Vec::new() };
    let mut patches: HashMap<u64, u32> = HashMap::new();
    let mut stored: HashMap<u32, StoredBytes<'_>> = HashMap::new();
    for replacement in replacements {
        let uses = use_of(&bank, replacement.id, source)?;
        if states_offsets && uses.is_any() {
            let text = format!("banks of {} are not written", bank.header.version);
            return Err(Error::new(ErrorKind::Unsupported(text), 0, WHAT));
        }
        if uses.is_any() {
            check_order(replacement.bytes, bank.header.is_big_endian, WHAT)?;
        }
        if uses.is_listed {
            stored.insert(replacement.id, StoredBytes { bytes: replacement.bytes, is_start: uses.is_start });
        }
        patch(&bank, replacement, uses, &mut patches)?;
        rewritten.uses.push(uses);
    }
    let layout = match bank.chunk(*b"DATA") {
        Some(data) if !stored.is_empty() => Some(DataLayout::of(&bank, data, &stored)?),
        _ => None,
    };
    let is_big_endian = bank.header.is_big_endian;
    let word = |value: u32| if is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    for chunk in &bank.chunks {
        let mut bytes = match (&chunk.tag, &layout) {
            (b"DATA", Some(layout)) => layout.data(source)?,
            (b"DIDX", Some(layout)) => layout.list(&word),
            _ => copy(source, chunk.at, chunk.length)?,
        };
        if &chunk.tag == b"HIRC" {
            for (at, value) in &patches {
                let start = at.checked_sub(chunk.at).and_then(|start| usize::try_from(start).ok());
                let place = start.and_then(|start| bytes.get_mut(start..)?.first_chunk_mut::<4>());
                *place.ok_or_else(|| {
                    Error::new(ErrorKind::Malformed("a source outside of its chunk"), *at, WHAT)
                })? = word(*value);
            }
        }
        let length = u32::try_from(bytes.len()).map_err(|_| too_large(chunk.at))?;
        rewritten.bytes.extend(chunk.tag);
        rewritten.bytes.extend(word(length));
        rewritten.bytes.append(&mut bytes);
    }
    Ok(rewritten)
}

/// Bytes that take the place of those of a media in a bank.
#[derive(Clone, Copy)]
struct StoredBytes<'m> {
    bytes: &'m [u8],
    /// Whether only as many are taken as were there.
    is_start: bool,
}

impl<'m> StoredBytes<'m> {
    /// Returns what is stored in the place of so many bytes.
    fn of(&self, length: u64) -> &'m [u8] {
        let start = usize::try_from(length).ok().and_then(|length| self.bytes.get(..length));
        start.filter(|_| self.is_start).unwrap_or(self.bytes)
    }
}

fn too_large(at: u64) -> Error {
    Error::new(ErrorKind::Malformed("would be larger than 4 GiB"), at, "Wwise bank")
}

/// Notes what changes in the sources of a media.
fn patch(
    bank: &Bank,
    replacement: &Replacement<'_>,
    uses: MediaUse,
    patches: &mut HashMap<u64, u32>,
) -> Result<(), Error> {
    let listed = bank.media.iter().find(|media| media.id == replacement.id);
    let whole = u32::try_from(replacement.bytes.len()).map_err(|_| too_large(0))?;
    let stored = listed
        .map(|media| StoredBytes { bytes: replacement.bytes, is_start: uses.is_start }.of(media.length));
    let stored = stored.map_or(Ok(None), |bytes| u32::try_from(bytes.len()).map(Some));
    let stored = stored.map_err(|_| too_large(0))?;
    for source in bank.sources().filter(|source| source.media == replacement.id) {
        if let Some(codec) = replacement.codec {
            patches.insert(source.plugin_at, codec);
        }
        let size = match source.stream {
            StreamKind::Memory => Some(stored.unwrap_or(whole)),
            StreamKind::Prefetch => Some(stored.unwrap_or_else(|| source.size.min(whole))),
            StreamKind::Streamed => replacement.start,
        };
        if let (Some(size), Some(at)) = (size, source.size_at) {
            patches.insert(at, size);
        }
    }
    Ok(())
}

fn copy(source: &dyn Source, at: u64, length: u64) -> Result<Vec<u8>, Error> {
    // Bytes of the file itself, which are there: no structure is made of them.
    read_region(source, at, length, "Wwise chunk", &mut Limits::with_structures(length))
}

/// Where media are in a new DATA.
struct DataLayout<'m> {
    /// The list in its order, with new offsets in DATA and lengths.
    list: Vec<(u32, u32, u32)>,
    /// Pieces of DATA in their order: the offset, and what is there.
    pieces: Vec<(u64, Piece<'m>)>,
    /// Bytes of DATA.
    length: u64,
}

enum Piece<'m> {
    Old(StoredMedia),
    New(&'m [u8]),
}

impl<'m> DataLayout<'m> {
    fn of(bank: &Bank, data: Chunk, stored: &HashMap<u32, StoredBytes<'m>>) -> Result<Self, Error> {
        let alignment = u64::from(bank.header.alignment);
        let mut order: Vec<(usize, StoredMedia)> = bank.media.iter().copied().enumerate().collect();
        order.sort_by_key(|(_, media)| media.at);
        let mut layout = Self { list: vec![(0, 0, 0); bank.media.len()], pieces: Vec::new(), length: 0 };
        // Two entries of the list may name the same bytes.
        let mut known: HashMap<(u64, u64), u64> = HashMap::new();
        let mut seen = HashSet::new();
        let mut last = 0_u64;
        for (index, media) in order {
            let end = data.at.saturating_add(data.length);
            let media_end = media.at.saturating_add(media.length);
            if media.at < data.at || media_end > end {
                return Err(Error::new(
                    ErrorKind::Outside { end: media_end, length: end },
                    media.at,
                    "Wwise media",
                ));
            }
            // A damaged list could name all bytes over and over.
            if media.at < last && !seen.contains(&(media.at, media.length)) {
                return Err(Error::new(
                    ErrorKind::Malformed("overlaps another one"),
                    media.at,
                    "Wwise media",
                ));
            }
            last = last.max(media_end);
            seen.insert((media.at, media.length));
            let new = stored.get(&media.id).map(|stored| stored.of(media.length));
            let length = new.map_or(media.length, |bytes| bytes.len() as u64);
            let shared = known.get(&(media.at, media.length)).copied().filter(|_| new.is_none());
            let at = shared.unwrap_or_else(|| {
                let at = layout.length.checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
                layout.length = at.saturating_add(length);
                layout.pieces.push((at, new.map_or(Piece::Old(media), Piece::New)));
                at
            });
            if new.is_none() {
                known.insert((media.at, media.length), at);
            }
            let [at, length] = [at, length].map(u32::try_from);
            if let (Some(entry), Ok(at), Ok(length)) = (layout.list.get_mut(index), at, length) {
                *entry = (media.id, at, length);
            } else {
                return Err(too_large(media.at));
            }
        }
        Ok(layout)
    }

    fn list(&self, word: &dyn Fn(u32) -> [u8; 4]) -> Vec<u8> {
        self.list.iter().flat_map(|(id, at, length)| [*id, *at, *length]).flat_map(word).collect()
    }

    fn data(&self, source: &dyn Source) -> Result<Vec<u8>, Error> {
        let length = usize::try_from(self.length).map_err(|_| too_large(0))?;
        let mut data = Vec::with_capacity(length);
        for (at, piece) in &self.pieces {
            data.resize(usize::try_from(*at).map_err(|_| too_large(*at))?, 0);
            match piece {
                Piece::Old(media) => data.append(&mut copy(source, media.at, media.length)?),
                Piece::New(bytes) => data.extend_from_slice(bytes),
            }
        }
        Ok(data)
    }
}
