//! Real packages against what other programs found in them.
//!
//! The environment variable `CORPUS` names a folder with `packages/`: packages in subfolders, `reference.jsonl` with a
//! line for each audio object, and `pcm.tsv` with what another decoder made of each payload. Real files belong to others and are never part of this
//! repository: without the variable these tests are skipped, and say so.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use importer::{Budget, Opened, Status};
use md5::Md5;
use serde_json::Value;
use sha1::{Digest, Sha1};
use song::Recording;
use unreal::class::sound;
use unreal::{FileSource, Limits, Package};

/// The folder of packages; none if the variable is unset.
fn packages() -> Option<PathBuf> {
    let Some(corpus) = std::env::var_os("CORPUS") else {
        // Not by a print macro: the test runner swallows those of tests that pass.
        let note = b"corpus: skipped, the environment variable CORPUS is not set\n";
        std::io::stderr().write_all(note).expect("stderr can be written");
        return None;
    };
    let folder = Path::new(&corpus).join("packages");
    assert!(folder.is_dir(), "CORPUS is set, but {} is no folder", folder.display());
    Some(folder)
}

/// Every package below the folder, by its name there; the tables beside the subfolders are none.
fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    for subfolder in entries(folder).into_iter().filter(|path| path.is_dir()) {
        for path in entries(&subfolder) {
            let name = path.strip_prefix(folder).expect("a path below the folder");
            files.push((name.to_str().expect("a name in UTF-8").replace('\\', "/"), path));
        }
    }
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

/// An audio object, as the reference has it and as it was found.
#[derive(Debug, PartialEq)]
struct Found {
    path: String,
    file_type: String,
    properties: usize,
    at: u64,
    length: u64,
    sha1: String,
    tail: u64,
}

impl Found {
    fn of_reference(row: &Value) -> Self {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let number = |key: &str| row[key].as_u64().unwrap();
        Self {
            path: text("path"),
            file_type: text("filetype"),
            properties: row["props"].as_array().unwrap().len(),
            at: number("offset"),
            length: number("size"),
            sha1: text("sha1"),
            tail: number("tail"),
        }
    }
}

/// Lines of objects that have a file type, by file: those of Unreal Engine 1 and 2.
fn reference(folder: &Path) -> BTreeMap<String, Vec<Found>> {
    let text = std::fs::read_to_string(folder.join("reference.jsonl")).unwrap();
    let mut rows: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row.get("filetype").is_some() {
            rows.entry(row["file"].as_str().unwrap().to_owned()).or_default().push(Found::of_reference(&row));
        }
    }
    rows
}

fn sounds(package: &Package, source: &FileSource, limits: &mut Limits) -> Vec<Found> {
    let indices = package.export_indices().filter(|&index| sound::kind_of(package, index).is_some());
    indices
        .map(|index| {
            let sound = sound::read(package, source, index, limits).unwrap();
            let bytes = sound.payload.read(source, 1 << 30).unwrap();
            Found {
                path: package.path_of(index).to_string(),
                file_type: sound.file_type,
                properties: sound.properties.len(),
                at: sound.payload.at,
                length: sound.payload.length,
                sha1: hex(&Sha1::digest(&bytes)),
                tail: sound.tail,
            }
        })
        .collect()
}

#[test]
fn every_sound_of_the_first_engine_is_found_where_others_found_it_and_nothing_else() {
    let Some(folder) = packages() else { return };
    let mut reference = reference(&folder);
    let mut compared = 0;
    for (name, path) in files(&folder) {
        let source = FileSource::open(&path).unwrap();
        let mut limits = Limits::default();
        let Ok(package) = Package::open(&source, &mut limits) else { continue };
        let expected = reference.remove(&name).unwrap_or_default();
        assert_eq!(sounds(&package, &source, &mut limits), expected, "{name}");
        compared += expected.len();
    }
    assert!(compared > 0, "nothing to compare");
    for (name, rows) in reference {
        let error = Package::open(&FileSource::open(folder.join(&name)).unwrap(), &mut Limits::default())
            .unwrap_err();
        assert!(error.to_string().contains("not supported"), "{name} with {} sounds: {error}", rows.len());
    }
}

