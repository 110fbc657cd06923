//! Facts that no table of a pak states, found by proof: its key where the index is plain, the cipher of its game, and
//! how much of an entry is encrypted.
//!
//! ```text
//! key × cipher ──► a compressed block has its size │ plain text has its SHA-1 ──► the pak
//! spelling of paths ──► limit ──► plain text has its SHA-1 ──► an entry, and the pak if others give another limit
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::blocks::{EntryCipher, PakBlocks};
use super::entry::Entry;
use super::{Pak, WHAT};
use crate::base::blocks::{EntrySource, padded};
use crate::base::crypt::{AesKey, CipherRules, KeyRing, PathRule, below_mount};
use crate::base::error::{Error, Malformed};
use crate::base::reader::Reader;
use crate::base::source::Source as _;
use crate::containers::{HashedBytes, hash_of, sha1_hasher};

/// Bytes that are read to find out how much of each entry is encrypted.
const READ_FOR_LIMITS: u64 = 256 << 20;

/// How writers spell paths, as far as entries have shown it.
#[derive(Debug)]
pub(super) struct LimitProofs {
    /// A bit for each [`PathRule`] that an entry has refuted.
    refuted: AtomicU8,
    /// Bytes that may still be read.
    left: AtomicU64,
}

impl Default for LimitProofs {
    fn default() -> Self {
        Self { refuted: AtomicU8::new(0), left: AtomicU64::new(READ_FOR_LIMITS) }
    }
}

impl LimitProofs {
    /// Takes bytes that are to be read; false if no more may be.
    fn take(&self, bytes: u64) -> bool {
        let taken = |left: u64| left.checked_sub(bytes);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok()
    }
}

/// What an entry says of a key and a cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// They open it.
    Opens,
    /// They do not.
    Refuted,
    /// It has nothing to compare with.
    Silent,
}

/// Entries that keys are tried on; some may be damaged.
#[derive(Default)]
struct TriedEntries {
    /// Whether any entry is encrypted.
    is_any_encrypted: bool,
    compressed: Vec<usize>,
    /// Those with the fewest bytes: all of them are read.
    plain: Vec<usize>,
}

impl Pak {
    /// Chooses key and cipher for a pak whose index anybody may read: those with which a compressed block becomes what
    /// it says, or an entry has the SHA-1 of its plain text. If no entry shows anything, the key for its GUID, or the
    /// first; none if entries show that no key opens them. The engine's hashes say nothing: they are of encrypted
    /// bytes.
    pub(super) fn choose_key(&mut self, keys: &KeyRing) {
        if keys.is_empty() {
            return;
        }
        let tried = self.tried_entries();
        let rules = self.footer.possible_rules(keys);
        let candidates = |key| rules.iter().map(move |rules| (key, *rules));
        let mut chosen = None;
        for (key, rules) in keys.for_container(self.footer.key).flat_map(candidates) {
            match self.verdict(&tried, key, rules) {
                Verdict::Opens => {
                    chosen = Some((key, rules));
                    break;
                }
                Verdict::Silent if chosen.is_none() => chosen = Some((key, rules)),
                Verdict::Silent | Verdict::Refuted => {}
            }
        }
        let named = keys.for_container(self.footer.key).next().filter(|_| keys.has(self.footer.key));
        let named = named.zip(rules.first().copied().filter(|rules| !rules.hashes_plain_text));
        if let Some((key, rules)) = chosen.or(named) {
            self.key = Some(Arc::new(key.clone()));
            if tried.is_any_encrypted {
                self.footer.set_rules(rules);
            }
        }
    }

