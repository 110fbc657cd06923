//! Wwise banks of real projects against a table that other programs made.
//!
//! Reads `$CORPUS/banks`; skipped if `CORPUS` is not set, a failure if it is set and the files are missing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

use serde_json::Value;
use sha1::{Digest, Sha1};
use soundbank::wwise::OpenOptions;
use soundbank::{BankFile, Event, EventId, Media, MediaId, PlayKind, PlayNode, Project, StreamKind, wwise};
use unreal::{FileSource, Limits, Source};

fn corpus() -> Option<PathBuf> {
    let Some(corpus) = env::var_os("CORPUS") else {
        // Raw standard error: the test runner swallows prints.
        let _ = writeln!(std::io::stderr(), "skipped: CORPUS is not set");
        return None;
    };
    let banks = PathBuf::from(corpus).join("banks");
    assert!(banks.join("reference.jsonl").is_file(), "CORPUS has no banks/reference.jsonl");
    Some(banks)
}

/// Returns all files below a folder, with their paths below `root`.
fn files_below(root: &Path, folder: &Path, into: &mut Vec<BankFile>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(root, &path, into);
        } else {
            let below = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            into.push(BankFile::new(below, Arc::new(FileSource::open(&path).unwrap())));
        }
    }
}

struct Repository {
    files: Vec<BankFile>,
    project: Project,
}

/// Opens each repository's folder as one.
fn repositories(banks: &Path) -> BTreeMap<String, Repository> {
    let mut repositories = BTreeMap::new();
    for entry in fs::read_dir(banks).unwrap() {
        let folder = entry.unwrap().path();
        if folder.is_dir() {
            let mut files = Vec::new();
            files_below(banks, &folder, &mut files);
            let project = wwise::open(&files, OpenOptions::default(), &mut Limits::default());
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            repositories.insert(name, Repository { files, project });
        }
    }
    repositories
}

