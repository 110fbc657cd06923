//! The samples of a bank: each once, and once more for each other loop that zones have in it.

use std::collections::HashMap;

use song::{
    Cents, Frames, Hz, Key, LoopCount, LoopMode, LoopRange, Origin, Planes, Recording, Sample, Width,
};
use unreal::ue1to3::bulk::Payload;
use unreal::{Limits, ObjectPath, Source};

use super::tables::{Extent, SampleRow, Tables};
use crate::budget::{DecodeBudget, WorkBudget, bytes};
use crate::codec::RootTuning;
use crate::collection::bank;
use crate::find::payload::PayloadInfo;
use crate::sound::Description;
use crate::{
    Audio, Codec, Contents, Damage, DamageReason, EmptyReason, Error, Sound, SoundClass, Status,
    StoredRecording, UnsupportedReason,
};

/// Bits of a sample's kind.
const ROM: u16 = 0x8000;
const COMPRESSED: u16 = 0x10;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 16;

/// Where a sample's frames are stored.
#[derive(Clone, Copy, Debug)]
enum Stored {
    /// Values of 16 bits, and the lower 8 bits of 24.
    Pcm { at: u64, low_bits: Option<u64> },
    /// A whole file.
    File(Payload),
}

/// A sample, described.
pub(super) struct StoredSample {
    name: String,
    rate: u32,
    pub(super) root: u8,
    /// Cents that are added to its pitch.
    pub(super) correction: i8,
    /// The loop that it states, from its first frame on.
    pub(super) loop_frames: (i64, i64),
    /// Frames; none if its bytes do not say.
    frames: Option<u64>,
    stored: Stored,
    recording: StoredRecording,
    status: Status,
    repairs: Vec<String>,
}

/// What zones sound of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Part {
    pub(super) sample: usize,
    /// Frames to leave out at its end.
    pub(super) cut: u64,
    pub(super) looping: Option<PartLoop>,
}

/// A loop of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PartLoop {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Whether it is left when the key is released.
    pub(super) is_sustaining: bool,
}

/// All samples, and the parts of them that are sounds.
pub(super) struct Samples {
    all: Vec<StoredSample>,
    /// The first of each sample, then what else zones sound.
    parts: Vec<Part>,
    found: HashMap<Part, usize>,
    is_used: Vec<bool>,
}

impl StoredSample {
    fn of(row: &SampleRow, tables: &Tables, source: &dyn Source, work: &WorkBudget) -> Self {
        let Extent { at, length } = tables.frames;
        let (start, end) = (u64::from(row.start), u64::from(row.end));
        let is_file = row.kind & COMPRESSED != 0;
        let from_start = |frame: u32| {
            let first = if is_file { 0 } else { i64::from(row.start) };
            i64::from(frame).saturating_sub(first)
        };
        let frame_size: u64 = if is_file { 1 } else { 2 };
        let low = tables.low_bits.map(|low| low.at.saturating_add(start));
        let mut sample = Self {
            name: row.name.clone(),
            rate: row.rate,
            root: if row.root > 127 { Key::C4.get() } else { row.root },
            correction: row.correction,
            loop_frames: (from_start(row.loop_start), from_start(row.loop_end)),
            frames: Some(end.saturating_sub(start)),
            stored: Stored::Pcm { at: at.saturating_add(start.saturating_mul(2)), low_bits: low },
            recording: StoredRecording::default(),
            status: Status::Ok,
            repairs: Vec::new(),
        };
        sample.status = if row.kind & ROM != 0 {
            Status::Unsupported(UnsupportedReason::ModuleSample("its frames are in the ROM of a sound card"))
        } else if start >= end {
            Status::Empty(EmptyReason::NoFrames)
        } else if end.saturating_mul(frame_size) > length {
            let reason = format!(
                "it ends at {end}, the frames end at {}",
                length.checked_div(frame_size).unwrap_or(0)
            );
            Status::Damaged(DamageReason::BankSample(reason))
        } else if Hz::new(row.rate).is_err() {
            Status::Damaged(DamageReason::BankSample("a rate of 0 Hz".to_owned()))
        } else {
            Status::Ok
        };
        if is_file && sample.status == Status::Ok {
            let payload = Payload::plain(at.saturating_add(start), end.saturating_sub(start));
            let PayloadInfo { recording, status, repairs, .. } =
                PayloadInfo::of(payload, Vec::new(), source, work);
            sample.frames = recording.audio.as_ref().and_then(|audio| audio.frames);
            sample.stored = Stored::File(payload);
            (sample.recording, sample.status, sample.repairs) = (recording, status, repairs);
        } else {
            let is_wide = low.is_some();
            let (codec, bits) = if is_wide { (Codec::PcmS24, 24) } else { (Codec::PcmS16, 16) };
            sample.recording.width = Some(if is_wide { Width::TwentyFour } else { Width::Sixteen });
            sample.recording.audio = Hz::new(row.rate).ok().map(|rate| Audio {
                codec,
                rate,
                channels: 1,
                bits: Some(bits),
                frames: sample.frames,
                loops: Vec::new(),
            });
        }
        sample
    }

