//! From events to sounds: everything that an event can reach, and what it plays when it is started.

use std::collections::{BTreeMap, HashMap, HashSet};

use unreal::Limits;

use super::FmodGuid;
use super::bank::Bank;
use super::items::{Condition, EventItem, Instrument, InstrumentKind, ListMode, SheetEntry, TimelineBox};
use crate::reader::take;
use crate::{Error, MediaId, PlayKind, PlayNode, PlayParams, Varied};

/// Ticks of a timeline in a second. Lengths of boxes agree with those of their sounds at 48 kHz.
const TICKS: f32 = 48_000.0;
/// Cost of a node in memory.
const NODE_COST: u64 = size_of::<PlayNode>() as u64;
/// The most nodes of an event.
const MAX_NODES: usize = 1 << 16;
/// Gain below which nothing is heard, in dB.
const SILENT: f32 = -96.0;
/// Highest gain and furthest pitch that are believed, in dB and semitones.
const MAX_GAIN: f32 = 48.0;
const MAX_PITCH: f32 = 96.0;

/// Where a wave resource leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaveTarget {
    pub(super) id: MediaId,
    /// Its index in the project; none if it is nowhere at hand.
    pub(super) media: Option<usize>,
}

/// The items of all banks that belong together, by their GUIDs.
#[derive(Default)]
pub(super) struct Graph<'b> {
    waves: HashMap<FmodGuid, WaveTarget>,
    events: HashMap<FmodGuid, &'b EventItem>,
    timelines: HashMap<FmodGuid, &'b [TimelineBox]>,
    sheets: HashMap<FmodGuid, &'b [SheetEntry]>,
    parameters: HashMap<FmodGuid, f32>,
    instruments: HashMap<FmodGuid, &'b Instrument>,
}

impl<'b> Graph<'b> {
    /// Adds the items of a bank. Of items with one GUID, the first is kept.
    pub(super) fn add(&mut self, bank: &'b Bank) {
        for event in &bank.events {
            self.events.entry(event.guid).or_insert(event);
        }
        for (guid, boxes) in &bank.timelines {
            self.timelines.entry(*guid).or_insert(boxes);
        }
        for (guid, instruments) in &bank.sheets {
            self.sheets.entry(*guid).or_insert(instruments);
        }
        for (guid, default) in &bank.parameters {
            self.parameters.entry(*guid).or_insert(*default);
        }
        for instrument in &bank.instruments {
            self.instruments.entry(instrument.guid).or_insert(instrument);
        }
    }

    /// Adds where a wave resource leads; one that is at hand wins.
    pub(super) fn add_wave(&mut self, guid: FmodGuid, target: WaveTarget) {
        let known = self.waves.entry(guid).or_insert(target);
        if known.media.is_none() {
            *known = target;
        }
    }

    /// Returns every sound that an event can play.
    ///
    /// # Errors
    /// If looking for them takes more than is allowed.
    pub(super) fn reach(
        &self,
        event: FmodGuid,
        limits: &mut Limits,
    ) -> Result<BTreeMap<MediaId, Vec<Option<usize>>>, Error> {
        let mut found: BTreeMap<MediaId, Vec<Option<usize>>> = BTreeMap::new();
        let mut seen = HashSet::from([event]);
        let mut open = vec![event];
        while let Some(guid) = open.pop() {
            // One GUID may name items of several kinds, in a bank that is made to harm.
            let mut next = Vec::new();
            if let Some(event) = self.events.get(&guid) {
                next.push(event.timeline);
                next.extend(event.sheets.iter().chain(&event.triggered));
            }
            next.extend(self.timelines.get(&guid).into_iter().flat_map(|b| b.iter()).map(|b| b.instrument));
            next.extend(self.sheets.get(&guid).into_iter().flat_map(|s| s.iter()).map(|s| s.instrument));
            if let Some(instrument) = self.instruments.get(&guid) {
                next.push(instrument.timeline);
                next.extend(instrument.entries.iter().map(|(guid, _)| *guid));
                match instrument.kind {
                    InstrumentKind::Event(guid) => next.push(guid),
                    InstrumentKind::Wave(wave) => {
                        if let Some(target) = self.waves.get(&wave) {
                            let known = found.entry(target.id).or_default();
                            if !known.contains(&target.media) {
                                known.push(target.media);
                            }
                        }
                    }
                    InstrumentKind::List | InstrumentKind::Silent => {}
                }
            }
            let cost = size_of::<FmodGuid>().saturating_mul(next.len()) as u64;
            take(limits, cost, 0, "FMOD event")?;
            open.extend(next.into_iter().filter(|guid| seen.insert(*guid)));
        }
        Ok(found)
    }