fn reference(banks: &Path) -> Vec<Value> {
    let text = fs::read_to_string(banks.join("reference.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

impl Repository {
    fn of<'r>(repositories: &'r BTreeMap<String, Self>, row: &Value) -> (&'r Self, String) {
        let file = row["file"].as_str().unwrap();
        (&repositories[file.split('/').next().unwrap()], file.to_owned())
    }

    fn media(&self, file: &str, id: Option<u32>) -> Option<&Media> {
        self.project.media.iter().find(|media| {
            let is_id = match media.id {
                MediaId::Wwise(of) => id == Some(of),
                _ => id.is_none(),
            };
            is_id && self.files[media.file].path == file
        })
    }

    fn event(&self, file: &str, id: EventId) -> Option<&Event> {
        self.project.events.iter().find(|event| event.id == id && self.files[event.file].path == file)
    }

    fn bytes(&self, media: &Media) -> Vec<u8> {
        let place = media.bytes.as_ref().expect("bytes at hand");
        let mut bytes = vec![0; usize::try_from(place.length).unwrap()];
        self.files[place.file].source.read_at(place.at, &mut bytes).unwrap();
        bytes
    }
}

/// Returns how a row differs; nothing if it agrees.
fn media_difference(repository: &Repository, file: &str, row: &Value) -> Option<String> {
    let id = row["id"].as_u64().map(|id| u32::try_from(id).unwrap());
    let Some(media) = repository.media(file, id) else { return Some("no such row".into()) };
    if media.names != texts(&row["names"]) {
        return Some(format!("names {:?}", media.names));
    }
    let Some(place) = &media.bytes else { return Some("no bytes".into()) };
    if repository.files[place.file].path != file {
        return Some(format!("bytes in {}", repository.files[place.file].path));
    }
    if place.is_prefetch == row["whole"].as_bool().unwrap() {
        return Some(format!("whole: {}", !place.is_prefetch));
    }
    if place.is_prefetch && (media.stream != StreamKind::Prefetch || media.whole.is_none()) {
        return Some("a start without its rest".into());
    }
    if place.length != row["size"].as_u64().unwrap() {
        return Some(format!("size {}", place.length));
    }
    let sha1: String =
        Sha1::digest(repository.bytes(media)).iter().map(|byte| format!("{byte:02x}")).collect();
    (sha1 != row["sha1"].as_str().unwrap()).then(|| format!("sha1 {sha1}"))
}

fn event_difference(repository: &Repository, file: &str, row: &Value) -> Option<String> {
    let id = u32::try_from(row["id"].as_u64().unwrap()).unwrap();
    let id = if row["class"] == "WwiseDialogue" { EventId::WwiseDialogue(id) } else { EventId::Wwise(id) };
    let Some(event) = repository.event(file, id) else { return Some("no such row".into()) };
    if event.names.first().map(String::as_str) != row["name"].as_str() {
        return Some(format!("names {:?}", event.names));
    }
    let expected: Vec<u64> = row["media"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
    let media: Vec<u64> = event
        .media
        .iter()
        .map(|id| match id {
            MediaId::Wwise(id) => u64::from(*id),
            _ => u64::MAX,
        })
        .collect();
    (media != expected).then(|| format!("media {media:?}"))
}

#[test]
fn media_and_events_are_those_that_other_programs_find() {
    let Some(banks) = corpus() else { return };
    let repositories = repositories(&banks);
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut differences = Vec::new();
    for row in reference(&banks) {
        let class = row["class"].as_str().unwrap();
        if !class.starts_with("Wwise") {
            continue;
        }
        let (repository, file) = Repository::of(&repositories, &row);
        let difference = match class {
            "WwiseMedia" => media_difference(repository, &file, &row),
            _ => event_difference(repository, &file, &row),
        };
        let (agreed, all) = counts.entry(class.into()).or_default();
        *all += 1;
        match difference {
            None => *agreed += 1,
            Some(difference) => differences.push(format!("{class} {file} {}: {difference}", row["id"])),
        }
    }
    for (class, (agreed, all)) in &counts {
        let _ = writeln!(std::io::stderr(), "{class}: {agreed} of {all} agree");
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(counts["WwiseMedia"].1, 480);
}

fn leaves(node: &PlayNode, into: &mut BTreeSet<usize>) {
    if let PlayKind::Media(row) = node.kind {
        into.insert(row);
    }
    node.children().for_each(|child| leaves(child, into));
}

#[test]
fn trees_play_all_media_of_their_events_that_are_at_hand() {
    let Some(banks) = corpus() else { return };
    for (name, repository) in repositories(&banks) {
        let project = &repository.project;
        for (index, event) in project.events.iter().enumerate() {
            let mut rows = BTreeSet::new();
            leaves(&event.tree, &mut rows);
            let played: BTreeSet<MediaId> = rows.iter().map(|row| project.media[*row].id).collect();
            let missing = |id: &&MediaId| !event.missing.contains(id);
            let expected: BTreeSet<MediaId> = event.media.iter().filter(missing).copied().collect();
            assert_eq!(played, expected, "{name}: {:?}", event.names);
            assert!(
                rows.iter().all(|row| project.media[*row].events.contains(&index)),
                "{name}: {:?}",
                event.names
            );
        }
    }
}

#[test]
fn every_item_of_real_banks_is_read_to_its_end() {
    let Some(banks) = corpus() else { return };
    let mut versions = BTreeSet::new();
    let (mut rows, mut events, mut items) = (0, 0, 0);
    for (name, repository) in repositories(&banks) {
        let project = &repository.project;
        assert_eq!(project.remarks, Vec::<String>::new(), "{name}");
        for (file, read) in repository.files.iter().zip(&project.files) {
            assert!(read.error.is_none(), "{}: {:?}", file.path, read.error);
            assert_eq!(read.unread, 0, "{}", file.path);
            items += read.items.iter().map(|(_, count)| count).sum::<usize>();
            versions.insert(read.version.clone());
        }
        rows += project.media.len();
        events += project.events.len();
    }
    let _ = writeln!(std::io::stderr(), "{items} items, {rows} media, {events} events of {versions:?}");
}

#[test]
fn a_media_that_is_replaced_by_itself_gives_the_identical_bank() {
    let Some(banks) = corpus() else { return };
    let (mut identical, mut replaced) = (0, 0);
    for (_, repository) in repositories(&banks) {
        for (index, file) in repository.files.iter().enumerate() {
            let is_stored = |media: &&Media| {
                media.file == index
                    && media.bytes.as_ref().is_some_and(|bytes| bytes.at > 0 && bytes.file == index)
            };
            let stored: Vec<&Media> = repository.project.media.iter().filter(is_stored).collect();
            let Some(MediaId::Wwise(id)) = stored.get(stored.len() / 2).map(|media| media.id) else {
                continue;
            };
            if !file.path.ends_with(".bnk") {
                continue;
            }
            let mut whole = vec![0; usize::try_from(file.source.len()).unwrap()];
            file.source.read_at(0, &mut whole).unwrap();
            let own = repository.bytes(stored[stored.len() / 2]);
            let limits = &mut Limits::default();
            let replacement = wwise::Replacement { id, bytes: &own, codec: None, start: None };
            assert!(
                wwise::rewrite(&file.source, &[replacement], limits).unwrap().bytes == whole,
                "{}",
                file.path
            );
            identical += 1;

            let other: Vec<u8> = (0..own.len() + 1001).map(|at| u8::try_from(at % 251).unwrap()).collect();
            let replacement = wwise::Replacement { id, bytes: &other, codec: Some(wwise::PCM), start: None };
            let rewritten = wwise::rewrite(&file.source, &[replacement], limits).unwrap();
            let new = unreal::Memory(&rewritten.bytes[..]);
            wwise::verify(&file.source, &new, &[replacement], limits).unwrap();
            let [uses] = rewritten.uses[..] else { panic!("{:?}", rewritten.uses) };
            assert!(uses.is_listed);
            let other = if uses.is_start { &other[..own.len()] } else { &other[..] };
            check_replaced(&repository, index, id, other, rewritten);
            replaced += 1;
        }
    }
    assert!(identical >= 18, "{identical}");
    let _ = writeln!(std::io::stderr(), "{identical} banks identical, {replaced} with another media");
}

#[test]
fn packages_with_nothing_replaced_stay_what_they_are() {
    let Some(banks) = corpus() else { return };
    let mut packages = 0;
    for (_, repository) in repositories(&banks) {
        for file in repository.files.iter().filter(|file| file.path.to_ascii_lowercase().ends_with(".pck")) {
            let mut whole = vec![0; usize::try_from(file.source.len()).unwrap()];
            file.source.read_at(0, &mut whole).unwrap();
            let replacement = wwise::Replacement { id: 1, bytes: b"new", codec: None, start: None };
            let mut out = Vec::new();
            let limits = &mut Limits::default();
            wwise::rewrite_package(&file.source, &[replacement], &|_| true, limits, &mut out).unwrap();
            assert!(out == whole, "{}: {} of {} bytes", file.path, out.len(), whole.len());
            packages += 1;
        }
    }
    assert_eq!(packages, 8);
}

/// Checks that one media is another, and that all others and all events are what they were.
fn check_replaced(
    repository: &Repository,
    index: usize,
    id: u32,
    other: &[u8],
    rewritten: wwise::RewrittenBank,
) {
    let mut files = repository.files.clone();
    files[index].source = Arc::new(unreal::Memory(rewritten.bytes));
    let changed =
        Repository { project: wwise::open(&files, OpenOptions::default(), &mut Limits::default()), files };
    assert_eq!(changed.project.media.len(), repository.project.media.len());
    for (before, after) in repository.project.media.iter().zip(&changed.project.media) {
        assert_eq!((before.id, before.file, &before.names), (after.id, after.file, &after.names));
        if before.bytes.is_none() {
            continue;
        }
        if (after.file, after.id) == (index, MediaId::Wwise(id)) {
            assert!(changed.bytes(after) == other);
        } else {
            assert!(changed.bytes(after) == repository.bytes(before), "{}", after.id);
        }
    }
    for (before, after) in repository.project.events.iter().zip(&changed.project.events) {
        assert_eq!((before.id, &before.media, &before.tree), (after.id, &after.media, &after.tree));
    }
}

/// A generator whose numbers are the same in every run (`SplitMix64`).
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(bound).unwrap()).unwrap()
    }
}

/// Opens a damaged file; it may say anything, but in time.
fn open_damaged(path: &str, bytes: Vec<u8>) {
    let files = [BankFile::new(path, Arc::new(unreal::Memory(bytes)))];
    let start = Instant::now();
    let project = wwise::open(&files, OpenOptions::default(), &mut Limits::default());
    for event in &project.events {
        assert!(depth(&event.tree) <= PlayNode::MAX_DEPTH, "{path}");
    }
    assert!(start.elapsed() < Duration::from_secs(4), "{path}: {:?}", start.elapsed());
    if let Some(MediaId::Wwise(id)) = project.media.first().map(|media| media.id) {
        let replacement = wwise::Replacement { id, bytes: b"RIFF", codec: None, start: Some(4) };
        let _ = wwise::rewrite(&files[0].source, &[replacement], &mut Limits::default());
    }
}

fn depth(node: &PlayNode) -> usize {
    node.children().map(depth).max().map_or(1, |depth| depth + 1)
}

#[test]
fn cut_and_damaged_files_are_errors_and_nothing_worse() {
    let Some(banks) = corpus() else { return };
    let mut random = Seeded(0x5EED);
    let (mut cuts, mut flips) = (0, 0);
    for (_, repository) in repositories(&banks) {
        for file in &repository.files {
            let lower = file.path.to_ascii_lowercase();
            let is_bank = lower.ends_with(".bnk") || lower.ends_with(".pck");
            let is_names = lower.ends_with(".xml") || lower.ends_with(".json");
            if !is_bank && !is_names {
                continue;
            }
            let mut whole = vec![0; usize::try_from(file.source.len()).unwrap()];
            file.source.read_at(0, &mut whole).unwrap();
            // The media are not read: damage to them would show nothing.
            let name = if is_bank { file.path.as_str() } else { "SoundbanksInfo.xml" };
            for _ in 0..24 {
                let length = random.below(whole.len() + 1);
                open_damaged(name, whole[..length].to_vec());
                cuts += 1;
            }
            let data = whole.windows(4).position(|tag| tag == b"DATA").filter(|_| is_bank);
            let skipped = data.map_or(0..0, |at| {
                let size = u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap());
                at + 8..at + 8 + usize::try_from(size).unwrap()
            });
            for _ in 0..48 {
                let mut bytes = whole.clone();
                for _ in 0..=random.below(8) {
                    let mut at = random.below(whole.len() - skipped.len());
                    if at >= skipped.start {
                        at += skipped.len();
                    }
                    bytes[at] = [0, 0xFF, 0x80, bytes[at] ^ 1 << random.below(8)][random.below(4)];
                }
                open_damaged(name, bytes);
                flips += 1;
            }
        }
    }
    let _ = writeln!(std::io::stderr(), "{cuts} cut and {flips} damaged files");
}

