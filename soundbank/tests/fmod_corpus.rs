//! Every sound and event of the FMOD banks in the corpus, against the reference beside them.
//!
//! The reference was made by other programs. Without `CORPUS` nothing is checked, which is said on standard error.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use sha1::{Digest, Sha1};
use soundbank::fmod::{self, FsbCodec, SampleHeader};
use soundbank::{BankFile, Event, EventId, Media, MediaId, PlayKind, PlayNode, Project};
use unreal::{Limits, Memory};

/// Returns the folder of banks; none if there is no corpus.
fn banks() -> Option<PathBuf> {
    let Some(corpus) = std::env::var_os("CORPUS") else {
        // The test runner swallows what is printed.
        let _ = writeln!(std::io::stderr(), "fmod_corpus: skipped, CORPUS is not set");
        return None;
    };
    let banks = Path::new(&corpus).join("banks");
    assert!(banks.is_dir(), "CORPUS is set, but {} is missing", banks.display());
    Some(banks)
}

fn walk(folder: &Path, root: &Path, files: &mut Vec<BankFile>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, root, files);
            continue;
        }
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        if ["bank", "fsb", "txt"].iter().any(|end| name.to_ascii_lowercase().ends_with(end)) {
            files.push(BankFile::new(name, Arc::new(Memory(fs::read(&path).unwrap()))));
        }
    }
}

/// Returns every repository of the corpus with its files, whose paths begin with its name.
fn repositories(banks: &Path) -> Vec<Vec<BankFile>> {
    let mut repositories = Vec::new();
    for entry in fs::read_dir(banks).unwrap() {
        let folder = entry.unwrap().path();
        let mut files = Vec::new();
        if folder.is_dir() {
            walk(&folder, banks, &mut files);
        }
        if !files.is_empty() {
            repositories.push(files);
        }
    }
    repositories
}

