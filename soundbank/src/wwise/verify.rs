use std::collections::HashSet;

use unreal::{Limits, Source};

use super::bank::{Bank, Chunk, StoredMedia};
use super::package::FilePackage;
use super::rewrite::{Replacement, read_bank};
use super::wem::WemHead;
use crate::reader::read_region;
use crate::{Error, ErrorKind, StreamKind};

const WHAT: &str = "Wwise bank as written";

/// Bytes that are compared at a time.
const PART: u64 = 1 << 20;

/// Checks that a bank with replaced media holds these, and all else of the old one byte for byte.
///
/// # Errors
/// With what differs first, or if one of them cannot be read.
pub fn verify(
    old: &dyn Source,
    new: &dyn Source,
    replacements: &[Replacement<'_>],
    limits: &mut Limits,
) -> Result<(), Error> {
    BankPair::read((old, (0, old.len())), (new, (0, new.len())), replacements, limits)?.verify(replacements)
}

/// Checks that a package with replaced media holds these, and all else of the old one byte for byte. `speaks` is that
/// of [`super::rewrite_package()`].
///
/// # Errors
/// With what differs first, or if one of them cannot be read.
pub fn verify_package(
    old: &dyn Source,
    new: &dyn Source,
    replacements: &[Replacement<'_>],
    speaks: &dyn Fn(Option<&str>) -> bool,
    limits: &mut Limits,
) -> Result<(), Error> {
    let (before, after) = (FilePackage::read(old, limits)?, FilePackage::read(new, limits)?);
    let counts = |package: &FilePackage| (package.banks.len(), package.streams.len());
    if counts(&before) != counts(&after) || before.languages != after.languages {
        return Err(differs("the tables of the package differ", 0));
    }
    let spoken = before.banks.iter().filter(|bank| speaks(before.language(bank.language)));
    let spoken: HashSet<(u64, u64)> = spoken.map(|bank| (bank.at, bank.length)).collect();
    let pairs = before.banks.iter().zip(&after.banks).map(|pair| (pair, true));
    let streams = before.streams.iter().zip(&after.streams).map(|pair| (pair, false));
    for ((one, other), is_bank) in pairs.chain(streams) {
        if (one.id, one.language, one.block) != (other.id, other.language, other.block) {
            return Err(differs("a file of the package is another one", other.size_at));
        }
        if other.at.checked_rem(other.block.max(1).into()) != Some(0) {
            return Err(differs("a file does not begin with a block", other.at));
        }
        let is_spoken = speaks(before.language(one.language));
        let media = replacements.iter().find(|replacement| is_spoken && replacement.id == one.id);
        match media {
            _ if is_bank && spoken.contains(&(one.at, one.length)) => {
                let (one, other) = ((old, (one.at, one.length)), (new, (other.at, other.length)));
                BankPair::read(one, other, replacements, limits)?.verify(replacements)?;
            }
            _ if is_bank => are_equal((old, one.at, one.length), (new, other.at, other.length))?,
            Some(replacement) => is_equal_to(new, other.at, other.length, replacement.bytes)?,
            None => are_equal((old, one.at, one.length), (new, other.at, other.length))?,
        }
    }
    Ok(())
}

fn differs(text: &'static str, at: u64) -> Error {
    Error::new(ErrorKind::Malformed(text), at, WHAT)
}

/// A bank, and what it was made of.
struct BankPair<'b> {
    old: (&'b dyn Source, Bank),
    new: (&'b dyn Source, Bank),
    /// Where the new one begins in its file.
    start: u64,
}

impl<'b> BankPair<'b> {
    fn read(
        (old, of_old): (&'b dyn Source, (u64, u64)),
        (new, of_new): (&'b dyn Source, (u64, u64)),
        replacements: &[Replacement<'_>],
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let ids: Vec<u32> = replacements.iter().map(|replacement| replacement.id).collect();
        let old = (old, read_bank(old, of_old, &ids, limits)?);
        Ok(Self { old, new: (new, read_bank(new, of_new, &ids, limits)?), start: of_new.0 })
    }

    fn verify(&self, replacements: &[Replacement<'_>]) -> Result<(), Error> {
        let ((old, before), (new, after)) = (&self.old, &self.new);
        let tags = |bank: &Bank| bank.chunks.iter().map(|chunk| chunk.tag).collect::<Vec<_>>();
        if before.header != after.header || tags(before) != tags(after) {
            return Err(differs("its header or chunks differ", self.start));
        }
        for (one, other) in before.chunks.iter().zip(&after.chunks) {
            match &one.tag {
                b"DIDX" | b"DATA" => {}
                b"HIRC" => self.items(*one, *other, replacements)?,
                _ => are_equal((*old, one.at, one.length), (*new, other.at, other.length))?,
            }
        }
        if before.media.len() != after.media.len() {
            return Err(differs("lists more or fewer media", self.start));
        }
        for (one, other) in before.media.iter().zip(&after.media) {
            self.media(one, other, replacements)?;
        }
        self.sources(replacements)
    }

    fn media(
        &self,
        one: &StoredMedia,
        other: &StoredMedia,
        replacements: &[Replacement<'_>],
    ) -> Result<(), Error> {
        if one.id != other.id {
            return Err(differs("a media is another one", other.at));
        }
        match replacements.iter().find(|replacement| replacement.id == one.id) {
            Some(replacement) => {
                let length = usize::try_from(other.length).unwrap_or(usize::MAX);
                let expected = replacement.bytes.get(..length).unwrap_or(replacement.bytes);
                let is_cut = expected.len() < replacement.bytes.len();
                if is_cut && (other.length != one.length || !self.was_start(one)?) {
                    return Err(differs("a new media is cut", other.at));
                }
                is_equal_to(self.new.0, other.at, other.length, expected)
            }
            None => are_equal((self.old.0, one.at, one.length), (self.new.0, other.at, other.length)),
        }
    }

    /// Returns whether a media of the old bank was only the start of one, by what it states or, if it states nothing,
    /// by its sources.
    fn was_start(&self, media: &StoredMedia) -> Result<bool, Error> {
        /// Bytes that hold all chunks before the samples.
        const HEAD: u64 = 1 << 16;
        let (file, bank) = &self.old;
        let length = media.length.min(HEAD);
        let head = read_region(*file, media.at, length, WHAT, &mut Limits::with_structures(length))?;
        Ok(match WemHead::read(&head) {
            Ok(head) => head.length > media.length,
            Err(_) => {
                bank.sources().any(|source| source.media == media.id && source.stream == StreamKind::Prefetch)
            }
        })
    }

    /// Checks that sources of replaced media state the codec and size of the new ones.
    ///
    /// A source in memory or with a start in a bank loads what the bank lists; if it lists nothing, the whole media, or
    /// as much as before. One that is streamed loads what the replacement says, or as much as before.
    fn sources(&self, replacements: &[Replacement<'_>]) -> Result<(), Error> {
        let ((_, before), (_, after)) = (&self.old, &self.new);
        if before.sources().count() != after.sources().count() {
            return Err(differs("has more or fewer sources", self.start));
        }
        for (one, other) in before.sources().zip(after.sources()) {
            if (one.media, one.stream) != (other.media, other.stream) {
                return Err(differs("a source is another one", other.plugin_at));
            }
            // Bytes of all others are compared.
            let Some(new) = replacements.iter().find(|replacement| replacement.id == one.media) else {
                continue;
            };
            if other.plugin != new.codec.unwrap_or(one.plugin) {
                return Err(differs("a source has another codec", other.plugin_at));
            }
            let listed = after.media.iter().find(|media| media.id == new.id).map(|media| media.length);
            let whole = new.bytes.len() as u64;
            let size = match one.stream {
                StreamKind::Memory => listed.unwrap_or(whole),
                StreamKind::Prefetch => listed.unwrap_or_else(|| whole.min(one.size.into())),
                StreamKind::Streamed => new.start.unwrap_or(one.size).into(),
            };
            match other.size_at {
                Some(at) if u64::from(other.size) != size => {
                    return Err(differs("a source states another size", at));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Compares all items but the codec and size of the sources of replaced media.
    fn items(&self, one: Chunk, other: Chunk, replacements: &[Replacement<'_>]) -> Result<(), Error> {
        let read = |source: &dyn Source, chunk: Chunk| {
            read_region(source, chunk.at, chunk.length, WHAT, &mut Limits::with_structures(chunk.length))
        };
        let (mut before, mut after) = (read(self.old.0, one)?, read(self.new.0, other)?);
        let find = |id: u32| replacements.iter().find(|replacement| replacement.id == id);
        for (bank, chunk, bytes) in [(&self.old.1, one, &mut before), (&self.new.1, other, &mut after)] {
            for source in bank.sources().filter(|source| find(source.media).is_some()) {
                for at in [Some(source.plugin_at), source.size_at].into_iter().flatten() {
                    let start = usize::try_from(at.saturating_sub(chunk.at)).unwrap_or(usize::MAX);
                    if let Some(field) = bytes.get_mut(start..).and_then(<[u8]>::first_chunk_mut::<4>) {
                        *field = [0; 4];
                    }
                }
            }
        }
        if before.len() != after.len() {
            return Err(differs("its items have another length", other.at));
        }
        match before.iter().zip(&after).position(|(one, other)| one != other) {
            Some(at) => Err(differs("an item differs", other.at.saturating_add(at as u64))),
            None => Ok(()),
        }
    }
}

/// Checks that two regions have the same bytes.
fn are_equal(
    (old, mut from, length): (&dyn Source, u64, u64),
    (new, mut to, new_length): (&dyn Source, u64, u64),
) -> Result<(), Error> {
    if length != new_length {
        return Err(differs("bytes that were to stay have another length", to));
    }
    let mut left = length;
    while left > 0 {
        let part = left.min(PART);
        let read =
            |source: &dyn Source, at| read_region(source, at, part, WHAT, &mut Limits::with_structures(part));
        if read(old, from)? != read(new, to)? {
            return Err(differs("bytes that were to stay differ", to));
        }
        from = from.saturating_add(part);
        to = to.saturating_add(part);
        left = left.saturating_sub(part);
    }
    Ok(())
}

/// Checks that a region has these bytes.
fn is_equal_to(new: &dyn Source, at: u64, length: u64, bytes: &[u8]) -> Result<(), Error> {
    let memory = unreal::Memory(bytes);
    are_equal((&memory, 0, bytes.len() as u64), (new, at, length))
}

/// Checks that a file is a media, byte for byte.
///
/// # Errors
/// With what differs first, or if it cannot be read.
pub fn verify_media(new: &dyn Source, media: &[u8]) -> Result<(), Error> {
    is_equal_to(new, 0, new.len(), media)
}
