//! Files that an SFZ file names: below its folder, whatever their case.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal::Source;

use crate::open::Files;

/// The most folders whose entries are held.
const MAX_FOLDERS: usize = 1000;

/// Finds files as players on systems that do not tell upper from lower case do.
pub(super) struct Paths {
    files: Arc<dyn Files>,
    /// The folder of the SFZ file.
    folder: PathBuf,
    listed: HashMap<PathBuf, Vec<OsString>>,
}

/// The parts of a path as an SFZ file states it; how many folders it leaves upwards first.
struct Stated<'p> {
    above: usize,
    parts: Vec<&'p str>,
}

impl<'p> Stated<'p> {
    /// Reads a path with either kind of separators; none if it is absolute or empty.
    fn read(path: &'p str) -> Option<Self> {
        let is_absolute = path.starts_with(['/', '\\']) || path.contains(':') || path.contains('\0');
        if is_absolute {
            return None;
        }
        let mut stated = Self { above: 0, parts: Vec::new() };
        for part in path.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." if stated.parts.pop().is_some() => {}
                ".." => stated.above = stated.above.saturating_add(1),
                part => stated.parts.push(part),
            }
        }
        (!stated.parts.is_empty()).then_some(stated)
    }
}

impl Paths {
    pub(super) fn new(files: Arc<dyn Files>, file: &Path) -> Self {
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        Self { files, folder, listed: HashMap::new() }
    }

    /// Finds a file that is included; none if its path leaves the folder of the SFZ file, or nothing is there.
    pub(super) fn included(&mut self, path: &str) -> Option<PathBuf> {
        let stated = Stated::read(path).filter(|stated| stated.above == 0)?;
        let folder = self.folder.clone();
        let found = self.find(folder, &stated.parts)?;
        // A link may lead out of the folder.
        let inside = self.files.resolve(&found).starts_with(self.files.resolve(&self.folder));
        let is_in_memory = self.files.resolve(&found) == found;
        (inside || is_in_memory).then_some(found)
    }

    /// Finds a sample; its path may leave the folder upwards, as many banks have theirs beside it.
    pub(super) fn sample(&mut self, path: &str) -> Option<PathBuf> {
        let stated = Stated::read(path)?;
        let mut folder = self.folder.clone();
        for _ in 0..stated.above {
            let is_known = folder.file_name().is_some();
            if !is_known || !folder.pop() {
                folder.push("..");
            }
        }
        self.find(folder, &stated.parts)
    }

    fn find(&mut self, folder: PathBuf, parts: &[&str]) -> Option<PathBuf> {
        let exact = parts.iter().fold(folder.clone(), |path, part| path.join(part));
        if self.files.is_file(&exact) {
            return Some(exact);
        }
        let mut path = folder;
        for part in parts {
            let name = self.entry(&path, part)?;
            path.push(name);
        }
        self.files.is_file(&path).then_some(path)
    }

    /// Returns the entry of a folder that a name is meant for.
    fn entry(&mut self, folder: &Path, name: &str) -> Option<OsString> {
        if !self.listed.contains_key(folder) {
            if self.listed.len() >= MAX_FOLDERS {
                return None;
            }
            let listed = self.files.list(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
            let listed = listed.or_else(|_| self.files.list(folder)).unwrap_or_default();
            let names = listed.into_iter().map(|entry| entry.name).collect();
            self.listed.insert(folder.to_owned(), names);
        }
        let names = self.listed.get(folder)?;
        let is_exact = |found: &&OsString| found.to_str() == Some(name);
        let lower = name.to_lowercase();
        let is_alike = |found: &&OsString| found.to_str().is_some_and(|found| found.to_lowercase() == lower);
        names.iter().find(is_exact).or_else(|| names.iter().find(is_alike)).cloned()
    }

    /// Opens a file that was found.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn open(&self, path: &Path) -> std::io::Result<Box<dyn Source>> {
        self.files.open(path)
    }

    /// Returns the files and gives up what was listed.
    pub(super) fn into_files(self) -> Arc<dyn Files> {
        self.files
    }
}
