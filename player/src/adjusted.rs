//! The sounds of a package as they were adjusted, for what is played and written elsewhere than live.
//!
//! ```text
//! adjustments ──► AdjustedSounds ─┬─ voicing, note   how notes are played: as live, with loops in the bank
//!                                 ├─ sample          a recording for a file: gain in its frames, root key, loops
//!                                 └─ song            instruments for a file of several
//! ```
//!
//! An adjustment is of a sound's own notes: a group or cue that plays the sound has its own, or none.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use importer::{Sound, SoundFile};
use song::{
    Decibels, Frames, InstrumentIndex, Key, LoopRange, Planes, Recording, Sample, SampleIndex, Song,
    SongParts, SoundDefaults, VoicedSamples, Voicing, Width,
};

use crate::adjustments::{Adjustments, ContentKey};
use crate::single_note::NoteOptions;
use crate::{Error, ErrorKind};

/// How the sounds of a package are adjusted.
#[derive(Clone, Debug, Default)]
pub struct AdjustedSounds {
    /// By the index of the sound.
    voicings: BTreeMap<usize, Voicing>,
    problem: Option<String>,
}

impl AdjustedSounds {
    /// Returns sounds that are adjusted, by their index.
    pub(crate) fn new(voicings: impl IntoIterator<Item = (usize, Voicing)>) -> Self {
        Self { voicings: voicings.into_iter().collect(), problem: None }
    }

    /// Reads the adjustments of a package, or of a module in it, from what the user has kept.
    #[must_use]
    pub fn of(key: &ContentKey, package: &SoundFile) -> Self {
        let defaults = |index: usize| {
            let own = package.instrument(index.checked_add(1)?)?;
            Some(SoundDefaults::of(&own))
        };
        let kept = Adjustments::of(key, package.sounds().len(), package.name());
        match kept.map_or_else(|| Ok(BTreeMap::new()), |kept| kept.load(defaults)) {
            Ok(voicings) => Self { voicings, problem: None },
            Err(error) => Self { problem: Some(error.message().to_owned()), ..Self::default() },
        }
    }

    /// Returns why the adjustments cannot be read; none are used then.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Returns how a sound is adjusted; the default if it is not.
    #[must_use]
    pub fn voicing(&self, sound: &Sound) -> Voicing {
        let index = sound.number.checked_sub(1);
        index.and_then(|index| self.voicings.get(&index)).copied().unwrap_or_default()
    }

    /// Returns how many of some sounds are adjusted.
    pub fn count<'s>(&self, sounds: impl IntoIterator<Item = &'s Sound>) -> usize {
        sounds.into_iter().filter(|sound| self.voicing(sound) != Voicing::default()).count()
    }

    /// Returns how some sounds are adjusted, those that are, by index.
    pub(crate) fn of_sounds(&self, indices: impl IntoIterator<Item = usize>) -> BTreeMap<usize, Voicing> {
        let voicing = |index: usize| Some((index, *self.voicings.get(&index)?));
        indices.into_iter().filter_map(voicing).collect()
    }

    /// Returns how a note of a sound is played.
    #[must_use]
    pub fn note(&self, sound: &Sound, options: NoteOptions) -> NoteOptions {
        NoteOptions { voicing: self.voicing(sound), ..options }
    }
}

/// A recording as it is adjusted, for a file of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct AdjustedSample {
    /// With the frames that are played, the gain in them, and the root key, the tuning and the loops. A file of it has
    /// no pan and no envelope.
    pub sample: Sample,
    /// Number of values beyond full scale, which are clipped.
    pub clipped: u64,
}

impl AdjustedSample {
    /// Adjusts a recording.
    #[must_use]
    pub fn of(sample: &Sample, voicing: &Voicing) -> Self {
        let loops = voicing.loops(sample.loops(), sample.length());
        let cut = voicing.trimmed(sample);
        let sample = cut.as_ref().unwrap_or(sample);
        let (recording, clipped) = amplified(sample, voicing.gain);
        let own = sample.root().unwrap_or(Key::C4);
        let (root, tuning) = voicing.rooted(own);
        let adjusted = match recording {
            Some(recording) => Sample::new(sample.origin().clone(), recording, sample.width(), sample.rate()),
            None => sample.clone(),
        };
        let above = song::Cents::new(sample.tuning().get() - tuning.get()).unwrap_or_default();
        let is_tuned = sample.root().is_some() || root != own || above.get() != 0.0;
        let adjusted = if is_tuned { adjusted.with_root(root, above) } else { adjusted };
        Self { sample: adjusted.clone().with_loops(loops).unwrap_or(adjusted), clipped }
    }
}

