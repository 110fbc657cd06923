//! The sounds of packages as files, `DIR/<package>/<Group.Name>.<ext>`; those of a tracker module in a package in a
//! folder of their own, `DIR/<package>/<Group.Name>/<Name>.wav`; those of games in the folders of the game.
//!
//! ```text
//! ExtractOptions ─► ExtractOutputs ─► ExtractPlan ─► write ─► ExtractEvent, Extracted
//!                   folders, names    one package
//! ```

mod error;
mod file_write;
mod instrument_files;
mod module_files;
mod outputs;
mod plan;
mod write;
mod write_queue;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use exporter::Loss;
use exporter::sound_module::{ModuleFormat, ModuleOptions};
use importer::{Format, ImportProgress, Report, Sound, SoundFile};
use serde::Serialize;

use crate::text;

pub use error::ExtractError;
pub use module_files::ModuleChange;
pub use outputs::{ExtractOutputs, ExtractSource};
pub use plan::ExtractPlan;

/// What is extracted, and where it goes.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that the user may set")]
pub struct ExtractOptions {
    /// Files and folders as the user named them.
    pub inputs: Vec<PathBuf>,
    /// Output folder; a new one for each of `inputs` if none is given.
    pub output: Option<PathBuf>,
    /// Form of each sound.
    pub format: ExtractFormat,
    /// Whether an SFZ is written for each package.
    pub sfz: bool,
    /// Whether that has a key for each sound, as in a drum kit.
    pub kit: bool,
    /// Whether a `SoundFont` 2 is written for each package.
    pub sf2: bool,
    /// Formats of tracker modules that are written for each package, each once.
    pub modules: Vec<ModuleFormat>,
    /// How those are made.
    pub module_options: ModuleOptions,
    /// Whether files of sounds are left out, and only files of several are written.
    pub no_wav: bool,
    /// Whether all files go into one folder.
    pub flat: bool,
    /// Whether each event of a sound bank has a folder with the media that it plays.
    pub events: bool,
    /// Whether existing files are replaced.
    pub force: bool,
    /// Whether any size is allowed.
    pub large: bool,
    /// Whether existing files stay as they are, and the others are written.
    pub skip_existing: bool,
    /// Whether nothing is written.
    pub dry_run: bool,
}

/// Forms of extracted sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractFormat {
    /// Decoded; width, rate, loop points and root key kept.
    Wav,
    /// The stored bytes.
    Original,
    /// Vorbis as an Ogg file without encoding it again; all else as `Wav`.
    Ogg,
}

impl ExtractOptions {
    /// Checks that what is asked for goes together.
    ///
    /// # Errors
    /// [`ExtractError::Options`] for instrument files beside sounds as they are stored.
    pub const fn check(&self) -> Result<(), ExtractError> {
        match self.format {
            ExtractFormat::Original | ExtractFormat::Ogg
                if self.sfz || self.sf2 || !self.modules.is_empty() =>
            {
                Err(ExtractError::Options)
            }
            _ => Ok(()),
        }
    }

    /// Returns the sounds that pass, and if they go into instrument files those that they play.
    pub fn chosen<'p>(&self, package: &'p SoundFile, passes: impl Fn(&Sound) -> bool) -> Vec<&'p Sound> {
        let passing = || package.sounds().iter().filter(|sound| passes(sound));
        let played: HashSet<usize> =
            if self.sfz || self.sf2 { passing().flat_map(Sound::plays).collect() } else { HashSet::new() };
        let sounds = package.sounds().iter();
        sounds.filter(|sound| passes(sound) || played.contains(&sound.number)).collect()
    }

    /// Returns the form of a sound: notes are no audio, and stay what they are.
    fn format_of(&self, sound: &Sound) -> ExtractFormat {
        match (self.format, sound.format()) {
            (_, Some(Format::Midi)) | (ExtractFormat::Ogg, Some(Format::Ogg)) => ExtractFormat::Original,
            (ExtractFormat::Ogg, _) if !SoundFile::is_bare_vorbis(sound) => ExtractFormat::Wav,
            (format, _) => format,
        }
    }
}

