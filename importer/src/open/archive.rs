//! A file that is compressed alone, or with texts about it: gzip, and zip files with one file to open.
//!
//! ```text
//! song.mod.gz, song.mdz ──┐                        ┌─► song.mod
//! song.zip ─► directory ──┴─► stored or deflated ──┘   in memory, checked
//!               song.mod, file_id.diz
//! ```
//!
//! Source: RFC 1951, RFC 1952; PKWARE's *APPNOTE.TXT* 6.3.10, 4.3.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::{DeflateDecoder, MultiGzDecoder};
use unreal::{Memory, NotPackage, Source};

use crate::budget::most_inflated;
use crate::{Budget, Error, FileKind};

/// Extensions of modules in archives, as players of modules know them; a second one stands before `gz` and `zip`.
const EXTENSIONS: [&str; 8] = ["mdz", "s3z", "xmz", "itz", "mdgz", "s3gz", "xmgz", "itgz"];
/// Extensions of modules.
const MODULES: [&str; 5] = ["mod", "s3m", "xm", "it", "umx"];
/// Extensions of texts that lie in an archive beside what it is about.
const TEXTS: [&str; 8] = ["txt", "nfo", "diz", "md", "doc", "htm", "html", "url"];

/// A file that was unpacked.
pub(super) struct Unpacked {
    /// Its bytes.
    pub(super) source: Arc<dyn Source>,
    /// Its name without extension.
    pub(super) name: OsString,
}

/// Returns the extension of a path in small letters.
fn extension(path: &Path) -> Option<String> {
    path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase())
}

/// Returns whether a path is that of a module in an archive, by its extensions.
#[must_use]
pub(super) fn is_named(path: &Path) -> bool {
    match extension(path).as_deref() {
        Some("gz" | "zip") => {
            let inner = path.file_stem().and_then(|stem| extension(Path::new(stem)));
            inner.is_some_and(|inner| MODULES.contains(&&*inner))
        }
        Some(end) => EXTENSIONS.contains(&end),
        None => false,
    }
}

/// Unpacks the one file of an archive; none if the source is no archive that is read. `path` names it.
///
/// # Errors
/// [`Error::Archive`] if there is not one file in it, or it is damaged, encrypted or compressed in another way;
/// [`Error::OverLimit`] if it takes more than the budget.
pub(super) fn unpack(
    kind: FileKind,
    source: &dyn Source,
    path: &Path,
    budget: &Budget,
) -> Result<Option<Unpacked>, Error> {
    let left = budget.inflated.min(most_inflated(source.len())).min(budget.memory_left());
    let stem = |name: &OsStr| Path::new(name).file_stem().unwrap_or(name).to_owned();
    match kind {
        FileKind::Other(NotPackage::Gzip) => {
            let packed = bytes(source, 0, source.len(), left)?;
            let unpacked = inflated(MultiGzDecoder::new(&*packed), left)?;
            let outer = path.file_stem().unwrap_or(path.as_os_str());
            // Of two extensions the first is that of the module.
            let is_module = extension(Path::new(outer)).is_some_and(|end| MODULES.contains(&&*end));
            let name = if is_module { stem(outer) } else { outer.to_owned() };
            Ok(Some(Unpacked { source: Arc::new(Memory(unpacked)), name }))
        }
        FileKind::Other(NotPackage::Zip) => {
            let entry = ZipEntry::only(source)?;
            let unpacked = entry.unpack(source, left)?;
            let name = stem(OsStr::new(entry.name.rsplit(['/', '\\']).next().unwrap_or_default()));
            Ok(Some(Unpacked { source: Arc::new(Memory(unpacked)), name }))
        }
        _ => Ok(None),
    }
}

fn refused(what: impl Into<String>) -> Error {
    Error::Archive(what.into())
}

/// Reads bytes that are there, and no more than the budget has.
fn bytes(source: &dyn Source, at: u64, length: u64, left: u64) -> Result<Vec<u8>, Error> {
    let end = at.checked_add(length).filter(|end| *end <= source.len());
    if end.is_none() {
        return Err(refused("the archive is cut short"));
    }
    let over = || Error::OverLimit { needed: length, left };
    let length = usize::try_from(length).ok().filter(|_| length <= left).ok_or_else(over)?;
    let mut read = vec![0; length];
    source.read_at(at, &mut read).map_err(crate::Damage::from)?;
    Ok(read)
}

fn inflated(packed: impl Read, left: u64) -> Result<Vec<u8>, Error> {
    let mut unpacked = Vec::new();
    let read = packed.take(left.saturating_add(1)).read_to_end(&mut unpacked);
    read.map_err(|error: io::Error| refused(format!("the archive is damaged: {error}")))?;
    let needed = crate::budget::bytes(unpacked.len());
    if needed > left { Err(Error::OverLimit { needed, left }) } else { Ok(unpacked) }
}

