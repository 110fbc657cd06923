//! The one table of the keys that command the screen: keys, names, and what help, footer and guides say of them.
//!
//! Notes, the arrows and the keys that type are no commands: they mean what stands on them, and cannot be moved.

mod chord;

use std::fmt;
use std::str::FromStr;

use crate::key::{KeyCode, KeyModifiers};
use crate::model::View;

pub use chord::KeyChord;

/// What a key asks for, unless it plays or types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyCommand {
    /// Show the help, or no longer.
    Help,
    /// The next layout of notes.
    Layout,
    /// Open the search box.
    Search,
    /// Let the arrows adjust the chosen sound, or no longer.
    Adjust,
    /// Let a MIDI controller turn the knob, or no longer.
    Learn,
    /// Switch the loop of the chosen sound.
    Loop,
    /// Begin a take, or end it.
    Take,
    /// Save what was just played.
    SaveRecent,
    /// Let each key play its own sound, or all the chosen one.
    Map,
    /// Show the devices.
    Devices,
    /// Go to the next package or group.
    NextGroup,
    /// Save the chosen sound as it is adjusted.
    SaveSound,
    /// Show the switches and states that events depend on.
    Switches,
    /// Undo the last adjustment.
    Undo,
    /// Redo it.
    Redo,
    /// Sort the list by the next order.
    Sort,
    /// Play each sound when it is chosen, or no longer.
    Preview,
    /// Pick the sound for an instrument, or no longer.
    Pick,
    /// Show less of the waveform, larger.
    ZoomIn,
    /// Show more of the waveform.
    ZoomOut,
    /// Play the song, or pause it.
    PlaySong,
    /// Show the song in place of the list, or the list again.
    ShowSong,
    /// Turn the song up by a decibel.
    Louder,
    /// Turn the song down by a decibel.
    Softer,
    /// Bring left and right of the song closer together.
    Narrower,
    /// Bring them further apart.
    Wider,
    /// Repeat the song's pattern, or no longer.
    LoopPattern,
    /// Mute the marked channel, or unmute it.
    Mute,
    /// Hear the marked channel alone, or all.
    Solo,
    /// Hear all channels.
    UnmuteAll,
    /// Slow the song down by a percent.
    Slower,
    /// Speed the song up by a percent.
    Faster,
    /// Play the next song of the folder.
    NextSong,
    /// Play the song before it.
    PreviousSong,
    /// Play the next song of the same module.
    NextSubsong,
    /// Play the one before it.
    PreviousSubsong,
    /// Shuffle the songs of the folder, or put them in order.
    Shuffle,
    /// Go to the shell for a while.
    Suspend,
    /// Leave.
    Quit,
}

/// What commands are about; the help has a heading for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyGroup {
    /// The notes of the computer keyboard.
    Notes,
    /// The list of sounds.
    List,
    /// The chosen sound.
    Sound,
    /// The song.
    Song,
    /// Takes, devices, the program.
    Program,
}

impl KeyGroup {
    /// All, in the order in which the list of sounds needs them.
    pub const ALL: [Self; 5] = [Self::Notes, Self::List, Self::Sound, Self::Song, Self::Program];

    /// Returns its heading.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Notes => "Playing",
            Self::List => "List",
            Self::Sound => "Chosen sound",
            Self::Song => "Song",
            Self::Program => "Program",
        }
    }
}

/// A command, its keys, and what is said of it.
#[derive(Clone, Copy, Debug)]
pub struct KeyBinding {
    /// The command.
    pub command: KeyCommand,
    /// Its name in settings.
    pub name: &'static str,
    /// Its keys unless the user moves it, separated by blanks.
    keys: &'static str,
    /// A word for the last line of the screen.
    pub label: &'static str,
    /// What it does, for help and guides.
    pub about: &'static str,
    /// What it is about.
    pub group: KeyGroup,
}

