//! Names of GUIDs: the string table of a bank, and the list that the tool exports.
//!
//! ```text
//! STDT: nodes (text offset) │ GUIDs │ texts │ leaf of each GUID │ parent of each node
//!       event:/ ◄─ Music/ ◄─ Level 01    a path is the texts from the root down to the leaf
//! ```

use std::collections::HashMap;

use unreal::Limits;

use super::FmodGuid;
use super::array::{each_fixed, guids};
use crate::reader::{Reader, take};
use crate::{Error, ErrorKind};

/// The most nodes of a path.
const MAX_STEPS: usize = 256;
/// The most bytes of a path.
const MAX_PATH: usize = 4096;
/// A node without a text, and the parent of the root.
const NONE: u32 = 0xFF_FFFF;

/// Paths by what they name.
pub(super) type Names = HashMap<FmodGuid, String>;

/// Reads a string table and adds its paths. Returns how many it has.
///
/// # Errors
/// If it contradicts itself, or takes more memory than is allowed.
pub(super) fn read_table(
    reader: &mut Reader<'_>,
    names: &mut Names,
    limits: &mut Limits,
) -> Result<usize, Error> {
    const WHAT: &str = "FMOD string table";
    let at = reader.at();
    reader.skip(4)?;
    let mut nodes = Vec::new();
    each_fixed(reader, WHAT, |entry| {
        nodes.push(entry.u32()? & NONE);
        Ok(())
    })?;
    let guids = guids(reader, WHAT)?;
    let length = usize::try_from(reader.x16()?).unwrap_or(usize::MAX);
    let texts = reader.bytes(length)?;
    let leaves = indices(reader)?;
    let parents = indices(reader)?;
    let mut count = 0_usize;
    for (guid, leaf) in guids.into_iter().zip(leaves) {
        let mut node = leaf;
        let mut parts = Vec::new();
        let mut bytes = 0_usize;
        while node != NONE {
            let Some(index) = usize::try_from(node).ok().filter(|&index| index < nodes.len()) else { break };
            let part = nodes.get(index).and_then(|&offset| text(texts, offset)).unwrap_or_default();
            bytes = bytes.saturating_add(part.len());
            parts.push(part);
            if parts.len() > MAX_STEPS || bytes > MAX_PATH {
                return Err(reader.error(ErrorKind::Malformed("a path that does not end")));
            }
            node = parents.get(index).copied().unwrap_or(NONE);
        }
        parts.reverse();
        // Work is paid for with the bytes, as a table can name one long path again and again.
        let cost = bytes.saturating_add(parts.len()).saturating_add(size_of::<(FmodGuid, String)>());
        take(limits, cost as u64, at, WHAT)?;
        let path = String::from_utf8_lossy(&parts.concat()).into_owned();
        if !path.is_empty() {
            count = count.saturating_add(1);
            names.entry(guid).or_insert(path);
        }
    }
    Ok(count)
}

/// Reads a list of numbers of three bytes.
fn indices(reader: &mut Reader<'_>) -> Result<Vec<u32>, Error> {
    let count = reader.x16()?;
    let count = reader.fitting(count.into(), 3)?;
    (0..count).map(|_| reader.u24()).collect()
}

/// Returns the text at an offset, up to its zero byte.
fn text(texts: &[u8], offset: u32) -> Option<&[u8]> {
    let rest = texts.get(usize::try_from(offset).ok()?..)?;
    // One more than a path may have, so that one without an end is noticed.
    let rest = rest.get(..rest.len().min(MAX_PATH.saturating_add(1)))?;
    rest.split(|&byte| byte == 0).next()
}

/// Reads lines `{guid} path`, and adds them. Returns how many there are.
pub(super) fn read_list(text: &[u8], names: &mut Names) -> usize {
    let mut count = 0_usize;
    for line in text.split(|&byte| byte == b'\n') {
        let line = String::from_utf8_lossy(line.get(..line.len().min(MAX_PATH)).unwrap_or_default());
        let line = line.trim_start_matches('\u{feff}').trim();
        let Some((guid, path)) = line.split_once(char::is_whitespace) else { continue };
        let Some(guid) = FmodGuid::parse(guid) else { continue };
        count = count.saturating_add(1);
        names.entry(guid).or_insert_with(|| path.trim().to_owned());
    }
    count
}

impl FmodGuid {
    /// Reads `{00112233-4455-6677-8899-aabbccddeeff}`, with or without braces.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start_matches('{').trim_end_matches('}');
        let dashes: Vec<usize> =
            text.bytes().enumerate().filter(|(_, b)| *b == b'-').map(|(i, _)| i).collect();
        if text.len() != 36 || dashes != [8, 13, 18, 23] {
            return None;
        }
        let digits = text.replace('-', "");
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let [a, b, c, d, e, f, g, h, rest @ ..] = u128::from_str_radix(&digits, 16).ok()?.to_be_bytes();
        let [i, j, k, l, m, n, o, p] = rest;
        Some(Self([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "00112233-4455-6677-8899-aabbccddeeff";

    /// Returns a table with one GUID whose leaf is node 1, below node 0.
    fn table(parent_of_root: u8) -> Vec<u8> {
        let mut table = vec![1, 0, 0, 0, 5, 0, 8, 0];
        table.extend([0, 0, 0, b'e', 1, 0, 0, 1]);
        table.extend([8, 0, 0, b'U', 0, 0, 0, 0]);
        table.extend([3, 0, 16, 0]);
        table.extend(FmodGuid::parse(GUID).unwrap().0);
        table.extend([11, 0]);
        table.extend(b"event:/\0UI\0");
        table.extend([1, 0, 1, 0, 0]);
        table.extend([2, 0]);
        table.extend(if parent_of_root == 255 { [255; 3] } else { [parent_of_root, 0, 0] });
        table.extend([0, 0, 0]);
        table
    }

    #[test]
    fn a_path_is_the_texts_from_the_root_down_to_the_leaf() {
        let mut names = Names::new();
        let table = table(255);
        let count =
            read_table(&mut Reader::new(&table, 0, "test"), &mut names, &mut Limits::default()).unwrap();
        assert_eq!((count, names[&FmodGuid::parse(GUID).unwrap()].as_str()), (1, "event:/UI"));
    }

    #[test]
    fn a_path_that_runs_in_a_circle_is_an_error() {
        let table = table(1);
        let read = read_table(&mut Reader::new(&table, 0, "test"), &mut Names::new(), &mut Limits::default());
        assert!(read.unwrap_err().to_string().contains("does not end"));
    }

    #[test]
    fn every_prefix_of_a_table_is_an_error_or_a_table() {
        let table = table(255);
        for length in 0..table.len() {
            let mut reader = Reader::new(&table[..length], 0, "test");
            let _ = read_table(&mut reader, &mut Names::new(), &mut Limits::default());
        }
    }

    #[test]
    fn a_list_of_names_may_have_lines_of_other_text() {
        let mut names = Names::new();
        let text = format!("\u{feff}{{{GUID}}} event:/Level 01\r\nno guid here\n\n");
        assert_eq!(read_list(text.as_bytes(), &mut names), 1);
        assert_eq!(names[&FmodGuid::parse(GUID).unwrap()], "event:/Level 01");
    }

    #[test]
    fn a_guid_is_shown_as_it_is_read() {
        assert_eq!(FmodGuid::parse(&format!("{{{GUID}}}")).unwrap().to_string(), GUID);
        assert_eq!(FmodGuid::parse("0011"), None);
        assert_eq!(FmodGuid::parse("00112233-4455-6677-8899-aabbccddeefé"), None);
    }
}
