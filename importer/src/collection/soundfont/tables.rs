//! The RIFF file and its nine tables, as they are stored.
//!
//! Source: Creative Technology, *`SoundFont` Technical Specification*, version 2.04, §4 to §7.

use std::ops::Range;

use unreal::{Limits, Source};

use crate::{BankError, Damage, Error};

/// The most chunks of a list.
const MAX_CHUNKS: usize = 1000;

/// The tables of a bank. Each has its end mark as last row.
pub(super) struct Tables {
    pub(super) presets: Vec<PresetRow>,
    /// The first zone of each instrument.
    instruments: Vec<usize>,
    /// Zones of presets, and of instruments.
    pub(super) preset_zones: Zones,
    pub(super) zones: Zones,
    pub(super) samples: Vec<SampleRow>,
    /// Offset and length in bytes of the frames, and of the lower 8 of 24 bits.
    pub(super) frames: Extent,
    pub(super) low_bits: Option<Extent>,
}

/// A part of the file in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) at: u64,
    pub(super) length: u64,
}

/// A preset: its zones go on to those of the next.
#[derive(Clone, Debug)]
pub(super) struct PresetRow {
    pub(super) name: String,
    pub(super) program: u16,
    pub(super) bank: u16,
    first_zone: usize,
}

#[derive(Clone, Debug)]
pub(super) struct SampleRow {
    pub(super) name: String,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) loop_start: u32,
    pub(super) loop_end: u32,
    pub(super) rate: u32,
    pub(super) root: u8,
    pub(super) correction: i8,
    pub(super) kind: u16,
}

/// Zones with their generators and modulators, which go on to those of the next zone.
pub(super) struct Zones {
    first: Vec<[usize; 2]>,
    generators: Vec<GeneratorRow>,
    modulators: Vec<ModulatorRow>,
}

/// A generator: its number and its amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GeneratorRow {
    pub(super) kind: u16,
    pub(super) amount: [u8; 2],
}

/// A modulator, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ModulatorRow {
    pub(super) source: u16,
    pub(super) destination: u16,
    pub(super) amount: i16,
    pub(super) amount_source: u16,
    pub(super) transform: u16,
}

/// A row's bytes, read from the first on.
struct Row<'r>(&'r [u8]);

impl Row<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) =
            self.0.split_first_chunk().map_or(([0; N], &[][..]), |(head, rest)| (*head, rest));
        self.0 = rest;
        bytes
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    fn index(&mut self) -> usize {
        self.u16().into()
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    fn text(&mut self) -> String {
        text(&self.bytes::<20>())
    }
}

/// Returns a text up to its zero; letters beyond ASCII are those of Windows.
pub(super) fn text(bytes: &[u8]) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let text: String = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// Creates an error at a place of the file.
fn broken(table: &str, at: u64, what: impl Into<String>) -> Error {
    Error::Bank(BankError { place: format!("{table} at {at:#x}"), what: what.into() })
}

/// Chunks that may follow one of odd length.
const NAMES: [&[u8; 4]; 12] = [
    b"LIST", b"smpl", b"sm24", b"phdr", b"pbag", b"pmod", b"pgen", b"inst", b"ibag", b"imod", b"igen",
    b"shdr",
];

/// Bytes of a chunk's head.
const HEAD: u64 = 8;

/// Chunks of a list by their names, the first of each name.
struct Chunks(Vec<([u8; 4], Extent)>);

impl Chunks {
    /// Finds the chunks in a part of the file; the last may be cut short.
    fn within(source: &dyn Source, Range { start, end }: Range<u64>, list: &str) -> Result<Self, Error> {
        let mut found = Vec::new();
        let mut at = start;
        while at.saturating_add(HEAD) <= end {
            if found.len() == MAX_CHUNKS {
                return Err(broken(list, at, format!("more than {MAX_CHUNKS} RIFF chunks")));
            }
            let mut head = [0; 8];
            source.read_at(at, &mut head).map_err(Damage::from)?;
            let mut row = Row(&head);
            let (name, stated) = (row.bytes(), row.u32());
            let from = at.saturating_add(HEAD);
            let length = u64::from(stated).min(end.saturating_sub(from));
            found.push((name, Extent { at: from, length }));
            let next = from.saturating_add(length);
            let is_padded = stated & 1 == 1 && !Self::begins(source, next, end)?;
            at = next.saturating_add(u64::from(is_padded));
        }
        Ok(Self(found))
    }

    /// Returns whether a known chunk begins at an offset. `MuseScore`'s SF3 files have no pad byte after an odd chunk.
    fn begins(source: &dyn Source, at: u64, end: u64) -> Result<bool, Error> {
        let mut name = [0; 4];
        if at.saturating_add(HEAD) > end {
            return Ok(false);
        }
        source.read_at(at, &mut name).map_err(Damage::from)?;
        Ok(NAMES.contains(&&name))
    }

    fn get(&self, name: [u8; 4]) -> Option<Extent> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, extent)| *extent)
    }

    /// Returns the chunks of a list in it, by its type.
    fn list(&self, source: &dyn Source, kind: [u8; 4]) -> Result<Option<Self>, Error> {
        for (name, Extent { at, length }) in &self.0 {
            if name != b"LIST" || *length < 4 {
                continue;
            }
            let mut found = [0; 4];
            source.read_at(*at, &mut found).map_err(Damage::from)?;
            if found == kind {
                let from = at.saturating_add(4);
                return Self::within(source, from..at.saturating_add(*length), "list").map(Some);
            }
        }
        Ok(None)
    }
}