const fn row(
    group: KeyGroup,
    command: KeyCommand,
    name: &'static str,
    keys: &'static str,
    [label, about]: [&'static str; 2],
) -> KeyBinding {
    KeyBinding { command, name, keys, label, about, group }
}

use KeyCommand as C;
use KeyGroup::{List, Notes, Program, Song, Sound};

/// All commands, in the order in which they are shown. Those of songs may have keys that type: on their screens these
/// are commands as long as the piano is not shown.
#[rustfmt::skip]
pub const ROWS: [KeyBinding; 39] = [
    row(Program, C::Help, "help", "F1", ["help", "help, as does `?`"]),
    row(Notes, C::Layout, "layout", "F2", ["layout", "layout of the notes: piano, rows, DAW"]),
    row(Notes, C::Map, "map", "F7", ["map", "kit: each key plays its own sound, in the order of the list"]),
    row(List, C::Search, "search", "F3 Ctrl-F", ["search", "search by words or patterns; `Esc` shows all"]),
    row(List, C::Sort, "sort", "Ctrl-O", ["sort", "sort sounds by name, length, rate; songs by title, length, program"]),
    row(List, C::NextGroup, "next-group", "F9 Ctrl-B", ["group", "to the next package or group"]),
    row(List, C::Preview, "preview", "Ctrl-P", ["preview", "play each sound when it is chosen"]),
    row(Sound, C::Adjust, "adjust", "F4", ["adjust", "adjust with the arrows: gain, pan, tune and more"]),
    row(Sound, C::Learn, "learn", "Ctrl-N", ["learn", "while adjusting: a MIDI controller for the knob; again: no more"]),
    row(Sound, C::Loop, "loop", "F5", ["loop", "loop on or off; drag the mouse over the wave to set it"]),
    row(Sound, C::SaveSound, "save-sound", "Ctrl-E", ["save", "save it as adjusted; picked ones, a kit or a group as one"]),
    row(List, C::Pick, "pick", "Insert Ctrl-A", ["pick", "pick it, or its group, for an instrument; again: no more"]),
    row(Sound, C::ZoomIn, "zoom-in", "Alt-Up Ctrl-Up", ["zoom", "show less of the wave, larger, around its position or loop"]),
    row(Sound, C::ZoomOut, "zoom-out", "Alt-Down Ctrl-Down", ["zoom out", "show more of the wave"]),
    row(Sound, C::Switches, "switches", "Ctrl-W", ["switches", "switches and states that choose what an event plays"]),
    row(Sound, C::Undo, "undo", "Ctrl-U", ["undo", "undo an adjustment"]),
    row(Sound, C::Redo, "redo", "Ctrl-R", ["redo", "redo it"]),
    row(Song, C::PlaySong, "play-song", "Space Ctrl-T", ["pause", "play the song, pause it"]),
    row(Song, C::ShowSong, "show-song", "Ctrl-G", ["sounds", "the list of sounds, and back to the song"]),
    row(Song, C::Louder, "louder", "+ =", ["louder", "louder by a decibel"]),
    row(Song, C::Softer, "softer", "-", ["softer", "softer by a decibel"]),
    row(Song, C::Narrower, "narrower", "_", ["narrower", "left and right closer together, down to mono"]),
    row(Song, C::Wider, "wider", "*", ["wider", "left and right further apart, up to what is stored"]),
    row(Song, C::NextSong, "next-song", "> Ctrl-PgDn", ["next", "the next song"]),
    row(Song, C::PreviousSong, "previous-song", "< Ctrl-PgUp", ["previous", "the song before it"]),
    row(Song, C::NextSubsong, "next-subsong", "}", ["next part", "the next song of the same module"]),
    row(Song, C::PreviousSubsong, "previous-subsong", "{", ["part before", "the one before it in the module"]),
    row(Song, C::Shuffle, "shuffle", "Ctrl-X", ["shuffle", "shuffle the songs, or put them in order"]),
    row(Song, C::LoopPattern, "loop-pattern", "Ctrl-L", ["loop", "repeat this pattern, or continue"]),
    row(Song, C::Mute, "mute", "Ctrl-K", ["mute", "mute the marked channel, or unmute it"]),
    row(Song, C::Solo, "solo", "Ctrl-Y", ["solo", "hear the marked channel alone, or all again"]),
    row(Song, C::UnmuteAll, "unmute", "!", ["unmute", "hear all channels"]),
    row(Song, C::Slower, "slower", "( Ctrl-Left", ["slower", "slower by a percent, at the same pitch"]),
    row(Song, C::Faster, "faster", ") Ctrl-Right", ["faster", "faster by a percent, at the same pitch"]),
    row(Program, C::Take, "take", "F6 Ctrl-S", ["take", "start and stop a take"]),
    row(Program, C::SaveRecent, "save-recent", "Shift-F6", ["save", "save the last minutes played"]),
    row(Program, C::Devices, "devices", "F8", ["device", "audio device"]),
    row(Program, C::Suspend, "suspend", "Ctrl-Z", ["suspend", "suspend"]),
    row(Program, C::Quit, "quit", "F10 Ctrl-Q", ["quit", "quit; `Ctrl-C` always does"]),
];

/// A key that is no command and cannot be moved, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct FixedKey {
    /// What it is about.
    pub group: KeyGroup,
    /// The pages on which it does that.
    pub pages: &'static [View],
    /// The key, or several.
    pub keys: &'static str,
    /// What it does, for help and guides.
    pub about: &'static str,
    /// Whether it types: then it plays as long as the piano is shown.
    pub types: bool,
}

