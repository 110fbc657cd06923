//! Sounds as the list shows them.

use std::time::Duration;

use song::{FrameRange, Frames, SoundDefaults};
use unicode_width::UnicodeWidthStr as _;

use super::column::COLUMNS;
use super::list::ListedSound;

/// What a sound is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SoundKind {
    /// A recording.
    #[default]
    Recording,
    /// A group, cue, event or preset: it plays recordings.
    Cue,
    /// An instrument of a tracker module, made of the samples listed before.
    Instrument,
    /// A tracker module in a package.
    Module,
}

/// A sound as the list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundEntry {
    /// `Group.Name`, or a name alone.
    pub name: String,
    /// The group it is listed in; empty if it is in none.
    pub group: String,
    /// What the columns say of it.
    pub cells: [String; COLUMNS.len()],
    /// Hertz.
    pub rate: Option<u32>,
    /// Why it cannot be played.
    pub silent: Option<String>,
    /// What it is.
    pub kind: SoundKind,
    /// Whether it sounds until it is released.
    pub loops: bool,
    /// How long its only recording is; none if it has several, or that is not known.
    pub length: Option<Frames>,
    /// The loop of its only recording; none if it has none.
    pub loop_range: Option<FrameRange>,
    /// What it says itself, to which its adjustments are made.
    pub defaults: SoundDefaults,
    /// How long its recording lasts at that pitch; zero if that is not known.
    pub lasts: Duration,
    /// Whether they come to an end of their own after their release, as long as that is not adjusted.
    pub plays_out: bool,
}

impl SoundEntry {
    /// Returns what a column says of it, by its heading.
    #[must_use]
    pub fn cell(&self, heading: &str) -> &str {
        let index = COLUMNS.iter().position(|column| column.heading == heading);
        index.map_or("", |index| &self.cells[index])
    }

    /// Returns what the list has to know.
    #[must_use]
    pub fn listed(&self) -> ListedSound<'_> {
        ListedSound { name: &self.name, group: &self.group, lasts: self.lasts, rate: self.rate }
    }
}

/// What the columns of the list need: how wide they are, and whether they say anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFacts {
    /// The width of the longest name without its group.
    pub name: usize,
    /// The width of the longest name with its group.
    pub path: usize,
    /// The columns after the name.
    pub columns: [ColumnFacts; COLUMNS.len()],
}

/// A column of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnFacts {
    /// The width of its widest cell.
    pub width: usize,
    /// Whether all its cells are the same.
    pub is_constant: bool,
}

impl ListFacts {
    /// Measures some sounds.
    #[must_use]
    pub fn of(sounds: &[SoundEntry]) -> Self {
        let columns = [ColumnFacts { width: 0, is_constant: true }; COLUMNS.len()];
        let mut facts = Self { columns, ..Self::default() };
        facts.add(sounds, None);
        facts
    }

    /// Measures more sounds, which come after one that was measured before.
    pub fn add(&mut self, sounds: &[SoundEntry], before: Option<&SoundEntry>) {
        for (index, column) in self.columns.iter_mut().enumerate() {
            let widest = sounds.iter().map(|entry| entry.cells[index].width()).max().unwrap_or_default();
            column.width = column.width.max(widest);
            let mut all = before.into_iter().chain(sounds).map(|entry| &*entry.cells[index]);
            let first = all.next();
            column.is_constant &= all.all(|cell| Some(cell) == first);
        }
        let widest = |name: fn(&SoundEntry) -> &str| {
            sounds.iter().map(|entry| name(entry).width()).max().unwrap_or_default()
        };
        self.name = self.name.max(widest(|entry| entry.listed().own_name()));
        self.path = self.path.max(widest(|entry| &entry.name));
    }
}

/// Returns the index of the sound that is chosen at first: one that can be played, an instrument if there are any.
#[must_use]
pub fn first_playable(sounds: &[SoundEntry]) -> usize {
    let playable = || sounds.iter().enumerate().filter(|(_, entry)| entry.silent.is_none());
    let first =
        playable().find(|(_, entry)| entry.kind == SoundKind::Instrument).or_else(|| playable().next());
    first.map_or(0, |(index, _)| index)
}
