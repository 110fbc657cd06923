//! The audio thread's rooms.
//!
//! Nothing here allocates, frees, locks, waits, prints or panics, and no loop runs longer than the sizes in
//! [`Config`](crate::Config) allow. `engine/clippy.toml` lists the methods that would break the promise and the lints
//! below hold this folder to it; `tests/realtime.rs` counts what is allocated and freed.
//!
//! ```text
//! ring ─► schedule ─► pool ─► voice ─┬─ position   where in the recording, loops included
//!             (steal decides, │      ├─ envelope   how loud, as ramps
//!              note_index finds) │      ├─ modulation how it moves, if it does
//!                             │      └─ kernel     frames in between
//!                             ├─(filter_queue)     filters of eight voices at a time
//!                             ▼
//!             fm ─►(strip ─►) bus ─► master ─► limiter ─► meter ─► device
//!                      └─► effects ─┘
//! ```
// The tests beside the code are no audio thread.
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::disallowed_macros,
        clippy::disallowed_types,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub(crate) mod bus;
pub(crate) mod effects;
pub(crate) mod envelope;
pub(crate) mod fader;
pub(crate) mod filter_queue;
pub(crate) mod fm;
pub(crate) mod grid;
pub(crate) mod kernel;
pub(crate) mod limiter;
pub(crate) mod meter;
pub(crate) mod modulation;
pub(crate) mod note_index;
pub(crate) mod pool;
pub(crate) mod position;
pub(crate) mod processor;
pub(crate) mod ramp;
pub(crate) mod schedule;
pub(crate) mod steal;
pub(crate) mod strip;
pub(crate) mod tap;
pub(crate) mod voice;
mod window;
