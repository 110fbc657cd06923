//! Sounds of FMOD: the sample bank of one has one codec, so all of it becomes PCM of 16 bits.

use std::collections::BTreeMap;

use importer::Status;
use song::Recording;
use soundbank::fmod::{FsbCodec, NewSound, SoundChange, rewrite};
use soundbank::{Media, MediaId, StatedHeader};

use super::output::{BankMod, Check};
use super::{BankError, BankRecording, BankSounds, limits};
use crate::replace::recording::DECODED;

/// Recordings by the numbers of the sounds, each with the index of its replacement.
type NewSounds = BTreeMap<u32, (usize, NewSound)>;

/// Bytes that the other sounds of all sample banks may still take, decoded: all are held until they are written.
struct Room(u64);

impl Room {
    fn check(&self, path: &str, bytes: u64) -> Result<u64, BankError> {
        self.0.checked_sub(bytes).ok_or_else(|| BankError::TooLong(path.to_owned(), DECODED))
    }

    fn take(&mut self, path: &str, bytes: u64) -> Result<(), BankError> {
        self.0 = self.check(path, bytes)?;
        Ok(())
    }
}

/// Changes to sample banks, before they are made.
pub(super) struct FmodChange<'c, 'b> {
    sounds: &'c BankSounds<'b>,
    only: Option<usize>,
    /// By file and number of the sample bank.
    banks: BTreeMap<(usize, u32), NewSounds>,
}

impl<'c, 'b> FmodChange<'c, 'b> {
    pub(super) const fn new(sounds: &'c BankSounds<'b>, only: Option<usize>) -> Self {
        Self { sounds, only, banks: BTreeMap::new() }
    }

    /// Adds a sound and its recording.
    pub(super) fn add(
        &mut self,
        file: usize,
        (fsb, sound): (u32, u32),
        index: usize,
        recording: &BankRecording,
    ) -> Result<(), BankError> {
        if self.only.is_some_and(|only| only != file) {
            return Err(BankError::Elsewhere(self.sounds.path(file).to_owned()));
        }
        self.banks.entry((file, fsb)).or_default().insert(sound, (index, recording.sound()?));
        Ok(())
    }

    /// Makes the changes.
    pub(super) fn apply(self, made: &mut BankMod) -> Result<(), (usize, BankError)> {
        let mut room = Room(DECODED);
        for ((file, fsb), new) in &self.banks {
            let first = new.values().next().map_or(0, |(index, _)| *index);
            self.bank((*file, *fsb), new, &mut room, made).map_err(|error| (first, error))?;
        }
        Ok(())
    }

    fn bank(
        &self,
        (file, fsb): (usize, u32),
        new: &NewSounds,
        room: &mut Room,
        made: &mut BankMod,
    ) -> Result<(), BankError> {
        let path = self.sounds.path(file);
        let (mut changes, mut key, mut others) = (BTreeMap::new(), None, Vec::new());
        for (index, media) in self.sounds.project.media.iter().enumerate() {
            let MediaId::Fmod { fsb: of, sound } = media.id else { continue };
            let stated = media.sample.as_ref().and_then(StatedHeader::fmod);
            let Some(header) = stated.filter(|_| of == fsb && media.file == file) else {
                continue;
            };
            key = key.or_else(|| header.cipher.as_ref().map(soundbank::fmod::FsbCipher::key));
            if let Some((_, new)) = new.get(&sound) {
                changes.insert(sound, SoundChange::New(new.clone()));
            } else if header.codec != FsbCodec::Pcm16 {
                others.push((sound, index, media));
            }
        }
        // Nothing is decoded if it is known beforehand that all of it would take too much.
        let stated = others.iter().map(|(_, index, _)| self.stated_len(*index));
        room.check(path, stated.fold(0, u64::saturating_add))?;
        for (sound, index, media) in others {
            let change = self.decoded(index, media)?;
            if let SoundChange::Decoded { data, .. } = &change {
                room.take(path, data.len() as u64)?;
            }
            changes.insert(sound, change);
        }
        let old = made.current(file, self.sounds.source(file)?);
        let bytes = rewrite(&old, fsb, &changes, key.as_deref(), &mut limits());
        let bytes = bytes.map_err(|error| BankError::Bank(path.to_owned(), error))?;
        let decoded = changes.len().saturating_sub(new.len());
        if decoded > 0 {
            made.warn(format!(
                "{path}: the {decoded} other sounds of the sample bank become PCM, too; it has {} bytes instead of {}",
                bytes.len(),
                old.len()
            ));
        }
        made.put(file, &bytes.into(), Check::Fmod { fsb, changes, key });
        Ok(())
    }

    /// Returns the bytes of a sound as PCM of 16 bits, as far as they are known before it is decoded.
    fn stated_len(&self, index: usize) -> u64 {
        let audio = self.sounds.row(index).and_then(importer::Sound::audio);
        audio.map_or(0, |audio| {
            let values = audio.frames.unwrap_or_default().saturating_mul(audio.channels.into());
            values.saturating_mul(2)
        })
    }

    /// Decodes another sound of a sample bank.
    fn decoded(&self, index: usize, media: &Media) -> Result<SoundChange, BankError> {
        let row = self.sounds.row(index).ok_or(BankError::Internal)?;
        let failed = |reason: String| BankError::Undecoded(row.object.name.clone(), reason);
        let stated = media.sample.as_ref().and_then(StatedHeader::fmod).map_or(0, |header| header.channels);
        let channels = match stated {
            1 => 1,
            2 => 2,
            more => return Err(failed(format!("has {more} channels, of which two are decoded"))),
        };
        if row.status != Status::Ok {
            return Err(failed(row.status.to_string()));
        }
        let sample = self.sounds.package.sample(row.number).map_err(|error| failed(error.to_string()))?;
        if sample.recording().channels() != usize::from(channels) {
            return Err(failed("was decoded to other channels".to_owned()));
        }
        Ok(SoundChange::Decoded { channels, data: bytes_of(sample.recording()) })
    }
}

/// Returns interleaved values of 16 bits, low bytes first.
fn bytes_of(recording: &Recording) -> Vec<u8> {
    let channels = recording.channels();
    let rounded =
        |value: &f32| (value * 32_768.0).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
    let (left, right): (Vec<i16>, Vec<i16>) = match recording {
        Recording::I16(planes) => (planes.left().to_vec(), planes.right().to_vec()),
        Recording::F32(planes) => {
            (planes.left().iter().map(rounded).collect(), planes.right().iter().map(rounded).collect())
        }
    };
    let frames = left.iter().zip(&right);
    let values = frames.flat_map(|(left, right)| [*left, *right].into_iter().take(channels));
    values.flat_map(i16::to_le_bytes).collect()
}
