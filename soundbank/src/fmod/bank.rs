//! Studio banks: RIFF with lists of items.
//!
//! ```text
//! RIFF FEV  ─┬─ FMT   version
//!            ├─ LIST PROJ ─┬─ SNDH  where sample banks lie
//!            │             ├─ STDT  names
//!            │             └─ LIST … EVTB TLNB PMLB PRMB WAV  WAIB MUIB PLST INST …
//!            └─ SND   the sample banks
//! ```

use std::collections::BTreeMap;

use unreal::{Limits, Source};

use super::FmodGuid;
use super::array::each_fixed;
use super::items::{
    EventItem, Instrument, SheetEntry, TimelineBox, WaveResource, parameter, sheet, timeline,
};
use super::layout::{BankVersion, Layout};
use super::strings::{self, Names};
use crate::reader::{Reader, read_region, take};
use crate::{Error, ErrorKind};

/// Bytes of a chunk's tag and size.
const CHUNK_HEAD: u64 = 8;
/// The most lists one within the other.
const MAX_DEPTH: usize = 16;
/// Cost of an item in memory.
const ITEM_COST: u64 = 256;

/// What was read of a Studio bank.
#[derive(Debug, Default)]
pub(super) struct Bank {
    pub(super) version: Option<BankVersion>,
    /// Offset and length of each sample bank.
    pub(super) fsbs: Vec<(u64, u64)>,
    /// Offsets in the file of the entries that say so.
    pub(super) fsb_entries: Vec<u64>,
    pub(super) waves: Vec<WaveResource>,
    pub(super) events: Vec<EventItem>,
    pub(super) timelines: Vec<(FmodGuid, Vec<TimelineBox>)>,
    pub(super) sheets: Vec<(FmodGuid, Vec<SheetEntry>)>,
    pub(super) parameters: Vec<(FmodGuid, f32)>,
    pub(super) instruments: Vec<Instrument>,
    /// How many names it has.
    pub(super) names: usize,
    /// Items by their type.
    pub(super) counts: BTreeMap<&'static str, usize>,
    pub(super) unread: usize,
    /// What is wrong with the first of those.
    pub(super) item_error: Option<Error>,
    /// Why it could not be read to its end; what comes before is there.
    pub(super) error: Option<Error>,
}

/// Tells whether bytes begin a Studio bank.
pub(super) fn is_bank(start: &[u8]) -> bool {
    start.starts_with(b"RIFF") && start.get(8..12) == Some(b"FEV ")
}

impl Bank {
    /// Reads a bank as far as that is possible. Its names are added to those that are there.
    pub(super) fn read(source: &dyn Source, names: &mut Names, limits: &mut Limits) -> Self {
        let mut bank = Self::default();
        if let Err(error) = bank.read_file(source, names, limits) {
            bank.error.get_or_insert(error);
        }
        bank
    }

    fn read_file(
        &mut self,
        source: &dyn Source,
        names: &mut Names,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        const WHAT: &str = "FMOD bank";
        let mut at = 12;
        while source.len().saturating_sub(at) >= CHUNK_HEAD {
            let head = read_region(source, at, CHUNK_HEAD, WHAT, limits)?;
            let mut reader = Reader::new(&head, at, WHAT);
            let tag = tag(&mut reader)?;
            let size = u64::from(reader.u32()?);
            at = at.saturating_add(CHUNK_HEAD);
            // The payload of a sample bank is not read here, however long it is.
            if tag == *b"LIST" || tag == *b"FMT " {
                let bytes = read_region(source, at, size, WHAT, limits)?;
                let mut reader = Reader::new(&bytes, at, WHAT);
                if tag == *b"FMT " {
                    self.version = Some(BankVersion::new(reader.u32()?));
                } else if size > 0 {
                    let Some(version) = self.version else {
                        return Err(reader.error(ErrorKind::Malformed("items before their version")));
                    };
                    reader.skip(4)?;
                    self.list(&mut reader, &Layout::of(version), names, limits, 0)?;
                }
            } else if at.saturating_add(size) > source.len() {
                let end = at.saturating_add(size);
                return Err(Error::new(ErrorKind::Outside { end, length: source.len() }, at, WHAT));
            }
            at = at.saturating_add(size).saturating_add(size & 1);
        }
        Ok(())
    }

