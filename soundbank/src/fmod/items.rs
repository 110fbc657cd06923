//! The items of a Studio bank that lead from an event to its sounds.

use super::FmodGuid;
use super::array::{each_fixed, guids, skip_fixed, skip_varied};
use super::layout::{Layout, SheetEntries};
use crate::reader::Reader;
use crate::{Error, ErrorKind, StreamKind};

/// A recording as events know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaveResource {
    pub(super) guid: FmodGuid,
    /// Number of the sample bank.
    pub(super) fsb: u32,
    /// Number of the sound there.
    pub(super) sound: u32,
    pub(super) stream: StreamKind,
}

impl WaveResource {
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        const STREAMED: u32 = 2;
        let guid = reader.guid()?;
        // Its size, or that of a part of it: always 12.
        reader.skip(2)?;
        let (fsb, sound) = (reader.u32()?, reader.u32()?);
        let stream = match layout.has_loading_mode {
            true if reader.u32()? == STREAMED => StreamKind::Streamed,
            _ => StreamKind::Memory,
        };
        Ok(Self { guid, fsb, sound, stream })
    }
}

/// An event or a snapshot.
#[derive(Clone, Debug)]
pub(super) struct EventItem {
    pub(super) guid: FmodGuid,
    pub(super) timeline: FmodGuid,
    pub(super) sheets: Vec<FmodGuid>,
    /// Instruments that it starts when it is told to.
    pub(super) triggered: Vec<FmodGuid>,
}

impl EventItem {
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let layout = layout.event;
        let guid = reader.guid()?;
        // Its snapshot.
        reader.guid()?;
        let timeline = reader.guid()?;
        // Its input bus and its master track; polyphony, priority, and what is not known.
        reader.skip(32)?;
        reader.skip(13)?;
        let sheets = guids(reader, "FMOD event")?;
        reader.skip(layout.after_sheets)?;
        skip_varied(reader)?;
        skip_varied(reader)?;
        reader.skip(layout.numbers)?;
        if layout.has_tracks {
            skip_fixed(reader)?;
        }
        if layout.has_parameters {
            skip_fixed(reader)?;
        }
        let triggered = if layout.has_triggered { guids(reader, "FMOD event")? } else { Vec::new() };
        Ok(Self { guid, timeline, sheets, triggered })
    }
}

/// An instrument at its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimelineBox {
    pub(super) instrument: FmodGuid,
    /// When it starts, in 1/48000 s.
    pub(super) start: u32,
}

/// Reads a timeline: its GUID, and its boxes.
pub(super) fn timeline(
    reader: &mut Reader<'_>,
    layout: &Layout,
) -> Result<(FmodGuid, Vec<TimelineBox>), Error> {
    let guid = reader.guid()?;
    if layout.has_owner {
        reader.guid()?;
    }
    let mut boxes = Vec::new();
    // First those that run freely once they are started, then those that are locked to its time.
    for _ in 0..2 {
        each_fixed(reader, "FMOD timeline", |entry| {
            boxes.push(TimelineBox { instrument: entry.guid()?, start: entry.u32()? });
            Ok(())
        })?;
    }
    Ok((guid, boxes))
}

/// Values of a parameter at which an instrument sounds, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Condition {
    pub(super) parameter: FmodGuid,
    pub(super) least: f32,
    pub(super) most: f32,
}

/// An instrument of a parameter sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetEntry {
    pub(super) instrument: FmodGuid,
    /// Where the sheet states it; later versions have it at the instrument.
    pub(super) condition: Option<Condition>,
}

/// Reads a parameter sheet: its GUID, and its instruments.
pub(super) fn sheet(reader: &mut Reader<'_>, layout: &Layout) -> Result<(FmodGuid, Vec<SheetEntry>), Error> {
    let guid = reader.guid()?;
    let parameter = reader.guid()?;
    if layout.has_owner {
        reader.guid()?;
    }
    let mut instruments = Vec::new();
    each_fixed(reader, "FMOD parameter sheet", |entry| {
        let instrument = entry.guid()?;
        let condition = match layout.sheet {
            SheetEntries::Plain => None,
            SheetEntries::Ranged => Some(Condition { parameter, least: entry.f32()?, most: entry.f32()? }),
        };
        instruments.push(SheetEntry { instrument, condition });
        Ok(())
    })?;
    Ok((guid, instruments))
}

/// Reads a parameter: its GUID, and its value unless one is set.
///
/// Observed in versions 125 to 146: the default is the third of the floats after the name.
pub(super) fn parameter(reader: &mut Reader<'_>) -> Result<(FmodGuid, f32), Error> {
    let guid = reader.guid()?;
    reader.skip(8)?;
    let name = usize::from(reader.u16()?);
    reader.skip(name)?;
    let (least, most, default) = (reader.f32()?, reader.f32()?, reader.f32()?);
    if least <= default && default <= most {
        Ok((guid, default))
    } else {
        Err(reader.error(ErrorKind::Malformed("a default outside of its range")))
    }
}

