//! Events of sound banks by other values of switches and states.

use song::{Articulation, Instrument, ZoneTree};
use unreal::Limits;

use super::SoundFile;
use crate::collection::sound_bank::{SoundBanks, SwitchChoice, SwitchValue, SwitchedEvents};
use crate::{Contents, Error, Imported, Sound, Status, assemble};

impl SoundFile {
    /// Returns the switches and states that choose what events of its sound banks play.
    #[must_use]
    pub fn switches(&self) -> Vec<SwitchChoice> {
        self.banks().map_or_else(Vec::new, SoundBanks::switches)
    }

    fn events(&self, values: &[SwitchValue]) -> SwitchedEvents {
        let limits = &mut Limits::with_structures(self.budget.structures);
        let switched = self.banks().map(|banks| banks.switched(values, limits));
        switched.unwrap_or_else(|| SwitchedEvents { trees: Vec::new(), articulations: Vec::new() })
    }

    /// Returns the instruments of all events of its sound banks by values of switches and states, by their numbers, and
    /// the articulations of their zones: as [`SoundFile::instrument`] and [`SoundFile::articulations`] by the values
    /// that it was opened with.
    #[must_use]
    pub fn switched(&self, values: &[SwitchValue]) -> (Vec<(usize, Instrument)>, Vec<Articulation>) {
        let SwitchedEvents { trees, articulations } = self.events(values);
        let instrument = |(number, tree): (usize, ZoneTree)| {
            let event = self.sound(number).ok()?;
            Some((number, assemble::instrument_of_zones(event, &tree, self.sounds())))
        };
        (trees.into_iter().filter_map(instrument).collect(), articulations)
    }

    /// Imports like [`SoundFile::import_only`], with events by values of switches and states.
    ///
    /// # Errors
    /// As [`SoundFile::import_only`].
    pub fn import_switched(
        &self,
        values: &[SwitchValue],
        wanted: impl FnMut(&Sound) -> bool,
    ) -> Result<Imported, Error> {
        if values.is_empty() {
            return self.import_only(wanted);
        }
        let SwitchedEvents { trees, articulations } = self.events(values);
        let mut sounds = self.sounds().to_vec();
        for (number, tree) in trees {
            let event = number.checked_sub(1).and_then(|index| sounds.get_mut(index));
            if let Some(event) = event {
                if !tree.zones().is_empty() {
                    event.status = Status::Ok;
                }
                event.contents = Contents::Zones(tree);
            }
        }
        self.import_sounds(&sounds, articulations, wanted, &mut |_| {})
    }
}
