//! The exit codes.

use std::process::ExitCode;

/// How the program ended; the numbers are a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All that was asked for was done.
    Done = 0,
    /// Done, but some inputs or asked-for sounds failed.
    Partly = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Nothing could be read: every input is missing, unknown or damaged, or there is no such sound.
    Unreadable = 3,
    /// No audio device answered.
    NoDevice = 4,
    /// The output could not be written.
    NotWritable = 5,
    /// Interrupted from the keyboard or by a signal.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
