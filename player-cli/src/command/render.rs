//! `usampler render`: a sound, all of them one after another, a MIDI file played with them, or a song, to a file.

mod replay;

use std::borrow::Cow;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use engine::{Controller, Processor, offline};
use exporter::flac::{self, FlacError};
use exporter::wav::{self, Depth, WavError, Written};
use importer::{Sound, SoundFile};
use serde::Serialize;
use song::{Frames, Hz, Song};

use crate::args::{Render, WavBits};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::import_one;
use crate::input::Input;
use crate::view::json;
use crate::{interrupt, select};
use exporter::{DiskSpace, OutputFile, Overwrite, UniqueNames, free_path};
use player::midi::file_player::MidiFilePlayer;
use player::session::{self, DecodedSong};
use player::single_note::{self, NotePlan, Playable, SingleNote};

use super::midi_sounds::{self, MidiSounds};

/// Silence between two sounds of an audition reel.
const GAP: Duration = Duration::from_millis(500);

/// Renders what is asked for.
///
/// # Errors
/// If there is no such sound, song or package, it cannot be played, the output cannot be written, or the user
/// interrupts.
pub fn run(args: &Render, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let format = format(args)?;
    let input = Input::open(&args.input.file, &args.input.reading)?;
    interrupt::watch()?;
    let package = input.to_play()?;
    input.report(&package, console);
    match &args.midi {
        Some(song) => render_sequence(args, format, &package, &input, song, console),
        None if args.sound.is_none() && !args.all && package.module().is_some() => {
            replay::run(args, format, &package, &input, console)
        }
        None => render_sounds(args, format, &package, &input, console),
    }
}

/// Returns the file to write: the one that was asked for, or a new one of that name in the current folder.
fn output<'a>(args: &'a Render, name: &str) -> Cow<'a, Path> {
    match &args.output {
        Some(output) => Cow::Borrowed(&**output),
        None => free_path(Path::new(""), name, Some("wav"), &mut UniqueNames::of_files()).into(),
    }
}

/// Formats of rendered files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileFormat {
    Wav,
    Flac,
}

/// Returns the format that the name of the output stands for.
fn format(args: &Render) -> Result<FileFormat, Failure> {
    let Some(output) = &args.output else { return Ok(FileFormat::Wav) };
    let refused = |what: String| Failure::new(Exit::Usage, what);
    if output.as_os_str() == "-" {
        if args.json {
            return Err(refused("--json would be mixed with the file on standard output".to_owned()));
        }
        if io::stdout().is_terminal() && !args.force {
            let failure = refused("a WAV file is not written to a terminal".to_owned());
            return Err(
                failure.hint("name a file with -o, or write to another program; --force writes it here")
            );
        }
        return Ok(FileFormat::Wav);
    }
    let ending = output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        None | Some("wav") => Ok(FileFormat::Wav),
        Some("flac") if args.bits == WavBits::Float => Err(refused(FlacError::Float.to_string())),
        Some("flac") => Ok(FileFormat::Flac),
        Some(other) => {
            let failure = refused(format!("{}: only .wav and .flac are written", output.display()));
            Err(failure
                .hint(format!("`-o - | ffmpeg -i - OUT.{other}` leaves the coding to another program")))
        }
    }
}

