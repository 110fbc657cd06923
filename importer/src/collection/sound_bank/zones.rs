//! What events play, as zones: random and sequence containers, layers, the branches that switches choose.

use std::collections::{BTreeSet, HashMap};

use song::{
    Articulation, ArticulationIndex, Cents, Decibels, EnvelopeSegment, Frames, Key, Node, NoteScaling,
    RandomizedParams, SampleIndex, SamplerArticulation, SegmentCurve, SegmentEnvelope, Weight, Zone,
    ZoneTree,
};
use soundbank::{BranchKind, PlayKind, PlayNode, Project, Varied};
use unreal::Limits;

use crate::{Sound, Status};

/// The most zones of an event.
const MAX_ZONES: usize = 4096;

/// The most zones that a note sounds together.
const MAX_TOGETHER: usize = song::Instrument::MAX_TOGETHER;

/// The most different delays and lengths, each pair of which is an articulation.
const MAX_TIMINGS: usize = 4096;

/// The longest delay in seconds; what begins later is left out.
const MAX_DELAY: f64 = 3600.0;

/// Seconds in which a released note fades.
const RELEASE: f32 = 0.05;

/// Seconds in which a media that is cut fades.
const FADE: f32 = 0.005;

/// The most times that a container is repeated: each time takes a voice from the start of the note.
const MAX_LOOPS: u32 = 16;

/// Cents and decibels beyond which nothing is heard.
const MAX_CENTS: f32 = 12_000.0;
const MAX_GAIN: f32 = 120.0;

/// What a part takes where it is kept.
const PART_BYTES: u64 = size_of::<(Weight, ZoneTree)>() as u64;

/// Makes zones of what events play.
pub(super) struct ZoneBuilder {
    /// Values of switches and states that a user chose, by the ids of their groups.
    chosen: HashMap<(BranchKind, u32), u32>,
    defaults: HashMap<(BranchKind, u32), u32>,
    timings: HashMap<Timing, ArticulationIndex>,
    articulations: Vec<Articulation>,
    not_simulated: BTreeSet<&'static str>,
}

/// When a media sounds, and from where on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Timing {
    /// Milliseconds before it begins.
    delay: u32,
    /// Milliseconds after which it ends, if it does before its media.
    length: Option<u32>,
    /// Frame that it begins at.
    offset: u64,
}

impl Timing {
    /// Rounds seconds to milliseconds.
    fn of(delay: f64, length: Option<f64>, offset: u64) -> Self {
        let milliseconds = |seconds: f64| {
            let milliseconds = (seconds.clamp(0.0, MAX_DELAY) * 1000.0).round();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped above")]
            let milliseconds = milliseconds as u32;
            milliseconds
        };
        Self { delay: milliseconds(delay), length: length.map(milliseconds), offset }
    }
}

/// What is handed down the tree.
#[derive(Clone, Copy, Default)]
struct Inherited {
    /// Decibels.
    gain: f32,
    /// Cents.
    pitch: f32,
    /// Seconds.
    delay: f64,
    /// Seconds after which it ends, if it does before its media.
    length: Option<f64>,
    /// Seconds that are left out of its start.
    skip: f64,
    loops_whole: bool,
}

/// A part, how many of its zones may sound together, and when the last of them ends, in seconds.
struct PlayedPart {
    tree: ZoneTree,
    together: usize,
    end: f64,
}

/// What one event is made from.
struct EventZones<'b> {
    builder: &'b mut ZoneBuilder,
    numbers: &'b [Option<usize>],
    /// Rows before the first of `sounds`.
    before: usize,
    sounds: &'b [Sound],
    limits: &'b mut Limits,
    zones: usize,
}

impl ZoneBuilder {
    pub(super) fn new(project: &Project, chosen: HashMap<(BranchKind, u32), u32>) -> Self {
        let defaults = project.switches.iter().map(|group| ((group.kind, group.id), group.default));
        Self {
            chosen,
            defaults: defaults.collect(),
            timings: HashMap::new(),
            articulations: Vec::new(),
            not_simulated: BTreeSet::new(),
        }
    }

    /// Returns what an event plays, silence if that is nothing. `numbers` are those of the rows of media.
    pub(super) fn tree(
        &mut self,
        event: &PlayNode,
        numbers: &[Option<usize>],
        (before, sounds): (usize, &[Sound]),
        limits: &mut Limits,
    ) -> ZoneTree {
        let mut zones = EventZones { builder: self, numbers, before, sounds, limits, zones: 0 };
        let part = zones.node(event, Inherited::default());
        part.map(|part| part.tree).unwrap_or_default()
    }

