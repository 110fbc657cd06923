//! A path that was opened, whatever it is.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unreal::{KeyRing, Memory, NotPackage, Source};

use super::archive::{self, Unpacked};
use super::audio_folder::AudioFolder;
use super::bank_folder::BankFolder;
use super::files::Files;
use super::game::{GameError, GameMount, is_game_folder, opened_instead};
use crate::collection::{saved_instrument, sfz};
use crate::probe::probe_source;
use crate::{BankOptions, Budget, Error, FileKind, GameOptions, ImportOptions, SavedInstrument, SoundFile};

/// What the user knows of a file, and what it may cost.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Keys of encrypted containers.
    pub keys: KeyRing,
    /// How packages of Unreal Engine 1 to 3 are read, and which stream of a recording is taken.
    pub package: ImportOptions,
    /// What is known of the packages of a game.
    pub game: GameOptions,
    /// What is known and wanted of sound banks.
    pub banks: BankOptions,
    /// What it may cost. The tables of a game take no more than the memory that files share.
    pub budget: Budget,
    /// Number of threads that read the tables of a game.
    pub threads: NonZeroUsize,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            keys: KeyRing::default(),
            package: ImportOptions::default(),
            game: GameOptions::default(),
            banks: BankOptions::default(),
            budget: Budget::default(),
            threads: NonZeroUsize::MIN,
        }
    }
}

/// A package, a tracker module, a file of audio or a folder of these, or the containers and loose packages of a game.
pub struct OpenedFile {
    name: String,
    source: Arc<dyn Source>,
    game: Option<GameMount>,
    /// The path of a game.
    path: PathBuf,
    /// The path of an SFZ file, and where it and its samples are.
    sfz: Option<(Arc<dyn Files>, PathBuf)>,
    /// A saved instrument, and the path of its file.
    instrument: Option<(Arc<dyn Files>, SavedInstrument, PathBuf)>,
    audio: Option<(Arc<dyn Files>, AudioFolder)>,
    /// Sound banks, and the path that was opened.
    banks: Option<(Arc<dyn Files>, BankFolder, PathBuf)>,
}

