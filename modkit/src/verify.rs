//! Whether containers are what they say.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::{ChunkType, Container, HashedBytes, Shares, shares};
use unreal::ue4to6::convert::IoStoreRelease;
use unreal::{Error, ErrorKind, GameCipher, Limits, Malformed};

use crate::legacy;
use importer::for_each;

/// Results of verifying containers.
#[derive(Debug, Default)]
pub struct Verified {
    /// Number of entries that were read.
    pub entries: usize,
    /// Uncompressed size of the entries in bytes.
    pub bytes: u64,
    /// Entries that are not what is said of them, in their order.
    pub damaged: Vec<(MountedEntry, EntryFault)>,
    /// Entries that no key opens: what is stated of their stored bytes is right.
    pub encrypted: Vec<MountedEntry>,
    /// Tables that are not what is said of them, with their containers.
    pub tables: Vec<(usize, Error)>,
    /// The containers that are encrypted with the own cipher of a game.
    pub ciphers: Vec<CipherHashes>,
}

/// A container with the own cipher of a game. Its entries may state hashes of plain text or of cipher text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CipherHashes {
    /// Name of the container.
    pub container: String,
    /// The game.
    pub game: GameCipher,
    /// Number of encrypted entries whose hash is of their plain text.
    pub plain: usize,
    /// Number of encrypted entries whose hash is of their cipher text.
    pub stored: usize,
}

impl CipherHashes {
    /// Counts an encrypted entry.
    const fn add(&mut self, hashed: HashedBytes, entries: usize) {
        match hashed {
            HashedBytes::Decrypted => self.plain += entries,
            HashedBytes::Stored => self.stored += entries,
            _ => {}
        }
    }
}

/// The container, its game, and the bytes that hashes are of.
impl fmt::Display for CipherHashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count| if count == 1 { "y" } else { "ies" };
        write!(f, "{}: cipher of {}", self.container, self.game.title())?;
        for (count, text) in [(self.plain, "plain"), (self.stored, "cipher")] {
            if count > 0 {
                write!(f, "; SHA-1 of the {text} text in {count} entr{}", s(count))?;
            }
        }
        Ok(())
    }
}

/// Faults of an entry.
#[derive(Debug)]
#[non_exhaustive]
pub enum EntryFault {
    /// The entry differs from its hash or size.
    Entry(Arc<Error>),
    /// The package is of these releases of the engine, its container of another one.
    Release(String),
    /// It shares some of its bytes with this one. Then it is not read: of a few bytes so shared, there could be any
    /// number of entries.
    Overlaps(String),
}

impl fmt::Display for EntryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(error) if matches!(error.kind(), ErrorKind::Malformed(Malformed::Hash)) => {
                write!(f, "{error} (edited after packing?)")
            }
            Self::Entry(error) => error.fmt(f),
            Self::Release(releases) => {
                write!(f, "is of Unreal Engine {releases}, its container of another release")
            }
            Self::Overlaps(other) => write!(f, "shares some of its bytes with {other}"),
        }
    }
}

impl std::error::Error for EntryFault {}

/// Reads every entry of every container, also of those that are overridden, and compares it with each size and hash
/// that is stated for it. `report` is called after each entry with its bytes; it is over where it returns false.
#[must_use]
pub fn verify(mount: &Mount, threads: NonZeroUsize, report: &(dyn Fn(u64) -> bool + Sync)) -> Verified {
    let mut verified = Verified::default();
    let mut unread = Vec::new();
    let releases: Vec<Option<IoStoreRelease>> =
        mount.containers().iter().map(|(_, container)| release_of(container)).collect();
    // Those that are the same as another are read once.
    let mut same: HashMap<MountedEntry, Vec<MountedEntry>> = HashMap::new();
    for (number, (name, container)) in mount.containers().iter().enumerate() {
        let cipher = |game| CipherHashes { container: name.clone(), game, plain: 0, stored: 0 };
        verified.ciphers.extend(container.cipher().map(cipher));
        verified.tables.extend(container.verify_tables().into_iter().map(|error| (number, error)));
        for (entry, shares) in shares(container) {
            let mounted = |entry| MountedEntry { container: number, entry };
            let damaged = &mut verified.damaged;
            match shares {
                Ok(Shares::Nothing) => unread.push(mounted(entry)),
                Ok(Shares::All(other)) => same.entry(mounted(other)).or_default().push(mounted(entry)),
                Ok(Shares::Some(other)) => {
                    damaged.push((mounted(entry), EntryFault::Overlaps(container.label(other))));
                }
                Err(error) => damaged.push((mounted(entry), EntryFault::Entry(Arc::new(error)))),
            }
        }
    }
    verified.entries = verified.damaged.len();
    let found = Mutex::new(verified);
    for_each(unread.len(), threads, |number| {
        let Some(entry) = unread.get(number) else { return false };
        let Some(container) = mount.container(*entry) else { return true };
        let info = container.info(entry.entry);
        let (size, has_cipher) = info.map_or((0, false), |info| (info.size, info.cipher.is_some()));
        let result = container.verify(entry.entry);
        let release = releases.get(entry.container).copied().flatten();
        let foreign =
            release.filter(|_| result.is_ok()).and_then(|release| foreign(container, *entry, release));
        let all: Vec<MountedEntry> = same.get(entry).into_iter().flatten().chain([entry]).copied().collect();
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entries += all.len();
        if let (Ok(hashed), true) = (&result, has_cipher) {
            let name = mount.container_name(*entry);
            let cipher = found.ciphers.iter_mut().find(|cipher| cipher.container == name);
            cipher.into_iter().for_each(|cipher| cipher.add(*hashed, all.len()));
        }
        match (result, foreign) {
            (Ok(_), Some(releases)) => {
                let damage = || EntryFault::Release(releases.clone());
                found.damaged.extend(all.into_iter().map(|entry| (entry, damage())));
            }
            (Ok(_), None) => found.bytes = found.bytes.saturating_add(size.saturating_mul(all.len() as u64)),
            (Err(error), _) if matches!(error.kind(), ErrorKind::Encrypted(_)) => found.encrypted.extend(all),
            (Err(error), _) => {
                let error = Arc::new(error);
                found
                    .damaged
                    .extend(all.into_iter().map(|entry| (entry, EntryFault::Entry(Arc::clone(&error)))));
            }
        }
        drop(found);
        report(size)
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.damaged.sort_by_key(|(entry, _)| (entry.container, entry.entry));
    found.encrypted.sort_by_key(|entry| (entry.container, entry.entry));
    found
}

/// Returns what an `IoStore` container is written for; none if it does not say.
fn release_of(container: &Container) -> Option<IoStoreRelease> {
    match container {
        Container::IoStore(store) => legacy::release_of(store),
        _ => None,
    }
}

/// Returns of which releases a package is that its container is not of; none if it is no package, or fits.
fn foreign(container: &Container, entry: MountedEntry, release: IoStoreRelease) -> Option<String> {
    let Container::IoStore(store) = container else { return None };
    if store.chunk_type(entry.entry) != Some(ChunkType::ExportBundleData) {
        return None;
    }
    let package = store.package(entry.entry, &mut Limits::default()).ok()?;
    (!release.holds(&package)).then(|| IoStoreRelease::of_package(&package))
}
