//! MIDI: notes from keyboards that are plugged in, and from files.
//!
//! ```text
//! port ─► bytes ─► parse ──┐
//!                          ├─► message ─► interpreter ─► action ─► note_allocator ─► engine::Controller
//! file ────────────────────┘              pure                  the only one that knows the engine
//! ```
//!
//! [`interpreter`] decides all that MIDI is about (pedals, wheels, programs). [`input`] plays what comes through ports,
//! [`file_player`] a file, frame by frame, on [`sounds`]; [`port`] looks after what is plugged in and out, and `take`
//! writes down what was played.

pub mod controllers;
pub mod file;
pub mod file_player;
pub mod input;
pub mod interpreter;
pub mod message;
pub mod note_allocator;
pub mod parse;
pub mod port;
mod running_status;
pub mod sounds;
pub(crate) mod take;
