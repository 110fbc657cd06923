//! Cues: graphs of nodes, from Unreal Engine 3 on.

use std::collections::{BTreeSet, HashMap};

use song::{Cents, Decibels, Node, RandomizedParams, Weight, ZoneTree};
use unreal::ue1to3::class::sound_cue;
use unreal::{CueNode, Limits, Object, ObjectRef, Property, SoundCue, Value};

use super::role::Role;
use super::{Arrangement, Factors, MAX_TOGETHER, MAX_ZONES, Missing, PART_BYTES, Recordings, bounded, zone};

/// The volume of a cue that states none.
///
/// Source: the class defaults of version 867, measured.
const CUE_VOLUME: f32 = 0.75;

/// What a modulator multiplies by that states nothing.
///
/// Source: as [`CUE_VOLUME`].
const MODULATION: (f32, f32) = (0.95, 1.05);

/// From so many times on a loop counts as endless.
///
/// Source: as [`CUE_VOLUME`]; a looping node that states nothing has a million.
const ENDLESS: f32 = 1e6;

/// The most nodes one below the other. Each becomes at most one part.
const MAX_DEPTH: usize = ZoneTree::MAX_DEPTH - 1;

/// The most connections that are followed.
const MAX_CONNECTIONS: usize = 4 * MAX_ZONES;

/// What following a connection costs of the bytes that looking at objects may take. Cues may share nodes, so without it
/// a small package could have any number of cues with the most connections each.
const CONNECTION: u64 = 64;

/// The most notes on what is left out.
const MAX_NOTES: usize = 16;

/// Returns what the nodes of a cue of Unreal Engine 3 say.
pub(super) fn arrange(
    object: Object<'_>,
    recordings: &Recordings,
    kept: &mut Limits,
) -> Result<Arrangement, unreal::Error> {
    let mut object = object;
    let cue = sound_cue::read(&mut object)?;
    let nodes = cue.nodes(&mut object)?;
    let package = object.package;
    let graph = CueGraph {
        cue: &cue,
        nodes: &nodes,
        recordings,
        path: &|object| package.path(object).to_string(),
        is_elsewhere: &|object| matches!(object, ObjectRef::Import(_)),
        // For errors: the place of the table in which all objects are.
        at: package.summary().exports.at.into(),
    };
    graph.arrange(object.limits, kept)
}

/// A cue with its nodes, and what of them is known.
pub(in crate::find) struct CueGraph<'g> {
    pub(in crate::find) cue: &'g SoundCue,
    pub(in crate::find) nodes: &'g [CueNode],
    /// What nodes that are a recording, or play one, play.
    pub(in crate::find) recordings: &'g Recordings,
    /// Returns the path of what a node plays.
    pub(in crate::find) path: &'g dyn Fn(ObjectRef) -> String,
    /// Returns whether what a node plays is in no package that is at hand.
    pub(in crate::find) is_elsewhere: &'g dyn Fn(ObjectRef) -> bool,
    /// For errors.
    pub(in crate::find) at: u64,
}

impl CueGraph<'_> {
    /// Returns what the nodes say. Following connections is paid from `limits`, the tree that stays from `kept`.
    pub(super) fn arrange(
        &self,
        limits: &mut Limits,
        kept: &mut Limits,
    ) -> Result<Arrangement, unreal::Error> {
        let mut reading = CueReader {
            graph: self,
            limits,
            kept,
            nodes: self.nodes.iter().map(|node| (node.object, node)).collect(),
            missing: Missing::default(),
            ignored: BTreeSet::new(),
            notes: Vec::new(),
            zones: 0,
            connections: 0,
        };
        let volume = number(&self.cue.properties, "VolumeMultiplier").unwrap_or(CUE_VOLUME) / CUE_VOLUME;
        let pitch = number(&self.cue.properties, "PitchMultiplier").unwrap_or(1.0);
        let top = NodeContext { depth: 0, room: MAX_TOGETHER };
        let played = reading.node(self.cue.first, Factors::NONE.times(volume, pitch), top)?;
        let CueReader { missing, ignored, mut notes, .. } = reading;
        if !ignored.is_empty() {
            notes.push(format!("not simulated: {}", ignored.into_iter().collect::<Vec<_>>().join(", ")));
        }
        Ok(Arrangement { tree: played.map(|played| played.tree), notes, missing })
    }
}

/// A cue while it is read.
struct CueReader<'r, 'g> {
    graph: &'r CueGraph<'g>,
    /// What looking at it is paid from.
    limits: &'r mut Limits,
    /// What parts are paid from.
    kept: &'r mut Limits,
    nodes: HashMap<ObjectRef, &'r CueNode>,
    missing: Missing,
    /// Classes of nodes that change nothing here.
    ignored: BTreeSet<String>,
    notes: Vec<String>,
    zones: usize,
    connections: usize,
}

/// Where a node is in the graph.
#[derive(Clone, Copy)]
struct NodeContext {
    /// How many are above it.
    depth: usize,
    /// How many zones it may sound together, at least one.
    room: usize,
}

