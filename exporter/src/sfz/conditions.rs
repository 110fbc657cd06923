//! When a region sounds, and by how much it varies.
//!
//! The format draws one number for a note, and each region says for which of these it sounds; so parts at random that
//! sound together are not independent of each other, and one that is not to come twice can. It counts notes up to 100;
//! what is to come in turn and is more comes at random.
//!
//! It varies pitch by as many cents to both sides. So the middle is that of the factors, and both ends lie as much too
//! high as that is above the middle in cents: 2 cents from 0.95 to 1.05 times, two and a half semitones from 0.5 to
//! 1.5. Volume varies in decibels: both ends are right, the middle is 0.01 dB too low from 0.95 to 1.05 times.

use std::fmt::Write as _;

use song::{Node, Zone, ZoneTree};

use crate::middle;

/// The longest sequence.
const MAX_LENGTH: usize = 100;

/// A range that widens as parts within it vary.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ValueRange {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl ValueRange {
    fn widened(self, low: f64, high: f64) -> Self {
        Self { low: self.low + low, high: self.high + high }
    }
}

/// What must be for a region to sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Conditions {
    /// The numbers drawn, of 0..1, for which it does.
    random: ValueRange,
    /// Every so many notes.
    length: usize,
    /// Which of them, from 0.
    position: usize,
    /// In cents.
    pub(super) pitch: ValueRange,
    /// The middle of all factors of pitch, in cents.
    pub(super) tune: f64,
    /// In decibels.
    pub(super) gain: ValueRange,
}

impl Conditions {
    const ALWAYS: Self = Self {
        random: ValueRange { low: 0.0, high: 1.0 },
        length: 1,
        position: 0,
        pitch: ValueRange { low: 0.0, high: 0.0 },
        tune: 0.0,
        gain: ValueRange { low: 0.0, high: 0.0 },
    };

    /// Creates a share of its chances, after some others.
    fn share(self, before: f64, own: f64) -> Self {
        let wide = self.random.high - self.random.low;
        let low = self.random.low + wide * before;
        Self { random: ValueRange { low, high: low + wide * own }, ..self }
    }

    /// The opcodes, where there are any.
    pub(super) fn write(&self, text: &mut String) {
        if self.random != Self::ALWAYS.random {
            let _ = writeln!(text, "lorand={:.6} hirand={:.6}", self.random.low, self.random.high);
        }
        if self.length > 1 {
            let _ = writeln!(text, "seq_length={} seq_position={}", self.length, self.position + 1);
        }
        // Pitch varies to both sides, volume upwards from what it is.
        let (pitch, gain) = (0.5 * (self.pitch.high - self.pitch.low), self.gain.high - self.gain.low);
        if pitch > 0.0 {
            let _ = writeln!(text, "pitch_random={pitch:.1}");
        }
        if gain > 0.0 {
            let _ = writeln!(text, "amp_random={:.2}", gain.min(24.0));
        }
    }
}

/// Returns every zone of a part with its conditions.
pub(super) fn regions(part: &ZoneTree) -> Vec<(&Zone, Conditions)> {
    let mut regions = Vec::new();
    collect(part, Conditions::ALWAYS, &mut regions);
    regions
}

fn collect<'p>(part: &'p ZoneTree, conditions: Conditions, regions: &mut Vec<(&'p Zone, Conditions)>) {
    match part.node() {
        Node::Zone(zone) => regions.push((zone, conditions)),
        Node::Layer(parts) => parts.iter().for_each(|part| collect(part, conditions, regions)),
        Node::Randomized(variation, part) => {
            let tune = conditions.tune + middle::pitch(variation);
            let (cents, gain) = (variation.pitch(), variation.gain());
            let pitch = conditions.pitch.widened(cents.start().get(), cents.end().get());
            let gain = conditions.gain.widened(gain.start().get().into(), gain.end().get().into());
            collect(part, Conditions { pitch, tune, gain, ..conditions }, regions);
        }
        Node::RoundRobin(parts) if conditions.length * parts.len() <= MAX_LENGTH => {
            let Conditions { length, position, .. } = conditions;
            for (turn, part) in parts.iter().enumerate() {
                let (length, position) = (length * parts.len(), position + length * turn);
                collect(part, Conditions { length, position, ..conditions }, regions);
            }
        }
        Node::RoundRobin(parts) => shares(parts.iter().map(|part| (1.0, part)), conditions, regions),
        Node::Random { children: parts, .. } => {
            let is_weighed = parts.iter().any(|(weight, _)| weight.get() > 0.0);
            let weight = |weight: f32| if is_weighed { weight.into() } else { 1.0 };
            let weighed = parts.iter().map(|(own, part)| (weight(own.get()), part));
            shares(weighed.filter(|(weight, _)| *weight > 0.0), conditions, regions);
        }
    }
}

fn shares<'p>(
    parts: impl Iterator<Item = (f64, &'p ZoneTree)> + Clone,
    conditions: Conditions,
    regions: &mut Vec<(&'p Zone, Conditions)>,
) {
    let total: f64 = parts.clone().map(|(weight, _)| weight).sum();
    let mut before = 0.0;
    for (weight, part) in parts {
        collect(part, conditions.share(before / total, weight / total), regions);
        before += weight;
    }
}
