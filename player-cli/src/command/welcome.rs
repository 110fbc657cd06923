//! `usampler` alone: the demo, played where that is possible, listed where it is not.

use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;

use crate::args::{Cli, ProgramCommand};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::DEMO;
use clap::Parser as _;

/// Jams with the demo on a terminal with an audio device; else lists it and says how to hear it.
///
/// # Errors
/// Those of `jam` and `list`.
pub fn run(console: &mut Console<'_>) -> Result<Exit, Failure> {
    if is_on_terminal() {
        match as_if_typed(&["jam", DEMO], console) {
            Err(failure) if failure.exit == Exit::NoDevice => console.fail(&failure),
            ended => return ended,
        }
    }
    let listed = as_if_typed(&["list", DEMO], console)?;
    writeln!(console.out(), "\nto hear it:  usampler render {DEMO} --all -o demo.wav")?;
    Ok(listed)
}

/// Returns whether a person is at a terminal that a screen can be shown on.
#[must_use]
pub fn is_on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Runs a command line, so that its defaults stand in one place.
fn as_if_typed(line: &[&str], console: &mut Console<'_>) -> Result<Exit, Failure> {
    let line = std::iter::once("usampler").chain(line.iter().copied());
    match Cli::try_parse_from(line).map(|cli| cli.command) {
        Ok(Some(ProgramCommand::Jam(args))) => super::jam::run(&args, console),
        Ok(Some(ProgramCommand::List(args))) => super::list::run(&args, NonZeroUsize::MIN, console),
        Ok(_) => Err(Failure::new(Exit::Usage, "no such command")),
        Err(error) => Err(Failure::new(Exit::Usage, error.to_string())),
    }
}
