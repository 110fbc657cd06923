//! All banks of a project: which file holds what, and what belongs together.

use std::collections::{BTreeMap, HashMap, HashSet};

use unreal::{Limits, Source};

use super::FmodGuid;
use super::bank::{Bank, is_bank};
use super::events::{Graph, WaveTarget};
use super::fsb::{MAGIC, SampleBank};
use super::strings::{self, Names};
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
/// Folders that are named after the platform of the banks in them.
const PLATFORMS: [&str; 16] = [
    "Android", "Console", "Desktop", "GameCore", "HTML5", "iOS", "Linux", "Mac", "Mobile", "PS4", "PS5",
    "Scarlett", "Switch", "UWP", "Windows", "XboxOne",
];

/// Reads the banks of a project, all that are in one folder as one namespace.
///
/// Only headers are read. What is wrong with a file is told in its [`crate::BankItems::error`]; the others are read on.
/// Files that are no banks, sample banks or lists of names are passed over. The key opens encrypted sample banks.
#[must_use]
pub fn open(files: &[BankFile], key: Option<&str>, limits: &mut Limits) -> Project {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by(|a, b| path(files, *a).cmp(path(files, *b)));
    let mut opening = Opening { files, key, project: Project::of(files), ..Opening::default() };
    for file in &order {
        if let Err(error) = opening.read(*file, limits) {
            opening.project.fail(*file, error);
        }
    }
    opening.link(limits);
    opening.project
}

/// Returns what banks have in common of which one holds the items and others their sounds.
fn stem(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".bank").unwrap_or(&name);
    let name = name.strip_suffix(".assets").or_else(|| name.strip_suffix(".streams")).unwrap_or(name);
    name.to_owned()
}

/// A project while it is read.
#[derive(Default)]
struct Opening<'f> {
    files: &'f [BankFile],
    key: Option<&'f str>,
    project: Project,
    /// Banks by their file, in the order of their paths.
    banks: Vec<(usize, Bank)>,
    /// Names by folder.
    names: BTreeMap<&'f str, Names>,
    /// Files with names by folder.
    named_by: BTreeMap<&'f str, Vec<&'f str>>,
    /// Media by file, sample bank and sound.
    sounds: HashMap<(usize, u32, u32), usize>,
    /// Whether it was said that an event takes more than is allowed.
    is_over_limit: bool,
}

impl<'f> Opening<'f> {
    fn read(&mut self, file: usize, limits: &mut Limits) -> Result<(), Error> {
        let Some(BankFile { path, source, .. }) = self.files.get(file) else { return Ok(()) };
        let source: &'f dyn Source = &**source;
        let (folder, name) = split(path);
        let lower = name.to_ascii_lowercase();
        let is_list = lower == "guids.txt";
        let is_ours = lower.ends_with(".bank") || lower.ends_with(".fsb");
        let start = read_region(source, 0, START.min(source.len()), "FMOD file", limits)?;
        let not = |what| Err(Error::new(ErrorKind::NotThisFormat(what), 0, "FMOD file"));
        if start.starts_with(LFS) {
            return if is_ours || is_list { not("a Git LFS pointer, not the file itself") } else { Ok(()) };
        }
        let is_fsb = start.starts_with(&MAGIC) || lower.ends_with(".fsb");
        let platform = PLATFORMS.iter().find(|platform| split(folder).1.eq_ignore_ascii_case(platform));
        if is_bank(&start) || is_fsb {
            self.project.items(file, |items| items.platform = platform.map(|&platform| platform.to_owned()));
        }
        if is_bank(&start) {
            self.bank(file, folder, source, limits);
        } else if is_fsb {
            self.project.items(file, |items| items.version = "FSB5".to_owned());
            self.sample_bank(file, 0, 0, source.len(), limits)?;
        } else if is_list {
            let text = read_region(source, 0, source.len(), "FMOD list of names", limits)?;
            // An entry in memory takes three times the least that a line has.
            take(limits, source.len().saturating_mul(2), 0, "FMOD list of names")?;
            let count = strings::read_list(&text, self.names.entry(folder).or_default());
            if count > 0 {
                self.named_by.entry(folder).or_default().push(name);
            }
            self.project.items(file, |items| items.items = vec![("names".to_owned(), count)]);
        } else if is_ours {
            return not("no bank of FMOD");
        }
        Ok(())
    }

    fn bank(&mut self, file: usize, folder: &'f str, source: &dyn Source, limits: &mut Limits) {
        let mut bank = Bank::read(source, self.names.entry(folder).or_default(), limits);
        if bank.names > 0 {
            let name = split(path(self.files, file)).1;
            self.named_by.entry(folder).or_default().push(name);
        }
        let error = bank.error.take();
        self.project.items(file, |items| {
            items.version = bank.version.map_or_else(|| "FMOD".to_owned(), |version| version.to_string());
            items.items = bank.counts.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
            items.unread = bank.unread;
        });
        if let Some(error) = bank.item_error.take() {
            let unread = bank.unread;
            self.project
                .remarks
                .push(format!("{}: {unread} items not read; {error}", path(self.files, file)));
        }
        if let Some(error) = error {
            self.project.fail(file, error);
        }
        for (number, &(at, length)) in (0..).zip(&bank.fsbs) {
            if let Err(error) = self.sample_bank(file, number, at, length, limits) {
                self.project.fail(file, error);
            }
        }
        self.banks.push((file, bank));
    }

