//! The vocabulary of usampler. Everything an importer can make and the engine can play is said in these types,
//! and a value that exists is valid: constructors check, readers need not.
//!
//! ```text
//! Song ─┬─ samples      Sample: planar frames as recorded (i16 or f32), rate, root key, loops, origin
//!       ├─ instruments  Instrument: a part and an envelope
//!       │                 Part: zones that sound together or are chosen among
//!       │                 Zone: key range × velocity range → one sample, its tuning, gain and pan
//!       ├─ articulations  Articulation: how notes of some zones move while they sound
//!       ├─ patterns     Pattern: rows × channels of cells
//!       ├─ orders       the patterns in playing order
//!       └─ module       what a tracker module says beyond all that: its own patterns, envelopes, tuning
//! ```
//!
//! Depends on nothing.
#![forbid(unsafe_code)]

mod articulation;
mod instrument;
mod invalid;
mod loop_range;
pub mod module;
mod pattern;
mod sample;
#[allow(
    clippy::module_inception,
    reason = "the crate is named for what it holds, and so is its main type's module"
)]
mod song;
mod units;
mod zone;
mod zone_tree;

pub use articulation::Articulation;
pub use instrument::{Envelope, Instrument};
pub use invalid::Invalid;
pub use loop_range::{LoopCount, LoopMode, LoopRange};
pub use pattern::{Cell, Pattern};
pub use sample::{Origin, Planes, Recording, Sample, Width};
pub use song::{ArticulationIndex, InstrumentIndex, PatternIndex, SampleIndex, Song, SongParts};
pub use units::{Cents, Decibels, Frames, Hz, Key, Pan, Velocity, Weight};
pub use zone::Zone;
pub use zone_tree::{Node, RandomizedParams, ZoneTree};
