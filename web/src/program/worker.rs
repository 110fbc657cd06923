//! The worker's half: what the page does becomes messages to the screen's model, and what they ask for is done.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::remote::{RemoteLink, WireError};
use importer::open::{Files, OpenOptions};
use player::LoadedSong;
use player::keyboard::{KeyMapMode, KeyboardLayout};
use player::live::{
    LiveEvent, LivePlayerParts, LiveRoom, NothingToPlay, OutputDevices, ReadSong, Songs, SoundLibrary,
    WaveformWorker,
};
use player::midi::controllers::ControllerFile;
use player::midi::input::MidiInput;
use player::midi::interpreter::MidiSource;
use player::midi::port::{self, Wire};
use player::playback::{Playback, Route};
use player::recorder::{Recorder, TakeFiles};
use player::room::RoomFile;
use player::session::DeviceOptions;
use screen::hit_target::HitTarget;
use screen::key::{self, KeyPlaces};
use screen::keymap::{KeyCommand, Keymap, ROWS};
use screen::update::{Intent, MouseAction, Msg, Press};
use screen::{OptionNames, ScreenOptions, Session};
use song::Hz;

use super::audio::{POLYPHONY, config};
use super::files::{PageFiles, ReadFile};
use super::game::KnownGame;
use super::keys;
use super::message::PageMessage;
use super::packages::{self, PagePackages};
use super::view::{Seen, Shown};

/// Voices that hands may play at first.
const VOICES: usize = 64;
/// Bytes of decoded recordings that are kept ready.
const DECODED: u64 = 192 << 20;
/// How long a device that is gone is waited for; a browser's never is.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest take: it is held in memory until it ends, at 48,000 Hz in 460 MB.
const TAKE: Duration = Duration::from_secs(20 * 60);
/// What the device is called.
const DEVICE: &str = "browser";

/// What was dropped, open and playable.
pub struct PageSession {
    screen: Session<String>,
    link: Arc<Mutex<Option<RemoteLink>>>,
    wire: Wire,
    places: KeyPlaces,
    keymap: Keymap,
    /// When the take began that was ended because it was too long.
    ended_take: Option<Duration>,
}

/// The worker.
pub struct Worker {
    read: ReadFile,
    session: Option<PageSession>,
    /// What is open, and the frames per second that it plays.
    opened: Option<(PageFiles, u32)>,
    game: KnownGame,
    seen: Seen,
    shown: Shown,
    /// What the page is to know once.
    problem: Option<String>,
    /// Counts what was opened, so that the page knows when it needs another processor.
    openings: u64,
}

impl Worker {
    /// Creates a worker that reads files by a function of the page.
    #[must_use]
    pub fn new(read: ReadFile) -> Self {
        Self {
            read,
            session: None,
            opened: None,
            game: KnownGame::default(),
            seen: Seen::default(),
            shown: Shown::default(),
            problem: None,
            openings: 0,
        }
    }

    /// Does what the page wants; `now` counts from any point.
    pub fn handle(&mut self, message: PageMessage, now: Duration) {
        match message {
            #[cfg(target_family = "wasm")]
            PageMessage::Kept { files } => {
                for (path, text) in files {
                    player::user_store::put(path.into(), text);
                }
            }
            // Elsewhere the user's files are on the disk.
            #[cfg(not(target_family = "wasm"))]
            PageMessage::Kept { .. } => {}
            PageMessage::Open { files, rate } => {
                let mut files = PageFiles::new(&files, self.read);
                let taken = self.game.take_mappings(&mut files);
                // Without their mappings, files may play as well.
                match (files.is_empty(), &taken) {
                    (false, _) => self.open(files, rate),
                    (true, Ok(())) => self.open_again(),
                    (true, Err(_)) => {}
                }
                if let Err(problem) = taken {
                    self.problem = Some(problem);
                }
            }
            PageMessage::Game(settings) => match self.game.set(&settings) {
                Ok(()) => self.open_again(),
                Err(problem) => self.problem = Some(problem),
            },
            PageMessage::Demo { rate } => {
                self.open(PageFiles::own("demo.uax", player::demo::package(), self.read), rate);
            }
            PageMessage::Seen { top, rows, columns, text } => {
                self.seen = Seen { top, rows, columns, text };
                if let Some(session) = &mut self.session {
                    session.screen.set_size(text);
                }
            }
            message => {
                if let Some(session) = &mut self.session {
                    session.handle(message, now);
                }
            }
        }
    }

