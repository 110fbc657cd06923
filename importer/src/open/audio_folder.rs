//! Files of audio below a folder: those by whose extension they are looked at, but for packages and modules.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal::ObjectPath;

use super::files::{FileType, Files, FolderEntry};
use crate::collection::audio_files::{NamedPayload, natural_order};
use crate::collection::joined_files::JoinedFiles;
use crate::probe::probe_source;

/// Extensions of files that are looked at in folders.
const EXTENSIONS: [&str; 9] = ["wav", "aif", "aiff", "aifc", "flac", "ogg", "oga", "opus", "mp3"];

/// How deep below a folder files are looked for.
const DEPTH: usize = 32;

/// Returns whether a file is one of audio by its extension.
#[must_use]
pub(super) fn is_audio(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    EXTENSIONS.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
}

/// The files of audio below a folder.
#[derive(Clone, Debug, Default)]
pub struct AudioFolder {
    files: Vec<AudioEntry>,
}

#[derive(Clone, Debug)]
struct AudioEntry {
    path: PathBuf,
    /// The folders that it lies in below the one that was opened, and its name.
    below: Vec<String>,
    /// Size in bytes.
    size: u64,
}

impl AudioFolder {
    /// Finds the files below a folder, in the order of their names; links to folders are not followed.
    ///
    /// # Errors
    /// If the folder itself cannot be listed.
    pub(super) fn below(files: &dyn Files, folder: &Path) -> io::Result<Self> {
        let mut found = Self::default();
        let listed = files.list(folder)?;
        found.add(files, folder, listed, &mut Vec::new());
        found.files.sort_by(|one, other| {
            let names = one.below.iter().zip(&other.below).map(|(one, other)| natural_order(one, other));
            let depth = one.below.len().cmp(&other.below.len());
            names.chain([depth]).find(|order| order.is_ne()).unwrap_or(depth)
        });
        Ok(found)
    }

    fn add(&mut self, files: &dyn Files, folder: &Path, listed: Vec<FolderEntry>, above: &mut Vec<String>) {
        for FolderEntry { name, file_type } in listed {
            let path = folder.join(&name);
            above.push(name.to_string_lossy().into_owned());
            if file_type == FileType::Folder {
                if above.len() <= DEPTH
                    && let Ok(listed) = files.list(&path)
                {
                    self.add(files, &path, listed, above);
                }
            } else if is_audio(&path) && files.is_file(&path) {
                self.push(files, path, above);
            }
            above.pop();
        }
    }

    /// Adds a file, unless it is opened on its own.
    fn push(&mut self, files: &dyn Files, path: PathBuf, below: &[String]) {
        let kind = files.open(&path).and_then(|source| probe_source(&*source));
        if kind.is_ok_and(crate::FileKind::is_opened) {
            return;
        }
        let size = files.info(&path).map_or(0, |info| info.size);
        self.files.push(AudioEntry { path, below: below.to_vec(), size });
    }

    /// Returns the paths of the files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| &*file.path)
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the bytes of all files.
    #[must_use]
    pub fn stored_len(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.size))
    }

    /// Returns what tells one folder from another: the names and sizes of its files.
    #[must_use]
    pub fn identity(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for AudioEntry { below, size, .. } in &self.files {
            bytes.extend(below.join("/").bytes());
            bytes.push(0);
            bytes.extend(size.to_le_bytes());
        }
        bytes
    }

    /// Returns the files one after another, and how each is called: by its path without extension, unless another file
    /// has the same.
    pub(crate) fn joined(&self, files: &Arc<dyn Files>) -> (JoinedFiles, Vec<NamedPayload>) {
        let mut counts: HashMap<ObjectPath, usize> = HashMap::new();
        for file in &self.files {
            let count = counts.entry(file.object(false)).or_default();
            *count = count.saturating_add(1);
        }
        let mut joined = JoinedFiles::new(Arc::clone(files));
        let mut named = |file: &AudioEntry| {
            let object = file.object(false);
            let is_alone = counts.get(&object) == Some(&1);
            let payload = joined.add(file.path.clone(), file.size);
            NamedPayload { object: if is_alone { object } else { file.object(true) }, payload }
        };
        let named = self.files.iter().map(&mut named).collect();
        (joined, named)
    }
}

impl AudioEntry {
    /// Returns its folders, joined by dots, and its name.
    fn object(&self, has_extension: bool) -> ObjectPath {
        let (name, folders) = self.below.split_last().map_or(("", &[][..]), |(name, rest)| (&**name, rest));
        let stem = Path::new(name).file_stem().and_then(OsStr::to_str).unwrap_or(name);
        let name = if has_extension { name } else { stem };
        ObjectPath { group: folders.join("."), name: name.to_owned() }
    }
}
