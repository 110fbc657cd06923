//! The files of a game: one container or package, or all below a folder.
//!
//! ```text
//! loose cooked packages ◄ containers, in the order of the engine ◄ loose packages of the editor       later ones win
//! ```

mod banks;
mod files;
mod loose;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use unreal::containers::mount::{Mount, mounting_order};
use unreal::containers::{Container, IoStore};
use unreal::{Error, ErrorKind, KeyId, KeyRing, Limits};

use super::bank_folder::BankFolder;
use super::files::{FileType, Files};
use crate::parallel::for_each;
use crate::probe::probe_source;
use crate::{Budget, FileKind};
pub use banks::GameBanks;
use files::GameFiles;
pub use files::SetAside;
pub(super) use files::copies;
use loose::LooseFiles;

/// Mounted containers.
#[derive(Debug)]
pub struct GameMount {
    /// Those that could be opened.
    pub mount: Arc<Mount>,
    /// Those that could not.
    pub left_out: Vec<LeftOut>,
    /// Files of data that a container asks for, and that are not there: what lies in them cannot be read.
    pub missing: Vec<PathBuf>,
    /// Copies of packages that were left out.
    pub set_aside: Vec<SetAside>,
    /// All files that were opened, or belong to what was: no output may take their places.
    pub files: Vec<PathBuf>,
    /// Sound banks in its containers, and loose ones below its folder.
    pub banks: Option<GameBanks>,
}

/// A container that could not be opened.
#[derive(Debug)]
pub struct LeftOut {
    /// Where it lies.
    pub path: PathBuf,
    /// Why.
    pub error: Error,
}

/// Why nothing could be mounted.
#[derive(Debug)]
#[non_exhaustive]
pub enum GameError {
    /// A file or folder could not be read.
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A folder without any container or package.
    NoContainers(PathBuf),
}

impl std::fmt::Display for GameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            Self::NoContainers(path) => {
                write!(f, "no .pak, .utoc or .uasset of Unreal Engine 4 or later in {}", path.display())
            }
        }
    }
}

impl std::error::Error for GameError {}

/// Returns why something of a game cannot be read; of what is encrypted, which key it needs first. `advice` says how
/// the first key is given.
#[must_use]
pub fn unread_reason(error: &Error, keys: &KeyRing, advice: &str) -> String {
    let ErrorKind::Encrypted(key) = error.kind() else { return error.to_string() };
    let help = if keys.is_empty() { advice } else { "none of the given keys opens it" };
    let key = key.map_or_else(String::new, |key| format!(" ({})", KeyId(key)));
    format!("encrypted; {help}{key}; {} at {:#x}", error.what(), error.at())
}

impl GameMount {
    /// Opens a container or a package, with what lies beside it, or all below a folder: its containers as the engine
    /// would mount them, and loose packages. What cannot be opened is left out, and so are the copies that the editor
    /// keeps in folders such as `Saved`. Packages whose container does not say where they lie are named as they say
    /// themselves.
    ///
    /// # Errors
    /// [`GameError`] if the path cannot be read, or there are no containers or packages below it.
    #[cfg(any(unix, windows))]
    pub fn open(path: &Path, keys: &KeyRing, threads: NonZeroUsize) -> Result<Self, GameError> {
        let disk: Arc<dyn Files> = Arc::new(super::files::Disk);
        Self::open_within(&disk, path, keys, threads, Budget::TABLES)
    }

    /// Opens a game among any files, whose tables may take `most` bytes. What takes more is left out.
    ///
    /// # Errors
    /// [`GameError`] if the path cannot be read, or there are no containers or packages below it.
    pub fn open_within(
        disk: &Arc<dyn Files>,
        path: &Path,
        keys: &KeyRing,
        threads: NonZeroUsize,
        most: u64,
    ) -> Result<Self, GameError> {
        let failure = |error| GameError::Io { path: path.to_owned(), error };
        let mut set_aside = Vec::new();
        let is_folder = disk.info(path).map_err(failure)?.file_type == FileType::Folder;
        let (mut files, loose) = if is_folder {
            let found = GameFiles::below(&**disk, path).map_err(failure)?;
            set_aside = found.set_aside;
            (found.containers, LooseFiles::of(disk, path, found.packages).map_err(failure)?)
        } else {
            let path = opened_instead(&**disk, path).unwrap_or_else(|| path.to_owned());
            if loose::form_of(&**disk, &path).map_err(failure)?.is_some() {
                let editor = Some(loose::beside(disk, &path).map_err(failure)?);
                (Vec::new(), LooseFiles { cooked: None, editor })
            } else {
                (vec![path], LooseFiles::default())
            }
        };
        let LooseFiles { cooked, editor } = loose;
        if files.is_empty() && cooked.is_none() && editor.is_none() {
            return Err(GameError::NoContainers(path.to_owned()));
        }
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.sort_by(|one, other| mounting_order(&name(one), &name(other)).then_with(|| one.cmp(other)));
        let folder = |folder| (path.display().to_string(), Container::Folder(folder));
        let mut containers: Vec<(String, Container)> = cooked.map(folder).into_iter().collect();
        let (mut left_out, mut missing, mut opened_files) = (Vec::new(), Vec::new(), files.clone());
        let mut limits = Limits::with_structures(most.min(Budget::TABLES));
        for path in files {
            let opened = open(&**disk, &path, keys, &mut limits, (&mut opened_files, &mut missing));
            match opened.and_then(|container| named(container, threads, &mut limits)) {
                Ok(container) => containers.push((path.display().to_string(), container)),
                Err(error) => left_out.push(LeftOut { path, error }),
            }
        }
        containers.extend(editor.map(folder));
        for (_, container) in &containers {
            let Container::Folder(folder) = container else { continue };
            let paths = (0..container.len()).filter_map(|number| folder.file_path(number));
            opened_files.extend(paths.map(Path::to_owned));
        }
        let mount = Arc::new(Mount::new(containers));
        let loose = if is_folder { BankFolder::below(&**disk, path) } else { BankFolder::default() };
        let banks = GameBanks::find(disk, &mount, &loose);
        opened_files.extend(banks.iter().flat_map(|banks| banks.loose.iter().cloned()));
        Ok(Self { mount, left_out, missing, set_aside, files: opened_files, banks })
    }
}