    /// Lists the sounds of a sample bank.
    fn sample_bank(
        &mut self,
        file: usize,
        number: u32,
        at: u64,
        length: u64,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        let Some(BankFile { source, .. }) = self.files.get(file) else { return Ok(()) };
        // The end of the file is the end of what a bank can hold, whatever its header says.
        let length = length.min(source.len().saturating_sub(at));
        let read = SampleBank::read(&**source, at, length, self.key, limits)?;
        let count = read.sounds.len();
        for (sound, read) in (0..).zip(read.sounds) {
            self.sounds.insert((file, number, sound), self.project.media.len());
            self.project.media.push(Media {
                id: MediaId::Fmod { fsb: number, sound },
                names: read.name.into_iter().collect(),
                events: Vec::new(),
                file,
                bytes: Some(MediaBytes { file, at: read.at, length: read.length, is_prefetch: false }),
                whole: None,
                stream: StreamKind::Memory,
                language: None,
                sample: Some(StatedHeader::Fmod(read.header)),
            });
        }
        self.project.items(file, |items| match items.items.iter_mut().find(|(kind, _)| kind == "sounds") {
            Some((_, known)) => *known = known.saturating_add(count),
            None => items.items.push(("sounds".to_owned(), count)),
        });
        Ok(())
    }

    /// Finds out what events play.
    fn link(&mut self, limits: &mut Limits) {
        let banks = std::mem::take(&mut self.banks);
        let mut folders: BTreeMap<&str, Vec<&(usize, Bank)>> = BTreeMap::new();
        for entry in &banks {
            folders.entry(split(path(self.files, entry.0)).0).or_default().push(entry);
        }
        for (folder, banks) in folders {
            let graph = self.graph(&banks);
            let mut seen = HashSet::new();
            for (file, bank) in banks {
                for event in &bank.events {
                    if seen.insert(event.guid) {
                        self.event(*file, folder, event.guid, &graph, limits);
                    }
                }
                if !bank.events.is_empty() {
                    let sources = self.named_by.get(folder).cloned().unwrap_or_default();
                    self.project
                        .items(*file, |items| items.names = sources.into_iter().map(str::to_owned).collect());
                }
            }
        }
    }

    /// Joins the items of banks that belong together.
    fn graph<'b>(&mut self, banks: &[&'b (usize, Bank)]) -> Graph<'b> {
        let mut stems: HashMap<String, Vec<usize>> = HashMap::new();
        for (file, _) in banks {
            stems.entry(stem(split(path(self.files, *file)).1)).or_default().push(*file);
        }
        let mut graph = Graph::default();
        for (file, bank) in banks {
            graph.add(bank);
            let mut companions =
                stems.get(&stem(split(path(self.files, *file)).1)).cloned().unwrap_or_default();
            companions.retain(|companion| companion != file);
            for wave in &bank.waves {
                // Its own file comes first, then the one that is named after how it is loaded.
                let is_fitting = |other: &usize| {
                    let is_streams = path(self.files, *other).to_ascii_lowercase().ends_with(".streams.bank");
                    is_streams == (wave.stream == StreamKind::Streamed)
                };
                let fitting = companions.iter().filter(|other| is_fitting(other));
                let others = companions.iter().filter(|other| !is_fitting(other));
                let media = std::iter::once(file)
                    .chain(fitting)
                    .chain(others)
                    .find_map(|file| self.sounds.get(&(*file, wave.fsb, wave.sound)).copied());
                if let Some(media) = media.and_then(|media| self.project.media.get_mut(media)) {
                    media.stream = wave.stream;
                }
                let id = MediaId::Fmod { fsb: wave.fsb, sound: wave.sound };
                graph.add_wave(wave.guid, WaveTarget { id, media });
            }
        }
        graph
    }

    /// Adds an event. One that takes more than is allowed is there by its name, and plays nothing.
    fn event(&mut self, file: usize, folder: &str, guid: FmodGuid, graph: &Graph<'_>, limits: &mut Limits) {
        let mut refused = None;
        let reached = graph.reach(guid, limits).unwrap_or_else(|error| {
            refused = Some(error);
            BTreeMap::new()
        });
        let silence = || PlayNode::new(PlayKind::Silence);
        let tree = if reached.is_empty() {
            silence()
        } else {
            graph.tree(guid, limits).unwrap_or_else(|error| {
                refused = Some(error);
                silence()
            })
        };
        if let Some(error) = refused.filter(|_| !std::mem::replace(&mut self.is_over_limit, true)) {
            self.project
                .remarks
                .push(format!("events from {} on play nothing: {error}", path(self.files, file)));
        }
        let index = self.project.events.len();
        for media in reached.values().flatten().flatten() {
            if let Some(media) = self.project.media.get_mut(*media) {
                media.events.push(index);
            }
        }
        let missing =
            reached.iter().filter(|(_, at)| at.iter().all(Option::is_none)).map(|(id, _)| *id).collect();
        let own = self.names.get(folder).and_then(|names| names.get(&guid));
        let name = own.or_else(|| self.names.values().find_map(|names| names.get(&guid)));
        self.project.events.push(Event {
            id: EventId::Fmod(guid),
            names: name.cloned().into_iter().collect(),
            file,
            tree,
            media: reached.keys().copied().collect(),
            missing,
        });
    }
}
