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
/// A tree, at most [`Part::DEEPEST`] deep, in which every part has a number: the topmost is 0, those below it follow
/// in their order, each with all that is below it. The player keeps by that number whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    kind: Kind,
    depth: usize,
    size: usize,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// One zone.
    Zone(Zone),
    /// All that cover the note, together. None of them: silence.
    Layers(Vec<Part>),
    /// One of those that cover the note: each in its turn (round robin).
    InTurn(Vec<Part>),
    /// One of those that cover the note, drawn anew for each note.
    AtRandom {
        /// Each with its chance, relative to the others'. Where all are 0, all are alike.
        parts: Vec<(Weight, Part)>,
        /// Whether one that was drawn can be drawn again before all others were.
        replaced: bool,
    },
    /// A part whose pitch and gain are drawn anew for each note.
    Varied(Variation, Box<Part>),
}

/// By how much pitch and gain may differ from note to note: every factor between both ends is equally likely.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    pitch: RangeInclusive<Cents>,
    gain: RangeInclusive<Decibels>,
}

impl Variation {
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

impl From<Zone> for Part {
    fn from(zone: Zone) -> Self {
        Self { kind: Kind::Zone(zone), depth: 1, size: 1 }
    }
}

/// Silence.
impl Default for Part {
    fn default() -> Self {
        Self { kind: Kind::Layers(Vec::new()), depth: 1, size: 1 }
    }
}

impl Part {
    /// The most parts one within the other.
    pub const DEEPEST: usize = 64;

    /// # Errors
    /// [`Invalid::TooDeep`] if there are more than [`Part::DEEPEST`] one within the other.
    pub fn new(kind: Kind) -> Result<Self, Invalid> {
        let mut part = Self { kind, depth: 1, size: 1 };
        let (deepest, all) =
            part.below().fold((0, 0), |(depth, size), below| (below.depth.max(depth), below.size + size));
        (part.depth, part.size) = (deepest + 1, all + 1);
        if part.depth > Self::DEEPEST { Err(Invalid::TooDeep) } else { Ok(part) }
    }

    /// All of these zones together.
    #[must_use]
    pub fn layers(zones: impl IntoIterator<Item = Zone>) -> Self {
        let parts: Vec<Self> = zones.into_iter().map(Self::from).collect();
        let size = parts.len() + 1;
        Self { depth: if parts.is_empty() { 1 } else { 2 }, size, kind: Kind::Layers(parts) }
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// How many parts it is made of, itself included: how far the number of the part after it is from its own.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The parts right below it.
    pub fn below(&self) -> impl Iterator<Item = &Self> {
        let (plain, weighted, varied) = match &self.kind {
            Kind::Zone(_) => (&[][..], &[][..], None),
            Kind::Layers(parts) | Kind::InTurn(parts) => (&parts[..], &[][..], None),
            Kind::AtRandom { parts, .. } => (&[][..], &parts[..], None),
            Kind::Varied(_, part) => (&[][..], &[][..], Some(&**part)),
        };
        plain.iter().chain(weighted.iter().map(|(_, part)| part)).chain(varied)
    }

    /// Whether a note sounds any zone of it.
    #[must_use]
    pub fn covers(&self, key: Key, velocity: Velocity) -> bool {
        match &self.kind {
            Kind::Zone(zone) => zone.covers(key, velocity),
            _ => self.below().any(|part| part.covers(key, velocity)),
        }
    }

    /// The same with other zones; a zone that becomes none is left out, and so is what then has nothing below it.
    #[must_use]
    pub fn with_zones(&self, change: &mut impl FnMut(&Zone) -> Option<Zone>) -> Option<Self> {
        let mut below = |parts: &[Self]| -> Vec<Self> {
            exact(parts.iter().filter_map(|part| part.with_zones(change)).collect())
        };
        let kind = match &self.kind {
            Kind::Zone(zone) => return change(zone).map(Self::from),
            Kind::Layers(parts) => Kind::Layers(below(parts)),
            Kind::InTurn(parts) => Kind::InTurn(below(parts)),
            Kind::AtRandom { parts, replaced } => {
                let kept =
                    parts.iter().filter_map(|(weight, part)| Some((*weight, part.with_zones(change)?)));
                Kind::AtRandom { parts: exact(kept.collect()), replaced: *replaced }
            }
            Kind::Varied(variation, part) => {
                Kind::Varied(variation.clone(), Box::new(part.with_zones(change)?))
            }
        };
        // Not deeper than it was.
        Self::new(kind).ok().filter(|part| part.size > 1)
    }

    /// All zones it could sound, in their order.
    #[must_use]
    pub fn zones(&self) -> Vec<&Zone> {
        let (mut zones, mut waiting) = (Vec::new(), vec![self]);
        while let Some(part) = waiting.pop() {
            match &part.kind {
                Kind::Zone(zone) => zones.push(zone),
                _ => {
                    let first = waiting.len();
                    waiting.extend(part.below());
                    waiting[first..].reverse();
                }
            }
        }
        zones
    }
}

/// Without room to grow: a tree of small parts would hold more room than parts.
fn exact<T>(mut parts: Vec<T>) -> Vec<T> {
    parts.shrink_to_fit();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SampleIndex;

    fn zone(sample: usize) -> Zone {
        Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO)
    }

