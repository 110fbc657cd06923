//! A decoded sound.

use std::ops::Deref;

use song::Sample;

use crate::HeldMemory;

/// A decoded sound, and the memory that it holds.
#[derive(Debug)]
pub struct DecodedSound {
    pub(super) sample: Sample,
    pub(super) held: HeldMemory,
}

impl DecodedSound {
    /// Returns the sound alone; its memory counts no more.
    #[must_use]
    pub fn into_sample(self) -> Sample {
        self.sample
    }

    /// Returns the sound, and its memory, to be held as long as anything that was made of it.
    #[must_use]
    pub fn into_parts(self) -> (Sample, HeldMemory) {
        (self.sample, self.held)
    }
}

impl Deref for DecodedSound {
    type Target = Sample;

    fn deref(&self) -> &Sample {
        &self.sample
    }
}