    /// Returns whether the file of a number may still be read: whether it is one of those that are open.
    #[must_use]
    pub fn reads(&self, file: u32) -> bool {
        self.opened.as_ref().is_some_and(|(files, _)| files.has(file))
    }

    /// Opens what is open as it is to be read now.
    fn open_again(&mut self) {
        if let Some((files, rate)) = self.opened.clone() {
            self.open(files, rate);
        }
    }

    /// Opens files; what is open stays if they cannot be.
    fn open(&mut self, files: PageFiles, rate: u32) {
        // The next session reads what this one keeps.
        if let Some(before) = &mut self.session {
            before.screen.save();
        }
        let options = self.game.options().clone();
        let opened = (files.clone(), rate);
        let session = Hz::new(rate)
            .map_err(|_| "the browser plays at no rate".to_owned())
            .and_then(|rate| PageSession::new(files, options, rate));
        match session {
            Ok(mut session) => {
                session.screen.set_size(self.seen.text);
                self.opened = Some(opened);
                self.session = Some(session);
                self.shown = Shown::default();
                self.openings += 1;
            }
            Err(problem) => self.problem = Some(problem),
        }
    }

    /// Does what is due some 60 times a second.
    pub fn frame(&mut self, now: Duration) {
        let Some(session) = &mut self.session else { return };
        let messages = session.screen.frame();
        session.take(messages, now);
        if session.ends_take(now) {
            let minutes = TAKE.as_secs() / 60;
            self.problem = Some(format!("takes in a browser end after {minutes} minutes; this one is saved"));
        }
        match session.screen.nothing_to_play() {
            None => {}
            Some(nothing) => {
                self.problem = Some(match nothing {
                    NothingToPlay::Unopened(why) => why,
                    NothingToPlay::NoSounds => format!("no sounds in {}", session.screen.model().package),
                });
                self.session = None;
                self.openings += 1;
            }
        }
    }

    /// Returns what has changed of what is shown, as a JSON object; empty if nothing has.
    pub fn show(&mut self) -> String {
        let model = self.session.as_ref().map(|session| session.screen.model());
        self.shown.news(model, self.seen, self.openings, self.game.mappings(), self.problem.take())
    }

    /// Returns how many times something was opened, or nothing any more: each has a processor of its own.
    #[must_use]
    pub const fn openings(&self) -> u64 {
        self.openings
    }

    /// Returns bytes for the worklet; none if there is nothing to be sent.
    pub fn send(&mut self) -> Vec<u8> {
        let Some(session) = &self.session else { return Vec::new() };
        session.link().as_mut().map(RemoteLink::send).unwrap_or_default()
    }

    /// Takes bytes of the worklet.
    ///
    /// # Errors
    /// [`WireError`] if they are of another build.
    pub fn receive(&mut self, bytes: &[u8], now: Duration) -> Result<(), WireError> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let received = session.link().as_mut().map_or(Ok(()), |link| link.receive(bytes));
        received?;
        let messages = session.screen.loaded();
        session.take(messages, now);
        Ok(())
    }
}