/// Returns whether a package or container of a game lies below a folder.
pub(super) fn is_game_folder(files: &dyn Files, folder: &Path) -> bool {
    let Ok(GameFiles { containers, packages, .. }) = GameFiles::below(files, folder) else { return false };
    let is_part = |path: &PathBuf| {
        let kind = files.open(path).and_then(|source| probe_source(&*source));
        matches!(kind, Ok(FileKind::GameFile(kind)) if kind.is_opened_with_others())
    };
    containers.iter().chain(&packages).any(is_part)
}

impl GameMount {
    /// Returns the bytes of all containers, on disk.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.mount.file_len()
    }

    /// Returns whether all of its containers could be opened, with all of their data.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.left_out.is_empty() && self.missing.is_empty()
    }

    /// Returns whether its packages lie in no container.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        self.mount.containers().iter().all(|(_, container)| matches!(**container, Container::Folder(_)))
    }

    /// Returns what tells one game from another: the names, lengths and numbers of entries of its files.
    #[must_use]
    pub fn identity(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, container) in self.mount.containers() {
            let name = Path::new(name).file_name().unwrap_or_default();
            bytes.extend(name.as_encoded_bytes());
            bytes.extend(container.file_len().to_le_bytes());
            bytes.extend((container.len() as u64).to_le_bytes());
        }
        bytes
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Names the packages of a container that it does not name; those that cannot be read stay without.
fn named(container: Container, threads: NonZeroUsize, limits: &mut Limits) -> Result<Container, Error> {
    let Container::IoStore(mut store) = container else { return Ok(container) };
    let unnamed = store.unnamed_packages();
    let paths = Mutex::new(Vec::new());
    for_each(unnamed.len(), threads, |place| {
        if let Some((number, path)) =
            unnamed.get(place).and_then(|number| Some((*number, store.package_path(*number).ok()?)))
        {
            paths.lock().unwrap_or_else(PoisonError::into_inner).push((number, path));
        }
        true
    });
    let paths = paths.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !paths.is_empty() {
        store.set_package_paths(&paths, limits)?;
    }
    Ok(Container::IoStore(store))
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension()
        .is_some_and(|extension| wanted.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted)))
}

/// Returns the file that is opened where one is given that belongs to it: a table of contents for its data, a package
/// for its objects. None if there is no such file.
#[must_use]
pub(super) fn opened_instead(files: &dyn Files, path: &Path) -> Option<PathBuf> {
    let of_package = || ["uasset", "umap"].map(|extension| path.with_extension(extension)).to_vec();
    let others = match () {
        () if has_extension(path, &["ucas"]) => tables_of(path),
        () if has_extension(path, &loose::DATA) => of_package(),
        () => Vec::new(),
    };
    others.into_iter().find(|other| files.is_file(other))
}

/// Opens one container; files of data are added to those that are opened, or to those that are missing.
fn open(
    disk: &dyn Files,
    path: &Path,
    keys: &KeyRing,
    limits: &mut Limits,
    (files, missing): (&mut Vec<PathBuf>, &mut Vec<PathBuf>),
) -> Result<Container, Error> {
    let source = disk.open(path)?;
    if IoStore::is_toc(&*source)? {
        let count = IoStore::partition_count(&*source)?;
        let names = (0..count).map(|number| partition(path, number));
        let partitions = names.map(|path| match disk.open(&path) {
            Ok(file) => {
                files.push(path);
                Some(file)
            }
            Err(_) => {
                missing.push(path);
                None
            }
        });
        let partitions = partitions.collect();
        return IoStore::open(source, partitions, keys, limits).map(Container::IoStore);
    }
    Container::open_pak(source, keys, limits)
}

/// Returns where the table of contents of a file of data may lie: for `Game_s1.ucas` it is `Game_s1.utoc` or
/// `Game.utoc`.
fn tables_of(data: &Path) -> Vec<PathBuf> {
    let stem = data.file_stem().unwrap_or_default().to_string_lossy();
    let is_number = |text: &&str| text.parse::<u32>().is_ok();
    let first = stem.rsplit_once("_s").filter(|(_, number)| is_number(number)).map(|(first, _)| first);
    let names = [Some(&*stem), first].into_iter().flatten();
    names.map(|stem| data.with_file_name(format!("{stem}.utoc"))).collect()
}

/// Returns the path of a file of data beside a table of contents.
fn partition(toc: &Path, number: u32) -> PathBuf {
    let stem = toc.file_stem().unwrap_or_default().to_string_lossy();
    let part = if number == 0 { String::new() } else { format!("_s{number}") };
    toc.with_file_name(format!("{stem}{part}.ucas"))
}