fn reference(banks: &Path) -> Vec<Value> {
    let text = fs::read_to_string(banks.join("reference.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn codec(header: &SampleHeader) -> &'static str {
    match header.codec {
        FsbCodec::PcmU8 => "pcm_u8",
        FsbCodec::Pcm16 => "pcm_s16",
        FsbCodec::PcmFloat => "pcm_f32",
        FsbCodec::Ima => "ima",
        FsbCodec::Vorbis => "vorbis",
        FsbCodec::Fadpcm => "fadpcm",
        _ => "other",
    }
}

fn bytes(files: &[BankFile], media: &Media) -> Vec<u8> {
    let place = media.bytes.as_ref().unwrap();
    let mut bytes = vec![0; usize::try_from(place.length).unwrap()];
    files[place.file].source.read_at(place.at, &mut bytes).unwrap();
    bytes
}

fn ids(media: &[MediaId]) -> Vec<String> {
    let mut ids: Vec<String> = media.iter().map(ToString::to_string).collect();
    ids.sort();
    ids
}

fn texts(value: &Value) -> Vec<String> {
    let mut texts: Vec<String> =
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    texts.sort();
    texts
}

fn check_sound(row: &Value, files: &[BankFile], media: &Media) {
    let header = media.sample.as_ref().unwrap().fmod().unwrap();
    let stored = bytes(files, media);
    let hash: String = Sha1::digest(&stored).iter().map(|byte| format!("{byte:02x}")).collect();
    let loops = header.loop_range.map_or(Value::Null, |(start, end)| serde_json::json!([start, end]));
    assert_eq!(texts(&row["names"]), media.names, "{row}");
    assert_eq!(row["codec"], codec(header), "{row}");
    assert_eq!(row["rate"], header.rate, "{row}");
    assert_eq!(row["channels"], header.channels, "{row}");
    assert_eq!(row["frames"], header.frames, "{row}");
    assert_eq!(row["loop"], loops, "{row}");
    assert_eq!(row["size"], stored.len(), "{row}");
    assert_eq!(row["sha1"], hash, "{row}");
}

fn check_event(row: &Value, project: &Project, event: &Event) {
    assert_eq!(row["name"].as_str(), event.names.first().map(String::as_str), "{row}");
    assert_eq!(texts(&row["media"]), ids(&event.media), "{row}");
    assert_eq!(event.missing, [], "{row}");
    // What the tree plays is among what can be played, and something is heard of all that have sounds.
    let mut heard = Vec::new();
    leaves(&event.tree, &mut heard);
    for index in &heard {
        assert!(event.media.contains(&project.media[*index].id), "{row}");
        let this = project.events.iter().position(|other| std::ptr::eq(other, event)).unwrap();
        assert!(project.media[*index].events.contains(&this), "{row}");
    }
    assert_eq!(heard.is_empty(), event.media.is_empty(), "{row}");
}

fn leaves(node: &PlayNode, into: &mut Vec<usize>) {
    if let PlayKind::Media(index) = node.kind {
        into.push(index);
    }
    node.children().for_each(|child| leaves(child, into));
}

#[test]
fn every_sound_and_event_of_the_corpus_is_as_the_reference_has_it() {
    let Some(banks) = banks() else { return };
    let mut sounds: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut events: BTreeMap<(String, String), Value> = BTreeMap::new();
    for row in reference(&banks) {
        let key = (row["file"].as_str().unwrap().to_owned(), row["id"].to_string().replace('"', ""));
        match row["class"].as_str().unwrap() {
            "FmodSound" => sounds.insert(key, row),
            "FmodEvent" => events.insert(key, row),
            _ => None,
        };
    }
    let (all_sounds, all_events) = (sounds.len(), events.len());
    for files in repositories(&banks) {
        let project = fmod::open(&files, None, &mut Limits::default());
        for (file, items) in files.iter().zip(&project.files) {
            assert!(items.error.is_none(), "{}: {:?}", file.path, items.error);
            assert_eq!(items.unread, 0, "{}", file.path);
        }
        assert_eq!(project.remarks, Vec::<String>::new());
        for media in &project.media {
            let key = (files[media.file].path.clone(), media.id.to_string());
            let row = sounds.remove(&key).unwrap_or_else(|| panic!("{key:?} is not in the reference"));
            check_sound(&row, &files, media);
        }
        for event in &project.events {
            let EventId::Fmod(guid) = event.id else { panic!("{:?}", event.id) };
            let key = (files[event.file].path.clone(), format!("{{{guid}}}"));
            let row = events.remove(&key).unwrap_or_else(|| panic!("{key:?} is not in the reference"));
            check_event(&row, &project, event);
        }
    }
    assert!(sounds.is_empty(), "missing sounds: {:?}", sounds.keys());
    assert!(events.is_empty(), "missing events: {:?}", events.keys());
    println!("{all_sounds} sounds and {all_events} events agree");
}

/// Opens one file alone. It may be anything, but nothing may panic or take long.
fn open_one(path: &str, bytes: Vec<u8>) {
    let file = BankFile::new(path, Arc::new(Memory(bytes)));
    let _ = fmod::open(&[file], Some("key"), &mut Limits::with_structures(16 << 20));
}

#[test]
fn cut_and_changed_files_of_the_corpus_end_in_an_error_or_a_project() {
    let Some(banks) = banks() else { return };
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    for files in repositories(&banks) {
        for file in files {
            // Payloads are not read; the heads of long files are in their first bytes.
            let mut whole = vec![0; usize::try_from(file.source.len().min(40_000)).unwrap()];
            file.source.read_at(0, &mut whole).unwrap();
            for _ in 0..60 {
                let length = random(whole.len());
                open_one(&file.path, whole[..length].to_vec());
                let mut changed = whole.clone();
                for _ in 0..=random(4) {
                    let at = random(changed.len());
                    changed[at] ^= 1 << random(8);
                }
                open_one(&file.path, changed);
                let mut large = whole.clone();
                let at = random(large.len().saturating_sub(4).max(1));
                large.iter_mut().skip(at).take(4).for_each(|byte| *byte = 0xFF);
                open_one(&file.path, large);
            }
        }
    }
}
