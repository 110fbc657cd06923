//! `usampler play`: one sound, a MIDI file, a song or several, through the device, to the end. On a terminal it shows
//! how far it is, and keys steer it.

mod keys;
mod replay;

use std::slice;
use std::sync::Arc;

use engine::Processor;
use importer::SoundFile;

use crate::args::Play;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::{import_one, report_adjusted};
use crate::input::InputFile;
use crate::{interrupt, select};
use importer::open::{Disk, Walk};
use player::listening::{EndReason, NOTE_TAIL, PlainPerformance, first_frame, listen};
use player::midi::file::MidiSequence;
use player::midi::file_player::MidiFilePlayer;
use player::midi::sounds::MIDI_FILE_VOICES;
use player::playback::Playback;
use player::session::{self, DecodedSong, EngineOptions};
use player::single_note::{self, NoteOptions, NotePlan, SingleNote};

use super::midi_sounds;
use keys::Terminal;

/// Plays what is asked for.
///
/// # Errors
/// If there is no such sound, song or package, it cannot be played, no device answers, or the user interrupts it.
pub fn run(args: &Play, console: &mut Console<'_>) -> Result<Exit, Failure> {
    interrupt::watch()?;
    let (typed, sound) = args.input.with(&args.sound)?;
    let file = &args.input.file;
    if typed.len() > 1 || file.is_dir() {
        let files = Walk::of(&Disk, &typed).files;
        // A folder that is one game is one file.
        if files != slice::from_ref(file) {
            if let Some(word) = sound {
                let message = format!("no file {word}, and a folder has no sounds to choose from");
                return Err(
                    Failure::new(Exit::Usage, message).hint("FILE FILE ..., or FILE and one SOUND of it")
                );
            }
            return replay::run_list(args, &super::files_of(&typed), &files, console);
        }
    }
    if args.shuffle {
        return Err(Failure::new(Exit::Usage, "--shuffle is for several songs, or those of a folder"));
    }
    let input = InputFile::open(file, &args.input.reading)?;
    let package = input.to_play()?;
    input.report(&package, console);
    match &args.midi {
        Some(song) => {
            args.note.check_sound()?;
            // Before the sounds are decoded: it is read sooner.
            let sequence = midi_sounds::read(song)?;
            play_sequence(args, &package, &input, &sequence, console)
        }
        None if sound.is_none() && package.module().is_some() => {
            replay::run(args, &package, &input.label, console)
        }
        None => {
            args.note.check_sound()?;
            play_sound(args, &package, &input, sound.as_deref(), console)
        }
    }
}

fn play_sound(
    args: &Play,
    package: &SoundFile,
    input: &InputFile,
    sound: Option<&str>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let label = &input.label;
    let sound = select::one(package, label, sound)?;
    if !sound.is_playable() {
        return Err(super::not_playable(sound));
    }
    let adjusted = input.adjusted(package, args.note.as_stored);
    report_adjusted(adjusted.problem(), adjusted.count([sound]), "", console);
    let options = adjusted.note(sound, args.note.options());
    let (as_stored, mut warn) = (args.note.as_stored, |why: &str| console.warn(why));
    let options = args.room.options().note(as_stored, package.sends(sound), options, &mut warn);
    let DecodedSong { song, held: _held, .. } = import_one(package, sound, console)?;
    let engine = EngineOptions { effects: options.room.is_some(), ..args.engine.options() };
    let voices = single_note::voices(&song, sound);
    let (mut controller, processor) = session::engine(engine, voices, args.live.has_limiter())?;
    let bank = session::adjusted_bank(song, [(sound.number - 1, &options.voicing)])?;
    controller.load(Arc::clone(&bank));
    let without = format!("`usampler render {label} '#{}' -o out.wav` needs no device", sound.number);
    let mut playback = start(args, processor, without)?;
    let rate = playback.rate();
    console.say(format_args!("playing {} on {}, {rate} Hz", sound.path(), playback.name()));

    let plan = NotePlan { bank: &bank, sound, options, tail: NOTE_TAIL, rate };
    let first = first_frame(&controller, &playback);
    let mut playing = SingleNote::begin(&mut controller, &plan, first)?;
    let length = plan.seconds();
    let mut act = PlainPerformance { playable: &mut playing, first, length, room: options.room };
    let heard = listen(&mut act, &mut controller, &mut playback, false, &mut Terminal::of(console));
    say_late(&playback, console);
    Ok(exit(heard?))
}

fn play_sequence(
    args: &Play,
    package: &SoundFile,
    input: &InputFile,
    sequence: &MidiSequence,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let adjusted = input.adjusted(package, args.note.as_stored);
    let mut sounds = midi_sounds::load(package, sequence, &adjusted, &input.label, console)?;
    let room = sounds.set_room(&args.room.options(), args.note.as_stored, &mut |why| console.warn(why));
    let engine = EngineOptions { effects: room.is_some(), ..args.engine.options() };
    let (mut controller, processor) = session::engine(engine, MIDI_FILE_VOICES, args.live.has_limiter())?;
    controller.load(sounds.take_bank()?);
    let without = "`usampler render` writes a file without one".to_owned();
    let mut playback = start(args, processor, without)?;
    let rate = playback.rate();
    console.say(format_args!("playing {} notes on {}, {rate} Hz", sequence.notes(), playback.name()));

    let options = sounds.options(NoteOptions { room, ..args.note.options() }, NOTE_TAIL, rate);
    let first = first_frame(&controller, &playback);
    let mut player = MidiFilePlayer::new(sequence, &options, first);
    let length = sequence.frame(sequence.end, rate).seconds(rate);
    let mut act = PlainPerformance { playable: &mut player, first, length: Some(length), room };
    let heard = listen(&mut act, &mut controller, &mut playback, false, &mut Terminal::of(console));
    say_late(&playback, console);
    match exit(heard?) {
        Exit::Done => Ok(midi_sounds::conclude(sounds.is_whole(), &player, console)),
        other => Ok(other),
    }
}

fn start(args: &Play, processor: Processor, without: String) -> Result<Playback, Failure> {
    session::start(processor, &args.device.options()).map_err(|error| {
        Failure::from(error)
            .hint("`usampler devices` lists them; `--device null` runs silently")
            .hint(without)
    })
}

/// Says how many blocks did not reach the device in time, however the playing has ended.
fn say_late(playback: &Playback, console: &mut Console<'_>) {
    let blocks = match playback.status().xruns() {
        0 => return,
        1 => "1 block was late (xrun)".to_owned(),
        late => format!("{late} blocks were late (xruns)"),
    };
    console.say(format_args!("{blocks}, each a gap in what was heard; a larger --buffer helps"));
}

const fn exit(reason: EndReason) -> Exit {
    match reason {
        EndReason::Interrupted => Exit::Interrupted,
        _ => Exit::Done,
    }
}