    fn tuning(&self) -> RootTuning {
        let root = Key::new(self.root).unwrap_or(Key::C4);
        RootTuning { root, above: Cents::new(-f64::from(self.correction)).unwrap_or_default() }
    }

    /// Returns a loop that the sample has; its end may be unknown.
    fn looping(&self, part: &Part) -> Option<LoopRange> {
        let PartLoop { start, end, is_sustaining } = part.looping?;
        let frames = self.frames.unwrap_or(end).saturating_sub(part.cut);
        let [start, end, length] = [start, end, frames].map(Frames::new);
        let range = LoopRange::new(start, end, length, LoopMode::Forward, LoopCount::Forever).ok()?;
        Some(if is_sustaining { range.sustaining() } else { range })
    }
}

impl Samples {
    /// Describes all samples.
    ///
    /// # Errors
    /// If the list takes more than the limits.
    pub(super) fn of(
        tables: &Tables,
        source: &dyn Source,
        work: &WorkBudget,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let rows = tables.samples();
        let each =
            size_of::<StoredSample>().saturating_add(size_of::<Part>()).saturating_add(size_of::<Sound>());
        limits.take(
            bytes(rows.len().saturating_mul(each.saturating_add(64))),
            0,
            "samples of a SoundFont",
        )?;
        let all: Vec<StoredSample> =
            rows.iter().map(|row| StoredSample::of(row, tables, source, work)).collect();
        let parts = all.iter().enumerate().map(|(sample, stored)| {
            let part = Part { sample, cut: 0, looping: None };
            let (start, end) = stored.loop_frames;
            let range = (u64::try_from(start), u64::try_from(end));
            match range {
                (Ok(start), Ok(end)) if start < end && stored.frames.is_none_or(|frames| end <= frames) => {
                    Part { looping: Some(PartLoop { start, end, is_sustaining: false }), ..part }
                }
                _ => part,
            }
        });
        let (parts, is_used) = (parts.collect(), vec![false; all.len()]);
        Ok(Self { all, parts, found: HashMap::new(), is_used })
    }

    /// Returns a sample that can be played.
    pub(super) fn get(&self, index: usize) -> Option<&StoredSample> {
        self.all.get(index).filter(|sample| sample.status == Status::Ok)
    }

    /// Returns the index of a part among the sounds.
    ///
    /// # Errors
    /// If one more takes more than the limits.
    pub(super) fn index_of(&mut self, mut part: Part, limits: &mut Limits) -> Result<usize, Error> {
        // A loop that its frames do not have is none.
        if self.all.get(part.sample).and_then(|sample| sample.looping(&part)).is_none() {
            part.looping = None;
        }
        if let Some(index) = self.found.get(&part) {
            return Ok(*index);
        }
        let index = match self.is_used.get_mut(part.sample) {
            Some(is_used) if !*is_used => {
                *is_used = true;
                part.sample
            }
            _ => self.parts.len(),
        };
        match self.parts.get_mut(index) {
            Some(first) => *first = part,
            None => {
                let each = size_of::<Part>().saturating_mul(3).saturating_add(size_of::<Sound>());
                limits.take(bytes(each), 0, "samples of a SoundFont")?;
                self.parts.push(part);
            }
        }
        self.found.insert(part, index);
        Ok(index)
    }

