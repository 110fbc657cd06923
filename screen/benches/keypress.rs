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
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use benches::is_measuring;
use cpu_time::ThreadTime;
use crossbeam_channel::never;
use engine::{Config, Quality};
use fixtures::package::PackageWriter;
use fixtures::songs::{looped, mono, of};
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile};
use player::keyboard::{ComputerKeyboard, KeyMapMode, KeyboardLayout};
use player::live::{
    LivePlayer, LivePlayerParts, LiveRoom, OutputDevices, Songs, SoundLibrary, WaveformWorker,
};
use player::midi::input::MidiInput;
use player::midi::port::{self, PortSelector};
use player::recorder::{Recorder, TakeFiles};
use player::room::Room;
use player::session::{self, DeviceOptions};
use screen::events::{Events, Wake};
use screen::keymap::Keymap;
use screen::model::{Mode, Model, SoundEntry};
use screen::update::{Msg, Press, update};
use screen::{OptionNames, ScreenOptions, entries, execute};
use song::LoopMode;
use unreal::Memory;

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
                assert!(execute(&mut player, intent).is_ok(), "each note finds its room");
            }
            let mut events = Vec::new();
            player.handle_engine_events(&mut events);
            for event in events {
                update(&mut model, Msg::Live(event), Duration::ZERO);
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
fn jam() -> (Model, LivePlayer<SoundEntry, String>) {
    let options = ScreenOptions {
        label: "demo:".to_owned(),
        voices: 64,
        quality: Quality::default(),
        map: KeyMapMode::Chromatic,
        octave: None,
        layout: KeyboardLayout::Piano,
        keyboard: Some(ComputerKeyboard::Qwerty),
        keymap: Keymap::default(),
        option_names: OptionNames::default(),
        room: Room::default(),
    };
    let device = DeviceOptions { device: Some("null".to_owned()), ..DeviceOptions::default() };
    let limiter = true;
    let (controller, mut processor) =
        engine::split(Config { limiter, ..Config::default() }).expect("within limits");
    let sound = looped(mono([1000; 1000]), 0, 1000, LoopMode::Forward);
    let library = SoundLibrary::of_song(&of(vec![sound; SOUNDS])).expect("short");
    let recorder = Recorder::listen(&mut processor, PathBuf::from("."), TakeFiles::Wav).expect("a thread");
    let limiter = processor.latency();
    let playback = session::start(processor, &device).expect("it is always there");
    let mut model = options.model(sounds(), Some(0), &playback);
    (model.mode, model.tells_release) = (Mode::Real, true);
    let outputs = OutputDevices::new(&device, &playback);
    let (waveform_worker, title) = (WaveformWorker::new().expect("a thread"), String::new());
    let midi = no_midi();
    let parts = LivePlayerParts {
        controller,
        library,
        reason: ToString::to_string,
        songs: Songs::new(Arc::new(|_| Err("no song".to_owned())), 0),
        polyphony: Config::default().polyphony,
        playback,
        outputs,
        midi,
        recorder,
        waveform_worker,
        title,
        limiter,
        controllers: None,
        room: LiveRoom::new(Room::default(), None),
    };
    (model, LivePlayer::new(parts))
}

/// Returns sounds that are held until they are released.
fn sounds() -> Vec<SoundEntry> {
    let wave = Wave::new(8000, 1, Values::U8(vec![7; 100])).finish();
    let mut package = PackageWriter::new(69);
    for number in 0..SOUNDS {
        package.sound(&format!("Sound{number}"), None, "WAV", &wave);
    }
    let file = SoundFile::open(Memory(package.finish()), "Bank", Budget::default()).expect("well made");
    let mut sounds = entries(&file, None, OptionNames::default());
    sounds.iter_mut().for_each(|entry| entry.loops = true);
    sounds
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
