use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::Write;

use unreal::{Limits, Memory, Source};

use super::bank::Bank;
use super::package::{FilePackage, PackedFile};
use super::rewrite::{MediaUse, Replacement, RewrittenBank, rewrite};
use super::wem::check_order;
use crate::reader::read_region;
use crate::{Error, ErrorKind};

/// What changed in a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RewrittenPackage {
    /// Banks that hold one of the media or have sources of it.
    pub banks: usize,
    /// Streams that were replaced.
    pub streams: usize,
    /// How its banks use each media, in the order of the replacements.
    pub uses: Vec<MediaUse>,
}

/// The most bytes of a package, before and after: whoever changes one holds it in memory.
pub const MAX_PACKAGE: u64 = 2 << 30;

/// Bytes that are copied at a time.
const PART: u64 = 1 << 20;

const WHAT: &str = "Wwise package";

/// Replaces media in all banks and streams of a package whose languages `speaks` accepts; a language is none where the
/// package names none, and of sound effects. Files keep their order and their positions as long as those before them
/// leave room; all that does not change stays byte for byte.
///
/// # Errors
/// As [`rewrite`]; if the package is damaged, passes [`MAX_PACKAGE`] or what its tables can say, or cannot be written.
pub fn rewrite_package(
    source: &dyn Source,
    replacements: &[Replacement<'_>],
    speaks: &dyn Fn(Option<&str>) -> bool,
    limits: &mut Limits,
    out: &mut dyn Write,
) -> Result<RewrittenPackage, Error> {
    check_length(source.len())?;
    let package = FilePackage::read(source, limits)?;
    let mut changed = RewrittenPackage {
        uses: vec![MediaUse::default(); replacements.len()],
        ..RewrittenPackage::default()
    };
    let mut files: Vec<(PackedFile, Content<'_>)> = Vec::new();
    let mut known: HashMap<(u64, u64), Option<RewrittenBank>> = HashMap::new();
    let mut held = 0_u64;
    for file in &package.banks {
        // A bank may be listed for several languages.
        if speaks(package.language(file.language))
            && let Entry::Vacant(vacant) = known.entry((file.at, file.length))
        {
            let bank = vacant.insert(rewrite_bank(source, file, replacements, limits)?);
            held = held.saturating_add(bank.as_ref().map_or(0, |bank| bank.bytes.len() as u64));
            check_length(held)?;
        }
    }
    for file in &package.banks {
        let bank = known.get(&(file.at, file.length)).and_then(Option::as_ref);
        if let Some(bank) = bank {
            changed.banks = changed.banks.saturating_add(1);
            for (all, of_bank) in changed.uses.iter_mut().zip(&bank.uses) {
                all.add(of_bank);
            }
        }
        files.push((*file, bank.map_or(Content::Old, |bank| Content::New(&bank.bytes))));
    }
    for file in &package.streams {
        let new = replacements.iter().find(|replacement| replacement.id == file.id);
        let new = new.filter(|_| speaks(package.language(file.language)));
        if let Some(replacement) = new {
            check_order(replacement.bytes, package.is_big_endian, WHAT)?;
        }
        changed.streams = changed.streams.saturating_add(usize::from(new.is_some()));
        files.push((*file, new.map_or(Content::Old, |replacement| Content::New(replacement.bytes))));
    }
    for (file, _) in &files {
        let end = file.at.saturating_add(file.length);
        if end > source.len() {
            return Err(Error::new(ErrorKind::Outside { end, length: source.len() }, file.size_at, WHAT));
        }
    }
    files.sort_by_key(|(file, _)| file.at);
    let first = files.first().map_or(source.len(), |(file, _)| file.at);
    let mut head =
        read_region(source, 0, first.min(source.len()), WHAT, &mut Limits::with_structures(first))?;
    let placed = place(&files, &package, &mut head)?;
    let old_end = files.iter().map(|(file, _)| file.at.saturating_add(file.length)).max().unwrap_or(first);
    let rest = source.len().saturating_sub(old_end);
    let ends = files
        .iter()
        .zip(&placed)
        .filter_map(|((file, content), start)| start.map(|start| start.saturating_add(content.length(file))));
    check_length(ends.max().unwrap_or(first).saturating_add(rest))?;
    write(out, &head)?;
    let mut at = first;
    for ((file, content), start) in files.iter().zip(placed) {
        let Some(start) = start else { continue };
        write_zeros(out, start.saturating_sub(at))?;
        match content {
            Content::Old => copy(source, file.at, file.length, out)?,
            Content::New(bytes) => write(out, bytes)?,
        }
        at = start.saturating_add(content.length(file));
    }
    // What follows the last file, as far as it still does.
    copy(source, old_end, rest, out)?;
    Ok(changed)
}

/// What a file of the new package holds.
#[derive(Clone, Copy)]
enum Content<'m> {
    Old,
    New(&'m [u8]),
}

impl Content<'_> {
    /// Returns what tells new bytes from others; none of old ones.
    const fn address(&self) -> Option<*const u8> {
        match self {
            Self::Old => None,
            Self::New(bytes) => Some(bytes.as_ptr()),
        }
    }

    fn length(&self, file: &PackedFile) -> u64 {
        match self {
            Self::Old => file.length,
            Self::New(bytes) => bytes.len() as u64,
        }
    }
}

/// Rewrites a bank if one of the media is in it.
fn rewrite_bank(
    source: &dyn Source,
    file: &PackedFile,
    replacements: &[Replacement<'_>],
    limits: &mut Limits,
) -> Result<Option<RewrittenBank>, Error> {
    let ids: Vec<u32> = replacements.iter().map(|replacement| replacement.id).collect();
    let bank = Bank::read(source, (file.at, file.length), &ids, limits)?;
    let listed = bank.media.iter().map(|media| media.id);
    let sources = bank.sources().map(|source| source.media);
    if !listed.chain(sources).any(|id| ids.contains(&id)) {
        return Ok(None);
    }
    // The bytes of the bank, which are there: no structure is made of them.
    let mut room = Limits::with_structures(file.length);
    let bytes = read_region(source, file.at, file.length, "Wwise bank", &mut room)?;
    rewrite(&Memory(bytes), replacements, limits).map(Some)
}

/// Decides where each file begins and says so in the tables; none for one that shares the bytes of another.
fn place(
    files: &[(PackedFile, Content<'_>)],
    package: &FilePackage,
    head: &mut [u8],
) -> Result<Vec<Option<u64>>, Error> {
    let mut known: HashMap<(u64, u64, Option<*const u8>), u64> = HashMap::new();
    let mut starts = Vec::new();
    let mut end = 0_u64;
    let mut seen = HashSet::new();
    let mut last = 0_u64;
    for (file, content) in files {
        // Damaged tables could name all bytes over and over.
        if file.at < last && !seen.contains(&(file.at, file.length)) {
            return Err(Error::new(ErrorKind::Malformed("files that overlap"), file.size_at, WHAT));
        }
        seen.insert((file.at, file.length));
        last = last.max(file.at.saturating_add(file.length));
        let key = (file.at, file.length, content.address());
        let length = content.length(file);
        let shared = known.get(&key).copied();
        let start = match shared {
            Some(start) => start,
            None => {
                let next = end.max(file.at).checked_next_multiple_of(file.block.max(1).into());
                next.ok_or_else(|| too_large(file))?
            }
        };
        known.insert(key, start);
        end = end.max(start.saturating_add(length));
        starts.push(shared.is_none().then_some(start));
        let blocks = start.checked_div(file.block.max(1).into()).unwrap_or_default();
        for (at, value) in [(file.size_at, length), (file.size_at.saturating_add(4), blocks)] {
            let value = u32::try_from(value).map_err(|_| too_large(file))?;
            let bytes = if package.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
            let place = usize::try_from(at).ok().and_then(|at| head.get_mut(at..)?.first_chunk_mut::<4>());
            *place.ok_or_else(|| Error::new(ErrorKind::Malformed("a table among its files"), at, WHAT))? =
                bytes;
        }
    }
    Ok(starts)
}

/// Checks the bytes of a package, or of all its new banks, against the most that are held.
fn check_length(length: u64) -> Result<(), Error> {
    if length <= MAX_PACKAGE {
        return Ok(());
    }
    let most = MAX_PACKAGE >> 30;
    let text = format!("takes {length} bytes; media in packages larger than {most} GiB are not replaced");
    Err(Error::new(ErrorKind::Unsupported(text), 0, WHAT))
}

fn too_large(file: &PackedFile) -> Error {
    Error::new(ErrorKind::Malformed("would be larger than its tables can say"), file.at, WHAT)
}

fn write(out: &mut dyn Write, bytes: &[u8]) -> Result<(), Error> {
    out.write_all(bytes).map_err(|error| Error::new(ErrorKind::Io(error), 0, WHAT))
}

fn write_zeros(out: &mut dyn Write, mut count: u64) -> Result<(), Error> {
    let zeros = [0; 4096];
    while count > 0 {
        let part = usize::try_from(count).unwrap_or(usize::MAX).min(zeros.len());
        write(out, zeros.get(..part).unwrap_or_default())?;
        count = count.saturating_sub(part as u64);
    }
    Ok(())
}

fn copy(source: &dyn Source, mut at: u64, mut length: u64, out: &mut dyn Write) -> Result<(), Error> {
    while length > 0 {
        let part = length.min(PART);
        write(out, &read_region(source, at, part, WHAT, &mut Limits::with_structures(part))?)?;
        at = at.saturating_add(part);
        length = length.saturating_sub(part);
    }
    Ok(())
}
