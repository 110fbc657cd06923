//! `usampler play`: one sound, a MIDI file, a song or those of a folder, through the device, to the end. On a terminal
//! it shows how far it is; Space pauses and q ends it.

mod keys;
mod replay;

use std::slice;
use std::sync::Arc;
use std::time::Duration;

use engine::{Controller, Processor};
use importer::SoundFile;
use song::{Frames, Hz, InstrumentIndex};

use crate::args::Play;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::{import_one, report_adjusted};
use crate::input::InputFile;
use crate::{interrupt, select};
use importer::open::{Disk, Walk};
use player::midi::file::MidiSequence;
use player::midi::file_player::MidiFilePlayer;
use player::midi::sounds::MIDI_FILE_VOICES;
use player::pause::Pause;
use player::playback::Playback;
use player::playing::{self, AHEAD, TAIL, first_frame};
use player::session::{self, DecodedSong};
use player::single_note::{self, NotePlan, Playable, SingleNote};

use super::midi_sounds;
use keys::{PlayKey, PlayKeys};

/// Plays what is asked for.
///
/// # Errors
/// If there is no such sound, song or package, it cannot be played, no device answers, or the user interrupts it.
pub fn run(args: &Play, console: &mut Console<'_>) -> Result<Exit, Failure> {
    interrupt::watch()?;
    let file = &args.input.file;
    if file.is_dir() {
        let files = Walk::of(&Disk, slice::from_ref(file)).files;
        // A folder that is one game is one file.
        if files != slice::from_ref(file) {
            return replay::run_list(args, file, &files, console);
        }
    }
    if args.shuffle {
        return Err(Failure::new(Exit::Usage, "--shuffle is for the songs of a folder"));
    }
    let input = InputFile::open(file, &args.input.reading)?;
    let package = input.to_play()?;
    input.report(&package, console);
    match &args.midi {
        Some(song) => {
            // Before the sounds are decoded: it is read sooner.
            let sequence = midi_sounds::read(song)?;
            play_sequence(args, &package, &input, &sequence, console)
        }
        None if args.sound.is_none() && package.module().is_some() => {
            replay::run(args, &package, &input.label, console)
        }
        None => play_sound(args, &package, &input, console),
    }
}

