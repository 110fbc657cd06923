//! FILE on the command line: a path, `demo:` or `-`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exporter::Overwrite;
use importer::open::{
    Disk, Files, GameError, GameMount, OpenError, OpenOptions, OpenedFile, ProbedFile, read_stream,
};
use importer::{GameFileKind, GameOptions, SoundFile, UnreadPackages};
use player::adjusted::AdjustedSounds;
use player::adjustments::{ContentKey, PackageContent};
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::{AssetVersion, KeyRing, Mappings, Memory, Source};

use crate::args::ReadingArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game::{self, GameState};
use crate::select;
use crate::view::typed;

/// The embedded bank.
pub const DEMO: &str = "demo:";

/// Returns whether a name stands for an input that is no file.
#[must_use]
pub fn is_special(name: &str) -> bool {
    name == DEMO || name == "-"
}

/// A file that can be read, and what to call it.
pub struct InputFile {
    /// As the user typed it, as far as it is text.
    pub label: String,
    /// The file or folder; none for what is neither.
    path: Option<PathBuf>,
    /// All files that are read.
    files: Vec<PathBuf>,
    opened: OpenedFile,
    /// What of a game could not be opened, if it is one.
    state: Option<GameState>,
    options: OpenOptions,
    music: Option<usize>,
}

/// Returns the failure of a path that cannot be opened.
fn failure(path: &Path, error: OpenError) -> Failure {
    match error {
        OpenError::Sounds(error) => Failure::new(Exit::Unreadable, format!("{}: {error}", path.display())),
        OpenError::Game(GameError::NoContainers(path)) => {
            let what =
                format!("{} is a folder, and not of a game: this command takes one file", path.display());
            Failure { message: what, ..game::failure(GameError::NoContainers(path)) }
        }
        OpenError::Game(error) => game::failure(error),
        OpenError::Io { path, error } => game::cannot_read(&path, &error),
        error => Failure::new(Exit::Unreadable, error.to_string()),
    }
}

/// What of an input cannot be read.
pub struct Remarks {
    /// In words.
    pub warnings: Vec<String>,
    /// What was left out on purpose.
    pub notes: Vec<String>,
    /// Whether it was read whole.
    pub exit: Exit,
}

impl InputFile {
    /// Returns the containers of a game; none if it is none.
    #[must_use]
    pub fn mount(&self) -> Option<&Mount> {
        self.opened.game().map(|game| &*game.mount)
    }

    /// Returns its bytes, and how a package in them is read.
    #[must_use]
    pub fn source(&self) -> (&dyn Source, unreal::PackageOptions) {
        (&**self.opened.source(), self.options.package.reading)
    }

    /// Returns what is known of the packages of a game: their version, and their mappings.
    #[must_use]
    pub fn known(&self) -> (Option<AssetVersion>, Option<&Mappings>) {
        (self.options.game.version, self.options.game.mappings.as_deref())
    }

    /// # Errors
    /// [`Exit::Unreadable`] if there is no such file or it cannot be read.
    pub fn open(file: &Path, reading: &ReadingArgs) -> Result<Self, Failure> {
        let label = file.to_string_lossy().into_owned();
        let banks = reading.banks.options().map_err(|(path, error)| game::cannot_read(&path, &error))?;
        let options = |keys, game| OpenOptions {
            banks: banks.clone(),
            keys,
            package: reading.options(),
            game,
            budget: reading.budget(),
            ..OpenOptions::default()
        };
        let music = reading.music;
        if is_special(&label) {
            // Keys and mappings are a game's.
            let (files, options) =
                (reading.files().collect(), options(KeyRing::default(), GameOptions::default()));
            let opened = if label == DEMO {
                OpenedFile::of_source(Arc::new(Memory(player::demo::package())), "demo".as_ref())
            } else {
                let stream = read_stream(io::stdin().lock());
                let stream = stream.map_err(|error| game::cannot_read(file, &error))?;
                let opened = OpenedFile::unpacked(stream, "stdin".as_ref(), &options.budget);
                opened.map_err(|error| failure(file, error))?
            };
            return Ok(Self { label, path: None, files, opened, state: None, options, music });
        }
        let disk: Arc<dyn Files> = Arc::new(Disk);
        let failed = |error| failure(file, error);
        let probed = ProbedFile::probe(&*disk, file).map_err(failed)?;
        let options = if probed.may_need_keys() {
            options(game::keys(&reading.cipher())?, game::options(reading.engine, reading.usmap.as_deref())?)
        } else {
            options(KeyRing::default(), GameOptions::default())
        };
        let opened = probed.open(&disk, &options).map_err(failed)?;
        if let Some(game) = opened.game().filter(|game| game.mount.containers().is_empty()) {
            return Err(game::nothing_opened(game, file, &options.keys, reading.memory));
        }
        let state = opened.game().map(|game| game::state(game, &options.keys, reading.memory));
        let files = [file.to_owned()].into_iter().chain(opened.files()).chain(reading.files()).collect();
        Ok(Self { label, path: Some(file.to_owned()), files, opened, state, options, music })
    }

