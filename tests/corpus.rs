//! Real packages against what other programs found in them.
//!
//! The environment variable `CORPUS` names a folder with `packages/`: packages in subfolders, `reference.jsonl` with a
//! line for each audio object, and `pcm.tsv` with what another decoder made of each payload. Real files belong to
//! others and are never part of this repository: without the variable these tests are skipped, and say so.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use fixtures::corpus::corpus;
use importer::{Budget, ImportOptions, SoundFile, Status};
use md5::Md5;
use serde_json::Value;
use sha1::{Digest, Sha1};
use song::Recording;
use unreal::ue1to3::bulk::PayloadFile;
use unreal::ue1to3::class::sound;
use unreal::ue1to3::class::sound_node_wave::{self, Platform, PlatformStream};
use unreal::{Class, ExportIndex, FileSource, Limits, Object, Package, PackageOptions, Source, unpack};

/// Returns the folder of packages; none if the variable is unset.
fn packages() -> Option<PathBuf> {
    corpus("packages")
}

/// Returns every package below the folder, by its name there; the tables beside the subfolders are none.
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
    file_type: Option<String>,
    properties: Vec<String>,
    data: Vec<Data>,
    tail: u64,
}

/// Stored bytes.
#[derive(Debug, PartialEq)]
struct Data {
    name: String,
    flags: u64,
    at: u64,
    length: u64,
    sha1: String,
}

impl Found {
    fn of_reference(row: &Value) -> Self {
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
        let number = |row: &Value, key: &str| row[key].as_u64().unwrap();
        let data = match row.get("bulks") {
            Some(bulks) => bulks.as_array().unwrap().iter().map(|bulk| Data {
                name: text(bulk, "name"),
                flags: number(bulk, "flags"),
                at: number(bulk, "offset"),
                length: number(bulk, "size_on_disk"),
                sha1: text(bulk, "sha1"),
            }),
            None => {
                return Self {
                    file_type: Some(text(row, "filetype")),
                    data: vec![Data {
                        name: String::new(),
                        flags: 0,
                        at: number(row, "offset"),
                        length: number(row, "size"),
                        sha1: text(row, "sha1"),
                    }],
                    ..Self::without_data(row)
                };
            }
        };
        Self { data: data.collect(), ..Self::without_data(row) }
    }

    fn without_data(row: &Value) -> Self {
        let properties = row["props"].as_array().unwrap().iter();
        Self {
            path: row["path"].as_str().unwrap().to_owned(),
            file_type: None,
            properties: properties.map(|property| property[0].as_str().unwrap().to_owned()).collect(),
            data: Vec::new(),
            tail: row["tail"].as_u64().unwrap(),
        }
    }
}

/// Returns the lines of objects, by file. A line without a path is about a file in which nothing was found.
fn reference(folder: &Path) -> BTreeMap<String, Vec<Found>> {
    let text = std::fs::read_to_string(folder.join("reference.jsonl")).unwrap();
    let mut rows: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let of_file = rows.entry(row["file"].as_str().unwrap().to_owned()).or_default();
        if row.get("path").is_some() {
            of_file.push(Found::of_reference(&row));
        }
    }
    rows
}

fn found(package: &Package, source: &dyn Source, limits: &mut Limits) -> Vec<Found> {
    let path = |index| package.path_of(index).to_string();
    let names = |properties: &[unreal::Property]| properties.iter().map(|p| p.name.clone()).collect();
    let data = |name: &str, flags: u32, payload: unreal::ue1to3::bulk::Payload| Data {
        name: name.to_owned(),
        flags: flags.into(),
        at: payload.offset,
        length: payload.len,
        sha1: hex(&Sha1::digest(payload.read(source, 1 << 30).unwrap())),
    };
    let of_index = |index: ExportIndex| match unreal::ue1to3::class::of(package, index)? {
        Class::Sound | Class::Music => {
            let sound = sound::read(&mut Object { package, source, export: index, limits }).unwrap();
            Some(Found {
                path: path(index),
                file_type: Some(sound.file_type),
                properties: names(&sound.properties),
                data: vec![data("", 0, sound.payload)],
                tail: sound.tail,
            })
        }
        Class::SoundNodeWave => {
            let wave = sound_node_wave::read(&mut Object { package, source, export: index, limits }).unwrap();
            let of_stream = |stream: &PlatformStream| match stream.bulk.stored {
                Some(payload) if payload.file == PayloadFile::Package => {
                    data(short(stream.platform), stream.bulk.flags, payload)
                }
                other => panic!("{}: {other:?}", path(index)),
            };
            Some(Found {
                path: path(index),
                file_type: None,
                properties: names(&wave.properties),
                data: wave.streams.iter().map(of_stream).collect(),
                tail: wave.tail,
            })
        }
        _ => None,
    };
    package.export_indices().filter_map(of_index).collect()
}

