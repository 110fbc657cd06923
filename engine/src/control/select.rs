//! Which zones a note sounds: whose turn it is, and what chance decides.
//!
//! Zones with conditions count the notes that they could sound, and know which key switch was pressed last.
//!
//! Chance is a hash of a counter. Engines of one seed that are asked for the same notes in the same order choose
//! the same, however long that takes, so a performance can be repeated exactly.

use std::collections::HashMap;

use song::{
    Instrument, InstrumentIndex, Key, Node, RandomizedParams, Trigger, Velocity, Weight, Zone,
    ZoneConditions, ZoneTree,
};

/// A zone that a note sounds, and how it differs from other times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SelectedZone<'s> {
    pub(super) zone: &'s Zone,
    /// A factor on its frequency.
    pub(super) pitch: f64,
    /// A factor on its gain, linear.
    pub(super) gain: f32,
}

/// Chooses the zones of notes, and remembers what was chosen: whose turn is next.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneSelector {
    seed: u64,
    history: SelectionHistory,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct SelectionHistory {
    /// Numbers drawn so far.
    drawn: u64,
    turns: HashMap<NodeId, SelectionState>,
    /// Keys of an instrument that has key switches, the last pressed one first.
    pressed: HashMap<InstrumentIndex, Vec<Key>>,
}

/// A node: its instrument, and its number in the tree.
type NodeId = (InstrumentIndex, usize);

/// The state of a node that chooses among its children.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SelectionState {
    /// The part to begin with next.
    Next(usize),
    /// Which parts were drawn since all were there.
    Drawn(Vec<bool>),
    /// Notes that a zone has counted.
    Counted(u32),
}

/// What is to be remembered if the note is begun.
#[derive(Debug)]
#[must_use = "without it the next note chooses the same"]
pub(super) struct SelectionChanges {
    drawn: u64,
    turns: Vec<(NodeId, SelectionState)>,
    /// A key that was pressed, of an instrument that has key switches.
    pressed: Option<(InstrumentIndex, Key)>,
    /// Whether they are remembered even if the note sounds nothing: zones have counted it, or it switches.
    always: bool,
    /// Whether zones of it wait for the key to be released.
    is_awaited: bool,
}

impl SelectionChanges {
    /// Returns whether zones wait for the key to be released.
    pub(super) const fn are_awaited(&self) -> bool {
        self.is_awaited
    }

    /// Returns whether they are to be remembered even if the note sounds nothing.
    pub(super) const fn are_for_silence_too(&self) -> bool {
        self.always
    }
}

impl ZoneSelector {
    /// Creates one that has chosen nothing; those of one seed choose the same.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, history: SelectionHistory::default() }
    }

    /// Returns the zones of an instrument that a note begins, as an engine begins them that plays no other.
    pub fn begin<'s>(&mut self, instrument: &'s Instrument, key: Key, velocity: Velocity) -> Vec<&'s Zone> {
        let index = InstrumentIndex::new(0);
        let (zones, changes) = self.choose(index, instrument, key, velocity, Trigger::Attack);
        if !zones.is_empty() || changes.are_for_silence_too() {
            self.remember(changes);
        }
        zones.into_iter().map(|selected| selected.zone).collect()
    }

    /// Every turn begins anew; chance goes on.
    pub(super) fn restart(&mut self) {
        self.history.turns.clear();
        self.history.pressed.clear();
    }

    /// Returns the zones of a note, in the order of the instrument's parts. Nothing is remembered before
    /// [`remember`](Self::remember) is called: a note that cannot be begun chooses nothing.
    pub(super) fn choose<'s>(
        &self,
        index: InstrumentIndex,
        instrument: &'s Instrument,
        key: Key,
        velocity: Velocity,
        trigger: Trigger,
    ) -> (Vec<SelectedZone<'s>>, SelectionChanges) {
        let changes = SelectionChanges {
            drawn: self.history.drawn,
            turns: Vec::new(),
            pressed: None,
            always: false,
            is_awaited: false,
        };
        let (zones, random) = (Vec::new(), None);
        let mut choice = Selection { selector: self, index, key, velocity, trigger, zones, random, changes };
        choice.take(&instrument.tree, 0, 1.0, 1.0);
        (choice.zones, choice.changes)
    }

    /// The note was begun.
    pub(super) fn remember(&mut self, changes: SelectionChanges) {
        self.history.drawn = changes.drawn;
        self.history.turns.extend(changes.turns);
        if let Some((index, key)) = changes.pressed {
            let keys = self.history.pressed.entry(index).or_default();
            keys.retain(|pressed| *pressed != key);
            keys.insert(0, key);
        }
    }
}