const fn fixed(group: KeyGroup, pages: &'static [View], keys: &'static str, about: &'static str) -> FixedKey {
    FixedKey { group, pages, keys, about, types: false }
}

const fn typed(keys: &'static str, about: &'static str) -> FixedKey {
    FixedKey { types: true, ..fixed(Song, SONG_PAGES, keys, about) }
}

const SOUNDS: &[View] = &[View::Sounds];
const PATTERN: &[View] = &[View::Pattern];
const ABOUT: &[View] = &[View::About];
const SONGS: &[View] = &[View::Songs];
const SONG_PAGES: &[View] = &[View::Pattern, View::About, View::Songs];
const OF_SONG: &[View] = &[View::Pattern, View::About];

/// All such keys, in the order in which they are shown.
#[rustfmt::skip]
pub const FIXED: [FixedKey; 25] = [
    fixed(Notes, SOUNDS, "Tab", "what ends a note: its key, time, the next press, nothing"),
    fixed(Notes, SOUNDS, "Space", "release all notes; with a song, pause it"),
    fixed(Notes, SOUNDS, "Esc", "silence all notes at once; the song begins its row again"),
    fixed(List, SOUNDS, "↑ ↓", "choose a sound; page up and down, Home and End as well"),
    fixed(List, SOUNDS, "Enter", "play it at its own pitch"),
    fixed(List, SOUNDS, "← →", "fold and unfold groups, with Shift all of them"),
    fixed(List, SOUNDS, "mouse", "click a sound to choose it, again to hear it; a group to fold it"),
    fixed(Sound, SOUNDS, "mouse", "drag over the wave to set the loop, or one of its ends; turn the wheel to zoom"),
    fixed(Sound, SOUNDS, "mouse", "drag [ or ] on the wave to set where the sound begins and ends"),
    fixed(Sound, SOUNDS, "PgUp PgDn", "while adjusting, to another page of knobs"),
    fixed(Sound, SOUNDS, "← →", "while the trim is adjusted, move its start, with Shift its end"),
    fixed(Song, SONGS, "↑ ↓", "in the list of songs, choose one; page up and down, Home and End as well"),
    fixed(Song, SONGS, "Enter", "in the list of songs, play the chosen one"),
    fixed(Song, SONG_PAGES, "← →", "five seconds back or further"),
    fixed(Song, PATTERN, "↑ ↓", "in the pattern, a row back or further; page up and down an order; Home, End the first, the last"),
    fixed(Song, ABOUT, "↑ ↓", "on the page of samples and message, scroll"),
    fixed(Song, SONG_PAGES, "Shift-← →", "mark a channel"),
    fixed(Song, SONG_PAGES, "Shift-↑ ↓", "choose an instrument"),
    fixed(Song, OF_SONG, "Enter", "play the chosen instrument at its own pitch"),
    typed("1 … 9 0", "mute the channels 1 to 10, or unmute them"),
    fixed(Song, SONG_PAGES, "Tab", "the next page: pattern, samples and message, songs"),
    typed("letters", "play along: the piano is shown, and has all keys that play"),
    fixed(Song, SONG_PAGES, "Esc", "hide the piano, release all notes but the song's; back to the pattern"),
    fixed(Song, PATTERN, "mouse", "click an order, a row or the bar to go there; a channel to mute it, right: solo"),
    fixed(Song, SONGS, "mouse", "click a song to choose it, again to play it; the bar to go there"),
];

/// Why keys cannot be moved as the user wants, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeymapError(String);

impl fmt::Display for KeymapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for KeymapError {}

/// Which keys ask for which commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap(Vec<(KeyChord, KeyCommand)>);

impl Default for Keymap {
    fn default() -> Self {
        let keys = |row: &KeyBinding| {
            let chords = row.keys.split(' ').filter_map(|key| key.parse().ok());
            chords.map(|chord| (chord, row.command)).collect::<Vec<_>>()
        };
        Self(ROWS.iter().flat_map(keys).collect())
    }
}

/// Reads moved keys: `search=F3,Ctrl-A map=F12`. Commands that are not named keep their keys, but for those that
/// others take. A command may have none: `suspend=`.
impl FromStr for Keymap {
    type Err = KeymapError;

