//! The program `usampler`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    player_cli::run(std::env::args_os()).into()
}
