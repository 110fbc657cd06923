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
    Articulation, ArticulationIndex, Decibels, Frames, Instrument, InstrumentIndex, Key, Planes, Recording,
    Sample, SampleIndex, SamplerArticulation, Song, SongParts, Width, Zone,
};

use crate::adjustments::{Adjustments, ContentKey, SoundDefaults};
use crate::single_note::NoteOptions;
use crate::voicing::{FrameRange, Voicing};
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
            Some(SoundDefaults { envelope: own.envelope, root: own.root() })
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
        let cut = trimmed(sample, voicing);
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

/// Returns a zone of a recording whose first frames are cut: it begins so much nearer to the first that is left.
fn without_offset(zone: Zone, cut: Frames, articulations: &mut Vec<Articulation>) -> Zone {
    let own = zone.articulation().and_then(|index| articulations.get(index.get()));
    let Some(Articulation::Sampler(own)) = own.filter(|_| cut > Frames::ZERO) else { return zone };
    if own.offset == Frames::ZERO {
        return zone;
    }
    let offset = Frames::new(own.offset.get().saturating_sub(cut.get()));
    let nearer = SamplerArticulation { offset, ..own.clone() };
    articulations.push(Articulation::Sampler(nearer));
    zone.with_articulation(Some(ArticulationIndex::new(articulations.len() - 1)))
}

/// Returns the frames of a recording that are played, without loops; none if all are.
fn trimmed(sample: &Sample, voicing: &Voicing) -> Option<Sample> {
    let trim = voicing.trim_of(sample.length())?;
    let recording = match sample.recording() {
        Recording::I16(planes) => Recording::I16(part(planes, trim)?),
        Recording::F32(planes) => Recording::F32(part(planes, trim)?),
    };
    let cut = Sample::new(sample.origin().clone(), recording, sample.width(), sample.rate());
    Some(match sample.root() {
        Some(root) => cut.with_root(root, sample.tuning()),
        None => cut,
    })
}

/// Returns a range of the frames of planes.
fn part<T: Copy>(planes: &Planes<T>, range: FrameRange) -> Option<Planes<T>> {
    let part = |plane: &[T]| plane.get(range.start.index()..range.end.index()).map(<[T]>::to_vec);
    Planes::new(planes.iter().map(part).collect::<Option<_>>()?).ok()
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
        let mut samples: Vec<Arc<Sample>> = song.samples().to_vec();
        let own = |index| SampleSource { sample: SampleIndex::new(index), looped_by: None };
        let mut sources: Vec<SampleSource> = (0..samples.len()).map(own).collect();
        let mut instruments = Vec::with_capacity(song.instruments().len());
        let mut articulations = song.articulations().to_vec();
        for (index, own) in song.instruments().iter().enumerate() {
            let voicing = self.voicings.get(&index).copied().unwrap_or_default();
            let mut looped: HashMap<SampleIndex, SampleIndex> = HashMap::new();
            let tree = own.tree.with_zones(&mut |zone| {
                let place = zone.sample();
                let sample = samples.get(place.get()).cloned()?;
                let loops = voicing.loops(sample.loops(), sample.length());
                let is_trimmed = voicing.trim_of(sample.length()).is_some();
                // A loop that was cut off is not replaced by another.
                let is_unlooped = is_trimmed && loops.is_empty() && !sample.loops().is_empty();
                let used = if loops == sample.loops() && !is_trimmed {
                    place
                } else {
                    *looped.entry(place).or_insert_with(|| {
                        let cut = trimmed(&sample, &voicing);
                        let other = cut.unwrap_or_else(|| Sample::clone(&sample)).with_loops(loops);
                        samples.push(other.map_or_else(|_| Arc::clone(&sample), Arc::new));
                        let looped_by = Some(InstrumentIndex::new(index));
                        sources.push(SampleSource { sample: place, looped_by });
                        SampleIndex::new(samples.len() - 1)
                    })
                };
                let zone = voicing.zone(zone, used, in_files.get(&place).copied().unwrap_or_default());
                let zone = match voicing.trim_of(sample.length()) {
                    Some(trim) => without_offset(zone, trim.start, &mut articulations),
                    None => zone,
                };
                Some(if is_unlooped { zone.without_whole_loop() } else { zone })
            });
            let voiced = Instrument { tree: tree.unwrap_or_default(), ..own.clone() };
            let envelope = voicing.envelope.unwrap_or(own.envelope);
            let (first, mut made) = (articulations.len(), Vec::new());
            instruments.push(voicing.shape.instrument(&voiced, envelope, &articulations, (first, &mut made)));
            articulations.extend(made);
        }
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
