//! ACB: a cue sheet, one table whose only row holds all others.
//!
//! ```text
//! Cue ─► Sequence ─► Track ─► event: commands ─► Synth ─► Waveform ─► id in an AFS2, inside or beside
//! ```
//!
//! Source: *sound-banks*, §7.2. The kinds of sequences: the public enumeration of cue types of CRI's own plugins.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use unreal::{Limits, Source};

use super::utf::{ColumnOf, Table};
use super::{CriCodec, WaveHeader};
use crate::reader::{Reader, take};
use crate::{Error, ErrorKind, StreamKind};

/// Cost of a row in memory.
const ROW_COST: u64 = 96;
/// An id or index of nothing.
const NONE: u32 = 0xFFFF;

/// What a cue sheet holds.
#[derive(Debug, Default)]
pub(super) struct CueSheet {
    /// Version in decimal digits: `1.42`.
    pub(super) version: String,
    pub(super) cues: Vec<Cue>,
    pub(super) waves: Vec<Waveform>,
    pub(super) synths: Vec<Group>,
    pub(super) sequences: Vec<Group>,
    /// Events of the tracks, by their index.
    pub(super) tracks: Vec<u32>,
    /// Parts that an event starts.
    pub(super) events: Vec<Vec<Part>>,
    pub(super) block_sequences: Vec<BlockSequence>,
    /// Tracks of the blocks.
    pub(super) blocks: Vec<Vec<Part>>,
    /// Where the archive of waves in memory lies in the file.
    pub(super) memory: Option<Range<u64>>,
    /// Names of the archives beside the sheet, by their number.
    pub(super) archives: Vec<String>,
    /// What has an effect and is not simulated.
    pub(super) not_simulated: BTreeSet<&'static str>,
    /// The first table that could not be read, and how many there were.
    pub(super) error: Option<Error>,
    pub(super) unread: usize,
}

/// What a game starts by its name or id.
#[derive(Debug)]
pub(super) struct Cue {
    pub(super) id: u32,
    pub(super) names: Vec<String>,
    pub(super) part: Option<Part>,
}

/// A recording as a cue sheet knows it.
#[derive(Debug)]
pub(super) struct Waveform {
    pub(super) memory: Option<u32>,
    pub(super) stream: Option<u32>,
    /// Number of the archive beside the sheet.
    pub(super) archive: u32,
    pub(super) kind: StreamKind,
    pub(super) header: WaveHeader,
}

/// A row of a table that plays something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Part {
    Wave(u32),
    Synth(u32),
    Sequence(u32),
    Track(u32),
    BlockSequence(u32),
    Block(u32),
}

impl Part {
    /// Returns what a reference of a cue, a synth or a command leads to.
    fn of(kind: u32, index: u32) -> Option<Self> {
        match kind {
            1 => Some(Self::Wave(index)),
            2 => Some(Self::Synth(index)),
            3 => Some(Self::Sequence(index)),
            8 => Some(Self::BlockSequence(index)),
            _ => None,
        }
    }
}

/// How one of several parts is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Choice {
    #[default]
    All,
    Sequential,
    Shuffle,
    Random,
    RandomNoRepeat,
    /// By a value of the game.
    Switch,
}

/// Several parts, and how they play.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) choice: Choice,
    pub(super) parts: Vec<Part>,
    /// Weights of the parts; none if all are alike.
    pub(super) weights: Vec<u32>,
}

/// Tracks that play beside blocks, which play one after another.
#[derive(Debug, Default)]
pub(super) struct BlockSequence {
    pub(super) tracks: Vec<Part>,
    pub(super) blocks: Vec<Part>,
}

/// Columns of lists of indices. They are found once for all rows: a table may have as many columns as rows.
#[derive(Clone, Copy)]
struct ListColumns {
    /// How many indices of a list count.
    number: ColumnOf,
    list: ColumnOf,
    /// Name of the list.
    what: &'static str,
    /// What an index leads to.
    part: fn(u32) -> Part,
}

impl ListColumns {
    fn tracks(table: &Table) -> Self {
        Self::of(table, "NumTracks", "TrackIndex", Part::Track)
    }

    fn blocks(table: &Table) -> Self {
        Self::of(table, "NumBlocks", "BlockIndex", Part::Block)
    }

    fn of(table: &Table, number: &str, what: &'static str, part: fn(u32) -> Part) -> Self {
        Self { number: table.column(&[number]), list: table.column(&[what]), what, part }
    }
}

