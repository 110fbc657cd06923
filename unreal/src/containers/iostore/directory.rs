//! The directory index: folders and files as lists that lead from one to the next, and the chunk of each file.

use std::collections::HashMap;

use super::paths::{Paths, Place};
use super::writer::WrittenChunk;
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
    let mut paths = Paths::read(reader, chunks, limits)?;
    let names = paths.names.len();
    let broken = |number: u32| Error::malformed(Malformed::NoSuchEntry(number.into()), at, WHAT);
    let known = |number: u32| if (number as usize) < names { Ok(number) } else { Err(broken(number)) };
    // Each folder waits once: more than there are is a circle.
    limits.take_table::<Waiting>(folders.len(), at, WHAT)?;
    let mut waiting = vec![Waiting { folder: 0, name: None, parent: 0 }];
    let mut path = String::new();
    let (mut met_folders, mut met_files) = (1_usize, 0_usize);
    if folders.is_empty() {
        return Ok((mount, paths));
    }
    while let Some(Waiting { folder: number, name, parent }) = waiting.pop() {
        path.truncate(parent);
        if let Some(name) = name {
            path.push('/');
            path.push_str(paths.names.get(name));
        }
        fitting(path.len(), at)?;
        let &[_, first_child, _, first_file] = index(&folders, number).ok_or_else(|| broken(number))?;
        let mut folder = None;
        let mut file = first_file;
        while file != NONE {
            met_files = met_files.saturating_add(1);
            if met_files > files.len() {
                return Err(circle(at));
            }
            let &[text, next, chunk] = index(&files, file).ok_or_else(|| broken(file))?;
            let name = known(text)?;
            let place = if is_plain(paths.names.get(name)) {
                let folder = match folder {
                    Some(folder) => folder,
                    None => *folder.insert(paths.folders.push(&resolved(&mount, &path), at, limits)?),
                };
                let folder_length = paths.folders.get(folder).len();
                fitting(folder_length.saturating_add(1).saturating_add(paths.names.get(name).len()), at)?;
                Place { folder, name }
            } else {
                let full = resolved(&mount, &format!("{path}/{}", paths.names.get(name)));
                fitting(full.len(), at)?;
                paths.add(&full, at, limits)?
            };
            *paths.place_mut(chunk as usize).ok_or_else(|| broken(chunk))? = place;
            file = next;
        }
        let mut child = first_child;
        while child != NONE {
            let &[text, _, next, _] = index(&folders, child).ok_or_else(|| broken(child))?;
            let name = Some(known(text)?);
            met_folders = met_folders.saturating_add(1);
            if met_folders > folders.len() {
                return Err(circle(at));
            }
            waiting.push(Waiting { folder: child, name, parent: path.len() });
            child = next;
        }
    }
    Ok((mount, paths))
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
