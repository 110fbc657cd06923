//! Makes the instrument and its parts of what a document says.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use song::{
    Articulation, ArticulationIndex, Cents, EnvelopeCurve, Frames, Instrument, LoopRange, SampleIndex, Shape,
    SoundDefaults, VoicedSamples, Voicing, Zone, ZoneTree,
};
use unreal::{Limits, ObjectPath};

use super::{Part, SavedInstrument, SavedZone, path_of};
use crate::budget::bytes;
use crate::open::{Files, OpenOptions, OpenedFile};
use crate::sound::Description;
use crate::{Contents, EmptyReason, Error, Remark, Sound, SoundClass, SoundFile, Status};

/// The most files of an instrument.
const MAX_FILES: usize = 128;

/// What a zone takes in memory.
const ZONE: usize = size_of::<ZoneTree>() * 2 + size_of::<Sound>() + 64;

/// What an articulation takes.
const ARTICULATION: usize = size_of::<Articulation>() + 2048;

/// An instrument while it is made.
pub(super) struct Builder<'b> {
    system: &'b Arc<dyn Files>,
    /// The path of the instrument.
    path: &'b Path,
    options: &'b OpenOptions,
    limits: Limits,
    /// The files that were opened, and the articulations that come before theirs.
    pub(super) files: Vec<(usize, SoundFile)>,
    /// Files by their paths, or why they cannot be opened.
    opened: HashMap<PathBuf, Result<usize, String>>,
    /// Numbers of sounds by their names, by file.
    named: Vec<HashMap<String, usize>>,
    /// The index of each part.
    known: HashMap<Part, usize>,
    pub(super) sounds: Vec<Sound>,
    pub(super) parts: Vec<Part>,
    pub(super) articulations: Vec<Articulation>,
    pub(super) missing: Vec<Remark>,
}

/// Why a zone is not played, or that all is over.
enum ZoneError {
    NotPlayed(String),
    Fatal(Error),
}

impl<E: Into<Error>> From<E> for ZoneError {
    fn from(error: E) -> Self {
        Self::Fatal(error.into())
    }
}