    /// Returns the articulations of all zones, and what is not simulated, once per kind.
    pub(super) fn finish(self) -> (Vec<Articulation>, Vec<String>) {
        let remarks = self.not_simulated.into_iter().map(|what| format!("not simulated: {what}"));
        (self.articulations, remarks.collect())
    }

    /// Returns the articulation of notes with a timing; none if they begin at once and play all of their media.
    fn timed(&mut self, timing: Timing) -> Option<ArticulationIndex> {
        if timing == Timing::of(0.0, None, 0) {
            return None;
        }
        if let Some(known) = self.timings.get(&timing) {
            return Some(*known);
        }
        if self.articulations.len() >= MAX_TIMINGS {
            self.not_simulated.insert("further delays");
            return None;
        }
        let segment = |seconds, level| EnvelopeSegment {
            time: NoteScaling::seconds(seconds),
            level,
            curve: SegmentCurve::Linear,
        };
        let seconds = |milliseconds: u32| milliseconds as f32 / 1000.0;
        let mut segments = vec![segment(seconds(timing.delay), 0.0), segment(0.0, 1.0)];
        if let Some(length) = timing.length {
            segments.extend([segment(seconds(length), 1.0), segment(FADE, 0.0)]);
        }
        let release = segments.len();
        segments.push(segment(RELEASE, 0.0));
        let amplitude = SegmentEnvelope::new(0.0, segments, Some(release)).ok()?;
        let index = ArticulationIndex::new(self.articulations.len());
        let offset = Frames::new(timing.offset);
        let sampler = SamplerArticulation { offset, ..SamplerArticulation::plain(amplitude) };
        self.articulations.push(sampler.into());
        self.timings.insert(timing, index);
        Some(index)
    }
}

/// Returns the values of switches and states that a user names, by the ids of their groups, and remarks on unknown
/// ones.
pub(super) fn chosen_values(
    project: &Project,
    switches: &[(String, String)],
) -> (HashMap<(BranchKind, u32), u32>, Vec<String>) {
    let (mut chosen, mut unknown) = (HashMap::new(), Vec::new());
    for (group, value) in switches {
        let (id, value_id) = (id_of(group), id_of(value));
        let mut is_known = false;
        for known in project.switches.iter().filter(|known| known.id == id) {
            chosen.insert((known.kind, id), value_id);
            is_known |= known.values.iter().any(|(value, _)| *value == value_id);
        }
        if !is_known {
            unknown.push(format!("no event depends on {group}={value}"));
        }
    }
    (chosen, unknown)
}

/// Returns values of game parameters by the ids of these.
pub(super) fn parameters(named: &[(String, f32)]) -> Vec<(u32, f32)> {
    named.iter().map(|(name, value)| (id_of(name), *value)).collect()
}

/// Returns what is wrong with parameters that a user named.
pub(super) fn unknown_parameters(project: &Project, named: &[(String, f32)]) -> Vec<String> {
    let is_unknown = |(name, _): &&(String, f32)| !project.parameters.contains(&id_of(name));
    named
        .iter()
        .filter(is_unknown)
        .map(|(name, _)| format!("no event depends on the parameter {name}"))
        .collect()
}

/// Returns the id of a name, or the number that it is.
fn id_of(name: &str) -> u32 {
    name.parse().unwrap_or_else(|_| soundbank::wwise::id_of_name(name))
}

