//! Paks that are written: entries as they come, what is known of them after that.

use std::collections::{BTreeMap, HashSet};
use std::io::{Seek, SeekFrom, Write};

use sha1::{Digest as _, Sha1};

use super::entry::{Entry, EntryBlocks};
use super::footer::{Footer, IndexPart, MethodSlot};
use super::options::PakOptions;
use super::path_hash::path_hash;
use super::version::{BlockOffsets, EntryNaming};
use crate::base::blocks::padded;
use crate::base::compress::Method;
use crate::base::crypt::{BLOCK, Cipher, GameCipher, PathRule, STOCK, Vector};
use crate::base::guid::Guid;
use crate::base::hash::lower_case;
use crate::base::path::resolved;
use crate::base::writer::{ByteWriter, WriteError, narrow};
use crate::containers::sha1_of;

/// A pak that is being written.
pub struct PakWriter<W> {
    out: W,
    /// Where the next byte goes.
    at: u64,
    options: PakOptions,
    footer: Footer,
    entries: Vec<(String, Entry)>,
    /// In lower case, as the engine does not tell others apart.
    paths: HashSet<Vec<u16>>,
    open: Option<OpenEntry>,
}

/// An entry whose blocks are being written.
struct OpenEntry {
    entry: Entry,
    path: String,
    hasher: Sha1,
    /// Where its data begins, from the entry on.
    header: u64,
    places: Vec<(u64, u64)>,
    /// Bytes of data so far, those that fill up included.
    written: u64,
    /// Bytes of data that are encrypted, at most.
    limit: u64,
}

impl<W: Write + Seek> PakWriter<W> {
    /// Begins a pak at the start of an output.
    ///
    /// # Errors
    /// If its version cannot hold what is asked for, or there is no encoder.
    pub fn new(out: W, options: PakOptions) -> Result<Self, WriteError> {
        let layout = options.form.layout();
        let cannot = |what| WriteError::Version { version: options.form.to_string(), what };
        options.check_game()?;
        let mut methods = Vec::new();
        if let Some(method) = options.method {
            if !method.is_written() {
                return Err(WriteError::Method(method.name()));
            }
            if layout.method_names > 0 {
                methods.push(Some(MethodSlot::named(method.container_name())));
            } else if !matches!(method, Method::Zlib | Method::Gzip) {
                return Err(cannot(method.name()));
            }
        }
        let mut footer = Footer {
            layout,
            key: Guid::default(),
            is_index_encrypted: false,
            index: IndexPart { offset: 0, size: 0, sha1: [0; 20] },
            methods,
            cipher: 0,
            ciphers: [Cipher::Ecb; 3],
            has_vectors: false,
            rules: &STOCK,
        };
        footer.set_rules(options.game.map_or(&STOCK, GameCipher::rules));
        if let Some(encryption) = &options.encryption {
            if !layout.says_encrypted {
                return Err(cannot("encryption"));
            }
            if encryption.counts && !layout.has_ciphers {
                return Err(cannot("encryption by a stream (CTR)"));
            }
            footer.is_index_encrypted = encryption.hides_index;
            footer.cipher = if encryption.counts { 2 } else { 1 };
            footer.has_vectors = encryption.counts;
            // Mods of such games name no key.
            if layout.has_key_guid && options.game.is_none() {
                footer.key = encryption.guid;
            }
        }
        let (entries, paths) = (Vec::new(), HashSet::new());
        Ok(Self { out, at: 0, options, footer, entries, paths, open: None })
    }

    /// Returns the bytes of each block of an entry of so many, but for its last: all of it is one block where a version
    /// knows no others.
    #[must_use]
    pub fn block_size(&self, size: u64) -> u64 {
        self.options.form.block_size(size)
    }

    /// Returns whether an entry whose first block becomes so many bytes is to be compressed, as the engine's own tool
    /// decides.
    ///
    /// Source: observation of the paks of repak's tests, which are of that tool.
    #[must_use]
    pub const fn is_worth(&self, plain: usize, compressed: usize) -> bool {
        plain.saturating_sub(compressed) >= self.footer.layout.least_saved
    }

