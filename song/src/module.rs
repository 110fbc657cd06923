//! Orders and patterns of a song, and what a tracker module says beyond samples and instruments, complete enough to
//! be replayed.
//!
//! ```text
//! Module ─┬─ dialect, writer         by whose rules it plays, and which program wrote it
//!         ├─ globals, channels       how it begins
//!         ├─ orders ─► patterns      rows × channels of cells: note, instrument, column, effect
//!         ├─ instruments             key map ─► samples; envelopes, fadeout, what new notes do to old ones
//!         └─ samples ─► recordings   volume, pan, tuning, loops, vibrato
//! ```
//!
//! Numbers within cells, key maps and orders that lead nowhere are kept: dialects differ in what they do with them.

mod cell;
pub mod cell_text;
pub mod code_page;
mod effect_command;
mod envelope;
mod globals;
mod instrument;
mod macros;
mod order;
mod pattern;
mod volume_command;
mod writer;

pub use cell::{Cell, CellNote, Effect};
pub use effect_command::EffectCommand;
pub use envelope::{BreakpointEnvelope, Point, Span};
pub use globals::{Channel, CompatFlags, Dialect, FrequencyMode, Globals, Level, Panning};
pub use instrument::{
    DuplicateCheck, InitialFilter, Instrument, KeyMap, LfoWave, NewNoteAction, NoteMapping, PitchPan, Sample,
    SampleSource, SampleTuning, Vibrato, VibratoSweep,
};
pub use macros::MidiMacros;
pub use order::Order;
pub use pattern::Pattern;
pub use volume_command::VolumeCommand;
pub use writer::{ModuleWriter, Program, Version};

use crate::{Invalid, SampleIndex};

/// A tracker module, apart from its recordings, which are samples of the [`crate::Song`] it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Its title; may be empty.
    pub title: String,
    /// By whose rules it is played.
    pub dialect: Dialect,
    /// Which program wrote it.
    pub writer: ModuleWriter,
    /// How it begins.
    pub globals: Globals,
    /// The channels in use, from the left of a pattern.
    pub channels: Vec<Channel>,
    /// What is played when, markers included.
    pub orders: Vec<Order>,
    /// The order to go on with after the last, if the file says so.
    pub restart: Option<u16>,
    /// By the numbers of [`Order::Pattern`].
    pub patterns: Vec<Pattern>,
    /// By number less one; empty where cells name samples.
    pub instruments: Vec<Instrument>,
    /// By number less one; those of a `FastTracker` 2 module in the order of its instruments.
    pub samples: Vec<Sample>,
    /// What its author wrote, line by line; may be empty.
    pub message: String,
    /// What its Z effects send; none if it has none of its own.
    pub macros: Option<MidiMacros>,
}

/// Makes a module without orders and patterns.
impl Default for Module {
    fn default() -> Self {
        Self {
            title: String::new(),
            // The one whose keys, volumes and instrument numbers reach farthest.
            dialect: Dialect::ImpulseTracker,
            writer: ModuleWriter::default(),
            globals: Globals::default(),
            channels: Vec::new(),
            orders: Vec::new(),
            restart: None,
            patterns: Vec::new(),
            instruments: Vec::new(),
            samples: Vec::new(),
            message: String::new(),
            macros: None,
        }
    }
}

impl Module {
    /// Makes a module of one pattern that refers to every instrument of a song in sequence ([`Pattern::referring_to`]).
    #[must_use]
    pub fn referring_to(instruments: usize) -> Self {
        let pattern = Pattern::referring_to(instruments);
        let channels = vec![Channel::at(crate::Pan::CENTRE); pattern.channels()];
        Self { channels, orders: vec![Order::Pattern(0)], patterns: vec![pattern], ..Self::default() }
    }

    /// Returns how many orders there are without the ends after the last that is something else.
    #[must_use]
    pub fn order_count(&self) -> usize {
        self.orders.iter().rposition(|order| *order != Order::End).map_or(0, |last| last + 1)
    }

    /// Returns the recordings that its samples refer to.
    pub(crate) fn recordings(&self) -> impl Iterator<Item = SampleIndex> {
        self.samples.iter().filter_map(|sample| match sample.source {
            SampleSource::Recorded(index) => Some(index),
            SampleSource::Silent | SampleSource::Synthesised(_) => None,
        })
    }

    /// # Errors
    /// [`Invalid::Missing`] if a sample refers to a recording that the song does not have.
    pub(crate) fn check(&self, recordings: usize) -> Result<(), Invalid> {
        let mut missing = self.recordings().map(SampleIndex::get).filter(|index| *index >= recordings);
        match missing.next() {
            Some(index) => Err(Invalid::Missing { what: "sample", index, count: recordings }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Song, SongParts};

    fn module() -> Module {
        let orders = vec![Order::Pattern(9), Order::Skip, Order::End, Order::End];
        Module { orders, ..Module::default() }
    }

    #[test]
    fn ends_after_the_last_order_are_not_counted_but_one_in_between_is() {
        assert_eq!(module().order_count(), 2);
        let orders = vec![Order::End, Order::Pattern(0), Order::End];
        assert_eq!(Module { orders, ..module() }.order_count(), 2);
        assert_eq!(Module { orders: vec![Order::End], ..module() }.order_count(), 0);
    }

    #[test]
    fn a_module_whose_recording_is_not_in_the_song_is_refused() {
        let sample = Sample::silent(SampleSource::Recorded(SampleIndex::new(0)));
        let module = Module { samples: vec![sample], ..module() };
        let song = Song::new(SongParts { module, ..SongParts::default() });
        assert_eq!(song, Err(Invalid::Missing { what: "sample", index: 0, count: 0 }));
    }
}
