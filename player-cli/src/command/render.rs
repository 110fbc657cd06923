//! `usampler render`: a sound, all of them one after another, a MIDI file played with them, or a song, to a file.

mod replay;

use std::borrow::Cow;
use std::io::{self, IsTerminal as _};
use std::path::Path;

use exporter::flac::FlacError;
use exporter::wav::Depth;
use importer::{Sound, SoundFile};
use song::Frames;

use crate::args::{Render, WavBits};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::{import_one, report_adjusted};
use crate::input::InputFile;
use crate::view::json;
use crate::{interrupt, select};
use exporter::{DiskSpace, Overwrite, UniqueNames, free_path};
use player::midi::file_player::MidiFilePlayer;
use player::midi::sounds::MIDI_FILE_VOICES;
use player::render_file::{FileFormat, RenderFile, RenderOptions};
use player::session::{DecodedSong, EngineOptions};
use player::single_note::NoteOptions;

use super::midi_sounds;

/// Renders what is asked for.
///
/// # Errors
/// If there is no such sound, song or package, it cannot be played, the output cannot be written, or the user
/// interrupts.
pub fn run(args: &Render, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let format = format(args)?;
    let input = InputFile::open(&args.input.file, &args.input.reading)?;
    interrupt::watch()?;
    let rendering = RenderOptions {
        format,
        depth: match args.bits {
            WavBits::Sixteen => Depth::Sixteen,
            WavBits::TwentyFour => Depth::TwentyFour,
            WavBits::Float => Depth::Float,
        },
        rate: args.rate,
        space: DiskSpace { stored: input.stored_len(), allows_flood: args.large },
        engine: args.engine.options(),
        limiter: args.limiter,
    };
    let package = input.to_play()?;
    input.report(&package, console);
    match &args.midi {
        Some(song) => render_sequence(args, rendering, &package, &input, song, console),
        None if args.sound.is_none() && !args.all && package.module().is_some() => {
            replay::run(args, rendering, &package, &input, console)
        }
        None => {
            args.note.check_sound()?;
            render_sounds(args, rendering, &package, &input, console)
        }
    }
}

/// Returns the file to write: the one that was asked for, or a new one of that name in the current folder.
fn output<'a>(args: &'a Render, name: &str) -> Cow<'a, Path> {
    match &args.output {
        Some(output) => Cow::Borrowed(&**output),
        None => free_path(Path::new(""), name, Some("wav"), &mut UniqueNames::of_files()).into(),
    }
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
    rendering: RenderOptions,
    package: &SoundFile,
    input: &InputFile,
    song: &Path,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let sequence = midi_sounds::read(song)?;
    let path = output(args, &song.file_stem().unwrap_or_default().to_string_lossy());
    let overwrite = input.kept(Overwrite::forced(args.force).keeping(vec![song.to_owned()]));
    let mut file = RenderFile::begin(&path, rendering, &overwrite)?;
    file.expect(sequence.frame(sequence.end, args.rate))?;
    let adjusted = input.adjusted(package, args.note.as_stored);
    let mut sounds = midi_sounds::load(package, &sequence, &adjusted, &input.label, console)?;
    let room = sounds.set_room(&args.room.options(), args.note.as_stored, &mut |why| console.warn(why));
    let label = file.label().to_owned();
    let engine = EngineOptions { effects: room.is_some(), ..rendering.engine };
    let rendering = RenderOptions { engine, ..rendering };
    let (mut controller, mut processor) = rendering.engine(MIDI_FILE_VOICES)?;
    controller.load(sounds.take_bank()?);
    let mut player = MidiFilePlayer::new(
        &sequence,
        &sounds.options(NoteOptions { room, ..args.note.options() }, args.tail, args.rate),
        Frames::ZERO,
    );
    file.render(&mut player, &mut controller, &mut processor, |rendered| {
        console.progress(rendered, None, "seconds rendered", "");
        interrupt::check()
    })?;
    console.end_progress();
    finish(file, args, input, console)?;
    console.say(format_args!("{} notes rendered to {label}", sequence.notes()));
    Ok(midi_sounds::conclude(sounds.is_whole(), &player, console))
}

fn render_sounds(
    args: &Render,
    rendering: RenderOptions,
    package: &SoundFile,
    input: &InputFile,
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
    let mut file = RenderFile::begin(&path, rendering, &overwrite)?;
    let label = file.label().to_owned();
    let adjusted = input.adjusted(package, args.note.as_stored);
    report_adjusted(adjusted.problem(), adjusted.count(playable.iter().copied()), "", console);
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
        let note = adjusted.note(sound, args.note.options());
        let (as_stored, mut warn) = (args.note.as_stored, |why: &str| console.warn(why));
        let note = args.room.options().note(as_stored, package.sends(sound), note, &mut warn);
        file.add(song, sound, note, args.tail, |rendered| {
            if total == 1 {
                console.progress(rendered, None, "seconds rendered", "");
            } else {
                let detail = format_args!("{rendered:.0} s of {}", sound.path());
                console.progress(done as f64, Some(total as f64), "sounds", detail);
            }
            interrupt::check()
        })?;
    }
    console.end_progress();
    if failed == playable.len() {
        return Err(Failure::new(Exit::Partly, format!("no sound in {} can be rendered", input.label)));
    }
    finish(file, args, input, console)?;
    let count = playable.len() - failed;
    let what = if playable.len() == 1 { playable[0].path() } else { format!("{count} sounds") };
    console.say(format_args!("{what} rendered to {label}"));
    Ok(if others.is_empty() && failed == 0 { Exit::Done } else { Exit::Partly })
}

/// Puts a file in its place, and says what was clipped.
fn finish(
    file: RenderFile,
    args: &Render,
    input: &InputFile,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let rendered = file.finish()?;
    let clipping = format!("{} values beyond full scale were clipped; {REMEDY}", rendered.clipped());
    if rendered.is_clipping_audible() {
        console.warn(clipping);
    } else if rendered.clipped() > 0 {
        console.detail(clipping);
    }
    let row = rendered.row(&input.label);
    rendered.publish(console.out())?;
    if args.json {
        json::print(console.out(), &row)?;
    }
    Ok(())
}

/// What to do about values beyond full scale.
const REMEDY: &str = "use a lower --gain, --limiter or --bits 32f";
