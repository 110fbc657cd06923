//! The blocks of an entry.

use super::entry::{Entry, EntryBlocks};
use super::footer::Footer;
use crate::base::blocks::{Blocks, StoredBlock};
use crate::base::crypt::{self, Cipher, CipherRules};
use crate::base::error::{Error, Malformed};

/// The blocks of an entry of a pak.
pub(super) struct PakBlocks {
    entry: Entry,
    /// Where the data begins, from the entry on.
    header: u64,
    method: Option<crate::base::compress::Method>,
    cipher: EntryCipher,
}

/// How the data of an entry is encrypted, if it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryCipher {
    /// The way of the game.
    pub(super) rules: &'static CipherRules,
    /// Bytes that are encrypted, at most; the others are plain.
    pub(super) limit: u64,
}

/// Bytes of the blocks in which an entry without any is read.
const PLAIN_BLOCK: u64 = 64 << 10;

impl PakBlocks {
    /// # Errors
    /// If it is compressed with something unknown, or its blocks do not become as many bytes as it has.
    pub(super) fn of(
        entry: Entry,
        footer: &Footer,
        cipher: EntryCipher,
        what: &'static str,
    ) -> Result<Self, Error> {
        let malformed = |fault| Error::malformed(fault, entry.offset, what);
        let method = match usize::try_from(entry.slot).ok().and_then(|slot| slot.checked_sub(1)) {
            None => None,
            Some(slot) => match footer.methods.get(slot) {
                Some(Some(slot)) => match slot.method {
                    Some(method) => Some(method),
                    None => return Err(Error::unknown_method(&slot.name, entry.offset, what)),
                },
                _ => return Err(malformed(Malformed::Method(entry.slot))),
            },
        };
        let header = entry.header_size(footer, entry.block_count());
        if let EntryBlocks::Places(places) = &entry.blocks {
            let size = u64::from(entry.block_size);
            let needed = if size == 0 { u64::from(entry.size > 0) } else { entry.size.div_ceil(size) };
            if places.len() as u64 != needed {
                return Err(malformed(Malformed::BlockCount { blocks: places.len() as u64, needed }));
            }
            // Otherwise a few bytes could be read for each of many blocks.
            let mut free = header;
            for (start, end) in places {
                if *start < free {
                    return Err(malformed(Malformed::BlockPlace));
                }
                free = *end;
            }
            if free > entry.end(footer, entry.block_count()) {
                return Err(malformed(Malformed::BlockPlace));
            }
        }
        Ok(Self { entry, header, method, cipher })
    }

    /// Returns the stored bytes of an entry as blocks that are not compressed: without those that fill them up, if the
    /// entry is not compressed either.
    pub(super) fn stored(entry: &Entry, footer: &Footer, cipher: EntryCipher) -> Self {
        let header = entry.header_size(footer, entry.block_count());
        let size = if entry.slot == 0 { entry.size } else { entry.compressed };
        let entry = Entry { size, blocks: EntryBlocks::Plain, ..entry.clone() };
        Self { entry, header, method: None, cipher }
    }

    /// Returns the cipher of a block that begins at a byte of the data; none if it is plain.
    fn cipher(&self, begin: u64) -> Option<Cipher> {
        let is_encrypted = self.entry.is_encrypted && begin < self.cipher.limit;
        is_encrypted.then(|| self.entry.vector.map_or(self.cipher.rules.cipher, Cipher::Ctr))
    }
}

impl Blocks for PakBlocks {
    fn len(&self) -> u64 {
        self.entry.size
    }

    fn block_size(&self) -> u64 {
        match &self.entry.blocks {
            EntryBlocks::Plain => PLAIN_BLOCK,
            EntryBlocks::Places(_) if self.entry.block_size == 0 => self.entry.size.max(1),
            EntryBlocks::Places(_) => self.entry.block_size.into(),
        }
    }

    fn block(&self, number: u64) -> Result<StoredBlock, Error> {
        let begin = number.saturating_mul(self.block_size());
        let size = self.entry.size.saturating_sub(begin).min(self.block_size());
        let (start, stored) = match &self.entry.blocks {
            EntryBlocks::Plain => (self.header.saturating_add(begin), size),
            EntryBlocks::Places(places) => {
                let place = usize::try_from(number).ok().and_then(|number| places.get(number));
                let missing = || Error::malformed(Malformed::BlockPlace, self.entry.offset, "entry of a pak");
                let (start, end) = place.copied().ok_or_else(missing)?;
                (start, end.saturating_sub(start))
            }
        };
        let from_data = start.saturating_sub(self.header);
        Ok(StoredBlock {
            part: 0,
            offset: self.entry.offset.saturating_add(start),
            stored,
            size,
            method: self.method,
            cipher: self.cipher(from_data),
            limit: self.cipher.limit.saturating_sub(from_data),
            cipher_block: from_data.checked_div(crypt::BLOCK).unwrap_or_default(),
        })
    }
}
