use std::fmt;
use std::path::Path;
use std::sync::Arc;

use importer::open::{Disk, Files, OpenOptions, OpenedFile};
use importer::{SoundFile, UnreadPackages};
use modkit::select::{SelectError, only_module, select};
use unreal::Memory;

use crate::output::FileContext;
use crate::{Error, ErrorKind, Song, Sound};

/// A file, or the folder of a game, whose sounds have been found and described; nothing is decoded yet.
///
/// What a sound holds is read when it is asked for.
pub struct File {
    sounds: SoundFile,
    context: Arc<FileContext>,
    warnings: Vec<String>,
}

/// Opens a package, a tracker module, a sound bank, an audio file, a container or the folder of a game.
///
/// # Errors
/// [`ErrorKind::Io`] if it cannot be read, [`ErrorKind::NotThisFormat`] if it is nothing of these, and what else is the
/// matter with the file.
///
/// ```
/// let error = usampler::open("no/such/file.uax").unwrap_err();
/// assert_eq!(error.kind(), usampler::ErrorKind::Io);
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<File, Error> {
    File::open_with(path, &OpenOptions { budget: player::memory::budget(None), ..OpenOptions::default() })
}

/// Opens the embedded bank: a drum kit, keys, a bass and a pad, which are written by code and free of any game.
///
/// # Errors
/// None is known.
pub fn demo() -> Result<File, Error> {
    let memory = Arc::new(Memory(player::demo::package()));
    let options = OpenOptions { budget: player::memory::budget(None), ..OpenOptions::default() };
    File::of_opened("demo", None, &OpenedFile::of_source(memory, "demo".as_ref()), &options)
}

