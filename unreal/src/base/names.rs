//! Names that packages and containers of Unreal Engine 4 to 6 refer to by their numbers. Each form of them reads its
//! own table: see [`crate::ue4to6::asset`] and [`crate::ue4to6::zen`].

mod batch;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::error::{Error, Malformed};
use super::limits::{Limits, MAX_PATH};
use super::reader::Reader;
use super::writer::{ByteWriter, WriteError, narrow};
pub(crate) use batch::{HASH_ALGORITHM, NameBatch, write_batch};

/// The most characters that a name of the engine has; paths repeat names, so without a bound a small package could have
/// long ones without end.
pub(crate) const MAX_NAME: usize = 1023;

/// The upper bits of a reference say whether a name is a package's, a container's or the game's; where it stands says
/// the same.
const INDEX: u32 = 0x3FFF_FFFF;

/// Names in their order.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Names(Vec<Box<str>>);

impl Names {
    /// Creates a table of names.
    pub(crate) const fn new(names: Vec<Box<str>>) -> Self {
        Self(names)
    }

    pub(crate) fn into_inner(self) -> Vec<Box<str>> {
        self.0
    }

    /// Returns a name; none if there is no such.
    pub(crate) fn get(&self, index: u32) -> Option<&str> {
        usize::try_from(index & INDEX).ok().and_then(|index| self.0.get(index)).map(|name| &**name)
    }

    /// Returns all of them.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|name| &**name)
    }

    /// Reads a reference to a name, and returns the name with its number.
    ///
    /// # Errors
    /// If it ends early, or there is no such name.
    pub(crate) fn read_ref(&self, reader: &mut Reader<'_>) -> Result<String, Error> {
        let at = reader.at();
        let (index, number) = (reader.u32()?, reader.u32()?);
        let missing = || reader.error(at, Malformed::NoSuchName((index & INDEX).cast_signed()));
        let name = self.get(index).ok_or_else(missing)?;
        Ok(numbered(name, number))
    }
}

/// Names that objects refer to: more can be added, and those that are there keep their places.
#[derive(Clone, Debug)]
pub struct EditableNames {
    names: Vec<Box<str>>,
    /// Where each is.
    places: HashMap<Box<str>, usize>,
    /// Where each is in lower case, as names have no case.
    any_case: HashMap<String, usize>,
    /// How many of them objects refer to; only headers refer to the others.
    referenced: usize,
}

impl EditableNames {
    /// Creates a table of which so many names are referred to by objects.
    pub(crate) fn new(names: &Names, referenced: usize) -> Self {
        let referenced = referenced.min(names.0.len());
        let mut table =
            Self { names: Vec::new(), places: HashMap::new(), any_case: HashMap::new(), referenced };
        names.0.iter().for_each(|name| _ = table.push(name));
        table
    }

    /// Creates a table of names, all of which objects may refer to.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        Self::new(&Names::new(names.map(Box::from).collect()), usize::MAX)
    }

    /// Returns the name of a reference with its number; none if there is no such name.
    #[must_use]
    pub fn get(&self, [index, number]: [u32; 2]) -> Option<String> {
        let name = usize::try_from(index).ok().and_then(|index| self.names.get(index))?;
        Some(numbered(name, number))
    }

    /// Returns the names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    fn push(&mut self, name: &str) -> usize {
        let place = self.names.len();
        self.names.push(name.into());
        self.places.entry(name.into()).or_insert(place);
        self.any_case.entry(name.to_lowercase()).or_insert(place);
        place
    }

    /// Writes a reference to a name, which is added unless it is there.
    ///
    /// # Errors
    /// If there are more names than can be counted.
    pub(crate) fn write(&mut self, name: &str, to: &mut ByteWriter) -> Result<(), WriteError> {
        let [index, number] = self.reference(name)?;
        to.u32(index);
        to.u32(number);
        Ok(())
    }

    /// Returns the reference to a name, its index and its number; the name is added unless it is there.
    ///
    /// # Errors
    /// If there are more names than can be counted.
    pub fn reference(&mut self, name: &str) -> Result<[u32; 2], WriteError> {
        let (text, number) = without_number(name);
        let exact = self.places.get(text).map(|place| (*place, number));
        let whole = || self.places.get(name).map(|place| (*place, 0));
        let any_case = || self.any_case.get(&text.to_lowercase()).map(|place| (*place, number));
        let known = exact.or_else(whole).or_else(any_case);
        let (place, number) = known.unwrap_or_else(|| (self.push(text), number));
        // Names that are there may be referred to whatever is said of them, so they stay where they are.
        if place >= self.referenced {
            self.referenced = self.names.len();
        }
        Ok([narrow("names", place as u64)?, number])
    }

    /// Adds a name that a header refers to, as it is, unless it is there.
    pub(crate) fn need(&mut self, name: &str) {
        let (text, _) = without_number(name);
        if !self.places.contains_key(text) && !self.places.contains_key(name) {
            self.push(text);
        }
    }

    /// Returns the table, and how many of its names objects refer to.
    pub(crate) fn finish(self) -> (Names, usize) {
        (Names(self.names), self.referenced)
    }
}

