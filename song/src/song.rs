use std::num::NonZeroU32;
use std::sync::Arc;

use crate::module::Module;
use crate::{Articulation, Instrument, Invalid, Sample};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        // One more than the index, so that an option takes no more memory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(NonZeroU32);

        impl $name {
            /// Counted from 0. One that is larger than any song becomes the largest there is, which no song has either.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(NonZeroU32::MIN.saturating_add(u32::try_from(index).unwrap_or(u32::MAX)))
            }

            /// Returns the index, counted from 0.
            #[must_use]
            pub const fn get(self) -> usize {
                (self.0.get() - 1) as usize
            }
        }
    };
}

index! {
    /// Which sample of a song.
    SampleIndex
}
index! {
    /// Which instrument of a song.
    InstrumentIndex
}
index! {
    /// Which articulation of a song.
    ArticulationIndex
}

/// The parts of a song before they are checked against one another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SongParts {
    /// Its title, or the name of the package.
    pub name: String,
    /// Shared, since the engine and a screen may both look at one.
    pub samples: Vec<Arc<Sample>>,
    /// What notes are played on.
    pub instruments: Vec<Instrument>,
    /// How notes of some zones move.
    pub articulations: Vec<Articulation>,
    /// Orders and patterns, and what a tracker module says of its instruments beyond all that.
    pub module: Module,
}

/// Samples, the instruments made of them and the patterns that play these. Every zone finds its sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Song(SongParts);

impl Song {
    /// # Errors
    /// [`Invalid::Missing`] if a zone or the module refers to something the song does not have.
    pub fn new(parts: SongParts) -> Result<Self, Invalid> {
        let check = |what, index: usize, count: usize| {
            if index < count { Ok(()) } else { Err(Invalid::Missing { what, index, count }) }
        };
        for zone in parts.instruments.iter().flat_map(Instrument::zones) {
            check("sample", zone.sample().get(), parts.samples.len())?;
            if let Some(articulation) = zone.articulation() {
                check("articulation", articulation.get(), parts.articulations.len())?;
            }
        }
        parts.module.check(parts.samples.len())?;
        Ok(Self(parts))
    }

    /// Returns its title, or the name of the package.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the samples, by [`SampleIndex`].
    #[must_use]
    pub fn samples(&self) -> &[Arc<Sample>] {
        &self.0.samples
    }

    /// Returns the instruments, by [`InstrumentIndex`].
    #[must_use]
    pub fn instruments(&self) -> &[Instrument] {
        &self.0.instruments
    }

    /// Returns the articulations, by [`ArticulationIndex`].
    #[must_use]
    pub fn articulations(&self) -> &[Articulation] {
        &self.0.articulations
    }

    /// Returns the orders and patterns that play the instruments, with all that the tracker module says that it is
    /// made of.
    #[must_use]
    pub const fn module(&self) -> &Module {
        &self.0.module
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cents, Key, Zone};

    #[test]
    fn an_empty_song_is_a_song() {
        assert!(Song::new(SongParts::default()).is_ok());
    }

    #[test]
    fn a_zone_without_its_sample_is_refused() {
        let tree = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO).into();
        let instruments = vec![Instrument { tree, ..Instrument::default() }];
        let song = Song::new(SongParts { instruments, ..SongParts::default() });
        assert_eq!(song, Err(Invalid::Missing { what: "sample", index: 0, count: 0 }));
    }

    #[test]
    fn a_zone_without_its_articulation_is_refused() {
        let zone = Zone::whole_keyboard(SampleIndex::new(0), Key::C4, Cents::ZERO);
        let tree = zone.with_articulation(Some(ArticulationIndex::new(0))).into();
        let instruments = vec![Instrument { tree, ..Instrument::default() }];
        let samples = vec![Arc::new(Sample::new(
            crate::Origin::default(),
            crate::Recording::I16(crate::Planes::new(vec![vec![0]]).unwrap()),
            crate::Width::Sixteen,
            crate::Hz::ONE,
        ))];
        let song = Song::new(SongParts { instruments, samples, ..SongParts::default() });
        assert_eq!(song, Err(Invalid::Missing { what: "articulation", index: 0, count: 0 }));
    }
}
