//! Zones that are played before they are saved: which sounds a note begins.

use std::collections::BTreeSet;

use engine::ZoneSelector;
use song::{Cents, Instrument, Key, SampleIndex, Velocity, Zone, ZoneTree};

use super::{ZoneRanges, known_root};

/// Picked sounds with their zones, played as the instrument that [`Arrangement::Zones`](super::Arrangement::Zones)
/// makes of them: what covers a note sounds together, except that sounds of one group take turns.
#[derive(Clone, Debug, PartialEq)]
pub struct PickedZones {
    zones: Vec<(usize, ZoneRanges)>,
    /// The instrument, in which sample i stands for sound i.
    instrument: Instrument,
    selector: ZoneSelector,
}

impl Default for PickedZones {
    fn default() -> Self {
        Self { zones: Vec::new(), instrument: Instrument::default(), selector: ZoneSelector::new(0) }
    }
}

impl PickedZones {
    /// Sets the sounds, by their indices, and their zones. Turns begin anew if these are others than before.
    pub fn set(&mut self, zones: Vec<(usize, ZoneRanges)>) {
        if zones == self.zones {
            return;
        }
        let part = |(sound, ranges): &(usize, ZoneRanges)| {
            let zone = Zone::whole_keyboard(SampleIndex::new(*sound), Key::C4, Cents::ZERO);
            let zone = zone.within(ranges.keys(), ranges.velocities()).ok()?;
            Some((ranges.turns(), ZoneTree::from(zone)))
        };
        // Two levels are never too deep.
        let tree = ZoneTree::taking_turns(zones.iter().filter_map(part)).unwrap_or_default();
        *self = Self { zones, instrument: Instrument { tree, ..Instrument::default() }, ..Self::default() };
    }

    /// Returns the sounds that a note begins, each once, and passes the turn on.
    pub fn begin(&mut self, key: Key, velocity: Velocity) -> Vec<usize> {
        let zones = self.selector.begin(&self.instrument, key, velocity);
        let mut known = BTreeSet::new();
        let sounds = zones.into_iter().map(|zone| zone.sample().get());
        sounds.filter(|sound| known.insert(*sound)).collect()
    }
}

/// Returns the key at which a sound is played to sound as its zone does at `key`: they differ where the name of the
/// sound states the root that its zone is saved with. None if there is no such key.
#[must_use]
pub fn key_in_zone(name: &str, root: Key, key: Key) -> Option<Key> {
    let zone_root = known_root(name, root);
    key.shifted(i32::from(root.get()) - i32::from(zone_root.get()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved_instrument::ZoneParameter;

    fn zone(values: &[(ZoneParameter, u8)]) -> ZoneRanges {
        let mut ranges = ZoneRanges::default();
        values.iter().for_each(|(parameter, value)| parameter.set(&mut ranges, *value));
        ranges
    }

    fn key(key: u8) -> Key {
        Key::new(key).unwrap()
    }

    fn begun(zones: &mut PickedZones, pressed: u8, velocity: u8) -> Vec<usize> {
        zones.begin(key(pressed), Velocity::new(velocity).unwrap())
    }

    #[test]
    fn keys_and_velocities_choose_and_what_overlaps_sounds_together() {
        let mut zones = PickedZones::default();
        assert!(begun(&mut zones, 60, 100).is_empty());
        let soft = zone(&[(ZoneParameter::HighVelocity, 63)]);
        let loud = zone(&[(ZoneParameter::LowVelocity, 64), (ZoneParameter::LowKey, 60)]);
        zones.set(vec![(7, soft), (3, loud), (5, zone(&[(ZoneParameter::HighKey, 60)]))]);
        let notes = [(60, 63), (60, 64), (61, 63), (61, 127), (59, 127)];
        let sounds = notes.map(|(pressed, velocity)| begun(&mut zones, pressed, velocity));
        assert_eq!(sounds, [vec![7, 5], vec![3, 5], vec![7], vec![3], vec![5]]);
    }

    #[test]
    fn a_group_takes_turns_and_passes_over_what_does_not_cover_the_note() {
        let mut zones = PickedZones::default();
        let turns = zone(&[(ZoneParameter::Turns, 2)]);
        let loud = zone(&[(ZoneParameter::Turns, 2), (ZoneParameter::LowVelocity, 100)]);
        let picked = vec![(0, turns), (1, loud), (2, turns)];
        zones.set(picked.clone());
        let sounds = [127, 127, 127, 50, 50].map(|velocity| begun(&mut zones, 60, velocity));
        assert_eq!(sounds, [[0], [1], [2], [0], [2]]);
        zones.set(picked.clone());
        assert_eq!(begun(&mut zones, 60, 127), [0], "and goes on while the zones are the same");
        assert_eq!(begun(&mut zones, 60, 127), [1]);
        zones.set(picked[1..].to_vec());
        assert_eq!(begun(&mut zones, 60, 127), [1], "anew");
    }

    #[test]
    fn a_name_that_states_the_root_moves_the_key_as_it_moves_the_zone() {
        assert_eq!(key_in_zone("Keys.Piano_A3", Key::C4, key(57)), Some(Key::C4));
        assert_eq!(key_in_zone("Keys.Piano_A3", key(50), key(57)), Some(key(57)), "a root is set");
        assert_eq!(key_in_zone("Kick", Key::C4, key(36)), Some(key(36)));
        assert_eq!(key_in_zone("Keys.Piano_A3", Key::C4, Key::HIGHEST), None);
    }
}
