//! The index of a pak: which entries there are, and under which paths.

use super::entry::Entry;
use super::footer::{Footer, IndexPart};
use super::version::EntryNaming;
use crate::base::crypt::{AesKey, Cipher, KeyRing};
use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::path::resolved;
use crate::base::reader::Reader;
use crate::base::source::{Memory, Source};
use crate::containers::sha1_of;

const WHAT: &str = "index of a pak";

/// What an index has.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) mount: String,
    /// Paths from the root on, and the entries.
    pub(super) entries: Vec<(Box<str>, Location)>,
    /// Entries in their encoded form, one after another.
    pub(super) encoded: Vec<u8>,
    /// Those that have no such form.
    pub(super) others: Vec<Entry>,
    /// The parts that were read, with what they turned out to be: their hashes are verified when that is asked for.
    pub(super) parts: Vec<(&'static str, IndexPart, [u8; 20])>,
    /// Where the hashes of paths are, and what they begin with, if there are any beside the paths.
    pub(super) path_hashes: Option<(IndexPart, u64)>,
}

/// Where an index has an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Location {
    /// From a byte of the encoded ones on.
    Encoded(u32),
    /// Among the others.
    Other(u32),
}

impl Location {
    /// None for what was deleted.
    pub(super) fn of(number: i32) -> Option<Self> {
        match (u32::try_from(number), number) {
            (Ok(place), _) => Some(Self::Encoded(place)),
            (_, i32::MIN) => None,
            (_, number) => Some(Self::Other(number.unsigned_abs().saturating_sub(1))),
        }
    }
}

/// Reads the bytes of a part of the index, and decrypts them.
pub(super) fn part(
    source: &dyn Source,
    part: IndexPart,
    decryption: Option<(&AesKey, Cipher)>,
    limits: &mut Limits,
) -> Result<Memory<Vec<u8>>, Error> {
    let end = part.offset.saturating_add(part.size);
    if end > source.len() {
        let fault = Malformed::OutsideFile { end, length: source.len() };
        return Err(Error::malformed(fault, part.offset, WHAT));
    }
    limits.take(part.size, part.offset, WHAT)?;
    let mut bytes = vec![0; usize::try_from(part.size).unwrap_or(usize::MAX)];
    source.read_at(part.offset, &mut bytes).map_err(|error| Error::from_io(error, part.offset, WHAT))?;
    if let Some((key, cipher)) = decryption {
        key.decrypt(cipher, 0, &mut bytes);
    }
    Ok(Memory(bytes))
}

/// Reads the index of a pak, with the key that opens it if it is encrypted; the cipher with which it does is set.
///
/// # Errors
/// If none of the keys opens it, it contradicts itself, or takes more than the limits allow.
pub(super) fn read(
    source: &dyn Source,
    footer: &mut Footer,
    keys: &KeyRing,
    limits: &mut Limits,
) -> Result<(Index, Option<AesKey>), Error> {
    if !footer.is_index_encrypted {
        let bytes = part(source, footer.index, None, limits)?;
        return Ok((parse(source, footer, &bytes, None, limits)?, None));
    }
    let rules = footer.possible_rules(keys);
    let tried = |key| rules.iter().map(move |rules| (key, *rules));
    for (key, rules) in keys.for_container(footer.key).flat_map(tried) {
        footer.set_rules(rules);
        let [cipher, ..] = footer.ciphers;
        let before = limits.clone();
        let bytes = part(source, footer.index, Some((key, cipher)), limits)?;
        if sha1_of(&bytes.0) == footer.index.sha1 {
            return Ok((parse(source, footer, &bytes, Some(key), limits)?, Some(key.clone())));
        }
        *limits = before;
    }
    Err(Error::encrypted(Some(footer.key), footer.index.offset, WHAT))
}

fn parse(
    source: &dyn Source,
    footer: &Footer,
    bytes: &Memory<Vec<u8>>,
    key: Option<&AesKey>,
    limits: &mut Limits,
) -> Result<Index, Error> {
    let mut reader = Reader::new(bytes, WHAT, 0, bytes.len());
    let mount = reader.string(MAX_PATH, limits)?;
    let hash = sha1_of(&bytes.0);
    let mut index = Index {
        mount,
        entries: Vec::new(),
        encoded: Vec::new(),
        others: Vec::new(),
        parts: vec![("index", footer.index, hash)],
        path_hashes: None,
    };
    match footer.layout.index {
        EntryNaming::Listed => listed(&mut reader, footer, &mut index, limits)?,
        EntryNaming::Hashed => hashed(source, &mut reader, footer, key, &mut index, limits)?,
    }
    Ok(index)
}

/// Every entry with its path and header.
fn listed(
    reader: &mut Reader<'_>,
    footer: &Footer,
    index: &mut Index,
    limits: &mut Limits,
) -> Result<(), Error> {
    let count = reader.count(4_u64.saturating_add(footer.layout.entry.header_size(false, 0)))?;
    limits.take_table::<Entry>(count, reader.at(), WHAT)?;
    for number in 0..count {
        let path = reader.string(MAX_PATH, limits)?;
        let at = reader.at();
        let entry = Entry::read(reader, footer, None)?;
        limits.take(reader.at().saturating_sub(at), at, WHAT)?;
        let place = u32::try_from(number).unwrap_or(u32::MAX);
        if !entry.is_deleted {
            index.add(&path, Location::Other(place), limits, at)?;
        }
        index.others.push(entry);
    }
    Ok(())
}