impl PageSession {
    fn new(files: PageFiles, options: OpenOptions, rate: Hz) -> Result<Self, String> {
        let packages = PagePackages::of(files, options)?;
        let (room, room_file) = RoomFile::kept().unwrap_or_default();
        let options = ScreenOptions {
            label: packages.label(),
            voices: VOICES,
            quality: player::Quality::default(),
            map: KeyMapMode::Chromatic,
            octave: None,
            layout: KeyboardLayout::Piano,
            keyboard: None,
            keymap: Keymap::default(),
            option_names: OptionNames::default(),
            room,
        };
        let failed = |error: &dyn std::fmt::Display| error.to_string();
        let (controller, mut processor) =
            engine::split(config(POLYPHONY, 0)).map_err(|error| failed(&error))?;
        let mut controller = controller;
        controller.set_polyphony(VOICES, None).map_err(|error| failed(&error))?;
        let read_song = read_song(packages.files());
        let library = SoundLibrary::open(packages, DECODED).map_err(|error| failed(&error))?;
        let recorder = Recorder::listen(&mut processor, PathBuf::new(), TakeFiles::Wav);
        let recorder = recorder.map_err(|error| failed(&error))?;
        let waveform_worker = WaveformWorker::new().map_err(|error| failed(&error))?;
        let limiter = processor.latency();
        let link = Arc::new(Mutex::new(None));
        let kept = Arc::clone(&link);
        let route = Route {
            start: Arc::new(move |processor| {
                let (running, link) = engine::remote::start(processor, DEVICE.to_owned(), rate);
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(link);
                Ok(running)
            }),
            default: None,
        };
        let playback = Playback::begin(processor, route, PAUSE).map_err(|error| failed(&error))?;
        let (outlet, ports) = port::channel(None);
        let parts = LivePlayerParts {
            controller,
            songs: Songs::new(read_song, 0),
            polyphony: VOICES,
            outputs: OutputDevices::new(&DeviceOptions::default(), &playback),
            midi: MidiInput::new(ports, 0),
            recorder,
            waveform_worker,
            title: options.title(),
            limiter,
            library,
            reason: |why: &String| why.clone(),
            playback,
            controllers: ControllerFile::of_user(),
            room: LiveRoom::new(room, room_file),
        };
        let mut screen = Session::new(&options, parts);
        screen.set_tells_release(true);
        let wire = outlet.wire(MidiSource(0));
        Ok(Self {
            screen,
            link,
            wire,
            places: KeyPlaces::default(),
            keymap: options.keymap,
            ended_take: None,
        })
    }

    fn link(&self) -> MutexGuard<'_, Option<RemoteLink>> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn handle(&mut self, message: PageMessage, now: Duration) {
        match message {
            PageMessage::Key(key) => {
                let Some(stroke) = keys::stroke(&key) else { return };
                let place = self.places.see(stroke);
                let messages = place.into_iter().chain(key::message(stroke, &self.keymap)).collect();
                self.take(messages, now);
            }
            PageMessage::Blur => self.take(vec![Msg::FocusLost], now),
            PageMessage::Pointer { action, target, steps } => {
                let target = target.hit(self.screen.model());
                self.take(vec![Msg::Mouse { action: action.mouse(steps), target }], now);
            }
            PageMessage::Command { name } => {
                let row = ROWS.iter().find(|row| row.name == name);
                let press = row.map(|row| Msg::Press(Press::Command(row.command)));
                self.take(press.into_iter().collect(), now);
            }
            PageMessage::Search { words } => self.take(vec![Msg::Search(words)], now),
            PageMessage::Midi { bytes } => {
                self.wire.carry(&bytes);
                let messages = self.screen.poll_midi();
                self.take(messages, now);
            }
            PageMessage::Kept { .. }
            | PageMessage::Open { .. }
            | PageMessage::Game(_)
            | PageMessage::Demo { .. }
            | PageMessage::Seen { .. } => {}
        }
    }

    /// Ends a take that is too long; returns whether it has done so.
    fn ends_take(&mut self, now: Duration) -> bool {
        let Some(take) = self.screen.model().take else { return false };
        if take.now.saturating_sub(take.since) < TAKE || self.ended_take == Some(take.since) {
            return false;
        }
        self.ended_take = Some(take.since);
        self.take(vec![Msg::Press(Press::Command(KeyCommand::Take))], now);
        true
    }

    fn take(&mut self, messages: Vec<Msg>, now: Duration) {
        for message in messages {
            for left in self.screen.handle(message, now) {
                if matches!(left, Intent::FindDevices) {
                    // The menu that waits for devices is closed again.
                    let pointer = Msg::Mouse { action: MouseAction::Down, target: HitTarget::Menu(None) };
                    let notice = "the browser plays on the device that the system has chosen".to_owned();
                    for message in [pointer, Msg::Live(LiveEvent::Notice(notice))] {
                        drop(self.screen.handle(message, now));
                    }
                }
            }
        }
    }
}

/// Returns what reads the songs of the files.
fn read_song((files, options): (Arc<dyn Files>, OpenOptions)) -> ReadSong {
    let read = move |path: &Path| {
        let (_, package) = packages::open(&files, path, &options)?;
        LoadedSong::of_file(&package).map_err(|error| error.message().to_owned())
    };
    Arc::new(read)
}
