//! A tracker module as something that has sounds: its samples first, then its instruments, which play them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use song::module::{
    BreakpointEnvelope, Dialect, Globals, Instrument, ModuleWriter, NoteMapping, Point, SampleSource, Vibrato,
};
use song::{
    Articulation, ArticulationIndex, Cents, Decibels, Key, Origin, Pan, Planes, Recording, Sample,
    SampleIndex, Velocity, Width, Zone, ZoneTree,
};
use tracker::format::view::{INSTRUMENT as INSTRUMENT_SIZE, SampleSlot};
use tracker::replay;
use tracker::{ModuleFile, ModuleSummary, StoredFrames};
use unreal::{Limits, ObjectPath, Source};

use super::{Collection, CollectionSong};
use crate::budget::DecodeBudget;
use crate::budget::bytes;
use crate::codec::RootTuning;
use crate::sound::Description;
use crate::{
    Audio, Budget, Codec, Contents, DamageReason, EmptyReason, Error, Remark, Sound, SoundClass, Status,
    StoredRecording, UnsupportedReason,
};

/// A module and its samples, described.
pub(crate) struct ModuleSounds {
    /// The bytes of the module.
    source: Box<dyn Source>,
    sounds: Vec<Sound>,
    pub(crate) module: ModuleFile,
    /// By index; still silent.
    samples: Vec<song::module::Sample>,
    /// How notes of its samples and instruments move.
    articulations: Vec<Articulation>,
    /// Bytes of structures that its song may take.
    left: u64,
}

/// Reads a module from the whole of a source, and describes its sounds.
pub(crate) fn open(
    source: Box<dyn Source>,
    budget: &Budget,
    limits: &mut Limits,
) -> Result<ModuleSounds, Error> {
    let needed = source.len();
    if needed > budget.inflated {
        return Err(Error::OverLimit { needed, left: budget.inflated });
    }
    let decoded = budget.decoded_of(needed);
    let module = match source.in_memory() {
        Some(bytes) => read(bytes, decoded, limits)?,
        None => {
            let mut bytes = vec![0; usize::try_from(needed).unwrap_or(usize::MAX)];
            source.read_at(0, &mut bytes).map_err(crate::Damage::from)?;
            read(&bytes, decoded, limits)?
        }
    };
    let trees = module.raw.view();
    let counted = trees.slots().len().saturating_add(trees.instrument_count());
    let each = size_of::<Sound>().saturating_add(size_of::<song::module::Sample>()).saturating_add(TEXT);
    limits.take(bytes(counted.saturating_mul(each)), 0, "list of sounds")?;
    limits.take(bytes(trees.instrument_count().saturating_mul(INSTRUMENT_SIZE)), 0, "instruments")?;
    let samples = trees.samples();
    let mut repairs: HashMap<&str, Vec<String>> = HashMap::new();
    for repair in &module.repairs {
        repairs.entry(&repair.what).or_default().push(repair.text.clone());
    }
    let head = trees.head();
    let mut moves = Articulations {
        dialect: head.dialect,
        writer: head.writer,
        globals: head.globals,
        found: Vec::new(),
    };
    let described = trees.labels().into_iter().zip(trees.slots()).zip(&samples);
    let mut sounds: Vec<Sound> = Vec::with_capacity(counted);
    for ((label, slot), sample) in described {
        let format: crate::Format = module.raw.format().into();
        let repairs = repairs.remove(label.as_str()).unwrap_or_default();
        let articulation = moves.find(None, sample, limits)?;
        let recording = StoredRecording { format: Some(format), articulation, ..StoredRecording::default() };
        sounds.push(of_sample(sounds.len(), recording, sample, &slot, repairs));
    }
    for (index, instrument) in trees.instruments().iter().enumerate() {
        let class = SoundClass::Instrument;
        let description = of_instrument(instrument, &samples, &sounds, &mut moves, limits)?;
        let path = path(class, index, [&instrument.name, &instrument.file_name]);
        sounds.push(description.named(sounds.len().saturating_add(1), path, class));
    }
    let (articulations, left) = (moves.found, limits.structures_left());
    Ok(ModuleSounds { source, sounds, module, samples, articulations, left })
}

/// Reads a module within the limits of an import.
fn read(bytes: &[u8], decoded: u64, limits: &mut Limits) -> Result<ModuleFile, Error> {
    within(limits, decoded, |budget| tracker::read_within(bytes, budget))
}

/// Describes a module without decoding its frames, within the limits of an import.
pub(crate) fn summarize(bytes: &[u8], limits: &mut Limits) -> Result<ModuleSummary, Error> {
    within(limits, 0, |budget| tracker::summarize(bytes, budget))
}

/// Lends what is left of the limits to the reader of modules, and takes what it spent, even if it failed.
fn within<T>(
    limits: &mut Limits,
    decoded: u64,
    read: impl FnOnce(&mut tracker::ModuleBudget) -> Result<T, tracker::Error>,
) -> Result<T, Error> {
    let left = limits.structures_left();
    let mut budget = tracker::ModuleBudget { structures: left, decoded };
    let read = read(&mut budget);
    limits.take(left.saturating_sub(budget.structures), 0, "module")?;
    Ok(read?)
}

