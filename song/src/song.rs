use std::sync::Arc;

use crate::module::Module;
use crate::{Articulation, Instrument, Invalid, Pattern, Sample};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// Counted from 0. One that is larger than any song becomes the largest there is, which no song has either.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// The index, counted from 0.
            #[must_use]
            pub const fn get(self) -> usize {
                self.0 as usize
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
index! {
    /// Which pattern of a song.
    PatternIndex
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
    /// In no particular order.
    pub patterns: Vec<Pattern>,
    /// The patterns in playing order.
    pub orders: Vec<PatternIndex>,
    /// What a tracker module says beyond all that; its patterns are its own.
    pub module: Option<Module>,
}

/// Samples, the instruments made of them and the patterns that play these. Whatever refers to something finds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Song(SongParts);

impl Song {
    /// # Errors
    /// [`Invalid::Missing`] if a zone, a cell, an order or the module refers to something the song does not have.
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
        for instrument in parts.patterns.iter().flat_map(Pattern::cells).filter_map(|cell| cell.instrument) {
            check("instrument", instrument.get(), parts.instruments.len())?;
        }
        for order in &parts.orders {
            check("pattern", order.get(), parts.patterns.len())?;
        }
        if let Some(module) = &parts.module {
            module.check(parts.samples.len())?;
        }
        Ok(Self(parts))
    }

    /// Its title, or the name of the package.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The samples, by [`SampleIndex`].
    #[must_use]
    pub fn samples(&self) -> &[Arc<Sample>] {
        &self.0.samples
    }

    /// The instruments, by [`InstrumentIndex`].
    #[must_use]
    pub fn instruments(&self) -> &[Instrument] {
        &self.0.instruments
    }

    /// The articulations, by [`ArticulationIndex`].
    #[must_use]
    pub fn articulations(&self) -> &[Articulation] {
        &self.0.articulations
    }

    /// The patterns, by [`PatternIndex`].
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.0.patterns
    }

    /// The patterns in playing order.
    #[must_use]
    pub fn orders(&self) -> &[PatternIndex] {
        &self.0.orders
    }

    /// The tracker module that it is made of.
    #[must_use]
    pub fn module(&self) -> Option<&Module> {
        self.0.module.as_ref()
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

    #[test]
    fn a_cell_without_its_instrument_is_refused() {
        let patterns = vec![Pattern::referring_to(2).unwrap()];
        let instruments = vec![Instrument::default()];
        let song = Song::new(SongParts { patterns, instruments, ..SongParts::default() });
        assert_eq!(song, Err(Invalid::Missing { what: "instrument", index: 1, count: 1 }));
    }

    #[test]
    fn an_order_without_its_pattern_is_refused() {
        let orders = vec![PatternIndex::new(0)];
        let song = Song::new(SongParts { orders, ..SongParts::default() });
        assert_eq!(song, Err(Invalid::Missing { what: "pattern", index: 0, count: 0 }));
    }
}
