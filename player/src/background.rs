//! Work that a front end does not wait for: on threads, or where there are none between what it does.
//!
//! ```text
//! threads      run ──► a thread each                         steps ──► a thread that waits for what is asked
//! WebAssembly  run ──► a queue ◄── work_once ──► steps       called by the page's worker while it has nothing to do
//! ```

#[cfg(target_family = "wasm")]
mod queue;
#[cfg(not(target_family = "wasm"))]
mod threads;

#[cfg(target_family = "wasm")]
pub use queue::work_once;
#[cfg(target_family = "wasm")]
pub(crate) use queue::{Handle, Step, run, steps};
#[cfg(not(target_family = "wasm"))]
pub(crate) use threads::{Handle, run};
