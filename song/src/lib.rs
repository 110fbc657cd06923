//! The data model of usampler: what importers make and the engine plays. A value that exists is valid: constructors
//! check, readers need not.
//!
//! ```text
//! Song ─┬─ samples      Sample: planar frames as recorded (i16 or f32), rate, root key, loops, origin
//!       ├─ instruments  Instrument: a zone tree and an envelope
//!       │                 ZoneTree: zones that sound together or are chosen among
//!       │                 Zone: key range × velocity range → one sample, its tuning, gain and pan
//!       ├─ articulations  Articulation: how notes of some zones move while they sound
//!       └─ module       orders and patterns, and what a tracker module says of its instruments
//!
//! Voicing ── Parameter    what a musician changes about a sound, and the knobs, controllers and keys for it
//! ```
//!
//! Depends on nothing.
#![forbid(unsafe_code)]

mod articulation;
mod fm_patch;
mod instrument;
mod invalid;
pub mod keymap;
mod loop_range;
pub mod module;
mod parameter;
mod quality;
mod sample;
mod sample_override;
mod shape;
#[allow(
    clippy::module_inception,
    reason = "the crate is named for what it holds, and so is its main type's module"
)]
mod song;
mod tick_envelope;
mod units;
mod voicing;
mod zone;
mod zone_conditions;
mod zone_response;
mod zone_tree;

pub use articulation::{
    Articulation, Choke, ChokeMode, EnvelopePosition, EnvelopeSegment, FadeStart, FilterKind, FilterParams,
    Lfo, LfoShape, LowPass, ModulationDepths, ModulationEnvelope, ModulationLfo, NotePlayed, NoteScaling,
    PitchLfo, SamplerArticulation, SegmentCurve, SegmentEnvelope, TrackerArticulation,
};
pub use fm_patch::FmPatch;
pub use instrument::{Envelope, Instrument, Sends, VoiceMode};
pub use invalid::Invalid;
pub use loop_range::{AfterRelease, LoopCount, LoopMode, LoopRange};
pub use parameter::{Parameter, Scale};
pub use quality::Quality;
pub use sample::{Origin, Planes, Recording, Sample, Width};
pub use sample_override::{LoopOverride, SampleOverride};
pub use shape::{Adsr, EnvelopeCurve, FilterShape, Shape};
pub use song::{ArticulationIndex, InstrumentIndex, SampleIndex, Song, SongParts};
pub use tick_envelope::{TickEnvelope, TickLoop, TickLoops};
pub use units::{Cents, Decibels, Frames, Hz, Key, Pan, Velocity, Weight};
pub use voicing::{FrameRange, SoundDefaults, VoicedSamples, Voicing};
pub use zone::Zone;
pub use zone_conditions::{KeySwitch, SequenceTurn, Trigger, ZoneConditions};
pub use zone_response::{Crossfade, FadeCurve, VelocityGain, ZoneResponse};
pub use zone_tree::{Node, RandomizedParams, ZoneTree};
