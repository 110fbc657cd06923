//! What was adjusted on the sounds of a package, kept from one session to the next.
//!
//! ```text
//! bytes of the package ──► content key ──► USER DATA/usampler/sounds/KEY.toml ──► voicings by sound
//! ```
//!
//! A file per package, known by its content: it may be moved and renamed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use importer::StoredVoicing;
use serde::{Deserialize, Serialize};
use song::{SoundDefaults, Voicing};

use crate::{Error, ErrorKind, user_store};

/// Bytes from the start and the end of a package that its key is made of; of a smaller one all.
const KEYED: u64 = 1 << 20;

/// Bytes of a file of adjustments; a sound takes some 200.
const MAX_BYTES: u64 = 64 << 20;

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

/// The file. Fields that are not there change nothing.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AdjustmentFile {
    /// What the package was called when this was written.
    #[serde(default)]
    package: String,
    /// By number, as `list` shows it.
    #[serde(default)]
    sounds: BTreeMap<String, StoredVoicing>,
}

impl Adjustments {
    /// Returns where the adjustments of a package are kept. `sounds` is how many it has: a module in a package has
    /// others than the package. None where the user has no home.
    #[must_use]
    pub fn of(key: &ContentKey, sounds: usize, label: &str) -> Option<Self> {
        Some(Self::in_folder(&user_store::folder()?.join("sounds"), key, sounds, label))
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
        user_store::make_folder(&self.path).map_err(|error| self.failed("write", &error))?;
        let _lock = self.lock().map_err(|error| self.failed("write", &error))?;
        let mut file = self.read()?;
        file.package.clone_from(&self.label);
        for (index, voicing) in changed {
            let number = (index + 1).to_string();
            match own(*index).filter(|_| *voicing != Voicing::default()) {
                Some((name, own)) => {
                    file.sounds.insert(number, StoredVoicing::of(voicing, name, &own));
                }
                None => {
                    file.sounds.remove(&number);
                }
            }
        }
        if file.sounds.is_empty() {
            return user_store::remove(&self.path).map_err(|error| self.failed("write", &error));
        }
        let text = toml::to_string(&file).map_err(|error| self.failed("write", &error))?;
        user_store::write(&self.path, &text)
    }

    /// Reads the file; an empty one if there is none.
    fn read(&self) -> Result<AdjustmentFile, Error> {
        let text = match user_store::read(&self.path, MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(AdjustmentFile::default()),
            Err(error) => return Err(self.failed("read", &error)),
        };
        let file: AdjustmentFile =
            toml::from_str(&text).map_err(|error| self.failed("read", &error.message()))?;
        match file.sounds.values().find_map(StoredVoicing::problem) {
            Some(problem) => Err(self.failed("read", &problem)),
            None => Ok(file),
        }
    }

    /// Keeps other instances from writing between a reading and the writing that follows, until it is dropped.
    fn lock(&self) -> io::Result<impl Sized> {
        // The file itself is replaced, and may not be there; its lock has to stay.
        let folder = self.path.parent().unwrap_or(Path::new(""));
        user_store::lock(&folder.with_extension("lock"))
    }

    fn failed(&self, verb: &str, error: &dyn std::fmt::Display) -> Error {
        let kind = if verb == "read" { ErrorKind::Options } else { ErrorKind::Output };
        Error::new(kind, format!("adjustments cannot be {verb}: {}: {error}", self.path.display()))
    }
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
