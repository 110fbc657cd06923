//! Sounds of Wwise and FMOD banks replaced by recordings.
//!
//! ```text
//! SOUND ──► BankTarget ─┬─► wwise  banks that hold or use the media, loose media, packages ─┐
//! WAV, .wem ──► BankRecording ─┴─► fmod   the sample bank of the sound, all of it PCM ──────┴─► BankMod ──► files
//! ```
//!
//! Files go in by their paths and sources, and come out by their paths and bytes: whether they are written to a folder
//! or packed into a container is for the caller to say. What was written is read again and compared with what it was
//! made of before it gets its name.

mod error;
mod fmod;
mod game;
mod output;
mod packaged;
mod recording;
mod target;
mod wwise;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use importer::{Sound, SoundBanks, SoundFile};
use soundbank::{BankFile, Project};
use unreal::{Limits, Source};

pub use error::BankError;
pub use game::{are_of_banks, replace_in_game};
pub use output::{BankMod, BankModFile, BankOutput};
pub use recording::BankRecording;
pub use target::BankTarget;
pub(crate) use target::is_called;

use fmod::FmodChange;
use target::TargetKey;
use wwise::WwiseChange;

/// A sound, and the recording that takes its place.
#[derive(Clone, Debug)]
pub struct BankReplacement {
    /// The sound.
    pub target: BankTarget,
    /// The recording.
    pub recording: BankRecording,
}

/// Sound banks that were opened, and the rows that list their sounds.
pub struct BankSounds<'b> {
    package: &'b SoundFile,
    files: &'b [BankFile],
    project: &'b Project,
    /// The file that was named, by its index; none if a folder was.
    only: Option<usize>,
    /// Paths of the files as rows have them.
    paths: &'b [String],
    /// Media by the numbers of the rows, in the project.
    media: Vec<Option<usize>>,
    /// Numbers of the rows of media.
    numbers: HashMap<usize, usize>,
}

impl<'b> BankSounds<'b> {
    /// Returns the banks that a file is, or those of a game; none if there are none.
    #[must_use]
    pub fn of(package: &'b SoundFile) -> Option<Self> {
        let banks: &SoundBanks = package.banks()?;
        let media: Vec<Option<usize>> =
            package.sounds().iter().map(|sound| banks.media_of(sound.number)).collect();
        let numbers = media.iter().enumerate().filter_map(|(row, media)| Some(((*media)?, row + 1)));
        let (numbers, paths) = (numbers.collect(), banks.paths());
        let (files, project, only) = (banks.files(), banks.project(), banks.only());
        Some(Self { package, files, project, only, paths, media, numbers })
    }

    /// Returns the row of a media; none of one that is not listed.
    fn row(&self, media: usize) -> Option<&'b Sound> {
        let number = self.numbers.get(&media)?;
        self.package.sounds().get(number.checked_sub(1)?)
    }

    fn path(&self, file: usize) -> &str {
        self.files.get(file).map_or("", |file| &file.path)
    }

    fn source(&self, file: usize) -> Result<&'b Arc<dyn Source>, BankError> {
        self.files.get(file).map(|file| &file.source).ok_or(BankError::Internal)
    }
}

/// Bytes of structures that reading a bank may take.
const STRUCTURES: u64 = 1 << 30;

fn limits() -> Limits {
    Limits::with_structures(STRUCTURES)
}

/// Replaces sounds in banks; returns the files that change. Of several recordings for a sound the last one counts.
///
/// # Errors
/// The index of the replacement, and [`BankError`].
pub fn replace_in_banks(
    sounds: &BankSounds<'_>,
    replacements: &[BankReplacement],
    output: BankOutput,
) -> Result<BankMod, (usize, BankError)> {
    let mut by_key: BTreeMap<&TargetKey, usize> = BTreeMap::new();
    for (index, replacement) in replacements.iter().enumerate() {
        by_key.insert(&replacement.target.key, index);
    }
    let only = sounds.only.filter(|_| output == BankOutput::File);
    let mut made = BankMod::new(output, sounds);
    let (mut wwise, mut fmod) = (WwiseChange::new(sounds, only), FmodChange::new(sounds, only));
    for (key, index) in by_key {
        let Some(BankReplacement { target, recording }) = replacements.get(index) else { continue };
        let added = match key {
            TargetKey::Fmod { file, fsb, sound } => fmod.add(*file, (*fsb, *sound), index, recording),
            TargetKey::Cri { .. } => Err(BankError::NotWritten("CRI")),
            _ => wwise.add(target, index, recording),
        };
        added.map_err(|error| (index, error))?;
    }
    wwise.apply(&mut made)?;
    fmod.apply(&mut made)?;
    Ok(made)
}
