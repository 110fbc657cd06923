//! `usampler play`: one sound through the device, to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use importer::Status;
use song::Frames;

use crate::args::Play;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::performance::{self, Performance, Plan, on_grid};
use crate::{interrupt, select, session};

/// How often the main thread looks after the engine.
const PERIOD: Duration = Duration::from_millis(10);
/// Silence before the note, so that a device that fades in does not swallow its start; and after it, until what was
/// rendered has left the loudspeaker.
const LEAD: Duration = Duration::from_millis(50);
const REST: Duration = Duration::from_millis(250);
/// How long a device that went away may take to come back.
const PATIENCE: Duration = Duration::from_secs(10);
/// A release is given as long as it takes.
const TAIL: Duration = Duration::from_secs(3600);

/// Plays the sound.
///
/// # Errors
/// If there is no such sound or package, it cannot be played, no device answers, or the user interrupts it.
pub fn run(args: &Play, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let input = Input::open(&args.input.file, args.input.reading)?;
    interrupt::watch()?;
    let package = input.package()?;
    let sound = select::one(&package, &input.label, args.sound.as_deref())?;
    if sound.status != Status::Ok {
        return Err(super::not_playable(sound));
    }
    let song = session::import_one(&package, sound, console)?;
    let (mut controller, processor) = session::engine(&args.engine, performance::voices(&song, sound))?;
    let bank = session::bank(song)?;
    controller.load(Arc::clone(&bank));
    let mut playback = session::start(processor, &args.device).map_err(|failure| {
        let rendered = format!("`usampler render {} '#{}' -o out.wav` needs none", input.label, sound.number);
        failure.hint("`usampler devices` lists them; `--device null` runs silently").hint(rendered)
    })?;
    let rate = playback.rate();
    console.say(format_args!("playing {} on {}, {rate} Hz", sound.path(), playback.name()));

    let start = on_grid(Frames::new(controller.now().get() + Frames::lasting(LEAD, rate).get()));
    let plan = Plan { bank: &bank, sound, args: &args.note, tail: TAIL, rate };
    let mut performance = Performance::begin(&mut controller, &plan, start)?;
    let mut played = Instant::now();
    while performance.end(controller.now()).is_none() {
        if interrupt::is_wanted() {
            controller.silence();
            std::thread::sleep(REST);
            interrupt::check()?;
        }
        std::thread::sleep(PERIOD);
        while let Some(event) = controller.poll() {
            performance.hear(&event);
        }
        playback.tend();
        if playback.is_playing() {
            played = Instant::now();
        } else if playback.is_over() || played.elapsed() > PATIENCE {
            return Err(Failure::new(Exit::NoDevice, format!("{} went away", playback.name())));
        }
    }
    std::thread::sleep(REST);
    if playback.status().xruns() > 0 {
        console.detail(format_args!("{} blocks came too late", playback.status().xruns()));
    }
    Ok(Exit::Done)
}