/// Reads the rows of a table, of `size` bytes each.
fn rows<T>(
    source: &dyn Source,
    chunks: &Chunks,
    name: [u8; 4],
    size: usize,
    limits: &mut Limits,
    read: impl Fn(&mut Row<'_>) -> T,
) -> Result<Vec<T>, Error> {
    let label = text(&name);
    let Some(Extent { at, length }) = chunks.get(name) else {
        return Err(broken("pdta", 0, format!("table {label} is missing")));
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let rows = length.checked_div(size).unwrap_or_default();
    let held = rows.saturating_mul(size_of::<T>()).saturating_add(length);
    limits.take(u64::try_from(held).unwrap_or(u64::MAX), at, "table of a SoundFont")?;
    if rows == 0 {
        return Err(broken(&label, at, "a table without its end mark"));
    }
    let mut bytes = vec![0; length];
    source.read_at(at, &mut bytes).map_err(Damage::from)?;
    Ok(bytes.chunks_exact(size).map(|row| read(&mut Row(row))).collect())
}

impl Tables {
    /// Reads all tables.
    ///
    /// # Errors
    /// [`Error::Bank`] if one is missing, and those of reading.
    pub(super) fn read(source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        let mut head = [0; 12];
        if source.len() < 12 {
            return Err(broken("RIFF", 0, "the file ends within its head"));
        }
        source.read_at(0, &mut head).map_err(Damage::from)?;
        let mut row = Row(&head);
        let (riff, size, form) = (row.bytes(), row.u32(), row.bytes());
        if (riff, form) != (*b"RIFF", *b"sfbk") {
            return Err(broken("RIFF", 0, "not a SoundFont"));
        }
        let end = source.len().min(u64::from(size).saturating_add(HEAD));
        let top = Chunks::within(source, 12..end, "RIFF")?;
        let missing = |list: &str| broken("RIFF", 0, format!("list {list} is missing"));
        let data = top.list(source, *b"sdta")?.ok_or_else(|| missing("sdta"))?;
        let tables = top.list(source, *b"pdta")?.ok_or_else(|| missing("pdta"))?;
        let frames = data.get(*b"smpl").unwrap_or_default();
        // The second half of the frames counts only if there is one for each.
        let low_bits = data.get(*b"sm24").filter(|low| low.length >= frames.length / 2);
        let presets = rows(source, &tables, *b"phdr", 38, limits, |row| {
            let (name, program, bank) = (row.text(), row.u16(), row.u16());
            PresetRow { name, program, bank, first_zone: row.index() }
        })?;
        let preset_zones = Zones::read(source, &tables, [*b"pbag", *b"pgen", *b"pmod"], limits)?;
        let instruments = rows(source, &tables, *b"inst", 22, limits, |row| {
            let _name: [u8; 20] = row.bytes();
            row.index()
        })?;
        let zones = Zones::read(source, &tables, [*b"ibag", *b"igen", *b"imod"], limits)?;
        let samples = rows(source, &tables, *b"shdr", 46, limits, |row| {
            let name = row.text();
            let [start, end, loop_start, loop_end, rate] = [(); 5].map(|()| row.u32());
            let [root, correction] = row.bytes();
            let [_link, kind] = [(); 2].map(|()| row.u16());
            let correction = i8::from_le_bytes([correction]);
            SampleRow { name, start, end, loop_start, loop_end, rate, root, correction, kind }
        })?;
        Ok(Self { presets, instruments, preset_zones, zones, samples, frames, low_bits })
    }

    /// Returns the presets with the ranges of their zones, without the end mark.
    pub(super) fn presets(&self) -> impl Iterator<Item = (&PresetRow, Range<usize>)> {
        let next = self.presets.iter().skip(1);
        self.presets.iter().zip(next).map(|(row, next)| (row, row.first_zone..next.first_zone))
    }

    /// Returns the range of the zones of an instrument.
    pub(super) fn instrument(&self, index: usize) -> Option<Range<usize>> {
        Some(*self.instruments.get(index)?..*self.instruments.get(index.checked_add(1)?)?)
    }

    /// Returns the samples without the end mark.
    pub(super) fn samples(&self) -> &[SampleRow] {
        self.samples.split_last().map_or(&[], |(_, rows)| rows)
    }
}

impl Zones {
    fn read(
        source: &dyn Source,
        tables: &Chunks,
        [zones, generators, modulators]: [[u8; 4]; 3],
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let first = rows(source, tables, zones, 4, limits, |row| [row.index(), row.index()])?;
        let generators = rows(source, tables, generators, 4, limits, |row| GeneratorRow {
            kind: row.u16(),
            amount: row.bytes(),
        })?;
        let modulators = rows(source, tables, modulators, 10, limits, |row| ModulatorRow {
            source: row.u16(),
            destination: row.u16(),
            amount: i16::from_le_bytes(row.bytes()),
            amount_source: row.u16(),
            transform: row.u16(),
        })?;
        Ok(Self { first, generators, modulators })
    }

    /// Returns the generators and the modulators of a zone; none of a zone that ends before it begins.
    pub(super) fn get(&self, index: usize) -> Option<(&[GeneratorRow], &[ModulatorRow])> {
        let [generators, modulators] = self.first.get(index)?;
        let [next_generators, next_modulators] = self.first.get(index.checked_add(1)?)?;
        let generators = self.generators.get(*generators..*next_generators).unwrap_or_default();
        let modulators = self.modulators.get(*modulators..*next_modulators).unwrap_or_default();
        Some((generators, modulators))
    }
}
