//! What a package says of its sounds.

use std::collections::HashMap;
use std::sync::Arc;

use song::{Frames, LoopCount, LoopMode, LoopRange};
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue4to6::bulk::BulkFile;
use unreal::ue4to6::class::sound_cue::{self, CueObjects};
use unreal::ue4to6::class::sound_wave::{self, CuePoint, SoundWave};
use unreal::{
    AssetPackage, Class, ErrorKind, Limits, Malformed, Method, ObjectPath, ObjectProperties, PackageTables,
    Value, read_object,
};

use super::GameOptions;
use super::audio::{FoundPart, GameAudio, PartBytes};
use super::midi_file::standard_midi_file;
use super::packaged::PackagedFile;
use crate::budget::WorkBudget;
use crate::find::payload::PayloadInfo;
use crate::{DamageReason, EmptyReason, Status, UnsupportedReason};

/// By how much decoded bytes are cheaper than those that are looked at.
const DECODED_DISCOUNT: u64 = 4;

/// An object of a package that is a sound.
#[derive(Clone)]
pub(super) struct FoundObject {
    pub(super) path: ObjectPath,
    pub(super) entry: MountedEntry,
    pub(super) class: Class,
    pub(super) contents: FoundContents,
    /// What it says in words.
    pub(super) notes: Vec<String>,
}

/// What an object is made of.
#[derive(Clone)]
pub(super) enum FoundContents {
    Recording(Box<FoundWave>),
    /// What plays recordings of other packages.
    Cue(Box<CueObjects>),
    /// A file that was made of it.
    File(Vec<u8>),
    /// Why it is neither.
    Nothing(Status),
}

/// A recording.
#[derive(Clone)]
pub(super) struct FoundWave {
    /// What its bytes are called.
    pub(super) format: String,
    pub(super) parts: Vec<FoundPart>,
    /// What its bytes say.
    pub(super) info: PayloadInfo,
    pub(super) loops: FoundLoops,
    /// What cues multiply its gain by.
    pub(super) gain: f32,
    /// What cues multiply its pitch by.
    pub(super) pitch: f32,
}

/// Which of its frames repeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum FoundLoops {
    /// As its bytes say.
    #[default]
    Stored,
    /// All of them.
    Whole,
    /// These: where they begin, and how many there are.
    Region(u64, u64),
}

impl FoundLoops {
    /// Returns the loops of a recording of so many frames; none if its bytes say that.
    pub(super) fn of(&self, length: u64) -> Option<Vec<LoopRange>> {
        let (start, end) = match self {
            Self::Stored => return None,
            Self::Whole => (0, length),
            Self::Region(start, frames) => (*start, start.saturating_add(*frames)),
        };
        let [start, end, length] = [start, end, length].map(Frames::new);
        LoopRange::new(start, end, length, LoopMode::Forward, LoopCount::Forever)
            .ok()
            .map(|range| vec![range])
    }
}

/// What is found in a package.
#[derive(Default)]
pub(super) struct PackageContents {
    pub(super) objects: Vec<FoundObject>,
    /// Files of sound banks.
    pub(super) files: Vec<PackagedFile>,
    /// How many of these have the same name and extension.
    pub(super) names: HashMap<(String, &'static str), usize>,
    /// Why objects that may hold some cannot be looked through.
    pub(super) errors: Vec<String>,
}

/// What finding the sounds of a package needs.
pub(super) struct PackageReader<'r> {
    pub(super) mount: &'r Arc<Mount>,
    pub(super) entry: MountedEntry,
    pub(super) package: AssetPackage,
    options: &'r GameOptions,
    budget: u64,
    pub(super) work: &'r WorkBudget,
}

/// Finds the sounds of a package, and the files of sound banks that it holds.
pub(super) fn read_package(
    mount: &Arc<Mount>,
    entry: MountedEntry,
    options: &GameOptions,
    budget: u64,
    work: &WorkBudget,
) -> Result<PackageContents, crate::Error> {
    // Its tables are in one block as a rule.
    work.take(size_of_entry(mount, entry).min(Method::MAX_BLOCK as u64).div_ceil(DECODED_DISCOUNT))?;
    let limits = &mut Limits::with_structures(budget);
    let Some(package) = mount.open_sound_package(entry, options.version, limits)? else {
        return Ok(PackageContents::default());
    };
    let reader = PackageReader { mount, entry, package, options, budget, work };
    let package = &reader.package;
    let mut found = PackageContents::default();
    for number in 0..package.len() {
        match reader.add_files(number, &mut found) {
            Ok(true) => continue,
            Ok(false) => {}
            Err(status) => found.errors.extend(status.reason()),
        }
        let (Some(class), Some(export)) = (package.sound_class(number), package.export(number)) else {
            continue;
        };
        let mut notes = Vec::new();
        let contents = reader.contents(number, class, &mut notes).unwrap_or_else(FoundContents::Nothing);
        found.objects.push(FoundObject {
            path: path(package.name(), export.name),
            entry,
            class,
            contents,
            notes,
        });
    }
    Ok(found)
}