    /// Begins an entry of `size` bytes below the mount point, compressed or not. The blocks of it follow, each of
    /// [`block_size`](Self::block_size) before it is compressed, then [`end`](Self::end). Where entries are hidden by a
    /// stream, `content` decides which: the same must not hide two different contents.
    ///
    /// # Errors
    /// If there is an entry of that path, or it cannot be written.
    pub fn begin(
        &mut self,
        path: &str,
        size: u64,
        is_compressed: bool,
        content: &[u8],
    ) -> Result<(), WriteError> {
        if !self.paths.insert(lower_case(path).collect()) {
            return Err(WriteError::Twice(path.to_owned()));
        }
        let is_compressed = is_compressed && self.options.method.is_some() && size > 0;
        let block_size = self.block_size(size);
        let blocks = if is_compressed { size.div_ceil(block_size.max(1)) } else { 0 };
        let layout = self.footer.layout.entry;
        let slot = match (is_compressed, self.options.method, self.footer.layout.method_names) {
            (false, ..) | (_, None, _) => 0,
            (true, Some(Method::Gzip), 0) => 2,
            (true, Some(_), _) => 1,
        };
        let is_encrypted = self.options.encryption.as_ref().is_some_and(|encryption| encryption.hides_data);
        let states_block = is_compressed && layout.blocks != BlockOffsets::None;
        let entry = Entry {
            offset: self.at,
            compressed: 0,
            size,
            slot,
            is_encrypted,
            is_deleted: false,
            block_size: if states_block { narrow("bytes of a block", block_size)? } else { 0 },
            blocks: EntryBlocks::Plain,
            vector: (is_encrypted && self.footer.has_vectors)
                .then(|| vector(&[path.as_bytes(), &[0], content])),
            sha1: None,
        };
        let header = layout.header_size(is_compressed, blocks);
        let limit = self.footer.rules.limit.map_or(u64::MAX, |limit| {
            limit(&PathRule::Ascii.spelled(&self.options.mount, path.trim_start_matches('/')))
        });
        let (path, hasher) = (path.to_owned(), Sha1::new());
        self.open = Some(OpenEntry { entry, path, hasher, header, places: Vec::new(), written: 0, limit });
        // What it says is known when its data is written.
        let nothing = vec![0; usize::try_from(header).unwrap_or(usize::MAX)];
        self.push(&nothing)
    }

