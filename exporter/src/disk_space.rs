//! How much an output may take on disk: no more than is free, and without the user's leave no flood from a small file.

use std::fmt;
use std::io;
use std::path::Path;

/// Ratio of written to stored bytes above which an output is a flood, if it is large as well.
pub const TIMES: u64 = 100;

/// Bytes up to which an output is no flood.
pub const LARGE: u64 = 4_000_000_000;

/// Why an output is not begun or not gone on with.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpaceError {
    /// It has more than [`LARGE`] bytes, and more than [`TIMES`] times those that it is made of: a small damaged or
    /// malicious file could fill a disk.
    Flood {
        /// Bytes that are stored.
        stored: u64,
        /// Bytes that would be written.
        wanted: u64,
    },
    /// It does not fit on its disk.
    Full {
        /// Bytes that are free.
        free: u64,
        /// Bytes that would be written.
        wanted: u64,
    },
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flood { stored, wanted } => {
                write!(f, "{stored} stored bytes would become {wanted} bytes on disk")
            }
            Self::Full { free, wanted } => {
                write!(f, "{wanted} bytes would be written, and the disk has {free} left")
            }
        }
    }
}

impl std::error::Error for SpaceError {}

/// What an output may take.
#[derive(Clone, Copy, Debug)]
pub struct DiskSpace {
    /// Bytes that it is made of, as they are stored.
    pub stored: u64,
    /// Whether the user has allowed any size.
    pub allows_flood: bool,
}

impl DiskSpace {
    /// Checks an output of `wanted` bytes below a folder, which need not be there yet. Where the system does not say
    /// what is free, only the size counts.
    ///
    /// # Errors
    /// [`SpaceError`] if it must not be begun.
    pub fn check(&self, folder: &Path, wanted: u64) -> Result<(), SpaceError> {
        self.check_size(wanted)?;
        match free(folder) {
            Ok(free) if wanted > free => Err(SpaceError::Full { free, wanted }),
            _ => Ok(()),
        }
    }

    /// Checks the next part of an output whose size is not known before: `part` bytes, with which it has `all`.
    ///
    /// # Errors
    /// [`SpaceError`] if that part must not be begun.
    pub fn check_part(&self, folder: &Path, part: u64, all: u64) -> Result<(), SpaceError> {
        self.check_size(all)?;
        // What was written before is not free any more.
        Self { allows_flood: true, ..*self }.check(folder, part)
    }

    /// Checks the size of an output that goes on, or goes to no disk.
    ///
    /// # Errors
    /// [`SpaceError::Flood`].
    pub const fn check_size(&self, wanted: u64) -> Result<(), SpaceError> {
        let Self { stored, allows_flood } = *self;
        if wanted > LARGE && wanted > stored.saturating_mul(TIMES) && !allows_flood {
            return Err(SpaceError::Flood { stored, wanted });
        }
        Ok(())
    }
}

/// Returns the bytes that are free for a user where a folder is or will be.
#[cfg(not(target_family = "wasm"))]
fn free(folder: &Path) -> io::Result<u64> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let whole = std::path::absolute(folder)?;
    let there = whole.ancestors().find(|folder| folder.exists()).unwrap_or(&whole);
    fs4::available_space(there)
}

/// There is no disk.
#[cfg(target_family = "wasm")]
fn free(_folder: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_both_large_and_many_times_the_input_is_a_flood() {
        let is_flood =
            |stored, wanted, allows_flood| DiskSpace { stored, allows_flood }.check_size(wanted).is_err();
        assert!(is_flood(22_000, 6_600_000_000, false));
        assert!(!is_flood(22_000, 6_600_000_000, true));
        // Small, though many times the input; large, though no more than it.
        assert!(!is_flood(1000, 4_000_000_000, false));
        assert!(is_flood(1000, 4_000_000_001, false));
        assert!(!is_flood(5_000_000_000, 9_000_000_000, false));
        assert!(!is_flood(u64::MAX, u64::MAX, false));
    }

    #[test]
    fn what_no_disk_holds_is_refused_before_the_folder_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("not/there");
        let space = DiskSpace { stored: u64::MAX, allows_flood: true };
        assert!(matches!(space.check(&below, u64::MAX), Err(SpaceError::Full { wanted: u64::MAX, .. })));
        assert!(space.check(&below, 1).is_ok());
        assert!(matches!(space.check_part(&below, u64::MAX, 1), Err(SpaceError::Full { .. })));
        assert!(space.check_part(&below, 1, u64::MAX).is_ok());
        let space = DiskSpace { stored: 1, allows_flood: false };
        assert!(matches!(space.check_part(&below, 1, LARGE + 1), Err(SpaceError::Flood { .. })));
        assert!(space.check_part(&below, 1, LARGE).is_ok());
        assert!(!below.exists());
    }
}
