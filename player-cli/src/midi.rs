//! MIDI: notes from keyboards that are plugged in, and from files.
//!
//! ```text
//! port ─► bytes ─► parse ──┐
//!                          ├─► message ─► performer ─► deed ─► stage ─► engine::Controller
//! file ────────────────────┘              pure                  the only one that knows the engine
//! ```
//!
//! [`performer`] decides all that MIDI is about (pedals, wheels, programs); [`recital`] plays a file through it, frame by
//! frame; [`port`] looks after what is plugged in and out.

pub mod file;
pub mod message;
pub mod parse;
pub mod performer;



