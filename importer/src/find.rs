//! Finds the sounds of a package and describes them.

mod cues;
mod payload;
mod waves;

use tracker::ModuleSummary;
use unreal::bulk::Proof;
use unreal::class::sound::SoundObject;
use unreal::class::sound_node_wave::Platform;
use unreal::class::{self, Class, sound};
use unreal::version::{AudioEnd, AudioLocation as Place};
use unreal::{ErrorKind, ExportIndex, Limits, ObjectRef, Package, Source};

use crate::payload_reader::MAX_INFLATED;
use crate::{Error, Sound, Status};
use cues::{PlayableSound, Recordings};
use payload::PayloadInfo;

/// What looking at objects may cost: at most so many bytes at a time, and so many all together. Objects may share
/// bytes, so the second bounds the time that a small file takes.
pub(crate) struct Work {
    structures: u64,
    left: u64,
}

impl Work {
    /// Properties take some sixteen times their bytes while they are looked at.
    const PER_BYTE: u64 = 32;

    pub(crate) fn new(structures: u64, source: &dyn Source) -> Self {
        Self { structures, left: structures.saturating_add(source.len().saturating_mul(Self::PER_BYTE)) }
    }

    pub(crate) fn spend<T>(&mut self, look: impl FnOnce(&mut Limits) -> T) -> T {
        let most = self.structures.min(self.left);
        let mut limits = Limits::with_structures(most);
        let found = look(&mut limits);
        self.left = self.left.saturating_sub(most.saturating_sub(limits.structures_left()));
        found
    }
}

/// All sounds, numbered from 1: first those with audio of their own in the order of the export table, then in the same
/// order groups and cues, which play the others. One that cannot be read is in the list all the same, and so is one
/// whose parts would not fit `budget`.
/// Of a recording with a form for each platform, `stream` is taken if one is wished.
///
/// # Errors
/// `OverLimit` if the list alone, without what each sound is made of, takes more than `budget` bytes: exports are
/// small, but each may lie in a long chain of groups with long names.
pub(crate) fn sounds(
    package: &Package,
    source: &dyn Source,
    stream: Option<Platform>,
    budget: u64,
) -> Result<Vec<Sound>, unreal::Error> {
    let found = package.export_indices().filter_map(|index| Some((index, class::of(package, index)?)));
    let (mut objects, arranged): (Vec<_>, Vec<_>) =
        found.partition(|(_, class)| !matches!(class, Class::SoundGroup | Class::SoundCue));
    objects.extend(arranged);
    let at = package.summary().exports.at.into();
    let mut kept = Limits::with_structures(budget);
    kept.take(bytes(objects.len().saturating_mul(size_of::<Sound>())), at, "list of sounds")?;
    let mut sounds = Vec::with_capacity(objects.len());
    for (number, (index, class)) in (1..).zip(&objects) {
        let object = package.path(ObjectRef::Export(*index));
        kept.take(bytes(object.group.len().saturating_add(object.name.len())), at, "list of sounds")?;
        sounds.push(Sound::new(number, object, class.name()));
    }
    let mut work = Work::new(budget, source);
    let mut recordings = Recordings::default();
    for (sound, (index, class)) in sounds.iter_mut().zip(objects) {
        let object = (package, source, index, class);
        // What was spent on a sound that comes to nothing is there for the next.
        let mut spent = kept.clone();
        match work.spend(|limits| describe(sound, object, &mut recordings, stream, (limits, &mut spent))) {
            Ok(()) => kept = spent,
            Err(error) => {
                sound.status = match error.kind() {
                    ErrorKind::Unsupported(form) => Status::Unsupported(form.to_string()),
                    ErrorKind::OverLimit { .. } => Status::Unsupported(error.to_string()),
                    _ => Status::Damaged(error.to_string()),
                }
            }
        }
        if let Err(error) = kept.take(bytes(words(sound)), at, "notes on sounds") {
            (sound.tree, sound.module) = (None, None);
            (sound.notes, sound.repairs) = (Vec::new(), Vec::new());
            sound.status = Status::Unsupported(error.to_string());
        }
    }
    Ok(sounds)
}

