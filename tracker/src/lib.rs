//! Tracker modules: reads what their files say, and knows what trackers make of it.
//!
//! ```text
//! bytes ─► format ─► ModuleFile: as stored, and what was repaired
//!                      ├─► song::module::Module: what it means
//!                      └─► replay ─► song::Articulation: what its dialect does to notes
//! ```
//!
//! Depends on `song` alone: it knows neither packages nor the engine.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used,
    )
)]

mod budget;
mod error;
pub mod format;
pub mod replay;

pub use budget::ModuleBudget;
pub use error::{Error, ErrorKind};
pub use format::{
    MAX_FRAMES_PER_BYTE, ModuleFile, ModuleFormat, ModuleSummary, PROBE_LENGTH, Raw, Repair, StoredFrames,
    probe, read, read_within, summarize,
};
