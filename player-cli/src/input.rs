//! FILE on the command line: a path, `demo:` or `-`.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exporter::Overwrite;
use importer::probe::{PROBE_LENGTH, probe, probe_source};
use importer::{Budget, FileKind, GameFileKind, GameOptions, Options, SoundFile, Unread};
use unreal::asset::AssetVersion;
use unreal::container::Container;
use unreal::container::mount::Mount;
use unreal::{FileSource, Mappings, Memory, OpenOptions, Source};

use crate::args::ReadingArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, reason};
use crate::game::{self, OpenedGame};
use crate::select;

/// The embedded bank.
pub const DEMO: &str = "demo:";
static DEMO_BYTES: &[u8] = include_bytes!("../demo/demo.uax");

/// Returns whether a name stands for an input that is no file.
#[must_use]
pub fn is_special(name: &str) -> bool {
    name == DEMO || name == "-"
}

/// Streams are held in memory; one without end must not fill it.
const MAX_STREAM: u64 = 4 << 30;

/// A file that can be read, and what to call it.
pub struct Input {
    /// As the user typed it, as far as it is text.
    pub label: String,
    /// The package's name: without folder and extension.
    pub name: String,
    /// Where it is; none for what is no file.
    path: Option<PathBuf>,
    /// All files that are read.
    files: Vec<PathBuf>,
    source: Arc<dyn Source>,
    /// The containers of a game, if it is one.
    game: Option<OpenedGame<Arc<Mount>>>,
    game_options: GameOptions,
    options: Options,
    budget: Budget,
    music: Option<usize>,
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

impl Input {
    /// Returns the containers of a game; none if it is none.
    #[must_use]
    pub fn mount(&self) -> Option<&Mount> {
        self.game.as_ref().map(|game| &*game.mount)
    }

    /// Returns its bytes, and how a package in them is read.
    #[must_use]
    pub fn source(&self) -> (&dyn Source, OpenOptions) {
        (&*self.source, self.options.reading)
    }

    /// Returns what is known of the packages of a game: their version, and their mappings.
    #[must_use]
    pub fn known(&self) -> (Option<AssetVersion>, Option<&Mappings>) {
        (self.game_options.version, self.game_options.mappings.as_deref())
    }

    /// # Errors
    /// [`Exit::Unreadable`] if there is no such file or it cannot be read.
    pub fn open(file: &Path, reading: &ReadingArgs) -> Result<Self, Failure> {
        let (options, budget, music) = (reading.options(), reading.budget(), reading.music);
        let label = file.to_string_lossy().into_owned();
        if label == DEMO {
            let source = Arc::new(Memory(DEMO_BYTES));
            let name = "demo".to_owned();
            return Ok(Self {
                label,
                name,
                path: None,
                files: Vec::new(),
                source,
                game: None,
                game_options: GameOptions::default(),
                options,
                budget,
                music,
            });
        }
        let is_stdin = label == "-";
        let path = (!is_stdin).then(|| file.to_owned());
        let stem = if is_stdin { "stdin".as_ref() } else { file.file_stem().unwrap_or(file.as_os_str()) };
        let failure = |error: io::Error| {
            Failure::new(Exit::Unreadable, format!("cannot read {label}: {}", reason(&error)))
        };
        let source: Arc<dyn Source> = match () {
            // Its files are opened one by one.
            () if file.is_dir() => Arc::new(Memory([])),
            () if is_stdin => stream(io::stdin().lock()).map_err(failure)?,
            () => open_file(file).map_err(failure)?,
        };
        let is_game = match probe_source(&*source) {
            _ if is_stdin => false,
            _ if file.is_dir() => true,
            Ok(FileKind::GameFile(kind)) => kind.is_opened_with_others(),
            // The data stands for its table, and objects for their package.
            _ => modkit::game::opened_instead(file).is_some(),
        };
        let game_options = if is_game {
            game::options(reading.engine, reading.usmap.as_deref())?
        } else {
            GameOptions::default()
        };
        let game = is_game
            .then(|| game::open(file, &reading.keys, NonZeroUsize::MIN, reading.memory))
            .transpose()?
            .map(OpenedGame::shared);
        let source = match &game {
            Some(game) if file.is_dir() => Arc::new(Memory(game.identity())),
            _ => source,
        };
        let of_game = game.iter().flat_map(|game| game.files.iter().cloned());
        let files = path.iter().cloned().chain(of_game).chain(reading.files()).collect();
        let name = stem.to_string_lossy().into_owned();
        Ok(Self { name, label, path, files, source, game, game_options, options, budget, music })
    }

