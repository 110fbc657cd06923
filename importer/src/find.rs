//! Finds the sounds of a package and describes them.

mod cues;
pub(crate) mod game;
pub(crate) mod payload;
mod waves;

use tracker::ModuleSummary;
use unreal::ue1to3::bulk::{Payload, Proof};
use unreal::ue1to3::class::sound::SoundObject;
use unreal::ue1to3::class::sound_node_wave::Platform;
use unreal::ue1to3::class::{self, sound};
use unreal::ue1to3::version::{AudioEnd, AudioLocation};
use unreal::{Class, ErrorKind, Limits, Object, ObjectRef, Package, Source};

use crate::budget::bytes;
use crate::budget::{WorkBudget, most_inflated};
use crate::collection::module;
use crate::sound::Description;
use crate::{
    Contents, DamageReason, EmptyReason, Error, Sound, SoundClass, Status, StoredRecording, UnsupportedReason,
};
use cues::{PlayableSound, Recordings};
use payload::{ModuleLook, PayloadInfo, Payloads};

/// Returns all sounds, numbered from 1: first those with audio of their own in the order of the export table, then in
/// the same order groups and cues, which play the others. One that cannot be read is in the list all the same, and so
/// is one whose parts would not fit `budget`. Of a recording with a form for each platform, `stream` is taken if one is
/// wanted.
///
/// # Errors
/// `OverLimit` if the list alone, without what each sound is made of, takes more than `budget` bytes: exports are
/// small, but each may lie in a long chain of groups with long names.
pub(crate) fn sounds(
    package: &Package,
    source: &dyn Source,
    stream: Option<Platform>,
    budget: u64,
    work: &WorkBudget,
) -> Result<Vec<Sound>, unreal::Error> {
    let found = package.export_indices().filter_map(|index| Some((index, class::of(package, index)?)));
    let (mut objects, arranged): (Vec<_>, Vec<_>) = found.partition(|(_, class)| !class.plays_others());
    objects.extend(arranged);
    let at = package.summary().exports.at.into();
    let mut kept = Limits::with_structures(budget);
    kept.take(bytes(objects.len().saturating_mul(size_of::<Sound>())), at, "list of sounds")?;
    let mut paths = Vec::with_capacity(objects.len());
    for (index, _) in &objects {
        let path = package.path(ObjectRef::Export(*index));
        kept.take(bytes(path.group.len().saturating_add(path.name.len())), at, "list of sounds")?;
        paths.push(path);
    }
    let mut sounds = Vec::with_capacity(objects.len());
    let (mut recordings, mut payloads) = (Recordings::default(), Payloads::new(source, work));
    for ((number, path), (export, class)) in (1..).zip(paths).zip(objects) {
        // What was spent on a sound that comes to nothing is there for the next.
        let mut spent = kept.clone();
        let described = work.spend(budget, |limits| {
            let object = Object { package, source, export, limits };
            let mut describer =
                Describer { recordings: &mut recordings, payloads: &mut payloads, stream, kept: &mut spent };
            describer.describe(object, number, class)
        });
        let mut description = match described {
            Ok(description) => {
                kept = spent;
                description
            }
            Err(error) => Description::unread(match error.kind() {
                ErrorKind::Unsupported(form) => Status::Unsupported(UnsupportedReason::Form(*form)),
                ErrorKind::OverLimit { .. } => {
                    Status::Unsupported(UnsupportedReason::OverLimit(error.to_string()))
                }
                _ => Status::Damaged(DamageReason::Object(error.to_string())),
            }),
        };
        if let Err(error) = kept.take(bytes(text_bytes(&description)), at, "notes on sounds") {
            description = without_texts(description, UnsupportedReason::OverLimit(error.to_string()));
        }
        sounds.push(description.named(number, path, SoundClass::Object(class)));
    }
    Ok(sounds)
}

/// Drops what is said of a sound, and what it plays, where there is no room for it.
pub(crate) fn without_texts(description: Description, reason: UnsupportedReason) -> Description {
    let contents = match description.contents {
        Contents::Recording(recording) => Contents::Recording(StoredRecording { module: None, ..recording }),
        Contents::Zones(_) | Contents::Preset(_) | Contents::Nothing => Contents::Nothing,
    };
    let file_type = description.file_type;
    Description { file_type, contents, ..Description::unread(Status::Unsupported(reason)) }
}