/// Returns a name without its number, and that: one more than what is shown, 0 for none. A number with a zero in front
/// belongs to the name.
///
/// Source: *packages-ue4-ue6*, §7.
pub(crate) fn without_number(name: &str) -> (&str, u32) {
    let Some((text, digits)) = name.rsplit_once('_') else { return (name, 0) };
    let is_number =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    match digits.parse::<i32>().ok().filter(|_| is_number && !text.is_empty()) {
        Some(number) => (text, number.unsigned_abs().saturating_add(1)),
        None => (name, 0),
    }
}

/// Returns a name with its number, which is one more than what is shown; 0 for none.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    match number.checked_sub(1) {
        None => name.to_owned(),
        Some(number) => format!("{name}_{number}"),
    }
}

/// Reads the path of an object: its package, itself, and what is within.
pub(crate) fn read_soft_path(
    reader: &mut Reader<'_>,
    names: &Names,
    is_split: bool,
    limits: &mut Limits,
) -> Result<String, Error> {
    let mut path = names.read_ref(reader)?;
    if is_split {
        let object = names.read_ref(reader)?;
        if object != "None" {
            path = format!("{path}.{object}");
        }
    }
    let within = reader.string(MAX_PATH, limits)?;
    limits.take_growing(path.len(), reader.at(), "properties")?;
    if path == "None" {
        return Ok(String::new());
    }
    Ok(if within.is_empty() { path } else { format!("{path}:{within}") })
}

/// Splits the path of an object into what two names state, `None` for nothing, and what is within the object. The first
/// name has all of the path but that if it is not split (Epic: `FTopLevelAssetPath`).
pub(crate) fn split_soft_path(path: &str, is_split: bool) -> (&str, &str, &str) {
    let (path, within) = path.split_once(':').unwrap_or((path, ""));
    // After the package, which is a path, comes the object.
    let name_at = path.rfind('/').unwrap_or_default();
    let split = path.get(name_at..).and_then(|name| name.find('.')).map(|at| name_at.saturating_add(at));
    let (package, object) = match split {
        Some(at) if is_split => {
            (path.get(..at).unwrap_or_default(), path.get(at.saturating_add(1)..).unwrap_or_default())
        }
        _ => (path, ""),
    };
    let package = if package.is_empty() { "None" } else { package };
    let object = if object.is_empty() { "None" } else { object };
    (package, object, within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_from_names_and_put_back() {
        for (name, expected) in [
            ("SW_12", ("SW", 13)),
            ("SW_0", ("SW", 1)),
            ("SW_01", ("SW_01", 0)),
            ("SW_", ("SW_", 0)),
            ("_3", ("_3", 0)),
            ("SW_+3", ("SW_+3", 0)),
            ("SW_99999999999", ("SW_99999999999", 0)),
            ("SW", ("SW", 0)),
        ] {
            assert_eq!(without_number(name), expected);
            assert_eq!(numbered(expected.0, expected.1), name);
        }
    }
}
