//! The bytes of an entry, written somewhere.

use std::fmt;
use std::io::{self, Write};

use unreal::Source;

/// Bytes that are read at once.
const PIECE: u64 = 256 << 10;

/// Errors of copying bytes.
#[derive(Debug)]
#[non_exhaustive]
pub enum CopyError {
    /// The source cannot be read.
    Read(io::Error),
    /// The output cannot be written.
    Write(io::Error),
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) | Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CopyError {}

/// Copies the bytes of a source piece by piece. `report` is called after each with its length; where it returns false,
/// copying ends and so does this, with false.
///
/// # Errors
/// [`CopyError`] of the first piece that cannot be read or written.
pub fn copy(
    source: &dyn Source,
    out: &mut dyn Write,
    report: &dyn Fn(u64) -> bool,
) -> Result<bool, CopyError> {
    let mut piece = vec![0; usize::try_from(PIECE.min(source.len())).unwrap_or(0)];
    let mut at = 0;
    while at < source.len() {
        let length = usize::try_from(source.len() - at).unwrap_or(usize::MAX).min(piece.len());
        let bytes = piece.get_mut(..length).unwrap_or_default();
        source.read_at(at, bytes).map_err(CopyError::Read)?;
        out.write_all(bytes).map_err(CopyError::Write)?;
        at += length as u64;
        if !report(length as u64) {
            return Ok(false);
        }
    }
    Ok(true)
}