/// Returns a platform as the reference names it.
fn short(platform: Platform) -> &'static str {
    match platform {
        Platform::Raw => "raw",
        Platform::Pc => "pc",
        Platform::Xbox360 => "x360",
        Platform::Ps3 => "ps3",
        Platform::WiiU => "wiiu",
        Platform::IPhone => "iphone",
        Platform::Flash => "flash",
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_sound_is_found_where_others_found_it_and_nothing_else() {
    let Some(folder) = packages() else { return };
    let mut reference = reference(&folder);
    let mut compared = 0;
    for (name, path) in files(&folder) {
        let expected = reference.remove(&name).unwrap_or_default();
        let file = FileSource::open(&path).unwrap();
        let mut limits = Limits::default();
        let source = unpack(&file, PackageOptions::default(), &mut limits).unwrap();
        match Package::open(&*source, &mut limits) {
            Ok(package) => assert_eq!(found(&package, &*source, &mut limits), expected, "{name}"),
            Err(error) => {
                assert_eq!(expected, [], "{name}: {error}");
                assert!(error.to_string().ends_with("which is not supported"), "{name}: {error}");
            }
        }
        compared += expected.len();
    }
    assert!(compared > 0, "nothing to compare");
    assert!(reference.is_empty(), "not there: {:?}", reference.keys());
}

/// In which order the forms of a recording are preferred, as the reference names them.
const PREFERRED: [&str; 7] = ["", "raw", "pc", "iphone", "ps3", "x360", "wiiu"];

#[test]
fn every_sound_is_listed_and_its_best_bytes_are_those_that_others_took_out() {
    let Some(folder) = packages() else { return };
    let reference = reference(&folder);
    for (name, path) in files(&folder) {
        let source = FileSource::open(&path).unwrap();
        let Ok(sounds) = SoundFile::open(source, &name, Budget::default()) else { continue };
        let mut expected = reference.get(&name).map(Vec::as_slice).unwrap_or_default().iter();
        for sound in sounds.sounds() {
            if !sound.is_recording() {
                assert!(sound.payload().is_none(), "{name} {}", sound.path());
                assert_eq!(sound.zones().is_some(), sound.status == Status::Ok, "{name} {}", sound.path());
                continue;
            }
            let expected = expected.next().unwrap();
            assert_eq!(sound.path(), expected.path, "{name}");
            let best = PREFERRED
                .iter()
                .find_map(|of| expected.data.iter().find(|data| data.name == *of && data.length > 0));
            let sha1 = sounds.payload(sound.number).ok().map(|payload| hex(&Sha1::digest(&payload)));
            assert_eq!(sha1.as_ref(), best.map(|data| &data.sha1), "{name} {}", sound.path());
            assert!(sound.payload().is_none() || sound.format().is_some(), "{name} {}", sound.path());
            assert!(!matches!(sound.status, Status::Damaged(_)), "{name}: {:?}", sound.status);
        }
        assert!(expected.next().is_none(), "{name}");
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

/// Returns the rows of the table by the SHA-1 of the payload.
fn decoded_elsewhere(folder: &Path) -> BTreeMap<String, Decoded> {
    let text = std::fs::read_to_string(folder.join("pcm.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row.len() > 6 && !row[6].is_empty())
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

fn decoded(sounds: &SoundFile, number: usize) -> Decoded {
    let sample = sounds.sample(number).unwrap();
    let Recording::I16(planes) = sample.recording() else { panic!("no corpus file holds wider sounds") };
    let planes: Vec<&[i16]> = planes.iter().collect();
    let mut values = Vec::new();
    for frame in 0..planes[0].len() {
        values.extend(planes.iter().flat_map(|plane| plane[frame].to_le_bytes()));
    }
    let audio = sounds.sounds()[number - 1].audio().cloned().unwrap();
    assert!(
        audio.frames.is_none_or(|frames| frames == sample.length().get()),
        "what was announced is decoded"
    );
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

/// Decoders of lossy codecs differ in the last bit. Of Vorbis in a single page with audio there are two readings: by
/// the specification and libvorbis the page's position is where the sound ends; the decoder that made the table has no
/// position before it to compare with, keeps the last packet whole and may cut the beginning instead.
fn assert_alike(found: &Decoded, expected: &Decoded, payload: &[u8]) {
    assert_eq!(
        (&found.codec, found.rate, found.channels),
        (&expected.codec, expected.rate, expected.channels)
    );
    match vorbis_positions(payload).as_slice() {
        [only] => assert_eq!(found.frames, *only, "where libvorbis ends it"),
        _ => assert_eq!(found.frames, expected.frames),
    }
}

/// Returns the positions of the pages with audio of an Ogg stream; of other payloads none.
fn vorbis_positions(payload: &[u8]) -> Vec<u64> {
    let (mut positions, mut rest) = (Vec::new(), payload);
    while rest.starts_with(b"OggS") {
        let position = u64::from_le_bytes(*rest[6..].first_chunk().unwrap());
        let segments = &rest[27..][..usize::from(rest[26])];
        let body: usize = segments.iter().map(|size| usize::from(*size)).sum();
        rest = &rest[27 + segments.len() + body..];
        // Headers have position 0, and pages in which no packet ends have none.
        positions.extend((position != 0 && position != u64::MAX).then_some(position));
    }
    positions
}

#[test]
fn every_sound_that_is_decoded_has_the_values_another_decoder_gives() {
    let Some(folder) = packages() else { return };
    let elsewhere = decoded_elsewhere(&folder);
    let (mut compared, mut single_pages) = (0, 0);
    let mut met = BTreeSet::new();
    let wishes = [None].into_iter().chain(Platform::ALL.map(Some));
    for ((name, path), stream) in
        files(&folder).iter().flat_map(|file| wishes.clone().map(move |w| (file, w)))
    {
        let source = FileSource::open(path).unwrap();
        let options = ImportOptions { stream, ..ImportOptions::default() };
        let Ok(sounds) = SoundFile::open_with(source, name, options, Budget::default()) else { continue };
        for sound in sounds.sounds() {
            let Ok(payload) = sounds.payload(sound.number) else { continue };
            let sum = hex(&Sha1::digest(&payload));
            let expected = elsewhere.get(&sum);
            match &sound.status {
                Status::Ok if sound.is_playable() => {
                    let expected =
                        expected.unwrap_or_else(|| panic!("{name} {}: not in the table", sound.path()));
                    // Waves of later versions come up once as they are and once for the form they have.
                    if !met.insert(sum) {
                        continue;
                    }
                    let found = decoded(&sounds, sound.number);
                    if expected.codec.starts_with("pcm_") {
                        assert_eq!(&found, expected, "{name} {}", sound.path());
                    } else {
                        single_pages += u32::from(found.frames != expected.frames);
                        assert_alike(&found, expected, &payload);
                    }
                    compared += 1;
                }
                Status::Ok | Status::Unsupported(_) => {}
                status => assert_eq!(expected, None, "{name} {}: {status:?}", sound.path()),
            }
        }
    }
    let missed: Vec<_> = elsewhere.keys().filter(|sum| !met.contains(*sum)).collect();
    assert!(missed.is_empty(), "in the table but not decoded: {missed:?}");
    assert!(compared > 0, "nothing to compare");
    let note = format!("corpus: {compared} sounds compared, {single_pages} of a single page end elsewhere\n");
    std::io::stderr().write_all(note.as_bytes()).expect("stderr can be written");
}