/// A part, and how many of its zones may sound together.
struct PlayedPart {
    tree: ZoneTree,
    together: usize,
}

impl CueReader<'_, '_> {
    /// Returns what is played from a node on; none if that is nothing.
    fn node(
        &mut self,
        object: ObjectRef,
        factors: Factors,
        place: NodeContext,
    ) -> Result<Option<PlayedPart>, unreal::Error> {
        self.connections = self.connections.saturating_add(1);
        self.limits.take(CONNECTION, self.graph.at, "connections of a cue")?;
        if object == ObjectRef::None {
            self.missing.unconnected = self.missing.unconnected.saturating_add(1);
            return Ok(None);
        }
        if place.depth == MAX_DEPTH {
            self.note(format!("nodes with {MAX_DEPTH} others above them are left out"));
            return Ok(None);
        }
        if self.zones == MAX_ZONES || self.connections > MAX_CONNECTIONS {
            self.note(format!(
                "no more than {MAX_ZONES} sounds and {MAX_CONNECTIONS} connections are followed"
            ));
            return Ok(None);
        }
        let Some(node) = self.nodes.get(&object).copied() else { return Ok(None) };
        let below = NodeContext { depth: place.depth.saturating_add(1), ..place };
        match Role::of(self.graph.recordings.get(object).is_some(), &node.class) {
            Role::Wave => self.wave(object, factors),
            Role::Random => self.random(node, factors, below),
            Role::RoundRobin => self.round_robin(node, factors, below),
            Role::Mixer => self.mixer(node, factors, below),
            Role::Modulator => self.modulator(node, factors, below),
            Role::Looping => {
                let loops_whole = factors.loops_whole || self.is_endless(node);
                self.first(node, Factors { loops_whole, ..factors }, below)
            }
            Role::Other => {
                self.ignored.insert(node.class.clone());
                self.first(node, factors, below)
            }
        }
    }

