use std::{fmt, io};

/// Why a bank could not be read: what is wrong, where in which file, in which structure.
///
/// Shown as `wwise item at 0x40: claims 4294967295 entries, 1 would fit`.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    at: u64,
    what: &'static str,
}

/// Kind of an error.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The source could not be read.
    Io(io::Error),
    /// It is no bank of this middleware; the text says what it is instead, where that is known.
    NotThisFormat(&'static str),
    /// It is known what it is, but it is not read.
    Unsupported(String),
    /// It is encrypted, and no key that was given opens it.
    Encrypted,
    /// A structure goes on past the end of its region.
    EndsEarly {
        /// Bytes the next value needs.
        wanted: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// More entries than the bytes that are left can hold.
    TooMany {
        /// Entries the file claims.
        count: u64,
        /// Entries that would fit.
        fit: u64,
    },
    /// A structure does not end where its size says.
    Size {
        /// Bytes that it states.
        stated: u64,
        /// Bytes that were read.
        read: u64,
    },
    /// Bytes that lie outside of the file.
    Outside {
        /// Where they would end.
        end: u64,
        /// Length of the file.
        length: u64,
    },
    /// Another contradiction.
    Malformed(&'static str),
    /// Reading on would take more memory than is allowed.
    OverLimit(unreal::Error),
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, at: u64, what: &'static str) -> Self {
        Self(Box::new(Inner { kind, at, what }))
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the offset in the file, in bytes.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.0.at
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, at, what } = &*self.0;
        write!(f, "{what} at {at:#x}: ")?;
        match kind {
            ErrorKind::Io(error) => write!(f, "{error}"),
            ErrorKind::NotThisFormat(other) => write!(f, "is {other}"),
            ErrorKind::Unsupported(text) => f.write_str(text),
            ErrorKind::Encrypted => f.write_str("is encrypted, and no key opens it"),
            ErrorKind::EndsEarly { wanted, left } => write!(f, "needs {wanted} bytes, {left} are left"),
            ErrorKind::TooMany { count, fit } => write!(f, "claims {count} entries, {fit} would fit"),
            ErrorKind::Size { stated, read } => write!(f, "states {stated} bytes, but has {read}"),
            ErrorKind::Outside { end, length } => {
                write!(f, "ends at {end:#x}, outside of the file of {length:#x} bytes")
            }
            ErrorKind::Malformed(text) => f.write_str(text),
            ErrorKind::OverLimit(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) => Some(error),
            ErrorKind::OverLimit(error) => Some(error),
            _ => None,
        }
    }
}
