//! The adjustments of a package that is played, and when they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::Error;
use crate::adjustments::{Adjustments, ContentKey, PackageContent};
use crate::clock::Instant;
use song::{SoundDefaults, Voicing};

/// How long nothing is turned before what was turned is written.
const REST: Duration = Duration::from_secs(1);

/// A package whose adjustments are kept.
pub struct AdjustedPackage<'a> {
    /// Its bytes, by which it is recognised.
    pub content: PackageContent<'a>,
    /// Its name, as the user would type it.
    pub label: &'a str,
    /// The names of its sounds, and what they have unless they are adjusted.
    pub sounds: Vec<(String, SoundDefaults)>,
}

/// The adjustments of a package: their file, and which of them are not written yet.
pub struct KeptAdjustments {
    adjustments: Adjustments,
    /// What the sounds are called, and what they say themselves.
    sounds: Vec<(String, SoundDefaults)>,
    /// What was adjusted in earlier sessions, by the index of the sound in its package.
    voicings: BTreeMap<usize, Voicing>,
    /// The index of its first sound among all.
    first: usize,
    /// The indexes of sounds that were adjusted and are not written.
    changed: BTreeSet<usize>,
    /// When the last of them was adjusted, unless writing them has failed since.
    touched: Option<Instant>,
}

impl KeptAdjustments {
    /// Finds the adjustments of a package; none where the user has no home.
    ///
    /// # Errors
    /// If the package or the file cannot be read, as a sentence.
    pub fn of(package: AdjustedPackage<'_>) -> Result<Option<Self>, String> {
        let AdjustedPackage { content, label, sounds } = package;
        let key = ContentKey::of(content).map_err(|error| error.to_string())?;
        let Some(adjustments) = Adjustments::of(&key, sounds.len(), label) else { return Ok(None) };
        let defaults = |index: usize| sounds.get(index).map(|(_, defaults)| *defaults);
        let voicings = adjustments.load(defaults).map_err(|error| error.message().to_owned())?;
        Ok(Some(Self { adjustments, sounds, voicings, first: 0, changed: BTreeSet::new(), touched: None }))
    }

    /// Sets the index of its first sound among those of all packages.
    pub(super) const fn set_first(&mut self, first: usize) {
        self.first = first;
    }

    /// Returns what was adjusted in earlier sessions, by the index of the sound among all.
    pub fn voicings(&self) -> impl Iterator<Item = (usize, Voicing)> {
        self.voicings.iter().map(|(sound, voicing)| (self.first + sound, *voicing))
    }

    /// Notes that a sound was adjusted, if it is one of its own.
    pub(super) fn touch(&mut self, sound: usize) {
        let own = sound.checked_sub(self.first).filter(|own| *own < self.sounds.len());
        if let Some(own) = own {
            self.changed.insert(own);
            self.touched = Some(Instant::now());
        }
    }

    /// Writes the sounds that were adjusted, once nothing was for a while, or now.
    ///
    /// # Errors
    /// If they cannot be written; that is tried again with the next adjustment.
    pub(super) fn save(&mut self, voicings: &BTreeMap<usize, Voicing>, now: bool) -> Result<(), Error> {
        if self.touched.take_if(|touched| now || touched.elapsed() >= REST).is_none() {
            return Ok(());
        }
        let own = |sound: usize| self.sounds.get(sound).map(|(name, own)| (name.as_str(), *own));
        let voicing = |own: &usize| voicings.get(&(self.first + own)).copied().unwrap_or_default();
        let changed = self.changed.iter().map(|own| (*own, voicing(own))).collect();
        self.adjustments.save(&changed, own)?;
        self.changed.clear();
        Ok(())
    }
}