/// A length in memory as budgets count it.
pub(crate) fn bytes(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Bytes of what is said of a sound.
fn words(sound: &Sound) -> usize {
    let said =
        sound.notes.iter().chain(&sound.repairs).map(|text| size_of::<String>().saturating_add(text.len()));
    let module = sound.module.as_ref().map_or(0, |module| {
        let texts = [&module.title, &module.tracker, &module.message].map(String::len);
        texts.into_iter().fold(size_of::<ModuleSummary>(), usize::saturating_add)
    });
    said.sum::<usize>().saturating_add(sound.status.reason().map_or(0, str::len)).saturating_add(module)
}

/// Describes a sound. The first of the limits are for looking at objects, the others for what stays: parts.
fn describe(
    sound: &mut Sound,
    (package, source, index, class): (&Package, &dyn Source, ExportIndex, Class),
    recordings: &mut Recordings,
    stream: Option<Platform>,
    (limits, kept): (&mut Limits, &mut Limits),
) -> Result<(), unreal::Error> {
    let mut recording =
        PlayableSound { number: sound.number, gain: 1.0, pitch: 1.0, ..PlayableSound::default() };
    match class {
        Class::Sound | Class::Music => {
            let object = match sound::read(package, source, index, limits) {
                Ok(object) => object,
                // The game is told by numbers that others may have too, so it counts only if nothing is found.
                Err(_) if package.layout().audio == Place::Outside => {
                    sound.status = Status::Unsupported("its audio lies outside of the package".to_owned());
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            recording.likelihood = object.likelihood;
            sound.notes = inferred(&object, package);
            sound.file_type = object.file_type;
            if object.payload.len == 0 {
                sound.status = Status::Empty("the package holds no data for it".to_owned());
            } else {
                PayloadInfo::of(object.payload, source).put_into(sound);
            }
        }
        Class::SoundNodeWave | Class::SoundNodeWaveEx => {
            (recording.gain, recording.pitch) =
                waves::describe(sound, (package, source, index), stream, limits)?;
        }
        Class::SoundGroup | Class::SoundCue => {
            return cues::describe(sound, (package, source, index, class), recordings, (limits, kept));
        }
        _ => sound.status = Status::Unsupported("made of other sounds when it is played".to_owned()),
    }
    if sound.is_module() {
        look_into(sound, source, limits)?;
    }
    recording.is_playable = sound.is_playable();
    recordings.add(index, recording);
    Ok(())
}

/// A module's bytes are read in a fraction of the time that objects of so many bytes take.
const CHEAPER: u64 = 8;

/// What the tracker module is that a sound's bytes are.
fn look_into(sound: &mut Sound, source: &dyn Source, limits: &mut Limits) -> Result<(), unreal::Error> {
    let Some(payload) = sound.payload else { return Ok(()) };
    let mut look = || -> Result<ModuleSummary, Error> {
        limits.take(payload.len.div_ceil(CHEAPER), payload.offset, "module")?;
        crate::module_sounds::summarize(&payload.read(source, MAX_INFLATED.max(payload.len))?, limits)
    };
    match look() {
        Ok(summary) => (sound.module, sound.status) = (Some(Box::new(summary)), Status::Ok),
        Err(Error::Package(error)) => return Err(error),
        Err(Error::Sound(status)) => sound.status = status,
        Err(Error::Module(error)) => sound.status = Status::Damaged(error.to_string()),
        Err(error) => sound.status = Status::Unsupported(error.to_string()),
    }
    Ok(())
}

/// What no version says of a sound, and was told from its bytes.
fn inferred(object: &SoundObject, package: &Package) -> Vec<String> {
    let layout = package.layout();
    let mut notes = Vec::new();
    if object.start != layout.body {
        notes.push("inferred: its body has the form of another version, as its data ends with it".to_owned());
    }
    if object.located.word_before_type {
        notes.push("inferred: a word before the file type, as the skip offset then agrees".to_owned());
    }
    if layout.audio_end != AudioEnd::Unstated
        && object.located.proof == Proof::SkipOffset
        && layout.extra_words.expected() != Some(object.located.extra)
    {
        let words = object.located.extra;
        notes.push(format!("inferred: {words} words before the skip offset, which then agrees"));
    }
    notes
}
