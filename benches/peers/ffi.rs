//! The system's libraries, each after a type that is safe to use. The only unsafe code of the benchmarks: nothing here
//! is measured but the call that renders.
//!
//! A library is opened once and never closed, so what was found in it stays where it is.
#![allow(
    unsafe_code,
    reason = "foreign libraries are called, and nothing about them can be proved from here"
)]

pub(crate) mod fluidsynth;
mod library;
pub(crate) mod libxmp;
pub(crate) mod openal;
pub(crate) mod openmpt;
