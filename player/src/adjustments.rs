//! What was adjusted on the sounds of a package, kept from one session to the next.
//!
//! ```text
//! bytes of the package ──► content key ──► USER DATA/usampler/sounds/KEY.toml ──► voicings by sound
//! ```
//!
//! A file per package, known by its content: it may be moved and renamed.

mod stored_shape;

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use directories::ProjectDirs;
use engine::Quality;
use exporter::{OutputFile, Overwrite};
use importer::read_regular_text;
use serde::{Deserialize, Serialize};
use song::{Cents, Decibels, Envelope, Frames, Key, Pan, Shape};

use crate::voicing::{FrameRange, Voicing};
use crate::{Error, ErrorKind};
use stored_shape::StoredShape;

/// Bytes from the start and the end of a package that its key is made of; of a smaller one all.
const KEYED: u64 = 1 << 20;

/// Bytes of a file of adjustments; a sound takes some 200.
const MAX_BYTES: u64 = 64 << 20;

/// How long another instance may take to write, and how often it is asked for; one that is stopped meanwhile must not
/// stop this one.
const PATIENCE: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(5);

/// The bytes of a package, wherever they are.
#[derive(Clone, Copy)]
pub struct PackageContent<'c> {
    /// How many there are.
    pub length: u64,
    /// Reads some, from an offset on.
    pub read_at: &'c dyn Fn(u64, &mut [u8]) -> io::Result<()>,
}

/// The key that a package is known by, and the modules in it.
#[derive(Clone, Debug)]
pub struct ContentKey(String);

/// The adjustments of one package.
#[derive(Clone, Debug)]
pub struct Adjustments {
    path: PathBuf,
    /// What the user calls the package, for who reads the file.
    label: String,
}

/// What a sound says itself, to which its adjustments are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundDefaults {
    /// How its notes begin and end.
    pub envelope: Envelope,
    /// The key that plays it at its own pitch.
    pub root: Key,
}

impl Default for SoundDefaults {
    fn default() -> Self {
        Self { envelope: Envelope::default(), root: Key::C4 }
    }
}

/// The file. Fields that are not there change nothing.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AdjustmentFile {
    /// What the package was called when this was written.
    #[serde(default)]
    package: String,
    /// By number, as `list` shows it.
    #[serde(default)]
    sounds: BTreeMap<String, StoredAdjustments>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StoredAdjustments {
    #[serde(default)]
    name: String,
    /// Decibels.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<f32>,
    /// From -1 (left) to 1 (right).
    #[serde(skip_serializing_if = "Option::is_none")]
    pan: Option<f32>,
    /// Cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    tune: Option<f64>,
    /// The MIDI key that plays it at its own pitch; C4 is 60.
    #[serde(skip_serializing_if = "Option::is_none")]
    root_key: Option<u8>,
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    looping: Option<bool>,
    /// The first frame of the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_start: Option<u64>,
    /// The first frame after the loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_end: Option<u64>,
    /// The first frame that is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    trim_start: Option<u64>,
    /// The first frame that is not played any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    trim_end: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<String>,
    /// How notes move, and follow each other.
    #[serde(default, skip_serializing_if = "StoredShape::is_empty")]
    shape: StoredShape,
}

impl Adjustments {
    /// Returns where the adjustments of a package are kept. `sounds` is how many it has: a module in a package has
    /// others than the package. None where the user has no home.
    #[must_use]
    pub fn of(key: &ContentKey, sounds: usize, label: &str) -> Option<Self> {
        let folders = ProjectDirs::from("", "", "usampler")?;
        Some(Self::in_folder(&folders.data_dir().join("sounds"), key, sounds, label))
    }

    fn in_folder(folder: &Path, key: &ContentKey, sounds: usize, label: &str) -> Self {
        Self { path: folder.join(format!("{}-{sounds}.toml", key.0)), label: label.to_owned() }
    }

    /// Reads what was adjusted: voicings by the index of their sound. `defaults` returns what a sound says itself, and
    /// nothing for one that is not there. Nothing if nothing was kept.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] for a file that makes no sense; it is left alone.
    pub fn load(
        &self,
        defaults: impl Fn(usize) -> Option<SoundDefaults>,
    ) -> Result<BTreeMap<usize, Voicing>, Error> {
        let file = self.read()?;
        let mut voicings = BTreeMap::new();
        for (number, sound) in file.sounds {
            let index = number.parse().ok().and_then(|number: usize| number.checked_sub(1));
            // Of a sound that is not there nothing can be adjusted.
            let Some((index, own)) = index.and_then(|index| Some((index, defaults(index)?))) else {
                continue;
            };
            voicings.insert(index, sound.voicing(&own));
        }
        Ok(voicings)
    }