/// Entries by their folders; where there are none, only their hashes are known.
fn hashed(
    source: &dyn Source,
    reader: &mut Reader<'_>,
    footer: &Footer,
    key: Option<&AesKey>,
    index: &mut Index,
    limits: &mut Limits,
) -> Result<(), Error> {
    let _count = reader.u32()?;
    let seed = reader.u64()?;
    let hashes = (reader.u32()? != 0).then(|| IndexPart::read(reader)).transpose()?;
    let directory = (reader.u32()? != 0).then(|| IndexPart::read(reader)).transpose()?;
    let at = reader.at();
    let length = reader.count(1)?;
    limits.take(length as u64, at, WHAT)?;
    index.encoded = reader.bytes(length)?.to_vec();
    let count = reader.count(footer.layout.entry.header_size(false, 0))?;
    limits.take_table::<Entry>(count, reader.at(), WHAT)?;
    for _ in 0..count {
        let at = reader.at();
        let mut entry = Entry::read(reader, footer, None)?;
        if footer.has_vectors && entry.is_encrypted {
            entry.vector = Some(reader.array()?);
        }
        limits.take(reader.at().saturating_sub(at), at, WHAT)?;
        index.others.push(entry);
    }
    let [_, of_hashes, of_directory] = footer.ciphers;
    let mut open = |what, place: IndexPart, cipher| -> Result<Memory<Vec<u8>>, Error> {
        let bytes = part(source, place, key.map(|key| (key, cipher)), limits)?;
        index.parts.push((what, place, sha1_of(&bytes.0)));
        Ok(bytes)
    };
    index.path_hashes = hashes.filter(|_| directory.is_some()).map(|place| (place, seed));
    let hashes = hashes.map(|place| open("path hash index", place, of_hashes)).transpose()?;
    let directory = directory.map(|place| open("directory index", place, of_directory)).transpose()?;
    match (directory, hashes) {
        (Some(directory), _) => {
            let mut reader = Reader::new(&directory, "directory index of a pak", 0, directory.len());
            directory_index(&mut reader, footer, index, limits)
        }
        (None, Some(hashes)) => hash_index(&hashes, footer, index, limits),
        (None, None) => Ok(()),
    }
}

/// Entries known by the hashes of their paths, and perhaps some by their paths after that.
fn hash_index(
    hashes: &Memory<Vec<u8>>,
    footer: &Footer,
    index: &mut Index,
    limits: &mut Limits,
) -> Result<(), Error> {
    let mut reader = Reader::new(hashes, "path hash index of a pak", 0, hashes.len());
    let count = reader.count(12)?;
    limits.take_table::<(u64, i32)>(count, 0, WHAT)?;
    let mut unnamed = Vec::with_capacity(count);
    for _ in 0..count {
        unnamed.push((reader.u64()?, reader.i32()?));
    }
    if reader.left() > 0 {
        directory_index(&mut reader, footer, index, limits)?;
    }
    let named: std::collections::HashSet<Location> = index.entries.iter().map(|(_, place)| *place).collect();
    for (hash, place) in unnamed {
        if let Some(place) = Location::of(place).filter(|place| !named.contains(place)) {
            limits.take_table::<(Box<str>, Location)>(2, 0, WHAT)?;
            index.entries.push((format!("{hash:016x}").into(), place));
        }
    }
    Ok(())
}

fn directory_index(
    reader: &mut Reader<'_>,
    footer: &Footer,
    index: &mut Index,
    limits: &mut Limits,
) -> Result<(), Error> {
    let at = reader.at();
    let folders = reader.u32()?;
    if footer.layout.has_flat_directory && folders == super::flat::MAGIC {
        return super::flat::read(reader, index, limits);
    }
    let folders = reader.fitting(folders, 8, at)?;
    for _ in 0..folders {
        let folder = reader.string(MAX_PATH, limits)?;
        let files = reader.count(8)?;
        for _ in 0..files {
            let at = reader.at();
            let name = reader.string(MAX_PATH, limits)?;
            if let Some(place) = Location::of(reader.i32()?) {
                index.add(&format!("{folder}/{name}"), place, limits, at)?;
            }
        }
    }
    Ok(())
}

impl Index {
    /// Adds an entry with its path below the mount point.
    ///
    /// # Errors
    /// If the path is longer than [`MAX_PATH`], or takes more than the limits allow.
    pub(super) fn add(
        &mut self,
        path: &str,
        place: Location,
        limits: &mut Limits,
        at: u64,
    ) -> Result<(), Error> {
        let path = resolved(&self.mount, path);
        if path.len() > MAX_PATH {
            return Err(Error::malformed(Malformed::PathTooLong(MAX_PATH), at, WHAT));
        }
        limits.take_growing(size_of::<(Box<str>, Location)>(), at, WHAT)?;
        limits.take(path.len() as u64, at, WHAT)?;
        self.entries.push((path.into(), place));
        Ok(())
    }
}
