//! An engine whose halves share no memory: the audio thread of a browser has its own.
//!
//! ```text
//! Controller ── commands ──► RemoteLink ── bytes ──► RemoteProcessor ── process ──► device
//!      ▲                         │  banks, planes             │
//!      └──────── events ─────────┘ ◄────────── bytes ─────────┘ events, time, voices, frames for a tap
//! ```
//!
//! A [`RemoteLink`] takes the place of the processor that [`split`](crate::split) made, and a [`RemoteProcessor`] with
//! the same [`Config`](crate::Config) renders the same bits elsewhere. Bytes are of the same build on both sides, and
//! trusted: a [`RemoteProcessor`] checks only what would be unsafe. A bank is sent with the first command that needs
//! it, each plane of a recording once, in parts, so that no message keeps the audio thread for long.

mod link;
mod processor;
mod wire;

use song::Hz;

use crate::device::Running;
use crate::rt::processor::Processor;

pub use link::RemoteLink;
pub use processor::RemoteProcessor;
pub use wire::WireError;

/// Starts a device that plays elsewhere at a rate: returns it, and the link to it. Nothing may have been rendered with
/// the processor.
///
/// # Real-time
/// Never: allocates.
#[must_use]
pub fn start(mut processor: Processor, name: String, rate: Hz) -> (Running, RemoteLink) {
    processor.set_rate(rate);
    (Running::remote(name, rate), RemoteLink::new(processor))
}
