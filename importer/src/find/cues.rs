//! Groups and cues: what has no audio of its own and plays other sounds.
//!
//! ```text
//! SoundGroup ─► one of its sounds: as likely as each says, or in turn where none says anything
//! SoundCue ──► a graph of nodes ──► a part, whose zones stand for sounds of the package
//! ```
//!
//! Volume and pitch are relative to the defaults of their class, so that a cue that says nothing plays a
//! recording as it is.

mod cue;
mod group;
mod role;

use std::collections::HashMap;
use std::fmt;

use song::{Cents, Decibels, Key, SampleIndex, Weight, Zone, ZoneTree};
use unreal::ue1to3::class::sound_node_wave::SoundNodeWave;
use unreal::{Class, Limits, Object, ObjectRef};

use crate::sound::Description;
use crate::{Contents, Status, UnsupportedReason};
pub(super) use cue::CueGraph;

/// The most zones of an instrument.
const MAX_ZONES: usize = 4096;

/// The most zones that a note sounds together, whatever is chosen.
const MAX_TOGETHER: usize = song::Instrument::MAX_TOGETHER;

/// What a part takes where it is kept.
const PART_BYTES: u64 = size_of::<(Weight, ZoneTree)>() as u64;

/// What others need to know of the recordings of a package.
#[derive(Default)]
pub(super) struct Recordings(HashMap<ObjectRef, PlayableSound>);

/// A sound with audio of its own, as others refer to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlayableSound {
    /// The sound's number, from 1.
    pub(super) number: usize,
    pub(super) is_playable: bool,
    /// How likely a group chooses it, where it says so.
    pub(super) likelihood: Option<f32>,
    /// What a cue multiplies its gain by.
    pub(super) gain: f32,
    /// What a cue multiplies its pitch by.
    pub(super) pitch: f32,
    /// Whether a cue repeats all of it.
    pub(super) loops_whole: bool,
}

impl Recordings {
    pub(super) fn add(&mut self, object: ObjectRef, recording: PlayableSound) {
        self.0.insert(object, recording);
    }

    fn get(&self, object: ObjectRef) -> Option<&PlayableSound> {
        self.0.get(&object)
    }
}

/// How loud and how high something sounds, and whether it repeats: what lies above it in a graph.
#[derive(Clone, Copy, Debug)]
struct Factors {
    gain: f32,
    pitch: f32,
    loops_whole: bool,
}

impl Factors {
    const NONE: Self = Self { gain: 1.0, pitch: 1.0, loops_whole: false };

    fn times(self, gain: f32, pitch: f32) -> Self {
        Self { gain: self.gain * gain, pitch: self.pitch * pitch, ..self }
    }
}

/// Why sounds that are referred to are not played.
#[derive(Default)]
struct Missing {
    /// Unconnected inputs.
    unconnected: usize,
    /// Sounds that lie in other packages.
    elsewhere: NameSample,
    /// Sounds of this package that cannot be played.
    unplayable: NameSample,
}

/// How many there are, and the first few by name.
#[derive(Default)]
struct NameSample {
    count: usize,
    first: Vec<String>,
}

impl NameSample {
    fn add(&mut self, name: impl FnOnce() -> String) {
        const SHOWN: usize = 4;
        self.count = self.count.saturating_add(1);
        if self.first.len() < SHOWN {
            self.first.push(name());
        }
    }

    const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl fmt::Display for NameSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first.join(", "))?;
        match self.count.saturating_sub(self.first.len()) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl Missing {
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.unconnected > 0 {
            let s = if self.unconnected == 1 { "" } else { "s" };
            notes.push(format!("{} unconnected input{s}", self.unconnected));
        }
        if !self.elsewhere.is_empty() {
            notes.push(format!("not played, as they lie in other packages: {}", self.elsewhere));
        }
        if !self.unplayable.is_empty() {
            notes.push(format!("not played: {}", self.unplayable));
        }
        notes
    }

    /// Returns why nothing is left to play.
    fn reason(&self) -> String {
        if !self.unplayable.is_empty() {
            format!("none of the sounds it refers to can be played: {}", self.unplayable)
        } else if !self.elsewhere.is_empty() {
            format!("the sounds it refers to lie in other packages: {}", self.elsewhere)
        } else {
            "it refers to no sound".to_owned()
        }
    }
}

/// Returns what a cue multiplies gain and pitch of a wave by.
///
/// Source: the class defaults of version 867, measured.
pub(super) fn factors(wave: &SoundNodeWave) -> (f32, f32) {
    const VOLUME: f32 = 0.75;
    let stated = |name| cue::number(&wave.properties, name);
    (stated("Volume").unwrap_or(VOLUME) / VOLUME, stated("Pitch").unwrap_or(1.0))
}

/// What a group or a cue plays.
struct Arrangement {
    /// None if that is nothing.
    tree: Option<ZoneTree>,
    notes: Vec<String>,
    missing: Missing,
}

/// Describes a group or a cue. Looking at objects is paid from the object's limits, the trees that stay from `kept`.
pub(super) fn describe(
    mut object: Object<'_>,
    class: Class,
    recordings: &Recordings,
    kept: &mut Limits,
) -> Result<Description, unreal::Error> {
    let arrangement = match class {
        Class::SoundGroup => group::arrange(&mut object, recordings, kept)?,
        _ => cue::arrange(object, recordings, kept)?,
    };
    Ok(arrangement.describe())
}

impl CueGraph<'_> {
    /// Describes a cue. Following its connections is paid from `limits`, the tree that stays from `kept`.
    pub(super) fn describe(
        &self,
        limits: &mut Limits,
        kept: &mut Limits,
    ) -> Result<Description, unreal::Error> {
        self.arrange(limits, kept).map(Arrangement::describe)
    }
}

impl Arrangement {
    fn describe(self) -> Description {
        let Self { tree, notes, missing } = self;
        let notes = missing.notes().into_iter().chain(notes).collect();
        match tree {
            Some(tree) => {
                Description { contents: Contents::Zones(tree), notes, ..Description::unread(Status::Ok) }
            }
            None => {
                let reason = UnsupportedReason::PlaysNothing(missing.reason());
                Description { notes, ..Description::unread(Status::Unsupported(reason)) }
            }
        }
    }
}

/// Returns the zone of a recording, which stands for the sound of its number: its sample and root key come when it is
/// decoded.
fn zone(recording: &PlayableSound, factors: Factors) -> ZoneTree {
    let Factors { gain, pitch, loops_whole } = factors.times(recording.gain, recording.pitch);
    let loops_whole = loops_whole || recording.loops_whole;
    let sound = SampleIndex::new(recording.number.saturating_sub(1));
    let tuning = Cents::from_ratio(f64::from(bounded(pitch))).unwrap_or_default();
    let gain = Decibels::from_gain(bounded(gain)).unwrap_or_default();
    let zone = Zone::whole_keyboard(sound, Key::C4, tuning).at(gain, song::Pan::CENTRE);
    if loops_whole { zone.loop_whole().into() } else { zone.into() }
}

/// Returns a factor that is positive and finite: −120 dB at least, 120 dB at most. What is not a number is 1.
fn bounded(factor: f32) -> f32 {
    if factor.is_nan() { 1.0 } else { factor.clamp(1e-6, 1e6) }
}