/// Returns the memory that the description of a sound takes, in bytes.
pub(crate) fn text_bytes(description: &Description) -> usize {
    let texts = description.notes.iter().chain(&description.repairs);
    let sizes = texts.map(|text| size_of::<String>().saturating_add(text.len()));
    let module =
        description.recording().and_then(|recording| recording.module.as_ref()).map_or(0, |module| {
            let texts = [&module.title, &module.writer, &module.message].map(String::len);
            texts.into_iter().fold(size_of::<ModuleSummary>(), usize::saturating_add)
        });
    let audio = description.recording().and_then(|recording| recording.audio.as_ref());
    let loops = audio.map_or(0, |audio| size_of_val(audio.loops.as_slice()));
    let reason = description.status.reason().map_or(0, |reason| reason.len());
    sizes.sum::<usize>().saturating_add(reason).saturating_add(module).saturating_add(loops)
}

/// What describing one sound needs of the others.
struct Describer<'d, 'p> {
    recordings: &'d mut Recordings,
    payloads: &'d mut Payloads<'p>,
    stream: Option<Platform>,
    /// Pays for what stays: the trees of groups and cues.
    kept: &'d mut Limits,
}

impl Describer<'_, '_> {
    /// Describes a sound, and remembers it for those that play it.
    fn describe(
        &mut self,
        mut object: Object<'_>,
        number: usize,
        class: Class,
    ) -> Result<Description, unreal::Error> {
        let mut playable = PlayableSound { number, gain: 1.0, pitch: 1.0, ..PlayableSound::default() };
        let mut description = match class {
            Class::Sound | Class::Music => match sound::read(&mut object) {
                Ok(sound) => {
                    playable.likelihood = sound.likelihood;
                    self::sound(sound, &object, self.payloads)
                }
                // The game is identified by numbers that others may have too, so it counts only if nothing is found.
                Err(_) if object.package.layout().audio == AudioLocation::Outside => {
                    Description::unread(Status::Unsupported(UnsupportedReason::OutsidePackage))
                }
                Err(error) => return Err(error),
            },
            Class::SoundNodeWave | Class::SoundNodeWaveEx => {
                let wave = waves::describe(&mut object, self.stream, self.payloads)?;
                (playable.gain, playable.pitch) = (wave.gain, wave.pitch);
                wave.description
            }
            Class::SoundGroup | Class::SoundCue => {
                return cues::describe(object, class, self.recordings, self.kept);
            }
            _ => Description::unread(Status::Unsupported(UnsupportedReason::Procedural)),
        };
        if let Contents::Recording(recording) = &mut description.contents
            && recording.is_module()
            && let Some(payload) = recording.payload
        {
            let summary = || summarize(payload, &mut object);
            (description.status, recording.module) = self.payloads.summarize(payload, summary)?;
        }
        let is_opened = description.recording().is_some_and(|recording| recording.module.is_some());
        playable.is_playable = description.status == Status::Ok && !is_opened;
        self.recordings.add(ObjectRef::Export(object.export), playable);
        Ok(description)
    }
}

/// Describes a sound of Unreal Engine 1 or 2.
fn sound(sound: SoundObject, object: &Object<'_>, payloads: &mut Payloads<'_>) -> Description {
    let mut notes = inferred(&sound, object.package);
    let file_type = sound.file_type;
    if sound.payload.len == 0 {
        return Description { file_type, notes, ..Description::unread(Status::Empty(EmptyReason::NoData)) };
    }
    let PayloadInfo { recording, status, repairs, notes: said } =
        payloads.describe(sound.payload, Vec::new());
    notes.extend(said);
    Description { file_type, contents: Contents::Recording(recording), status, repairs, notes }
}

/// By how much the bytes of a module are cheaper to read than those of an object.
const MODULE_DISCOUNT: u64 = 8;

/// Looks into the tracker module that a payload is; the status says whether it can be opened.
fn summarize(payload: Payload, object: &mut Object<'_>) -> Result<ModuleLook, unreal::Error> {
    let mut summary = || -> Result<ModuleSummary, Error> {
        object.limits.take(payload.len.div_ceil(MODULE_DISCOUNT), payload.offset, "module")?;
        let bytes = payload.read(object.source, most_inflated(payload.len))?;
        module::summarize(&bytes, object.limits)
    };
    let status = match summary() {
        Ok(summary) => return Ok((Status::Ok, Some(Box::new(summary)))),
        Err(Error::Package(error)) => return Err(error),
        Err(Error::Sound(status)) => status,
        Err(Error::Module(error)) => Status::Damaged(DamageReason::Module(error.to_string())),
        Err(error) => Status::Unsupported(UnsupportedReason::OverLimit(error.to_string())),
    };
    Ok((status, None))
}

/// Returns what no version says of a sound, and was inferred from its bytes.
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