    /// Writes the next block of the entry that was begun, as it is stored. Its bytes are filled up and encrypted where
    /// they lie.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn block(&mut self, stored: &mut Vec<u8>) -> Result<(), WriteError> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let (length, start) = (stored.len() as u64, open.written);
        let rules = self.footer.rules;
        let is_compressed = open.entry.slot != 0;
        let encryption = self.options.encryption.as_ref().filter(|_| open.entry.is_encrypted);
        // A block whose end is plain is not filled up, unless others may follow.
        let limit = open.limit.saturating_sub(start);
        let is_padded = encryption.is_some() && (is_compressed || length < limit);
        if is_padded {
            stored.resize(usize::try_from(padded(length)).unwrap_or(usize::MAX), 0);
        }
        let filled = stored.len() as u64;
        let hashed = usize::try_from(if is_compressed { filled } else { length }).unwrap_or(usize::MAX);
        let counted = if is_compressed || rules.states_padded_sizes { filled } else { length };
        if rules.hashes_plain_text {
            open.hasher.update(stored.get(..hashed).unwrap_or(stored));
        }
        if let Some(encryption) = encryption {
            let cipher = open.entry.vector.map_or(rules.cipher, Cipher::Ctr);
            let encrypted = usize::try_from(limit.min(filled)).unwrap_or(usize::MAX);
            let first = start.checked_div(BLOCK).unwrap_or_default();
            encryption.key.encrypt(cipher, first, stored.get_mut(..encrypted).unwrap_or_default());
        }
        if !rules.hashes_plain_text {
            open.hasher.update(stored.get(..hashed).unwrap_or(stored));
        }
        open.entry.compressed = open.entry.compressed.saturating_add(counted);
        if is_compressed {
            let from = open.header.saturating_add(start);
            let stated = if rules.states_padded_sizes { filled } else { length };
            open.places.push((from, from.saturating_add(stated)));
        }
        open.written = start.saturating_add(stored.len() as u64);
        self.open = Some(open);
        self.push(stored)
    }

    /// Ends the entry that was begun.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self) -> Result<(), WriteError> {
        let Some(OpenEntry { mut entry, path, hasher, places, .. }) = self.open.take() else { return Ok(()) };
        entry.sha1 = Some(hasher.finalize().into());
        if entry.slot != 0 && self.footer.layout.entry.blocks != BlockOffsets::None {
            entry.blocks = EntryBlocks::Places(places);
        }
        let mut header = ByteWriter::default();
        entry.write(&mut header, &self.footer, 0)?;
        self.out.seek(SeekFrom::Start(entry.offset))?;
        self.out.write_all(&header.into_bytes())?;
        self.out.seek(SeekFrom::Start(self.at))?;
        self.entries.push((path, entry));
        Ok(())
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.out.write_all(bytes)?;
        self.at = self.at.saturating_add(bytes.len() as u64);
        Ok(())
    }

    /// Writes the index and the footer; returns the output.
    ///
    /// # Errors
    /// If something cannot be stated, or not be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        match self.footer.layout.index {
            EntryNaming::Listed => self.listed()?,
            EntryNaming::Hashed => self.hashed()?,
        }
        let mut footer = ByteWriter::default();
        footer.bytes(self.footer.rules.before_footer);
        self.footer.write(&mut footer)?;
        self.push(&footer.into_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// The index in which each entry has its path and its header.
    fn listed(&mut self) -> Result<(), WriteError> {
        let mut index = ByteWriter::default();
        index.string(&self.options.mount, self.footer.layout.names)?;
        index.count("entries", self.entries.len())?;
        for (path, entry) in &self.entries {
            index.string(path, self.footer.layout.names)?;
            entry.write(&mut index, &self.footer, entry.offset)?;
        }
        self.footer.index = self.part(index, 0)?;
        Ok(())
    }

    /// The index in which entries are found by their hashes, and by their folders.
    fn hashed(&mut self) -> Result<(), WriteError> {
        let (mut encoded, mut others) = (ByteWriter::default(), ByteWriter::default());
        let (mut locations, mut other_count) = (Vec::new(), 0_u32);
        for (_, entry) in &self.entries {
            let place = narrow("bytes of encoded entries", encoded.len())?;
            let place = i32::try_from(place).map_err(|_| too_many(encoded.len()))?;
            if entry.encode(&mut encoded) {
                locations.push(place);
                continue;
            }
            entry.write(&mut others, &self.footer, entry.offset)?;
            if let Some(vector) = &entry.vector {
                others.bytes(vector);
            }
            other_count = other_count.saturating_add(1);
            locations
                .push(i32::try_from(other_count).map_err(|_| too_many(other_count.into()))?.saturating_neg());
        }
        let nowhere = IndexPart { offset: 0, size: 0, sha1: [0; 20] };
        // The hashes of other versions are not known.
        let hashes = self.footer.layout.has_known_hashes.then(|| self.path_hashes(&locations)).transpose()?;
        let directory = self.directory(&locations)?;
        let rest = 8_u64.saturating_add(encoded.len()).saturating_add(others.len());
        let length = self.head(hashes.as_ref().map(|_| nowhere), nowhere)?.len().saturating_add(rest);
        // The index comes first, and says where the others are.
        let begin = self.at;
        let on_disk = |length: u64| if self.footer.is_index_encrypted { padded(length) } else { length };
        self.at = begin.saturating_add(on_disk(length));
        self.out.seek(SeekFrom::Start(self.at))?;
        let hashes = hashes.map(|hashes| self.part(hashes, 1)).transpose()?;
        let directory = self.part(directory, 2)?;
        let end = self.at;
        let mut index = self.head(hashes, directory)?;
        let encoded = encoded.into_bytes();
        index.count("bytes of encoded entries", encoded.len())?;
        index.bytes(&encoded);
        index.u32(other_count);
        index.bytes(&others.into_bytes());
        self.at = begin;
        self.out.seek(SeekFrom::Start(begin))?;
        self.footer.index = self.part(index, 0)?;
        self.at = end;
        self.out.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// Returns the index up to its encoded entries.
    fn head(&self, hashes: Option<IndexPart>, directory: IndexPart) -> Result<ByteWriter, WriteError> {
        let mut index = ByteWriter::default();
        index.string(&self.options.mount, self.footer.layout.names)?;
        index.count("entries", self.entries.len())?;
        // What hashes begin with.
        index.u64(0);
        for part in [hashes, Some(directory)] {
            index.u32(part.is_some().into());
            if let Some(part) = part {
                part.write(&mut index)?;
            }
        }
        Ok(index)
    }

    fn path_hashes(&self, locations: &[i32]) -> Result<ByteWriter, WriteError> {
        let mut hashes = ByteWriter::default();
        hashes.count("entries", locations.len())?;
        for ((path, _), location) in self.entries.iter().zip(locations) {
            hashes.u64(path_hash(path.trim_start_matches('/'), 0));
            hashes.i32(*location);
        }
        // Folders of which the engine keeps the names in a game: none.
        hashes.u32(0);
        Ok(hashes)
    }

    fn directory(&self, locations: &[i32]) -> Result<ByteWriter, WriteError> {
        let names = self.footer.layout.names;
        let mut folders: BTreeMap<String, Vec<(&str, i32)>> = BTreeMap::new();
        folders.insert("/".to_owned(), Vec::new());
        for ((path, _), location) in self.entries.iter().zip(locations) {
            let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |found| found);
            folders
                .entry(format!("{}/", folder.trim_start_matches('/')))
                .or_default()
                .push((name, *location));
        }
        let mut directory = ByteWriter::default();
        directory.count("folders", folders.len())?;
        for (folder, files) in folders {
            directory.string(&folder, names)?;
            directory.count("files of a folder", files.len())?;
            for (name, location) in files {
                directory.string(name, names)?;
                directory.i32(location);
            }
        }
        Ok(directory)
    }

    /// Writes a part of the index, encrypted with the cipher of its number; returns where it is.
    fn part(&mut self, part: ByteWriter, number: usize) -> Result<IndexPart, WriteError> {
        let mut bytes = part.into_bytes();
        let offset = self.at;
        let sha1;
        match self.options.encryption.as_ref().filter(|encryption| encryption.hides_index) {
            Some(encryption) => {
                bytes.resize(usize::try_from(padded(bytes.len() as u64)).unwrap_or(usize::MAX), 0);
                sha1 = sha1_of(&bytes);
                if encryption.counts
                    && let Some(cipher) = self.footer.ciphers.get_mut(number)
                {
                    *cipher = Cipher::Ctr(vector(&[&sha1, &[u8::try_from(number).unwrap_or(0)]]));
                }
                let cipher = self.footer.ciphers.get(number).copied().unwrap_or(Cipher::Ecb);
                encryption.key.encrypt(cipher, 0, &mut bytes);
            }
            None => sha1 = sha1_of(&bytes),
        }
        self.push(&bytes)?;
        Ok(IndexPart { offset, size: bytes.len() as u64, sha1 })
    }

    /// Returns where an entry lies below the root, as readers will name it.
    #[must_use]
    pub fn mounted(&self, path: &str) -> String {
        resolved(&self.options.mount, path)
    }
}

/// Returns what a stream begins with that hides something: the same only for the same.
fn vector(parts: &[&[u8]]) -> Vector {
    let mut hasher = Sha1::new();
    parts.iter().for_each(|part| hasher.update(part));
    let hash: [u8; 20] = hasher.finalize().into();
    *hash.first_chunk().unwrap_or(&Vector::default())
}

fn too_many(value: u64) -> WriteError {
    WriteError::TooLarge { what: "entries", value, most: i32::MAX.unsigned_abs().into() }
}
