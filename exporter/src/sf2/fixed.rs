//! Instruments without turns, chance and variation, and the recordings they need.

use song::{Instrument, Node, SampleIndex, Song, Trigger, Zone, ZoneConditions, ZoneResponse, ZoneTree};

use super::motion::Motion;
use crate::articulation;
use crate::middle;
use crate::unrolled::UnrolledSample;
use crate::{Loss, Losses};

/// An instrument that sounds, and its zones.
pub(super) struct Preset<'s> {
    pub(super) instrument: &'s Instrument,
    pub(super) zones: Vec<Fixed<'s>>,
}

/// A zone, and how far in the middle of its ranges it is from what it says.
pub(super) struct Fixed<'s> {
    pub(super) zone: &'s Zone,
    pub(super) recording: Repeated,
    /// Cents.
    pub(super) pitch: f64,
    /// Decibels.
    pub(super) gain: f32,
    /// How its notes move; none if only attack and release of the instrument say so.
    pub(super) motion: Option<Motion>,
}

impl Fixed<'_> {
    /// Returns its gain with all that is above it.
    pub(super) fn decibels(&self) -> f32 {
        self.zone.gain().get() + self.gain
    }
}

/// A sample, and whether all of it repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Repeated {
    sample: SampleIndex,
    is_endless: bool,
}

/// Returns whether notes of an instrument differ from one another in what is chosen or varied, which a `SoundFont`
/// cannot say.
#[must_use]
pub fn chooses(instrument: &Instrument) -> bool {
    let mut waiting = vec![&instrument.tree];
    while let Some(part) = waiting.pop() {
        match part.node() {
            Node::RoundRobin(parts) if parts.len() > 1 => return true,
            Node::Random { children: parts, .. } if parts.len() > 1 => return true,
            Node::Randomized(..) => return true,
            _ => waiting.extend(part.children()),
        }
    }
    false
}

/// Returns every instrument that sounds.
pub(super) fn presets<'s>(song: &'s Song, losses: &mut Losses) -> Vec<Preset<'s>> {
    let presets = song.instruments().iter().map(|instrument| {
        let mut zones = Vec::new();
        collect(&instrument.tree, song, 0.0, 0.0, &mut zones);
        zones.retain(|fixed: &Fixed<'_>| {
            let conditions = fixed.zone.conditions();
            conditions.inspect(|_| losses.add(Loss::Conditions)).is_none_or(is_first)
        });
        for fixed in &mut zones {
            if fixed.zone.response().is_some_and(|response| !is_said(response)) {
                losses.add(Loss::Velocity);
            }
            fixed.motion = articulation::of_zone(song, fixed.zone, instrument.envelope, losses)
                .map(|articulation| Motion::of(&articulation, losses));
            if let Some(Motion { gain, pitch, .. }) = fixed.motion {
                fixed.gain += gain;
                fixed.pitch += f64::from(pitch);
            }
        }
        losses.end_instrument(instrument);
        Preset { instrument, zones }
    });
    presets.filter(|preset| !preset.zones.is_empty()).collect()
}

/// Returns whether a zone is the first of those among which its conditions choose.
fn is_first(conditions: &ZoneConditions) -> bool {
    conditions.random.as_ref().is_none_or(|random| random.contains(&0.0))
        && conditions.sequence.is_none_or(|turn| turn.position() == 1)
        && conditions
            .switch
            .as_ref()
            .is_none_or(|switch| switch.is_on(Some(*switch.keys.start())) || switch.is_on(None))
        && conditions.previous.is_none()
        && conditions.trigger == Trigger::Attack
}

/// Returns whether generators say all of a response: the pitch of keys.
fn is_said(response: &ZoneResponse) -> bool {
    let pitch_by_key = ZoneResponse::default().pitch_by_key;
    ZoneResponse { pitch_by_key, ..response.clone() } == ZoneResponse::default()
}

/// Returns every recording that presets need, in the order of samples.
pub(super) fn recordings<'s>(song: &'s Song, presets: &[Preset<'_>]) -> Vec<(Repeated, UnrolledSample<'s>)> {
    let mut needed: Vec<Repeated> =
        presets.iter().flat_map(|preset| &preset.zones).map(|fixed| fixed.recording).collect();
    needed.sort_unstable();
    needed.dedup();
    let frames = |repeated: &Repeated| {
        let sample = song.samples().get(repeated.sample.get())?;
        Some((*repeated, UnrolledSample::of(sample, repeated.is_endless)))
    };
    needed.iter().filter_map(frames).collect()
}

fn collect<'s>(part: &'s ZoneTree, song: &Song, pitch: f64, gain: f32, zones: &mut Vec<Fixed<'s>>) {
    match part.node() {
        Node::Zone(zone) => {
            let sample = zone.sample();
            let has_loop = song.samples().get(sample.get()).is_some_and(|s| !s.loops().is_empty());
            let recording = Repeated { sample, is_endless: zone.loops_whole() && !has_loop };
            zones.push(Fixed { zone, recording, pitch, gain, motion: None });
        }
        Node::Layer(parts) => parts.iter().for_each(|part| collect(part, song, pitch, gain, zones)),
        Node::RoundRobin(parts) => {
            parts.first().into_iter().for_each(|part| collect(part, song, pitch, gain, zones));
        }
        Node::Random { children: parts, .. } => {
            // Of equals the first.
            let likely = parts.iter().rev().max_by(|(a, _), (b, _)| a.get().total_cmp(&b.get()));
            likely.into_iter().for_each(|(_, part)| collect(part, song, pitch, gain, zones));
        }
        Node::Randomized(variation, part) => {
            let pitch = pitch + middle::pitch(variation);
            collect(part, song, pitch, gain + middle::gain(variation), zones);
        }
    }
}
