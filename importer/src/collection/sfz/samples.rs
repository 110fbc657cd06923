//! The files that regions play: each once, and once more for each other loop that regions have in it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use song::Frames;
use song::{Cents, Hz, Key, LoopCount, LoopMode, LoopRange, Origin, Planes, Recording, Sample, Width};
use unreal::ue1to3::bulk::Payload;
use unreal::{Limits, ObjectPath};

use super::paths::Paths;
use super::regions::Region;
use crate::budget::{DecodeBudget, SharedBudget, WorkBudget, bytes};
use crate::codec::RootTuning;
use crate::collection::bank;
use crate::find::payload::PayloadInfo;
use crate::open::Files;
use crate::sound::Description;
use crate::{Audio, Codec, Contents, Damage, Error, Sound, SoundClass, Status, StoredRecording};

/// The name of a sample that is silence.
const SILENCE: &str = "*silence";

/// Frames of silence.
const SILENT_FRAMES: u64 = 64;

/// A file of audio, described.
struct SampleFile {
    /// Where it is; none of one that is made.
    path: Option<PathBuf>,
    object: ObjectPath,
    size: u64,
    recording: StoredRecording,
    status: Status,
    repairs: Vec<String>,
    /// The first key that a region plays it at its own rate by.
    centre: Option<Key>,
}

/// What regions sound of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Part {
    file: usize,
    /// Frames, if not all.
    frames: Option<u64>,
    looping: Option<LoopRange>,
}

/// All files, and the parts of them that are sounds.
#[derive(Default)]
pub(super) struct Samples {
    files: Vec<SampleFile>,
    known: HashMap<String, Option<usize>>,
    parts: Vec<Part>,
    found: HashMap<Part, usize>,
}

impl Samples {
    /// Returns the index of a file by the name that a region has for it; none if there is none that can be played.
    ///
    /// # Errors
    /// If it takes more than the limits.
    pub(super) fn file(
        &mut self,
        name: &str,
        paths: &mut Paths,
        shared: Option<&SharedBudget>,
        limits: &mut Limits,
    ) -> Result<Option<usize>, Error> {
        if let Some(known) = self.known.get(name) {
            return Ok(*known);
        }
        let cost = size_of::<SampleFile>().saturating_add(name.len().saturating_mul(4)).saturating_add(256);
        limits.take(bytes(cost), 0, "samples of an SFZ file")?;
        let file = match name {
            SILENCE => Some(silence()),
            _ if name.starts_with('*') => None,
            _ => describe(name, paths, shared),
        };
        let index = file.map(|file| {
            self.files.push(file);
            self.files.len().saturating_sub(1)
        });
        self.known.insert(name.to_owned(), index);
        Ok(index)
    }

    /// Returns whether a file can be played.
    pub(super) fn is_playable(&self, file: usize) -> bool {
        self.files.get(file).is_some_and(|file| file.status == Status::Ok)
    }

    /// Returns the root key that a file states.
    pub(super) fn root(&self, file: usize) -> Option<(Key, Cents)> {
        let tuning = self.files.get(file)?.recording.tuning?;
        Some((tuning.root, tuning.above))
    }

    /// Returns the index of the part of a file that a region sounds, among the sounds.
    ///
    /// # Errors
    /// If one more takes more than the limits.
    pub(super) fn part(
        &mut self,
        file: usize,
        region: &Region,
        centre: Key,
        limits: &mut Limits,
    ) -> Result<usize, Error> {
        let Some(known) = self.files.get_mut(file) else { return Err(Error::NoSuchSound(file)) };
        known.centre.get_or_insert(centre);
        let audio = known.recording.audio.as_ref();
        let all = audio.and_then(|audio| audio.frames);
        let frames = region.count("end").map(|end| end.saturating_add(1));
        let frames = frames.filter(|frames| *frames > 1 && all.is_none_or(|all| *frames < all));
        let own = audio.and_then(|audio| audio.loops.first());
        let looping = looping(region, own, frames.or(all));
        let part = Part { file, frames, looping };
        if let Some(index) = self.found.get(&part) {
            return Ok(*index);
        }
        let each = size_of::<Part>().saturating_mul(3).saturating_add(size_of::<Sound>());
        limits.take(bytes(each), 0, "samples of an SFZ file")?;
        let index = self.parts.len();
        self.parts.push(part);
        self.found.insert(part, index);
        Ok(index)
    }