/// Returns the chunks of a media that has nothing after them.
fn chunks_of(media: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let (mut chunks, mut rest) = (Vec::new(), media.strip_prefix(b"RIFF")?.get(8..)?);
    while let Some((head, after)) = rest.split_at_checked(8) {
        let size = u32::from_le_bytes(head[4..].try_into().unwrap());
        let (data, after) = after.split_at_checked(usize::try_from(size).unwrap())?;
        chunks.push((&head[..4], data));
        rest = after;
    }
    Some(chunks)
}

#[test]
fn media_of_pcm_are_written_as_the_tool_wrote_them() {
    let Some(banks) = corpus() else { return };
    let mut written = 0;
    for (name, repository) in repositories(&banks) {
        for media in repository.project.media.iter().filter(|media| media.bytes.is_some()) {
            let bytes = repository.bytes(media);
            let Some(chunks) = chunks_of(&bytes) else { continue };
            let [(b"fmt ", format), (b"JUNK", _), (b"data", data)] = chunks[..] else { continue };
            if format[..2] != [0xFE, 0xFF] {
                continue;
            }
            let channels = u16::from_le_bytes(format[2..4].try_into().unwrap());
            let rate = u32::from_le_bytes(format[4..8].try_into().unwrap());
            let new = wwise::PcmMedia { channels, rate, data, loop_range: None };
            assert!(wwise::write_pcm(&new).unwrap() == bytes, "{name}: {}", media.id);
            written += 1;
        }
    }
    assert!(written >= 45, "{written}");
    let _ = writeln!(std::io::stderr(), "{written} media of PCM");
}
