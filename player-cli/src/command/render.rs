//! `usampler render`: a sound, all of them one after another, or a MIDI file played with them, to a WAV file.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use engine::{Controller, Processor, offline};
use exporter::wav::{Depth, WavError, Writer};
use importer::{Sound, SoundFile};
use song::{Frames, Hz, Song};

use crate::args::{Render, WavBits};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::import_one;
use crate::input::Input;
use crate::{interrupt, select};
use exporter::OutputFile;
use player::midi::file_player::MidiFilePlayer;
use player::session;
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
    let input = Input::open(&args.input.file, args.input.reading)?;
    interrupt::watch()?;
    let package = input.to_play()?;
    match &args.midi {
        Some(song) => render_score(args, &package, &input, song, console),
        None => render_sounds(args, &package, &input, console),
    }
}

fn render_score(
    args: &Render,
    package: &SoundFile<'_>,
    input: &Input,
    song: &Path,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let sequence = midi_sounds::read(song)?;
    let mut sounds = MidiSounds::of(package, &sequence, &input.label, console)?;
    input.spare(&args.output)?;
    let mut file = RenderFile::begin(args)?;
    let label = file.label.clone();
    let (mut controller, mut processor) =
        session::engine(args.engine.options(), midi_sounds::VOICES, args.limiter)?;
    processor.set_rate(args.rate);
    controller.load(session::bank(std::mem::take(&mut sounds.song))?);
    let mut player =
        MidiFilePlayer::new(&sequence, &sounds.options(&args.note, args.tail, args.rate), Frames::ZERO);
    file.take(&mut player, &mut controller, &mut processor, |rendered| {
        console.progress(format_args!("{rendered:.0} s rendered"));
    })?;
    console.end_progress();
    file.finish(console)?;
    console.say(format_args!("{} notes rendered to {label}", sequence.notes()));
    Ok(midi_sounds::conclude(sounds.is_whole, &player, console))
}

fn render_sounds(
    args: &Render,
    package: &SoundFile<'_>,
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
    input.spare(&args.output)?;
    let mut file = RenderFile::begin(args)?;
    let label = file.label.clone();
    let mut failed = 0;
    for (done, sound) in playable.iter().enumerate() {
        let song = match import_one(package, sound, console) {
            // One that cannot be decoded does not spoil the others.
            Err(failure) if failure.exit == Exit::Partly && playable.len() > 1 => {
                console.warn(failure.message);
                failed += 1;
                continue;
            }
            song => song?,
        };
        let place = (playable.len() > 1).then(|| format!("sound {} of {}, ", done + 1, playable.len()));
        file.add(args, song, sound, |rendered| {
            let place = place.as_deref().unwrap_or_default();
            console.progress(format_args!("{place}{rendered:.0} s rendered"));
        })?;
    }
    console.end_progress();
    if failed == playable.len() {
        return Err(Failure::new(Exit::Partly, format!("no sound in {} can be rendered", input.label)));
    }
    file.finish(console)?;
    let count = playable.len() - failed;
    let what = if playable.len() == 1 { playable[0].path() } else { format!("{count} sounds") };
    console.say(format_args!("{what} rendered to {label}"));
    Ok(if others.is_empty() && failed == 0 { Exit::Done } else { Exit::Partly })
}

/// Sounds rendered one after another into one file.
struct RenderFile {
    writer: Writer<OutputFile>,
    label: String,
    rate: Hz,
    is_empty: bool,
}

impl RenderFile {
    fn begin(args: &Render) -> Result<Self, Failure> {
        let output = OutputFile::create(&args.output, args.force)?;
        let label = output.label().to_owned();
        let depth = match args.bits {
            WavBits::Sixteen => Depth::Sixteen,
            WavBits::TwentyFour => Depth::TwentyFour,
            WavBits::Float => Depth::Float,
        };
        // How long it becomes is known in the end, when the header is put right.
        let writer =
            Writer::new(output, args.rate, depth, Frames::ZERO).map_err(|e| not_written(&label, e))?;
        Ok(Self { writer, label, rate: args.rate, is_empty: true })
    }

    /// Renders a sound half a second after the last, or at the beginning; on an engine of its own, so that it is the
    /// same to the bit wherever it stands.
    /// Prints now and then how many seconds of it are done.
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
        self.writer.write(frames).map_err(|error| not_written(&self.label, error))
    }

    /// Puts the header right and the file in its place.
    fn finish(self, console: &mut Console<'_>) -> Result<(), Failure> {
        let (output, written) =
            self.writer.finish_early().map_err(|error| not_written(&self.label, error))?;
        if written.clipped > 0 {
            let remedy = "use a lower --gain, --limiter or --bits 32f";
            console.warn(format_args!("{} values beyond full scale were clipped; {remedy}", written.clipped));
        }
        Ok(output.publish(console.out())?)
    }
}

fn not_written(label: &str, error: WavError) -> Failure {
    match error {
        WavError::Io(error) => Failure::of_output(label, &error),
        other => Failure::new(Exit::NotWritable, format!("cannot write {label}: {other}")),
    }
}
