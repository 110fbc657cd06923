//! What the keys play in the kit map.

use std::collections::{BTreeMap, BTreeSet};

use player::keyboard::{KeyMapMode, Scheme, kit_sound};
use player::saved_instrument::{ZoneRanges, key_in_zone};
use song::Key;

use super::Model;

impl Model {
    /// Returns the index of the sound that is shown on a key in the kit map: the bank is that of the chosen sound.
    /// Picked sounds make the kit, in the zones that were set by hand if any were; of several sounds in a zone of the
    /// key and the velocity the first is shown. Else a search or an order makes it of what it shows, in its order.
    #[must_use]
    pub fn kit_sound(&self, key: Key) -> Option<usize> {
        let is_struck = |sound: &usize| self.zone(*sound).velocities().contains(&self.velocity);
        let has_zones = self.has_zones();
        self.kit()(key).into_iter().find(|sound| !has_zones || is_struck(sound))
    }

    /// Returns the sounds that a note begins in the kit map, and the keys that they are played at: in zones at the
    /// pitch of the key, else at their roots. Sounds that take turns pass the turn on.
    pub fn begin_kit_note(&mut self, key: Key) -> Vec<(usize, Key)> {
        if !self.has_zones() {
            return self.kit_sound(key).map(|sound| (sound, self.root(sound))).into_iter().collect();
        }
        let zones = self.picked_zones();
        self.kit_zones.set(zones);
        let sounds = self.kit_zones.begin(key, self.velocity);
        let name = |sound: usize| self.sounds.get(sound).map_or("", |entry| &entry.name);
        let at = |sound| Some((sound, key_in_zone(name(sound), self.root(sound), key)?));
        sounds.into_iter().filter_map(at).collect()
    }

    /// Returns whether a zone was set by hand for a picked sound: then zones make the kit.
    fn has_zones(&self) -> bool {
        self.list.picked.iter().any(|sound| self.zones.contains_key(sound))
    }

    /// Returns the zones of picked sounds that can be played, in the order in which they were picked.
    fn picked_zones(&self) -> Vec<(usize, ZoneRanges)> {
        let is_playable =
            |sound: &&usize| self.sounds.get(**sound).is_some_and(|entry| entry.silent.is_none());
        let picked = self.list.picked.iter().filter(is_playable);
        picked.map(|sound| (*sound, self.zone(*sound))).collect()
    }

    /// Returns what each key plays in the kit map: in zones all sounds that have the key.
    fn kit(&self) -> impl Fn(Key) -> Vec<usize> {
        let picked = &self.list.picked;
        let zones = self.has_zones().then(|| self.picked_zones());
        let shown = match picked.is_empty() {
            true => self.list.is_flat().then(|| self.list.sounds().collect()),
            false => Some(picked.clone()),
        };
        let place = |shown: &Vec<usize>| shown.iter().position(|sound| *sound == self.chosen);
        let chosen = shown.as_ref().map_or(self.chosen, |shown| place(shown).unwrap_or(0));
        let count = shown.as_ref().map_or(self.sounds.len(), Vec::len);
        move |key| {
            if let Some(zones) = &zones {
                let with_key = zones.iter().filter(|(_, zone)| zone.keys().contains(&key));
                return with_key.map(|(sound, _)| *sound).collect();
            }
            let sound = kit_sound(chosen, count, key)
                .and_then(|place| shown.as_ref().map_or(Some(place), |shown| shown.get(place).copied()));
            sound.into_iter().collect()
        }
    }

    /// Returns the sounds of the kit's bank, in the order of their keys.
    #[must_use]
    pub fn kit_sounds(&self) -> Vec<usize> {
        let kit = self.kit();
        // A zone has several keys.
        let mut known = BTreeSet::new();
        let keys = (0..=Key::HIGHEST.get()).filter_map(|key| Key::new(key).ok());
        keys.flat_map(kit).filter(|sound| known.insert(*sound)).collect()
    }

    /// Returns the keys of the computer, in capitals, by the sounds that they play in the kit map; nothing in the
    /// other.
    #[must_use]
    pub fn kit_keys(&self) -> BTreeMap<usize, char> {
        if self.map != KeyMapMode::Kit {
            return BTreeMap::new();
        }
        let kit = self.kit();
        let played = |(typed, semitone): (char, u8)| {
            let sounds = self.key_at(semitone).map(&kit).unwrap_or_default();
            sounds.into_iter().map(move |sound| (sound, self.label(typed)))
        };
        Scheme::of(self.layout).notes().flat_map(played).collect()
    }
}
