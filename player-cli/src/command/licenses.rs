//! `usampler licenses`: under what usampler and all that is linked into it may be used.

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Of the crates that are linked, as `scripts/third-party-notices` writes it.
const LINKED: &str = include_str!("../../licenses.txt");

/// Prints them.
///
/// # Errors
/// Those of the output.
pub fn run(console: &mut Console<'_>) -> Result<Exit, Failure> {
    let out = console.out();
    writeln!(out, "usampler is licensed under either MIT or Apache-2.0, at your option.\n")?;
    out.write_all(LINKED.as_bytes())?;
    Ok(Exit::Done)
}
