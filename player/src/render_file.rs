//! Rendered files: whatever is played through an engine, as WAV or FLAC, whole or not at all and within its disk.

mod writer;

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine::{Controller, Processor, offline};
use exporter::wav::{self, Depth, WavError, Written};
use exporter::{DiskSpace, OutputError, OutputFile, Overwrite, SpaceError};
use importer::Sound;
use serde::Serialize;
use song::{Frames, Hz, Song};

use crate::Error;
use crate::session::{self, EngineOptions};
use crate::single_note::{self, NoteOptions, NotePlan, Playable, SingleNote};
use writer::RenderWriter;

/// Silence between two sounds of one file.
const GAP: Duration = Duration::from_millis(500);

/// A file with fewer clipped values than one in this many frames needs no warning.
const INAUDIBLE: u64 = 1000;

/// Formats of rendered files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Uncompressed.
    Wav,
    /// Compressed without loss; integers only.
    Flac,
}

impl FileFormat {
    /// Returns the name of the format, which is also the extension of its files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wav => "wav",
            Self::Flac => "flac",
        }
    }
}

/// How a file is rendered and written.
#[derive(Clone, Copy, Debug)]
pub struct RenderOptions {
    /// Format of the file.
    pub format: FileFormat,
    /// Width of its values.
    pub depth: Depth,
    /// Frames per second.
    pub rate: Hz,
    /// Bytes that it may take on disk.
    pub space: DiskSpace,
    /// How engines render.
    pub engine: EngineOptions,
    /// Whether engines have a limiter.
    pub limiter: bool,
}

impl RenderOptions {
    /// Makes both halves of an engine of at most `polyphony` voices, at the rate of the file.
    ///
    /// # Errors
    /// [`ErrorKind::Options`](crate::ErrorKind::Options) if it cannot be made so large.
    pub fn engine(&self, polyphony: usize) -> Result<(Controller, Processor), Error> {
        let (controller, mut processor) = session::engine(self.engine, polyphony, self.limiter)?;
        processor.set_rate(self.rate);
        Ok((controller, processor))
    }
}

/// A sound as one note on an engine of its own, which is the same to the bit whenever and wherever it is rendered.
pub struct NoteRendering {
    /// The note, which has been sent.
    pub note: SingleNote,
    /// Controls the engine.
    pub controller: Controller,
    /// Renders it.
    pub processor: Processor,
}

impl NoteRendering {
    /// Makes an engine for a sound of a song, and begins the note with its first frame. `tail` is the longest that a
    /// looped sound may go on after its release.
    ///
    /// # Errors
    /// [`ErrorKind::Sound`](crate::ErrorKind::Sound) or [`ErrorKind::Song`](crate::ErrorKind::Song) if the sound cannot
    /// be played so.
    pub fn begin(
        song: Song,
        sound: &Sound,
        options: NoteOptions,
        tail: Duration,
        rendering: &RenderOptions,
    ) -> Result<Self, Error> {
        let engine = EngineOptions { effects: options.room.is_some(), ..rendering.engine };
        let rendering = &RenderOptions { engine, ..*rendering };
        let (mut controller, processor) = rendering.engine(single_note::voices(&song, sound))?;
        let bank = session::adjusted_bank(song, [(sound.number - 1, &options.voicing)])?;
        controller.load(Arc::clone(&bank));
        let plan = NotePlan { bank: &bank, sound, options, tail, rate: rendering.rate };
        let note = SingleNote::begin(&mut controller, &plan, Frames::ZERO)?;
        Ok(Self { note, controller, processor })
    }
}

/// A file that is being rendered. Nothing is seen at its path before [`RenderedFile::publish`].
pub struct RenderFile {
    writer: RenderWriter,
    label: String,
    options: RenderOptions,
    /// The folder that it goes to; none for what goes to no disk.
    folder: Option<PathBuf>,
    /// Frames rendered so far.
    frames: Frames,
    is_empty: bool,
}

impl RenderFile {
    /// Begins a file, or standard output for `-`.
    ///
    /// # Errors
    /// [`RenderError`] if a file is in the way that may not be replaced, or none can be made there.
    pub fn begin(path: &Path, options: RenderOptions, overwrite: &Overwrite) -> Result<Self, RenderError> {
        let output = OutputFile::create(path, overwrite)?;
        let label = output.label().to_owned();
        let folder = output.target().map(|path| path.parent().unwrap_or(path).to_owned());
        let writer = RenderWriter::new(output, &options).map_err(|error| error.of(&label))?;
        Ok(Self { writer, label, options, folder, frames: Frames::ZERO, is_empty: true })
    }