fn render_sequence(
    args: &Render,
    format: FileFormat,
    package: &SoundFile,
    input: &Input,
    song: &Path,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let sequence = midi_sounds::read(song)?;
    let path = output(args, &song.file_stem().unwrap_or_default().to_string_lossy());
    let overwrite = input.kept(Overwrite::forced(args.force).keeping(vec![song.to_owned()]));
    let mut file = RenderFile::begin(args, input, &path, format, &overwrite)?;
    file.expect(sequence.frame(sequence.end, args.rate))?;
    let mut sounds = MidiSounds::of(package, &sequence, &input.label, console)?;
    let label = file.label.clone();
    let (mut controller, mut processor) =
        session::engine(args.engine.options(), midi_sounds::VOICES, args.limiter)?;
    processor.set_rate(args.rate);
    controller.load(session::bank(std::mem::take(&mut sounds.song))?);
    let mut player =
        MidiFilePlayer::new(&sequence, &sounds.options(&args.note, args.tail, args.rate), Frames::ZERO);
    file.take(&mut player, &mut controller, &mut processor, |rendered| {
        console.progress(rendered, None, "seconds rendered", "");
    })?;
    console.end_progress();
    file.finish(args, input, console)?;
    console.say(format_args!("{} notes rendered to {label}", sequence.notes()));
    Ok(midi_sounds::conclude(sounds.is_whole, &player, console))
}

fn render_sounds(
    args: &Render,
    format: FileFormat,
    package: &SoundFile,
    input: &Input,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let wanted: Vec<&Sound> = if args.all {
        package.sounds().iter().filter(|sound| !sound.is_vacant()).collect()
    } else {
        vec![select::one(package, &input.label, args.sound.as_deref())?]
    };
    let (playable, others): (Vec<&Sound>, Vec<&Sound>) = wanted.iter().partition(|sound| sound.is_playable());
    match (playable.as_slice(), others.as_slice()) {
        ([], []) => return Err(Failure::new(Exit::Unreadable, format!("no sounds in {}", input.label))),
        ([], [only]) => return Err(super::not_playable(only)),
        _ => others.iter().for_each(|sound| console.warn(super::not_playable(sound).message)),
    }
    if playable.is_empty() {
        return Err(Failure::new(Exit::Partly, format!("no sound in {} can be rendered", input.label)));
    }
    let name = wanted.first().filter(|_| !args.all).map_or(input.name(), |sound| &sound.object.name);
    let path = output(args, name);
    let overwrite = input.kept(Overwrite::forced(args.force));
    let mut file = RenderFile::begin(args, input, &path, format, &overwrite)?;
    let label = file.label.clone();
    let mut failed = 0;
    for (done, sound) in playable.iter().enumerate() {
        let DecodedSong { song, held: _held, .. } = match import_one(package, sound, console) {
            // One that cannot be decoded does not spoil the others.
            Err(failure) if failure.exit == Exit::Partly && playable.len() > 1 => {
                console.warn(failure.message);
                failed += 1;
                continue;
            }
            imported => imported?,
        };
        let total = playable.len();
        file.add(args, song, sound, |rendered| match total {
            1 => console.progress(rendered, None, "seconds rendered", ""),
            total => {
                let detail = format_args!("{rendered:.0} s of {}", sound.path());
                console.progress(done as f64, Some(total as f64), "sounds", detail);
            }
        })?;
    }
    console.end_progress();
    if failed == playable.len() {
        return Err(Failure::new(Exit::Partly, format!("no sound in {} can be rendered", input.label)));
    }
    file.finish(args, input, console)?;
    let count = playable.len() - failed;
    let what = if playable.len() == 1 { playable[0].path() } else { format!("{count} sounds") };
    console.say(format_args!("{what} rendered to {label}"));
    Ok(if others.is_empty() && failed == 0 { Exit::Done } else { Exit::Partly })
}

/// Sounds rendered one after another into one file.
struct RenderFile {
    writer: RenderWriter,
    label: String,
    rate: Hz,
    depth: Depth,
    /// The folder that it goes to; none for what goes to no disk.
    folder: Option<PathBuf>,
    space: DiskSpace,
    /// What has been rendered.
    frames: Frames,
    is_empty: bool,
}