fn size_of_entry(mount: &Mount, entry: MountedEntry) -> u64 {
    let info = mount.container(entry).and_then(|container| container.info(entry.entry).ok());
    info.map_or(0, |info| info.size)
}

/// Returns the path of an object: that of its package, if it is called as that is.
pub(super) fn path(package: &str, object: &str) -> ObjectPath {
    let (group, name) = package.rsplit_once('/').unwrap_or(("", package));
    let name = if name == object { object.to_owned() } else { format!("{name}.{object}") };
    ObjectPath { group: group.to_owned(), name }
}

/// Returns the status of an object that cannot be read.
fn damaged(error: &unreal::Error) -> Status {
    match error.kind() {
        ErrorKind::OverLimit { .. } => Status::Unsupported(UnsupportedReason::OverLimit(error.to_string())),
        ErrorKind::Malformed(Malformed::NoMappings) => Status::Unsupported(UnsupportedReason::NoMappings),
        ErrorKind::Unsupported(form) => Status::Unsupported(UnsupportedReason::Form(*form)),
        _ => Status::Damaged(DamageReason::Object(error.to_string())),
    }
}

impl PackageReader<'_> {
    /// Reads an object.
    fn cue(&self, export: usize, notes: &mut Vec<String>) -> Result<CueObjects, Status> {
        let mappings = self.options.mappings.as_deref();
        if self.package.is_unversioned() && mappings.is_none() {
            let cue = self.spend(|_| sound_cue::of_loaded_waves(&self.package, export))?;
            if cue.waves.is_empty() {
                return Err(Status::Unsupported(UnsupportedReason::NoMappings));
            }
            if cue.waves.len() > 1 {
                notes.push("one of its waves at random: its graph needs mappings (.usmap)".to_owned());
            }
            return Ok(cue);
        }
        self.spend(|limits| sound_cue::read(&self.package, export, mappings, limits))
    }

    fn contents(
        &self,
        export: usize,
        class: Class,
        notes: &mut Vec<String>,
    ) -> Result<FoundContents, Status> {
        // Objects of a file lie in one of their own as a rule.
        if self.header_size() <= self.package.export(export).map_or(0, |export| export.offset)
            && self.mount.objects_of(self.entry).is_none()
            && matches!(self.package.tables(), PackageTables::Asset(_))
        {
            return Err(self.missing(BulkFile::Inline));
        }
        match class {
            Class::SoundWave => self.wave(export, notes).map(|wave| FoundContents::Recording(Box::new(wave))),
            Class::SoundCue => self.cue(export, notes).map(|cue| FoundContents::Cue(Box::new(cue))),
            Class::MetaSoundSource => {
                let cue = sound_cue::of_metasound(&self.package, export);
                if cue.waves.is_empty() {
                    return Err(Status::Unsupported(UnsupportedReason::Synthesised));
                }
                notes.push(
                    "the waves that it refers to; what the MetaSound does with them is not simulated"
                        .to_owned(),
                );
                Ok(FoundContents::Cue(Box::new(cue)))
            }
            Class::DialogueWave => {
                let dialogue = self.properties(export)?;
                notes.extend(spoken(&dialogue));
                let cue = sound_cue::of_dialogue(&self.package, &dialogue);
                if cue.contexts > 1 {
                    notes.push(format!("the first of {} contexts plays", cue.contexts));
                }
                Ok(FoundContents::Cue(Box::new(cue.cue)))
            }
            Class::MidiFile => {
                let file = standard_midi_file(&self.properties(export)?);
                let broken =
                    || Status::Damaged(DamageReason::Object("it holds no notes that are known".to_owned()));
                file.map(FoundContents::File).ok_or_else(broken)
            }
            class => Err(Status::Unsupported(UnsupportedReason::Class(class))),
        }
    }

    pub(super) fn spend<T>(
        &self,
        read: impl FnOnce(&mut Limits) -> Result<T, unreal::Error>,
    ) -> Result<T, Status> {
        self.work.spend(self.budget, read).map_err(|error| damaged(&error))
    }

    pub(super) fn properties(&self, export: usize) -> Result<ObjectProperties, Status> {
        let mappings = self.options.mappings.as_deref();
        self.spend(|limits| read_object(&self.package, export, mappings, limits))
    }

    fn header_size(&self) -> u64 {
        size_of_entry(self.mount, self.entry)
    }

    /// Returns the status of a sound whose bytes lie in a file that is not there.
    fn missing(&self, place: BulkFile) -> Status {
        let file = format!("{}.{}", self.package.name(), place.extension());
        Status::Damaged(DamageReason::MissingFile(file))
    }

    /// Finds the bytes of a recording. What its properties say is of use, but they are not needed.
    fn wave(&self, export: usize, notes: &mut Vec<String>) -> Result<FoundWave, Status> {
        let package = &self.package;
        let object = package.range(export).map_err(|error| damaged(&error))?;
        self.work
            .take(object.end.saturating_sub(object.start).min(sound_wave::SEARCHED))
            .map_err(|error| Status::from(&error))?;
        let needs_mappings = package.is_unversioned() && self.options.mappings.is_none();
        let stated = if needs_mappings { None } else { Some(self.properties(export)) };
        if let Some(Err(status)) = &stated {
            notes.extend(status.reason().map(|reason| format!("its properties cannot be read: {reason}")));
        }
        let stated = stated.and_then(Result::ok).unwrap_or_default();
        let wave = match (sound_wave::read(package, export), stated.end) {
            (Ok(wave), _) => wave,
            (Err(error), 0) => return Err(damaged(&error)),
            (Err(_), end) if sound_wave::is_empty(package, export, end).is_ok_and(|is| is) => {
                return Err(Status::Empty(EmptyReason::NoData));
            }
            (Err(_), end) => self.spend(|limits| sound_wave::read_uncooked(package, export, end, limits))?,
        };
        if wave.size() == 0 {
            return Err(Status::Empty(EmptyReason::NoData));
        }
        let mappings = self.options.mappings.as_deref();
        let cue_points = match stated.end {
            0 => Ok(Vec::new()),
            end => self.spend(|limits| sound_wave::cue_points(package, &wave, end, mappings, limits)),
        };
        let cue_points = cue_points.unwrap_or_else(|status| {
            notes.extend(status.reason().map(|reason| format!("its cue points cannot be read: {reason}")));
            Vec::new()
        });
        let region = cue_points.iter().find(|point| point.is_loop);
        let loops = match region {
            Some(point) => FoundLoops::Region(point.start, point.frames),
            None if stated.get("bLooping") == Some(&Value::Bool(true)) => FoundLoops::Whole,
            None => FoundLoops::Stored,
        };
        notes.extend(spoken(&stated));
        let label = |point: &CuePoint| format!("cue point at {}: {}", point.start, point.label);
        notes.extend(cue_points.iter().filter(|point| !point.is_loop).map(label));
        let factor = |name: &str| match stated.get(name) {
            Some(Value::Float(number)) => *number,
            _ => 1.0,
        };
        let (gain, pitch) = (factor("Volume"), factor("Pitch"));
        let parts = self.parts(&wave)?;
        let mut audio = GameAudio::new(Arc::clone(self.mount));
        let payload = audio.add(parts.clone());
        let info = PayloadInfo::of(payload, Vec::new(), &audio, self.work);
        Ok(FoundWave { format: wave.format, parts, info, loops, gain, pitch })
    }

    /// Finds the files in which the bytes of a recording lie.
    fn parts(&self, wave: &SoundWave) -> Result<Vec<FoundPart>, Status> {
        let mut parts = Vec::with_capacity(wave.chunks.len());
        let payload = wave.payload.map(|payload| (self.entry, PartBytes::Payload(payload)));
        parts.extend(payload.map(|(entry, bytes)| FoundPart { entry, bytes }));
        for chunk in &wave.chunks {
            parts.push(self.part(chunk.place, chunk.offset, chunk.size)?);
        }
        Ok(parts)
    }

    /// Returns where bulk data is; `offset` of what is in the package counts from the beginning of that.
    pub(super) fn part(&self, place: BulkFile, offset: u64, size: u64) -> Result<FoundPart, Status> {
        let (header, objects) = (self.header_size(), self.mount.objects_of(self.entry));
        let file = self.mount.data_of(self.entry, place).ok_or_else(|| self.missing(place))?;
        let (entry, offset) = match objects {
            Some(objects) if file == self.entry && offset >= header => {
                (objects, offset.saturating_sub(header))
            }
            _ => (file, offset),
        };
        Ok(FoundPart { entry, bytes: PartBytes::Plain { offset, size } })
    }
}

/// Returns what somebody says in a recording, in words.
fn spoken(object: &ObjectProperties) -> Option<String> {
    match object.get("SpokenText") {
        Some(Value::Text(text)) if !text.is_empty() => Some(format!("spoken: {text}")),
        _ => None,
    }
}