/// What names of a sound may take.
const TEXT: usize = 80;

/// Returns the place of a sample or an instrument in its module, by the first of its names that says something.
fn path(class: SoundClass, index: usize, names: [&str; 2]) -> ObjectPath {
    let number = index.saturating_add(1);
    let name = names.into_iter().find(|name| !name.trim().is_empty());
    let name = name.map_or_else(|| format!("{class} {number}"), |name| name.trim().to_owned());
    ObjectPath { group: String::new(), name }
}

fn of_sample(
    index: usize,
    recording: StoredRecording,
    sample: &song::module::Sample,
    slot: &SampleSlot<'_>,
    repairs: Vec<String>,
) -> Sound {
    let status = match slot {
        SampleSlot::Recorded(_) => Status::Ok,
        SampleSlot::Empty => Status::Empty(EmptyReason::EmptySlot),
        SampleSlot::Foreign(reason) => Status::Unsupported(UnsupportedReason::ModuleSample(reason)),
        SampleSlot::Missing => {
            let repair = repairs.first().cloned();
            let reason = repair.unwrap_or_else(|| "its frames are not there".to_owned());
            Status::Damaged(DamageReason::ModuleSample(reason))
        }
    };
    let audio = match slot {
        SampleSlot::Recorded(frames) => Some(audio(sample, frames)),
        _ => None,
    };
    let (tuning, width) = (Some(root_tuning(sample)), Some(Width::Sixteen));
    let contents = Contents::Recording(StoredRecording { audio, tuning, width, ..recording });
    let class = SoundClass::Sample;
    Description { contents, repairs, ..Description::unread(status) }.named(
        index.saturating_add(1),
        path(class, index, [&sample.name, &sample.file_name]),
        class,
    )
}

fn root_tuning(sample: &song::module::Sample) -> RootTuning {
    RootTuning { root: Key::C4, above: sample.tuning.nearest_rate().1 }
}

fn audio(sample: &song::module::Sample, frames: &StoredFrames) -> Audio {
    let (codec, bits) = match frames {
        StoredFrames::I8(_) => (Codec::PcmS8, 8),
        StoredFrames::I16(_) => (Codec::PcmS16, 16),
    };
    Audio {
        codec,
        rate: sample.tuning.nearest_rate().0,
        channels: if frames.channels() == 2 { 2 } else { 1 },
        bits: Some(bits),
        frames: Some(frames.length()),
        loops: sample.sustain_loop.into_iter().chain(sample.loop_range).collect(),
    }
}

/// Describes what an instrument plays of the samples, which are described already.
fn of_instrument(
    instrument: &Instrument,
    samples: &[song::module::Sample],
    sounds: &[Sound],
    moves: &mut Articulations,
    limits: &mut Limits,
) -> Result<Description, Error> {
    let runs = runs(instrument);
    let cost = runs.len().saturating_mul(size_of::<ZoneTree>());
    let over_limit = |error: unreal::Error| {
        let reason = UnsupportedReason::OverLimit(error.to_string());
        Ok(Description::unread(Status::Unsupported(reason)))
    };
    if let Err(error) = limits.take(bytes(cost), 0, "key map") {
        return over_limit(error);
    }
    let playable = |index: usize| sounds.get(index).is_some_and(|sound| sound.status == Status::Ok);
    // Samples of one vibrato move alike; all of them do in most instruments.
    let mut found: HashMap<Option<Vibrato>, Option<ArticulationIndex>> = HashMap::new();
    let mut zones = Vec::new();
    for (keys, mapped) in runs {
        let Some(index) = mapped.sample.map(usize::from).filter(|index| playable(*index)) else { continue };
        let Some(sample) = samples.get(index) else { continue };
        let articulation = match found.entry(sample.vibrato) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => match moves.find(Some(instrument), sample, limits) {
                Ok(found) => *place.insert(found),
                Err(error) => return over_limit(error),
            },
        };
        let tuning = Cents::new(100.0 * f64::from(mapped.transpose))?;
        let zone =
            Zone::whole_keyboard(SampleIndex::new(index), Key::C4, tuning).with_articulation(articulation);
        let gain = sample.volume.gain() * sample.global_volume.gain() * instrument.global_volume.gain();
        let pan = sample.pan.or(instrument.default_pan).unwrap_or(Pan::CENTRE);
        let pan = replay::note_pan(pan, instrument.pitch_pan, *keys.start(), mapped.transpose);
        zones.push(zone.at(loudness(gain), pan).within(keys, Velocity::LOWEST..=Velocity::HIGHEST)?);
    }
    let tree = ZoneTree::layered(zones);
    Ok(if tree.size() > 1 {
        Description { contents: Contents::Zones(tree), ..Description::unread(Status::Ok) }
    } else {
        Description::unread(Status::Empty(EmptyReason::NoKeys))
    })
}

/// Finds how notes move.
struct Articulations {
    dialect: Dialect,
    writer: ModuleWriter,
    globals: Globals,
    found: Vec<Articulation>,
}

