//! What the page tells the worker, in JSON.

use ratatui::layout::{Position, Rect};
use screen::hit;
use screen::hit_target::HitTarget;
use screen::model::Model;
use screen::model::knob::PAGES;
use screen::update::MouseAction;
use serde::Deserialize;

/// A file that the page can read parts of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FileEntry {
    /// Its number.
    pub id: u32,
    /// Its path below what was dropped, with `/` between the parts.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
}

/// A key of the computer keyboard, as `KeyboardEvent` describes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct KeyMessage {
    /// What it types: `key`.
    pub key: String,
    /// Where it is: `code`.
    pub code: String,
    /// Whether shift is held.
    #[serde(default)]
    pub shift: bool,
    /// Whether Ctrl is held.
    #[serde(default)]
    pub ctrl: bool,
    /// What a US keyboard has at its place, of a key that is drawn and has no code.
    #[serde(default)]
    pub place: Option<char>,
    /// Whether it is held and repeats.
    #[serde(default)]
    pub repeat: bool,
    /// Whether it goes up.
    #[serde(default)]
    pub up: bool,
}

/// What a pointer is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "on", rename_all = "camelCase")]
pub enum PointerTarget {
    /// A row of the list of sounds.
    List {
        /// From the first.
        row: usize,
    },
    /// A column of the waveform.
    Wave {
        /// From the left.
        column: usize,
        /// How many there are.
        columns: usize,
        /// Whether it is where the handles of the trim are.
        top: bool,
    },
    /// A knob: its page, and its place there.
    Knob {
        /// From the first page.
        page: usize,
        /// From the first knob.
        place: usize,
    },
    /// A row of the menu; none beside it.
    Menu {
        /// From the first.
        row: Option<usize>,
    },
    /// A cell of the text that a song is drawn as.
    Cell {
        /// From the left.
        column: u16,
        /// From the top.
        row: u16,
    },
}

/// What a pointer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PointerAction {
    /// The button goes down, or a finger.
    Down,
    /// The right button goes down.
    RightDown,
    /// It moves while it is down.
    Drag,
    /// It goes up.
    Up,
    /// The wheel turns.
    Wheel,
}

/// What the user has entered of a game: each text may be empty.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameSettings {
    /// AES keys of containers, `KEY` or `GUID=KEY` on each line.
    pub aes: String,
    /// Release of the engine, `4.27`.
    pub engine: String,
    /// Key of banks of FMOD.
    pub fmod_key: String,
    /// Key of waves of CRI, decimal or hexadecimal with `0x`.
    pub cri_key: String,
    /// Whether the mappings that were dropped still count.
    pub keeps_mappings: bool,
}

/// A message of the page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum PageMessage {
    /// Files of an earlier session that the worker kept.
    Kept {
        /// Their paths and texts.
        files: Vec<(String, String)>,
    },
    /// Open files.
    Open {
        /// All of them, also those that lie beside.
        files: Vec<FileEntry>,
        /// Frames per second that the browser plays.
        rate: u32,
    },
    /// Open what is open again, with what the user knows of the game.
    Game(GameSettings),
    /// Open the sounds that come with the program.
    Demo {
        /// Frames per second that the browser plays.
        rate: u32,
    },
    /// A key of the computer keyboard.
    Key(KeyMessage),
    /// The keyboard belongs to another window.
    Blur,
    /// A mouse or a finger.
    Pointer {
        /// What it does.
        action: PointerAction,
        /// On what.
        target: PointerTarget,
        /// Steps of the wheel, downwards.
        #[serde(default)]
        steps: isize,
    },
    /// A command, by its name in settings.
    Command {
        /// `take`, `map`, `save-sound` ...
        name: String,
    },
    /// Words to search for.
    Search {
        /// All of them.
        words: String,
    },
    /// Bytes of a MIDI port.
    Midi {
        /// As they came.
        bytes: Vec<u8>,
    },
    /// What of the page is seen.
    Seen {
        /// The first row of the list.
        top: usize,
        /// Rows of the list.
        rows: usize,
        /// Columns of the waveform.
        columns: usize,
        /// Columns and rows of the text that a song is drawn as.
        text: (u16, u16),
    },
}

impl PointerAction {
    pub(crate) const fn mouse(self, steps: isize) -> MouseAction {
        match self {
            Self::Down => MouseAction::Down,
            Self::RightDown => MouseAction::RightDown,
            Self::Drag => MouseAction::Drag,
            Self::Up => MouseAction::Up,
            Self::Wheel => MouseAction::Wheel(steps),
        }
    }
}

impl PointerTarget {
    /// Returns what the screen calls it.
    pub(crate) fn hit(self, model: &Model) -> HitTarget {
        match self {
            Self::List { row } => HitTarget::List(Some(row)),
            Self::Wave { column, columns, top } => HitTarget::Wave { column, columns, is_top: top },
            Self::Knob { page, place } => {
                let knob = PAGES.get(page).and_then(|page| page.knobs.get(place));
                knob.map_or(HitTarget::Nothing, |knob| HitTarget::Knob(*knob))
            }
            Self::Menu { row } => HitTarget::Menu(row),
            Self::Cell { column, row } => {
                let (width, height) = model.size;
                hit::target(model, Rect::new(0, 0, width, height), Position::new(column, row))
            }
        }
    }
}