impl<'b> Builder<'b> {
    pub(super) fn new(system: &'b Arc<dyn Files>, path: &'b Path, options: &'b OpenOptions) -> Self {
        Self {
            system,
            path,
            options,
            limits: Limits::with_structures(options.budget.structures),
            files: Vec::new(),
            opened: HashMap::new(),
            named: Vec::new(),
            known: HashMap::new(),
            sounds: Vec::new(),
            parts: Vec::new(),
            articulations: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Opens the files and makes the sounds: the instrument of that name, then its parts.
    ///
    /// # Errors
    /// If it takes more than the budget.
    pub(super) fn build(mut self, saved: &SavedInstrument, name: &str) -> Result<Self, Error> {
        let mut parts: Vec<(Option<&str>, ZoneTree)> = Vec::new();
        for zone in &saved.zones {
            let tree = match self.zone(zone) {
                Ok(tree) => tree,
                Err(ZoneError::NotPlayed(reason)) => {
                    self.limits.take(bytes(reason.len().saturating_add(ZONE)), 0, "missing sounds")?;
                    self.missing.push(Remark::new(label(zone), reason));
                    continue;
                }
                Err(ZoneError::Fatal(error)) => return Err(error),
            };
            parts.push((zone.round_robin.as_deref(), tree));
        }
        let tree = self.compacted(&ZoneTree::taking_turns(parts)?);
        let description = if tree.zones().is_empty() {
            Description::unread(Status::Empty(EmptyReason::NoKeys))
        } else {
            Description { contents: Contents::Preset(tree), ..Description::unread(Status::Ok) }
        };
        let object = ObjectPath { group: String::new(), name: name.to_owned() };
        self.sounds.insert(0, description.named(1, object, SoundClass::Instrument));
        Ok(self)
    }

    /// Returns a tree without the parts that it does not play; the instrument comes before the first part.
    fn compacted(&mut self, tree: &ZoneTree) -> ZoneTree {
        let used: BTreeSet<usize> = tree.zones().into_iter().map(|zone| zone.sample().get()).collect();
        let is_used: Vec<bool> = (0..self.parts.len()).map(|index| used.contains(&index)).collect();
        let mut keep = is_used.iter();
        self.parts.retain(|_| keep.next().copied().unwrap_or_default());
        let mut keep = is_used.iter();
        self.sounds.retain(|_| keep.next().copied().unwrap_or_default());
        for (index, sound) in self.sounds.iter_mut().enumerate() {
            sound.number = index.saturating_add(2);
        }
        let indices: HashMap<usize, usize> =
            used.into_iter().enumerate().map(|(place, old)| (old, place.saturating_add(1))).collect();
        let moved = tree.with_zones(&mut |zone| {
            let sample = SampleIndex::new(*indices.get(&zone.sample().get())?);
            Some(zone.clone().of_sample(sample, zone.root(), Cents::ZERO))
        });
        moved.unwrap_or_default()
    }

    /// Returns what a zone plays.
    fn zone(&mut self, saved: &SavedZone) -> Result<ZoneTree, ZoneError> {
        let file = self.file(&saved.file).map_err(ZoneError::NotPlayed)?;
        let number = self.number(file, saved).ok_or_else(|| {
            let what = format!("no such sound in {}", saved.file.display());
            ZoneError::NotPlayed(what)
        })?;
        let Some((articulations, opened)) = self.files.get(file) else {
            return Err(ZoneError::NotPlayed("not opened".to_owned()));
        };
        let own = opened.instrument(number).unwrap_or_default();
        if own.is_silent() {
            let status = opened.sounds().get(number.saturating_sub(1)).map(|sound| sound.status.to_string());
            return Err(ZoneError::NotPlayed(status.unwrap_or_default()));
        }
        self.limits.take(bytes(own.tree.size().saturating_mul(ZONE)), 0, "zones")?;
        let first = *articulations;
        let (known, parts, sounds) = (&mut self.known, &mut self.parts, &mut self.sounds);
        let mut parts = Parts { file, of: opened, first, known, parts, sounds };
        let tree = own.tree.with_zones(&mut |zone| {
            let part = parts.part(zone.sample().get().saturating_add(1))?;
            let articulation = zone.articulation().map(|index| index.get().saturating_add(first));
            let moved = zone.clone().of_sample(SampleIndex::new(part), zone.root(), Cents::ZERO);
            Some(moved.with_articulation(articulation.map(ArticulationIndex::new)))
        });
        let own = Instrument { tree: tree.unwrap_or_default(), ..own };
        let defaults = SoundDefaults::of(&own);
        let voicing = in_zones(saved.voicing.voicing(&defaults));
        let mut samples = VoicedParts { parts, voicing };
        let before = self.articulations.len();
        let voiced = voicing.instrument(&own, &mut self.articulations, &mut samples);
        let made = self.articulations.len().saturating_sub(before);
        self.limits.take(bytes(made.saturating_mul(ARTICULATION)), 0, "envelopes")?;
        let restricted = voiced.tree.with_zones(&mut |zone| within(zone, saved));
        restricted.ok_or_else(|| ZoneError::NotPlayed("none of its own keys and velocities".to_owned()))
    }

    /// Returns the index of a file, opened once.
    fn file(&mut self, path: &Path) -> Result<usize, String> {
        if let Some(known) = self.opened.get(path) {
            return known.clone();
        }
        let opened = self.open(path).map(|file| {
            let first = self.articulations.len();
            self.articulations.extend_from_slice(file.articulations());
            self.named.push(HashMap::new());
            self.files.push((first, file));
            self.files.len().saturating_sub(1)
        });
        self.opened.insert(path.to_owned(), opened.clone());
        opened
    }

    fn open(&mut self, path: &Path) -> Result<SoundFile, String> {
        if self.files.len() == MAX_FILES {
            return Err(format!("an instrument has at most {MAX_FILES} files"));
        }
        let opened = OpenedFile::open(self.system, &path_of(path, self.path), self.options);
        let opened = opened.map_err(|error| error.to_string())?;
        if opened.is_saved_instrument() {
            return Err(format!("{} is a saved instrument itself", path.display()));
        }
        let sounds = opened.sounds(self.options);
        let sounds = sounds.and_then(|sounds| {
            // The only thing to play in it is its song.
            let module =
                sounds.modules().next().filter(|_| sounds.is_music()).map(|(module, _)| module.number);
            module
                .map_or_else(|| Ok(None), |number| sounds.music(number).map(Some))
                .map(|music| music.unwrap_or(sounds))
        });
        let sounds = sounds.map_err(|error| format!("{}: {error}", path.display()))?;
        let size = bytes(sounds.articulations().len().saturating_mul(ARTICULATION));
        self.limits.take(size, 0, "envelopes").map_err(|error| error.to_string())?;
        Ok(sounds)
    }

    /// Returns the number of a sound: by its name if it has one, as numbers differ between releases of a game.
    fn number(&mut self, file: usize, saved: &SavedZone) -> Option<usize> {
        let (_, opened) = self.files.get(file)?;
        let sounds = opened.sounds();
        let name = &saved.voicing.name;
        let stated = saved.number.and_then(|number| sounds.get(number.checked_sub(1)?));
        if let Some(sound) = stated.filter(|sound| name.is_empty() || sound.path() == *name) {
            return Some(sound.number);
        }
        let named = self.named.get_mut(file)?;
        if named.is_empty() {
            // Of several the first.
            named.extend(sounds.iter().rev().map(|sound| (sound.path(), sound.number)));
        }
        named.get(name).copied()
    }
}

/// Returns a voicing whose attack and release are those of the zones: an instrument of several sounds has none.
fn in_zones(voicing: Voicing) -> Voicing {
    if voicing.envelope.is_none() || voicing.shape.has_amplitude() {
        return voicing;
    }
    // As an instrument's own attack and release go.
    Voicing { shape: Shape { curve: EnvelopeCurve::Linear, ..voicing.shape }, ..voicing }
}

/// Returns a zone restricted to the keys and velocities that it is saved with; none if that leaves nothing.
fn within(zone: &Zone, saved: &SavedZone) -> Option<Zone> {
    let (keys, velocities) = (zone.keys(), zone.velocities());
    let keys = *keys.start().max(saved.keys.start())..=*keys.end().min(saved.keys.end());
    let velocities =
        *velocities.start().max(saved.velocities.start())..=*velocities.end().min(saved.velocities.end());
    zone.clone().within(keys, velocities).ok()
}

/// Returns what a zone is called in remarks.
fn label(zone: &SavedZone) -> String {
    match (&*zone.voicing.name, zone.number) {
        ("", Some(number)) => format!("#{number} of {}", zone.file.display()),
        (name, _) => name.to_owned(),
    }
}

/// The parts of the instrument that are of one file.
struct Parts<'p> {
    file: usize,
    of: &'p SoundFile,
    /// Number of articulations before those of the file.
    first: usize,
    known: &'p mut HashMap<Part, usize>,
    parts: &'p mut Vec<Part>,
    sounds: &'p mut Vec<Sound>,
}

impl Parts<'_> {
    /// Returns the index of the part that a sound of the file is.
    fn part(&mut self, number: usize) -> Option<usize> {
        let (of, first) = (self.of, self.first);
        let own = of.sounds().get(number.checked_sub(1)?)?;
        let part = Part { file: self.file, number, voiced: None };
        Some(self.index(part, || {
            let mut sound = own.clone();
            let ObjectPath { group, name } = &own.object;
            // The path of a sound of a game begins at its root.
            let separator = if group.is_empty() || group.starts_with('/') { "" } else { "." };
            let group = format!("{}{separator}{group}", of.name());
            sound.object = ObjectPath { group, name: name.clone() };
            if let Contents::Recording(recording) = &mut sound.contents {
                // Its bytes are in the other file.
                recording.payload = None;
                let articulation = recording.articulation.map(|own| own.get().saturating_add(first));
                recording.articulation = articulation.map(ArticulationIndex::new);
            }
            sound.bank = None;
            sound
        }))
    }

