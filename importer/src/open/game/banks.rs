//! The sound banks of a game: in its containers, in packages, and loose beside them.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal::Source;
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::{Container, OpenFile};

use super::files::copies;
use super::loose::path_in_game;
use crate::find::game::{FoundPart, GameAudio, PackagedFile};
use crate::open::bank_folder::{BankEntry, BankFolder, is_bank_file, may_name};
use crate::open::files::{FileInfo, FileType, Files, FolderEntry, MemoryFiles};

/// Sound banks of a game, and where their files are.
#[derive(Clone)]
pub struct GameBanks {
    pub(crate) files: Arc<dyn Files>,
    pub(crate) folder: BankFolder,
    /// Those that lie in no container.
    pub(super) loose: Vec<PathBuf>,
}

impl std::fmt::Debug for GameBanks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GameBanks").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl GameBanks {
    /// Finds the banks of mounted containers, and those among `loose` files, without copies. A file of a
    /// container comes before a loose one that has the same path. None if there are no banks.
    pub(super) fn find(disk: &Arc<dyn Files>, mount: &Arc<Mount>, loose: &BankFolder) -> Option<Self> {
        let mut entries: HashMap<String, BankEntry> = HashMap::new();
        let mut mounted: HashMap<PathBuf, (Stored, u64)> = HashMap::new();
        let is_copy = |file: &&BankEntry| {
            Path::new(&file.below).components().any(|part| copies(part.as_os_str()).is_some())
        };
        for file in loose.entries().iter().filter(|file| !is_copy(file)) {
            let below = path_in_game(&file.path).unwrap_or_else(|| file.below.clone());
            entries.insert(below.clone(), BankEntry { below, ..file.clone() });
        }
        for entry in mount.entries().filter(|entry| !mount.is_overridden(*entry)) {
            let Some(container) = mount.container(entry) else { continue };
            let Some((_, name)) = mount.folder_and_name(entry) else { continue };
            let name = Path::new(name);
            if matches!(container, Container::Folder(_)) || !is_bank_file(name) && !may_name(name) {
                continue;
            }
            let (Some(below), Ok(info)) = (mount.path(entry), container.info(entry.entry)) else { continue };
            // No file of the disk is below a container.
            let path = Path::new(mount.container_name(entry)).join(&*below);
            mounted.insert(path.clone(), (Stored::Entry(entry), info.size));
            let below = below.into_owned();
            entries.insert(below.clone(), BankEntry { path, below, size: info.size, is_packaged: false });
        }
        let folder = BankFolder::of_files(entries.into_values());
        let has_bank = folder.entries().iter().any(|file| is_bank_file(&file.path));
        let is_loose = |path: &&Path| !mounted.contains_key(*path);
        let loose = folder.paths().filter(is_loose).map(Path::to_owned).collect();
        let files = Arc::new(MountedFiles { disk: Arc::clone(disk), mount: Arc::clone(mount), mounted });
        has_bank.then_some(Self { files, folder, loose })
    }

    /// Joins banks with those that packages hold. None if there are neither.
    pub(crate) fn with_packaged(
        banks: Option<&Self>,
        mount: &Arc<Mount>,
        packaged: Vec<PackagedFile>,
    ) -> Option<Self> {
        if packaged.is_empty() {
            return banks.cloned();
        }
        let mut entries: Vec<BankEntry> =
            banks.iter().flat_map(|banks| banks.folder.entries()).cloned().collect();
        let mut mounted = HashMap::new();
        for file in packaged {
            let below = file.path(mount);
            let PackagedFile { held, parts, .. } = file;
            let path = Path::new(mount.container_name(held.package)).join(&below);
            let size = GameAudio::of(mount, &parts).len();
            mounted.insert(path.clone(), (Stored::Parts(parts), size));
            entries.push(BankEntry { path, below, size, is_packaged: true });
        }
        let disk =
            banks.map_or_else(|| Arc::new(MemoryFiles::default()) as _, |banks| Arc::clone(&banks.files));
        let files = Arc::new(MountedFiles { disk, mount: Arc::clone(mount), mounted });
        let loose = banks.map_or_else(Vec::new, |banks| banks.loose.clone());
        Some(Self { files, folder: BankFolder::of_files(entries), loose })
    }
}

/// Where the bytes of a file are.
enum Stored {
    /// In an entry of a container.
    Entry(MountedEntry),
    /// In a package, in parts.
    Parts(Vec<FoundPart>),
}

/// Files in containers and packages by their paths, and those of a disk under all other paths.
struct MountedFiles {
    disk: Arc<dyn Files>,
    mount: Arc<Mount>,
    mounted: HashMap<PathBuf, (Stored, u64)>,
}

impl OpenFile for MountedFiles {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        match self.mounted.get(path) {
            Some((Stored::Entry(entry), _)) => {
                let container = self.mount.container(*entry).ok_or(io::ErrorKind::NotFound)?;
                container.open(entry.entry).map_err(io::Error::other)
            }
            Some((Stored::Parts(parts), _)) => Ok(Box::new(GameAudio::of(&self.mount, parts))),
            None => self.disk.open(path),
        }
    }
}

impl Files for MountedFiles {
    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        self.disk.list(folder)
    }

    fn info(&self, path: &Path) -> io::Result<FileInfo> {
        match self.mounted.get(path) {
            Some((_, size)) => Ok(FileInfo { file_type: FileType::File, size: *size }),
            None => self.disk.info(path),
        }
    }
}
