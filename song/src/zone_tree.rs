use std::collections::HashMap;
use std::hash::Hash;
use std::ops::RangeInclusive;

use crate::{Cents, Decibels, Invalid, Key, Velocity, Weight, Zone};

/// What a note on an instrument sounds: a zone, or several that sound together or are chosen among.
///
/// ```text
/// varied ── layers ─┬─ at random ─┬─ zone
///                   │             └─ zone
///                   └─ zone
/// ```
///
/// A tree, at most [`ZoneTree::MAX_DEPTH`] deep, in which every part has a number: the topmost is 0, those below it
/// follow in their order, each with all that is below it. The player keeps by that number whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneTree {
    kind: Node,
    depth: usize,
    size: usize,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// One zone.
    Zone(Zone),
    /// All that cover the note, together. None of them: silence.
    Layer(Vec<ZoneTree>),
    /// One of those that cover the note: each in its turn (round robin).
    RoundRobin(Vec<ZoneTree>),
    /// One of those that cover the note, drawn anew for each note.
    Random {
        /// Each with its chance, relative to the others'. Where all are 0, all are alike.
        children: Vec<(Weight, ZoneTree)>,
        /// Whether one that was drawn can be drawn again before all others were.
        with_replacement: bool,
    },
    /// A part whose pitch and gain are drawn anew for each note.
    Randomized(RandomizedParams, Box<ZoneTree>),
}

/// By how much pitch and gain may differ from note to note: every factor between both ends is equally likely.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomizedParams {
    pitch: RangeInclusive<Cents>,
    gain: RangeInclusive<Decibels>,
}

impl RandomizedParams {
    /// # Errors
    /// [`Invalid::EmptyRange`] if an end lies below its beginning.
    pub fn new(pitch: RangeInclusive<Cents>, gain: RangeInclusive<Decibels>) -> Result<Self, Invalid> {
        if pitch.is_empty() || gain.is_empty() { Err(Invalid::EmptyRange) } else { Ok(Self { pitch, gain }) }
    }

    /// Added to the pitch.
    #[must_use]
    pub const fn pitch(&self) -> &RangeInclusive<Cents> {
        &self.pitch
    }

    /// Added to the gain.
    #[must_use]
    pub const fn gain(&self) -> &RangeInclusive<Decibels> {
        &self.gain
    }
}

impl From<Zone> for ZoneTree {
    fn from(zone: Zone) -> Self {
        Self { kind: Node::Zone(zone), depth: 1, size: 1 }
    }
}

/// Silence.
impl Default for ZoneTree {
    fn default() -> Self {
        Self { kind: Node::Layer(Vec::new()), depth: 1, size: 1 }
    }
}

impl ZoneTree {
    /// The most parts one within the other.
    pub const MAX_DEPTH: usize = 64;

    /// # Errors
    /// [`Invalid::TooDeep`] if there are more than [`ZoneTree::MAX_DEPTH`] one within the other.
    pub fn new(kind: Node) -> Result<Self, Invalid> {
        let mut tree = Self { kind, depth: 1, size: 1 };
        let (deepest, all) =
            tree.children().fold((0, 0), |(depth, size), below| (below.depth.max(depth), below.size + size));
        (tree.depth, tree.size) = (deepest + 1, all + 1);
        if tree.depth > Self::MAX_DEPTH { Err(Invalid::TooDeep) } else { Ok(tree) }
    }

    /// Returns all of these zones together.
    #[must_use]
    pub fn layered(zones: impl IntoIterator<Item = Zone>) -> Self {
        let trees: Vec<Self> = zones.into_iter().map(Self::from).collect();
        let size = trees.len() + 1;
        Self { depth: if trees.is_empty() { 1 } else { 2 }, size, kind: Node::Layer(trees) }
    }

    /// Returns parts that sound together wherever they overlap, except that those of one group take turns.
    ///
    /// # Errors
    /// [`Invalid::TooDeep`] if a part is too deep to be in another.
    pub fn taking_turns<G: Eq + Hash>(
        parts: impl IntoIterator<Item = (Option<G>, Self)>,
    ) -> Result<Self, Invalid> {
        let mut trees = Vec::new();
        // In the order of the first of each group.
        let mut turns: Vec<Vec<Self>> = Vec::new();
        let mut known: HashMap<G, usize> = HashMap::new();
        for (group, tree) in parts {
            let Some(group) = group else {
                trees.push(tree);
                continue;
            };
            let index = *known.entry(group).or_insert(turns.len());
            match turns.get_mut(index) {
                Some(together) => together.push(tree),
                None => turns.push(vec![tree]),
            }
        }
        for together in turns {
            trees.push(Self::new(Node::RoundRobin(together))?);
        }
        Self::new(Node::Layer(trees))
    }

    /// Returns what it is.
    #[must_use]
    pub const fn node(&self) -> &Node {
        &self.kind
    }

