//! `usampler completions`: what makes a shell complete the command line.

use clap::CommandFactory as _;

use crate::args::{Cli, Completions};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;

/// Prints the shell's script.
///
/// # Errors
/// Those of the output.
pub fn run(args: &Completions, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    // In memory first: the library panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    console.out().write_all(&script)?;
    Ok(Exit::Done)
}
