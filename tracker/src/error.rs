use std::fmt;

use song::Invalid;

/// Why a module cannot be read: in which file, where, in which structure, and what is wrong there.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    at: u64,
    what: &'static str,
    kind: ErrorKind,
}

/// What is wrong with a module.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are of none of the formats.
    NotAModule,
    /// The file ends within the structure.
    EndsEarly {
        /// Bytes that the next field takes.
        wanted: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// A field holds what its format does not allow.
    Malformed(String),
    /// Reading on would take more memory than was allowed.
    OverLimit {
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that were left of the budget.
        left: u64,
    },
    /// What was read does not make a module of a song.
    Song(Invalid),
}

impl Error {
    pub(crate) const fn new(at: u64, what: &'static str, kind: ErrorKind) -> Self {
        Self { at, what, kind }
    }

    pub(crate) const fn over_limit(needed: u64, left: u64) -> Self {
        Self::new(0, "module", ErrorKind::OverLimit { needed, left })
    }

    /// Returns the offset in the file, in bytes.
    #[must_use]
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Returns the name of the structure that was being read.
    #[must_use]
    pub const fn what(&self) -> &'static str {
        self.what
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::NotAModule | ErrorKind::OverLimit { .. } | ErrorKind::Song(_) => self.kind.fmt(f),
            ErrorKind::EndsEarly { .. } | ErrorKind::Malformed(_) => {
                write!(f, "{} at {:#x}: {}", self.what, self.at, self.kind)
            }
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModule => f.write_str("not a tracker module"),
            Self::EndsEarly { wanted, left } => write!(f, "ends early: {wanted} bytes wanted, {left} left"),
            Self::Malformed(text) => f.write_str(text),
            Self::OverLimit { needed, left } => {
                write!(f, "over the limit: {needed} bytes needed, {left} left")
            }
            Self::Song(invalid) => invalid.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Song(invalid) => Some(invalid),
            _ => None,
        }
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Self::new(0, "module", ErrorKind::Song(invalid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_tells_structure_offset_and_what_is_wrong() {
        let error = Error::new(0x22, "header", ErrorKind::EndsEarly { wanted: 4, left: 1 });
        assert_eq!(error.to_string(), "header at 0x22: ends early: 4 bytes wanted, 1 left");
        assert_eq!(Error::over_limit(2, 1).to_string(), "over the limit: 2 bytes needed, 1 left");
    }
}