    /// Returns what to call the file in messages.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Checks that `further` frames more can be written.
    ///
    /// # Errors
    /// [`RenderError::TooLong`] if the format cannot hold them, [`RenderError::Space`] if the disk has no room or they
    /// are a [flood](SpaceError::Flood).
    pub fn expect(&self, further: Frames) -> Result<(), RenderError> {
        let frames = Frames::new(self.frames.get().saturating_add(further.get()));
        if matches!(self.writer, RenderWriter::Wav(_)) {
            wav::check_length(self.options.rate, self.options.depth, frames)
                .map_err(|error| RenderError::TooLong { label: self.label.clone(), error })?;
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        let checked = match self.writer {
            RenderWriter::Wav(_) => self.options.space.check(folder, self.bytes(frames)),
            // How much smaller it gets is not known.
            RenderWriter::Flac(_) => self.options.space.check_size(self.bytes(frames)),
        };
        checked.map_err(|error| self.no_space(error))
    }

    /// Returns the bytes that frames take.
    fn bytes(&self, frames: Frames) -> u64 {
        frames.get().saturating_mul(self.options.depth.bytes() * offline::CHANNELS as u64)
    }

    fn no_space(&self, error: SpaceError) -> RenderError {
        RenderError::Space { label: self.label.clone(), error }
    }

    /// Renders a sound half a second after the last, or at the beginning; on an engine of its own, so that it is the
    /// same to the bit wherever it stands. Calls `progress` now and then with the seconds that are done.
    ///
    /// # Errors
    /// [`RenderError`] if it cannot be played or written, and the first error of `progress`.
    pub fn add<E: From<RenderError>>(
        &mut self,
        song: Song,
        sound: &Sound,
        note: NoteOptions,
        tail: Duration,
        progress: impl FnMut(f64) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.is_empty {
            let gap = Frames::lasting(GAP, self.options.rate).index() * offline::CHANNELS;
            self.write(&vec![0.0; gap])?;
        }
        self.is_empty = false;
        let rendering = NoteRendering::begin(song, sound, note, tail, &self.options);
        let NoteRendering { mut note, mut controller, mut processor } =
            rendering.map_err(RenderError::from)?;
        self.expect(note.expected())?;
        self.render(&mut note, &mut controller, &mut processor, progress)
    }

    /// Renders something to its end. Calls `progress` now and then with the seconds that are done.
    ///
    /// # Errors
    /// [`RenderError`] if it cannot be written, and the first error of `progress`.
    pub fn render<E: From<RenderError>>(
        &mut self,
        playable: &mut dyn Playable,
        controller: &mut Controller,
        processor: &mut Processor,
        mut progress: impl FnMut(f64) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut done = 0;
        single_note::render(playable, controller, processor, |rendered| {
            self.write(rendered)?;
            done += rendered.len() / offline::CHANNELS;
            progress(Frames::new(done as u64).seconds(self.options.rate))
        })
    }

    fn write(&mut self, frames: &[f32]) -> Result<(), RenderError> {
        self.frames = Frames::new(self.frames.get() + (frames.len() / offline::CHANNELS) as u64);
        if self.folder.is_some() {
            let checked = self.options.space.check_size(self.bytes(self.frames));
            checked.map_err(|error| self.no_space(error))?;
        }
        self.writer.write(frames).map_err(|error| error.of(&self.label))
    }

    /// Completes the header.
    ///
    /// # Errors
    /// [`RenderError`] if it cannot be written.
    pub fn finish(self) -> Result<RenderedFile, RenderError> {
        let (output, written) = self.writer.finish().map_err(|error| error.of(&self.label))?;
        let Written { frames, clipped } = written;
        let (format, rate) = (self.options.format, self.options.rate);
        Ok(RenderedFile { output, label: self.label, format, rate, frames, clipped })
    }
}

/// A file that is rendered, and not yet at its path.
pub struct RenderedFile {
    output: OutputFile,
    label: String,
    format: FileFormat,
    rate: Hz,
    frames: Frames,
    clipped: u64,
}

impl RenderedFile {
    /// Returns how many values beyond full scale were clipped.
    #[must_use]
    pub const fn clipped(&self) -> u64 {
        self.clipped
    }

    /// Returns whether so much was clipped that it may be heard: interpolation overshoots a little between values at
    /// full scale, which is heard by nobody.
    #[must_use]
    pub const fn is_clipping_audible(&self) -> bool {
        self.clipped > 0 && self.clipped * INAUDIBLE >= self.frames.get()
    }

    /// Describes the file, which was rendered from the input `file`.
    #[must_use]
    pub fn row(&self, file: &str) -> RenderingRow {
        RenderingRow {
            schema: "usampler.rendering/1",
            file: file.to_owned(),
            path: self.label.clone(),
            format: self.format.name(),
            rate: self.rate.get(),
            frames: self.frames.get(),
            clipped: self.clipped,
        }
    }

    /// Puts the file at its path, or its bytes into `out` if it is standard output.
    ///
    /// # Errors
    /// [`RenderError::Output`].
    pub fn publish(self, out: &mut dyn Write) -> Result<(), RenderError> {
        Ok(self.output.publish(out)?)
    }
}

/// A rendered file as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct RenderingRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// The input as the user named it.
    pub file: String,
    /// Path of the file.
    pub path: String,
    /// Name of its format.
    pub format: &'static str,
    /// Frames per second.
    pub rate: u32,
    /// Number of its frames.
    pub frames: u64,
    /// Number of values that were clipped.
    pub clipped: u64,
}

/// Why a file could not be rendered.
#[derive(Debug)]
#[non_exhaustive]
pub enum RenderError {
    /// Its sound, song or engine cannot be played.
    Play(Error),
    /// It cannot be written at its path.
    Output(OutputError),
    /// Its format cannot hold as many frames.
    TooLong {
        /// What the file is called.
        label: String,
        /// The reason.
        error: WavError,
    },
    /// Its disk has no room, or it is a flood.
    Space {
        /// What the file is called.
        label: String,
        /// The reason.
        error: SpaceError,
    },
    /// Its format refuses it.
    Format {
        /// What the file is called.
        label: String,
        /// The reason.
        reason: String,
    },
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::TooLong { label, error } => write!(f, "cannot write {label}: {error}"),
            Self::Space { label, error } => write!(f, "{label}: {error}"),
            Self::Format { label, reason } => write!(f, "cannot write {label}: {reason}"),
        }
    }
}

impl std::error::Error for RenderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Play(error) => Some(error),
            Self::Output(error) => Some(error),
            Self::TooLong { error, .. } => Some(error),
            Self::Space { error, .. } => Some(error),
            Self::Format { .. } => None,
        }
    }
}

impl From<OutputError> for RenderError {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<Error> for RenderError {
    fn from(error: Error) -> Self {
        Self::Play(error)
    }
}
