//! The screen beside what it plays: messages change it, and what they ask for is carried out.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use player::Quality;
use player::keyboard::{self, ComputerKeyboard, KeyMapMode, KeyboardLayout};
use player::library::LibraryEvent;
use player::live::{ListedPackage, LiveEvent, LivePlayer, LivePlayerParts, NothingToPlay};
use player::midi::port::PortEvent;
use player::playback::Playback;
use player::room::Room;

use crate::OptionNames;
use crate::draw::{ColorDepth, Palette, RoleColors, Theme};
use crate::keymap::Keymap;
use crate::model::{Mode, Model, SoundEntry, first_octave, first_playable, title};
use crate::update::{Intent, Msg, update};

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

/// The screen and what it plays.
pub struct Session<F> {
    pub(crate) model: Model,
    pub(crate) player: LivePlayer<SoundEntry, F>,
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

    /// Returns what is shown.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// Sets whether it is reported when keys are released; then notes last as long as their keys are held.
    pub const fn set_tells_release(&mut self, tells_release: bool) {
        self.model.tells_release = tells_release;
        self.model.mode = if tells_release { Mode::Real } else { Mode::Gate };
    }

    /// Changes what is shown by a message, and carries out what that asks for; `now` counts from the start of the
    /// program. Returns what only the program can do.
    pub fn handle(&mut self, message: Msg, now: Duration) -> Vec<Intent> {
        let mut messages = VecDeque::from([message]);
        let mut left = Vec::new();
        while let Some(message) = messages.pop_front() {
            for intent in update(&mut self.model, message, now) {
                match intent {
                    Intent::Suspend | Intent::Quit | Intent::FindDevices | Intent::UseDevice(_) => {
                        left.push(intent);
                    }
                    intent => messages.extend(execute(&mut self.player, intent).err().map(Msg::Live)),
                }
            }
        }
        left
    }

    /// Returns what has happened until the next frame of the screen, which is due.
    pub fn frame(&mut self) -> Vec<Msg> {
        let mut live = Vec::new();
        self.player.poll_library(self.model.near(), &mut live);
        self.player.poll(self.model.chosen, &mut live);
        let live = self.with_engine_events(live);
        std::iter::once(Msg::Tick).chain(live).collect()
    }

    /// Returns what has become of a sound that was loaded, or a package that was opened.
    pub fn loaded(&mut self) -> Vec<Msg> {
        let mut live = Vec::new();
        self.player.poll_library(self.model.near(), &mut live);
        self.with_engine_events(live)
    }

    /// Plays what comes from a MIDI port.
    pub fn play_midi(&mut self, event: PortEvent) -> Vec<Msg> {
        let live = self.player.play_midi(event, self.model.chosen);
        self.with_engine_events(live.into_iter().collect())
    }

    /// Plays what has come from MIDI ports since.
    pub fn poll_midi(&mut self) -> Vec<Msg> {
        let events = self.player.midi_events().clone();
        events.try_iter().flat_map(|event| self.play_midi(event)).collect()
    }

    /// Sets how many columns and rows the text has that it is drawn as.
    pub const fn set_size(&mut self, size: (u16, u16)) {
        self.model.size = size;
    }

    pub(crate) fn with_engine_events(&mut self, mut live: Vec<LiveEvent<SoundEntry>>) -> Vec<Msg> {
        self.player.handle_engine_events(&mut live);
        live.into_iter().map(Msg::Live).collect()
    }

    /// Returns why nothing can ever be played, once that is known.
    pub fn nothing_to_play(&mut self) -> Option<NothingToPlay<F>> {
        self.player.nothing_to_play()
    }

    /// Writes what was adjusted and is not written yet.
    pub fn save(&mut self) {
        let _ = self.player.save_adjustments(true);
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
