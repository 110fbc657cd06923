//! Names that packages and containers of Unreal Engine 4 to 6 refer to by their numbers. Each form of them reads its
//! own table: see [`crate::asset`] and [`crate::zen`].

use crate::error::{Error, Malformed};
use crate::reader::Reader;

/// The upper bits of a reference say whether a name is a package's, a container's or the game's; where it stands says
/// the same.
const INDEX: u32 = 0x3FFF_FFFF;

/// Names in their order.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<Box<str>>);

impl Names {
    /// Creates a table of names.
    pub(crate) const fn new(names: Vec<Box<str>>) -> Self {
        Self(names)
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

/// Returns a name with its number, which is one more than what is shown; 0 for none.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    match number.checked_sub(1) {
        None => name.to_owned(),
        Some(number) => format!("{name}_{number}"),
    }
}
