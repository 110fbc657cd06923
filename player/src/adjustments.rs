//! What was adjusted on the sounds of a package, kept from one session to the next.
//!
//! ```text
//! bytes of the package ──► content key ──► USER DATA/usampler/sounds/KEY.toml ──► voicings by sound
//! ```
//!
//! A file per package, known by its content: it may be moved and renamed.

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
use song::{Cents, Decibels, Envelope, Frames, Key, Pan};

use crate::voicing::{LoopFrames, Voicing};
use crate::{Error, ErrorKind};

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
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<String>,
}

impl Adjustments {
    /// Returns where the adjustments of a package are kept. `sounds` is how many it has: a module in a package has
    /// others than the package. None where the user has no home.
    ///
    /// # Errors
    /// If the package cannot be read.
    pub fn of(content: PackageContent<'_>, sounds: usize, label: &str) -> io::Result<Option<Self>> {
        let Some(folders) = ProjectDirs::from("", "", "usampler") else { return Ok(None) };
        let folder = folders.data_dir().join("sounds");
        Self::in_folder(&folder, content, sounds, label).map(Some)
    }

    fn in_folder(folder: &Path, content: PackageContent<'_>, sounds: usize, label: &str) -> io::Result<Self> {
        let path = folder.join(format!("{}-{sounds}.toml", content_key(content)?));
        Ok(Self { path, label: label.to_owned() })
    }

    /// Reads what was adjusted: voicings by the index of their sound, given what the sounds say themselves. Nothing
    /// if nothing was kept.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] for a file that makes no sense; it is left alone.
    pub fn load(&self, defaults: &[SoundDefaults]) -> Result<BTreeMap<usize, Voicing>, Error> {
        let file = self.read()?;
        let mut voicings = BTreeMap::new();
        for (number, sound) in file.sounds {
            let index = number.parse().ok().and_then(|number: usize| number.checked_sub(1));
            // Of a sound that is not there nothing can be adjusted.
            let Some((index, own)) = index.and_then(|index| Some((index, defaults.get(index)?))) else {
                continue;
            };
            voicings.insert(index, sound.voicing(own));
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
                    file.sounds.insert(number, StoredAdjustments::of(voicing, name, own.root));
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
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(AdjustmentFile::default()),
            Err(error) => return Err(self.failed("read", &error)),
        };
        toml::from_str(&text).map_err(|error| self.failed("read", &error.message()))
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
    fn of(voicing: &Voicing, name: &str, root: Key) -> Self {
        let &Voicing { gain, pan, tune, root_shift, looping, loop_range, envelope, quality } = voicing;
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            name: name.to_owned(),
            gain: (gain.get() != 0.0).then(|| gain.get()),
            pan: (pan != Pan::CENTRE).then(|| pan.get()),
            tune: (tune.get() != 0.0).then(|| tune.get()),
            root_key: (root_shift != 0).then(|| voicing.root(root).get()),
            looping,
            loop_start: loop_range.map(|range| range.start.get()),
            loop_end: loop_range.map(|range| range.end.get()),
            attack: envelope.map(|envelope| ms(envelope.attack)),
            release: envelope.map(|envelope| ms(envelope.release)),
            quality: quality.map(|quality| quality.name().to_owned()),
        }
    }

    /// Returns what it says; a value that is out of range changes nothing.
    fn voicing(&self, own: &SoundDefaults) -> Voicing {
        let SoundDefaults { envelope: own, root } = *own;
        let shift = self.root_key.filter(|key| Key::new(*key).is_ok());
        let shift = shift.and_then(|key| i8::try_from(i16::from(key) - i16::from(root.get())).ok());
        let range = |(start, end)| LoopFrames { start: Frames::new(start), end: Frames::new(end) };
        let loop_range = self.loop_start.zip(self.loop_end).filter(|(start, end)| start < end).map(range);
        let time = |ms: Option<u64>, own: Duration| ms.map_or(own, Duration::from_millis);
        let envelope =
            Envelope { attack: time(self.attack, own.attack), release: time(self.release, own.release) };
        let quality = |name: &str| Quality::ALL.into_iter().find(|quality| quality.name() == name);
        Voicing {
            gain: self.gain.and_then(|gain| Decibels::new(gain).ok()).unwrap_or_default(),
            pan: self.pan.and_then(|pan| Pan::new(pan).ok()).unwrap_or_default(),
            tune: self.tune.and_then(|tune| Cents::new(tune).ok()).unwrap_or_default(),
            root_shift: shift.unwrap_or_default(),
            looping: self.looping,
            loop_range,
            envelope: (envelope != own).then_some(envelope),
            quality: self.quality.as_deref().and_then(quality),
        }
    }
}

