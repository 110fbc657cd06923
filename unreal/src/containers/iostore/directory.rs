//! The directory index: folders and files as lists that lead from one to the next, and the chunk of each file.

use std::collections::HashMap;

use super::paths::{Paths, Place};
use super::written_chunk::WrittenChunk;
use crate::base::error::{Error, Malformed};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::path::resolved;
use crate::base::reader::Reader;
use crate::base::writer::{ByteWriter, StringCoding, WriteError, narrow};

const WHAT: &str = "directory index of a table of contents";

/// Where a list ends.
const NONE: u32 = u32::MAX;

/// Reads the mount point, and the paths of so many chunks.
///
/// # Errors
/// If it ends early, leads in circles or nowhere, or takes more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    chunks: usize,
    limits: &mut Limits,
) -> Result<(String, Paths), Error> {
    let mount = reader.string(MAX_PATH, limits)?;
    let folders = table::<4>(reader, limits)?;
    let files = table::<3>(reader, limits)?;
    let at = reader.at();
    let paths = Paths::read(reader, chunks, limits)?;
    // Each folder waits once: more than there are is a circle.
    limits.take_table::<Waiting>(folders.len(), at, WHAT)?;
    if folders.is_empty() {
        return Ok((mount, paths));
    }
    let mut lists = DirectoryLists { mount, folders, files, at, paths, met_folders: 1, met_files: 0 };
    let mut waiting = vec![Waiting { folder: 0, name: None, parent: 0 }];
    let mut path = String::new();
    while let Some(Waiting { folder: number, name, parent }) = waiting.pop() {
        path.truncate(parent);
        if let Some(name) = name {
            path.push('/');
            path.push_str(lists.paths.names.get(name));
        }
        fitting(path.len(), at)?;
        let &[_, first_child, _, first_file] =
            index(&lists.folders, number).ok_or_else(|| lists.broken(number))?;
        lists.read_files(first_file, &path, limits)?;
        lists.read_folders(first_child, path.len(), &mut waiting)?;
    }
    Ok((lists.mount, lists.paths))
}

/// The lists of folders and files, and the paths that were read out of them.
struct DirectoryLists {
    mount: String,
    folders: Vec<[u32; 4]>,
    files: Vec<[u32; 3]>,
    /// Offset for errors.
    at: u64,
    paths: Paths,
    met_folders: usize,
    met_files: usize,
}

impl DirectoryLists {
    fn broken(&self, number: u32) -> Error {
        Error::malformed(Malformed::NoSuchEntry(number.into()), self.at, WHAT)
    }

    /// Returns a number of a name, if there is one.
    fn known(&self, number: u32) -> Result<u32, Error> {
        if (number as usize) < self.paths.names.len() { Ok(number) } else { Err(self.broken(number)) }
    }

    /// Reads the files of the folder of a path.
    fn read_files(&mut self, first: u32, path: &str, limits: &mut Limits) -> Result<(), Error> {
        let at = self.at;
        let (mut folder, mut file) = (None, first);
        while file != NONE {
            self.met_files = self.met_files.saturating_add(1);
            if self.met_files > self.files.len() {
                return Err(circle(at));
            }
            let &[text, next, chunk] = index(&self.files, file).ok_or_else(|| self.broken(file))?;
            let name = self.known(text)?;
            let place = if is_plain(self.paths.names.get(name)) {
                let folder = match folder {
                    Some(folder) => folder,
                    None => {
                        *folder.insert(self.paths.folders.push(&resolved(&self.mount, path), at, limits)?)
                    }
                };
                let folder_length = self.paths.folders.get(folder).len();
                let name_length = self.paths.names.get(name).len();
                fitting(folder_length.saturating_add(1).saturating_add(name_length), at)?;
                Place { folder, name }
            } else {
                let full = resolved(&self.mount, &format!("{path}/{}", self.paths.names.get(name)));
                fitting(full.len(), at)?;
                self.paths.add(&full, at, limits)?
            };
            let broken = self.broken(chunk);
            *self.paths.place_mut(chunk as usize).ok_or(broken)? = place;
            file = next;
        }
        Ok(())
    }

    /// Lets the folders in a folder wait, whose path has `parent` bytes.
    fn read_folders(&mut self, first: u32, parent: usize, waiting: &mut Vec<Waiting>) -> Result<(), Error> {
        let mut child = first;
        while child != NONE {
            let &[text, _, next, _] = index(&self.folders, child).ok_or_else(|| self.broken(child))?;
            let name = Some(self.known(text)?);
            self.met_folders = self.met_folders.saturating_add(1);
            if self.met_folders > self.folders.len() {
                return Err(circle(self.at));
            }
            waiting.push(Waiting { folder: child, name, parent });
            child = next;
        }
        Ok(())
    }
}

/// A folder that is still to be gone through. The last one that waits comes first, so its path begins as that of the
/// folder at hand, and none is kept.
struct Waiting {
    folder: u32,
    /// None for the root.
    name: Option<u32>,
    /// Bytes of the path of the folder that it lies in.
    parent: usize,
}

/// Checks that a path has no more bytes than paths have.
fn fitting(length: usize, at: u64) -> Result<(), Error> {
    if length > MAX_PATH { Err(Error::malformed(Malformed::PathTooLong(MAX_PATH), at, WHAT)) } else { Ok(()) }
}

/// Returns whether a name stays as it is where a path is resolved.
fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.bytes().any(|byte| matches!(byte, b'/' | b'\\'))
}

