//! Songs to frames, in real time.
//!
//! An engine has two halves that share nothing but two rings, a few numbers, and banks that neither changes:
//!
//! ```text
//! Controller ── commands ──► Processor ──► device, or offline
//!     ▲                          │
//!     └──────── events ──────────┘
//! ```
//!
//! [`split`] makes both. The [`Controller`] stays with whoever decides what is played; it turns notes into voices to be
//! begun, and keeps alive the memory it lends. The [`Processor`] goes to the audio thread and never allocates, frees,
//! locks or waits there. A [`Bank`] is a song made ready for it.
//!
//! ```
//! use std::sync::Arc;
//! use song::{Hz, InstrumentIndex, Key, Song, Velocity};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let song = Song::default();
//! let (mut controller, mut processor) = engine::split(engine::Config::default())?;
//! controller.load(Arc::new(engine::Bank::prepare(&song)?));
//! if !song.instruments().is_empty() {
//!     controller.note_on(engine::Note::new(InstrumentIndex::new(0), Key::C4, Velocity::HIGHEST))?;
//! }
//! processor.set_rate(Hz::new(44_100)?);
//! let mut block = [0.0; 2 * 512];
//! processor.process(&mut block, 2);
//! # Ok(())
//! # }
//! ```
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    reason = "the list in clippy.toml is for the audio thread; src/rt.rs denies it there"
)]

mod atomic;
mod bank;
mod config;
mod control;
pub mod device;
mod effects;
mod message;
pub mod offline;
mod pan;
#[cfg(feature = "remote")]
pub mod remote;
mod rt;
mod shared_state;
mod voice_positions;

use std::sync::Arc;

use ringbuf::HeapRb;
use ringbuf::traits::Split;
use song::Frames;

pub use bank::{Bank, LoopOverride, PreparedRecording, SampleOverride, TooLong, Waveform, ZeroCrossing};
pub use config::{Config, ConfigError, Interpolation, Quality};
pub use control::{
    ChannelStrip, Controller, DrivenVoice, EffectError, FmVoice, Full, LentBank, Note, NoteError,
    StartedNote, StripError, VoiceChange, ZoneSelector,
};
pub use effects::{DelayParams, ReverbParams};
pub use message::{Event, NoteId, StripIndex, VoiceFilter, VoiceParams};
pub use rt::processor::Processor;
pub use rt::tap::Tap;

#[cfg(feature = "bench")]
#[doc(hidden)]
pub use rt::kernel::bench;

/// Frames between two points of the control grid. Notes that begin on it meet it at the same of their frames, whenever
/// they are played.
pub const CONTROL_GRID: Frames = Frames::new(rt::grid::CELL as u64);

/// How long the engine takes from one gain to another, of a strip or of the whole output.
pub const GLIDE: std::time::Duration = rt::fader::GLIDE.duration();

/// Returns the instructions that voices are rendered with on this machine: `avx2`, `sse2`, `neon`, or `scalar` for none
/// of them.
#[must_use]
pub fn instructions() -> &'static str {
    rt::kernel::simd::SimdLevel::best().name()
}

/// Makes both halves of an engine, with all the memory the audio thread will ever need.
///
/// # Errors
/// [`ConfigError`] if a field is zero or beyond its limit.
///
/// # Real-time
/// Never.
pub fn split(config: Config) -> Result<(Controller, Processor), ConfigError> {
    let config = config.check()?;
    let (command_in, command_out) = HeapRb::new(config.command_queue).split();
    let (event_in, event_out) = HeapRb::new(config.event_queue).split();
    let shared = Arc::new(shared_state::SharedState::default());
    let reclaimer = control::reclaimer::BankReclaimer::default();
    let keep_alive = reclaimer.keep_alive();
    let voice_positions = Arc::new(voice_positions::VoicePositions::new(config.slots()));
    let processor = Processor::new(
        config,
        Processor::DEFAULT_RATE,
        command_out,
        event_in,
        Arc::clone(&shared),
        Arc::clone(&voice_positions),
        keep_alive,
    );
    let controller = Controller::new(command_in, event_out, shared, voice_positions, reclaimer, config);
    Ok((controller, processor))
}