    fn tried_entries(&self) -> TriedEntries {
        const TRIED: usize = 16;
        /// Bytes of the smallest entry that is not compressed.
        const FIRST: u64 = 64 << 20;
        /// Bytes of all others that are not.
        const OTHERS: u64 = 4 << 20;
        let mut tried = TriedEntries::default();
        let mut sizes = Vec::new();
        for number in 0..self.len() {
            let Ok(info) = self.info(number) else { continue };
            if !info.is_encrypted || info.size == 0 {
                continue;
            }
            tried.is_any_encrypted = true;
            if info.compression.is_none() {
                sizes.push((info.stored, number));
                if sizes.len() > 2 * TRIED {
                    sizes.sort_unstable();
                    sizes.truncate(TRIED);
                }
            } else if tried.compressed.len() < TRIED {
                tried.compressed.push(number);
            }
        }
        sizes.sort_unstable();
        let mut left = FIRST;
        let fitting = sizes.into_iter().take(TRIED).take_while(|(size, _)| {
            let rest = left.checked_sub(*size);
            left = rest.unwrap_or_default().min(OTHERS);
            rest.is_some()
        });
        tried.plain = fitting.map(|(_, number)| number).collect();
        tried
    }

    /// Returns what entries say of a key and a cipher: one that they open is enough.
    fn verdict(&self, tried: &TriedEntries, key: &AesKey, rules: &'static CipherRules) -> Verdict {
        let key = Arc::new(key.clone());
        let is_opened = |number: &usize| {
            let Ok(entry) = self.entry(*number) else { return false };
            self.limits(*number, rules).into_iter().any(|limit| {
                let cipher = EntryCipher { rules, limit };
                let Ok(blocks) = PakBlocks::of(entry.clone(), &self.footer, cipher, WHAT) else {
                    return false;
                };
                let files = Arc::clone(&self.files);
                let mut byte = [0];
                EntrySource::new(files, blocks, Some(Arc::clone(&key)), WHAT).read_at(0, &mut byte).is_ok()
            })
        };
        if tried.compressed.iter().any(is_opened) {
            return Verdict::Opens;
        }
        let mut verdict = if tried.compressed.is_empty() { Verdict::Silent } else { Verdict::Refuted };
        if !rules.hashes_plain_text {
            return verdict;
        }
        for number in &tried.plain {
            let hashed = self.entry(*number).and_then(|entry| {
                let stated = self.stated_hash(&entry)?;
                self.hashed_bytes(*number, &entry, &stated, &key, rules)
            });
            match hashed {
                Ok(Some((HashedBytes::Decrypted, _))) => return Verdict::Opens,
                Ok(None) => verdict = Verdict::Refuted,
                Ok(Some(_)) | Err(_) => {}
            }
        }
        verdict
    }

    /// Returns the numbers of bytes that may be encrypted of an entry, one for each [`PathRule`].
    fn limits(&self, number: usize, rules: &CipherRules) -> Vec<u64> {
        let (Some(limit), Some(path)) = (rules.limit, self.path(number)) else { return vec![u64::MAX] };
        let below = below_mount(self.mount(), path);
        PathRule::ALL.iter().map(|rule| limit(&rule.spelled(self.mount(), below))).collect()
    }

    /// Returns how an entry is encrypted. Where spellings of its path differ in how many bytes are, and no other entry
    /// has shown which is right, its SHA-1 decides.
    pub(super) fn entry_cipher(&self, number: usize, entry: &Entry) -> EntryCipher {
        let rules = self.footer.rules;
        let Some(key) = self.key.as_ref().filter(|_| entry.is_encrypted && rules.limit.is_some()) else {
            return EntryCipher { rules, limit: u64::MAX };
        };
        let refuted = self.limit_proofs.refuted.load(Ordering::Relaxed);
        let payload = padded(entry.compressed);
        let limits = self.limits(number, rules);
        let possible = limits.iter().enumerate().filter(|(rule, _)| refuted >> rule & 1 == 0);
        let mut possible: Vec<u64> = possible.map(|(_, limit)| *limit).collect();
        possible.dedup_by_key(|limit| payload.min(*limit));
        let likeliest = possible.first().copied().unwrap_or(u64::MAX);
        let read = payload.saturating_mul(possible.len() as u64);
        if possible.len() < 2 || !self.limit_proofs.take(read) {
            return EntryCipher { rules, limit: likeliest };
        }
        let hashed = self.stated_hash(entry);
        let hashed = hashed.and_then(|stated| self.hashed_bytes(number, entry, &stated, key, rules));
        let Ok(Some((HashedBytes::Decrypted, limit))) = hashed else {
            return EntryCipher { rules, limit: likeliest };
        };
        for (rule, other) in limits.iter().enumerate() {
            if payload.min(*other) != payload.min(limit) {
                self.limit_proofs.refuted.fetch_or(1 << rule, Ordering::Relaxed);
            }
        }
        EntryCipher { rules, limit }
    }

