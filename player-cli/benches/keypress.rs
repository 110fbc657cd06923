//! What a key press costs the program's own thread, beside an event loop that does nothing with it.
//!
//! ```text
//! a thread: press, release, ... one each millisecond ──► Events::wait ─┬─► nothing
//!                                                                      └─► update ─► Player: a note on the null device
//! ```
//!
//! The time is that of the thread which waits for events: waking up, and what it does then. The terminal's own bytes
//! are read by another thread, and the picture is drawn at the next frame, not at the key.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use benches::is_measuring;
use clap::Parser as _;
use cpu_time::ThreadTime;
use crossbeam_channel::never;
use engine::Config;
use fixtures::songs::{looped, mono, of};
use player::midi::input::MidiInput;
use player::midi::port::{self, PortSelector};
use player::recorder::{Recorder, TakeFiles};
use player::session;
use player_cli::args::{Cli, Command};
use player_cli::command::jam;
use player_cli::command::jam::live_player::{LivePlayer, LivePlayerParts, SoundLibrary};
use player_cli::command::jam::outputs::OutputDevices;
use player_cli::command::jam::songs::Songs;
use player_cli::command::jam::waveform_worker::WaveformWorker;
use player_cli::events::{Events, Wake};
use player_cli::input::{DEMO, Input};
use player_cli::tui::model::{Mode, Model};
use player_cli::tui::update::{Msg, Press, update};
use song::LoopMode;

/// As many as the demo has.
const SOUNDS: usize = 11;
/// Keys in a round; each goes down and up.
const KEYS: usize = 200;
const ROUNDS: usize = 11;
/// Between two events, so that the loop falls asleep.
const PAUSE: Duration = Duration::from_millis(1);

fn main() {
    let (mut model, mut player) = jam();
    let silent = no_midi();
    let (mut idle, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..if is_measuring() { ROUNDS } else { 1 } {
        idle.push(round(&silent, |message| drop(black_box(message))));
        ours.push(round(&silent, |message| {
            for intent in update(&mut model, message, Duration::ZERO) {
                assert!(player.execute(intent).is_ok(), "each note finds its room");
            }
            let mut messages = Vec::new();
            player.handle_events(&mut messages);
            for message in messages {
                update(&mut model, message, Duration::ZERO);
            }
        }));
    }
    println!("{:<48} {:>8} {:>8}", "µs of thread time for a key, down and up", "least", "median");
    let row = |name: &str, rounds: &mut Vec<f64>| {
        rounds.sort_by(f64::total_cmp);
        println!("{name:<48} {:>8.2} {:>8.2}", rounds[0], rounds[rounds.len() / 2]);
        rounds[rounds.len() / 2]
    };
    let (idle, ours) = (row("an event loop that does nothing", &mut idle), row("usampler", &mut ours));
    println!("{:<48} {:>8} {:>8.2}", "the program's own share", "", ours - idle);
}

/// Returns a jam on the null device, on a terminal that reports when keys are released.
fn jam() -> (Model, LivePlayer) {
    let line = ["usampler", "jam", DEMO, "--device", "null"];
    let Ok(Some(Command::Jam(args))) = Cli::try_parse_from(line).map(|cli| cli.command) else {
        unreachable!("that is jam")
    };
    let limiter = args.live.has_limiter();
    let (controller, mut processor) =
        engine::split(Config { limiter, ..Config::default() }).expect("within limits");
    let sound = looped(mono([1000; 1000]), 0, 1000, LoopMode::Forward);
    let library = SoundLibrary::of_song(&of(vec![sound; SOUNDS])).expect("short");
    let recorder = Recorder::listen(&mut processor, PathBuf::from("."), TakeFiles::Wav).expect("a thread");
    let limiter = processor.latency();
    let playback = session::start(processor, &args.device.options()).expect("it is always there");
    let input = Input::open(Path::new(DEMO), &args.input.reading).expect("embedded");
    let package = input.package().expect("sound");
    let mut model = jam::model(&args, DEMO, jam::entries(&package, None), Some(0), &playback);
    model.sounds.iter_mut().for_each(|entry| entry.loops = true);
    (model.mode, model.tells_release) = (Mode::Real, true);
    let outputs = OutputDevices::new(&args.device.options(), &playback);
    let (waveform_worker, title) = (WaveformWorker::new().expect("a thread"), String::new());
    let midi = no_midi();
    let parts = LivePlayerParts {
        controller,
        library,
        songs: Songs::new(args.input.reading.clone(), 0),
        polyphony: Config::default().polyphony,
        playback,
        outputs,
        midi,
        recorder,
        waveform_worker,
        title,
        limiter,
    };
    (model, LivePlayer::new(parts))
}

fn no_midi() -> MidiInput {
    MidiInput::new(port::listen(PortSelector::Nothing).expect("a thread"), SOUNDS)
}

/// Microseconds that this thread is busy for each key.
fn round(midi: &MidiInput, mut handle: impl FnMut(Msg)) -> f64 {
    let (sender, mut events) = Events::fed(midi.events().clone(), never());
    let fed = thread::spawn(move || {
        for key in "zxcvbnm".chars().cycle().take(KEYS) {
            for message in [Msg::Press(Press::Char(key)), Msg::Release(key)] {
                thread::sleep(PAUSE);
                if sender.send(Wake::Keyboard(message)).is_err() {
                    return;
                }
            }
        }
    });
    let begun = ThreadTime::now();
    loop {
        match events.wait() {
            Wake::Keyboard(message) => handle(message),
            Wake::Gone => break,
            _ => {}
        }
    }
    let spent = begun.elapsed();
    fed.join().expect("it sends or stops");
    spent.as_secs_f64() * 1e6 / KEYS as f64
}
