//! Keys as people write them.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

use unreal::{AesKey, Guid, InvalidKey, KeyRing};

/// Bytes of a file of keys.
const MAX_BYTES: u64 = 1 << 20;

/// Why a key is none.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeyError {
    /// It is neither hexadecimal nor base64.
    Invalid,
    /// What stands before `=` is no GUID.
    Guid(String),
    /// The file of keys cannot be read.
    Io {
        /// Which.
        file: String,
        /// Why.
        error: io::Error,
    },
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid => InvalidKey.fmt(f),
            Self::Guid(text) => write!(f, "not a GUID: {text}"),
            Self::Io { file, error } => write!(f, "cannot read {file}: {error}"),
        }
    }
}

impl std::error::Error for KeyError {}

/// Adds a key: `KEY`, `GUID=KEY`, or `@FILE` with lines as [`add_keys`] reads them.
///
/// # Errors
/// [`KeyError`] if it is none.
pub fn add_key(keys: &mut KeyRing, text: &str) -> Result<(), KeyError> {
    let Some(file) = text.strip_prefix('@') else { return add_one(keys, text.trim()) };
    let lines = lines_of(file).map_err(|error| KeyError::Io { file: file.to_owned(), error })?;
    add_keys(keys, &lines)
}

/// Adds the keys of a text: `KEY` or `GUID=KEY` on each line; empty lines and those that begin with `#` are skipped.
///
/// # Errors
/// [`KeyError`] if one is none.
pub fn add_keys(keys: &mut KeyRing, lines: &str) -> Result<(), KeyError> {
    let mut lines = lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.try_for_each(|line| add_one(keys, line))
}

/// Reads a file of keys; a password store may give them through a pipe.
fn lines_of(file: &str) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {MAX_BYTES} bytes"),
        ));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Returns a key of sound banks as a person gives it, if one is given: its text, or `@FILE` with it.
///
/// # Errors
/// The file, if it cannot be read.
pub fn bank_key(given: Option<String>) -> Result<Option<String>, (PathBuf, io::Error)> {
    let Some(file) = given.as_deref().and_then(|given| given.strip_prefix('@')) else { return Ok(given) };
    let text = lines_of(file).map_err(|error| (PathBuf::from(file), error))?;
    Ok(Some(text.trim_end().to_owned()))
}

/// Returns the key of encrypted CRI waves, if one is given: a number, decimal or hexadecimal with `0x`, or `@FILE` with
/// it.
///
/// # Errors
/// As [`bank_key`], and for what is no such number.
pub fn cri_key(given: Option<String>) -> Result<Option<u64>, (PathBuf, io::Error)> {
    let Some(text) = bank_key(given)? else { return Ok(None) };
    let key = soundbank::cri::parse_key(&text).ok_or_else(|| {
        let reason = "neither a decimal number nor a hexadecimal one with 0x";
        (PathBuf::from("the key of CRI waves"), io::Error::new(io::ErrorKind::InvalidData, reason))
    })?;
    Ok(Some(key))
}

fn add_one(keys: &mut KeyRing, text: &str) -> Result<(), KeyError> {
    // A key in base64 ends with one.
    let (guid, key) = match text.split_once('=') {
        Some((guid, key)) if !key.is_empty() => {
            (Some(Guid::parse(guid.trim()).ok_or_else(|| KeyError::Guid(guid.to_owned()))?), key)
        }
        _ => (None, text),
    };
    // All zeros stand for any container.
    let guid = guid.filter(|guid| *guid != Guid::default());
    keys.add(guid, AesKey::parse(key).map_err(|_| KeyError::Invalid)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_banks_are_given_or_lie_in_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "0x10\n").unwrap();
        let given = format!("@{}", file.path().display());
        let text = |given: &str| bank_key(Some(given.to_owned()));
        assert_eq!(
            [text("a b").unwrap(), text(&given).unwrap()],
            ["a b", "0x10"].map(|t| Some(t.to_owned()))
        );
        let number = |given: &str| cri_key(Some(given.to_owned()));
        assert_eq!(
            [number("12").unwrap(), number(&given).unwrap(), cri_key(None).unwrap()],
            [Some(12), Some(16), None]
        );
        assert!(text("@/nowhere").is_err() && number("0xg").is_err());
    }

    #[test]
    fn keys_are_read_as_people_write_them() {
        let (hex, base64) = ("11".repeat(32), "ERERERERERERERERERERERERERERERERERERERERERE=");
        for text in
            [hex.clone(), format!("0x{hex}"), base64.to_owned(), format!("{}={base64}", "AB".repeat(16))]
        {
            let mut keys = KeyRing::default();
            add_key(&mut keys, &text).unwrap();
            assert!(!keys.is_empty(), "{text}");
        }
        for text in ["", "x", "=x", "zz=11", &hex[1..], &format!("zz={hex}"), "@/nowhere"] {
            assert!(add_key(&mut KeyRing::default(), text).is_err(), "{text}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let given = format!("@{}", file.path().display());
        let comment = format!("{}\n", "#".repeat(1023));
        for (lines, is_read) in [(1024, true), (1025, false)] {
            std::fs::write(file.path(), comment.repeat(lines)).unwrap();
            assert_eq!(add_key(&mut KeyRing::default(), &given).is_ok(), is_read, "{lines}");
        }
    }
}
