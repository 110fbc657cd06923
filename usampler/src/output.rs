//! What of a file its renderings need: what to call it, what it may cost, and what no output may replace.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use engine::{Controller, Processor, offline};
use exporter::wav::Depth;
use exporter::{DiskSpace, Overwrite};
use importer::Budget;
use player::listening::{Nobody, Performance, listen};
use player::playback::Playback;
use player::render_file::{FileFormat, RenderError, RenderFile, RenderOptions};
use player::session::EngineOptions;
use player::single_note::{self, Playable};

use crate::{Audio, Error, ErrorKind};

/// What renderings of a file share.
#[derive(Debug)]
pub(crate) struct FileContext {
    /// What to call it in messages.
    pub(crate) label: String,
    /// Bytes that it takes with all that belongs to it.
    pub(crate) stored: u64,
    /// Files that are read, which no output replaces.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) budget: Budget,
}

/// Returns a path as that of a file: `-` stands for standard output only on a command line.
pub(crate) fn in_folder(path: &Path) -> Cow<'_, Path> {
    if path.as_os_str() == "-" { Path::new(".").join(path).into() } else { path.into() }
}

impl FileContext {
    /// Returns how its sounds are rendered: as by the program without options.
    pub(crate) fn options(&self) -> RenderOptions {
        RenderOptions {
            format: FileFormat::Wav,
            depth: Depth::Sixteen,
            rate: Processor::DEFAULT_RATE,
            space: DiskSpace { stored: self.stored, allows_flood: false },
            engine: EngineOptions::default(),
            limiter: false,
        }
    }

    /// Renders something to its end, within the memory that is left.
    pub(crate) fn collect(
        &self,
        playable: &mut dyn Playable,
        controller: &mut Controller,
        processor: &mut Processor,
    ) -> Result<Audio, Error> {
        let most = self.budget.decoded.min(self.budget.memory_left()) / size_of::<f32>() as u64;
        let mut samples: Vec<f32> = Vec::new();
        single_note::render(playable, controller, processor, |rendered| {
            if (samples.len() + rendered.len()) as u64 > most {
                let seconds = most / offline::CHANNELS as u64 / u64::from(Processor::DEFAULT_RATE.get());
                let message = format!("{}: more than {seconds} s do not fit into memory", self.label);
                return Err(Error::new(ErrorKind::OverLimit, message));
            }
            samples.extend_from_slice(rendered);
            Ok(())
        })?;
        Ok(Audio { rate: Processor::DEFAULT_RATE, samples })
    }

    /// Writes what `render` renders to a WAV file, whole or not at all.
    pub(crate) fn write_wav(
        &self,
        path: &Path,
        render: impl FnOnce(&mut RenderFile) -> Result<(), RenderError>,
    ) -> Result<(), Error> {
        let overwrite = Overwrite::forced(true).keeping(self.inputs.clone());
        let write = || {
            let mut file = RenderFile::begin(&in_folder(path), self.options(), &overwrite)?;
            render(&mut file)?;
            file.finish()?.publish(&mut io::sink())
        };
        write().map_err(|error| Error::of_render(&self.label, &error))
    }

    /// Plays something to its end.
    pub(crate) fn play(
        &self,
        act: &mut dyn Performance,
        controller: &mut Controller,
        playback: &mut Playback,
    ) -> Result<(), Error> {
        listen(act, controller, playback, false, &mut Nobody)
            .map(drop)
            .map_err(|error| Error::of_player(&self.label, &error))
    }
}