impl EventZones<'_> {
    /// Returns what a part plays; none if that is nothing.
    fn node(&mut self, node: &PlayNode, inherited: Inherited) -> Option<PlayedPart> {
        self.limits.take(PART_BYTES, 0, "parts of an event").ok()?;
        let params = &node.params;
        let inherited = Inherited {
            gain: inherited.gain + params.gain.base,
            pitch: inherited.pitch + params.pitch.base,
            delay: inherited.delay + f64::from(params.delay.base),
            length: params.length.map(f64::from).or(inherited.length),
            skip: inherited.skip + f64::from(params.skip),
            loops_whole: inherited.loops_whole || params.loops == 0,
        };
        if is_varied(params.delay) {
            self.builder.not_simulated.insert("random delays");
        }
        let mut part = self.repeated(node, inherited)?;
        if is_varied(params.gain) || is_varied(params.pitch) {
            let varied = varied(params.pitch, params.gain)?;
            part.tree = ZoneTree::new(Node::Randomized(varied, Box::new(part.tree))).ok()?;
        }
        if params.chance < 1.0 {
            let weight = |chance: f32| Weight::new(chance.clamp(0.0, 1.0)).ok();
            let children = vec![
                (weight(params.chance)?, part.tree),
                (weight(1.0 - params.chance)?, ZoneTree::default()),
            ];
            part.tree = ZoneTree::new(Node::Random { children, with_replacement: true }).ok()?;
        }
        Some(part)
    }

    /// Returns a part as often as it is played, each time after the one before.
    fn repeated(&mut self, node: &PlayNode, inherited: Inherited) -> Option<PlayedPart> {
        let loops = node.params.loops;
        let mut part = self.kind(node, inherited)?;
        let lasts = part.end - inherited.delay;
        if loops < 2 || !lasts.is_finite() || lasts <= 0.0 {
            return Some(part);
        }
        if matches!(node.kind, PlayKind::Media(_)) {
            if inherited.length.is_some() || inherited.skip > 0.0 {
                self.builder.not_simulated.insert("clips that repeat a number of times");
                return Some(part);
            }
            // One voice does for all.
            self.zones = self.zones.saturating_sub(1);
            let length = Some(lasts * f64::from(loops));
            return self.kind(node, Inherited { length, loops_whole: true, ..inherited });
        }
        if loops > MAX_LOOPS {
            self.builder.not_simulated.insert("containers that repeat more than 16 times");
        }
        let mut parts = Vec::new();
        for _ in 1..loops.min(MAX_LOOPS) {
            let delay = part.end;
            parts.push(part);
            match self.kind(node, Inherited { delay, ..inherited }) {
                Some(next) => part = next,
                None => {
                    self.builder.not_simulated.insert("parts that repeat for more than an hour, or too many");
                    return self.layer(parts);
                }
            }
        }
        parts.push(part);
        self.layer(parts)
    }

    fn kind(&mut self, node: &PlayNode, inherited: Inherited) -> Option<PlayedPart> {
        match &node.kind {
            PlayKind::Silence => None,
            PlayKind::Media(media) => self.media(*media, inherited),
            PlayKind::Layer(nodes) => {
                let parts: Vec<_> = nodes.iter().filter_map(|node| self.node(node, inherited)).collect();
                self.layer(parts)
            }
            PlayKind::Chain(nodes) => {
                let (mut parts, mut delay) = (Vec::new(), inherited.delay);
                for node in nodes {
                    if let Some(part) = self.node(node, Inherited { delay, ..inherited }) {
                        delay = delay.max(part.end);
                        parts.push(part);
                    }
                    if !delay.is_finite() {
                        break;
                    }
                }
                self.layer(parts)
            }
            PlayKind::Sequence(nodes) => {
                let parts: Vec<_> = nodes.iter().filter_map(|node| self.node(node, inherited)).collect();
                choice(parts, Node::RoundRobin)
            }
            PlayKind::Random { children, with_replacement, avoid_repeat } => {
                let mut weights = Vec::new();
                let mut parts = Vec::new();
                for (weight, node) in children {
                    // What plays nothing may be drawn all the same.
                    let part = self.node(node, inherited);
                    parts.push(part.unwrap_or(PlayedPart {
                        tree: ZoneTree::default(),
                        together: 0,
                        end: 0.0,
                    }));
                    weights.push(Weight::new(weight.max(0.0)).unwrap_or(Weight::ONE));
                }
                if parts.iter().all(|part| part.together == 0) {
                    return None;
                }
                if *avoid_repeat > 1 && *with_replacement {
                    self.builder.not_simulated.insert("random containers that avoid the last few");
                }
                let with_replacement = *with_replacement && *avoid_repeat == 0;
                choice(parts, |trees| Node::Random {
                    children: weights.into_iter().zip(trees).collect(),
                    with_replacement,
                })
            }
            PlayKind::Branch { kind, group, default, branches } => {
                let group = (*kind, *group);
                let value = self.builder.chosen.get(&group);
                let value = value.copied().unwrap_or_else(|| match *default {
                    0 => self.builder.defaults.get(&group).copied().unwrap_or(0),
                    stated => stated,
                });
                let branch = branches.iter().find(|(branch, _)| *branch == value);
                // Without a value that is known, the first one is better than silence.
                let branch = branch.or_else(|| branches.first())?;
                self.node(&branch.1, inherited)
            }
        }
    }

    fn media(&mut self, media: usize, inherited: Inherited) -> Option<PlayedPart> {
        let number = (*self.numbers.get(media)?)?;
        let sound = self.sounds.get(number.checked_sub(1)?.checked_sub(self.before)?)?;
        if sound.status != Status::Ok || self.zones >= MAX_ZONES || inherited.delay > MAX_DELAY {
            return None;
        }
        self.zones = self.zones.saturating_add(1);
        let Inherited { gain, pitch, delay, length, skip, loops_whole } = inherited;
        let tuning = Cents::new(f64::from(bounded(pitch, MAX_CENTS))).unwrap_or_default();
        let gain = Decibels::new(bounded(gain, MAX_GAIN)).unwrap_or_default();
        let rate = sound.audio().map_or(0, |audio| audio.rate.get());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a cast of a float is clamped"
        )]
        let offset = (skip * f64::from(rate)).round() as u64;
        let articulation = self.builder.timed(Timing::of(delay, length, offset));
        let zone = Zone::whole_keyboard(SampleIndex::new(number.saturating_sub(1)), Key::C4, tuning)
            .at(gain, song::Pan::CENTRE)
            .with_articulation(articulation);
        let loops = loops_whole || sound.audio().is_some_and(|audio| !audio.loops.is_empty());
        // As long as it lasts at its root key.
        let speed = (f64::from(bounded(pitch, MAX_CENTS)) / 1200.0).exp2();
        let seconds = (sound.seconds().unwrap_or_default() - skip).max(0.0) / speed;
        let whole = if loops { f64::INFINITY } else { seconds };
        let end = delay + length.map_or(whole, |length| length.min(whole));
        let tree = if loops_whole { zone.loop_whole().into() } else { zone.into() };
        Some(PlayedPart { tree, together: 1, end })
    }

    fn layer(&mut self, parts: Vec<PlayedPart>) -> Option<PlayedPart> {
        let (mut trees, mut all, mut end) = (Vec::new(), 0_usize, 0.0_f64);
        for part in parts {
            let together = all.saturating_add(part.together);
            if together > MAX_TOGETHER {
                self.builder.not_simulated.insert("more than 128 media together");
                continue;
            }
            all = together;
            end = end.max(part.end);
            trees.push(part.tree);
        }
        let tree = if trees.len() < 2 { trees.pop()? } else { ZoneTree::new(Node::Layer(trees)).ok()? };
        Some(PlayedPart { tree, together: all, end })
    }
}

