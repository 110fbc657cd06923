//! The packages of a folder, of which one is played: the next is opened on a thread of its own, while notes sound.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use engine::Bank;
use importer::{HeldMemory, Sound};
use player::session::{self, DecodedSong};

use crate::args::ReadingArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::tui::model::SoundEntry;
use crate::walk::Walk;

use super::entries;
use super::kept::KeptAdjustments;

/// The packages that can be opened; none where a single file was.
#[derive(Default)]
pub struct Packages {
    files: Vec<PathBuf>,
    reading: ReadingArgs,
    /// The one that is being opened.
    opening: Option<Receiver<Result<LoadedPackage, Failure>>>,
}

/// A package that is ready to be played.
pub struct LoadedPackage {
    /// As the user would name it.
    pub label: String,
    /// Its sounds.
    pub sounds: Vec<SoundEntry>,
    /// The bank of its song.
    pub bank: Arc<Bank>,
    /// What the bank takes of the memory for decoded audio.
    pub held: HeldMemory,
    /// Its adjustments, if they are kept.
    pub kept: Option<KeptAdjustments>,
}

impl Packages {
    /// Returns the packages and modules below a folder; a file has none but itself, so nothing is to be chosen.
    ///
    /// # Errors
    /// [`Exit::Unreadable`] if there are none below the folder.
    pub fn of(file: &Path, reading: ReadingArgs) -> Result<Self, Failure> {
        let files = if file.is_dir() { Walk::of(&[file.to_owned()]).files } else { Vec::new() };
        if file.is_dir() && files.is_empty() {
            let message = format!("no packages or modules in {}", file.display());
            return Err(Failure::new(Exit::Unreadable, message));
        }
        // A game is one file to choose, and there may be others beside it.
        let files = if files == [file] { Vec::new() } else { files };
        Ok(Self { files, reading, opening: None })
    }

    /// Returns the first package of which something can be played; none if there are none to choose from.
    #[must_use]
    pub fn first(&self) -> Option<&Path> {
        let is_playable = |file: &&PathBuf| {
            let Ok(input) = Input::open(file, &self.reading) else { return false };
            input.to_play().is_ok_and(|package| package.sounds().iter().any(Sound::is_playable))
        };
        self.files.iter().find(is_playable).map(PathBuf::as_path)
    }

    /// Returns what the packages are called in a list: their paths below the folder.
    #[must_use]
    pub fn names(&self, folder: &Path) -> Vec<String> {
        let name = |file: &PathBuf| match file.strip_prefix(folder) {
            Ok(below) if below.as_os_str().is_empty() => "the game".to_owned(),
            Ok(below) => below.display().to_string(),
            Err(_) => file.display().to_string(),
        };
        self.files.iter().map(name).collect()
    }

    /// Begins to open a package, unless another is being opened.
    ///
    /// # Errors
    /// If no thread can be had.
    pub fn open(&mut self, index: usize) -> std::io::Result<()> {
        let (Some(file), None) = (self.files.get(index), &self.opening) else { return Ok(()) };
        let (file, reading) = (file.clone(), self.reading.clone());
        let (sender, receiver) = bounded(1);
        // Who asked may be gone.
        let work = move || drop(sender.send(load(&file, &reading)));
        thread::Builder::new().name("open package".into()).spawn(work)?;
        self.opening = Some(receiver);
        Ok(())
    }

    /// Returns the package that was opened, once it is ready, or why it cannot be.
    pub fn poll(&mut self) -> Option<Result<LoadedPackage, Failure>> {
        let loaded = match self.opening.as_ref()?.try_recv() {
            Ok(loaded) => loaded,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(Failure::new(Exit::Unreadable, "it could not be opened")),
        };
        self.opening = None;
        Some(loaded)
    }
}

fn load(file: &Path, reading: &ReadingArgs) -> Result<LoadedPackage, Failure> {
    let input = Input::open(file, reading)?;
    let package = input.to_play()?;
    if package.sounds().is_empty() {
        return Err(nothing_in(&input.label));
    }
    let DecodedSong { song, report, held } = session::import(&package, |_| true, &mut |_| {})?;
    let bank = session::bank(song)?;
    let sounds = entries(&package, &bank, &report);
    let kept = KeptAdjustments::of(&input, &sounds).ok().flatten();
    Ok(LoadedPackage { label: input.label.clone(), sounds, bank, held, kept })
}

/// Returns the failure of a package without sounds.
pub(super) fn nothing_in(label: &str) -> Failure {
    Failure::new(Exit::Unreadable, format!("no sounds in {label}"))
}