    /// Returns what an event plays when it is started, all parameters at their defaults.
    ///
    /// # Errors
    /// If that takes more memory than is allowed.
    pub(super) fn tree(&self, event: FmodGuid, limits: &mut Limits) -> Result<PlayNode, Error> {
        let mut builder =
            Builder { graph: self, limits, left: MAX_NODES, open: Vec::new(), timelines: HashSet::new() };
        builder.event(event)
    }

    /// Returns how far the default of its parameter lies outside of a condition.
    fn distance(&self, condition: Option<Condition>) -> f32 {
        let Some(condition) = condition else { return 0.0 };
        match self.parameters.get(&condition.parameter) {
            Some(value) => (condition.least - value).max(value - condition.most).max(0.0),
            // Without a default nothing is known, and the instrument is better heard than lost.
            None => 0.0,
        }
    }
}

/// Builds the tree of one event.
struct Builder<'g, 'b, 'l> {
    graph: &'g Graph<'b>,
    limits: &'l mut Limits,
    /// Nodes that it may still have.
    left: usize,
    /// Events and instruments that the node to be built is below.
    open: Vec<FmodGuid>,
    /// Timelines of the event that is built whose boxes are in the tree. Instruments name the timeline that they
    /// belong to, which must not be played again for each of them.
    timelines: HashSet<FmodGuid>,
}