    /// Reads the SHA-1 of an entry from its header, if the index has none.
    fn stated_hash(&self, entry: &Entry) -> Result<[u8; 20], Error> {
        match entry.sha1 {
            Some(sha1) => Ok(sha1),
            None => self.header(entry).map(|header| header.sha1.unwrap_or_default()),
        }
    }

    /// Reads the header in front of the data of an entry.
    fn header(&self, entry: &Entry) -> Result<Entry, Error> {
        let mut reader = Reader::new(self.source(), WHAT, entry.offset, self.source().len());
        Entry::read(&mut reader, &self.footer, Some(entry.offset))
    }

    /// Returns of which bytes of an entry a SHA-1 is, and how many of them are encrypted; none if it is of others.
    fn hashed_bytes(
        &self,
        number: usize,
        entry: &Entry,
        stated: &[u8; 20],
        key: &Arc<AesKey>,
        rules: &'static CipherRules,
    ) -> Result<Option<(HashedBytes, u64)>, Error> {
        let mut limits = self.limits(number, rules);
        limits.dedup_by_key(|limit| padded(entry.compressed).min(*limit));
        for limit in limits {
            let blocks = PakBlocks::stored(entry, &self.footer, EntryCipher { rules, limit });
            let source = EntrySource::new(Arc::clone(&self.files), blocks, Some(Arc::clone(key)), WHAT);
            if hash_of(&source, 0, source.len(), WHAT, sha1_hasher())? == *stated {
                return Ok(Some((HashedBytes::Decrypted, limit)));
            }
        }
        Ok((self.stored_hash(entry)? == *stated).then_some((HashedBytes::Stored, u64::MAX)))
    }

    /// Returns the SHA-1 of the stored bytes of an entry.
    fn stored_hash(&self, entry: &Entry) -> Result<[u8; 20], Error> {
        let from = entry.offset.saturating_add(entry.header_size(&self.footer, entry.block_count()));
        hash_of(self.source(), from, entry.compressed, WHAT, sha1_hasher())
    }

    /// Compares an entry with what its header says, and its bytes with the hash there. Returns of which bytes that is.
    pub(in crate::containers) fn verify(&self, number: usize) -> Result<HashedBytes, Error> {
        let entry = self.entry(number)?;
        let header = self.header(&entry)?;
        // The size of an encoded entry that is not compressed is not filled up.
        let is_padded = entry.is_encrypted && entry.slot == 0 && self.footer.rules.states_padded_sizes;
        let stored = |entry: &Entry| if is_padded { padded(entry.compressed) } else { entry.compressed };
        let agrees = (header.size, stored(&header), header.slot, header.is_encrypted)
            == (entry.size, stored(&entry), entry.slot, entry.is_encrypted);
        if !agrees || header.blocks != entry.blocks {
            return Err(Error::malformed(Malformed::OtherHeader, entry.offset, WHAT));
        }
        let Some(stated) = header.sha1 else { return Ok(HashedBytes::None) };
        let wrong = || Error::malformed(Malformed::Hash, entry.offset, WHAT);
        if entry.sha1.is_some_and(|sha1| sha1 != stated) {
            return Err(wrong());
        }
        let rules = self.footer.rules;
        let is_plain = entry.is_encrypted && rules.hashes_plain_text;
        let hashed = match self.key.as_ref().filter(|_| is_plain) {
            Some(key) => self.hashed_bytes(number, &header, &stated, key, rules)?.map(|(hashed, _)| hashed),
            None => (self.stored_hash(&entry)? == stated).then_some(HashedBytes::Stored),
        };
        hashed.ok_or_else(wrong)
    }
}