/// A choice while it is made.
struct Selection<'c, 's> {
    selector: &'c ZoneSelector,
    index: InstrumentIndex,
    key: Key,
    velocity: Velocity,
    trigger: Trigger,
    zones: Vec<SelectedZone<'s>>,
    /// The number that is drawn for all zones of the note, as soon as one asks for it.
    random: Option<f32>,
    changes: SelectionChanges,
}

impl<'s> Selection<'_, 's> {
    /// Takes all of a part that has a number in its instrument, at some factors.
    fn take(&mut self, tree: &'s ZoneTree, number: usize, pitch: f64, gain: f32) {
        match tree.node() {
            Node::Zone(zone) => {
                let is_met = match zone.conditions() {
                    None => self.trigger == Trigger::Attack && zone.covers(self.key, self.velocity),
                    Some(conditions) => self.meets(zone, conditions, number),
                };
                if is_met {
                    self.zones.push(SelectedZone { zone, pitch, gain });
                }
            }
            Node::Layer(_) => {
                for (number, tree) in numbered(tree, number) {
                    self.take(tree, number, pitch, gain);
                }
            }
            Node::Randomized(variation, _) => {
                let (more_pitch, more_gain) = self.vary(variation);
                for (number, tree) in numbered(tree, number) {
                    self.take(tree, number, pitch * more_pitch, gain * more_gain);
                }
            }
            Node::RoundRobin(trees) => {
                let covering: Vec<bool> = trees.iter().map(|tree| self.covers(tree)).collect();
                let chosen = self.next_of((self.index, number), &covering);
                self.take_one(tree, number, chosen, pitch, gain);
            }
            Node::Random { children: trees, with_replacement: replaced } => {
                let chances: Vec<Option<Weight>> =
                    trees.iter().map(|(weight, tree)| self.covers(tree).then_some(*weight)).collect();
                let chosen = if *replaced {
                    self.draw(&chances)
                } else {
                    self.draw_without_replacing((self.index, number), &chances)
                };
                self.take_one(tree, number, chosen, pitch, gain);
            }
        }
    }

    /// Returns whether the note meets the conditions of a zone, and lets the zone count it.
    fn meets(&mut self, zone: &Zone, conditions: &ZoneConditions, number: usize) -> bool {
        let ZoneConditions { random, sequence, switch, previous, trigger } = conditions;
        let is_pressed = self.trigger == Trigger::Attack;
        let pressed = self.selector.history.pressed.get(&self.index).map_or(&[][..], Vec::as_slice);
        if is_pressed && (previous.is_some() || switch.as_ref().is_some_and(|s| s.keys.contains(&self.key))) {
            self.changes.pressed = Some((self.index, self.key));
            self.changes.always = true;
        }
        let covers = zone.covers(self.key, self.velocity);
        self.changes.is_awaited |= covers && *trigger == Trigger::Release;
        if *trigger != self.trigger || !covers {
            return false;
        }
        if let Some(switch) = switch {
            // The key of the note itself comes first if it switches.
            let own = [self.key].into_iter().filter(|_| is_pressed);
            let last = own.chain(pressed.iter().copied()).find(|key| switch.keys.contains(key));
            if !switch.is_on(last) {
                return false;
            }
        }
        if previous.is_some_and(|previous| pressed.first() != Some(&previous)) {
            return false;
        }
        if let Some(range) = random {
            let drawn = match self.random {
                Some(drawn) => drawn,
                None => self.random() as f32,
            };
            self.random = Some(drawn);
            // The last range ends with the last number.
            let is_in = range.contains(&drawn) || (drawn >= range.start && range.end >= 1.0);
            if !is_in {
                return false;
            }
        }
        let Some(turn) = sequence else { return true };
        let node = (self.index, number);
        let counted = match self.selector.history.turns.get(&node) {
            Some(SelectionState::Counted(counted)) => *counted,
            _ => 0,
        };
        // Numbers beyond a round are as those within it.
        self.changes.turns.push((node, SelectionState::Counted((counted + 1) % turn.length())));
        self.changes.always = true;
        turn.sounds(counted)
    }

    fn covers(&self, tree: &ZoneTree) -> bool {
        tree.covers(self.key, self.velocity)
    }

    fn take_one(&mut self, tree: &'s ZoneTree, number: usize, chosen: Option<usize>, pitch: f64, gain: f32) {
        if let Some((number, tree)) = chosen.and_then(|chosen| numbered(tree, number).nth(chosen)) {
            self.take(tree, number, pitch, gain);
        }
    }

    /// Returns the first that covers the note, from the one on whose turn it is.
    fn next_of(&mut self, node: NodeId, covering: &[bool]) -> Option<usize> {
        let count = covering.len();
        let first = match self.selector.history.turns.get(&node) {
            Some(SelectionState::Next(next)) => *next,
            _ => 0,
        };
        let chosen = (first..first + count).map(|turn| turn % count).find(|&turn| covering[turn])?;
        self.changes.turns.push((node, SelectionState::Next(chosen + 1)));
        Some(chosen)
    }

    /// Returns one of those that have a chance.
    fn draw(&mut self, chances: &[Option<Weight>]) -> Option<usize> {
        let total: f64 = chances.iter().flatten().map(|weight| f64::from(weight.get())).sum();
        let chance = |weight: Weight| if total > 0.0 { weight.get().into() } else { 1.0 };
        let open = chances.iter().enumerate().filter_map(|(i, weight)| Some((i, chance((*weight)?))));
        let open: Vec<(usize, f64)> = open.filter(|(_, chance)| *chance > 0.0).collect();
        let mut left = self.random() * open.iter().map(|(_, chance)| chance).sum::<f64>();
        for &(index, chance) in &open {
            left -= chance;
            if left < 0.0 {
                return Some(index);
            }
        }
        // Rounding may leave a little.
        open.last().map(|&(index, _)| index)
    }

    /// Draws among those not drawn yet; among all once none of them is left.
    fn draw_without_replacing(&mut self, node: NodeId, chances: &[Option<Weight>]) -> Option<usize> {
        let mut drawn = match self.selector.history.turns.get(&node) {
            Some(SelectionState::Drawn(drawn)) => drawn.clone(),
            _ => vec![false; chances.len()],
        };
        let left = |drawn: &[bool]| -> Vec<Option<Weight>> {
            chances.iter().zip(drawn).map(|(chance, drawn)| chance.filter(|_| !drawn)).collect()
        };
        // What has no chance beside others would come at the end of every round.
        let is_open = |chances: &[Option<Weight>]| chances.iter().flatten().any(|weight| weight.get() > 0.0);
        if !is_open(&left(&drawn)) {
            drawn.fill(false);
        }
        let chosen = self.draw(&left(&drawn))?;
        drawn[chosen] = true;
        self.changes.turns.push((node, SelectionState::Drawn(drawn)));
        Some(chosen)
    }

    /// Factors on frequency and gain.
    fn vary(&mut self, variation: &RandomizedParams) -> (f64, f32) {
        let between = |from: f64, to: f64, at: f64| from + (to - from) * at;
        let (pitch, gain) = (variation.pitch(), variation.gain());
        let pitch = between(pitch.start().ratio(), pitch.end().ratio(), self.random());
        let gain = between(gain.start().gain().into(), gain.end().gain().into(), self.random());
        (pitch, gain as f32)
    }

    /// Returns a number in 0..1.
    fn random(&mut self) -> f64 {
        self.changes.drawn += 1;
        let bits = split_mix(self.selector.seed ^ split_mix(self.changes.drawn));
        // As many bits as the number holds exactly.
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns the parts right below one, with their numbers.
fn numbered(tree: &ZoneTree, number: usize) -> impl Iterator<Item = (usize, &ZoneTree)> {
    tree.children().scan(number + 1, |next, tree| {
        let number = *next;
        *next += tree.size();
        Some((number, tree))
    })
}

/// Scatters bits: every bit of the result depends on every bit of the argument.
///
/// Source: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014; the variant 13 of Stafford.
const fn split_mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests;
