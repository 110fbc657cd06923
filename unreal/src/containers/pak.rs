//! Pak files: entries one after another, an index after them, and a footer that says where it is.
//!
//! ```text
//! │ header │ blocks │ header │ blocks │ … │ index │ path hashes │ directory │ footer │
//!     ▲                                       │
//!     └───────────────────────────────────────┘
//! ```
//!
//! Source: *packages-ue4-ue6*, §3: what was measured of it is in `docs/formats.md`.

mod blocks;
mod entry;
mod flat;
mod footer;
mod index;
mod options;
mod path_hash;
mod proof;
pub(crate) mod version;
mod writer;

use std::fmt;
use std::sync::Arc;

use super::{EntryInfo, Hash};
use crate::base::blocks::{EntrySource, SharedFiles};
use crate::base::crypt::{AesKey, GameCipher, KeyRing};
use crate::base::error::{Error, Malformed};
use crate::base::guid::Guid;
use crate::base::limits::Limits;
use crate::base::reader::Reader;
use crate::base::source::{Memory, Source};
use blocks::PakBlocks;
use entry::Entry;
use footer::Footer;
pub(super) use footer::is_pak;
use index::{Index, Location};
pub use options::{PakEncryption, PakOptions};
use proof::LimitProofs;
pub use version::{PakForm, PakVersion};
pub use writer::PakWriter;

const WHAT: &str = "entry of a pak";

static NOTHING: Memory<[u8; 0]> = Memory([]);

/// An open pak.
pub struct Pak {
    /// Only one.
    files: SharedFiles,
    footer: Footer,
    index: Index,
    /// The key that opens what is encrypted, if one does.
    key: Option<Arc<AesKey>>,
    limit_proofs: LimitProofs,
}

impl Pak {
    /// Returns its version.
    #[must_use]
    pub fn form(&self) -> PakForm {
        PakForm::of(self.footer.layout)
    }

    /// Opens a pak: reads its footer and its index.
    ///
    /// # Errors
    /// If it is none, contradicts itself, no key opens its index, or that takes more than the limits allow or than the
    /// file is worth ([`Limits::worth`]).
    pub fn open(source: Box<dyn Source>, keys: &KeyRing, limits: &mut Limits) -> Result<Self, Error> {
        let mut footer = footer::read(&*source)?;
        let read = |limits: &mut Limits| index::read(&*source, &mut footer, keys, limits);
        let (index, key) = limits.within(Limits::worth(source.len()), read)?;
        let (files, key) = (Arc::new([Some(source)]) as SharedFiles, key.map(Arc::new));
        let mut pak = Self { files, footer, index, key, limit_proofs: LimitProofs::default() };
        if pak.key.is_none() {
            pak.choose_key(keys);
        }
        Ok(pak)
    }

    /// Returns its version.
    #[must_use]
    pub const fn version(&self) -> PakVersion {
        self.footer.layout.version
    }

    /// Returns where its entries are mounted, as it says.
    #[must_use]
    pub fn mount(&self) -> &str {
        &self.index.mount
    }

    /// Returns the identifier of the key that it is encrypted with.
    #[must_use]
    pub const fn key_guid(&self) -> Guid {
        self.footer.key
    }

    /// Returns the game whose own cipher it is encrypted with; none if that is the engine's, or it is not encrypted.
    #[must_use]
    pub const fn cipher(&self) -> Option<GameCipher> {
        self.footer.rules.game
    }

    /// Returns how many entries it has.
    pub(super) fn len(&self) -> usize {
        self.index.entries.len()
    }

    pub(super) fn file_len(&self) -> u64 {
        self.source().len()
    }

    fn source(&self) -> &dyn Source {
        self.files.first().and_then(Option::as_deref).unwrap_or(&NOTHING)
    }

    fn entry(&self, number: usize) -> Result<Entry, Error> {
        let other = |entry: &Entry| Ok(entry.clone());
        self.located(number, other, |reader| Entry::decode(reader, &self.footer))
    }