    /// Writes the sounds in `changed`, with their names and what they say themselves; one that is not adjusted is taken
    /// out. All others stay as the file has them: another instance of the program may have adjusted them. Leaves no
    /// file where nothing is adjusted.
    ///
    /// # Errors
    /// [`ErrorKind::Output`] if it cannot be written, or somebody else writes it all the time; [`ErrorKind::Options`]
    /// if what is there makes no sense; it is left alone.
    pub fn save<'n>(
        &self,
        changed: &BTreeMap<usize, Voicing>,
        own: impl Fn(usize) -> Option<(&'n str, SoundDefaults)>,
    ) -> Result<(), Error> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| self.failed("write", &error))?;
        }
        let _lock = self.lock().map_err(|error| self.failed("write", &error))?;
        let mut file = self.read()?;
        file.package.clone_from(&self.label);
        for (index, voicing) in changed {
            let number = (index + 1).to_string();
            match own(*index).filter(|_| *voicing != Voicing::default()) {
                Some((name, own)) => {
                    file.sounds.insert(number, StoredAdjustments::of(voicing, name, &own));
                }
                None => {
                    file.sounds.remove(&number);
                }
            }
        }
        if file.sounds.is_empty() {
            return match std::fs::remove_file(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.failed("write", &error)),
                _ => Ok(()),
            };
        }
        let text = toml::to_string(&file).map_err(|error| self.failed("write", &error))?;
        let mut output = OutputFile::create(&self.path, &Overwrite::forced(true))?;
        io::Write::write_all(&mut output, text.as_bytes()).map_err(|error| self.failed("write", &error))?;
        Ok(output.publish(&mut io::sink())?)
    }

    /// Reads the file; an empty one if there is none.
    fn read(&self) -> Result<AdjustmentFile, Error> {
        let text = match read_regular_text(&self.path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if is_absence(&error) => return Ok(AdjustmentFile::default()),
            Err(error) => return Err(self.failed("read", &error)),
        };
        let file: AdjustmentFile =
            toml::from_str(&text).map_err(|error| self.failed("read", &error.message()))?;
        match file.sounds.values().find_map(|sound| sound.shape.problem()) {
            Some(problem) => Err(self.failed("read", &problem)),
            None => Ok(file),
        }
    }

    /// Keeps other instances from writing between a reading and the writing that follows, until the file is dropped.
    /// None on file systems without locks.
    fn lock(&self) -> io::Result<Option<File>> {
        // The file itself is replaced, and may not be there; its lock has to stay.
        let Some(folder) = self.path.parent() else { return Ok(None) };
        let path = folder.with_extension("lock");
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::Error(_)) => return Ok(None),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => std::thread::sleep(PERIOD),
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(
                        io::ErrorKind::WouldBlock,
                        "another usampler is writing them",
                    ));
                }
            }
        }
    }

    fn failed(&self, verb: &str, error: &dyn std::fmt::Display) -> Error {
        let kind = if verb == "read" { ErrorKind::Options } else { ErrorKind::Output };
        Error::new(kind, format!("adjustments cannot be {verb}: {}: {error}", self.path.display()))
    }
}

impl StoredAdjustments {
    fn of(voicing: &Voicing, name: &str, own: &SoundDefaults) -> Self {
        let &Voicing { gain, pan, tune, root_shift, looping, loop_range, trim, envelope, quality, .. } =
            voicing;
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            name: name.to_owned(),
            gain: (gain.get() != 0.0).then(|| gain.get()),
            pan: (pan != Pan::CENTRE).then(|| pan.get()),
            tune: (tune.get() != 0.0).then(|| tune.get()),
            root_key: (root_shift != 0).then(|| voicing.root(own.root).get()),
            looping,
            loop_start: loop_range.map(|range| range.start.get()),
            loop_end: loop_range.map(|range| range.end.get()),
            trim_start: trim.map(|range| range.start.get()),
            trim_end: trim.map(|range| range.end.get()),
            attack: envelope.map(|envelope| ms(envelope.attack)),
            release: envelope.map(|envelope| ms(envelope.release)),
            quality: quality.map(|quality| quality.name().to_owned()),
            shape: StoredShape::of(voicing, own),
        }
    }

    /// Returns what it says; a value that is out of range changes nothing.
    fn voicing(&self, defaults: &SoundDefaults) -> Voicing {
        let SoundDefaults { envelope: own, root } = *defaults;
        let shift = self.root_key.filter(|key| Key::new(*key).is_ok());
        let shift = shift.and_then(|key| i8::try_from(i16::from(key) - i16::from(root.get())).ok());
        let range = |start: Option<u64>, end: Option<u64>| {
            let (start, end) = start.zip(end).filter(|(start, end)| start < end)?;
            Some(FrameRange { start: Frames::new(start), end: Frames::new(end) })
        };
        let time = |ms: Option<u64>, own: Duration| ms.map_or(own, Duration::from_millis);
        let envelope =
            Envelope { attack: time(self.attack, own.attack), release: time(self.release, own.release) };
        let quality = |name: &str| Quality::ALL.into_iter().find(|quality| quality.name() == name);
        let mut voicing = Voicing {
            gain: self.gain.and_then(|gain| Decibels::new(gain).ok()).unwrap_or_default(),
            pan: self.pan.and_then(|pan| Pan::new(pan).ok()).unwrap_or_default(),
            tune: self.tune.and_then(|tune| Cents::new(tune).ok()).unwrap_or_default(),
            root_shift: shift.unwrap_or_default(),
            looping: self.looping,
            loop_range: range(self.loop_start, self.loop_end),
            trim: range(self.trim_start, self.trim_end),
            envelope: (envelope != own).then_some(envelope),
            quality: self.quality.as_deref().and_then(quality),
            shape: Shape::default(),
        };
        self.shape.apply(&mut voicing, defaults);
        voicing
    }
}

/// Returns whether an error says that there is no such file, nor a folder that it could be in.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

impl ContentKey {
    /// Returns the key, which two packages share only if their beginnings, ends and lengths are the same.
    ///
    /// # Errors
    /// If the package cannot be read.
    pub fn of(content: PackageContent<'_>) -> io::Result<Self> {
        let length = content.length;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&length.to_le_bytes());
        let parts = if length <= 2 * KEYED {
            [(0, length), (length, 0)]
        } else {
            [(0, KEYED), (length - KEYED, KEYED)]
        };
        for (at, bytes) in parts {
            let mut part = vec![0; usize::try_from(bytes).unwrap_or_default()];
            (content.read_at)(at, &mut part)?;
            hasher.update(&part);
        }
        let key = hasher.finalize().to_hex();
        Ok(Self(key.as_str().chars().take(32).collect()))
    }
}

#[cfg(test)]
mod tests;
