//! The files of a folder that are to be packed.

use std::fmt;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::{FileState, PackError, PackedFile};

/// The files below a folder, and what there is to know of them.
#[derive(Debug, Default)]
pub struct FolderFiles {
    /// The files, by their names.
    pub files: Vec<PackedFile>,
    /// Links, and files that are left out.
    pub remarks: Vec<LinkRemark>,
}

/// A remark about a link or an unusual file of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkRemark {
    /// A link to a file, whose bytes are packed.
    Followed {
        /// The link.
        link: PathBuf,
        /// Target of the link.
        target: PathBuf,
    },
    /// A link to a folder: they can lead in circles.
    FolderLink(PathBuf),
    /// Neither a file nor a folder: a pipe, a socket, a device.
    Special(PathBuf),
}

impl fmt::Display for LinkRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Followed { link, target } => {
                write!(f, "{} is a link; the bytes of {} are packed", link.display(), target.display())
            }
            Self::FolderLink(path) => write!(f, "{} is left out: a link to a folder", path.display()),
            Self::Special(path) => write!(f, "{} is left out: a pipe, socket or device", path.display()),
        }
    }
}

/// Returns the files below a folder, by their names. Links to files are followed, links to folders are not.
///
/// # Errors
/// [`PackError`] for the first file or folder that cannot be read or named.
pub fn files(folder: &Path) -> Result<FolderFiles, PackError> {
    let FolderFiles { mut files, mut remarks } = FolderFiles::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        let failed = |error| PackError::Read(below.clone(), error);
        for entry in fs::read_dir(&below).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let failed = |error| PackError::Read(path.clone(), error);
            let metadata = fs::metadata(&path).map_err(failed)?;
            let is_link = path.is_symlink();
            if metadata.is_dir() && is_link {
                remarks.push(LinkRemark::FolderLink(path));
            } else if metadata.is_dir() {
                folders.push(path);
            } else if metadata.is_file() {
                if is_link {
                    let target = path.canonicalize().map_err(failed)?;
                    remarks.push(LinkRemark::Followed { link: path.clone(), target });
                }
                let name = path.strip_prefix(folder).unwrap_or(&path);
                let parts = name.components().map(|part| part.as_os_str().to_str());
                let parts: Option<Vec<&str>> = parts.collect();
                let entry = parts.ok_or_else(|| PackError::Name(path.clone()))?.join("/");
                let (size, found) = (metadata.len(), Some(state(&metadata)));
                let file = PackedFile { file: path, found, ..PackedFile::of_bytes(entry, Vec::new()) };
                files.push(PackedFile { size, bytes: None, ..file });
            } else {
                remarks.push(LinkRemark::Special(path));
            }
        }
    }
    files.sort_by(|one, other| one.entry.cmp(&other.entry));
    remarks.sort_by(|one, other| one.path().cmp(other.path()));
    Ok(FolderFiles { files, remarks })
}

impl LinkRemark {
    fn path(&self) -> &Path {
        match self {
            Self::Followed { link: path, .. } | Self::FolderLink(path) | Self::Special(path) => path,
        }
    }
}

/// Returns what tells that a file has changed. Some systems do not say when that was.
pub(super) fn state(metadata: &Metadata) -> FileState {
    (metadata.len(), metadata.modified().ok())
}
