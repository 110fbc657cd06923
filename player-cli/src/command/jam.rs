//! `usampler jam`: a package played live on the keyboard.

mod entries;
mod kept;
pub mod live_player;
pub mod outputs;
pub mod packages;
pub mod songs;
pub mod waveform_worker;

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::args::{Jam, Release};
use crate::console::Console;
use crate::events::{Events, Wake};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::note_log::NoteLog;
use crate::tui::draw::Theme;
use crate::tui::hit;
use crate::tui::model::still::FrameSkipper;
use crate::tui::model::{Mode, Model, SoundEntry, first_octave, first_playable};
use crate::tui::terminal::TerminalScreen;
use crate::tui::update::{Msg, Press, update};
use crate::{interrupt, memory};
use engine::Controller;
pub use entries::entries;
use live_player::{LivePlayer, LivePlayerParts, Next, SoundLibrary};
use outputs::OutputDevices;
use packages::{ListedPackage, PackageFiles, nothing_in};
use player::keyboard::{self, ComputerKeyboard, Scheme};
use player::library::LibraryEvent;
use player::midi::input::MidiInput;
use player::midi::port::{self, PortSelector};
use player::playback::Playback;
use player::recorder::Recorder;
use player::session;
use songs::Songs;
use tracker::replay::VoiceId;
use waveform_worker::WaveformWorker;

/// As many voices as the player may ask for while playing, unless more were asked for before.
const MAX_VOICES: usize = 256;

/// Runs the screen until the user quits.
///
/// # Errors
/// If there is no terminal, no such package or sound, no device answers, the terminal does not report what `--release
/// real` needs, or it goes away.
pub fn run(args: &Jam, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if !io::stdout().is_terminal() {
        return Err(Failure::new(Exit::Usage, "jam needs a terminal; `render` and `play` do not"));
    }
    let file = args.input.file.as_path();
    let label = file.display().to_string();
    interrupt::watch()?;
    let mut log = args.log.as_deref().map(NoteLog::append).transpose()?;
    let voices = usize::from(args.voices);
    // A song sounds besides.
    let most = voices.max(MAX_VOICES) + VoiceId::MAX;
    let (mut controller, mut processor) =
        session::engine(args.engine.options(), most, args.live.has_limiter())?;
    controller.set_polyphony(voices, None).map_err(|full| Failure::new(Exit::Usage, full.to_string()))?;
    let no_thread = |error: io::Error| Failure::new(Exit::Partly, format!("no thread: {error}"));
    let reading = args.input.reading.clone();
    let memory = args.cache.min(memory::shared_budget(reading.memory).memory_left());
    let songs = Songs::new(reading.clone(), args.engine.options().seed);
    let packages = PackageFiles::of(file, reading, args.sound.clone())?;
    let mut library = SoundLibrary::open(packages, memory).map_err(no_thread)?;
    let listed = first_sounds(&mut library, &mut controller, args.sound.as_deref(), &label, console)?;
    let recorder = Recorder::listen(&mut processor, PathBuf::from("."), args.takes).map_err(no_thread)?;
    let waveform_worker = WaveformWorker::new().map_err(no_thread)?;
    let limiter = processor.latency();
    let playback = session::start(processor, &args.device.options()).map_err(|error| {
        Failure::from(error).hint("`usampler devices` lists them; `--device null` runs silently")
    })?;
    let midi = MidiInput::new(listen(args.midi.as_ref())?, library.len());
    let mut model = Model { is_listing: true, ..model(args, &label, Vec::new(), None, &playback) };
    let outputs = OutputDevices::new(&args.device.options(), &playback);
    let title = title(&model.package);
    let parts = LivePlayerParts {
        controller,
        library,
        songs,
        polyphony: voices,
        playback,
        outputs,
        midi,
        recorder,
        waveform_worker,
        title,
        limiter,
    };
    let mut player = LivePlayer::new(parts);
    let mut messages = Vec::new();
    listed.into_iter().for_each(|event| player.handle_library(event, &mut messages));
    apply(&mut model, messages, console);
    // The chosen sound is loaded while the terminal is asked what it can do.
    let mut messages = Vec::new();
    player.poll_library(model.near(), &mut messages);
    apply(&mut model, messages, console);
    let theme = Theme { ascii: !is_utf8(), colored: console.is_colored() };
    interrupt::watch_for_stop().map_err(|error| Failure::of_output("the terminal", &error))?;
    let screen = TerminalScreen::open(theme, args.mouse)
        .map_err(|error| Failure::of_output("the terminal", &error))?;
    model.tells_release = screen.tells_release();
    model.mode = mode(args.release, model.tells_release)?;
    if let (Some(log), Some(path)) = (&mut log, &args.log) {
        let written = log.headline(headline(&model));
        written.map_err(|error| Failure::of_output(&path.display().to_string(), &error))?;
    }
    play(model, screen, player, log)
}

