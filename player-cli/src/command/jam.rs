//! `usampler jam`: packages played live on the keyboard.

mod packages;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Controller;
use player::LoadedSong;
use player::library::LibraryEvent;
use player::live::{
    ListedPackage, LivePlayerParts, LiveRoom, NothingToPlay, OutputDevices, ReadSong, Songs, SoundLibrary,
    WaveformWorker,
};
use player::midi::controllers::ControllerFile;
use player::midi::input::MidiInput;
use player::midi::port::{self, PortSelector};
use player::recorder::Recorder;
use player::room::{Room, RoomFile};
use player::session::{self, EngineOptions};
use screen::draw::Theme;
use screen::model::{Mode, SoundEntry};
use screen::note_log::{LogError, NoteLog};
use screen::terminal::TerminalScreen;
use screen::{Ended, ReleaseMode, ScreenOptions, Session, SessionError, Signals};
use tracker::replay::VoiceId;

use crate::args::{Jam, OPTION_NAMES, ReadingArgs, Release};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::InputFile;
use crate::{interrupt, memory};
use packages::PackageFiles;

/// What has happened to the packages that are played.
type PackageEvent = LibraryEvent<ListedPackage<SoundEntry, Failure>, Failure>;

/// How long the screen's loop may be held up before a signal ends it the hard way, and with it a take.
const STUMBLE: Duration = Duration::from_secs(2);

/// Runs the screen until the user quits.
///
/// # Errors
/// If there is no terminal, no such package or sound, no device answers, the terminal does not report what `--release
/// real` needs, or it goes away.
pub fn run(args: &Jam, console: &mut Console<'_>) -> Result<Exit, Failure> {
    if !io::stdout().is_terminal() {
        return Err(Failure::new(Exit::Usage, "jam needs a terminal; `render` and `play` do not"));
    }
    let (typed, sound) = args.input.with(&args.sound)?;
    let (room, room_file) = RoomFile::kept().unwrap_or_else(|error| {
        console.warn(error.message());
        Default::default()
    });
    let options = ScreenOptions { room, ..options(args, typed.len()) };
    interrupt::watch()?;
    let log = args.log.as_deref().map(open_log).transpose()?;
    // A song's voices are added.
    let most = options.polyphony() + VoiceId::MAX;
    let engine = EngineOptions { effects: true, ..args.engine.options() };
    let (mut controller, mut processor) = session::engine(engine, most, args.live.has_limiter())?;
    let polyphony = options.voices;
    controller.set_polyphony(polyphony, None).map_err(|full| Failure::new(Exit::Usage, full.to_string()))?;
    let no_thread = |error: io::Error| Failure::new(Exit::Partly, format!("no thread: {error}"));
    let reading = &args.input.reading;
    let memory = args.cache.min(memory::shared_budget(reading.memory).memory_left());
    let packages = PackageFiles::of(&typed, reading.clone(), sound.clone())?;
    let mut library = SoundLibrary::open(packages, memory).map_err(no_thread)?;
    let listed = first_sounds(&mut library, &mut controller, sound.as_deref(), &options.label, console)?;
    let recorder = Recorder::listen(&mut processor, PathBuf::from("."), args.takes).map_err(no_thread)?;
    let waveform_worker = WaveformWorker::new().map_err(no_thread)?;
    let limiter = processor.latency();
    let playback = session::start(processor, &args.device.options()).map_err(|error| {
        Failure::from(error).hint("`usampler devices` lists them; `--device null` runs silently")
    })?;
    let midi = MidiInput::new(listen(args.midi.as_ref())?, library.len());
    let parts = LivePlayerParts {
        controller,
        songs: Songs::new(read_song(reading.clone()), args.engine.options().seed),
        polyphony,
        outputs: OutputDevices::new(&args.device.options(), &playback),
        midi,
        recorder,
        waveform_worker,
        title: options.title(),
        limiter,
        library,
        reason: |failure: &Failure| failure.message.clone(),
        playback,
        controllers: ControllerFile::of_user(),
        room: LiveRoom::new(room, room_file),
    };
    let mut session = Session::new(&options, parts);
    session.list(listed).into_iter().for_each(|warning| console.warn(warning));
    let no_terminal = |error| Failure::of_output("the terminal", &error);
    interrupt::watch_for_stop().map_err(no_terminal)?;
    let terminal =
        TerminalScreen::open(Theme::of_locale(console.is_colored(), args.theme, args.colors), args.mouse);
    interrupt::allow(STUMBLE);
    let signals = Signals { is_end_wanted: interrupt::is_wanted, is_stop_wanted: interrupt::is_stop_wanted };
    let ended = session.run(terminal.map_err(no_terminal)?, release_mode(args.release), log, signals);
    match ended.map_err(|error| failure(error, args, &options.title()))? {
        Ended::Quit { is_saved: true } => Ok(Exit::Done),
        Ended::Quit { is_saved: false } => Ok(Exit::NotWritable),
        Ended::Signal => {
            interrupt::check()?;
            Ok(Exit::Interrupted)
        }
    }
}

