//! Which files below a folder are a game's.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{has_extension, loose};
use crate::open::files::{FileType, Files, FolderEntry};

/// How deep below a folder files are looked for.
const DEPTH: usize = 32;

/// Folders of a project that repeat its packages: what the editor saved on its own, cooked or staged, and caches.
///
/// Source: *real-games*, §3: up to four copies of a sound.
const COPIES: [&str; 3] = ["Saved", "Intermediate", "DerivedDataCache"];

/// Files that are packages, belong to one, or are containers.
#[derive(Debug, Default)]
pub(super) struct GameFiles {
    pub(super) containers: Vec<PathBuf>,
    /// Packages, and what lies beside them.
    pub(super) packages: Vec<PathBuf>,
    pub(super) set_aside: Vec<SetAside>,
}

/// Packages and containers below a folder of copies, which were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The name of the folder: `Saved`.
    pub folder: String,
    /// How many there are.
    pub count: usize,
}

impl GameFiles {
    /// Finds the files below a folder; links are not followed. Folders of copies are left out, unless the folder is one
    /// of them, lies in one, or has nothing else.
    pub(super) fn below(files: &dyn Files, folder: &Path) -> io::Result<Self> {
        let is_copy = |path: &Path| path.components().any(|part| copies(part.as_os_str()).is_some());
        // A relative path may begin within such a folder.
        let is_named = is_copy(&files.resolve(folder));
        let mut walk = GameWalk { takes_copies: is_named, ..GameWalk::default() };
        walk.folder(files, folder, DEPTH)?;
        if walk.files.containers.is_empty() && walk.files.packages.is_empty() && !walk.counts.is_empty() {
            walk = GameWalk { takes_copies: true, ..GameWalk::default() };
            walk.folder(files, folder, DEPTH)?;
        }
        let GameWalk { mut files, counts, .. } = walk;
        let set_aside = counts.into_iter().filter(|(_, count)| *count > 0);
        files.set_aside =
            set_aside.map(|(folder, count)| SetAside { folder: folder.to_owned(), count }).collect();
        Ok(files)
    }
}

/// Returns the name of a folder of a project that repeats its packages; none if it is another.
#[must_use]
pub(in crate::open) fn copies(name: &std::ffi::OsStr) -> Option<&'static str> {
    COPIES.into_iter().find(|copies| name.eq_ignore_ascii_case(copies))
}

#[derive(Default)]
struct GameWalk {
    files: GameFiles,
    takes_copies: bool,
    /// Packages and containers below folders of copies.
    counts: BTreeMap<&'static str, usize>,
}

impl GameWalk {
    fn folder(&mut self, files: &dyn Files, folder: &Path, depth: usize) -> io::Result<()> {
        for FolderEntry { name, file_type } in files.list(folder)? {
            let path = folder.join(&name);
            if file_type == FileType::Folder {
                match copies(&name).filter(|_| !self.takes_copies) {
                    Some(name) => {
                        let count = count(files, &path, depth)?;
                        let counted = self.counts.entry(name).or_default();
                        *counted = counted.saturating_add(count);
                    }
                    None if depth > 0 => self.folder(files, &path, depth.saturating_sub(1))?,
                    None => {}
                }
            } else if file_type == FileType::File && is_container(&path) {
                self.files.containers.push(path);
            } else if file_type == FileType::File
                && (has_extension(&path, &loose::PACKAGES) || has_extension(&path, &loose::DATA))
            {
                self.files.packages.push(path);
            }
        }
        Ok(())
    }
}

/// Returns how many packages and containers lie below a folder.
fn count(files: &dyn Files, folder: &Path, depth: usize) -> io::Result<usize> {
    let mut walk = GameWalk { takes_copies: true, ..GameWalk::default() };
    walk.folder(files, folder, depth)?;
    let packages = walk.files.packages.iter().filter(|path| has_extension(path, &loose::PACKAGES));
    Ok(packages.count().saturating_add(walk.files.containers.len()))
}

fn is_container(path: &Path) -> bool {
    has_extension(path, &["pak", "utoc"])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::open::files::Disk;

    /// A folder with these files.
    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, b"").unwrap();
        }
        folder
    }

    fn found(folder: &Path) -> (usize, usize, Vec<(String, usize)>) {
        let GameFiles { containers, packages, set_aside } = GameFiles::below(&Disk, folder).unwrap();
        let aside = set_aside.into_iter().map(|SetAside { folder, count }| (folder, count));
        (containers.len(), packages.len(), aside.collect())
    }

    #[test]
    fn folders_of_copies_are_set_aside_if_there_is_anything_else() {
        let saved = || ("Saved".to_owned(), 2);
        let copies = ["Saved/B.pak", "Saved/Cooked/C.uasset", "Intermediate/readme.txt"];
        let with = |file: &'static str| folder(&[&[file], &copies[..]].concat());
        assert_eq!(found(with("Content/A.pak").path()), (1, 0, vec![saved()]));
        assert_eq!(found(with("Content/A.uasset").path()), (0, 1, vec![saved()]));
        // Nothing else, and a folder that is one of them.
        let alone = folder(&copies);
        assert_eq!(found(alone.path()), (1, 1, Vec::new()));
        assert_eq!(found(&alone.path().join("Saved")), (1, 1, Vec::new()));
        let nested = folder(&["Saved/A.pak", "Saved/Saved/B.pak"]);
        assert_eq!(found(&nested.path().join("Saved")), (2, 0, Vec::new()));
        assert_eq!(found(folder(&[]).path()), (0, 0, Vec::new()));
    }

    #[test]
    fn files_are_looked_for_as_deep_as_games_have_them() {
        let deep = |folders: usize| folder(&[&format!("{}A.pak", "f/".repeat(folders))]);
        assert_eq!(found(deep(DEPTH).path()), (1, 0, Vec::new()));
        assert_eq!(found(deep(DEPTH + 1).path()), (0, 0, Vec::new()));
    }
}