impl File {
    /// Opens a path with what is known of it: keys, mappings, values of switches, and what it may cost.
    ///
    /// # Errors
    /// As [`open`].
    ///
    /// ```no_run
    /// use usampler::importer::open::{OpenOptions, add_key};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut options = OpenOptions { budget: usampler::player::memory::budget(None), ..Default::default() };
    /// add_key(&mut options.keys, "0x0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF")?;
    /// let game = usampler::File::open_with("Game/Content/Paks", &options)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self, Error> {
        let path = path.as_ref();
        let label = path.display().to_string();
        let disk: Arc<dyn Files> = Arc::new(Disk);
        let mut options = options.clone();
        if options.budget.shared.is_none() {
            options.budget.shared = player::memory::budget(None).shared;
        }
        let options = &options;
        let opened = OpenedFile::open(&disk, path, options).map_err(|error| Error::of_open(&label, error))?;
        Self::of_opened(&label, Some(path), &opened, options)
    }

    /// Opens a package, a tracker module, an SF2 bank or an audio file in memory. `name` is that of the file, without
    /// folder and extension.
    ///
    /// # Errors
    /// As [`open`].
    pub fn from_bytes(bytes: impl Into<Vec<u8>>, name: &str) -> Result<Self, Error> {
        let options = OpenOptions { budget: player::memory::budget(None), ..OpenOptions::default() };
        let memory = Arc::new(Memory(bytes.into()));
        Self::of_opened(name, None, &OpenedFile::of_source(memory, name.as_ref()), &options)
    }

    fn of_opened(
        label: &str,
        path: Option<&Path>,
        opened: &OpenedFile,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let mut warnings = Vec::new();
        if let Some(game) = opened.game() {
            let left_out = |one: &importer::open::LeftOut| {
                Error::of_container(&one.path.display().to_string(), &one.error)
            };
            if let (true, Some(first)) = (game.mount.containers().is_empty(), game.left_out.first()) {
                return Err(left_out(first));
            }
            warnings.extend(game.left_out.iter().map(|one| left_out(one).to_string()));
            let missing = |path: &std::path::PathBuf| format!("{} is missing", path.display());
            warnings.extend(game.missing.iter().map(missing));
        }
        let sounds = opened.sounds(options).map_err(|error| Error::of_import(label, &error))?;
        let unread = || sounds.unread_packages().into_iter().flat_map(UnreadPackages::iter);
        // One package that cannot be read is no game that lacks one.
        let is_one_package = path.is_some_and(Path::is_file) && sounds.sounds().is_empty();
        if let (true, Some(remark)) = (is_one_package, unread().next()) {
            return Err(Error::new(ErrorKind::Malformed, format!("{label}: {}", remark.text)));
        }
        warnings.extend(unread().map(|remark| format!("{}: {}", remark.object, remark.text)));
        let inputs = path.map(Path::to_owned).into_iter().chain(opened.files()).collect();
        let context = FileContext {
            label: label.to_owned(),
            stored: opened.stored_len(),
            inputs,
            budget: options.budget.clone(),
        };
        Ok(Self { sounds, context: Arc::new(context), warnings })
    }

    /// Returns its name, without folder and extension.
    #[must_use]
    pub fn name(&self) -> &str {
        self.sounds.name()
    }

    /// Returns what of it could not be read, a line each: encrypted containers, missing files and damaged packages of a
    /// game.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns all its sounds in the order of their numbers, also those that cannot be played.
    pub fn sounds(&self) -> impl ExactSizeIterator<Item = Sound<'_>> {
        self.sounds.sounds().iter().map(|sound| Sound::new(&self.sounds, &self.context, sound))
    }

    /// Finds a sound by its name, by `Group.Name`, or by its number, as the program does: `#N`, or `N` where no sound
    /// is called so. Case does not matter.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchSound`] with the names that come near it; [`ErrorKind::Ambiguous`] with the paths of all that
    /// have this name.
    pub fn sound(&self, name: &str) -> Result<Sound<'_>, Error> {
        let label = &self.context.label;
        let found = select(&self.sounds, Some(name)).map_err(|error| match error {
            SelectError::Unknown(near) => {
                let message = format!("no sound \"{name}\" in {label}");
                Error::new(ErrorKind::NoSuchSound, message).with_candidates(near)
            }
            SelectError::Ambiguous(several) => {
                let message = format!("{} sounds in {label} are called \"{name}\"", several.len());
                Error::new(ErrorKind::Ambiguous, message).with_candidates(numbered(&several))
            }
            _ => {
                let count = self.sounds.sounds().len();
                Error::new(ErrorKind::NoSuchSound, format!("no sound {name} in {label}, which has {count}"))
            }
        })?;
        Ok(Sound::new(&self.sounds, &self.context, found))
    }

    /// Returns the song of a tracker module, with all its recordings decoded; of a package, that of the only module in
    /// it.
    ///
    /// # Errors
    /// [`ErrorKind::NoSong`] if there is none; [`ErrorKind::Ambiguous`] if there are several modules, of which
    /// [`Sound::song`] opens each; [`ErrorKind::OverLimit`].
    pub fn song(&self) -> Result<Song, Error> {
        if self.sounds.module().is_some() {
            return Song::load(&self.sounds, &self.context);
        }
        let label = &self.context.label;
        match only_module(&self.sounds) {
            Ok(Some(number)) => Song::of_module_in(&self.sounds, &self.context, number),
            Ok(None) => Err(Error::new(ErrorKind::NoSong, format!("no song in {label}"))),
            Err(several) => {
                let message = format!("{} tracker modules in {label}", several.len());
                Err(Error::new(ErrorKind::Ambiguous, message).with_candidates(numbered(&several)))
            }
        }
    }

    /// Returns the file as the importer has it: its tables, stored bytes and decoded recordings.
    #[must_use]
    pub const fn sound_file(&self) -> &SoundFile {
        &self.sounds
    }
}

/// Returns what finds each of several sounds, by number and path.
fn numbered(sounds: &[&importer::Sound]) -> Vec<String> {
    sounds.iter().map(|sound| format!("#{} {}", sound.number, sound.path())).collect()
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sounds = self.sounds.sounds().len();
        f.debug_struct("File").field("name", &self.name()).field("sounds", &sounds).finish_non_exhaustive()
    }
}