    fn index(&mut self, part: Part, sound: impl FnOnce() -> Sound) -> usize {
        if let Some(known) = self.known.get(&part) {
            return *known;
        }
        let index = self.parts.len();
        self.known.insert(part.clone(), index);
        self.parts.push(part);
        self.sounds.push(sound());
        index
    }
}

/// The parts of a zone while it is voiced.
struct VoicedParts<'p> {
    parts: Parts<'p>,
    voicing: Voicing,
}

impl VoicedSamples for VoicedParts<'_> {
    fn recorded(&self, sample: SampleIndex) -> Option<(&[LoopRange], Frames)> {
        let audio = self.parts.sounds.get(sample.get())?.audio();
        let length = audio.and_then(|audio| audio.frames).unwrap_or(u64::MAX);
        Some((audio.map_or(&[], |audio| &*audio.loops), Frames::new(length)))
    }

    fn voiced(&mut self, sample: SampleIndex, loops: Vec<LoopRange>) -> SampleIndex {
        let found = self.parts.parts.get(sample.get()).zip(self.parts.sounds.get(sample.get()));
        let Some((part, sound)) = found else { return sample };
        let mut sound = sound.clone();
        if let Contents::Recording(recording) = &mut sound.contents
            && let Some(audio) = &mut recording.audio
        {
            let trim = audio.frames.and_then(|frames| self.voicing.trim_of(Frames::new(frames)));
            audio.frames = trim.map_or(audio.frames, |trim| Some(trim.length().get()));
            audio.loops.clone_from(&loops);
        }
        let part = Part { voiced: Some((self.voicing.trim, loops)), ..part.clone() };
        SampleIndex::new(self.parts.index(part, || sound))
    }
}