/// Returns how the screen begins, with so many files.
#[must_use]
pub fn options(args: &Jam, files: usize) -> ScreenOptions {
    let more = if files > 1 { format!(" and {} more", files - 1) } else { String::new() };
    ScreenOptions {
        label: format!("{}{more}", args.input.file.display()),
        voices: usize::from(args.voices),
        quality: args.engine.quality,
        map: args.map,
        octave: args.octave,
        layout: args.layout,
        keyboard: args.keyboard,
        keymap: args.keys.clone(),
        option_names: OPTION_NAMES,
        room: Room::default(),
    }
}

const fn release_mode(release: Release) -> ReleaseMode {
    match release {
        Release::Auto => ReleaseMode::Auto,
        Release::Real => ReleaseMode::Always(Mode::Real),
        Release::Gate => ReleaseMode::Always(Mode::Gate),
        Release::Latch => ReleaseMode::Always(Mode::Latch),
        Release::Oneshot => ReleaseMode::Always(Mode::Oneshot),
    }
}

fn failure(error: SessionError<Failure>, args: &Jam, title: &str) -> Failure {
    match error {
        SessionError::Terminal(error) => Failure::of_output("the terminal", &error),
        SessionError::Closed => Failure::new(Exit::NotWritable, "the terminal was closed"),
        SessionError::NoReleases => Failure::new(Exit::Usage, "this terminal does not report key releases")
            .hint("`--release auto` uses gate here"),
        SessionError::Log(error) => {
            let path = args.log.as_deref().unwrap_or(Path::new("the log"));
            Failure::of_output(&path.display().to_string(), &error)
        }
        SessionError::NothingToPlay(NothingToPlay::Unopened(failure)) => failure,
        SessionError::NothingToPlay(NothingToPlay::NoSounds) => nothing_in(title),
    }
}

fn open_log(path: &Path) -> Result<NoteLog, Failure> {
    let label = path.display().to_string();
    NoteLog::append(path).map_err(|error| match error {
        LogError::Io(error) => Failure::of_output(&label, &error),
        LogError::NoLog => {
            Failure::new(Exit::NotWritable, format!("{label} is there and is no log of notes"))
        }
    })
}

/// Returns what reads songs.
fn read_song(reading: ReadingArgs) -> ReadSong {
    let read = move |path: &Path| Ok(LoadedSong::of_file(&InputFile::open(path, &reading)?.to_play()?)?);
    Arc::new(move |path| read(path).map_err(|failure: Failure| failure.message))
}

/// Returns the failure of a package without sounds.
fn nothing_in(label: &str) -> Failure {
    Failure::new(Exit::Unreadable, format!("no sounds in {label}"))
}

/// How long the screen waits for the first sounds that can be played.
const PATIENCE: Duration = Duration::from_millis(150);

/// Waits until there is something to play or, if a sound was asked for, until that is found, but not for long: what
/// takes longer is listed while the screen is shown.
///
/// # Errors
/// If nothing can be opened, there are no sounds, or not the one that was asked for.
fn first_sounds(
    library: &mut SoundLibrary<SoundEntry, Failure>,
    controller: &mut Controller,
    wanted: Option<&str>,
    label: &str,
    console: &mut Console<'_>,
) -> Result<Vec<PackageEvent>, Failure> {
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
                LibraryEvent::Ready(_) | LibraryEvent::Unplayable(..) | LibraryEvent::Switched(_) => {}
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
