//! Sound banks of middleware: the files that belong together, and those that name what is in them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use soundbank::BankFile;
use unreal::Source;

use super::files::{FileType, Files, FolderEntry};

/// Extensions of banks.
const BANKS: [&str; 6] = ["bnk", "pck", "bank", "fsb", "acb", "awb"];

/// Extensions of media beside banks.
const MEDIA: [&str; 1] = ["wem"];

/// Extensions of files that may name what banks hold.
const NAMES: [&str; 4] = ["xml", "json", "txt", "h"];

/// Bytes beyond which a file that may name things is not looked at: the largest seen has a tenth of it.
const MAX_NAMES_LENGTH: u64 = 256 << 20;

/// Folders that names are looked for in, from that of a bank upwards: `Event/English(US)/`, `Event/`, `Windows/`.
const NAMES_ABOVE: usize = 3;

/// How deep below a folder files are looked for.
const DEPTH: usize = 32;

/// The files of sound banks below a folder, or around one of them.
#[derive(Clone, Debug, Default)]
pub struct BankFolder {
    files: Vec<BankEntry>,
    /// The file that was named, by its index; none if a folder was.
    only: Option<usize>,
}

/// A file of a sound bank.
#[derive(Clone, Debug)]
pub(crate) struct BankEntry {
    pub(crate) path: PathBuf,
    /// Its path below the folder, with `/`.
    pub(crate) below: String,
    /// Size in bytes.
    pub(crate) size: u64,
    /// True if a package holds it.
    pub(crate) is_packaged: bool,
}

impl BankEntry {
    /// Returns it as a file of a project, with its bytes.
    pub(crate) fn bank_file(&self, source: Arc<dyn Source>) -> BankFile {
        BankFile { path: self.below.clone(), source, is_packaged: self.is_packaged }
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().unwrap_or_default();
    extensions.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted))
}

/// Returns whether a file is a sound bank by its extension, or media beside one.
pub(super) fn is_bank_file(path: &Path) -> bool {
    has_extension(path, &BANKS) || has_extension(path, &MEDIA)
}

/// Returns whether a file may name what banks hold, by its extension.
pub(super) fn may_name(path: &Path) -> bool {
    has_extension(path, &NAMES)
}

impl BankFolder {
    /// Finds the files below a folder, in the order of their paths; links to folders are not followed. Without a bank
    /// or media there are none.
    pub(super) fn below(files: &dyn Files, folder: &Path) -> Self {
        let mut found = Self::default();
        found.add(files, folder, "", DEPTH);
        found.files.sort_by(|one, other| one.below.cmp(&other.below));
        let has_bank = found.files.iter().any(|file| is_bank_file(&file.path));
        if has_bank { found } else { Self::default() }
    }

    /// Takes the files of a game that are sound banks, and those that may name what is in them: the latter only near
    /// banks, for games have many texts.
    pub(super) fn of_files(files: impl IntoIterator<Item = BankEntry>) -> Self {
        let (mut banks, names): (Vec<BankEntry>, Vec<BankEntry>) =
            files.into_iter().partition(|file| is_bank_file(&file.path));
        let folders =
            banks.iter().flat_map(|file| Path::new(&file.below).ancestors().skip(1).take(NAMES_ABOVE));
        let folders: BTreeSet<PathBuf> = folders.map(Path::to_owned).collect();
        let is_near = |file: &BankEntry| {
            let folder = Path::new(&file.below).parent().unwrap_or_else(|| Path::new(""));
            file.size <= MAX_NAMES_LENGTH && folders.contains(folder)
        };
        banks.extend(names.into_iter().filter(is_near));
        banks.sort_by(|one, other| one.below.cmp(&other.below));
        Self { files: banks, only: None }
    }

    /// Finds the files that a bank may refer to: those in its folder, in folders of that for media and languages, and
    /// in the folder above it.
    pub(super) fn around(files: &dyn Files, bank: &Path) -> Self {
        let mut found = Self::default();
        let folder = bank.parent().unwrap_or_else(|| Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
        match (name, above) {
            (Some(name), Some(above)) => {
                found.add(files, above, "", 0);
                found.add(files, folder, &format!("{name}/"), 1);
            }
            _ => found.add(files, folder, "", 1),
        }
        found.files.sort_by(|one, other| one.below.cmp(&other.below));
        let named = bank.file_name();
        let position =
            |file: &BankEntry| file.path.file_name() == named && file.path.parent() == Some(folder);
        found.only = found.files.iter().position(position);
        if found.only.is_none() {
            let size = files.info(bank).map_or(0, |info| info.size);
            let below = named.unwrap_or_default().to_string_lossy().into_owned();
            found.only = Some(found.files.len());
            found.files.push(BankEntry { path: bank.to_owned(), below, size, is_packaged: false });
        }
        found
    }

    /// Adds the files of a folder whose path below the first one is `below`, and of `depth` levels of folders in it.
    fn add(&mut self, files: &dyn Files, folder: &Path, below: &str, depth: usize) {
        for FolderEntry { name, file_type } in files.list(folder).unwrap_or_default() {
            let path = folder.join(&name);
            let below = format!("{below}{}", name.to_string_lossy());
            if file_type == FileType::Folder {
                if let Some(depth) = depth.checked_sub(1) {
                    self.add(files, &path, &format!("{below}/"), depth);
                }
                continue;
            }
            let may_name = may_name(&path);
            if !may_name && !is_bank_file(&path) {
                continue;
            }
            let Ok(info) = files.info(&path) else { continue };
            if info.file_type == FileType::File && (!may_name || info.size <= MAX_NAMES_LENGTH) {
                self.files.push(BankEntry { path, below, size: info.size, is_packaged: false });
            }
        }
    }

    pub(crate) fn entries(&self) -> &[BankEntry] {
        &self.files
    }

    /// Returns the file that was named, by its index; none if a folder was.
    pub(crate) const fn only(&self) -> Option<usize> {
        self.only
    }

    /// Returns whether there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the paths of the files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| &*file.path)
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
        for BankEntry { below, size, .. } in &self.files {
            bytes.extend(below.bytes());
            bytes.push(0);
            bytes.extend(size.to_le_bytes());
        }
        bytes
    }
}
