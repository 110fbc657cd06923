//! Saved instruments, and what instruments of sounds in several files have.

use std::path::Path;
use std::sync::Arc;

use song::{Instrument, Sends};
use unreal::Source;

use super::SoundFile;
use crate::collection::saved_instrument;
use crate::open::{Files, OpenOptions};
use crate::{Error, Remark, SavedInstrument, Sound};

impl SoundFile {
    /// Opens the files that a saved instrument plays, and describes its sounds.
    ///
    /// # Errors
    /// If it takes more than the budget. A file that is missing is no error; [`SoundFile::missing`] says so.
    pub(crate) fn open_saved_instrument(
        saved: &SavedInstrument,
        source: Arc<dyn Source>,
        place: (&Arc<dyn Files>, &Path),
        name: &str,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let sounds = saved_instrument::open(saved, source, place, name, options)?;
        let stored = sounds.stored();
        Ok(Self::of(sounds, name, stored, options.budget.clone()))
    }

    /// Returns what it should play of other files and cannot, by the names of the sounds.
    #[must_use]
    pub fn missing(&self) -> &[Remark] {
        self.collection.missing()
    }

    /// Returns what the notes of a sound send to effects.
    #[must_use]
    pub fn sends(&self, sound: &Sound) -> Sends {
        self.collection.whole_instrument(sound, Instrument::default()).sends
    }
}
