//! What the keys play in the kit map.

use std::collections::BTreeMap;

use player::keyboard::{KeyMapMode, Scheme, kit_sound};
use song::Key;

use super::Model;

impl Model {
    /// Returns the index of the sound that a key plays in the kit map: the bank is that of the chosen sound. Picked
    /// sounds make the kit, else a search or an order makes it of what it shows, in its order.
    #[must_use]
    pub fn kit_sound(&self, key: Key) -> Option<usize> {
        self.kit()(key)
    }

    /// Returns what each key plays in the kit map.
    fn kit(&self) -> impl Fn(Key) -> Option<usize> {
        let picked = &self.list.picked;
        let shown = match picked.is_empty() {
            true => self.list.is_flat().then(|| self.list.sounds().collect()),
            false => Some(picked.clone()),
        };
        let place = |shown: &Vec<usize>| shown.iter().position(|sound| *sound == self.chosen);
        let chosen = shown.as_ref().map_or(self.chosen, |shown| place(shown).unwrap_or(0));
        let count = shown.as_ref().map_or(self.sounds.len(), Vec::len);
        move |key| {
            let place = kit_sound(chosen, count, key)?;
            shown.as_ref().map_or(Some(place), |shown| shown.get(place).copied())
        }
    }

    /// Returns the sounds of the kit's bank, in the order of their keys.
    #[must_use]
    pub fn kit_sounds(&self) -> Vec<usize> {
        let kit = self.kit();
        (0..=Key::HIGHEST.get()).filter_map(|key| kit(Key::new(key).ok()?)).collect()
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
