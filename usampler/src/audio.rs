use std::io;
use std::path::Path;

use engine::offline;
use exporter::wav::{Depth, WavError, WavWriter};
use exporter::{OutputError, OutputFile, Overwrite};
use song::Hz;

use crate::output::in_folder;
use crate::{Error, ErrorKind};

/// Rendered audio in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Audio {
    pub(crate) rate: Hz,
    pub(crate) samples: Vec<f32>,
}

impl Audio {
    /// Values per frame.
    pub const CHANNELS: u16 = offline::CHANNELS as u16;

    /// Returns the number of frames per second.
    #[must_use]
    pub const fn rate(&self) -> u32 {
        self.rate.get()
    }

    /// Returns its values, interleaved: left, right, left, right. Full scale is −1..=1; louder ones are not clipped.
    #[must_use]
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }

    /// Returns its values as [`samples`](Self::samples) has them, without copying them.
    #[must_use]
    pub fn into_samples(self) -> Vec<f32> {
        self.samples
    }

    /// Returns the number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.samples.len() / usize::from(Self::CHANNELS)
    }

    /// Writes it as a WAV file of 16 bits, replacing what is at the path; values beyond full scale are clipped.
    ///
    /// # Errors
    /// [`ErrorKind::Output`].
    pub fn write_wav(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let output = OutputFile::create(&in_folder(path.as_ref()), &Overwrite::forced(true))
            .map_err(|error| Error::new(ErrorKind::Output, error.to_string()))?;
        let label = output.label().to_owned();
        self.write(output).map_err(|error| match error {
            WavError::Io(error) => {
                let error = OutputError::Io { label, error };
                Error::new(ErrorKind::Output, error.to_string())
            }
            error => Error::new(ErrorKind::Output, format!("cannot write {label}: {error}")),
        })
    }

    fn write(&self, output: OutputFile) -> Result<(), WavError> {
        let mut writer = WavWriter::open_ended(output, self.rate, Depth::Sixteen)?;
        writer.write(&self.samples)?;
        let (output, _) = writer.finish_early()?;
        output.publish(&mut io::sink()).map_err(|error| WavError::Io(io::Error::other(error)))
    }
}