    /// Returns how many parts it is made of, itself included: how far the number of the part after it is from its own.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Returns the parts right below it.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        let (plain, weighted, varied) = match &self.kind {
            Node::Zone(_) => (&[][..], &[][..], None),
            Node::Layer(trees) | Node::RoundRobin(trees) => (&trees[..], &[][..], None),
            Node::Random { children: trees, .. } => (&[][..], &trees[..], None),
            Node::Randomized(_, tree) => (&[][..], &[][..], Some(&**tree)),
        };
        plain.iter().chain(weighted.iter().map(|(_, tree)| tree)).chain(varied)
    }

    /// Returns whether a note sounds any zone of it.
    #[must_use]
    pub fn covers(&self, key: Key, velocity: Velocity) -> bool {
        match &self.kind {
            Node::Zone(zone) => zone.covers(key, velocity),
            _ => self.children().any(|tree| tree.covers(key, velocity)),
        }
    }

    /// Returns the tree with other zones; a zone that becomes none is left out, and so is what then has nothing below
    /// it.
    #[must_use]
    pub fn with_zones(&self, change: &mut impl FnMut(&Zone) -> Option<Zone>) -> Option<Self> {
        let mut below = |trees: &[Self]| -> Vec<Self> {
            exact(trees.iter().filter_map(|tree| tree.with_zones(change)).collect())
        };
        let kind = match &self.kind {
            Node::Zone(zone) => return change(zone).map(Self::from),
            Node::Layer(trees) => Node::Layer(below(trees)),
            Node::RoundRobin(trees) => Node::RoundRobin(below(trees)),
            Node::Random { children: trees, with_replacement: replaced } => {
                let kept =
                    trees.iter().filter_map(|(weight, tree)| Some((*weight, tree.with_zones(change)?)));
                Node::Random { children: exact(kept.collect()), with_replacement: *replaced }
            }
            Node::Randomized(variation, tree) => {
                Node::Randomized(variation.clone(), Box::new(tree.with_zones(change)?))
            }
        };
        // Not deeper than it was.
        Self::new(kind).ok().filter(|tree| tree.size > 1)
    }

    /// Returns all zones it could sound, in their order.
    #[must_use]
    pub fn zones(&self) -> Vec<&Zone> {
        let (mut zones, mut waiting) = (Vec::new(), vec![self]);
        while let Some(tree) = waiting.pop() {
            match &tree.kind {
                Node::Zone(zone) => zones.push(zone),
                _ => {
                    let first = waiting.len();
                    waiting.extend(tree.children());
                    waiting[first..].reverse();
                }
            }
        }
        zones
    }
}

/// Without room to grow: a tree of small parts would hold more room than parts.
fn exact<T>(mut trees: Vec<T>) -> Vec<T> {
    trees.shrink_to_fit();
    trees
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SampleIndex;

    fn zone(sample: usize) -> Zone {
        Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO)
    }

    fn tree() -> ZoneTree {
        let random = Node::Random {
            children: vec![(Weight::ONE, zone(0).into()), (Weight::ONE, zone(1).into())],
            with_replacement: true,
        };
        let varied =
            RandomizedParams::new(Cents::ZERO..=Cents::ZERO, Decibels::UNITY..=Decibels::UNITY).unwrap();
        let layers = Node::Layer(vec![ZoneTree::new(random).unwrap(), zone(2).into()]);
        ZoneTree::new(Node::Randomized(varied, Box::new(ZoneTree::new(layers).unwrap()))).unwrap()
    }

    #[test]
    fn zones_come_in_the_order_of_the_tree() {
        let samples: Vec<usize> = tree().zones().iter().map(|zone| zone.sample().get()).collect();
        assert_eq!(samples, [0, 1, 2]);
        assert_eq!(tree().size(), 6);
    }

    #[test]
    fn parts_of_one_group_take_turns_and_the_others_sound_together() {
        let parts = [(None, 0), (Some('b'), 1), (Some('a'), 2), (Some('b'), 3), (None, 4)];
        let made = ZoneTree::taking_turns(parts.map(|(group, sample)| (group, zone(sample).into())));
        let turn = |samples: &[usize]| {
            ZoneTree::new(Node::RoundRobin(samples.iter().map(|sample| zone(*sample).into()).collect()))
                .unwrap()
        };
        let expected = Node::Layer(vec![zone(0).into(), zone(4).into(), turn(&[1, 3]), turn(&[2])]);
        assert_eq!(made, ZoneTree::new(expected));
        assert_eq!(ZoneTree::taking_turns::<u8>([]), Ok(ZoneTree::default()));
    }

    #[test]
    fn what_loses_all_its_zones_goes_with_them() {
        let keep = |samples: &'static [usize]| {
            tree().with_zones(&mut |zone| samples.contains(&zone.sample().get()).then(|| zone.clone()))
        };
        assert_eq!(keep(&[0, 1, 2]), Some(tree()));
        assert_eq!(keep(&[2]).map(|tree| tree.size()), Some(3));
        assert_eq!(keep(&[]), None);
    }

    #[test]
    fn nothing_is_deeper_than_the_deepest() {
        let mut tree = ZoneTree::from(zone(0));
        for _ in 1..ZoneTree::MAX_DEPTH {
            tree = ZoneTree::new(Node::Layer(vec![tree])).unwrap();
        }
        assert_eq!(ZoneTree::new(Node::RoundRobin(vec![tree])), Err(Invalid::TooDeep));
    }

    #[test]
    fn a_part_covers_what_any_of_its_zones_covers() {
        let key = |key| Key::new(key).unwrap();
        let all = Velocity::LOWEST..=Velocity::HIGHEST;
        let low = zone(0).within(Key::LOWEST..=key(10), all.clone()).unwrap();
        let high = zone(1).within(key(20)..=Key::HIGHEST, all).unwrap();
        let tree = ZoneTree::new(Node::RoundRobin(vec![low.into(), high.into()])).unwrap();
        let covers = |k| tree.covers(key(k), Velocity::HIGHEST);
        assert_eq!([covers(10), covers(15), covers(20)], [true, false, true]);
        assert!(!ZoneTree::default().covers(Key::C4, Velocity::HIGHEST));
    }

    #[test]
    fn a_variation_that_ends_before_it_begins_is_refused() {
        let cents = |cents| Cents::new(cents).unwrap();
        let unity = Decibels::UNITY..=Decibels::UNITY;
        assert_eq!(RandomizedParams::new(cents(1.0)..=cents(-1.0), unity), Err(Invalid::EmptyRange));
    }
}
