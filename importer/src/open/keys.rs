//! Keys as people write them.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};

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

/// Adds a key: `KEY`, `GUID=KEY`, or `@FILE` with one of these on each line; empty lines and those that begin with `#`
/// are skipped.
///
/// # Errors
/// [`KeyError`] if it is none.
pub fn add_key(keys: &mut KeyRing, text: &str) -> Result<(), KeyError> {
    let Some(file) = text.strip_prefix('@') else { return add_one(keys, text.trim()) };
    let lines = lines_of(file).map_err(|error| KeyError::Io { file: file.to_owned(), error })?;
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