/// A file in a zip file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ZipEntry {
    name: String,
    flags: u16,
    method: u16,
    crc: u32,
    packed: u64,
    unpacked: u64,
    /// Offset of its local header.
    at: u64,
}

/// Numbers of a structure whose length was checked.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |two| u16::from_le_bytes(*two))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |four| u32::from_le_bytes(*four))
}

impl ZipEntry {
    /// Bytes of the directory of a zip file that is read: some ten thousand files.
    const MAX_DIRECTORY: u64 = 1 << 20;
    const END: usize = 22;
    const HEADER: usize = 46;
    const LOCAL_HEADER: u64 = 30;

    /// Finds the only file of a zip file; texts count only where there is nothing else.
    fn only(source: &dyn Source) -> Result<Self, Error> {
        let entries = Self::all(source)?;
        let is_text = |entry: &&Self| {
            let (_, extension) = entry.name.rsplit_once('.').unwrap_or_default();
            TEXTS.contains(&&*extension.to_ascii_lowercase())
        };
        let (texts, files): (Vec<&Self>, Vec<&Self>) = entries.iter().partition(is_text);
        match if files.is_empty() { texts.as_slice() } else { files.as_slice() } {
            [only] => Ok((*only).clone()),
            [] => Err(refused("a zip file without files")),
            several => Err(refused(format!("a zip file with {} files; unpack it first", several.len()))),
        }
    }

    /// Returns all files of a zip file, without folders and what systems keep for themselves.
    fn all(source: &dyn Source) -> Result<Vec<Self>, Error> {
        let cut = || refused("a zip file that is cut short");
        // A comment follows the end of the directory.
        let tail_length = source.len().min((Self::END as u64).saturating_add(u16::MAX.into()));
        let tail = bytes(source, source.len().saturating_sub(tail_length), tail_length, tail_length)?;
        let at = (0..=tail.len().saturating_sub(Self::END)).rev();
        let mut ends = at.filter_map(|at| tail.get(at..)).filter(|end| end.starts_with(b"PK\x05\x06"));
        let end = ends.next().filter(|end| end.len() >= Self::END).ok_or_else(cut)?;
        let count = u16_at(end, 10);
        let (length, at) = (u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
        if length > Self::MAX_DIRECTORY {
            return Err(refused("a zip file with very many files; unpack it first"));
        }
        let directory = bytes(source, at, length, length)?;
        let (mut rest, mut found, mut read) = (&*directory, Vec::new(), 0_u16);
        while rest.starts_with(b"PK\x01\x02") && rest.len() >= Self::HEADER {
            let lengths = [28, 30, 32].map(|at| usize::from(u16_at(rest, at)));
            let name = rest.get(Self::HEADER..).and_then(|rest| rest.get(..lengths[0])).ok_or_else(cut)?;
            let name = String::from_utf8_lossy(name).into_owned();
            if !name.ends_with(['/', '\\']) && !name.starts_with("__MACOSX/") {
                found.push(Self {
                    name,
                    flags: u16_at(rest, 8),
                    method: u16_at(rest, 10),
                    crc: u32_at(rest, 16),
                    packed: u32_at(rest, 20).into(),
                    unpacked: u32_at(rest, 24).into(),
                    at: u32_at(rest, 42).into(),
                });
            }
            let next = lengths.iter().fold(Self::HEADER, |sum, length| sum.saturating_add(*length));
            rest = rest.get(next..).ok_or_else(cut)?;
            read = read.saturating_add(1);
        }
        // One of more files than the end can count has another end, too.
        if read == count { Ok(found) } else { Err(cut()) }
    }

    /// Unpacks the file.
    fn unpack(&self, source: &dyn Source, left: u64) -> Result<Vec<u8>, Error> {
        if self.flags & 1 != 0 {
            return Err(refused("a zip file with a password"));
        }
        if self.unpacked > left {
            return Err(Error::OverLimit { needed: self.unpacked, left });
        }
        let header = bytes(source, self.at, Self::LOCAL_HEADER, Self::LOCAL_HEADER)?;
        if !header.starts_with(b"PK\x03\x04") {
            return Err(refused(format!("a zip file that is damaged at {:#x}", self.at)));
        }
        let lengths = [Self::LOCAL_HEADER, u16_at(&header, 26).into(), u16_at(&header, 28).into()];
        let at = lengths.iter().fold(self.at, |at, length| at.saturating_add(*length));
        let packed = bytes(source, at, self.packed, left)?;
        let unpacked = match self.method {
            0 => packed,
            8 => inflated(DeflateDecoder::new(&*packed), left)?,
            _ => return Err(refused("a zip file compressed in a way that is not read; unpack it first")),
        };
        let mut crc = Crc::new();
        crc.update(&unpacked);
        if crate::budget::bytes(unpacked.len()) != self.unpacked || crc.sum() != self.crc {
            return Err(refused(format!("a zip file whose {} is damaged", self.name)));
        }
        Ok(unpacked)
    }
}

#[cfg(test)]
mod tests;