/// What an instrument plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InstrumentKind {
    /// A wave resource.
    Wave(FmodGuid),
    /// Entries of its playlist.
    List,
    /// Another event.
    Event(FmodGuid),
    /// Nothing that a bank holds: silence, a command, a sound that the game supplies.
    Silent,
}

/// How an instrument chooses from its playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListMode {
    /// The next one each time.
    InOrder,
    /// Any one each time.
    Random,
    /// Any one, but none again before all others.
    Shuffle,
}

/// An instrument.
#[derive(Clone, Debug)]
pub(super) struct Instrument {
    pub(super) guid: FmodGuid,
    pub(super) kind: InstrumentKind,
    pub(super) mode: ListMode,
    /// Instruments of its playlist with their weights.
    pub(super) entries: Vec<(FmodGuid, f32)>,
    /// The timeline that it belongs to, or that belongs to it.
    pub(super) timeline: FmodGuid,
    /// Gain in dB.
    pub(super) gain: f32,
    /// Pitch in semitones.
    pub(super) pitch: f32,
    /// How often it is repeated, −1 = for ever.
    pub(super) repeats: i32,
    /// The chance that it plays at all, in percent.
    pub(super) chance: f32,
    pub(super) condition: Option<Condition>,
}

impl Instrument {
    /// Reads the chunk that begins an instrument.
    pub(super) fn read(tag: [u8; 4], reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let guid = reader.guid()?;
        let kind = match &tag {
            b"WAIB" => {
                reader.skip(layout.wave_gap)?;
                InstrumentKind::Wave(reader.guid()?)
            }
            b"EVIB" => InstrumentKind::Event(reader.guid()?),
            b"MUIB" | b"SPIB" => InstrumentKind::List,
            _ => InstrumentKind::Silent,
        };
        Ok(Self {
            guid,
            kind,
            mode: ListMode::InOrder,
            entries: Vec::new(),
            timeline: FmodGuid::default(),
            gain: 0.0,
            pitch: 0.0,
            repeats: 0,
            chance: 100.0,
            condition: None,
        })
    }

    /// Reads its playlist.
    pub(super) fn read_list(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        self.mode = match reader.i32()? {
            // Those of a whole game and of an instance differ only in who else moves them on.
            0 | 3 | 4 => ListMode::InOrder,
            1 => ListMode::Random,
            2 => ListMode::Shuffle,
            _ => return Err(reader.error(ErrorKind::Malformed("a playlist mode that has no meaning"))),
        };
        reader.skip(4)?;
        let entries = &mut self.entries;
        each_fixed(reader, "FMOD playlist", |entry| {
            let (guid, weight) = (entry.guid()?, entry.f32()?);
            entries.push((guid, if weight.is_finite() { weight.max(0.0) } else { 0.0 }));
            Ok(())
        })
    }

    /// Reads how it sounds.
    ///
    /// The gain is in dB and adds: 0 in nearly all instruments at hand, −12 to 8 in others. So does the pitch, in
    /// semitones, which one instrument has at 0.6.
    pub(super) fn read_params(&mut self, reader: &mut Reader<'_>, layout: &Layout) -> Result<(), Error> {
        self.timeline = reader.guid()?;
        self.gain = reader.f32()?;
        self.pitch = reader.f32()?;
        self.repeats = reader.i32()?;
        reader.skip(layout.flags)?;
        let chance = reader.f32()?;
        // Where another version has other flags, the bytes give no percentage; then it always plays.
        self.chance = if (0.0..=100.0).contains(&chance) { chance } else { 100.0 };
        if layout.has_condition {
            self.condition = condition(reader).unwrap_or_default();
        }
        Ok(())
    }
}

/// Reads the condition of an instrument from the bytes after its trigger chance; none if it is of another kind.
///
/// Observed in versions 135, 142 and 146 only: on 19 instruments of one bank with a condition, and 58 without.
fn condition(reader: &mut Reader<'_>) -> Result<Option<Condition>, Error> {
    const IN_RANGE: u32 = 17;
    // What is not known; the parameter of the automatic pitch, its root and two more numbers.
    reader.skip(16)?;
    reader.skip(28)?;
    let output = usize::from(reader.u16()?);
    reader.skip(output)?;
    // Where it starts.
    reader.skip(16)?;
    let size = usize::try_from(reader.u32()?).unwrap_or(usize::MAX);
    let mut term = reader.part(size, "FMOD condition")?;
    if size == 0 || term.u32()? != IN_RANGE {
        return Ok(None);
    }
    let parameter = term.guid()?;
    term.skip(4)?;
    Ok(Some(Condition { parameter, least: term.f32()?, most: term.f32()? }))
}