impl RenderFile {
    /// Begins a file.
    ///
    /// # Errors
    /// [`Exit::NotWritable`].
    fn begin(
        args: &Render,
        input: &Input,
        path: &Path,
        format: FileFormat,
        overwrite: &Overwrite,
    ) -> Result<Self, Failure> {
        let output = OutputFile::create(path, overwrite)?;
        let label = output.label().to_owned();
        let depth = match args.bits {
            WavBits::Sixteen => Depth::Sixteen,
            WavBits::TwentyFour => Depth::TwentyFour,
            WavBits::Float => Depth::Float,
        };
        let folder = output.target().map(|path| path.parent().unwrap_or(path).to_owned());
        let space = DiskSpace { stored: input.stored_len(), allows_flood: args.large };
        let writer =
            RenderWriter::new(format, output, args.rate, depth).map_err(|error| error.of_output(&label))?;
        let (rate, frames) = (args.rate, Frames::ZERO);
        Ok(Self { writer, label, rate, depth, folder, space, frames, is_empty: true })
    }

    /// Checks that so many frames more can be written.
    ///
    /// # Errors
    /// [`Exit::NotWritable`] if no file can hold as many, the disk has no room, or that is a flood.
    fn expect(&self, further: Frames) -> Result<(), Failure> {
        let frames = Frames::new(self.frames.get().saturating_add(further.get()));
        if matches!(self.writer, RenderWriter::Wav(_)) {
            wav::check_length(self.rate, self.depth, frames).map_err(|error| {
                RenderError::from(error).of_output(&self.label).hint("a FLAC file can: -o OUT.flac")
            })?;
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        let checked = match self.writer {
            RenderWriter::Wav(_) => self.space.check(folder, self.bytes(frames)),
            // How much smaller it gets is not known.
            RenderWriter::Flac(_) => self.space.check_size(self.bytes(frames)),
        };
        checked.map_err(|error| Failure::of_space(&self.label, &error))
    }

    /// Returns the bytes that frames take.
    fn bytes(&self, frames: Frames) -> u64 {
        frames.get().saturating_mul(self.depth.bytes() * offline::CHANNELS as u64)
    }

    /// Renders a sound half a second after the last, or at the beginning; on an engine of its own, so that it is the
    /// same to the bit wherever it stands. Calls `progress` now and then with the seconds that are done.
    fn add(
        &mut self,
        args: &Render,
        song: Song,
        sound: &Sound,
        progress: impl FnMut(f64),
    ) -> Result<(), Failure> {
        if !self.is_empty {
            let gap = Frames::lasting(GAP, self.rate).index() * offline::CHANNELS;
            self.write(&vec![0.0; gap])?;
        }
        self.is_empty = false;
        let (mut controller, mut processor) =
            session::engine(args.engine.options(), single_note::voices(&song, sound), args.limiter)?;
        processor.set_rate(self.rate);
        let bank = session::bank(song)?;
        controller.load(Arc::clone(&bank));
        let plan =
            NotePlan { bank: &bank, sound, options: args.note.options(), tail: args.tail, rate: self.rate };
        let mut playing = SingleNote::begin(&mut controller, &plan, Frames::ZERO)?;
        self.expect(playing.expected())?;
        self.take(&mut playing, &mut controller, &mut processor, progress)
    }

    /// Renders something to its end.
    fn take(
        &mut self,
        act: &mut dyn Playable,
        controller: &mut Controller,
        processor: &mut Processor,
        mut progress: impl FnMut(f64),
    ) -> Result<(), Failure> {
        let mut done = 0;
        single_note::render(act, controller, processor, |rendered| {
            self.write(rendered)?;
            done += rendered.len() / offline::CHANNELS;
            progress(Frames::new(done as u64).seconds(self.rate));
            interrupt::check()
        })
    }

    fn write(&mut self, frames: &[f32]) -> Result<(), Failure> {
        self.frames = Frames::new(self.frames.get() + (frames.len() / offline::CHANNELS) as u64);
        if self.folder.is_some() {
            let checked = self.space.check_size(self.bytes(self.frames));
            checked.map_err(|error| Failure::of_space(&self.label, &error))?;
        }
        self.writer.write(frames).map_err(|error| error.of_output(&self.label))
    }

    /// Puts the header right and the file in its place; what was clipped is warned of by the mix.
    ///
    /// # Errors
    /// [`Exit::NotWritable`].
    fn publish(self, console: &mut Console<'_>) -> Result<(), Failure> {
        let (output, _) = self.writer.finish().map_err(|error| error.of_output(&self.label))?;
        Ok(output.publish(console.out())?)
    }

    /// Puts the header right and the file in its place.
    fn finish(self, args: &Render, input: &Input, console: &mut Console<'_>) -> Result<(), Failure> {
        let format = self.writer.name();
        let (output, written) = self.writer.finish().map_err(|error| error.of_output(&self.label))?;
        let Written { frames, clipped } = written;
        let clipping = format_args!("{clipped} values beyond full scale were clipped; {REMEDY}").to_string();
        match clipped {
            0 => {}
            // Interpolation overshoots a little between values at full scale, which is heard by nobody.
            _ if clipped * INAUDIBLE < frames.get() => console.detail(clipping),
            _ => console.warn(clipping),
        }
        output.publish(console.out())?;
        if args.json {
            let row = RenderRow {
                schema: "usampler.rendering/1",
                file: &input.label,
                path: self.label,
                format,
                rate: self.rate.get(),
                frames: frames.get(),
                clipped,
            };
            json::print(console.out(), &row)?;
        }
        Ok(())
    }
}

/// What to do about values beyond full scale.
const REMEDY: &str = "use a lower --gain, --limiter or --bits 32f";

/// One clipped value in so many frames is not worth a warning.
const INAUDIBLE: u64 = 1000;

/// A rendered file, as JSON.
#[derive(Serialize)]
struct RenderRow<'a> {
    schema: &'static str,
    file: &'a str,
    path: String,
    format: &'static str,
    rate: u32,
    frames: u64,
    clipped: u64,
}

