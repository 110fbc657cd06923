//! Zones that are set by hand, of the instrument that picked sounds make.

use player::saved_instrument::ZoneRanges;

use super::Model;
use super::history::SoundSettings;

impl Model {
    /// Returns the zone of a sound.
    #[must_use]
    pub fn zone(&self, sound: usize) -> ZoneRanges {
        self.zones.get(&sound).copied().unwrap_or_default()
    }

    /// Sets the zone of a sound. One on all keys and velocities counts as not set.
    pub(crate) fn set_zone(&mut self, sound: usize, zone: ZoneRanges) {
        if zone == ZoneRanges::default() {
            self.zones.remove(&sound);
        } else {
            self.zones.insert(sound, zone);
        }
    }

    /// Returns how a sound is changed, with its zone.
    #[must_use]
    pub fn settings(&self, sound: usize) -> SoundSettings {
        SoundSettings { voicing: self.voicing(sound), zone: self.zone(sound) }
    }
}