/// Columns that say how the parts of a group play, found once for all rows.
#[derive(Clone, Copy)]
struct GroupColumns {
    commands: ColumnOf,
    choice: ColumnOf,
    weights: ColumnOf,
}

impl GroupColumns {
    fn of(table: &Table) -> Self {
        let [commands, choice, weights] =
            ["CommandIndex", "Type", "TrackValues"].map(|name| table.column(&[name]));
        Self { commands, choice, weights }
    }
}

/// A table in the only row of the sheet.
struct Tables<'s, 'l> {
    source: &'s dyn Source,
    root: Table,
    limits: &'l mut Limits,
    sheet: CueSheet,
}

impl CueSheet {
    /// Reads a cue sheet, without the waves in it.
    ///
    /// # Errors
    /// If it is none. A table in it that cannot be read is left out, and its error kept.
    pub(super) fn read(source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        const WHAT: &str = "ACB";
        let root = Table::read_head(source, 0..source.len(), WHAT, limits)?;
        let has = |name: &str| root.data(0, root.column(&[name])).is_some();
        if !has("CueTable") && !has("WaveformTable") {
            return Err(Error::new(ErrorKind::NotThisFormat("a table of CRI, but no cue sheet"), 0, WHAT));
        }
        let version = root.word(0, root.column(&["Version"])).unwrap_or_default().to_be_bytes();
        let [major, minor, ..] = version;
        let memory = root.data(0, root.column(&["AwbFile"]));
        let sheet = Self { version: format!("{major:x}.{minor:02x}"), memory, ..Self::default() };
        let mut tables = Tables { source, root, limits, sheet };
        tables.all();
        Ok(tables.sheet)
    }
}

impl Tables<'_, '_> {
    fn all(&mut self) {
        self.rows(&["WaveformTable"], Self::waves);
        self.rows(&["SynthTable"], Self::synths);
        self.rows(&["SequenceTable"], Self::sequences);
        self.rows(&["TrackTable"], Self::tracks);
        self.rows(&["TrackEventTable", "CommandTable"], Self::events);
        self.rows(&["BlockSequenceTable"], Self::block_sequences);
        self.rows(&["BlockTable"], Self::blocks);
        self.rows(&["CueTable"], Self::cues);
        self.rows(&["CueNameTable"], Self::names);
        self.rows(&["StreamAwbHash"], Self::archives);
    }