    fn from_str(text: &str) -> Result<Self, KeymapError> {
        let mut moved: Vec<(KeyChord, KeyCommand)> = Vec::new();
        let mut commands = Vec::new();
        for entry in text.split_whitespace() {
            let (name, keys) = entry.split_once('=').ok_or_else(|| {
                KeymapError(format!("{entry}: a command and its keys are wanted, as in map=F12"))
            })?;
            let row = ROWS.iter().find(|row| row.name == name).ok_or_else(|| {
                let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
                KeymapError(format!("{name}: no such command; there are {}", names.join(", ")))
            })?;
            commands.push(row.command);
            for key in keys.split(',').filter(|key| !key.is_empty()) {
                let chord: KeyChord = key.parse()?;
                if chord.typed().is_some() && row.group != Song {
                    let why = "this key plays or moves; only with Ctrl or Alt can it be a command";
                    return Err(KeymapError(format!("{key}: {why}")));
                }
                if moved.iter().any(|(taken, _)| *taken == chord) {
                    return Err(KeymapError(format!("{chord}: two commands cannot have one key")));
                }
                moved.push((chord, row.command));
            }
        }
        let mut keymap = Self::default();
        let taken = |chord: &KeyChord| moved.iter().any(|(other, _)| other == chord);
        keymap.0.retain(|(chord, command)| !commands.contains(command) && !taken(chord));
        keymap.0.extend(moved);
        if keymap.keys(KeyCommand::Quit).next().is_none() {
            return Err(KeymapError("quit: without a key there is no way out".to_owned()));
        }
        Ok(keymap)
    }
}

impl Keymap {
    /// Returns the command of a key that types nothing.
    #[must_use]
    pub fn command(&self, chord: KeyChord) -> Option<KeyCommand> {
        if chord.typed().is_some() {
            return None;
        }
        // Whatever is moved, this ends it.
        if chord == KeyChord::new(KeyCode::Char('c'), KeyModifiers::CONTROL) {
            return Some(KeyCommand::Quit);
        }
        // What is held with a function key does not matter, unless it makes another command of it.
        let alone = chord.function_key_alone();
        let command = |chord| self.0.iter().find(|(key, _)| *key == chord).map(|(_, command)| *command);
        command(chord).or_else(|| alone.and_then(command))
    }

    /// Returns the command of a character on the screens of songs.
    #[must_use]
    pub fn typed(&self, character: char) -> Option<KeyCommand> {
        let is_it = |(key, _): &&(KeyChord, KeyCommand)| key.typed() == Some(character);
        self.0.iter().find(is_it).map(|(_, command)| *command)
    }

    /// Returns the keys of a command, the first of which is shown where there is little room.
    pub fn keys(&self, command: KeyCommand) -> impl Iterator<Item = KeyChord> {
        self.0.iter().filter(move |(_, own)| *own == command).map(|(key, _)| *key)
    }

    /// Returns the first key of a command as it follows a word: ` (F3)`; empty if it has none.
    #[must_use]
    pub fn hint(&self, command: KeyCommand) -> String {
        self.keys(command).next().map_or_else(String::new, |key| format!(" ({key})"))
    }

    /// Returns the keys of a command as text: `F3, Ctrl-F`; empty if it has none.
    #[must_use]
    pub fn named(&self, command: KeyCommand) -> String {
        joined(self.keys(command))
    }
}

/// Returns the keys and what they do, by what that is about, as lines of a table of two columns: the keys and commands
/// for which something is true.
#[must_use]
pub fn help_lines(
    keymap: &Keymap,
    group: KeyGroup,
    is_fixed: impl Fn(&FixedKey) -> bool,
    is_command: impl Fn(KeyCommand, KeyChord) -> bool,
) -> Vec<(String, &'static str)> {
    let fixed = FIXED.iter().filter(|key| key.group == group && is_fixed(key));
    let fixed = fixed.map(|key| (key.keys.to_owned(), key.about));
    let commands = ROWS.iter().filter(|row| row.group == group).map(|row| {
        let keys = keymap.keys(row.command).filter(|key| is_command(row.command, *key));
        (joined(keys), row.about)
    });
    fixed.chain(commands.filter(|(keys, _)| !keys.is_empty())).collect()
}

fn joined(keys: impl Iterator<Item = KeyChord>) -> String {
    keys.map(|key| key.to_string()).collect::<Vec<_>>().join(", ")
}

impl KeyCommand {
    /// Returns its row in the table.
    #[must_use]
    pub fn row(self) -> &'static KeyBinding {
        // Each has one, as a test says.
        ROWS.iter().find(|row| row.command == self).unwrap_or(&ROWS[0])
    }
}

#[cfg(test)]
mod tests;