/// Writes one of the formats.
enum RenderWriter {
    Wav(wav::Writer<OutputFile>),
    Flac(Box<flac::Writer<OutputFile>>),
}

impl RenderWriter {
    fn new(format: FileFormat, output: OutputFile, rate: Hz, depth: Depth) -> Result<Self, RenderError> {
        Ok(match format {
            // How long it becomes is known in the end, when the header is put right.
            FileFormat::Wav => Self::Wav(wav::Writer::open_ended(output, rate, depth)?),
            FileFormat::Flac => Self::Flac(Box::new(flac::Writer::new(output, rate, depth)?)),
        })
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Wav(_) => "wav",
            Self::Flac(_) => "flac",
        }
    }

    fn write(&mut self, frames: &[f32]) -> Result<(), RenderError> {
        match self {
            Self::Wav(writer) => Ok(writer.write(frames)?),
            Self::Flac(writer) => Ok(writer.write(frames)?),
        }
    }

    fn finish(self) -> Result<(OutputFile, Written), RenderError> {
        match self {
            Self::Wav(writer) => Ok(writer.finish_early()?),
            Self::Flac(writer) => Ok(writer.finish()?),
        }
    }
}

/// Why a rendered file could not be written.
enum RenderError {
    Io(io::Error),
    Other(String),
}

impl From<WavError> for RenderError {
    fn from(error: WavError) -> Self {
        match error {
            WavError::Io(error) => Self::Io(error),
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<FlacError> for RenderError {
    fn from(error: FlacError) -> Self {
        match error {
            FlacError::Io(error) => Self::Io(error),
            other => Self::Other(other.to_string()),
        }
    }
}

impl RenderError {
    fn of_output(self, label: &str) -> Failure {
        match self {
            Self::Io(error) => Failure::of_output(label, &error),
            Self::Other(reason) => Failure::new(Exit::NotWritable, format!("cannot write {label}: {reason}")),
        }
    }
}