fn play_sound(
    args: &Play,
    package: &SoundFile,
    input: &InputFile,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let label = &input.label;
    let sound = select::one(package, label, args.sound.as_deref())?;
    if !sound.is_playable() {
        return Err(super::not_playable(sound));
    }
    let adjusted = input.adjusted(package, args.note.as_stored);
    report_adjusted(adjusted.problem(), adjusted.count([sound]), "", console);
    let options = adjusted.note(sound, args.note.options());
    let DecodedSong { song, held: _held, .. } = import_one(package, sound, console)?;
    let (mut controller, processor) =
        session::engine(args.engine.options(), single_note::voices(&song, sound), args.live.has_limiter())?;
    let bank = session::adjusted_bank(song, [(sound.number - 1, &options.voicing)])?;
    controller.load(Arc::clone(&bank));
    let without = format!("`usampler render {label} '#{}' -o out.wav` needs no device", sound.number);
    let mut playback = start(args, processor, without)?;
    let rate = playback.rate();
    console.say(format_args!("playing {} on {}, {rate} Hz", sound.path(), playback.name()));

    let plan = NotePlan { bank: &bank, sound, options, tail: TAIL, rate };
    let first = first_frame(&controller, &playback);
    let mut playing = SingleNote::begin(&mut controller, &plan, first)?;
    let length = sound
        .seconds()
        .filter(|_| args.note.note.is_none() && !bank.is_looped(InstrumentIndex::new(sound.number - 1)));
    let timing = Timing { first, length, ahead: AHEAD, is_in_list: false };
    let heard = listen(&mut playing, &mut controller, &mut playback, timing, console);
    say_late(&playback, console);
    Ok(heard?.exit())
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
    let (mut controller, processor) =
        session::engine(args.engine.options(), MIDI_FILE_VOICES, args.live.has_limiter())?;
    controller.load(sounds.take_bank()?);
    let without = "`usampler render` writes a file without one".to_owned();
    let mut playback = start(args, processor, without)?;
    let rate = playback.rate();
    console.say(format_args!("playing {} notes on {}, {rate} Hz", sequence.notes(), playback.name()));

    let options = sounds.options(args.note.options(), TAIL, rate);
    let first = first_frame(&controller, &playback);
    let mut player = MidiFilePlayer::new(sequence, &options, first);
    let length = sequence.frame(sequence.end, rate).seconds(rate);
    let timing = Timing { first, length: Some(length), ahead: AHEAD, is_in_list: false };
    let heard = listen(&mut player, &mut controller, &mut playback, timing, console);
    say_late(&playback, console);
    match heard?.exit() {
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

/// When something is played.
#[derive(Clone, Copy)]
struct Timing {
    first: Frames,
    /// In seconds, where it is known beforehand.
    length: Option<f64>,
    /// How far ahead the engine is fed.
    ahead: Duration,
    /// Whether there are others before and after it.
    is_in_list: bool,
}

/// Why nothing plays any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EndReason {
    /// It came to its end.
    Over,
    /// The user wants the next of the list.
    Next,
    /// The one before it.
    Previous,
    /// The list in another order.
    Shuffle,
    /// Nothing more.
    Ended,
    /// Nothing more, at once.
    Interrupted,
}

impl EndReason {
    const fn exit(self) -> Exit {
        match self {
            Self::Interrupted => Exit::Interrupted,
            _ => Exit::Done,
        }
    }

    /// Returns what a key asks for, where there is a list or not.
    fn of(key: PlayKey, is_in_list: bool) -> Option<Self> {
        match key {
            PlayKey::Pause => None,
            PlayKey::Next => is_in_list.then_some(Self::Next),
            PlayKey::Previous => is_in_list.then_some(Self::Previous),
            PlayKey::Shuffle => is_in_list.then_some(Self::Shuffle),
            PlayKey::End => Some(Self::Ended),
            PlayKey::Interrupt => Some(Self::Interrupted),
        }
    }
}

/// Plays until it is over, or the user ends it.
fn listen(
    act: &mut dyn Playable,
    controller: &mut Controller,
    playback: &mut Playback,
    timing: Timing,
    console: &mut Console<'_>,
) -> Result<EndReason, Failure> {
    let mut keys = PlayKeys::take();
    let mut pause = Pause::default();
    let mut shown = String::new();
    let heard = playing::until_over(act, controller, playback, timing.ahead, |controller, rate| {
        let key = keys.as_mut().and_then(PlayKeys::poll);
        if key == Some(PlayKey::Pause) {
            pause.toggle(controller);
        }
        pause.poll(controller);
        // That is how one stops a sound: nothing went wrong.
        let outcome = key.and_then(|key| EndReason::of(key, timing.is_in_list));
        let outcome = if interrupt::is_wanted() { Some(EndReason::Interrupted) } else { outcome };
        if outcome.is_some() {
            pause.end(controller);
            return outcome;
        }
        if keys.is_some() {
            let position = timing.position(controller.now(), rate, pause.is_on());
            if position != shown {
                console.status(&position);
                shown = position;
            }
        }
        None
    });
    console.end_progress();
    drop(keys);
    Ok(heard?.unwrap_or(EndReason::Over))
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

impl Timing {
    /// Returns how far it is: `0:03.2 / 0:12.0`.
    fn position(self, now: Frames, rate: Hz, is_paused: bool) -> String {
        let Self { first, length, .. } = self;
        let shown = |seconds: f64| format!("{}:{:04.1}", (seconds / 60.0) as u64, seconds % 60.0);
        let seconds = Frames::new(now.get().saturating_sub(first.get())).seconds(rate);
        let length = length.map_or_else(String::new, |length| format!(" / {}", shown(length)));
        let paused = if is_paused { "  paused" } else { "" };
        let list = if self.is_in_list { "  n next  p previous  s shuffle" } else { "" };
        format!("{}{length}{paused}   Space pause{list}  q end", shown(seconds))
    }
}
