//! Writing the contents of one file, and why that fails.

use std::error::Error as StdError;
use std::io;

use exporter::OutputFile;
use exporter::wav::{self, WavError};
use song::Sample;

/// Why a file has no contents.
pub(super) struct Refused {
    pub(super) reason: String,
    pub(super) is_over_limit: bool,
}

impl Refused {
    pub(super) fn of(error: &importer::Error) -> Self {
        Self { is_over_limit: error.is_over_limit(), reason: error.to_string() }
    }
}

pub(super) fn write_sample(output: &mut OutputFile, sample: &Sample) -> Result<(), FileWriteError> {
    wav::write_sample(output, sample).map_err(|error| match error {
        WavError::Io(error) => FileWriteError::Output(error),
        other => FileWriteError::contents(other),
    })
}

/// Why a file could not be written.
pub(super) enum FileWriteError {
    /// Nothing can be written there, and so nothing else either.
    Output(io::Error),
    /// There is nothing to be written.
    Contents(String),
}

impl FileWriteError {
    pub(super) fn contents(error: impl StdError) -> Self {
        Self::Contents(error.to_string())
    }
}