    /// Returns the name of the package: without folder and extension.
    #[must_use]
    pub fn name(&self) -> &str {
        self.opened.name()
    }

    /// Reports files of a game that are not there or cannot be opened, and packages of it that could not be read.
    /// Returns [`Exit::Partly`] if there is any of these.
    pub fn report(&self, package: &SoundFile, console: &mut Console<'_>) -> Exit {
        let Remarks { warnings, notes, exit } = self.remarks(package);
        // There may be millions.
        let unread = package.unread_packages().filter(|_| console.verbosity() > 0);
        for remark in unread.into_iter().flat_map(UnreadPackages::iter) {
            console.detail(format_args!("{}: {}", remark.object, remark.text));
        }
        for warning in warnings {
            console.warn(warning);
        }
        notes.into_iter().for_each(|line| console.say(line));
        exit
    }

    /// Returns what of it cannot be read.
    #[must_use]
    pub fn remarks(&self, package: &SoundFile) -> Remarks {
        let mut warnings: Vec<String> = Vec::new();
        warnings.extend(self.state.iter().flat_map(|state| state.warnings.iter().cloned()));
        let unread = package.unread_packages().map_or(0, UnreadPackages::len);
        if unread > 0 {
            let (packages, them) = if unread == 1 { ("package", "it") } else { ("packages", "them") };
            warnings
                .push(format!("{}: {unread} {packages} could not be read; -v names {them}", self.prefix()));
        }
        let missing = package.missing();
        warnings.extend(
            missing
                .iter()
                .map(|remark| format!("{}: {} is not played: {}", self.prefix(), remark.object, remark.text)),
        );
        let opened = self.state.as_ref().map_or(Exit::Done, |state| state.exit);
        let opened = if missing.is_empty() { opened } else { Exit::Partly };
        let notes = self.state.as_ref().map(|state| state.notes.clone()).unwrap_or_default();
        Remarks { warnings, notes, exit: if unread == 0 { opened } else { Exit::Partly } }
    }

    /// Returns whether it is one package of a game, with what lies beside it.
    #[must_use]
    pub fn is_one_package(&self) -> bool {
        let is_file = self.path.as_ref().is_some_and(|path| path.is_file());
        is_file && self.opened.game().is_some_and(GameMount::is_folder)
    }

    /// Returns what it is, as a noun: of a game, whether it is a package, loose packages, containers.
    #[must_use]
    pub fn kind(&self, file: &SoundFile) -> String {
        if !file.is_game() {
            return file.kind().to_owned();
        }
        let parts = self.mount().map(Mount::containers).unwrap_or_default();
        let loose = parts.iter().filter(|(_, part)| matches!(**part, Container::Folder(_))).count();
        let kind = match (parts.len() - loose, loose) {
            _ if self.is_one_package() => "package",
            (0, _) => "loose packages",
            (1, 0) => "container",
            (_, 0) => "containers",
            _ => "containers and loose packages",
        };
        format!("{kind} of Unreal Engine 4 or later")
    }

    /// Returns the package or tracker module in it, with its sounds found and described.
    ///
    /// # Errors
    /// [`Exit::Unreadable`] if it is neither or cannot be read.
    pub fn package(&self) -> Result<SoundFile, Failure> {
        let file = self.opened.sounds(&self.options).map_err(|error| self.unreadable(&error))?;
        let file = self.game(file)?;
        match self.music.filter(|_| !file.is_game()) {
            Some(number) => self.music(&file, number),
            None => Ok(file),
        }
    }