/// Returns a recording with gain, none if that is 0 dB, and the number of values that are clipped: those that its width
/// cannot hold.
fn amplified(sample: &Sample, gain: Decibels) -> (Option<Recording>, u64) {
    if gain == Decibels::UNITY {
        return (None, 0);
    }
    let (factor, mut clipped) = (gain.gain(), 0);
    let recording = match sample.recording() {
        Recording::I16(planes) => Recording::I16(changed(planes, |value| {
            let wanted = (f32::from(value) * factor).round();
            clipped += u64::from(wanted > f32::from(i16::MAX) || wanted < f32::from(i16::MIN));
            // The cast saturates.
            wanted as i16
        })),
        Recording::F32(planes) => {
            let is_float = matches!(sample.width(), Width::Float | Width::Double);
            Recording::F32(changed(planes, |value| {
                let wanted = value * factor;
                if is_float {
                    return wanted;
                }
                clipped += u64::from(!(-1.0..=1.0).contains(&wanted));
                wanted.clamp(-1.0, 1.0)
            }))
        }
    };
    (Some(recording), clipped)
}

/// Returns planes with each value changed.
fn changed<T: Copy>(planes: &Planes<T>, mut change: impl FnMut(T) -> T) -> Planes<T> {
    let changed: Vec<Vec<T>> =
        planes.iter().map(|plane| plane.iter().copied().map(&mut change).collect()).collect();
    // As many planes, and as long.
    Planes::new(changed).unwrap_or_else(|_| planes.clone())
}

/// A song whose instruments are adjusted, for a file of several.
#[derive(Clone, Debug)]
pub struct AdjustedSong {
    /// The song. Samples that an instrument loops or trims otherwise are further ones; they share the recordings unless
    /// they are trimmed.
    pub song: Song,
    /// By sample, what it is made of.
    pub sources: Vec<SampleSource>,
}

/// What a sample of an [`AdjustedSong`] is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SampleSource {
    /// The sample that it is, but for its loops and trim.
    pub sample: SampleIndex,
    /// The instrument that loops or trims it otherwise; none if it is as it was recorded.
    pub looped_by: Option<InstrumentIndex>,
}

/// The samples of an [`AdjustedSong`] while it is made.
struct AdjustedSamples<'s> {
    samples: Vec<Arc<Sample>>,
    sources: Vec<SampleSource>,
    in_files: &'s HashMap<SampleIndex, Decibels>,
    /// How the instrument is voiced that is being adjusted, and which it is.
    voicing: Voicing,
    instrument: InstrumentIndex,
}

impl VoicedSamples for AdjustedSamples<'_> {
    fn recorded(&self, sample: SampleIndex) -> Option<(&[LoopRange], Frames)> {
        let sample = self.samples.get(sample.get())?;
        Some((sample.loops(), sample.length()))
    }

    fn voiced(&mut self, sample: SampleIndex, loops: Vec<LoopRange>) -> SampleIndex {
        let Some(own) = self.samples.get(sample.get()).cloned() else { return sample };
        let cut = self.voicing.trimmed(&own).unwrap_or_else(|| Sample::clone(&own));
        self.samples.push(cut.with_loops(loops).map_or(own, Arc::new));
        self.sources.push(SampleSource { sample, looped_by: Some(self.instrument) });
        SampleIndex::new(self.samples.len() - 1)
    }

    fn gain_in_file(&self, sample: SampleIndex) -> Decibels {
        self.in_files.get(&sample).copied().unwrap_or_default()
    }
}

impl AdjustedSounds {
    /// Returns a song of the package's sounds with adjusted instruments. `in_files` are the gains that the files of
    /// samples have already.
    ///
    /// # Errors
    /// [`ErrorKind::Song`] if the parts make no song.
    pub fn song(
        &self,
        song: &Song,
        in_files: &HashMap<SampleIndex, Decibels>,
    ) -> Result<AdjustedSong, Error> {
        let own = |index| SampleSource { sample: SampleIndex::new(index), looped_by: None };
        let mut adjusted = AdjustedSamples {
            samples: song.samples().to_vec(),
            sources: (0..song.samples().len()).map(own).collect(),
            in_files,
            voicing: Voicing::default(),
            instrument: InstrumentIndex::new(0),
        };
        let mut articulations = song.articulations().to_vec();
        let mut instruments = Vec::with_capacity(song.instruments().len());
        for (index, own) in song.instruments().iter().enumerate() {
            adjusted.voicing = self.voicings.get(&index).copied().unwrap_or_default();
            adjusted.instrument = InstrumentIndex::new(index);
            let voicing = adjusted.voicing;
            instruments.push(voicing.instrument(own, &mut articulations, &mut adjusted));
        }
        let AdjustedSamples { samples, sources, .. } = adjusted;
        let song = Song::new(SongParts {
            name: song.name().to_owned(),
            samples,
            instruments,
            articulations,
            module: song.module().clone(),
        });
        let song = song.map_err(|error| Error::new(ErrorKind::Song, error.to_string()))?;
        Ok(AdjustedSong { song, sources })
    }
}

#[cfg(test)]
mod tests;
