use std::io;

use exporter::flac::{FlacError, FlacWriter};
use exporter::wav::{WavError, WavWriter, Written};
use exporter::{OutputError, OutputFile};

use super::{FileFormat, RenderError, RenderOptions};

/// Writes one of the formats.
pub(super) enum RenderWriter {
    Wav(WavWriter<OutputFile>),
    Flac(Box<FlacWriter<OutputFile>>),
}

impl RenderWriter {
    pub(super) fn new(output: OutputFile, options: &RenderOptions) -> Result<Self, FrameWriteError> {
        let RenderOptions { format, rate, depth, .. } = *options;
        Ok(match format {
            // How long it becomes is known in the end, when the header is put right.
            FileFormat::Wav => Self::Wav(WavWriter::open_ended(output, rate, depth)?),
            FileFormat::Flac => Self::Flac(Box::new(FlacWriter::new(output, rate, depth)?)),
        })
    }

    pub(super) fn write(&mut self, frames: &[f32]) -> Result<(), FrameWriteError> {
        match self {
            Self::Wav(writer) => Ok(writer.write(frames)?),
            Self::Flac(writer) => Ok(writer.write(frames)?),
        }
    }

    pub(super) fn finish(self) -> Result<(OutputFile, Written), FrameWriteError> {
        match self {
            Self::Wav(writer) => Ok(writer.finish_early()?),
            Self::Flac(writer) => Ok(writer.finish()?),
        }
    }
}

/// Why a writer refuses frames.
pub(super) enum FrameWriteError {
    Io(io::Error),
    Other(String),
}

impl From<WavError> for FrameWriteError {
    fn from(error: WavError) -> Self {
        match error {
            WavError::Io(error) => Self::Io(error),
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<FlacError> for FrameWriteError {
    fn from(error: FlacError) -> Self {
        match error {
            FlacError::Io(error) => Self::Io(error),
            other => Self::Other(other.to_string()),
        }
    }
}

impl FrameWriteError {
    pub(super) fn of(self, label: &str) -> RenderError {
        let label = label.to_owned();
        match self {
            Self::Io(error) => RenderError::Output(OutputError::Io { label, error }),
            Self::Other(reason) => RenderError::Format { label, reason },
        }
    }
}
