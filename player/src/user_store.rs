//! Files of the user: in the data folder of the system, or where there is none, in what runs the program.

#[cfg(not(target_family = "wasm"))]
mod disk;
#[cfg(target_family = "wasm")]
mod memory;

#[cfg(not(target_family = "wasm"))]
pub(crate) use disk::{folder, lock, make_folder, read, remove, write};
#[cfg(target_family = "wasm")]
pub(crate) use memory::{folder, lock, make_folder, read, remove, write};
#[cfg(target_family = "wasm")]
pub use memory::{put, take_written};