/// Applies messages to the model before the screen is shown; warnings stay readable after it.
fn apply(model: &mut Model, messages: Vec<Msg>, console: &mut Console<'_>) {
    for message in messages {
        if let Msg::Warning(warning) = &message {
            console.warn(warning);
        }
        drop(update(model, message, Duration::ZERO));
    }
}

/// How long the screen waits for the first sounds that can be played.
const PATIENCE: Duration = Duration::from_millis(150);

/// Waits until there is something to play or, if a sound was asked for, until that is found, but not for long: what
/// takes longer is listed while the screen is shown.
///
/// # Errors
/// If nothing can be opened, there are no sounds, or not the one that was asked for.
fn first_sounds(
    library: &mut SoundLibrary,
    controller: &mut Controller,
    wanted: Option<&str>,
    label: &str,
    console: &mut Console<'_>,
) -> Result<Vec<LibraryEvent<ListedPackage, Failure>>, Failure> {
    let begun = Instant::now();
    let mut events = Vec::new();
    let (mut is_found, mut unknown) = (false, Vec::new());
    while !is_found && (wanted.is_some() || begun.elapsed() < PATIENCE) {
        for mut event in library.poll(controller) {
            match &mut event {
                LibraryEvent::Listed { package, .. } => match package.chosen.take() {
                    Some(Ok(chosen)) => {
                        package.chosen = Some(Ok(chosen));
                        is_found = true;
                    }
                    Some(Err(failure)) => unknown.push(failure),
                    None => is_found |= package.sounds.iter().any(|sound| sound.silent.is_none()),
                },
                LibraryEvent::Failed(_) => {}
                LibraryEvent::AllListed if library.is_empty() => {
                    let failed = events.pop();
                    return Err(match failed {
                        Some(LibraryEvent::Failed(failure)) => failure,
                        _ => nothing_in(label),
                    });
                }
                LibraryEvent::AllListed => {
                    if let (Some(wanted), false) = (wanted, is_found) {
                        let nowhere = || format!("no sound \"{wanted}\" in {label}");
                        let failure = unknown.pop().filter(|_| unknown.is_empty());
                        return Err(failure.unwrap_or_else(|| Failure::new(Exit::Unreadable, nowhere())));
                    }
                    is_found = true;
                }
                LibraryEvent::Ready(_) | LibraryEvent::Unplayable(..) => {}
            }
            events.push(event);
        }
        if !is_found {
            interrupt::check()?;
            // That nothing came is seen above.
            let _ = library.wake().recv_timeout(Duration::from_millis(10));
        }
        if begun.elapsed() > Duration::from_secs(1) {
            console.progress(library.len() as f64, None, "sounds found", format_args!("in {label}"));
        }
    }
    console.end_progress();
    Ok(events)
}

/// Returns what ends notes on this terminal.
fn mode(wanted: Release, tells_release: bool) -> Result<Mode, Failure> {
    Ok(match wanted {
        Release::Auto | Release::Real if tells_release => Mode::Real,
        Release::Real => {
            let failure = Failure::new(Exit::Usage, "this terminal does not report key releases");
            return Err(failure.hint("`--release auto` uses gate here"));
        }
        Release::Auto | Release::Gate => Mode::Gate,
        Release::Latch => Mode::Latch,
        Release::Oneshot => Mode::Oneshot,
    })
}

/// Returns what a log of notes is about.
fn headline(model: &Model) -> String {
    let Model { package, device, rate, .. } = model;
    let reported = if model.tells_release { "press and release" } else { "press" };
    let (layout, mode) = (Scheme::of(model.layout).name, model.mode.name());
    format!("{package} on {device} at {rate} Hz; keys report {reported}; {layout}, {mode}")
}

/// Listens to MIDI ports. That there are none is an error only if a certain one is wanted.
fn listen(selector: Option<&PortSelector>) -> Result<port::Ports, Failure> {
    if matches!(selector, Some(PortSelector::Number(_) | PortSelector::Named(_))) {
        port::list()
            .map_err(|problem| Failure::new(Exit::NoDevice, problem).hint("`--midi none` plays without"))?;
    }
    let listening = port::listen(selector.cloned().unwrap_or_default());
    listening
        .map_err(|error| Failure::new(Exit::NoDevice, format!("cannot start a thread for MIDI: {error}")))
}

/// Returns the locale, if one is set.
fn locale() -> Option<String> {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].iter();
    names.filter_map(|name| std::env::var(name).ok()).find(|locale| !locale.is_empty())
}

/// Returns the keyboard that is usual for the locale.
fn usual_keyboard() -> ComputerKeyboard {
    locale().map_or_else(ComputerKeyboard::default, |locale| ComputerKeyboard::of_locale(&locale))
}