    /// Reads the first of several tables that is there, and its rows.
    fn rows(&mut self, names: &[&'static str], read: fn(&mut Self, &Table) -> Result<(), Error>) {
        let found = names.iter().find_map(|&name| {
            let region = self.root.data(0, self.root.column(&[name]))?;
            Some((name, region))
        });
        let Some((name, region)) = found else { return };
        // Sheets without a table have 16 zero bytes where it would be, or none.
        if region.end.saturating_sub(region.start) <= 16 {
            return;
        }
        let table = Table::read(self.source, region, name, self.limits);
        let done = table.and_then(|table| {
            let cost = ROW_COST.saturating_mul(table.rows().into());
            take(self.limits, cost, table.at(), name)?;
            read(self, &table)
        });
        if let Err(error) = done {
            self.sheet.unread = self.sheet.unread.saturating_add(1);
            self.sheet.error.get_or_insert(error);
        }
    }

    fn waves(&mut self, table: &Table) -> Result<(), Error> {
        let old = table.column(&["Id"]);
        let memory = table.column(&["MemoryAwbId"]);
        let stream = table.column(&["StreamAwbId"]);
        let [port, streaming, encoding] =
            ["StreamAwbPortNo", "Streaming", "EncodeType"].map(|name| table.column(&[name]));
        let [channels, rate, frames] =
            ["NumChannels", "SamplingRate", "NumSamples"].map(|name| table.column(&[name]));
        for row in 0..table.rows() {
            let id = |own: ColumnOf| {
                let id = table.word(row, own).or_else(|| table.word(row, old))?;
                (id != NONE && id != u32::MAX).then_some(id)
            };
            let kind = match table.word(row, streaming) {
                Some(1) => StreamKind::Streamed,
                Some(2) => StreamKind::Prefetch,
                _ => StreamKind::Memory,
            };
            let word = |column| table.word(row, column);
            let header = WaveHeader {
                codec: word(encoding).map_or(CriCodec::Unstated, CriCodec::of),
                rate: word(rate).unwrap_or_default(),
                channels: word(channels).unwrap_or_default(),
                frames: word(frames).unwrap_or_default().into(),
                key: None,
            };
            self.sheet.waves.push(Waveform {
                memory: id(memory),
                stream: id(stream),
                archive: word(port).filter(|port| *port != NONE).unwrap_or_default(),
                kind,
                header,
            });
        }
        Ok(())
    }

    fn synths(&mut self, table: &Table) -> Result<(), Error> {
        let (items, columns) = (table.column(&["ReferenceItems"]), GroupColumns::of(table));
        for row in 0..table.rows() {
            let mut reader = Reader::new(table.bytes(row, items), table.at(), "SynthTable").big_endian(true);
            let mut parts = Vec::new();
            take(self.limits, reader.rest().len() as u64, table.at(), "SynthTable")?;
            while !reader.rest().is_empty() {
                let (kind, index) = (u32::from(reader.u16()?), u32::from(reader.u16()?));
                parts.extend(self.part(kind, index));
            }
            let group = self.group(table, row, columns, parts);
            self.sheet.synths.push(group);
        }
        Ok(())
    }

    fn sequences(&mut self, table: &Table) -> Result<(), Error> {
        let (tracks, columns) = (ListColumns::tracks(table), GroupColumns::of(table));
        for row in 0..table.rows() {
            let parts = self.indices(table, row, tracks)?;
            let group = self.group(table, row, columns, parts);
            self.sheet.sequences.push(group);
        }
        Ok(())
    }

    fn tracks(&mut self, table: &Table) -> Result<(), Error> {
        let event = table.column(&["EventIndex"]);
        let target = table.column(&["TargetType"]);
        let commands = table.column(&["CommandIndex"]);
        for row in 0..table.rows() {
            self.note_commands(table.word(row, commands));
            if table.word(row, target).is_some_and(|target| target != 0) {
                self.sheet.not_simulated.insert("actions on other cues");
            }
            self.sheet.tracks.push(table.word(row, event).unwrap_or(NONE));
        }
        Ok(())
    }

    /// Reads what events do: starting notes is followed, the rest is not.
    fn events(&mut self, table: &Table) -> Result<(), Error> {
        const NOTHING: u16 = 0;
        const START: u16 = 2000;
        const START_NUMBERED: u16 = 2003;
        let commands = table.column(&["Command"]);
        // In older sheets, commands of sequences and synths are in the same table.
        let of_tracks: HashSet<u32> = self.sheet.tracks.iter().copied().collect();
        for row in 0..table.rows() {
            let bytes = table.bytes(row, commands);
            take(self.limits, bytes.len() as u64, table.at(), "TrackEventTable")?;
            let mut reader = Reader::new(bytes, table.at(), "TrackEventTable").big_endian(true);
            let mut parts = Vec::new();
            while reader.rest().len() >= 3 {
                let (code, size) = (reader.u16()?, reader.u8()?);
                let mut command = reader.part(size.into(), "CRI command")?;
                match code {
                    START | START_NUMBERED => {
                        let (kind, index) = (u32::from(command.u16()?), u32::from(command.u16()?));
                        parts.extend(self.part(kind, index));
                    }
                    NOTHING => {}
                    _ if !of_tracks.contains(&row) => {}
                    _ => {
                        self.sheet.not_simulated.insert("commands of tracks other than notes");
                    }
                }
            }
            self.sheet.events.push(parts);
        }
        Ok(())
    }

    fn block_sequences(&mut self, table: &Table) -> Result<(), Error> {
        let (track_list, block_list) = (ListColumns::tracks(table), ListColumns::blocks(table));
        for row in 0..table.rows() {
            let tracks = self.indices(table, row, track_list)?;
            let blocks = self.indices(table, row, block_list)?;
            if blocks.len() > 1 {
                self.sheet.not_simulated.insert("transitions between blocks, which play in their order");
            }
            self.sheet.block_sequences.push(BlockSequence { tracks, blocks });
        }
        Ok(())
    }

    fn blocks(&mut self, table: &Table) -> Result<(), Error> {
        let track_list = ListColumns::tracks(table);
        for row in 0..table.rows() {
            let tracks = self.indices(table, row, track_list)?;
            self.sheet.blocks.push(tracks);
        }
        Ok(())
    }

    fn cues(&mut self, table: &Table) -> Result<(), Error> {
        let [id, kind, index] =
            ["CueId", "ReferenceType", "ReferenceIndex"].map(|name| table.column(&[name]));
        for row in 0..table.rows() {
            let kind = table.word(row, kind).unwrap_or_default();
            let part = table.word(row, index).and_then(|index| self.part(kind, index));
            let id = table.word(row, id).unwrap_or(row);
            self.sheet.cues.push(Cue { id, names: Vec::new(), part });
        }
        Ok(())
    }

    fn names(&mut self, table: &Table) -> Result<(), Error> {
        let (name, index) = (table.column(&["CueName"]), table.column(&["CueIndex"]));
        for row in 0..table.rows() {
            let Some(text) = table.text(row, name) else { continue };
            take(self.limits, text.len() as u64, table.at(), "CueNameTable")?;
            let index = table.word(row, index).and_then(|index| usize::try_from(index).ok());
            if let Some(cue) = index.and_then(|index| self.sheet.cues.get_mut(index)) {
                cue.names.push(text);
            }
        }
        Ok(())
    }

    fn archives(&mut self, table: &Table) -> Result<(), Error> {
        let name = table.column(&["Name"]);
        for row in 0..table.rows() {
            let text = table.text(row, name).unwrap_or_default();
            take(self.limits, text.len() as u64, table.at(), "StreamAwbHash")?;
            self.sheet.archives.push(text);
        }
        Ok(())
    }

    /// Returns what a reference leads to, and notes kinds that are not followed.
    fn part(&mut self, kind: u32, index: u32) -> Option<Part> {
        let part = Part::of(kind, index);
        // Kinds 0 and 0xFFFF are references to nothing.
        if part.is_none() && kind != 0 && kind != NONE {
            self.sheet.not_simulated.insert("references of an unknown kind");
        }
        part
    }

    fn note_commands(&mut self, index: Option<u32>) {
        if index.is_some_and(|index| index != NONE) {
            self.sheet.not_simulated.insert("parameters of cues: volume, pitch, effects, positions");
        }
    }

    /// Reads a list of 16-bit indices, of which as many count as a number says.
    fn indices(&mut self, table: &Table, row: u32, columns: ListColumns) -> Result<Vec<Part>, Error> {
        let ListColumns { number, list, what, part } = columns;
        let stated = table.word(row, number);
        let bytes = table.bytes(row, list);
        let mut reader = Reader::new(bytes, table.at(), what).big_endian(true);
        let there = (bytes.len() as u64).checked_div(2).unwrap_or_default();
        let count = reader.fitting(stated.map_or(there, u64::from), 2)?;
        take(self.limits, (size_of::<Part>() as u64).saturating_mul(count as u64), table.at(), what)?;
        (0..count).map(|_| reader.u16().map(|index| part(index.into()))).collect()
    }

    /// Makes a group of parts, with the type and weights of its row.
    fn group(&mut self, table: &Table, row: u32, columns: GroupColumns, parts: Vec<Part>) -> Group {
        self.note_commands(table.word(row, columns.commands));
        let choice = match table.word(row, columns.choice).unwrap_or_default() {
            1 => Choice::Sequential,
            2 => Choice::Shuffle,
            3 => Choice::Random,
            4 => Choice::RandomNoRepeat,
            6 => {
                self.sheet.not_simulated.insert("combos, which play as sequences");
                Choice::Sequential
            }
            5 | 7 | 8 => {
                self.sheet.not_simulated.insert("switches of cues, whose first track plays");
                Choice::Switch
            }
            0 => Choice::All,
            _ => {
                self.sheet.not_simulated.insert("sequences of an unknown type, which play all tracks");
                Choice::All
            }
        };
        let weights = weights(table.bytes(row, columns.weights), parts.len());
        Group { choice, parts, weights }
    }
}

/// Returns the weights of so many parts, in numbers of 1, 2 or 4 bytes; none if their count is another.
fn weights(bytes: &[u8], count: usize) -> Vec<u32> {
    let width = bytes.len().checked_div(count).unwrap_or_default();
    if !matches!(width, 1 | 2 | 4) || width.saturating_mul(count) != bytes.len() {
        return Vec::new();
    }
    let number = |bytes: &[u8]| bytes.iter().fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte));
    bytes.chunks_exact(width).map(number).collect()
}