    /// Returns the sounds of all parts, the first of which has a number.
    pub(super) fn sounds(&self, first: usize) -> Vec<Sound> {
        let of = |(index, part): (usize, &Part)| {
            let sample = self.all.get(part.sample)?;
            let number = first.saturating_add(index);
            let mut recording = sample.recording.clone();
            recording.tuning = Some(sample.tuning());
            if let Some(audio) = &mut recording.audio {
                audio.loops = sample.looping(part).into_iter().collect();
                audio.frames = sample.frames.map(|frames| frames.saturating_sub(part.cut));
            }
            let is_first = index < self.all.len();
            let mut name = if sample.name.is_empty() {
                format!("Sample {}", part.sample.saturating_add(1))
            } else {
                sample.name.clone()
            };
            if !is_first {
                name.push_str(&match part.looping {
                    None => " (no loop)".to_owned(),
                    Some(PartLoop { start, end, is_sustaining }) => {
                        let until = if is_sustaining { ", until released" } else { "" };
                        format!(" (loop {start}-{end}{until})")
                    }
                });
            }
            let description = Description {
                contents: Contents::Recording(recording),
                repairs: sample.repairs.clone(),
                ..Description::unread(sample.status.clone())
            };
            Some(description.named(number, ObjectPath { group: String::new(), name }, SoundClass::Sample))
        };
        self.parts.iter().enumerate().filter_map(of).collect()
    }

    /// Returns a part decoded.
    ///
    /// # Errors
    /// If it has no frames, or they take more than is left.
    pub(super) fn decode(
        &self,
        index: usize,
        origin: Origin,
        source: &dyn Source,
        budget: &mut DecodeBudget,
    ) -> Result<Sample, Error> {
        let part = self.parts.get(index).ok_or(Error::NoSuchSound(index))?;
        let sample = self.all.get(part.sample).ok_or(Error::NoSuchSound(index))?;
        if sample.status != Status::Ok {
            return Err(Error::Sound(sample.status.clone()));
        }
        let (recording, width) = match sample.stored {
            Stored::File(payload) => bank::decode(source, payload, budget)?,
            Stored::Pcm { at, low_bits } => {
                let frames = sample.frames.unwrap_or_default().saturating_sub(part.cut);
                read(source, at, low_bits, frames, budget)?
            }
        };
        let RootTuning { root, above } = sample.tuning();
        let decoded = Sample::new(origin, recording, width, Hz::new(sample.rate)?).with_root(root, above);
        let length = decoded.length();
        let loops = sample.looping(part).into_iter().filter(|range| range.end() <= length).collect();
        Ok(decoded.with_loops(loops)?)
    }
}

/// Reads frames of 16 or 24 bits.
fn read(
    source: &dyn Source,
    at: u64,
    low_bits: Option<u64>,
    frames: u64,
    budget: &mut DecodeBudget,
) -> Result<(Recording, Width), Error> {
    let width = if low_bits.is_some() { Width::TwentyFour } else { Width::Sixteen };
    budget.take(frames.saturating_mul(width.decoded_bytes()))?;
    let count = usize::try_from(frames).unwrap_or(usize::MAX);
    let (mut narrow, mut wide) = (Vec::new(), Vec::new());
    if low_bits.is_some() {
        wide.reserve_exact(count);
    } else {
        narrow.reserve_exact(count);
    }
    let (mut high, mut low) = (vec![0; BLOCK], vec![0; BLOCK / 2]);
    let mut done = 0;
    while done < frames {
        let block = frames.saturating_sub(done).min(bytes(BLOCK / 2));
        let block_frames = usize::try_from(block).unwrap_or_default();
        let high = high.get_mut(..block_frames.saturating_mul(2)).unwrap_or_default();
        source.read_at(at.saturating_add(done.saturating_mul(2)), high).map_err(Damage::from)?;
        let values = high.as_chunks::<2>().0.iter().map(|value| i16::from_le_bytes(*value));
        if let Some(low_at) = low_bits {
            let low = low.get_mut(..block_frames).unwrap_or_default();
            source.read_at(low_at.saturating_add(done), low).map_err(Damage::from)?;
            // 24 bits fit a float.
            wide.extend(
                values.zip(low).map(|(high, low)| (f32::from(high) * 256.0 + f32::from(*low)) / 8_388_608.0),
            );
        } else {
            narrow.extend(values);
        }
        done = done.saturating_add(block);
    }
    let recording = if low_bits.is_some() {
        Recording::F32(Planes::new(vec![wide])?)
    } else {
        Recording::I16(Planes::new(vec![narrow])?)
    };
    Ok((recording, width))
}
