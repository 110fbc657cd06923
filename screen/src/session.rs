//! The loop around the screen: what wakes it becomes messages, and what the messages ask for is carried out.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use player::Quality;
use player::keyboard::{self, ComputerKeyboard, KeyMapMode, KeyboardLayout, Scheme};
use player::library::LibraryEvent;
use player::live::{ListedPackage, LiveEvent, LivePlayer, LivePlayerParts, NothingToPlay};
use player::playback::Playback;
use player::room::Room;

use crate::OptionNames;
use crate::draw::{ColorDepth, Palette, RoleColors, Theme};
use crate::events::{Events, Wake};
use crate::hit;
use crate::keymap::{KeyCommand, Keymap};
use crate::model::still::FrameSkipper;
use crate::model::{Mode, Model, SoundEntry, first_octave, first_playable, title};
use crate::note_log::NoteLog;
use crate::terminal::TerminalScreen;
use crate::update::{Intent, Msg, Press, update};

/// The engine's voices unless the user wants more: so many may be asked for while playing.
const MAX_VOICES: usize = 256;

/// How the screen begins.
#[derive(Clone, Debug)]
pub struct ScreenOptions {
    /// The packages, as the user typed them.
    pub label: String,
    /// Maximum number of simultaneous voices at first.
    pub voices: usize,
    /// Interpolation of sounds that are not adjusted.
    pub quality: Quality,
    /// What the keys play.
    pub map: KeyMapMode,
    /// Octave of the lower row's first key; usual for the map if none is given.
    pub octave: Option<i8>,
    /// Layout of notes on the computer keyboard.
    pub layout: KeyboardLayout,
    /// Which characters the keys type; as usual for the locale if none is given.
    pub keyboard: Option<ComputerKeyboard>,
    /// The keys of commands.
    pub keymap: Keymap,
    /// Names of options that are recommended.
    pub option_names: OptionNames,
    /// The room that all sounds are played in.
    pub room: Room,
}

impl ScreenOptions {
    /// Returns the number of voices to make an engine for.
    #[must_use]
    pub fn polyphony(&self) -> usize {
        self.voices.max(MAX_VOICES)
    }

    /// Returns the name of takes: the package without folder and extension.
    #[must_use]
    pub fn title(&self) -> String {
        title(&file_name(&self.label)).to_owned()
    }

    /// Returns the screen before anything happens, with a sound chosen or the first that can be played.
    #[must_use]
    pub fn model(&self, sounds: Vec<SoundEntry>, chosen: Option<usize>, playback: &Playback) -> Model {
        let polyphony = (self.voices, self.polyphony());
        Model {
            chosen: chosen.unwrap_or_else(|| first_playable(&sounds)),
            quality: self.quality,
            map: self.map,
            octave: self.octave.unwrap_or_else(|| first_octave(self.map)),
            other_octave: first_octave(keyboard::other(self.map)),
            layout: self.layout,
            keyboard: self.keyboard.unwrap_or_else(usual_keyboard),
            knows_keyboard: self.keyboard.is_some(),
            keymap: self.keymap.clone(),
            option_names: self.option_names,
            room: self.room,
            ..Model::new(
                file_name(&self.label),
                playback.name().to_owned(),
                playback.rate(),
                sounds,
                polyphony,
            )
        }
    }
}

/// What ends a note, as the user wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseMode {
    /// The release of its key if the terminal reports it, else time.
    Auto,
    /// This; [`Mode::Real`] needs a terminal that reports releases.
    Always(Mode),
}

/// Questions to the program about the signals it has got.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    /// Returns whether the program is to end.
    pub is_end_wanted: fn() -> bool,
    /// Returns whether the user wants to go to the shell for a while; true once for each wish.
    pub is_stop_wanted: fn() -> bool,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By the user.
    Quit {
        /// Whether all adjustments were written.
        is_saved: bool,
    },
    /// By a signal.
    Signal,
}

/// Why a session cannot begin, or go on. `F` says why a package cannot be opened.
#[derive(Debug)]
pub enum SessionError<F> {
    /// The terminal cannot be used, or no longer.
    Terminal(io::Error),
    /// The terminal was closed.
    Closed,
    /// The terminal does not report when keys are released, as [`Mode::Real`] needs it.
    NoReleases,
    /// The log of notes cannot be written.
    Log(io::Error),
    /// All packages were opened, and there is nothing to play.
    NothingToPlay(NothingToPlay<F>),
}

impl<F> From<io::Error> for SessionError<F> {
    fn from(error: io::Error) -> Self {
        Self::Terminal(error)
    }
}