impl Builder<'_, '_, '_> {
    /// Enters an event or instrument, unless it is below itself, too deep or one too many.
    fn enter(&mut self, guid: FmodGuid) -> Result<bool, Error> {
        take(self.limits, NODE_COST, 0, "FMOD event")?;
        // Each may give two levels: itself, and a layer around it.
        let is_deep = self.open.len().saturating_mul(2) >= PlayNode::MAX_DEPTH.saturating_sub(2);
        if is_deep || self.left == 0 || self.open.contains(&guid) {
            return Ok(false);
        }
        self.left = self.left.saturating_sub(1);
        self.open.push(guid);
        Ok(true)
    }

    fn event(&mut self, guid: FmodGuid) -> Result<PlayNode, Error> {
        let graph = self.graph;
        let Some(event) = graph.events.get(&guid) else { return Ok(PlayNode::new(PlayKind::Silence)) };
        if !self.enter(guid)? {
            return Ok(PlayNode::new(PlayKind::Silence));
        }
        let outer = std::mem::take(&mut self.timelines);
        let mut parts = self.timeline(event.timeline)?;
        let mut conditional = Vec::new();
        for sheet in &event.sheets {
            for SheetEntry { instrument, condition } in graph.sheets.get(sheet).copied().unwrap_or_default() {
                let own = graph.instruments.get(instrument).and_then(|instrument| instrument.condition);
                conditional.push((graph.distance(condition.or(own)), *instrument));
            }
        }
        // Where nothing sounds at the defaults, the nearest is heard: an engine whose speed is below its first sound.
        let nearest = conditional.iter().map(|(distance, _)| *distance).fold(f32::INFINITY, f32::min);
        let most = if parts.is_empty() && event.triggered.is_empty() { nearest } else { 0.0 };
        for (distance, instrument) in conditional {
            if distance <= most {
                parts.push(self.instrument(instrument)?);
            }
        }
        for instrument in &event.triggered {
            parts.push(self.instrument(*instrument)?);
        }
        self.timelines = outer;
        self.open.pop();
        Ok(layer(parts))
    }

    /// Returns the boxes of a timeline; none if they are in the event already.
    fn timeline(&mut self, guid: FmodGuid) -> Result<Vec<PlayNode>, Error> {
        let graph = self.graph;
        if !self.timelines.insert(guid) {
            return Ok(Vec::new());
        }
        let mut nodes = Vec::new();
        for TimelineBox { instrument, start } in graph.timelines.get(&guid).copied().unwrap_or_default() {
            let own = graph.instruments.get(instrument).and_then(|instrument| instrument.condition);
            if graph.distance(own) > 0.0 {
                continue;
            }
            let mut node = self.instrument(*instrument)?;
            node.params.delay.base += *start as f32 / TICKS;
            nodes.push(node);
        }
        Ok(nodes)
    }

    fn instrument(&mut self, guid: FmodGuid) -> Result<PlayNode, Error> {
        let graph = self.graph;
        let Some(instrument) = graph.instruments.get(&guid).copied() else {
            return Ok(PlayNode::new(PlayKind::Silence));
        };
        if !self.enter(guid)? {
            return Ok(PlayNode::new(PlayKind::Silence));
        }
        let mut node = match instrument.kind {
            InstrumentKind::Wave(wave) => {
                let media = graph.waves.get(&wave).and_then(|target| target.media);
                PlayNode::new(media.map_or(PlayKind::Silence, PlayKind::Media))
            }
            InstrumentKind::Event(event) => self.event(event)?,
            InstrumentKind::Silent => PlayNode::new(PlayKind::Silence),
            InstrumentKind::List => self.list(instrument)?,
        };
        let below = self.timeline(instrument.timeline)?;
        if !below.is_empty() {
            let mut parts = vec![node];
            parts.extend(below);
            parts.retain(|part| part.kind != PlayKind::Silence);
            node = layer(parts);
        }
        self.open.pop();
        // The parameters of what is below stay its own.
        if node.params != PlayParams::default() {
            node = PlayNode::new(PlayKind::Layer(vec![node]));
        }
        node.params = params(instrument);
        Ok(node)
    }

    /// Returns the choice that a playlist is.
    fn list(&mut self, instrument: &Instrument) -> Result<PlayNode, Error> {
        let mut children = Vec::new();
        for (guid, weight) in &instrument.entries {
            children.push((*weight, self.instrument(*guid)?));
        }
        if children.is_empty() {
            return Ok(PlayNode::new(PlayKind::Silence));
        }
        if children.iter().all(|(weight, _)| *weight <= 0.0) {
            children.iter_mut().for_each(|(weight, _)| *weight = 1.0);
        }
        Ok(PlayNode::new(match instrument.mode {
            ListMode::InOrder => PlayKind::Sequence(children.into_iter().map(|(_, node)| node).collect()),
            mode => {
                PlayKind::Random { children, with_replacement: mode == ListMode::Random, avoid_repeat: 0 }
            }
        }))
    }
}

/// Returns parts that are played at once.
fn layer(mut parts: Vec<PlayNode>) -> PlayNode {
    match parts.len() {
        0 => PlayNode::new(PlayKind::Silence),
        1 => parts.pop().unwrap_or_else(|| PlayNode::new(PlayKind::Silence)),
        _ => PlayNode::new(PlayKind::Layer(parts)),
    }
}

/// Returns how an instrument sounds.
fn params(instrument: &Instrument) -> PlayParams {
    const CENTS: f32 = 100.0;
    let plain = |value: f32| Varied { base: value, ..Varied::default() };
    let held =
        |value: f32, least: f32, most: f32| if value.is_nan() { 0.0 } else { value.clamp(least, most) };
    PlayParams {
        gain: plain(held(instrument.gain, SILENT, MAX_GAIN)),
        pitch: plain(held(instrument.pitch, -MAX_PITCH, MAX_PITCH) * CENTS),
        chance: instrument.chance / 100.0,
        // As often as it is repeated, and once more; endless if it is repeated for ever.
        loops: u32::try_from(instrument.repeats).map_or(0, |repeats| repeats.saturating_add(1)),
        ..PlayParams::default()
    }
}