/// What happens while the sounds of a package are written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExtractEvent<'e> {
    /// A sound is next; `done` of `total` sounds came before it.
    Next {
        /// Number of sounds before it.
        done: usize,
        /// Number of sounds.
        total: usize,
    },
    /// A recording is decoded for an instrument file.
    Decoding(ImportProgress<'e>),
    /// The recordings of instrument files are decoded.
    Decoded(&'e Report),
    /// All sounds have been written.
    SoundsDone,
    /// A file is written, or would be.
    Written {
        /// The sound in it; none for a file of several.
        sound: Option<&'e Sound>,
        /// Path of the file.
        path: &'e Path,
    },
    /// Values of a sound are beyond full scale with the gain that it is adjusted to.
    Clipped {
        /// The sound.
        sound: &'e Sound,
        /// Number of values that are clipped.
        values: u64,
    },
    /// A sound has no file.
    LeftOut {
        /// The sound.
        sound: &'e Sound,
        /// The reason.
        reason: &'e str,
        /// Whether it takes more memory than is allowed.
        is_over_limit: bool,
    },
    /// The bytes of the tracker module cannot be written.
    ModuleLeftOut {
        /// The reason.
        reason: &'e str,
    },
    /// An instrument file cannot be written.
    InstrumentFileLeftOut {
        /// Path of the file.
        path: &'e Path,
        /// The reason.
        reason: &'e str,
    },
    /// A tracker module cannot hold a sound.
    LeftOutOfModule {
        /// Path of the file.
        path: &'e Path,
        /// The sound.
        sound: &'e Sound,
        /// The reason.
        reason: &'e str,
    },
    /// A tracker module does not keep something of some sounds.
    Changed {
        /// Path of the file.
        path: &'e Path,
        /// What it does not keep.
        change: ModuleChange,
        /// Number of such sounds.
        sounds: usize,
    },
    /// A `SoundFont` keeps one sound of each instrument that varies or chooses between sounds.
    Simplified {
        /// Path of the file.
        path: &'e Path,
        /// Number of such instruments.
        instruments: usize,
    },
    /// An instrument file does not keep how the notes of some instruments move.
    Lost {
        /// Path of the file.
        path: &'e Path,
        /// What it does not keep.
        loss: Loss,
        /// Number of such instruments.
        instruments: usize,
    },
}

/// What became of a package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extracted {
    /// Number of sounds that were to be written.
    pub sounds: usize,
    /// Number of those that have no file.
    pub failed: usize,
    /// Number of instrument files that could not be made.
    pub failed_instrument_files: usize,
    /// Number of sounds that tracker modules cannot hold.
    pub left_out_of_modules: usize,
}

impl Extracted {
    /// Returns whether nothing failed and nothing was left out.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.failed == 0 && self.failed_instrument_files == 0 && self.left_out_of_modules == 0
    }

    /// Describes in a line what became of a plan; none where files of tracker modules say it all.
    #[must_use]
    pub fn summary(&self, plan: &ExtractPlan<'_>) -> Option<String> {
        let verb = if plan.options.dry_run { "would be written" } else { "written" };
        let (label, existing, all) = (plan.label(), plan.existing(), self.sounds);
        if plan.is_whole() {
            let state = if existing == 0 { verb } else { "is already there" };
            return self.is_whole().then(|| format!("{label}: the module {state}"));
        }
        if all == 0 && !plan.modules().is_empty() {
            return None;
        }
        let written = match all.saturating_sub(self.failed).saturating_sub(existing) {
            written if written + existing == all => text::counted(written),
            written => format!("{written} of {}", text::counted(all)),
        };
        let existing = if existing == 0 { String::new() } else { format!(", {existing} already there") };
        let to = if all == 0 { String::new() } else { format!(" to {}", plan.folder().display()) };
        let vacant = match plan.vacant {
            0 => String::new(),
            1 => ", 1 empty one left out".to_owned(),
            vacant => format!(", {vacant} empty ones left out"),
        };
        Some(format!("{label}: {written} {verb}{to}{existing}{vacant}"))
    }
}

/// An extracted file as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ExtractedRow<'a> {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// The package as the user named it.
    pub file: &'a str,
    /// Number of the sound; none for a file of several.
    pub index: Option<usize>,
    /// Path of the sound in the package.
    pub name: Option<String>,
    /// Path of the file.
    pub path: String,
}

impl<'a> ExtractedRow<'a> {
    /// Describes a file of a package that is called `file`.
    #[must_use]
    pub fn new(file: &'a str, sound: Option<&Sound>, path: &Path) -> Self {
        Self {
            schema: "usampler.extracted/1",
            file,
            index: sound.map(|sound| sound.number),
            name: sound.map(Sound::path),
            path: path.display().to_string(),
        }
    }
}