/// The screen and what it plays.
pub struct Session<F> {
    model: Model,
    player: LivePlayer<SoundEntry, F>,
}

impl<F: Send + 'static> Session<F> {
    /// Begins a session that plays on a device; the terminal is not touched yet. Packages are still being opened.
    #[must_use]
    pub fn new(options: &ScreenOptions, parts: LivePlayerParts<SoundEntry, F>) -> Self {
        let model = Model { is_listing: true, ..options.model(Vec::new(), None, &parts.playback) };
        Self { model, player: LivePlayer::new(parts) }
    }

    /// Lists what was opened before the screen is shown, and loads the chosen sound. Returns what is warned of.
    pub fn list(&mut self, opened: Vec<LibraryEvent<ListedPackage<SoundEntry, F>, F>>) -> Vec<String> {
        let mut events = Vec::new();
        opened.into_iter().for_each(|event| self.player.handle_library(event, &mut events));
        let mut warnings = self.see(events);
        let mut events = Vec::new();
        self.player.poll_library(self.model.near(), &mut events);
        warnings.extend(self.see(events));
        warnings
    }

    fn see(&mut self, events: Vec<LiveEvent<SoundEntry>>) -> Vec<String> {
        let mut warnings = Vec::new();
        for event in events {
            if let LiveEvent::Warning(warning) = &event {
                warnings.push(warning.clone());
            }
            drop(update(&mut self.model, Msg::Live(event), Duration::ZERO));
        }
        warnings
    }

    /// Shows the screen until the user quits, a signal ends it, or the terminal is gone.
    ///
    /// # Errors
    /// [`SessionError`]; the terminal is put back.
    pub fn run(
        mut self,
        terminal: TerminalScreen,
        release: ReleaseMode,
        mut log: Option<NoteLog>,
        signals: Signals,
    ) -> Result<Ended, SessionError<F>> {
        self.model.tells_release = terminal.tells_release();
        self.model.mode = mode(release, self.model.tells_release).ok_or(SessionError::NoReleases)?;
        if let Some(log) = &mut log {
            log.headline(headline(&self.model)).map_err(SessionError::Log)?;
        }
        self.play(terminal, log, signals)
    }

    fn play(
        mut self,
        mut terminal: TerminalScreen,
        mut log: Option<NoteLog>,
        signals: Signals,
    ) -> Result<Ended, SessionError<F>> {
        let (midi, loaded) = (self.player.midi_events().clone(), self.player.library_wake().clone());
        let mut events = Events::listen(midi, loaded, self.model.keymap.clone())?;
        let begun = Instant::now();
        terminal.show(&self.model)?;
        let (mut frames, mut area) = (FrameSkipper::default(), terminal.area()?);
        self.model.size = (area.width, area.height);
        loop {
            let wake = events.wait();
            // Notes first, the picture after them, at the next frame: a key must not wait for the screen.
            let mut draws = wake == Wake::Frame;
            let leaves_by_key = matches!(wake, Wake::Leave(_));
            let mut messages = self.messages(wake, &mut terminal, signals)?;
            while let Some(message) = messages.pop_front() {
                let now = begun.elapsed();
                frames.see(&message, &self.model);
                let mut written = log.as_mut().map_or(Ok(()), |log| log.message(now, &message));
                for intent in update(&mut self.model, message, now) {
                    written =
                        written.and_then(|()| log.as_mut().map_or(Ok(()), |log| log.intent(now, &intent)));
                    match intent {
                        Intent::Suspend => terminal.leave_for_a_while()?,
                        Intent::Quit => {
                            let is_saved = self.player.save_adjustments(true).is_none();
                            return Ok(Ended::Quit { is_saved });
                        }
                        intent => {
                            let refused = execute(&mut self.player, intent).err();
                            messages.extend(refused.map(Msg::Live));
                        }
                    }
                }
                if let Err(error) = written {
                    log = None;
                    let what = format!("the log ends here: {error}");
                    messages.push_back(Msg::Live(LiveEvent::Warning(what)));
                }
            }
            if leaves_by_key {
                events.go_on();
            }
            if draws {
                let before = area;
                area = terminal.area()?;
                self.model.size = (area.width, area.height);
                draws = frames.draws(&self.model) || area != before;
            }
            if draws {
                terminal.show(&self.model)?;
            }
            if (signals.is_end_wanted)() {
                drop(terminal);
                let _ = self.player.save_adjustments(true);
                return Ok(Ended::Signal);
            }
        }
    }

    /// Returns what has happened since.
    fn messages(
        &mut self,
        wake: Wake,
        terminal: &mut TerminalScreen,
        signals: Signals,
    ) -> Result<VecDeque<Msg>, SessionError<F>> {
        let mut messages = VecDeque::new();
        let mut live = Vec::new();
        match wake {
            Wake::Keyboard(message) => messages.push_back(message),
            Wake::Leave(press) => {
                terminal.let_keys_go()?;
                messages.push_back(Msg::Press(press));
            }
            Wake::Mouse(event) => messages.extend(hit::message(&self.model, terminal.area()?, &event)),
            Wake::Midi(event) => live.extend(self.player.play_midi(event, self.model.chosen)),
            Wake::Loaded => self.player.poll_library(self.model.near(), &mut live),
            Wake::Frame => {
                messages.push_back(Msg::Tick);
                self.player.poll_library(self.model.near(), &mut live);
                self.player.poll(self.model.chosen, &mut live);
            }
            Wake::Gone => return Err(SessionError::Closed),
        }
        if let Some(nothing) = self.player.nothing_to_play() {
            return Err(SessionError::NothingToPlay(nothing));
        }
        self.player.handle_engine_events(&mut live);
        messages.extend(live.into_iter().map(Msg::Live));
        if (signals.is_stop_wanted)() {
            messages.push_back(Msg::Press(Press::Command(KeyCommand::Suspend)));
        }
        Ok(messages)
    }
}

