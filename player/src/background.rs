//! Work that a front end does not wait for: on threads, or where there are none between what it does.
//!
//! ```text
//! threads      run ──► a thread each
//! WebAssembly  run ──► a queue ◄── work_once ──► steps       work_once: by whoever runs the program, in its spare time
//! ```

#[cfg(any(test, target_family = "wasm"))]
mod queue;
#[cfg(not(target_family = "wasm"))]
mod threads;

#[cfg(any(test, target_family = "wasm"))]
pub(crate) use queue::Step;
#[cfg(any(test, target_family = "wasm"))]
pub use queue::work_once;
#[cfg(target_family = "wasm")]
pub(crate) use queue::{Handle, run, steps};
#[cfg(not(target_family = "wasm"))]
pub(crate) use threads::{Handle, run};
