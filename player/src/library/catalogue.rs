//! What is known of the sounds of a library, decoded or not.

use std::collections::BTreeSet;
use std::sync::Arc;

use song::{Articulation, Instrument, Song, Zone};

use super::Unplayable;
use super::loader::PlayableSounds;

/// All sounds, by index.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    packages: Vec<CataloguePackage>,
    sounds: Vec<CatalogueSound>,
}

#[derive(Debug)]
struct CataloguePackage {
    /// The index of its first sound.
    first: usize,
    articulations: Arc<[Articulation]>,
}

#[derive(Debug)]
struct CatalogueSound {
    /// The index of its package.
    package: usize,
    /// How it is played: sample i stands for the package's sound of that index.
    instrument: Instrument,
    /// Bytes that its own recording takes.
    needed: u64,
    /// Why its own recording cannot be had.
    unplayable: Option<Unplayable>,
}

impl Catalogue {
    /// Adds the sounds of a package; returns the index of the first.
    pub(super) fn add(&mut self, added: PlayableSounds) -> usize {
        let PlayableSounds { sounds, articulations, .. } = added;
        let (first, package) = (self.sounds.len(), self.packages.len());
        self.packages.push(CataloguePackage { first, articulations });
        self.add_sounds(package, sounds);
        first
    }

    /// Adds further sounds of the package that was added last; returns the index of its first.
    pub(super) fn go_on(&mut self, added: PlayableSounds) -> usize {
        let number = self.packages.len().saturating_sub(1);
        let Some(package) = self.packages.last_mut() else { return self.add(added) };
        package.articulations = added.articulations;
        let first = package.first;
        self.add_sounds(number, added.sounds);
        first
    }

    fn add_sounds(&mut self, package: usize, sounds: Vec<(Instrument, u64)>) {
        self.sounds.extend(sounds.into_iter().map(|(instrument, needed)| CatalogueSound {
            package,
            instrument,
            needed,
            unplayable: None,
        }));
    }

    /// Adds a package that nothing is in.
    pub(super) fn add_nothing(&mut self) {
        self.packages.push(CataloguePackage { first: self.sounds.len(), articulations: Arc::from([]) });
    }

    /// Adds the instruments of a song, sample i of which is the recording of that index.
    pub(super) fn add_song(&mut self, song: &Song) {
        let sounds = song.instruments().iter().map(|instrument| (instrument.clone(), 0)).collect();
        let articulations = song.articulations().into();
        self.add(PlayableSounds { sounds, articulations, switches: Vec::new() });
    }

    /// Gives sounds of a package, by their numbers in it, other instruments; returns their indices.
    pub(super) fn set_instruments(
        &mut self,
        package: usize,
        instruments: Vec<(usize, Instrument)>,
        articulations: Arc<[Articulation]>,
    ) -> Vec<usize> {
        let Some(of) = self.packages.get_mut(package) else { return Vec::new() };
        of.articulations = articulations;
        let first = of.first;
        let mut changed = Vec::with_capacity(instruments.len());
        for (number, instrument) in instruments {
            let Some(index) = number.checked_sub(1).map(|index| first + index) else { continue };
            if let Some(sound) = self.sounds.get_mut(index).filter(|sound| sound.package == package) {
                sound.instrument = instrument;
                changed.push(index);
            }
        }
        changed
    }

    pub(super) fn len(&self) -> usize {
        self.sounds.len()
    }

    pub(super) fn instrument(&self, sound: usize) -> Option<&Instrument> {
        self.sounds.get(sound).map(|sound| &sound.instrument)
    }

    pub(super) fn articulations(&self, sound: usize) -> Arc<[Articulation]> {
        let package = self.sounds.get(sound).and_then(|sound| self.packages.get(sound.package));
        package.map_or_else(|| Arc::from([]), |package| Arc::clone(&package.articulations))
    }

    /// Returns the index of the package that a sound is in, and its number there.
    pub(super) fn place(&self, sound: usize) -> Option<(usize, usize)> {
        Some((self.sounds.get(sound)?.package, sound - self.first_of(sound)? + 1))
    }

    /// Returns the index of the first sound of the package that a sound is in.
    pub(super) fn first_of(&self, sound: usize) -> Option<usize> {
        Some(self.packages.get(self.sounds.get(sound)?.package)?.first)
    }

    /// Returns the sounds whose recordings a sound plays, its own included, each once.
    pub(super) fn recordings(&self, sound: usize) -> Vec<usize> {
        let (Some(first), Some(instrument)) = (self.first_of(sound), self.instrument(sound)) else {
            return Vec::new();
        };
        let zones = instrument.zones().into_iter().map(Zone::sample);
        let recordings: BTreeSet<usize> = zones.map(|sample| first + sample.get()).collect();
        recordings.into_iter().collect()
    }

    /// Returns how many bytes recordings take together.
    pub(super) fn needed(&self, recordings: &[usize]) -> u64 {
        let needed = |sound: &usize| self.sounds.get(*sound).map_or(0, |sound| sound.needed);
        recordings.iter().map(needed).fold(0, u64::saturating_add)
    }

    /// Sets how many bytes the recording of a sound takes.
    pub(super) fn set_needed(&mut self, sound: usize, needed: u64) {
        if let Some(sound) = self.sounds.get_mut(sound) {
            sound.needed = needed;
        }
    }

    /// Returns why the recording of a sound cannot be had, if it cannot.
    pub(super) fn unplayable(&self, sound: usize) -> Option<&Unplayable> {
        self.sounds.get(sound)?.unplayable.as_ref()
    }

    /// Notes that the recording of a sound cannot be had.
    pub(super) fn set_unplayable(&mut self, sound: usize, why: Unplayable) {
        if let Some(sound) = self.sounds.get_mut(sound) {
            sound.unplayable = Some(why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_song_adds_a_package_of_its_instruments() {
        let song = fixtures::songs::of(vec![fixtures::songs::mono([1, 2, 3]), fixtures::songs::mono([4])]);
        let mut catalogue = Catalogue::default();
        catalogue.add_nothing();
        catalogue.add_song(&song);
        assert_eq!((catalogue.len(), catalogue.packages.len()), (2, 2));
        assert!(catalogue.sounds.iter().all(|sound| (sound.package, sound.needed) == (1, 0)));
    }
}