    /// Reports files of a game that are not there or cannot be opened, and packages of it that could not be read.
    /// Returns whether that is all there is.
    pub fn report(&self, package: &SoundFile, console: &mut Console<'_>) -> Exit {
        let Remarks { warnings, notes, exit } = self.remarks(package);
        // There may be millions.
        let unread = package.unread_packages().filter(|_| console.verbosity() > 0);
        for remark in unread.into_iter().flat_map(Unread::iter) {
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
        if let Some(game) = &self.game {
            warnings.extend(game.warnings.iter().cloned());
        }
        let unread = package.unread_packages().map_or(0, Unread::len);
        if unread > 0 {
            let (packages, them) = if unread == 1 { ("package", "it") } else { ("packages", "them") };
            warnings
                .push(format!("{}: {unread} {packages} could not be read; -v names {them}", self.prefix()));
        }
        let opened = self.game.as_ref().map_or(Exit::Done, |game| game.exit);
        let notes = self.game.as_ref().map(|game| game.notes.clone()).unwrap_or_default();
        Remarks { warnings, notes, exit: if unread == 0 { opened } else { Exit::Partly } }
    }

    /// Returns whether it is one package of a game, with what lies beside it.
    #[must_use]
    pub fn is_one_package(&self) -> bool {
        let is_file = self.path.as_ref().is_some_and(|path| path.is_file());
        is_file && self.game.as_ref().is_some_and(OpenedGame::is_folder)
    }

    /// Returns what a game lies in, as a noun: a package, loose packages, containers.
    #[must_use]
    pub fn kind_of_game(&self) -> &'static str {
        let parts = self.mount().map(Mount::containers).unwrap_or_default();
        let loose = parts.iter().filter(|(_, part)| matches!(part, Container::Folder(_))).count();
        match (parts.len() - loose, loose) {
            _ if self.is_one_package() => "package",
            (0, _) => "loose packages",
            (1, 0) => "container",
            (_, 0) => "containers",
            _ => "containers and loose packages",
        }
    }

    /// Returns the package or tracker module in it, with its sounds found and described.
    ///
    /// # Errors
    /// [`Exit::Unreadable`] if it is neither or cannot be read.
    pub fn package(&self) -> Result<SoundFile, Failure> {
        if let Some(game) = &self.game {
            return self.game(SoundFile::open_game(
                Arc::clone(&game.mount),
                &self.name,
                &self.game_options,
                self.budget.clone(),
            ));
        }
        let file =
            SoundFile::open_with(Arc::clone(&self.source), &self.name, self.options, self.budget.clone());
        let file = file.map_err(|error| self.unreadable(&error))?;
        match self.music {
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
    /// As [`Input::package`], and [`Exit::Usage`] if there are several modules.
    pub fn to_play(&self) -> Result<SoundFile, Failure> {
        self.played(self.package()?)
    }

    /// Opens what is to be played as [`Input::to_play`] does; `first` gets the first sounds of a large game before the
    /// rest of it is read.
    ///
    /// # Errors
    /// As [`Input::to_play`].
    pub fn to_play_by_page(&self, first: &mut dyn FnMut(&SoundFile)) -> Result<SoundFile, Failure> {
        let Some(game) = &self.game else { return self.to_play() };
        let (mount, options, budget) = (Arc::clone(&game.mount), &self.game_options, self.budget.clone());
        let file = SoundFile::open_game_by_page(mount, &self.name, options, budget, &mut |page| first(page));
        self.played(self.game(file)?)
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
        self.source.len()
    }

    /// Returns the bytes that it takes with all that belongs to it: of a game its data.
    #[must_use]
    pub fn stored_len(&self) -> u64 {
        self.game.as_ref().map_or_else(|| self.len(), OpenedGame::len)
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
        self.source.read_at(at, out)
    }

    /// Returns which files an output may replace: as it is said, but nothing that is read here.
    #[must_use]
    pub fn kept(&self, overwrite: Overwrite) -> Overwrite {
        game::kept(overwrite, self.files.clone())
    }
}

/// Opens a file, which is read where needed, or a pipe, which is read whole.
fn open_file(path: &Path) -> io::Result<Arc<dyn Source>> {
    let file = File::open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() || kind.is_dir() { Ok(Arc::new(FileSource::new(file)?)) } else { stream(file) }
}

/// More than header and patterns of a module that is identified by its length take.
const MAX_UNTAGGED: u64 = 4 << 20;

/// Reads a stream to its end; only its first bytes if it is neither a package nor a module.
fn stream(mut stream: impl Read) -> io::Result<Arc<dyn Source>> {
    let is_other =
        |bytes: &[u8], length| matches!(probe(bytes, length), FileKind::Other(_) | FileKind::GameFile(_));
    let mut bytes = Vec::new();
    stream.by_ref().take(PROBE_LENGTH as u64).read_to_end(&mut bytes)?;
    if is_other(&bytes, 0) {
        // A MOD without a tag is identified by how long it is.
        stream.by_ref().take(MAX_UNTAGGED).read_to_end(&mut bytes)?;
    }
    if !is_other(&bytes, bytes.len() as u64) {
        stream.by_ref().take(MAX_STREAM).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_STREAM {
            return Err(io::Error::other(format!("more than {MAX_STREAM} bytes in a stream")));
        }
    }
    Ok(Arc::new(Memory(bytes)))
}
