//! Finds the sounds of a package and describes them.

mod payload;
mod waves;

use unreal::bulk::Proof;
use unreal::class::sound::SoundObject;
use unreal::class::sound_cue::Node;
use unreal::class::sound_node_wave::Platform;
use unreal::class::{self, Class, sound, sound_cue, sound_group};
use unreal::version::{Audio as Place, AudioEnd, ExtraWords};
use unreal::{ExportIndex, Limits, ObjectRef, Package, Source};

use crate::{Error, Sound, Status};
use payload::Told;

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

/// All sounds in the order of the export table, numbered from 1. One that cannot be read is in the list all the same.
/// Of a recording with a form for each platform, `stream` is taken if one is wished.
///
/// # Errors
/// [`Error::OverLimit`] if their paths together take more than `budget` bytes: exports are small, but each may lie in
/// a long chain of groups with long names.
pub(crate) fn sounds(
    package: &Package,
    source: &dyn Source,
    stream: Option<Platform>,
    budget: u64,
) -> Result<Vec<Sound>, Error> {
    let mut left = budget;
    let mut work = Work::new(budget, source);
    let mut sounds = Vec::new();
    for index in package.export_indices() {
        let Some(class) = class::of(package, index) else { continue };
        let path = package.path(ObjectRef::Export(index));
        let needed = size_of::<Sound>().saturating_add(path.group.len()).saturating_add(path.name.len());
        let needed = u64::try_from(needed).unwrap_or(u64::MAX);
        left = left.checked_sub(needed).ok_or(Error::OverLimit { needed, left })?;
        let mut sound = Sound {
            number: sounds.len().saturating_add(1),
            object: path,
            class: class.name(),
            file_type: String::new(),
            stream: None,
            payload: None,
            channels: Vec::new(),
            format: None,
            audio: None,
            status: Status::Ok,
            repairs: Vec::new(),
            notes: Vec::new(),
        };
        let found =
            work.spend(|limits| describe(&mut sound, (package, source, index, class), stream, limits));
        if let Err(error) = found {
            sound.status = match error.kind() {
                unreal::ErrorKind::Unsupported(form) => Status::Unsupported(form.to_string()),
                _ => Status::Damaged(error.to_string()),
            };
        }
        let words: usize = sound.notes.iter().map(String::len).sum();
        let needed = u64::try_from(words).unwrap_or(u64::MAX);
        left = left.checked_sub(needed).ok_or(Error::OverLimit { needed, left })?;
        sounds.push(sound);
    }
    Ok(sounds)
}

fn describe(
    sound: &mut Sound,
    (package, source, index, class): (&Package, &dyn Source, ExportIndex, Class),
    stream: Option<Platform>,
    limits: &mut Limits,
) -> Result<(), unreal::Error> {
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
            sound.notes = inferred(&object, package);
            sound.file_type = object.file_type;
            if object.payload.length == 0 {
                sound.status = Status::Empty("the package holds no data for it".to_owned());
            } else {
                Told::of(object.payload, source).put_into(sound);
            }
        }
        Class::SoundNodeWave | Class::SoundNodeWaveEx => {
            waves::describe(sound, (package, source, index), stream, limits)?;
        }
        Class::SoundGroup => {
            let group = sound_group::read(package, source, index, limits)?;
            let names = group.sounds.iter().map(|&sound| package.path(sound).to_string());
            sound.status = Status::Unsupported(refers("a group", names));
        }
        Class::SoundCue => {
            let cue = sound_cue::read(package, source, index, limits)?;
            let nodes = cue.nodes(package, source, limits)?;
            let is_wave = |node: &&Node| node.class.eq_ignore_ascii_case(Class::SoundNodeWave.name());
            let names = nodes.iter().filter(is_wave).map(|node| package.path(node.object).to_string());
            sound.status = Status::Unsupported(refers("a cue", names));
        }
        _ => sound.status = Status::Unsupported("made of other sounds when it is played".to_owned()),
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
        && layout.extra_words != ExtraWords::Expected(object.located.extra)
    {
        let words = object.located.extra;
        notes.push(format!("inferred: {words} words before the skip offset, which then agrees"));
    }
    notes
}

/// Says what something without audio of its own refers to: the first few names, and how many more there are.
fn refers(what: &str, mut names: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<String> = names.by_ref().take(SHOWN).collect();
    let more = match names.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if shown.is_empty() {
        return format!("{what} that refers to no sound");
    }
    format!("{what} of {}{more}, without audio of its own", shown.join(", "))
}