    /// Reads the chunks of a list. An item that cannot be read is counted and passed over.
    fn list(
        &mut self,
        reader: &mut Reader<'_>,
        layout: &Layout,
        names: &mut Names,
        limits: &mut Limits,
        depth: usize,
    ) -> Result<(), Error> {
        // The instrument that playlists and parameters of this list belong to.
        let mut current = None;
        while reader.rest().len() >= 8 {
            let tag = tag(reader)?;
            let size = usize::try_from(reader.u32()?).unwrap_or(usize::MAX);
            let mut chunk = reader.part(size, "FMOD bank")?;
            if size & 1 == 1 && !reader.rest().is_empty() {
                reader.skip(1)?;
            }
            if size == 0 {
                continue;
            }
            if tag == *b"LIST" {
                chunk.skip(4)?;
                if depth >= MAX_DEPTH {
                    return Err(chunk.error(ErrorKind::Malformed("lists too deep within each other")));
                }
                self.list(&mut chunk, layout, names, limits, depth.saturating_add(1))?;
            } else if let Err(error) = self.item(tag, &mut chunk, layout, names, limits, &mut current) {
                if matches!(error.kind(), ErrorKind::OverLimit(_)) {
                    return Err(error);
                }
                self.unread = self.unread.saturating_add(1);
                self.item_error.get_or_insert(error);
            }
        }
        Ok(())
    }

    /// Reads an item of a type that matters.
    fn item(
        &mut self,
        tag: [u8; 4],
        reader: &mut Reader<'_>,
        layout: &Layout,
        names: &mut Names,
        limits: &mut Limits,
        current: &mut Option<usize>,
    ) -> Result<(), Error> {
        let kind = match &tag {
            b"SNDH" => "sample banks",
            b"STDT" => "names",
            b"WAV " => "wave resources",
            b"EVTB" => "events",
            b"TLNB" => "timelines",
            b"PMLB" => "parameter sheets",
            b"PRMB" => "parameters",
            b"WAIB" => "wave instruments",
            b"MUIB" => "multi instruments",
            b"SPIB" => "scatterer instruments",
            b"EVIB" => "event instruments",
            b"PRIB" => "programmer instruments",
            b"SLNB" | b"CMDB" | b"EFIB" => "other instruments",
            b"PLST" | b"INST" => {
                let Some(instrument) = current.and_then(|index| self.instruments.get_mut(index)) else {
                    return Ok(());
                };
                return match &tag {
                    b"PLST" => instrument.read_list(reader),
                    _ => instrument.read_params(reader, layout),
                };
            }
            _ => return Ok(()),
        };
        take(limits, ITEM_COST, reader.at(), "FMOD bank")?;
        let mut count = 1;
        match &tag {
            b"SNDH" => {
                let (fsbs, entries) = (&mut self.fsbs, &mut self.fsb_entries);
                each_fixed(reader, "FMOD sample banks", |entry| {
                    entries.push(entry.at());
                    fsbs.push((entry.u32()?.into(), entry.u32()?.into()));
                    Ok(())
                })?;
                count = fsbs.len();
            }
            b"STDT" => {
                count = strings::read_table(reader, names, limits)?;
                self.names = self.names.saturating_add(count);
            }
            b"WAV " => self.waves.push(WaveResource::read(reader, layout)?),
            b"EVTB" => self.events.push(EventItem::read(reader, layout)?),
            b"TLNB" => self.timelines.push(timeline(reader, layout)?),
            b"PMLB" => self.sheets.push(sheet(reader, layout)?),
            // Without a default nothing is lost but where an event begins.
            b"PRMB" => self.parameters.extend(parameter(reader).ok()),
            _ => {
                self.instruments.push(Instrument::read(tag, reader, layout)?);
                *current = self.instruments.len().checked_sub(1);
            }
        }
        let counted = self.counts.entry(kind).or_default();
        *counted = counted.saturating_add(count);
        Ok(())
    }
}

fn tag(reader: &mut Reader<'_>) -> Result<[u8; 4], Error> {
    let mut tag = [0; 4];
    tag.copy_from_slice(reader.bytes(4)?);
    Ok(tag)
}