/// Returns one of several parts, or the only one.
fn choice(mut parts: Vec<PlayedPart>, kind: impl FnOnce(Vec<ZoneTree>) -> Node) -> Option<PlayedPart> {
    if parts.len() < 2 {
        return parts.pop();
    }
    let together = parts.iter().map(|part| part.together).max().unwrap_or_default();
    let end = parts.iter().map(|part| part.end).fold(0.0, f64::max);
    let tree = ZoneTree::new(kind(parts.into_iter().map(|part| part.tree).collect())).ok()?;
    Some(PlayedPart { tree, together, end })
}

fn is_varied(varied: Varied) -> bool {
    varied.most > varied.least || varied.most != 0.0
}

/// Returns a finite number within bounds.
fn bounded(value: f32, most: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-most, most) }
}

fn varied(pitch: Varied, gain: Varied) -> Option<RandomizedParams> {
    let ends = |varied: Varied, most: f32| {
        let [least, greatest] = [varied.least, varied.most].map(|end| bounded(end, most));
        [least.min(greatest), greatest.max(least)]
    };
    let [low, high] = ends(pitch, MAX_CENTS).map(|cents| Cents::new(f64::from(cents)).unwrap_or_default());
    let [soft, loud] = ends(gain, MAX_GAIN).map(|gain| Decibels::new(gain).unwrap_or_default());
    RandomizedParams::new(low..=high, soft..=loud).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_begins_late_within_its_media_and_ends_before_it() {
        let mut builder = ZoneBuilder::new(&Project::default(), HashMap::new());
        assert_eq!(builder.timed(Timing::of(0.0004, None, 0)), None);
        let first = builder.timed(Timing::of(0.5, Some(1.25), 24_000));
        assert_eq!(builder.timed(Timing::of(0.5, Some(1.25), 24_000)), first, "equal ones are shared");
        assert_ne!(builder.timed(Timing::of(0.5, Some(1.25), 0)), first);
        let (articulations, _) = builder.finish();
        let Articulation::Sampler(sampler) = &articulations[0] else { panic!("{articulations:?}") };
        let times: Vec<f32> = sampler.amplitude.segments().iter().map(|segment| segment.time.base).collect();
        assert_eq!((sampler.offset.get(), &times[..3]), (24_000, &[0.5, 0.0, 1.25][..]));
    }
}