/// Why a path cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The file or folder cannot be read.
    Io {
        /// Its path.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// It is part of a game that cannot be opened.
    Game(GameError),
    /// It holds nothing that is read.
    Sounds(Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            Self::Game(error) => error.fmt(f),
            Self::Sounds(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

/// A path whose kind is known: whether it needs keys and mappings is known before these are read.
pub struct ProbedFile<'p> {
    path: &'p Path,
    source: Arc<dyn Source>,
    /// What its bytes are; of a folder nothing.
    kind: Option<FileKind>,
    is_folder: bool,
    is_game: bool,
    is_sfz: bool,
    /// The files of audio of a folder that is no game's.
    audio: Option<AudioFolder>,
    /// The sound banks of a folder that is no game's, or those around one.
    banks: Option<BankFolder>,
}

impl<'p> ProbedFile<'p> {
    /// Looks at what is at a path.
    ///
    /// # Errors
    /// [`OpenError::Io`].
    pub fn probe(files: &dyn Files, path: &'p Path) -> Result<Self, OpenError> {
        let failed = |error| OpenError::Io { path: path.to_owned(), error };
        let is_folder = files.is_folder(path);
        let source: Arc<dyn Source> =
            if is_folder { Arc::new(Memory([])) } else { files.open_input(path).map_err(failed)? };
        let is_game_folder = is_folder && is_game_folder(files, path);
        let banks = (is_folder && !is_game_folder).then(|| BankFolder::below(files, path));
        let mut banks = banks.filter(|banks| !banks.is_empty());
        let audio = match (is_folder && banks.is_none()).then(|| AudioFolder::below(files, path)) {
            Some(Ok(audio)) => Some(audio).filter(|audio| !audio.is_empty() && !is_game_folder),
            _ => None,
        };
        let kind = probe_source(&*source);
        if matches!(kind, Ok(FileKind::SoundBank)) && files.is_file(path) {
            banks = Some(BankFolder::around(files, path));
        }
        let is_sfz = match kind {
            Ok(FileKind::Sfz) => files.is_file(path),
            Ok(FileKind::Other(_)) => sfz::is_named(path) && files.is_file(path),
            _ => false,
        };
        let is_game = match kind {
            _ if is_folder => audio.is_none() && banks.is_none(),
            _ if banks.is_some() => false,
            Ok(FileKind::GameFile(kind)) => kind.is_opened_with_others(),
            // The data stands for its table, and objects for their package.
            _ => opened_instead(files, path).is_some(),
        };
        Ok(Self { path, source, kind: kind.ok(), is_folder, is_game, is_sfz, audio, banks })
    }

    /// Returns whether it is a file or folder of a game of Unreal Engine 4 or later.
    #[must_use]
    pub const fn is_game(&self) -> bool {
        self.is_game
    }

    /// Returns whether keys and mappings may be needed to open it: it is of a game, or plays sounds of other files.
    #[must_use]
    pub fn may_need_keys(&self) -> bool {
        self.is_game || self.kind == Some(FileKind::SavedInstrument)
    }

    /// Opens it, and of a game all that belongs to it.
    ///
    /// # Errors
    /// As [`OpenedFile::open`].
    pub fn open(self, files: &Arc<dyn Files>, options: &OpenOptions) -> Result<OpenedFile, OpenError> {
        let Self { path, source, kind, is_folder, is_game, is_sfz, audio, banks } = self;
        let name = path.file_stem().unwrap_or(path.as_os_str());
        if is_sfz {
            let sfz = Some((Arc::clone(files), path.to_owned()));
            return Ok(OpenedFile { sfz, ..OpenedFile::of_source(source, name) });
        }
        if kind == Some(FileKind::SavedInstrument) {
            let saved = saved_instrument::read(&*source, path).map_err(OpenError::Sounds)?;
            let instrument = Some((Arc::clone(files), saved, path.to_owned()));
            return Ok(OpenedFile { instrument, ..OpenedFile::of_source(source, name) });
        }
        if let Some(banks) = banks {
            let resolved = files.resolve(path);
            let name = if is_folder { resolved.file_name().unwrap_or(name) } else { name };
            let source = if is_folder { Arc::new(Memory(banks.identity())) } else { source };
            let banks = Some((Arc::clone(files), banks, path.to_owned()));
            return Ok(OpenedFile { banks, ..OpenedFile::of_source(source, name) });
        }
        if let Some(audio) = audio {
            let resolved = files.resolve(path);
            let name = resolved.file_name().unwrap_or(path.as_os_str());
            let source = Arc::new(Memory(audio.identity()));
            let audio = Some((Arc::clone(files), audio));
            return Ok(OpenedFile { audio, ..OpenedFile::of_source(source, name) });
        }
        if !is_game {
            let whole = path.file_name().unwrap_or(path.as_os_str());
            return match kind {
                Some(FileKind::Other(NotPackage::Gzip | NotPackage::Zip)) => {
                    OpenedFile::unpacked(source, whole, &options.budget)
                }
                _ => Ok(OpenedFile::of_source(source, name)),
            };
        }
        let tables = options.budget.memory_left();
        let game = GameMount::open_within(files, path, &options.keys, options.threads, tables);
        let game = game.map_err(OpenError::Game)?;
        let source = if is_folder { Arc::new(Memory(game.identity())) } else { source };
        Ok(OpenedFile { game: Some(game), path: path.to_owned(), ..OpenedFile::of_source(source, name) })
    }
}

impl OpenedFile {
    /// Opens a path: a file, or a folder that is one game. A file of a game is opened with all that belong to it.
    ///
    /// # Errors
    /// [`OpenError`]. Whether a file that is no game's holds sounds is known by [`OpenedFile::sounds`].
    pub fn open(files: &Arc<dyn Files>, path: &Path, options: &OpenOptions) -> Result<Self, OpenError> {
        ProbedFile::probe(&**files, path)?.open(files, options)
    }

    /// Takes bytes for a package or a tracker module of that name, or for an archive of one.
    ///
    /// # Errors
    /// [`OpenError::Sounds`] if an archive has not one file in it, is damaged, or takes more than the budget.
    pub fn unpacked(source: Arc<dyn Source>, name: &OsStr, budget: &Budget) -> Result<Self, OpenError> {
        let kind = probe_source(&*source).ok();
        let unpacked = kind.map(|kind| archive::unpack(kind, &*source, Path::new(name), budget));
        match unpacked.transpose().map_err(OpenError::Sounds)?.flatten() {
            Some(Unpacked { source, name }) => Ok(Self::of_source(source, &name)),
            None => Ok(Self::of_source(source, name)),
        }
    }

    /// Takes bytes for a package or a tracker module of that name.
    #[must_use]
    pub fn of_source(source: Arc<dyn Source>, name: &OsStr) -> Self {
        Self {
            name: name.to_string_lossy().into_owned(),
            source,
            game: None,
            path: PathBuf::new(),
            sfz: None,
            instrument: None,
            audio: None,
            banks: None,
        }
    }

    /// Returns the name of the package or game: the file name without its extension.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its bytes as they are stored. Those of a folder tell one game from another.
    #[must_use]
    pub fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// Returns the game, if it is one.
    #[must_use]
    pub const fn game(&self) -> Option<&GameMount> {
        self.game.as_ref()
    }

    /// Returns whether it is a saved instrument.
    #[must_use]
    pub const fn is_saved_instrument(&self) -> bool {
        self.instrument.is_some()
    }

    /// Returns the files that are read with it: those of a game or of a folder.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let audio = self.audio.iter().flat_map(|(_, audio)| audio.paths()).map(Path::to_owned);
        let banks = self.banks.iter().flat_map(|(_, banks, _)| banks.paths()).map(Path::to_owned);
        let instrument =
            self.instrument.iter().flat_map(|(_, saved, path)| saved_instrument::paths(saved, path));
        let game = self.game.iter().flat_map(|game| game.files.iter().cloned());
        game.chain(audio).chain(banks).chain(instrument).collect()
    }

    /// Returns the bytes that it takes with all that belongs to it.
    #[must_use]
    pub fn stored_len(&self) -> u64 {
        if let Some((_, banks, _)) = &self.banks {
            return banks.stored_len();
        }
        if let Some((files, saved, path)) = &self.instrument {
            let size = |path: PathBuf| files.info(&path).map_or(0, |info| info.size);
            return saved_instrument::paths(saved, path).into_iter().map(size).sum();
        }
        match (&self.game, &self.audio) {
            (Some(game), _) => game.len(),
            (None, Some((_, audio))) => audio.stored_len(),
            (None, None) => self.source.len(),
        }
    }

    /// Finds and describes its sounds.
    ///
    /// # Errors
    /// As [`SoundFile::open_with`].
    pub fn sounds(&self, options: &OpenOptions) -> Result<SoundFile, Error> {
        let OpenOptions { package, budget, .. } = options;
        if let Some((files, path)) = &self.sfz {
            return SoundFile::open_sfz(files, path, &self.name, budget.clone());
        }
        if let Some((files, saved, path)) = &self.instrument {
            let source = Arc::clone(&self.source);
            return SoundFile::open_saved_instrument(saved, source, (files, path), &self.name, options);
        }
        if let Some((files, banks, path)) = &self.banks {
            return SoundFile::open_banks(files, banks, path, &self.name, &options.banks, budget.clone());
        }
        match (&self.game, &self.audio) {
            (Some(game), _) => Ok(SoundFile::open_mounted(game, &self.name, &self.path, options, None)),
            (None, Some((files, audio))) => {
                SoundFile::open_audio_folder(files, audio, &self.name, budget.clone())
            }
            (None, None) => {
                SoundFile::open_with(Arc::clone(&self.source), &self.name, *package, budget.clone())
            }
        }
    }

    /// Finds and describes its sounds; of a large game `first` gets the first of them before the rest is read.
    ///
    /// # Errors
    /// As [`OpenedFile::sounds`].
    pub fn sounds_by_page(
        &self,
        options: &OpenOptions,
        first: &mut dyn FnMut(&SoundFile),
    ) -> Result<SoundFile, Error> {
        let Some(game) = &self.game else { return self.sounds(options) };
        Ok(SoundFile::open_mounted(game, &self.name, &self.path, options, Some(first)))
    }
}

/// Opens a package, a tracker module, a file of audio, a container, or a folder of a game or of files of audio on the
/// disk, and finds its sounds.
///
/// # Errors
/// [`OpenError`].
#[cfg(any(unix, windows))]
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<SoundFile, OpenError> {
    let disk: Arc<dyn Files> = Arc::new(super::Disk);
    OpenedFile::open(&disk, path.as_ref(), options)?.sounds(options).map_err(OpenError::Sounds)
}