    fn note(&mut self, text: String) {
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Pays for a part that will be made.
    fn pay(&mut self) -> Result<(), unreal::Error> {
        self.kept.take(PART_BYTES, self.graph.at, "parts of a cue")
    }

    fn wave(&mut self, object: ObjectRef, factors: Factors) -> Result<Option<PlayedPart>, unreal::Error> {
        let path = || (self.graph.path)(object);
        match self.graph.recordings.get(object) {
            Some(recording) if recording.is_playable => {
                self.zones = self.zones.saturating_add(1);
                self.pay()?;
                return Ok(Some(PlayedPart { tree: zone(recording, factors), together: 1 }));
            }
            None if (self.graph.is_elsewhere)(object) => self.missing.elsewhere.add(path),
            _ => self.missing.unplayable.add(path),
        }
        Ok(None)
    }

    /// Returns what plays through a node that changes nothing: its first connection.
    fn first(
        &mut self,
        node: &CueNode,
        factors: Factors,
        place: NodeContext,
    ) -> Result<Option<PlayedPart>, unreal::Error> {
        if node.children.len() > 1 {
            let count = node.children.len();
            self.note(format!("only the first of {count} connections of {} plays", node.class));
        }
        node.children.first().map_or(Ok(None), |child| self.node(*child, factors, place))
    }

    fn random(
        &mut self,
        node: &CueNode,
        factors: Factors,
        place: NodeContext,
    ) -> Result<Option<PlayedPart>, unreal::Error> {
        let weights = floats(node, "Weights");
        let (mut trees, mut most) = (Vec::new(), 0);
        for (child, position) in node.children.iter().zip(0..) {
            let weight = weights.get::<usize>(position).copied().and_then(|weight| Weight::new(weight).ok());
            if let Some(PlayedPart { tree, together }) = self.node(*child, factors, place)? {
                most = together.max(most);
                trees.push((weight.unwrap_or(Weight::ONE), tree));
            }
        }
        let replaced = flag(&node.properties, "bRandomizeWithoutReplacement") == Some(false);
        let tree = self.one_or(
            trees,
            |(_, tree)| tree,
            |trees| Node::Random { children: trees, with_replacement: replaced },
        )?;
        Ok(tree.map(|tree| PlayedPart { tree, together: most }))
    }

    fn round_robin(
        &mut self,
        node: &CueNode,
        factors: Factors,
        context: NodeContext,
    ) -> Result<Option<PlayedPart>, unreal::Error> {
        let (mut trees, mut most) = (Vec::new(), 0);
        for child in &node.children {
            if let Some(PlayedPart { tree, together }) = self.node(*child, factors, context)? {
                most = together.max(most);
                trees.push(tree);
            }
        }
        let tree = self.one_or(trees, |tree| tree, Node::RoundRobin)?;
        Ok(tree.map(|tree| PlayedPart { tree, together: most }))
    }

    fn mixer(
        &mut self,
        node: &CueNode,
        factors: Factors,
        place: NodeContext,
    ) -> Result<Option<PlayedPart>, unreal::Error> {
        let volumes = floats(node, "InputVolume");
        let (mut trees, mut all) = (Vec::new(), 0_usize);
        for (child, position) in node.children.iter().zip(0..) {
            let room = place.room.saturating_sub(all);
            if room == 0 {
                self.note(format!("no more than {MAX_TOGETHER} sounds sound together"));
                break;
            }
            let volume = volumes.get::<usize>(position).copied().unwrap_or(1.0);
            let found = self.node(*child, factors.times(volume, 1.0), NodeContext { room, ..place })?;
            if let Some(PlayedPart { tree, together }) = found {
                all = all.saturating_add(together);
                trees.push(tree);
            }
        }
        let tree = self.one_or(trees, |tree| tree, Node::Layer)?;
        Ok(tree.map(|tree| PlayedPart { tree, together: all }))
    }

    /// Returns a part of several, or the only one there is.
    fn one_or<T>(
        &mut self,
        mut trees: Vec<T>,
        only: impl Fn(T) -> ZoneTree,
        several: impl Fn(Vec<T>) -> Node,
    ) -> Result<Option<ZoneTree>, unreal::Error> {
        if trees.len() < 2 {
            return Ok(trees.pop().map(only));
        }
        self.pay()?;
        // Only what is paid for is kept, no room to grow.
        trees.shrink_to_fit();
        Ok(ZoneTree::new(several(trees)).ok())
    }

    fn modulator(
        &mut self,
        node: &CueNode,
        factors: Factors,
        place: NodeContext,
    ) -> Result<Option<PlayedPart>, unreal::Error> {
        let distributed = |name: &str| {
            let stated = node.properties.iter().find(|property| property.name.eq_ignore_ascii_case(name));
            stated.is_some_and(|property| matches!(property.value, Value::Opaque { .. }))
        };
        if distributed("PitchModulation") || distributed("VolumeModulation") {
            self.ignored.insert(format!("distributions of {}", node.class));
            return self.first(node, factors, place);
        }
        let range = |low, high| {
            let low = number(&node.properties, low).unwrap_or(MODULATION.0);
            let high = number(&node.properties, high).unwrap_or(MODULATION.1);
            (bounded(low.min(high)), bounded(low.max(high)))
        };
        let (pitch, gain) = (range("PitchMin", "PitchMax"), range("VolumeMin", "VolumeMax"));
        let Some(played) = self.first(node, factors, place)? else { return Ok(None) };
        if (pitch, gain) == ((1.0, 1.0), (1.0, 1.0)) {
            return Ok(Some(played));
        }
        let cents = |ratio: f32| Cents::from_ratio(ratio.into()).unwrap_or_default();
        let decibels = |gain: f32| Decibels::from_gain(gain).unwrap_or_default();
        let variation =
            RandomizedParams::new(cents(pitch.0)..=cents(pitch.1), decibels(gain.0)..=decibels(gain.1));
        let Ok(variation) = variation else { return Ok(Some(played)) };
        self.pay()?;
        let PlayedPart { tree, together } = played;
        let tree = ZoneTree::new(Node::Randomized(variation, Box::new(tree))).ok();
        Ok(tree.map(|tree| PlayedPart { tree, together }))
    }

    /// Returns whether it goes on until the note is released. One that ends after some times plays once.
    fn is_endless(&mut self, node: &CueNode) -> bool {
        let stated = flag(&node.properties, "bLoopIndefinitely");
        let most = match (number(&node.properties, "LoopCountMax"), stated) {
            (Some(most), _) => most,
            // From Unreal Engine 4 on it says how often if it does not go on.
            (None, Some(false)) => number(&node.properties, "LoopCount").unwrap_or(1.0),
            (None, _) => ENDLESS,
        };
        let endless = stated == Some(true) || most >= ENDLESS;
        if !endless {
            self.note(format!("a loop of {most} passes in the game plays once"));
        }
        endless
    }
}

/// Returns the numbers of an array of a node.
fn floats(node: &CueNode, name: &str) -> Vec<f32> {
    let stated = node.properties.iter().find(|property| property.name.eq_ignore_ascii_case(name));
    let Some(Property { value: Value::Array(values), .. }) = stated else { return Vec::new() };
    values.iter().map(|value| if let Value::Float(number) = value { *number } else { f32::NAN }).collect()
}

/// Returns a number that is stated.
pub(super) fn number(properties: &[Property], name: &str) -> Option<f32> {
    properties.iter().find(|property| property.name.eq_ignore_ascii_case(name)).and_then(|property| {
        match property.value {
            Value::Float(number) => Some(number),
            // Counts are small.
            Value::Int(number) => Some(number as f32),
            _ => None,
        }
    })
}

fn flag(properties: &[Property], name: &str) -> Option<bool> {
    properties.iter().find(|property| property.name.eq_ignore_ascii_case(name)).and_then(|property| {
        match property.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    })
}
