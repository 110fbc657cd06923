//! All cue sheets of a project, and the archives beside them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use unreal::{Limits, Source};

use super::acb::{Cue, CueSheet, Waveform};
use super::awb::{Awb, MAGIC, key_with};
use super::{CriCodec, WaveHeader, utf};
use crate::project::{path, split};
use crate::reader::{read_region, take};
use crate::{
    BankFile, Error, ErrorKind, Event, EventId, Media, MediaBytes, MediaId, PlayKind, PlayNode, Project,
    StatedHeader, StreamKind,
};

/// Bytes that tell what a file is.
const START: u64 = 24;
/// How a pointer of Git LFS begins.
const LFS: &[u8] = b"version https://git-lfs";
/// Cost of a media in memory.
const MEDIA_COST: u64 = 280;
/// Cost of a cue in memory, what it plays apart.
const EVENT_COST: u64 = 256;

/// Reads the cue sheets of a project, with the archives that they stream from.
///
/// Only tables are read. What is wrong with a file is told in its [`crate::BankItems::error`]; the others are read on.
/// Files that are neither sheets nor archives are passed over. An archive that no sheet refers to lists its waves
/// itself. The key is that of encrypted HCA.
#[must_use]
pub fn open(files: &[BankFile], key: Option<u64>, limits: &mut Limits) -> Project {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by(|a, b| path(files, *a).cmp(path(files, *b)));
    let mut opening = Opening { files, key, project: Project::of(files), ..Opening::default() };
    let mut sheets = BTreeMap::new();
    for (rank, file) in order.iter().enumerate() {
        match opening.read(*file, limits) {
            Ok(Some(sheet)) => drop(sheets.insert(rank, (*file, sheet))),
            Ok(None) => {}
            Err(error) => opening.project.fail(*file, error),
        }
    }
    for (file, sheet) in sheets.values() {
        opening.find_archives(*file, sheet);
    }
    let streamed: HashSet<usize> = opening.streamed.values().copied().collect();
    for (rank, file) in order.iter().enumerate() {
        match sheets.get(&rank) {
            Some((file, sheet)) => opening.media(*file, sheet, limits),
            None if streamed.contains(file) => {}
            None => opening.loose(*file, limits),
        }
    }
    // All are paid for first: one cue that plays too much takes nothing but their sounds from the others.
    sheets.retain(|_, (file, sheet)| {
        let cost = EVENT_COST.saturating_mul(sheet.cues.len() as u64);
        let paid =
            take(limits, cost, 0, "cues of a sheet").map_err(|error| opening.project.fail(*file, error));
        paid.is_ok()
    });
    for (file, sheet) in sheets.values() {
        for cue in &sheet.cues {
            opening.event(*file, sheet, cue, limits);
        }
    }
    let Opening { mut project, not_simulated, .. } = opening;
    let remarks = not_simulated.into_iter().map(|what| format!("not simulated: {what}"));
    project.remarks.extend(remarks);
    project
}

/// A project while it is read.
#[derive(Default)]
struct Opening<'f> {
    files: &'f [BankFile],
    key: Option<u64>,
    project: Project,
    /// Archives by their file.
    archives: HashMap<usize, Awb>,
    /// Archives by their path in lower case.
    by_path: HashMap<String, usize>,
    /// Archives that sheets stream from, by the sheet and the number in it.
    streamed: HashMap<(usize, u32), usize>,
    /// First and following media of a sheet, by its file.
    waves: HashMap<usize, Range<usize>>,
    not_simulated: BTreeSet<&'static str>,
    /// Whether it was said that a sheet takes more than is allowed.
    is_over_limit: bool,
}