/// Returns whether the terminal's encoding is UTF-8, as the locale says.
fn is_utf8() -> bool {
    // Where no locale is set at all it is ASCII on Linux; Windows and macOS's own terminal know none and speak UTF-8.
    locale().map_or(!cfg!(target_os = "linux"), |locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Returns the file name alone: the header has no room for folders.
fn file_name(label: &str) -> String {
    let name = Path::new(label).file_name().and_then(|name| name.to_str());
    name.unwrap_or(label).to_owned()
}

/// Returns what takes are named after: the package without its ending.
fn title(package: &str) -> String {
    let name = Path::new(package.trim_end_matches(':')).file_stem().and_then(|stem| stem.to_str());
    name.unwrap_or("usampler").to_owned()
}

/// Returns what the screen shows at first, with a sound chosen or the first that can be played.
#[must_use]
pub fn model(
    args: &Jam,
    label: &str,
    sounds: Vec<SoundEntry>,
    chosen: Option<usize>,
    playback: &Playback,
) -> Model {
    let (device, voices) = (playback.name().to_owned(), usize::from(args.voices));
    let polyphony = (voices, voices.max(MAX_VOICES));
    Model {
        chosen: chosen.unwrap_or_else(|| first_playable(&sounds)),
        quality: args.engine.quality,
        map: args.map,
        octave: args.octave.unwrap_or_else(|| first_octave(args.map)),
        other_octave: first_octave(keyboard::other(args.map)),
        layout: args.layout,
        keyboard: args.keyboard.unwrap_or_else(usual_keyboard),
        knows_keyboard: args.keyboard.is_some(),
        ..Model::new(file_name(label), device, playback.rate(), sounds, polyphony)
    }
}

/// How long the loop may be held up before a signal ends it the hard way, and with it a take.
const STUMBLE: Duration = Duration::from_secs(2);

fn play(
    mut model: Model,
    mut screen: TerminalScreen,
    mut player: LivePlayer,
    mut log: Option<NoteLog>,
) -> Result<Exit, Failure> {
    let gone = |error: io::Error| Failure::of_output("the terminal", &error);
    let (midi, loaded) = (player.midi.events().clone(), player.library.wake().clone());
    let mut events = Events::listen(midi, loaded).map_err(gone)?;
    let begun = Instant::now();
    screen.show(&model).map_err(gone)?;
    interrupt::allow(STUMBLE);
    let (mut frames, mut area) = (FrameSkipper::default(), screen.area().map_err(gone)?);
    loop {
        let mut messages = Vec::new();
        let wake = events.wait();
        // Notes first, the picture after them, at the next frame: a key must not wait for the screen.
        let mut draws = wake == Wake::Frame;
        let leaves_by_key = matches!(wake, Wake::Leave(_));
        match wake {
            Wake::Keyboard(message) => messages.push(message),
            Wake::Leave(press) => {
                screen.let_keys_go().map_err(gone)?;
                messages.push(Msg::Press(press));
            }
            Wake::Mouse(event) => {
                messages.extend(hit::message(&model, screen.area().map_err(gone)?, &event));
            }
            Wake::Midi(event) => messages.extend(player.play(event, model.chosen)),
            Wake::Loaded => player.poll_library(model.near(), &mut messages),
            Wake::Frame => {
                player.poll_library(model.near(), &mut messages);
                player.poll(model.chosen, &mut messages);
            }
            Wake::Gone => return Err(Failure::new(Exit::NotWritable, "the terminal was closed")),
        }
        if let Some(failure) = player.nothing_to_play() {
            return Err(failure);
        }
        if interrupt::is_stop_wanted() {
            messages.push(Msg::Press(Press::Suspend));
        }
        player.handle_events(&mut messages);
        let mut messages = VecDeque::from(messages);
        while let Some(message) = messages.pop_front() {
            let now = begun.elapsed();
            frames.see(&message, &model);
            let mut written = log.as_mut().map_or(Ok(()), |log| log.message(now, &message));
            for intent in update(&mut model, message, now) {
                written = written.and_then(|()| log.as_mut().map_or(Ok(()), |log| log.intent(now, &intent)));
                match player.execute(intent) {
                    Ok(Next::Play) => {}
                    Ok(Next::Suspend) => screen.leave_for_a_while().map_err(gone)?,
                    Ok(Next::Quit) => {
                        return Ok(player.save_adjustments(true).map_or(Exit::Done, |_| Exit::NotWritable));
                    }
                    Err(refusal) => messages.push_back(refusal),
                }
            }
            if let Err(error) = written {
                log = None;
                messages.push_back(Msg::Warning(format!("the log ends here: {error}")));
            }
        }
        if leaves_by_key {
            events.go_on();
        }
        if draws {
            let before = area;
            area = screen.area().map_err(gone)?;
            draws = frames.draws(&model) || area != before;
        }
        if draws {
            screen.show(&model).map_err(gone)?;
        }
        if interrupt::is_wanted() {
            drop(screen);
            let _ = player.save_adjustments(true);
            interrupt::check()?;
            return Ok(Exit::Interrupted);
        }
    }
}

#[cfg(test)]
mod tests;
