//! The directory index: folders and files as lists that lead from one to the next, and the chunk of each file.

use crate::container::path::resolved;
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::reader::Reader;

const WHAT: &str = "directory index of a table of contents";

/// Where a list ends.
const NONE: u32 = u32::MAX;

/// The mount point, and the path of each chunk that has one.
pub(super) type Paths = (String, Vec<Option<Box<str>>>);

/// Reads the paths of so many chunks.
///
/// # Errors
/// If it ends early, leads in circles or nowhere, or takes more than the limits allow.
pub(super) fn read(reader: &mut Reader<'_>, chunks: usize, limits: &mut Limits) -> Result<Paths, Error> {
    let mount = reader.string(limits)?;
    let folders = table::<4>(reader, limits)?;
    let files = table::<3>(reader, limits)?;
    let at = reader.at();
    let count = reader.count(4)?;
    limits.take_table::<String>(count, at, WHAT)?;
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        names.push(reader.string(limits)?);
    }
    limits.take_table::<Option<Box<str>>>(chunks, at, WHAT)?;
    let mut paths: Vec<Option<Box<str>>> = vec![None; chunks];
    let broken = |number: u32| Error::malformed(Malformed::NoSuchEntry(number.into()), at, WHAT);
    let name = |number: u32| index(&names, number).ok_or_else(|| broken(number));
    // Folders that are still to be gone through, with their paths. Each is met once: more than there are is a circle.
    let mut waiting = vec![(0_u32, String::new())];
    let (mut met_folders, mut met_files) = (0_usize, 0_usize);
    while let Some((number, path)) = waiting.pop() {
        met_folders = met_folders.saturating_add(1);
        if met_folders > folders.len() {
            return if folders.is_empty() { break } else { Err(circle(at)) };
        }
        let &[_, first_child, _, first_file] = index(&folders, number).ok_or_else(|| broken(number))?;
        let mut file = first_file;
        while file != NONE {
            met_files = met_files.saturating_add(1);
            if met_files > files.len() {
                return Err(circle(at));
            }
            let &[text, next, chunk] = index(&files, file).ok_or_else(|| broken(file))?;
            let full = resolved(&mount, &format!("{path}/{}", name(text)?));
            limits.take(full.len() as u64, at, WHAT)?;
            let place = usize::try_from(chunk).ok().and_then(|chunk| paths.get_mut(chunk));
            *place.ok_or_else(|| broken(chunk))? = Some(full.into());
            file = next;
        }
        let mut child = first_child;
        while child != NONE {
            if met_folders.saturating_add(waiting.len()) > folders.len() {
                return Err(circle(at));
            }
            let &[text, _, next, _] = index(&folders, child).ok_or_else(|| broken(child))?;
            let path = format!("{path}/{}", name(text)?);
            if path.len() > crate::MAX_PATH {
                return Err(Error::malformed(Malformed::PathTooLong(crate::MAX_PATH), at, WHAT));
            }
            waiting.push((child, path));
            child = next;
        }
    }
    Ok((mount, paths))
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