    /// Returns what is made of an entry: of one that is written out, or of one that is encoded.
    fn located<T>(
        &self,
        number: usize,
        other: impl FnOnce(&Entry) -> Result<T, Error>,
        encoded: impl FnOnce(&mut Reader<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let missing = || Error::malformed(Malformed::NoSuchEntry(number as u64), 0, WHAT);
        let (_, place) = self.index.entries.get(number).ok_or_else(missing)?;
        match *place {
            Location::Other(place) => {
                let entry = usize::try_from(place).ok().and_then(|place| self.index.others.get(place));
                other(entry.ok_or_else(missing)?)
            }
            Location::Encoded(place) => {
                let start = usize::try_from(place).unwrap_or(usize::MAX);
                let bytes = Memory(self.index.encoded.get(start..).ok_or_else(missing)?);
                encoded(&mut Reader::new(&bytes, WHAT, 0, bytes.len()))
            }
        }
    }

    /// Returns the path of an entry, from the root on.
    pub(super) fn path(&self, number: usize) -> Option<&str> {
        self.index.entries.get(number).map(|(path, _)| &**path)
    }

    pub(super) fn info(&self, number: usize) -> Result<EntryInfo<'_>, Error> {
        let described = |entry: &Entry, blocks| {
            let slot = usize::try_from(entry.slot).ok().and_then(|slot| slot.checked_sub(1));
            let compression = slot.map(|slot| match self.footer.methods.get(slot) {
                Some(Some(slot)) => slot.name.as_str(),
                _ => "unknown",
            });
            let end = entry.offset.saturating_add(entry.end(&self.footer, blocks));
            Ok(EntryInfo {
                extent: entry.offset..end,
                size: entry.size,
                stored: entry.compressed,
                compression,
                is_encrypted: entry.is_encrypted,
                cipher: self.cipher().filter(|_| entry.is_encrypted),
            })
        };
        self.located(
            number,
            |entry| described(entry, entry.block_count()),
            |reader| {
                let (entry, blocks) = Entry::decode_head(reader, &self.footer)?;
                described(&entry, blocks.into())
            },
        )
    }

    pub(super) fn hash(&self, number: usize) -> Result<Option<Hash>, Error> {
        let stated = |entry: &Entry| entry.sha1.map(Hash::Sha1);
        let head = |reader: &mut Reader<'_>| Ok(stated(&Entry::decode_head(reader, &self.footer)?.0));
        self.located(number, |entry| Ok(stated(entry)), head)
    }

    pub(super) fn open_entry(&self, number: usize) -> Result<Box<dyn Source>, Error> {
        let entry = self.entry(number)?;
        let cipher = self.entry_cipher(number, &entry);
        let blocks = PakBlocks::of(entry, &self.footer, cipher, WHAT)?;
        let source = EntrySource::new(Arc::clone(&self.files), blocks, self.key.clone(), WHAT);
        Ok(Box::new(source.with_key_id(self.footer.key)))
    }

    /// Compares each part of the index with its hash, and the hash of each path; those that differ are returned.
    pub(super) fn verify_index(&self) -> Vec<Error> {
        /// Twelve bytes for each entry; a pak with more than a few million of them is none.
        const HASHES: u64 = 1 << 30;
        let wrong = self.index.parts.iter().filter(|(_, part, hash)| part.sha1 != *hash);
        let mut wrong: Vec<Error> =
            wrong.map(|(what, part, _)| Error::malformed(Malformed::Hash, part.offset, what)).collect();
        let hashes = self.index.path_hashes.filter(|_| self.footer.layout.has_known_hashes);
        if let (Some(hashes), true) = (hashes, wrong.is_empty()) {
            let mut limits = Limits::with_structures(HASHES);
            let key = self.key.as_deref();
            match path_hash::not_found(self.source(), &self.footer, hashes, &self.index, key, &mut limits) {
                Ok(entries) => wrong.extend(entries.into_iter().filter_map(|number| {
                    let error = Error::malformed(Malformed::PathHash, hashes.0.offset, "path hash index");
                    Some(error.within(self.path(number)?.to_owned()))
                })),
                Err(error) => wrong.push(error),
            }
        }
        wrong
    }
}

impl fmt::Debug for Pak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a pak of {} entries", self.len())
    }
}