/// Carries out an intent; [`Suspend`](Intent::Suspend) and [`Quit`](Intent::Quit) are the loop's.
///
/// # Errors
/// If it cannot be done, what has become of it.
pub fn execute<F>(player: &mut LivePlayer<SoundEntry, F>, intent: Intent) -> Result<(), LiveEvent<SoundEntry>>
where
    F: Send + 'static,
{
    match intent {
        Intent::NoteOn { number, sound, key, velocity } => player.note_on(number, sound, key, velocity)?,
        Intent::NoteOff(number) => player.note_off(number),
        Intent::ReleaseAll => player.release_all(),
        Intent::Silence => player.silence(),
        Intent::Voice { sound, voicing } => player.set_voicing(sound, *voicing),
        Intent::Learn(parameter) => player.learn_controller(parameter),
        Intent::Forget(parameter) => return Err(player.forget_controller(parameter)),
        Intent::Polyphony(voices) => player.set_polyphony(voices)?,
        Intent::StartTake => player.start_take(),
        Intent::StopTake => player.stop_take(),
        Intent::Write => player.save_recent(),
        Intent::SaveSounds(request) => player.save_sounds(request)?,
        Intent::Room(room) => player.set_room(room),
        Intent::Song(command) => player.steer_song(command),
        Intent::Switch { sound, values } => player.set_switches(sound, values),
        Intent::FindDevices => player.find_devices()?,
        Intent::UseDevice(index) => player.use_device(index),
        Intent::Suspend | Intent::Quit => {}
    }
    Ok(())
}

/// Returns what ends notes on this terminal; none if it cannot be had.
fn mode(wanted: ReleaseMode, tells_release: bool) -> Option<Mode> {
    match wanted {
        ReleaseMode::Auto if tells_release => Some(Mode::Real),
        ReleaseMode::Auto => Some(Mode::Gate),
        ReleaseMode::Always(Mode::Real) if !tells_release => None,
        ReleaseMode::Always(mode) => Some(mode),
    }
}

/// Returns the first line of a log of notes.
fn headline(model: &Model) -> String {
    let Model { package, device, rate, .. } = model;
    let reported = if model.tells_release { "press and release" } else { "press" };
    let (layout, mode) = (Scheme::of(model.layout).name, model.mode.name());
    format!("{package} on {device} at {rate} Hz; keys report {reported}; {layout}, {mode}")
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

impl Theme {
    /// Returns the theme for a terminal whose encoding is that of the locale, and which has as many colours as it says.
    #[must_use]
    pub fn of_locale(colored: bool, palette: Palette, colors: RoleColors) -> Self {
        // Where no locale is set at all it is ASCII on Linux; Windows and macOS's own terminal know none and speak
        // UTF-8.
        let is_utf8 = locale().map_or(!cfg!(target_os = "linux"), |locale| {
            let locale = locale.to_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let variable = |name| std::env::var(name).ok();
        let depth = if colored {
            ColorDepth::of_terminal(variable("COLORTERM").as_deref(), variable("TERM").as_deref())
        } else {
            ColorDepth::None
        };
        Self { ascii: !is_utf8, depth, palette, colors }
    }
}

/// Returns the file name alone: the header has no room for folders.
fn file_name(label: &str) -> String {
    let name = Path::new(label).file_name().and_then(|name| name.to_str());
    name.unwrap_or(label).to_owned()
}
