//! What the keys play in the kit map.

use std::collections::{BTreeMap, BTreeSet};

use player::keyboard::{KeyMapMode, Scheme, kit_sound};
use song::Key;

use super::Model;

impl Model {
    /// Returns the index of the sound that a key plays in the kit map: the bank is that of the chosen sound. Picked
    /// sounds make the kit, on the keys that were set by hand if any were. Else a search or an order makes it of what
    /// it shows, in its order.
    #[must_use]
    pub fn kit_sound(&self, key: Key) -> Option<usize> {
        self.kit()(key)
    }

    /// Returns the sound that a key plays in the kit map, and the key that it is played at: in its zone the key itself,
    /// else its root.
    #[must_use]
    pub fn kit_note(&self, key: Key) -> Option<(usize, Key)> {
        let sound = self.kit_sound(key)?;
        Some((sound, if self.has_key_zones() { key } else { self.root(sound) }))
    }

    /// Returns whether keys were set by hand for a picked sound: then zones make the kit.
    fn has_key_zones(&self) -> bool {
        self.list.picked.iter().any(|sound| !self.zone(*sound).is_on_all_keys())
    }

    /// Returns what each key plays in the kit map: of overlapping zones the sound that was picked first.
    fn kit(&self) -> impl Fn(Key) -> Option<usize> {
        let picked = &self.list.picked;
        let zone = |sound: &usize| (*sound, self.zone(*sound).keys());
        let zones: Option<Vec<_>> = self.has_key_zones().then(|| picked.iter().map(zone).collect());
        let shown = match picked.is_empty() {
            true => self.list.is_flat().then(|| self.list.sounds().collect()),
            false => Some(picked.clone()),
        };
        let place = |shown: &Vec<usize>| shown.iter().position(|sound| *sound == self.chosen);
        let chosen = shown.as_ref().map_or(self.chosen, |shown| place(shown).unwrap_or(0));
        let count = shown.as_ref().map_or(self.sounds.len(), Vec::len);
        move |key| {
            if let Some(zones) = &zones {
                return zones.iter().find(|(_, keys)| keys.contains(&key)).map(|(sound, _)| *sound);
            }
            let place = kit_sound(chosen, count, key)?;
            shown.as_ref().map_or(Some(place), |shown| shown.get(place).copied())
        }
    }

    /// Returns the sounds of the kit's bank, in the order of their keys.
    #[must_use]
    pub fn kit_sounds(&self) -> Vec<usize> {
        let kit = self.kit();
        // A zone has several keys.
        let mut known = BTreeSet::new();
        let sounds = (0..=Key::HIGHEST.get()).filter_map(|key| kit(Key::new(key).ok()?));
        sounds.filter(|sound| known.insert(*sound)).collect()
    }

    /// Returns the keys of the computer, in capitals, by the sounds that they play in the kit map; nothing in the
    /// other.
    #[must_use]
    pub fn kit_keys(&self) -> BTreeMap<usize, char> {
        if self.map != KeyMapMode::Kit {
            return BTreeMap::new();
        }
        let kit = self.kit();
        let played = |(typed, semitone): (char, u8)| Some((kit(self.key_at(semitone)?)?, self.label(typed)));
        Scheme::of(self.layout).notes().filter_map(played).collect()
    }
}
