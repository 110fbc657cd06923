//! Packages of Lineage 2: in their wrapper as without, and in it again when they are changed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use fixtures::compressed::download;
use fixtures::corpus::corpus;
use fixtures::lineage2::wrapped;
use fixtures::package::{PackageWriter, Part};
use fixtures::wave::{Values, Wave};
use importer::probe::probe_source;
use importer::{Budget, FileKind, SoundFile, Status};
use modkit::replace::{PackageReplacement, WavFile, replace_in_package};
use serde_json::Value;
use sha1::{Digest, Sha1};
use song::Recording;
use unreal::{FileSource, Memory, Package, PackageOptions, Source};

fn wave(values: Vec<i16>) -> Vec<u8> {
    Wave::new(22_050, 1, Values::I16(values)).finish()
}

fn package() -> PackageWriter {
    let mut package = PackageWriter::new(123);
    let group = package.group("Beasts", None);
    package.sound("Roar", Some(group), "WAV", &wave(vec![1, -2, 3]));
    package.sound("Step", None, "WAV", &wave(vec![7, 8]));
    package
}

fn open(bytes: &[u8]) -> SoundFile {
    SoundFile::open(Memory(bytes.to_vec()), "Test", Budget::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn refused(bytes: &[u8]) -> String {
    let memory = Memory(bytes.to_vec());
    let refused = SoundFile::open(memory, "Test", Budget::default()).err();
    refused.expect("nothing that is read").to_string()
}

/// Path, status and stored bytes of each sound.
fn sounds(bytes: &[u8]) -> Vec<(String, Status, Option<Vec<u8>>)> {
    let file = open(bytes);
    let sound =
        |sound: &importer::Sound| (sound.path(), sound.status.clone(), file.payload(sound.number).ok());
    file.sounds().iter().map(sound).collect()
}

#[test]
fn a_package_is_read_through_the_wrapper_whatever_the_key() {
    let bare = package().finish();
    let expected = sounds(&bare);
    assert_eq!(expected[0].0, "Beasts.Roar");
    assert_eq!(expected[0].2, Some(wave(vec![1, -2, 3])));
    assert_eq!(open(&bare).lineage2(), None);
    for version in ["111", "121"] {
        for key in [0, 1, 0xAC, 0xC1, 0xFF] {
            let file = wrapped(version, key, &bare);
            assert!(matches!(probe_source(&Memory(&file)).unwrap(), FileKind::WrappedPackage(_)));
            assert_eq!(sounds(&file), expected, "{version}, key {key}");
            let wrapper = open(&file).lineage2().expect("the wrapper");
            assert_eq!(wrapper.to_string(), format!("Lineage2Ver{version}"));
        }
    }
}

#[test]
fn a_wrapped_package_is_unpacked_from_a_download() {
    let file = wrapped("121", 0x5E, &package().finish());
    assert_eq!(sounds(&download(&file).bytes), sounds(&file));
    assert_eq!(open(&download(&file).bytes).lineage2().unwrap().to_string(), "Lineage2Ver121");
}

#[test]
fn other_versions_and_ciphers_are_refused_by_number() {
    let bare = package().finish();
    for version in ["411", "412", "413", "414"] {
        let expected = format!("a Lineage 2 package of version {version} that is encrypted with RSA");
        assert_eq!(refused(&wrapped(version, 0xAC, &bare)), expected);
    }
    for version in ["000", "110", "112", "120", "211", "410", "415", "821", "999"] {
        let expected = format!("a Lineage 2 package of version {version} that is encrypted or damaged");
        assert_eq!(refused(&wrapped(version, 0xAC, &bare)), expected);
    }
    for version in ["1a1", "11\u{e9}", "-11", "1 1", "\u{661}11", "\u{3131}11"] {
        let expected = "a Lineage 2 package of an unknown version";
        assert_eq!(refused(&wrapped(version, 0xAC, &bare)), expected, "{version:?}");
    }
}

#[test]
fn a_key_that_one_byte_of_the_tag_does_not_prove_is_none() {
    let file = wrapped("111", 0xAC, &package().finish());
    for at in 29..32 {
        let mut other = file.clone();
        other[at] ^= 1;
        assert_eq!(refused(&other), "a Lineage 2 package of version 111 that is encrypted another way");
        assert!(matches!(probe_source(&Memory(&other)).unwrap(), FileKind::UnreadPackage(_)));
    }
    // Of another key alone.
    let mut other = file;
    other[28] ^= 1;
    assert_eq!(refused(&other), "a Lineage 2 package of version 111 that is encrypted another way");
}

#[test]
fn a_wrapped_package_that_is_cut_is_an_error_wherever_that_is() {
    let file = wrapped("111", 0xAC, &package().finish());
    for length in 0..40 {
        let error = refused(&file[..length]);
        let kind = probe_source(&Memory(&file[..length])).unwrap();
        match length {
            // The text alone, and what it has in common with others.
            0..16 => assert!(matches!(kind, FileKind::Other(_)), "{length}: {kind:?}"),
            16..32 => {
                assert_eq!(kind, FileKind::CutPackage, "{length}");
                assert!(error.contains(&format!("ends early: 32 bytes wanted, {length} left")), "{error}");
            }
            _ => assert!(matches!(kind, FileKind::WrappedPackage(_)), "{length}: {kind:?}"),
        }
    }
}

#[test]
fn an_export_of_an_impossible_size_or_offset_damages_itself_alone() {
    let mut package = package();
    package.wide = true;
    let good = sounds(&package.finish());
    for (field, value, reason) in [
        ("size", -1_023_999, "-1023999 where nothing negative can stand"),
        ("at", -25_969, "-25969 where nothing negative can stand"),
        ("size", i32::MAX, "the file at"),
        ("at", i32::MAX, "the file at"),
    ] {
        let bare = package.written();
        let last =
            (0..9).rev().find(|index| bare.fields().iter().any(|f| f.name == format!("export {index}.size")));
        let bare = bare.with_compact(&format!("export {}.{field}", last.unwrap()), value).bytes;
        let found = sounds(&wrapped("111", 0xAC, &bare));
        assert_eq!(found[0], good[0]);
        let (path, status, payload) = &found[1];
        assert_eq!((path, payload), (&good[1].0, &None));
        assert!(matches!(status, Status::Damaged(_)), "{status:?}");
        assert!(status.reason().unwrap().contains(reason), "{field} {value}: {:?}", status.reason());
    }
}

#[test]
fn a_replaced_sound_is_written_in_the_same_wrapper_with_the_same_key() {
    let bare = package().finish();
    let new = wave((0..3000).collect());
    for (version, key) in [("111", 0xAC), ("121", 0x5E), ("121", 0)] {
        let file = wrapped(version, key, &bare);
        let sound = open(&file).sounds()[0].object.clone();
        let wav = WavFile::new(new.clone()).unwrap();
        let replacement = PackageReplacement { sound, wav };
        let replaced = |bytes: &[u8]| {
            let replacements = std::slice::from_ref(&replacement);
            replace_in_package(&Memory(bytes), PackageOptions::default(), replacements).unwrap()
        };
        let (made, plain) = (replaced(&file), replaced(&bare));
        assert!(made == wrapped(version, key, &plain), "{version}, key {key}");
        let (before, after) = (sounds(&file), sounds(&made));
        assert_eq!(after[0].2.as_ref(), Some(&new));
        assert_eq!(after[1], before[1]);
    }
}

/// A source that counts the bytes that are read of it.
struct Counted {
    bytes: Vec<u8>,
    read: AtomicU64,
}

impl Source for Counted {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.read.fetch_add(into.len() as u64, Relaxed);
        Memory(&self.bytes[..]).read_at(at, into)
    }
}

#[test]
fn only_what_is_needed_of_a_large_package_is_read() {
    let mut package = package();
    package.order.insert(1, Part::Gap(32 << 20));
    let bytes = wrapped("111", 0xAC, &package.finish());
    let counted = Arc::new(Counted { bytes, read: AtomicU64::new(0) });
    let file = SoundFile::open(Arc::clone(&counted), "Test", Budget::default()).unwrap();
    assert_eq!(file.payload(1).unwrap(), wave(vec![1, -2, 3]));
    let read = counted.read.load(Relaxed);
    assert!(read < 1 << 20, "{read} bytes were read");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn rows() -> Vec<(Value, Vec<u8>)> {
    let Some(folder) = corpus("games") else { return Vec::new() };
    let text = fs::read_to_string(folder.join("reference.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows = rows.filter(|row| row["kind"].as_str().unwrap().starts_with("lineage2"));
    let read = |row: Value| {
        let bytes = fs::read(folder.join(row["file"].as_str().unwrap())).unwrap();
        (row, bytes)
    };
    let rows: Vec<_> = rows.map(read).collect();
    assert!(!rows.is_empty(), "nothing to compare");
    rows
}

#[test]
fn real_packages_have_the_tables_that_another_reader_found() {
    for (row, bytes) in rows() {
        let what = row["file"].as_str().unwrap();
        if row["opens"] == false {
            let number = row["wrapper"].as_str().unwrap().trim_start_matches("Ver");
            let expected = format!("a Lineage 2 package of version {number} that is encrypted or damaged");
            assert_eq!(refused(&bytes), expected, "{what}");
            continue;
        }
        let file = open(&bytes);
        let wrapper = file.lineage2().unwrap();
        assert_eq!(wrapper.to_string(), format!("Lineage2{}", row["wrapper"].as_str().unwrap()), "{what}");
        // The key, and that all is written again as it was.
        assert_eq!(u64::from(bytes[28] ^ 0xC1), row["key"].as_u64().unwrap(), "{what}");
        assert!(wrapper.wrap(file.bytes().unwrap()) == bytes, "{what}");
        let package = file.package().unwrap();
        let identity = package.identity();
        assert_eq!(identity.version.to_string(), row["version"].to_string(), "{what}");
        assert_eq!(identity.licensee.to_string(), row["licensee"].to_string(), "{what}");
        let counts = [package.names().len(), package.imports().len(), package.exports().len()];
        assert_eq!(
            counts,
            ["names", "imports", "exports"].map(|key| row[key].as_u64().unwrap() as usize),
            "{what}"
        );
        assert_eq!(classes(package), row["classes"], "{what}");
    }
}

fn classes(package: &Package) -> Value {
    let mut classes: BTreeMap<String, u64> = BTreeMap::new();
    for export in package.exports() {
        *classes.entry(package.class_name(export).unwrap().into_owned()).or_default() += 1;
    }
    serde_json::to_value(classes).unwrap()
}

#[test]
fn real_sounds_are_those_that_another_reader_found() {
    let mut compared = 0;
    let rows = rows();
    for (row, bytes) in rows.iter().filter(|(row, _)| row["opens"] == true) {
        let what = row["file"].as_str().unwrap();
        let file = open(bytes);
        let expected = row["sounds"].as_array().unwrap();
        assert_eq!(file.sounds().len(), expected.len(), "{what}");
        for (sound, expected) in file.sounds().iter().zip(expected) {
            let what = format!("{what} {}", sound.path());
            assert_eq!(sound.status, Status::Ok, "{what}");
            assert_eq!(sound.object.name, expected["name"].as_str().unwrap(), "{what}");
            assert_eq!(sound.class.name(), expected["cls"].as_str().unwrap(), "{what}");
            let audio = sound.audio().unwrap();
            assert_eq!(audio.codec.name(), expected["codec"].as_str().unwrap(), "{what}");
            let numbers = [
                u64::from(audio.rate.get()),
                audio.channels.into(),
                audio.bits.unwrap().into(),
                audio.frames.unwrap(),
            ];
            assert_eq!(
                numbers,
                ["rate", "channels", "bits", "frames"].map(|key| expected[key].as_u64().unwrap()),
                "{what}"
            );
            let payload = file.payload(sound.number).unwrap();
            assert_eq!(payload.len() as u64, expected["payload"].as_u64().unwrap(), "{what}");
            assert_eq!(hex(&Sha1::digest(&payload)), expected["payload_sha1"].as_str().unwrap(), "{what}");
            let sample = file.sample(sound.number).unwrap();
            let Recording::I16(planes) = sample.recording() else { panic!("{what}: other than 16 bits") };
            let planes: Vec<&[i16]> = planes.iter().collect();
            let frames = 0..planes[0].len();
            let pcm: Vec<u8> = frames
                .flat_map(|frame| planes.iter().flat_map(move |plane| plane[frame].to_le_bytes()))
                .collect();
            assert_eq!(hex(&Sha1::digest(&pcm)), expected["pcm_sha1"].as_str().unwrap(), "{what}");
            compared += 1;
        }
    }
    assert!(rows.is_empty() || compared > 0, "nothing to compare");
}

#[test]
fn a_sound_of_a_real_package_is_replaced_and_the_others_stay() {
    for (row, bytes) in
        rows().iter().filter(|(row, _)| row["sounds"].as_array().is_some_and(|s| !s.is_empty()))
    {
        let what = row["file"].as_str().unwrap();
        let before = sounds(bytes);
        let new = wave((0..30_000).map(|n: u16| n.cast_signed()).collect());
        let replacement = PackageReplacement {
            sound: open(bytes).sounds()[2].object.clone(),
            wav: WavFile::new(new.clone()).unwrap(),
        };
        let made = replace_in_package(&Memory(bytes), PackageOptions::default(), &[replacement]).unwrap();
        assert_eq!(made[..32], bytes[..32], "{what}: the wrapper and the key");
        for (index, (before, after)) in before.iter().zip(&sounds(&made)).enumerate() {
            let expected = if index == 2 { Some(&new) } else { before.2.as_ref() };
            assert!(after.2.as_ref() == expected, "{what}: {}", before.0);
        }
    }
}

#[test]
fn a_real_file_is_read_from_disk() {
    let Some(folder) = corpus("games") else { return };
    let Some((row, bytes)) = rows().into_iter().find(|(row, _)| row["opens"] == true) else { return };
    let file = FileSource::open(folder.join(row["file"].as_str().unwrap())).unwrap();
    let opened = SoundFile::open(file, "Test", Budget::default()).unwrap();
    assert_eq!(opened.size() + 28, bytes.len() as u64);
}