#[test]
fn what_is_not_of_the_first_engine_is_refused_by_its_version() {
    let Some(folder) = packages() else { return };
    for (name, path) in files(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let version = u16::from_le_bytes([bytes[4], bytes[5]]);
        let is_package = bytes[1..4] == [0x83, 0x2A, 0x9E];
        let opened = Package::open(&FileSource::open(&path).unwrap(), &mut Limits::default());
        match opened {
            Ok(package) => {
                assert_eq!(package.identity().version.get(), version, "{name}");
                assert!((60..=69).contains(&version), "{name}: no such version was looked at by others");
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.ends_with("which is not supported"), "{name}: {error}");
                let named = error.contains(&format!("version {version}"));
                assert!(named || !is_package, "{name} of version {version}: {error}");
                assert!(!is_package || !(60..=99).contains(&version) || bytes[0] != 0xC1, "{name}: {error}");
            }
        }
    }
}

/// What another decoder made of a payload.
#[derive(Debug, PartialEq)]
struct Decoded {
    codec: String,
    rate: u32,
    channels: usize,
    frames: u64,
    /// Of all values, interleaved, as 16 bits little-endian.
    md5: String,
}

/// Rows of PCM by the SHA-1 of the payload.
fn decoded_elsewhere(folder: &Path) -> BTreeMap<String, Decoded> {
    let text = std::fs::read_to_string(folder.join("pcm.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[1].starts_with("pcm_"))
        .map(|row| {
            let decoded = Decoded {
                codec: row[1].trim_end_matches("le").to_owned(),
                rate: row[2].parse().unwrap(),
                channels: row[3].parse().unwrap(),
                frames: row[5].parse().unwrap(),
                md5: row[6].to_owned(),
            };
            (row[0].to_owned(), decoded)
        })
        .collect()
}

fn decoded(opened: &Opened<'_>, number: usize) -> Decoded {
    let sample = opened.sample(number).unwrap();
    let Recording::I16(planes) = sample.recording() else { panic!("no corpus file holds wider sounds") };
    let planes: Vec<&[i16]> = planes.iter().collect();
    let mut values = Vec::new();
    for frame in 0..planes[0].len() {
        values.extend(planes.iter().flat_map(|plane| plane[frame].to_le_bytes()));
    }
    let audio = opened.sounds()[number - 1].audio.as_ref().unwrap();
    assert_eq!(Some(sample.length().get()), audio.frames, "what was announced is what was decoded");
    Decoded {
        codec: audio.codec.name(),
        rate: sample.rate().get(),
        channels: planes.len(),
        frames: sample.length().get(),
        md5: hex(&Md5::digest(&values)),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_sound_of_the_first_engine_decodes_to_the_values_another_decoder_gives() {
    let Some(folder) = packages() else { return };
    let elsewhere = decoded_elsewhere(&folder);
    let mut compared = 0;
    for (name, path) in files(&folder) {
        let source = FileSource::open(&path).unwrap();
        let Ok(opened) = Opened::open(&source, &name, Budget::default()) else { continue };
        for sound in opened.sounds() {
            let payload = opened.payload(sound.number).unwrap();
            let expected = elsewhere.get(&hex(&Sha1::digest(&payload)));
            match &sound.status {
                Status::Ok => {
                    let expected =
                        expected.unwrap_or_else(|| panic!("{name} {}: not in the table", sound.path()));
                    assert_eq!(&decoded(&opened, sound.number), expected, "{name} {}", sound.path());
                    compared += 1;
                }
                status => assert_eq!(expected, None, "{name} {}: {status:?}", sound.path()),
            }
        }
    }
    assert!(compared > 0, "nothing to compare");
}