    fn tree() -> Part {
        let random = Kind::AtRandom {
            parts: vec![(Weight::ONE, zone(0).into()), (Weight::ONE, zone(1).into())],
            replaced: true,
        };
        let varied = Variation::new(Cents::ZERO..=Cents::ZERO, Decibels::UNITY..=Decibels::UNITY).unwrap();
        let layers = Kind::Layers(vec![Part::new(random).unwrap(), zone(2).into()]);
        Part::new(Kind::Varied(varied, Box::new(Part::new(layers).unwrap()))).unwrap()
    }

    #[test]
    fn zones_come_in_the_order_of_the_tree() {
        let samples: Vec<usize> = tree().zones().iter().map(|zone| zone.sample().get()).collect();
        assert_eq!(samples, [0, 1, 2]);
        assert_eq!(tree().size(), 6);
    }

    #[test]
    fn what_loses_all_its_zones_goes_with_them() {
        let keep = |samples: &'static [usize]| {
            tree().with_zones(&mut |zone| samples.contains(&zone.sample().get()).then(|| zone.clone()))
        };
        assert_eq!(keep(&[0, 1, 2]), Some(tree()));
        assert_eq!(keep(&[2]).map(|part| part.size()), Some(3));
        assert_eq!(keep(&[]), None);
    }

    #[test]
    fn nothing_is_deeper_than_the_deepest() {
        let mut part = Part::from(zone(0));
        for _ in 1..Part::DEEPEST {
            part = Part::new(Kind::Layers(vec![part])).unwrap();
        }
        assert_eq!(Part::new(Kind::InTurn(vec![part])), Err(Invalid::TooDeep));
    }

    #[test]
    fn a_part_covers_what_any_of_its_zones_covers() {
        let key = |key| Key::new(key).unwrap();
        let all = Velocity::LOWEST..=Velocity::HIGHEST;
        let low = zone(0).within(Key::LOWEST..=key(10), all.clone()).unwrap();
        let high = zone(1).within(key(20)..=Key::HIGHEST, all).unwrap();
        let part = Part::new(Kind::InTurn(vec![low.into(), high.into()])).unwrap();
        let covers = |k| part.covers(key(k), Velocity::HIGHEST);
        assert_eq!([covers(10), covers(15), covers(20)], [true, false, true]);
        assert!(!Part::default().covers(Key::C4, Velocity::HIGHEST));
    }

    #[test]
    fn a_variation_that_ends_before_it_begins_is_refused() {
        let cents = |cents| Cents::new(cents).unwrap();
        let unity = Decibels::UNITY..=Decibels::UNITY;
        assert_eq!(Variation::new(cents(1.0)..=cents(-1.0), unity), Err(Invalid::EmptyRange));
    }
}