/// Reads rows of numbers, as many as are stated.
fn table<const N: usize>(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Vec<[u32; N]>, Error> {
    let at = reader.at();
    let count = reader.count((N as u64).saturating_mul(4))?;
    limits.take_table::<[u32; N]>(count, at, WHAT)?;
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let mut row = [0; N];
        for cell in &mut row {
            *cell = reader.u32()?;
        }
        rows.push(row);
    }
    Ok(rows)
}

fn index<T>(table: &[T], number: u32) -> Option<&T> {
    table.get(usize::try_from(number).ok()?)
}

fn circle(at: u64) -> Error {
    Error::malformed(Malformed::Circle, at, WHAT)
}

/// Writes the paths of chunks, as [`read`] reads them.
///
/// # Errors
/// If there are more than can be stated.
pub(super) fn write(mount: &str, chunks: &[WrittenChunk]) -> Result<Vec<u8>, WriteError> {
    let mut folders: Vec<[u32; 4]> = vec![[NONE; 4]];
    let mut places: HashMap<String, u32> = HashMap::from([(String::new(), 0)]);
    let mut files: Vec<[u32; 3]> = Vec::new();
    let (mut names, mut known): (Vec<&str>, HashMap<&str, u32>) = (Vec::new(), HashMap::new());
    // By their paths, so that they do not depend on the order of the table.
    let mut listed: Vec<(&str, usize)> = chunks
        .iter()
        .enumerate()
        .filter_map(|(number, chunk)| Some((chunk.path.as_deref()?, number)))
        .collect();
    listed.sort_unstable();
    let mut name_of = |text| -> Result<u32, WriteError> {
        if let Some(number) = known.get(text) {
            return Ok(*number);
        }
        let number = narrow("names", names.len() as u64)?;
        names.push(text);
        known.insert(text, number);
        Ok(number)
    };
    for (path, chunk) in listed {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let mut place = 0;
        let mut below = String::new();
        for part in folder.split('/').filter(|part| !part.is_empty()) {
            below.push('/');
            below.push_str(part);
            place = match places.get(&below) {
                Some(place) => *place,
                None => {
                    let number = narrow("folders", folders.len() as u64)?;
                    let name = name_of(part)?;
                    let parent = usize::try_from(place).ok().and_then(|place| folders.get_mut(place));
                    let next =
                        parent.map_or(NONE, |[_, first_child, _, _]| std::mem::replace(first_child, number));
                    folders.push([name, NONE, next, NONE]);
                    places.insert(below.clone(), number);
                    number
                }
            };
        }
        let number = narrow("files", files.len() as u64)?;
        let name = name_of(file)?;
        let folder = usize::try_from(place).ok().and_then(|place| folders.get_mut(place));
        let next = folder.map_or(NONE, |[_, _, _, first_file]| std::mem::replace(first_file, number));
        files.push([name, next, narrow("chunks", chunk as u64)?]);
    }
    let mut writer = ByteWriter::default();
    writer.string(mount, StringCoding::Utf16)?;
    writer.count("folders", folders.len())?;
    folders.iter().flatten().for_each(|cell| writer.u32(*cell));
    writer.count("files", files.len())?;
    files.iter().flatten().for_each(|cell| writer.u32(*cell));
    writer.count("names", names.len())?;
    for name in names {
        writer.string(name, StringCoding::Utf16)?;
    }
    Ok(writer.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::source::{Memory, Source as _};

    #[test]
    fn names_that_lead_elsewhere_are_resolved_and_plain_ones_share_their_folder() {
        let names = ["Game", "A.uasset", "B.ubulk", "../C.uasset", "..", "ö.umap", ""];
        let folders = [[NONE, 1, NONE, NONE], [0, NONE, NONE, 0]];
        // The last chunk has no path.
        let files = [[1, 1, 2], [2, 2, 0], [3, 3, 1], [4, 4, 3], [5, 5, 4], [6, NONE, 5]];
        let mut writer = ByteWriter::default();
        writer.string("../../../", StringCoding::Utf16).unwrap();
        writer.count("folders", folders.len()).unwrap();
        folders.iter().flatten().for_each(|cell| writer.u32(*cell));
        writer.count("files", files.len()).unwrap();
        files.iter().flatten().for_each(|cell| writer.u32(*cell));
        writer.count("names", names.len()).unwrap();
        names.iter().for_each(|name| writer.string(name, StringCoding::Utf16).unwrap());
        let bytes = Memory(writer.into_bytes());
        let limits = &mut Limits::default();
        let (mount, paths) = read(&mut Reader::new(&bytes, WHAT, 0, bytes.len()), 7, limits).unwrap();
        let path = |chunk| paths.get(chunk).map(|path| path.joined().into_owned());
        assert_eq!(mount, "../../../");
        let expected = ["Game/B.ubulk", "C.uasset", "Game/A.uasset", "", "Game/ö.umap", "Game"];
        assert_eq!([0, 1, 2, 3, 4, 5].map(path), expected.map(|path| Some(path.to_owned())));
        assert_eq!(path(6), None);
        let folders = [0, 2, 4].map(|chunk| paths.get(chunk).unwrap().folder.as_ptr());
        assert!(folders.iter().all(|folder| *folder == folders[0]));
        // A name or a chunk that is not there leads nowhere.
        for (chunks, cut) in [(5, 0), (7, 40)] {
            let bytes = Memory(&bytes.0[..bytes.0.len() - cut]);
            assert!(read(&mut Reader::new(&bytes, WHAT, 0, bytes.len()), chunks, limits).is_err());
        }
    }
}