    /// Returns the bytes of all files.
    pub(super) fn stored(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.size))
    }

    /// Returns the sounds of all parts, the first of which has a number.
    pub(super) fn sounds(&self, first: usize) -> Vec<Sound> {
        let mut seen = vec![false; self.files.len()];
        let mut sounds = Vec::with_capacity(self.parts.len());
        for (index, part) in self.parts.iter().enumerate() {
            let Some(file) = self.files.get(part.file) else { continue };
            let mut recording = file.recording.clone();
            recording.payload = None;
            recording.tuning = file.tuning();
            if let Some(audio) = &mut recording.audio {
                audio.loops = part.looping.into_iter().collect();
                audio.frames = part.frames.or(audio.frames);
            }
            let mut object = file.object.clone();
            if let Some(seen) = seen.get_mut(part.file)
                && std::mem::replace(seen, true)
            {
                object.name.push_str(&match part.looping {
                    None => " (no loop)".to_owned(),
                    Some(range) => format!(" (loop {}-{})", range.start(), range.end()),
                });
            }
            let description = Description {
                contents: Contents::Recording(recording),
                repairs: file.repairs.clone(),
                ..Description::unread(file.status.clone())
            };
            sounds.push(description.named(first.saturating_add(index), object, SoundClass::Sample));
        }
        sounds
    }

    /// Returns a part decoded.
    ///
    /// # Errors
    /// If its file cannot be read or decoded, or takes more than is left.
    pub(super) fn decode(
        &self,
        index: usize,
        origin: Origin,
        files: &Arc<dyn Files>,
        budget: &mut DecodeBudget,
    ) -> Result<Sample, Error> {
        let part = self.parts.get(index).ok_or(Error::NoSuchSound(index))?;
        let file = self.files.get(part.file).ok_or(Error::NoSuchSound(index))?;
        if file.status != Status::Ok {
            return Err(Error::Sound(file.status.clone()));
        }
        let (recording, width) = match &file.path {
            None => {
                let frames = usize::try_from(SILENT_FRAMES).unwrap_or_default();
                (Recording::I16(Planes::new(vec![vec![0; frames]])?), Width::Sixteen)
            }
            Some(path) => {
                let source = files.open(path).map_err(Damage::from)?;
                bank::decode(&*source, Payload::plain(0, source.len()), budget)?
            }
        };
        let recording = match part.frames {
            Some(frames) => cut(recording, frames)?,
            None => recording,
        };
        let rate = file.recording.audio.as_ref().map_or(Hz::ONE, |audio| audio.rate);
        let sample = Sample::new(origin, recording, width, rate);
        let sample = match file.tuning() {
            Some(RootTuning { root, above }) => sample.with_root(root, above),
            None => sample,
        };
        let length = sample.length();
        let loops = part.looping.into_iter().filter(|range| range.end() <= length).collect();
        Ok(sample.with_loops(loops)?)
    }
}

impl SampleFile {
    /// Returns the root key that it states, or that the first region has for it.
    fn tuning(&self) -> Option<RootTuning> {
        let stated = self.recording.tuning;
        stated.or_else(|| Some(RootTuning { root: self.centre?, above: Cents::ZERO }))
    }
}

/// Describes a file; none if it is not there.
fn describe(name: &str, paths: &mut Paths, shared: Option<&SharedBudget>) -> Option<SampleFile> {
    let path = paths.sample(name)?;
    let source = paths.open(&path).ok()?;
    let size = source.len();
    let work = WorkBudget::of_file(size, shared);
    let payload = Payload::plain(0, size);
    let PayloadInfo { recording, status, repairs, .. } =
        PayloadInfo::of(payload, Vec::new(), &*source, &work);
    let mut parts: Vec<&str> =
        name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let last = parts.pop().unwrap_or(name);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let object = ObjectPath { group: parts.join("."), name: stem.to_owned() };
    Some(SampleFile { path: Some(path), object, size, recording, status, repairs, centre: None })
}

fn silence() -> SampleFile {
    let rate = Hz::new(44_100).unwrap_or(Hz::ONE);
    let audio = Audio {
        codec: Codec::PcmS16,
        rate,
        channels: 1,
        bits: Some(16),
        frames: Some(SILENT_FRAMES),
        loops: Vec::new(),
    };
    let recording =
        StoredRecording { audio: Some(audio), width: Some(Width::Sixteen), ..StoredRecording::default() };
    let object = ObjectPath { group: String::new(), name: "silence".to_owned() };
    SampleFile {
        path: None,
        object,
        size: 0,
        recording,
        status: Status::Ok,
        repairs: Vec::new(),
        centre: None,
    }
}

/// Returns the loop of a region: that of its opcodes, or that of its sample.
fn looping(region: &Region, own: Option<&LoopRange>, frames: Option<u64>) -> Option<LoopRange> {
    let (start, end) = (region.count("loop_start"), region.count("loop_end"));
    let is_stated = start.is_some() && end.is_some();
    let is_sustaining = match region.text("loop_mode").map(str::trim) {
        Some("no_loop" | "one_shot") => return None,
        Some("loop_sustain") => true,
        Some(_) => false,
        None if own.is_some() || is_stated => false,
        None => return None,
    };
    let start = start.or_else(|| own.map(|own| own.start().get())).unwrap_or_default();
    let end = end.map(|end| end.saturating_add(1)).or_else(|| own.map(|own| own.end().get())).or(frames)?;
    let mode = match region.text("loop_type").map(str::trim) {
        Some("alternate") => LoopMode::PingPong,
        Some(_) => LoopMode::Forward,
        None => own.map_or(LoopMode::Forward, LoopRange::mode),
    };
    let [start, end, length] =
        [start, end.min(frames.unwrap_or(end)), frames.unwrap_or(end)].map(Frames::new);
    let range = LoopRange::new(start, end, length, mode, LoopCount::Forever).ok()?;
    Some(if is_sustaining { range.sustaining() } else { range })
}

/// Returns the first frames of a recording.
fn cut(recording: Recording, frames: u64) -> Result<Recording, Error> {
    fn planes<T: Copy>(planes: &Planes<T>, frames: usize) -> Result<Planes<T>, Error> {
        Ok(Planes::new(planes.iter().map(|plane| plane.iter().copied().take(frames).collect()).collect())?)
    }
    let frames = usize::try_from(frames).unwrap_or(usize::MAX);
    Ok(match recording {
        Recording::I16(all) => Recording::I16(planes(&all, frames)?),
        Recording::F32(all) => Recording::F32(planes(&all, frames)?),
    })
}
