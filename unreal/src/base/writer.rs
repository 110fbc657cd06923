//! Bytes that are put together: the other half of [`super::reader`]. Little-endian, as containers are.

use std::fmt;
use std::io;

/// Bytes that grow.
#[derive(Debug, Default)]
pub(crate) struct ByteWriter(Vec<u8>);

/// How strings are written that are more than ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StringCoding {
    /// In units of two bytes.
    Utf16,
    Utf8,
}

/// Why something was not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The output could not be written.
    Io(io::Error),
    /// The version cannot hold what was asked for.
    Version {
        /// Which one.
        version: String,
        /// What it cannot hold.
        what: &'static str,
    },
    /// Mods of a game do not have it.
    Game {
        /// Title of the game.
        title: &'static str,
        /// What they do not have.
        what: String,
    },
    /// There is no encoder for this method.
    Method(&'static str),
    /// More than a field can state.
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How much there is.
        value: u64,
        /// How much it can be.
        most: u64,
    },
    /// Less than is needed.
    TooSmall {
        /// Of what.
        what: &'static str,
        /// How much there is.
        value: u64,
        /// How much it has to be.
        least: u64,
    },
    /// Two entries would have the same path.
    Twice(String),
    /// A name is not in the table of names.
    Name(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Version { version, what } => write!(f, "version {version} cannot hold {what}"),
            Self::Game { title, what } => write!(f, "{what} is not written for {title}"),
            Self::Method(name) => write!(f, "{name} is read, but not written"),
            Self::TooLarge { what, value, most } => write!(f, "{what}: {value}, and {most} can be written"),
            Self::TooSmall { what, value, least } => write!(f, "{what}: {value}, and {least} are needed"),
            Self::Twice(path) => write!(f, "two entries are called {path}"),
            Self::Name(name) => write!(f, "the table of names has no {name}"),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl ByteWriter {
    pub(crate) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn i32(&mut self, value: i32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// Changes a number that was written, of `width` bytes, at most 8.
    pub(crate) fn change(&mut self, at: u64, width: usize, changed: impl FnOnce(u64) -> u64) {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let Some(field) = self.0.get_mut(at..).and_then(|rest| rest.get_mut(..width)) else { return };
        let mut number = [0; 8];
        number.iter_mut().zip(&*field).for_each(|(to, from)| *to = *from);
        let new = changed(u64::from_le_bytes(number)).to_le_bytes();
        field.iter_mut().zip(new).for_each(|(to, from)| *to = from);
    }

    /// Writes how many there are, in four bytes.
    ///
    /// # Errors
    /// If it is more than these can state.
    pub(crate) fn count(&mut self, what: &'static str, count: usize) -> Result<(), WriteError> {
        self.u32(narrow(what, count as u64)?);
        Ok(())
    }

    /// Writes a string (Epic: `FString`), as [`super::reader::Reader::string`] reads it.
    ///
    /// # Errors
    /// If it is longer than its length can state.
    pub(crate) fn string(&mut self, text: &str, coding: StringCoding) -> Result<(), WriteError> {
        const WHAT: &str = "characters of a name";
        if text.is_ascii() || coding == StringCoding::Utf8 {
            let length: i32 = narrow_signed(WHAT, text.len().saturating_add(1) as u64)?;
            self.i32(length);
            self.bytes(text.as_bytes());
            self.u8(0);
        } else {
            let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
            let length: i32 = narrow_signed(WHAT, units.len() as u64)?;
            self.i32(length.saturating_neg());
            units.into_iter().for_each(|unit| self.bytes(&unit.to_le_bytes()));
        }
        Ok(())
    }

    /// Returns how many bytes there are.
    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Returns a number in 32 bits.
///
/// # Errors
/// If these cannot state it.
pub(crate) fn narrow(what: &'static str, value: u64) -> Result<u32, WriteError> {
    u32::try_from(value).map_err(|_| WriteError::TooLarge { what, value, most: u32::MAX.into() })
}

/// Returns a number in 31 bits.
///
/// # Errors
/// If these cannot state it.
pub(crate) fn narrow_signed(what: &'static str, value: u64) -> Result<i32, WriteError> {
    let most = i32::MAX.unsigned_abs().into();
    i32::try_from(value).map_err(|_| WriteError::TooLarge { what, value, most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::Limits;
    use crate::base::reader::Reader;
    use crate::base::source::Memory;

    #[test]
    fn a_string_has_as_many_characters_as_its_reader_allows() {
        for text in ["abcd", "äöü音"] {
            let mut writer = ByteWriter::default();
            writer.string(text, StringCoding::Utf16).unwrap();
            let bytes = Memory(writer.into_bytes());
            let read = |most| {
                Reader::new(&bytes, "a string", 0, bytes.0.len() as u64).string(most, &mut Limits::default())
            };
            assert_eq!(read(4).unwrap(), text);
            assert_eq!(read(3).unwrap_err().to_string(), "a string at 0x0: is longer than 3 characters");
        }
    }

    #[test]
    fn strings_are_read_as_they_were_written() {
        for coding in [StringCoding::Utf16, StringCoding::Utf8] {
            for text in ["", "Game/A.uasset", "Straße/音.uasset"] {
                let mut writer = ByteWriter::default();
                writer.string(text, coding).unwrap();
                let bytes = Memory(writer.into_bytes());
                let mut reader = Reader::new(&bytes, "a string", 0, bytes.0.len() as u64);
                assert_eq!(reader.string(18, &mut Limits::default()).unwrap(), text, "{coding:?}");
                assert_eq!(reader.left(), 0);
            }
        }
    }
}