/// Returns a key that two packages share only if their beginnings, ends and lengths are the same.
fn content_key(content: PackageContent<'_>) -> io::Result<String> {
    let length = content.length;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&length.to_le_bytes());
    let parts =
        if length <= 2 * KEYED { [(0, length), (length, 0)] } else { [(0, KEYED), (length - KEYED, KEYED)] };
    for (at, bytes) in parts {
        let mut part = vec![0; usize::try_from(bytes).unwrap_or_default()];
        (content.read_at)(at, &mut part)?;
        hasher.update(&part);
    }
    let key = hasher.finalize().to_hex();
    Ok(key.as_str().chars().take(32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_content<T>(bytes: &[u8], work: impl FnOnce(PackageContent<'_>) -> T) -> T {
        let read_at = |at: u64, out: &mut [u8]| {
            let at = usize::try_from(at).unwrap();
            out.copy_from_slice(&bytes[at..at + out.len()]);
            Ok(())
        };
        work(PackageContent { length: bytes.len() as u64, read_at: &read_at })
    }

    const OWN: SoundDefaults = SoundDefaults {
        envelope: Envelope { attack: Duration::ZERO, release: Duration::from_millis(50) },
        root: Key::C4,
    };

    fn named(_: usize) -> Option<(&'static str, SoundDefaults)> {
        Some(("Kick", OWN))
    }

    fn adjusted() -> BTreeMap<usize, Voicing> {
        let envelope = Envelope { attack: Duration::from_millis(20), ..Envelope::default() };
        let all = Voicing {
            gain: Decibels::new(-3.5).unwrap(),
            pan: Pan::new(0.25).unwrap(),
            tune: Cents::new(-1200.0).unwrap(),
            root_shift: -7,
            looping: Some(true),
            loop_range: Some(LoopFrames { start: Frames::new(100), end: Frames::new(4000) }),
            envelope: Some(envelope),
            quality: Some(Quality::Max),
        };
        BTreeMap::from([(0, Voicing { looping: Some(false), ..Voicing::default() }), (2, all)])
    }

    fn kept(folder: &Path, bytes: &[u8]) -> Adjustments {
        let folder = folder.join("sounds");
        with_content(bytes, |content| Adjustments::in_folder(&folder, content, 3, "Mine.uax").unwrap())
    }

    #[test]
    fn what_is_saved_is_there_again_for_the_same_content_and_for_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let defaults = [OWN; 3];
        let mine = kept(folder.path(), b"the package");
        assert_eq!(mine.load(&defaults).unwrap(), BTreeMap::new());
        mine.save(&adjusted(), named).unwrap();
        assert_eq!(kept(folder.path(), b"the package").load(&defaults).unwrap(), adjusted());
        assert_eq!(kept(folder.path(), b"the Package").load(&defaults).unwrap(), BTreeMap::new());
        let other = with_content(b"the package", |content| {
            Adjustments::in_folder(&folder.path().join("sounds"), content, 4, "x").unwrap()
        });
        assert_eq!(other.load(&defaults).unwrap(), BTreeMap::new(), "other sounds of the same file");
        assert_eq!(mine.load(&defaults[..1]).unwrap().len(), 1, "only sounds that are there");
    }

    #[test]
    fn where_nothing_is_adjusted_no_file_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let mine = kept(folder.path(), b"bytes");
        mine.save(&adjusted(), named).unwrap();
        let text = std::fs::read_to_string(&mine.path).unwrap();
        assert!(text.contains("package = \"Mine.uax\"") && text.contains("gain = -3.5"), "{text}");
        assert!(text.contains("root_key = 53") && text.contains("loop_end = 4000"), "{text}");
        mine.save(&BTreeMap::from([(0, Voicing::default()), (2, Voicing::default())]), named).unwrap();
        assert_eq!(std::fs::read_dir(folder.path().join("sounds")).unwrap().count(), 0);
    }

    #[test]
    fn two_writers_by_turns_keep_the_sounds_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (kept(folder.path(), b"bytes"), kept(folder.path(), b"bytes"));
        let louder = |by: f32| Voicing { gain: Decibels::new(by).unwrap(), ..Voicing::default() };
        let [first, second, third] = [-1.0, -2.0, -3.0].map(louder);
        one.save(&BTreeMap::from([(0, first)]), named).unwrap();
        other.save(&BTreeMap::from([(1, second)]), named).unwrap();
        one.save(&BTreeMap::from([(2, third)]), named).unwrap();
        let all = BTreeMap::from([(0, first), (1, second), (2, third)]);
        assert_eq!(one.load(&[OWN; 3]).unwrap(), all);
        // Who takes back what it adjusted takes back nothing else, and the later of two says what a sound has.
        other.save(&BTreeMap::from([(1, Voicing::default()), (2, first)]), named).unwrap();
        assert_eq!(one.load(&[OWN; 3]).unwrap(), BTreeMap::from([(0, first), (2, first)]));
    }

    #[test]
    fn writers_at_the_same_time_lose_nothing() {
        const WRITERS: usize = 4;
        const SOUNDS: usize = 10;
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let mine = kept(folder.path(), b"bytes");
                scope.spawn(move || {
                    for sound in 0..SOUNDS {
                        let voicing = Voicing { looping: Some(true), ..Voicing::default() };
                        mine.save(&BTreeMap::from([(writer * SOUNDS + sound, voicing)]), named).unwrap();
                    }
                });
            }
        });
        let there = kept(folder.path(), b"bytes").load(&[OWN; WRITERS * SOUNDS]).unwrap();
        assert_eq!(there.len(), WRITERS * SOUNDS);
    }

    #[test]
    fn a_file_that_makes_no_sense_by_now_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mine = kept(folder.path(), b"bytes");
        mine.save(&adjusted(), named).unwrap();
        std::fs::write(&mine.path, "[sounds.1]\nof_a_later_version = 3").unwrap();
        assert_eq!(mine.save(&adjusted(), named).unwrap_err().kind(), ErrorKind::Options);
        assert!(std::fs::read_to_string(&mine.path).unwrap().contains("of_a_later_version"));
    }

    #[test]
    fn a_writer_that_never_ends_is_said_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let mine = kept(folder.path(), b"bytes");
        mine.save(&adjusted(), named).unwrap();
        let held = mine.lock().unwrap();
        let error = mine.save(&BTreeMap::from([(0, Voicing::default())]), named).unwrap_err();
        assert!(error.message().ends_with("another usampler is writing them"), "{}", error.message());
        drop(held);
        assert_eq!(mine.load(&[OWN; 3]).unwrap(), adjusted());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_as_its_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mine = kept(folder.path(), b"bytes");
        std::fs::create_dir(folder.path().join("sounds")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &mine.path).unwrap();
        let error = mine.load(&[OWN; 3]).unwrap_err();
        assert!(error.message().ends_with("it is a pipe or a device, not a file"), "{}", error.message());
        assert!(mine.save(&adjusted(), named).is_err());
    }

    #[test]
    fn a_file_that_makes_no_sense_is_an_error_and_values_out_of_range_change_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mine = kept(folder.path(), b"bytes");
        let defaults = [OWN; 3];
        std::fs::create_dir(folder.path().join("sounds")).unwrap();
        for text in ["[sounds", "[sounds.1]\nvolume = 3", "sounds = 3"] {
            std::fs::write(&mine.path, text).unwrap();
            assert_eq!(mine.load(&defaults).unwrap_err().kind(), ErrorKind::Options, "{text}");
        }
        let odd = "[sounds.1]\ngain = nan\npan = 7.0\nquality = \"best\"\nroot_key = 200\nloop_start = 9\nloop_end = 9\n[sounds.x]\n[sounds.0]\n";
        std::fs::write(&mine.path, odd).unwrap();
        assert_eq!(mine.load(&defaults).unwrap(), BTreeMap::from([(0, Voicing::default())]));
    }

    #[test]
    fn the_key_of_a_large_package_is_made_of_its_ends_and_its_length() {
        let mut bytes = vec![7; 3 << 20];
        let key = |bytes: &[u8]| with_content(bytes, |content| content_key(content).unwrap());
        let first = key(&bytes);
        assert_eq!(first.len(), 32);
        for at in [0, (3 << 20) - 1] {
            bytes[at] ^= 1;
            assert_ne!(key(&bytes), first);
            bytes[at] ^= 1;
        }
        assert_ne!(key(&bytes[1..]), first);
    }
}