    /// Returns a game, unless it is one package that could not be read.
    fn game(&self, file: SoundFile) -> Result<SoundFile, Failure> {
        let unread = file.unread_packages().filter(|unread| unread.len() == 1 && self.is_one_package());
        match unread.and_then(|unread| unread.iter().next()) {
            Some(unread) => {
                Err(Failure::new(Exit::Unreadable, format!("{}: {}", self.prefix(), unread.text)))
            }
            None => Ok(file),
        }
    }

    /// Opens what is to be played: of a package with nothing else to play, the tracker module in it.
    ///
    /// # Errors
    /// As [`InputFile::package`], and [`Exit::Usage`] if there are several modules.
    pub fn to_play(&self) -> Result<SoundFile, Failure> {
        self.played(self.package()?)
    }

    /// Opens what is to be played as [`InputFile::to_play`] does; `first` gets the first sounds of a large game before
    /// the rest of it is read.
    ///
    /// # Errors
    /// As [`InputFile::to_play`].
    pub fn to_play_by_page(&self, first: &mut dyn FnMut(&SoundFile)) -> Result<SoundFile, Failure> {
        if self.opened.game().is_none() {
            return self.to_play();
        }
        let file = self.opened.sounds_by_page(&self.options, first);
        self.played(self.game(file.map_err(|error| self.unreadable(&error))?)?)
    }

    fn played(&self, package: SoundFile) -> Result<SoundFile, Failure> {
        if package.is_music() {
            self.music(&package, select::module(&package, &self.label)?)
        } else {
            Ok(package)
        }
    }

    /// Returns the tracker module that a sound of a package is.
    ///
    /// # Errors
    /// [`Exit::Unreadable`] if it is none, or cannot be read.
    pub fn music(&self, package: &SoundFile, number: usize) -> Result<SoundFile, Failure> {
        package.music(number).map_err(|error| self.unreadable(&error))
    }

    /// Returns the failure of a file that cannot be read.
    #[must_use]
    pub fn unreadable(&self, error: &importer::Error) -> Failure {
        // Some files say by nothing but their extension what they are.
        let by_extension = match error.is_unknown_kind() {
            true => self.path.as_deref().and_then(GameFileKind::of_extension).map(importer::Error::GameFile),
            false => None,
        };
        let error = by_extension.as_ref().unwrap_or(error);
        let failure = Failure::new(Exit::Unreadable, format!("{}: {error}", self.prefix()));
        let failure = match error {
            importer::Error::GameFile(kind) if kind.is_opened_with_others() => {
                failure.hint("give its path: files beside it belong to it")
            }
            importer::Error::MidiFile => {
                failure.hint(format!("`usampler play FILE --midi {}`", typed(&self.label)))
            }
            _ => failure,
        };
        if error.is_unsupported_kind() { failure.of_kind(error.to_string()) } else { failure }
    }

    /// Returns the label without the colon of `demo:`, to be followed by one.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.label.trim_end_matches(':')
    }

    /// Returns the length of its bytes as they are stored: of a game those of its table of contents.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.opened.source().len()
    }

    /// Returns the bytes that it takes with all that belongs to it: of a game its data.
    #[must_use]
    pub fn stored_len(&self) -> u64 {
        self.opened.stored_len()
    }

    /// Returns whether there is no byte in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads some of its bytes as they are stored.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        self.opened.source().read_at(at, out)
    }

    /// Returns the key of what is adjusted in it; none with `--as-stored`.
    #[must_use]
    pub fn content_key(&self, as_stored: bool) -> Option<ContentKey> {
        let read_at = |at: u64, out: &mut [u8]| self.read_at(at, out);
        let content = PackageContent { length: self.len(), read_at: &read_at };
        if as_stored { None } else { ContentKey::of(content).ok() }
    }

    /// Returns how the sounds of a package in it are adjusted; not at all with `--as-stored`.
    #[must_use]
    pub fn adjusted(&self, package: &SoundFile, as_stored: bool) -> AdjustedSounds {
        self.content_key(as_stored).map(|key| AdjustedSounds::of(&key, package)).unwrap_or_default()
    }

    /// Returns which files an output may replace: as it is said, but nothing that is read here.
    #[must_use]
    pub fn kept(&self, overwrite: Overwrite) -> Overwrite {
        game::kept(overwrite, self.files.clone())
    }
}
