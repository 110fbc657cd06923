//! The one table of the keys that command the screen: keys, names, and what help, footer and guides say of them.
//!
//! Notes, the arrows and the keys that type are no commands: they mean what stands on them, and cannot be moved.

mod chord;

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyModifiers};

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
    /// Play the song, or pause it.
    PlaySong,
    /// Show the song in place of the list, or the list again.
    ShowSong,
    /// Repeat the song's pattern, or no longer.
    LoopPattern,
    /// Mute the marked channel, or unmute it.
    Mute,
    /// Hear the marked channel alone, or all.
    Solo,
    /// Slow the song down by a percent.
    Slower,
    /// Speed the song up by a percent.
    Faster,
    /// Play the next song of the folder.
    NextSong,
    /// Play the song before it.
    PreviousSong,
    /// Shuffle the songs of the folder, or put them in order.
    Shuffle,
    /// Go to the shell for a while.
    Suspend,
    /// Leave.
    Quit,
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
    /// What it does, for the help on the screen: at most 25 columns.
    pub help: &'static str,
    /// What it does, for guides and `--help`.
    pub about: &'static str,
    /// Whether it is a command of the song's screen.
    pub is_of_song: bool,
}

const fn row(
    command: KeyCommand,
    name: &'static str,
    keys: &'static str,
    [label, help, about]: [&'static str; 3],
) -> KeyBinding {
    KeyBinding { command, name, keys, label, help, about, is_of_song: false }
}

const fn song(
    command: KeyCommand,
    name: &'static str,
    keys: &'static str,
    texts: [&'static str; 3],
) -> KeyBinding {
    KeyBinding { is_of_song: true, ..row(command, name, keys, texts) }
}

/// All commands, in the order in which they are shown.
pub const ROWS: [KeyBinding; 28] = [
    row(KeyCommand::Help, "help", "F1", ["help", "this help (also ?)", "help, as does `?`"]),
    row(KeyCommand::Layout, "layout", "F2", ["layout", "layout: piano, rows, DAW", "layout of the notes"]),
    row(
        KeyCommand::Search,
        "search",
        "F3 Ctrl-F",
        [
            "search",
            "search by words, patterns",
            "search: words that a name must contain, or patterns; `Esc` shows all",
        ],
    ),
    row(
        KeyCommand::Adjust,
        "adjust",
        "F4",
        [
            "adjust",
            "adjust with the arrows",
            "adjust the chosen sound with the arrows: gain, pan, tune and more",
        ],
    ),
    row(
        KeyCommand::Loop,
        "loop",
        "F5",
        ["loop", "loop on or off", "loop on or off; drag the mouse over the wave to set it"],
    ),
    row(KeyCommand::Take, "take", "F6 Ctrl-S", ["take", "start, stop a take", "start and stop a take"]),
    row(
        KeyCommand::SaveRecent,
        "save-recent",
        "Shift-F6",
        ["save", "save what was played", "save the last minutes played"],
    ),
    row(
        KeyCommand::Map,
        "map",
        "F7",
        ["map", "kit: a sound on each key", "kit: each key plays its own sound, in the order of the list"],
    ),
    row(KeyCommand::Devices, "devices", "F8", ["device", "audio device", "audio device"]),
    row(
        KeyCommand::NextGroup,
        "next-group",
        "F9 Ctrl-B",
        ["group", "next package or group", "to the next package or group"],
    ),
    row(
        KeyCommand::SaveSound,
        "save-sound",
        "Ctrl-E",
        [
            "save",
            "save the sound, the kit",
            "save the sound as it is adjusted; a search, kit or group as SFZ or SF2",
        ],
    ),
    row(
        KeyCommand::Switches,
        "switches",
        "Ctrl-W",
        [
            "switches",
            "switches of events",
            "switches and states that choose what an event of a sound bank plays",
        ],
    ),
    row(KeyCommand::Undo, "undo", "Ctrl-U", ["undo", "undo an adjustment", "undo an adjustment"]),
    row(KeyCommand::Redo, "redo", "Ctrl-R", ["redo", "redo it", "redo it"]),
    row(
        KeyCommand::Sort,
        "sort",
        "Ctrl-O",
        ["sort", "sort the list", "sort the list by name, length, rate or number"],
    ),
    row(
        KeyCommand::Preview,
        "preview",
        "Ctrl-P",
        ["preview", "play each as it is chosen", "play each sound when it is chosen"],
    ),
    song(
        KeyCommand::PlaySong,
        "play-song",
        "Ctrl-T",
        ["pause", "play the song, pause it", "play the song, pause it"],
    ),
    song(
        KeyCommand::ShowSong,
        "show-song",
        "Ctrl-G",
        ["sounds", "list of sounds, the song", "the list of sounds, and back to the song"],
    ),
    song(
        KeyCommand::LoopPattern,
        "loop-pattern",
        "Ctrl-L",
        ["loop", "repeat this pattern", "repeat this pattern, or continue"],
    ),
    song(
        KeyCommand::Mute,
        "mute",
        "Ctrl-K",
        ["mute", "mute the marked channel", "mute the marked channel, or unmute it"],
    ),
    song(
        KeyCommand::Solo,
        "solo",
        "Ctrl-Y",
        ["solo", "hear it alone, or all", "hear it alone, or all again"],
    ),
    song(
        KeyCommand::Slower,
        "slower",
        "Ctrl-Left",
        ["slower", "slower by a percent", "slower by a percent, at the same pitch"],
    ),
    song(
        KeyCommand::Faster,
        "faster",
        "Ctrl-Right",
        ["faster", "faster by a percent", "faster by a percent, at the same pitch"],
    ),
    song(
        KeyCommand::NextSong,
        "next-song",
        "Ctrl-PgDn",
        ["next", "next song of a folder", "the next song of a folder"],
    ),
    song(
        KeyCommand::PreviousSong,
        "previous-song",
        "Ctrl-PgUp",
        ["previous", "the song before", "the song before it"],
    ),
    song(
        KeyCommand::Shuffle,
        "shuffle",
        "Ctrl-X",
        ["shuffle", "shuffle the songs", "shuffle the songs of a folder, or put them in order"],
    ),
    row(KeyCommand::Suspend, "suspend", "Ctrl-Z", ["suspend", "suspend", "suspend"]),
    row(KeyCommand::Quit, "quit", "F10 Ctrl-Q", ["quit", "quit (also Ctrl-C)", "quit; `Ctrl-C` always does"]),
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
    /// Returns the command of a key.
    #[must_use]
    pub fn command(&self, chord: KeyChord) -> Option<KeyCommand> {
        // Whatever is moved, this ends it.
        if chord == KeyChord::new(KeyCode::Char('c'), KeyModifiers::CONTROL) {
            return Some(KeyCommand::Quit);
        }
        // What is held with a function key does not matter, unless it makes another command of it.
        let alone = chord.function_key_alone();
        let command = |chord| self.0.iter().find(|(key, _)| *key == chord).map(|(_, command)| *command);
        command(chord).or_else(|| alone.and_then(command))
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
        self.keys(command).map(|key| key.to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// Returns the keys and what they do as lines of a table of two columns, for `--help`; of the list or of the song.
#[must_use]
pub fn help_lines(of_song: bool) -> Vec<(String, &'static str)> {
    let keymap = Keymap::default();
    let rows = ROWS.iter().filter(|row| row.is_of_song == of_song);
    rows.map(|row| (keymap.named(row.command), row.about)).collect()
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