impl Opening<'_> {
    /// Reads a file: a sheet is returned, an archive kept.
    fn read(&mut self, file: usize, limits: &mut Limits) -> Result<Option<CueSheet>, Error> {
        let Some(BankFile { path, source, .. }) = self.files.get(file) else { return Ok(None) };
        let source: &dyn Source = &**source;
        let lower = path.to_ascii_lowercase();
        let is_ours = lower.ends_with(".acb") || lower.ends_with(".awb");
        let start = read_region(source, 0, START.min(source.len()), "CRI file", limits)?;
        let not = |what| Err(Error::new(ErrorKind::NotThisFormat(what), 0, "CRI file"));
        if start.starts_with(&MAGIC) {
            let archive = Awb::read(source, 0..source.len(), limits)?;
            let count = archive.waves.len();
            self.project.items(file, |items| {
                items.version = "AFS2".to_owned();
                items.items = vec![("waves".to_owned(), count)];
            });
            self.archives.insert(file, archive);
            self.by_path.entry(lower).or_insert(file);
            return Ok(None);
        }
        if start.starts_with(&utf::MAGIC) {
            let mut sheet = CueSheet::read(source, limits)?;
            let name = split(path).1.to_owned();
            self.project.items(file, |items| {
                items.version = format!("ACB {}", sheet.version);
                let counts = [("cues", sheet.cues.len()), ("waves", sheet.waves.len())];
                items.items = counts.map(|(kind, count)| (kind.to_owned(), count)).into();
                items.unread = sheet.unread;
                items.names = vec![name];
            });
            if let Some(error) = sheet.error.take() {
                self.project.fail(file, error);
            }
            self.not_simulated.append(&mut sheet.not_simulated);
            return Ok(Some(sheet));
        }
        match is_ours {
            true if start.starts_with(LFS) => not("a Git LFS pointer, not the file itself"),
            true if start.is_empty() => not("an empty file"),
            true => not("no cue sheet or archive of CRI"),
            false => Ok(None),
        }
    }

    /// Finds an archive that a sheet streams from: by the name that the sheet states, or by that of the sheet. It is in
    /// the same folder, unless a package holds the sheet.
    fn archive(&self, file: usize, name: Option<&String>) -> Option<usize> {
        let own = path(self.files, file).to_ascii_lowercase();
        let (folder, own) = split(&own);
        let own = own.strip_suffix(".acb").unwrap_or(own);
        let stated = name.map(|name| name.to_ascii_lowercase());
        let stems = stated.into_iter().chain(["", "_streamfiles", "_str"].map(|end| format!("{own}{end}")));
        let names = || stems.clone().filter(|stem| !stem.is_empty()).map(|stem| format!("{stem}.awb"));
        let beside = |name: String| match folder {
            "" => self.by_path.get(&name).copied(),
            folder => self.by_path.get(&format!("{folder}/{name}")).copied(),
        };
        let is_packaged = self.files.get(file).is_some_and(|file| file.is_packaged);
        names().find_map(beside).or_else(|| {
            if !is_packaged {
                return None;
            }
            names().find_map(|name| {
                let mut named = self.by_path.iter().filter(|(path, _)| split(path).1 == name);
                named.next().map(|(_, file)| *file).filter(|_| named.next().is_none())
            })
        })
    }

    /// Finds all archives that a sheet streams from.
    fn find_archives(&mut self, file: usize, sheet: &CueSheet) {
        let numbers = sheet.waves.iter().filter(|wave| wave.kind != StreamKind::Memory);
        let numbers: BTreeSet<u32> = numbers.map(|wave| wave.archive).collect();
        for number in numbers {
            let name = usize::try_from(number).ok().and_then(|index| sheet.archives.get(index));
            if let Some(archive) = self.archive(file, name) {
                self.streamed.insert((file, number), archive);
            }
        }
    }

    /// Lists the waves of a sheet.
    fn media(&mut self, file: usize, sheet: &CueSheet, limits: &mut Limits) {
        let Some(BankFile { source, .. }) = self.files.get(file) else { return };
        let memory = sheet.memory.clone().map(|region| Awb::read(&**source, region, limits));
        let memory = memory.transpose().unwrap_or_else(|error| {
            self.project.fail(file, error);
            None
        });
        let first = self.project.media.len();
        for (row, wave) in (0..).zip(&sheet.waves) {
            if let Err(error) = take(limits, MEDIA_COST, 0, "waves of a cue sheet") {
                self.project.fail(file, error);
                break;
            }
            let beside = self.streamed.get(&(file, wave.archive)).copied();
            let media = self.wave(file, row, wave, memory.as_ref(), beside);
            self.project.media.push(media);
        }
        self.waves.insert(file, first..self.project.media.len());
    }

    fn wave(
        &self,
        file: usize,
        row: u32,
        wave: &Waveform,
        memory: Option<&Awb>,
        beside: Option<usize>,
    ) -> Media {
        let place = |file: usize, region: Range<u64>, is_prefetch| MediaBytes {
            file,
            at: region.start,
            length: region.end.saturating_sub(region.start),
            is_prefetch,
        };
        let inside = memory.and_then(|memory| memory.get(wave.memory?));
        let archive = beside.and_then(|file| Some((file, self.archives.get(&file)?)));
        let outside = archive.and_then(|(file, archive)| Some((file, archive.get(wave.stream?)?)));
        let outside = outside.map(|(file, region)| place(file, region, false));
        let (bytes, whole, subkey) = match wave.kind {
            StreamKind::Memory => (inside.map(|region| place(file, region, false)), None, memory),
            StreamKind::Streamed => (outside, None, archive.map(|(_, archive)| archive)),
            StreamKind::Prefetch => match (inside, outside) {
                (Some(start), whole) => {
                    let subkey = whole.as_ref().and(archive).map_or(memory, |(_, archive)| Some(archive));
                    (Some(place(file, start, true)), whole, subkey)
                }
                (None, outside) => (outside, None, archive.map(|(_, archive)| archive)),
            },
        };
        let subkey = subkey.map_or(0, |archive| archive.subkey);
        let key = self.key.map(|key| key_with(key, subkey));
        Media {
            id: MediaId::Cri(row),
            names: Vec::new(),
            events: Vec::new(),
            file,
            bytes,
            whole,
            stream: wave.kind,
            language: None,
            sample: Some(StatedHeader::Cri(Arc::new(WaveHeader { key, ..wave.header.clone() }))),
        }
    }

    /// Lists the waves of an archive that no sheet streams from.
    fn loose(&mut self, file: usize, limits: &mut Limits) {
        let Some(archive) = self.archives.remove(&file) else { return };
        let header = Arc::new(WaveHeader {
            codec: CriCodec::Unstated,
            rate: 0,
            channels: 0,
            frames: 0,
            key: self.key.map(|key| key_with(key, archive.subkey)),
        });
        for (id, Range { start, end }) in archive.waves {
            if let Err(error) = take(limits, MEDIA_COST, 0, "waves of an archive") {
                self.project.fail(file, error);
                break;
            }
            let length = end.saturating_sub(start);
            self.project.media.push(Media {
                id: MediaId::Cri(id),
                names: Vec::new(),
                events: Vec::new(),
                file,
                bytes: Some(MediaBytes { file, at: start, length, is_prefetch: false }),
                whole: None,
                stream: StreamKind::Streamed,
                language: None,
                sample: Some(StatedHeader::Cri(Arc::clone(&header))),
            });
        }
    }

    /// Adds a cue. One that takes more than is allowed is there by its name, and plays nothing.
    fn event(&mut self, file: usize, sheet: &CueSheet, cue: &Cue, limits: &mut Limits) {
        let waves = self.waves.get(&file).cloned().unwrap_or_default();
        let media_of = |row: u32| {
            let index = waves.start.checked_add(usize::try_from(row).ok()?)?;
            waves.contains(&index).then_some(index)
        };
        let mut refused = None;
        let reached = cue.part.map_or(Ok(BTreeSet::new()), |part| sheet.reach(part, limits));
        let reached = reached.unwrap_or_else(|error| {
            refused = Some(error);
            BTreeSet::new()
        });
        let silence = || PlayNode::new(PlayKind::Silence);
        let tree = match cue.part.filter(|_| !reached.is_empty()) {
            Some(part) => sheet.tree(part, &media_of, limits).unwrap_or_else(|error| {
                refused = Some(error);
                silence()
            }),
            None => silence(),
        };
        if let Some(error) = refused.filter(|_| !std::mem::replace(&mut self.is_over_limit, true)) {
            let sheet = path(self.files, file);
            self.project.remarks.push(format!("cues from {sheet} on play nothing: {error}"));
        }
        let index = self.project.events.len();
        let mut missing = Vec::new();
        for row in &reached {
            let media = media_of(*row).and_then(|media| self.project.media.get_mut(media));
            match media {
                Some(media) => {
                    media.events.push(index);
                    if media.bytes.is_none() {
                        missing.push(media.id);
                    }
                }
                None => missing.push(MediaId::Cri(*row)),
            }
        }
        self.project.events.push(Event {
            id: EventId::Cri(cue.id),
            names: cue.names.clone(),
            file,
            tree,
            media: reached.into_iter().map(MediaId::Cri).collect(),
            missing,
        });
    }
}
