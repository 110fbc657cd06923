//! Where the adjustments of the package that is played are kept, and when they are written.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use player::Error;
use player::adjustments::{Adjustments, Content, SoundDefaults};
use player::voicing::Voicing;

use crate::input::Input;
use crate::tui::model::SoundEntry;

/// How long nothing is turned before what was turned is written.
const REST: Duration = Duration::from_secs(1);

/// The file, and what of it is not written yet.
pub struct KeptAdjustments {
    adjustments: Adjustments,
    /// What the sounds are called, and what they say themselves.
    sounds: Vec<(String, SoundDefaults)>,
    /// What was adjusted in earlier sessions.
    voicings: BTreeMap<usize, Voicing>,
    /// When something was adjusted last that is not written.
    changed: Option<Instant>,
}

impl KeptAdjustments {
    /// Finds the adjustments of a package; none where the user has no home.
    ///
    /// # Errors
    /// If the package or the file cannot be read, as a sentence.
    pub fn of(input: &Input, sounds: &[SoundEntry]) -> Result<Option<Self>, String> {
        let read_at = |at: u64, out: &mut [u8]| input.read_at(at, out);
        let content = Content { length: input.len(), read_at: &read_at };
        let adjustments =
            Adjustments::of(content, sounds.len(), &input.label).map_err(|error| error.to_string())?;
        let Some(adjustments) = adjustments else { return Ok(None) };
        let defaults = |entry: &SoundEntry| SoundDefaults { envelope: entry.envelope, root: entry.root };
        let all: Vec<SoundDefaults> = sounds.iter().map(defaults).collect();
        let voicings = adjustments.load(&all).map_err(|error| error.message().to_owned())?;
        let sounds = sounds.iter().map(|entry| entry.name.clone()).zip(all).collect();
        Ok(Some(Self { adjustments, sounds, voicings, changed: None }))
    }

    /// Returns what was adjusted in earlier sessions.
    #[must_use]
    pub const fn voicings(&self) -> &BTreeMap<usize, Voicing> {
        &self.voicings
    }

    /// Something was adjusted.
    pub(super) fn touch(&mut self) {
        self.changed = Some(Instant::now());
    }

    /// Writes what was adjusted, once nothing was for a while, or now.
    ///
    /// # Errors
    /// If it cannot be written; it is not tried again before something else is adjusted.
    pub(super) fn save(&mut self, voicings: &BTreeMap<usize, Voicing>, now: bool) -> Result<(), Error> {
        if self.changed.take_if(|changed| now || changed.elapsed() >= REST).is_none() {
            return Ok(());
        }
        let own = |sound: usize| self.sounds.get(sound).map(|(name, own)| (name.as_str(), *own));
        self.adjustments.save(voicings, own)
    }
}
