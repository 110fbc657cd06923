use std::collections::{HashMap, HashSet};

use unreal::{Limits, Source};

use super::bank::{Bank, Chunk, StoredMedia};
use super::hierarchy::{Body, SoundSource};
use crate::reader::read_region;
use crate::{Error, ErrorKind};

/// A media that takes the place of another one of the same id.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'m> {
    /// The id.
    pub id: u32,
    /// Bytes to store in the bank: all of the media, or the start of a streamed one. None keeps the bank's bytes, for
    /// media outside of the bank.
    pub bytes: Option<&'m [u8]>,
    /// Codec that all sources with this id are given ([`PCM`] or another); none leaves them theirs.
    pub codec: Option<u32>,
    /// Size that all sources with this id state; none leaves them theirs. It is the length of the media in the bank or
    /// of a loose one that is loaded with it, and of a streamed one what is needed to begin.
    pub size: Option<u32>,
}

/// The codec word of PCM.
pub const PCM: u32 = 0x0001_0001;

/// A bank with another media.
#[derive(Clone, Debug)]
pub struct RewrittenBank {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// How many sources have the id.
    pub sources: usize,
    /// Whether the bank holds bytes of the media, which were replaced if there were any to replace them by.
    pub is_listed: bool,
    /// Whether a music track plays it: its times are those of the old media.
    pub is_music: bool,
}

/// Replaces a media in a bank. Media keep their order in DATA, each on the bank's alignment; everything but DATA, its
/// list, and the codec and size of the sources stays byte for byte.
///
/// # Errors
/// If the bank is damaged, an item that may use the media could not be read, or the file would pass 4 GiB.
pub fn rewrite(
    source: &dyn Source,
    replacement: &Replacement<'_>,
    limits: &mut Limits,
) -> Result<RewrittenBank, Error> {
    let what = "Wwise bank";
    let mut bank = Bank::read(source, (0, source.len()), Some(replacement.id), limits)?;
    if let Some(error) = bank.error.take().or_else(|| bank.hierarchy.error.take()) {
        return Err(error);
    }
    let mut rewritten = RewrittenBank { bytes: Vec::new(), sources: 0, is_listed: false, is_music: false };
    let mut patches: HashMap<u64, u32> = HashMap::new();
    for item in &bank.hierarchy.items {
        for source in item.body.sources().iter().filter(|source| source.media == replacement.id) {
            if matches!(item.body, Body::Unread(_)) {
                let text = format!("item {} uses the media, but could not be read", item.id);
                return Err(Error::new(ErrorKind::Unsupported(text), source.plugin_at, what));
            }
            rewritten.is_music |= matches!(item.body, Body::Track(..));
            rewritten.sources = rewritten.sources.saturating_add(1);
            patch(source, replacement, &mut patches)?;
        }
    }
    let layout = match (&replacement.bytes, bank.chunk(*b"DATA")) {
        (Some(bytes), Some(data)) => Some(DataLayout::of(&bank, data, replacement.id, bytes)?),
        _ => None,
    };
    rewritten.is_listed = bank.media.iter().any(|media| media.id == replacement.id);
    let layout = layout.filter(|_| rewritten.is_listed);
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
                    Error::new(ErrorKind::Malformed("a source outside of its chunk"), *at, what)
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

fn too_large(at: u64) -> Error {
    Error::new(ErrorKind::Malformed("would be larger than 4 GiB"), at, "Wwise bank")
}

/// Notes what changes in a source.
fn patch(
    source: &SoundSource,
    replacement: &Replacement<'_>,
    patches: &mut HashMap<u64, u32>,
) -> Result<(), Error> {
    if let Some(codec) = replacement.codec {
        if !source.is_codec() {
            let text = "the media of a generator is no recording".into();
            return Err(Error::new(ErrorKind::Unsupported(text), source.plugin_at, "Wwise source"));
        }
        patches.insert(source.plugin_at, codec);
    }
    if let (Some(size), Some(at)) = (replacement.size, source.size_at) {
        patches.insert(at, size);
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
    fn of(bank: &Bank, data: Chunk, id: u32, bytes: &'m [u8]) -> Result<Self, Error> {
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
            let is_new = media.id == id;
            let length = if is_new { bytes.len() as u64 } else { media.length };
            let shared = known.get(&(media.at, media.length)).copied().filter(|_| !is_new);
            let at = shared.unwrap_or_else(|| {
                let at = layout.length.checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
                layout.length = at.saturating_add(length);
                layout.pieces.push((at, if is_new { Piece::New(bytes) } else { Piece::Old(media) }));
                at
            });
            if !is_new {
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