/// What an articulation takes.
const ARTICULATION: usize =
    size_of::<Articulation>() + 4 * BreakpointEnvelope::MAX_POINTS * size_of::<Point>();

impl Articulations {
    /// Of a sample, on an instrument or by itself; none if they do not.
    fn find(
        &mut self,
        instrument: Option<&Instrument>,
        sample: &song::module::Sample,
        limits: &mut Limits,
    ) -> Result<Option<ArticulationIndex>, unreal::Error> {
        let Self { dialect, writer, globals, .. } = self;
        let articulation = replay::articulation(*dialect, writer, globals, instrument, sample);
        let Some(articulation) = articulation else { return Ok(None) };
        limits.take(bytes(ARTICULATION), 0, "envelopes")?;
        let index = ArticulationIndex::new(self.found.len());
        self.found.push(articulation.into());
        Ok(Some(index))
    }
}

/// Returns a gain in decibels; what is silent is softer than anything that is heard.
fn loudness(gain: f32) -> Decibels {
    Decibels::from_gain(gain.max(1e-7)).unwrap_or_default()
}

/// Returns runs of keys that play the same in the same way and, where pan depends on the note, each key.
fn runs(instrument: &Instrument) -> Vec<(RangeInclusive<Key>, NoteMapping)> {
    let is_alike = instrument.pitch_pan.separation == 0;
    let mut runs = Vec::new();
    let mut next = 0_u8;
    for run in instrument.keys.keys().chunk_by(|one, other| is_alike && one == other) {
        let first = next;
        next = next.saturating_add(u8::try_from(run.len()).unwrap_or(u8::MAX));
        let keys = Key::new(first).and_then(|first| Ok(first..=Key::new(next.saturating_sub(1))?));
        if let (Some(mapped), Ok(keys)) = (run.first().filter(|mapped| mapped.sample.is_some()), keys) {
            runs.push((keys, *mapped));
        }
    }
    runs
}

impl Collection for ModuleSounds {
    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    fn decode(
        &self,
        package: &str,
        sound: &Sound,
        budget: &mut DecodeBudget,
    ) -> Option<Result<Sample, Error>> {
        Some(self.sample(package, sound, budget))
    }

    fn articulations(&self) -> &[Articulation] {
        &self.articulations
    }

    fn song(
        &self,
        package: &str,
        recorded: &dyn Fn(usize) -> Option<SampleIndex>,
    ) -> Result<Option<CollectionSong>, Error> {
        let module = self.module(recorded)?;
        Ok(Some(CollectionSong { module, title: self.title(), repaired: self.remarks(package) }))
    }
}

impl ModuleSounds {
    /// Returns a sample decoded.
    ///
    /// # Errors
    /// If it has no frames, or they take more than is left.
    fn sample(&self, package: &str, sound: &Sound, budget: &mut DecodeBudget) -> Result<Sample, Error> {
        let index = sound.number.saturating_sub(1);
        let slot = self.module.raw.view().slot(index);
        let (SampleSlot::Recorded(frames), Some(sample)) = (slot, self.samples.get(index)) else {
            return Err(Error::Sound(sound.status.clone()));
        };
        let values = frames.length().saturating_mul(bytes(frames.channels()));
        budget.take(values.saturating_mul(2))?;
        let (planes, width) = match frames {
            StoredFrames::I8(planes) => {
                let widened =
                    planes.iter().map(|plane| plane.iter().map(|value| i16::from(*value) << 8).collect());
                (Planes::new(widened.collect())?, Width::Eight)
            }
            StoredFrames::I16(planes) => (planes.clone(), Width::Sixteen),
        };
        let name = sound.object.name.clone();
        let origin = Origin { package: package.to_owned(), group: String::new(), name };
        let RootTuning { root, above } = root_tuning(sample);
        let rate = sample.tuning.nearest_rate().0;
        let decoded = Sample::new(origin, Recording::I16(planes), width, rate).with_root(root, above);
        Ok(decoded.with_loops(sample.sustain_loop.into_iter().chain(sample.loop_range).collect())?)
    }

    /// Returns the module of a song, with the recordings that were decoded, by index of the module's sample.
    ///
    /// # Errors
    /// If its cells take more than reading and listing it have left.
    fn module(&self, recorded: &dyn Fn(usize) -> Option<SampleIndex>) -> Result<song::module::Module, Error> {
        let mut module = self.module.raw.to_song(self.left)?;
        for (index, sample) in module.samples.iter_mut().enumerate() {
            if let Some(recording) = recorded(index) {
                sample.source = SampleSource::Recorded(recording);
            }
        }
        Ok(module)
    }

    /// Returns what was repaired of it and belongs to no sample.
    fn remarks(&self, name: &str) -> Vec<Remark> {
        let labels: HashSet<String> = self.module.raw.view().labels().into_iter().collect();
        let others = self.module.repairs.iter().filter(|repair| !labels.contains(&repair.what));
        others.map(|repair| Remark::new(format!("{name}: {}", repair.what), repair.text.clone())).collect()
    }

    /// Returns its title, if it has one.
    fn title(&self) -> Option<String> {
        Some(self.module.raw.view().head().title).filter(|title| !title.is_empty())
    }
}
