//! Sounds of Unreal Engine 4 to 6, found in their packages.

use std::fs;

use fixtures::corpus::corpus;
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::wave::{Values, Wave};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::{Budget, SoundFile, Status};
use unreal::bulk_data::BulkPlace;
use unreal::class::sound_wave::{self, WaveContext};
use unreal::class::{Class, script};
use unreal::container::mount::Mount;
use unreal::container::{ChunkId, Container, IoStore};
use unreal::zen::ZenObject;
use unreal::{FileSource, KeyRing, Limits, Memory, Source};

fn store(file: &std::path::Path) -> IoStore {
    let open = |extension| FileSource::open(file.with_extension(extension)).unwrap();
    let partitions = vec![Some(Box::new(open("ucas")) as Box<dyn Source>)];
    IoStore::open(&open("utoc"), partitions, &KeyRing::default(), &mut Limits::default()).unwrap()
}

fn bytes(source: &dyn Source, at: u64, size: u64) -> Vec<u8> {
    let mut bytes = vec![0; size as usize];
    source.read_at(at, &mut bytes).unwrap();
    bytes
}

#[test]
fn every_recording_of_a_game_is_found_without_mappings() {
    let Some(folder) = corpus("containers") else { return };
    let stated: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("sounds/sounds.json")).unwrap()).unwrap();
    let mut found = 0;
    for form in ["Tagged", "Unversioned"] {
        let stem = "CUE4ParseFixtures-Minimal-Oodle-Windows";
        let store = store(&folder.join("UE5_8/IoStore").join(form).join("Oodle").join(stem));
        let store = Container::IoStore(store);
        let Container::IoStore(io) = &store else { unreachable!() };
        for number in 0..store.len() {
            let path = store.path(number).unwrap_or_default();
            if !path.ends_with(".uasset") && !path.ends_with(".umap") {
                continue;
            }
            let package = io.package(number, &mut Limits::default()).unwrap();
            let source = store.open(number).unwrap();
            for (index, export) in package.exports().iter().enumerate() {
                let ZenObject::Script(class) = export.class else { continue };
                if script::class(class) != Some(Class::SoundWave) {
                    continue;
                }
                let context = WaveContext {
                    source: &*source,
                    object: package.range(index, &*source).unwrap(),
                    objects_at: package.summary().header_size,
                    bulk: package.bulk(),
                    name: &|number| package.name_at(number).map(str::to_owned),
                };
                let wave = sound_wave::read(&context).unwrap_or_else(|error| panic!("{path}: {error}"));
                let engine = format!("UE5_8_{form}");
                let stated = stated.as_array().unwrap().iter();
                let stated = stated
                    .clone()
                    .find(|sound| sound["engine"] == *engine && sound["asset"] == *export.name)
                    .unwrap_or_else(|| panic!("{path}: {wave:?}"));
                assert_eq!(wave.chunks.len() as u64, stated["num_chunks"], "{path}");
                let id = io.chunk_id(number).unwrap();
                let bulk = io.find(ChunkId::of(id.number(), 2)).map(|bulk| store.open(bulk).unwrap());
                let mut whole = Vec::new();
                for chunk in &wave.chunks {
                    whole.extend(match chunk.place {
                        BulkPlace::Inline => bytes(&*source, chunk.offset, chunk.size),
                        BulkPlace::Bulk => bytes(bulk.as_deref().unwrap(), chunk.offset, chunk.size),
                        place => panic!("{path}: {place:?}"),
                    });
                }
                let file = folder.join("sounds").join(&engine).join(stated["file"].as_str().unwrap());
                assert!(whole == fs::read(file).unwrap(), "{path}");
                found += 1;
            }
        }
    }
    assert_eq!(found, 18);
}

#[test]
fn the_numbers_of_sound_classes_are_those_of_a_real_game() {
    let Some(folder) = corpus("containers") else { return };
    let store = store(&folder.join("UE5_8/IoStore/Tagged/global"));
    let objects = store.script_objects(&mut Limits::default()).unwrap().unwrap();
    for (number, class) in script::all() {
        let name = class.name();
        let object = objects.iter().find(|object| object.id == number).unwrap_or_else(|| panic!("{name}"));
        assert!(object.path.ends_with(&format!(".{name}")), "{} is not {name}", object.path);
    }
}

/// The class that packages know as a number.
const SOUND_WAVE: u64 = 0x44F2_6264_628E_498D;

/// How a recording is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// Its head in the object, the rest in the file of bulk data.
    Streamed,
    /// All of it in the object.
    InOnePiece,
}

/// A package with a recording called `ADPCM`, and its file of bulk data.
fn package(form: PackageForm, has_map: bool, stored: Stored, audio: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (head, rest) = audio.split_at(46);
    let inline = if stored == Stored::Streamed { head } else { audio };
    let mut object = b"properties, whatever they are".to_vec();
    let number = |object: &mut Vec<u8>, value: u32| object.extend(value.to_le_bytes());
    let mut bulk = Vec::new();
    // The other object lies before it where objects lie in the order of their bundle.
    let before = if form == PackageForm::Engine5_0 { 50 } else { 0 };
    // What the object has of data: where it lies, and it itself if it is inline.
    let mut data = |object: &mut Vec<u8>, offset: u64, bytes: &[u8], flags: u32| {
        if has_map {
            number(object, bulk.len() as u32);
        } else {
            number(object, flags);
            number(object, bytes.len() as u32);
            number(object, bytes.len() as u32);
            object.extend(offset.to_le_bytes());
        }
        let at = if flags == 0x40 { before + object.len() as u64 } else { offset };
        bulk.push((at, bytes.len() as u64, flags));
        if flags == 0x40 {
            object.extend(bytes);
        }
    };
    if stored == Stored::Streamed {
        number(&mut object, 1);
        object.extend([0x6D; 16]);
        number(&mut object, 2);
        number(&mut object, 2);
        number(&mut object, 0);
        number(&mut object, 5);
        data(&mut object, 0, inline, 0x40);
        number(&mut object, inline.len() as u32);
        number(&mut object, inline.len() as u32);
        number(&mut object, 3);
        data(&mut object, 7, rest, 0x10501);
        number(&mut object, rest.len() as u32);
        number(&mut object, rest.len() as u32);
        // The frame that it begins with.
        number(&mut object, 0);
    } else {
        number(&mut object, 1);
        number(&mut object, 2);
        number(&mut object, 0);
        data(&mut object, 0, inline, 0x40);
        object.extend([0x6D; 16]);
    }
    let writer = ZenWriter {
        names: vec!["ADPCM_1A2B".to_owned()],
        exports: vec![("SW_Steps".to_owned(), SOUND_WAVE, object), ("Other".to_owned(), 0x4ABC, vec![9; 50])],
        bulk: has_map.then_some(bulk),
        fillers: (form == PackageForm::Engine5_6).then_some(3),
        ..ZenWriter::new(form, "/Game/Audio/SW_Steps")
    };
    (writer.finish(), [&[0xFF; 7], rest].concat())
}

/// The game of a package and its bulk data.
fn game(version: u8, package: Vec<u8>, bulk: Option<Vec<u8>>) -> Mount {
    let kinds = if version < 5 { [2, 3] } else { [1, 2] };
    let chunk = |kind, data| TocChunk {
        path: String::new(),
        id: [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind],
        data,
        is_packed: true,
    };
    let [package_kind, bulk_kind] = kinds;
    let mut chunks = vec![chunk(package_kind, package)];
    chunks.extend(bulk.map(|bulk| chunk(bulk_kind, bulk)));
    let writer = TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(version) };
    let WrittenToc { table, partitions, .. } = writer.finish();
    let partitions = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    let store =
        IoStore::open(&Memory(table), partitions.collect(), &KeyRing::default(), &mut Limits::default());
    Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store.unwrap()))])
}

fn recording() -> Vec<u8> {
    let values = (0..3000).map(|n| (n * 37 % 2000) as i16 - 1000).collect();
    let mut wave = Wave::new(22_050, 1, Values::I16(values)).finish();
    // Two bytes more of its format, as the engine writes it: its header has 46 bytes then.
    wave[16] = 18;
    wave.splice(36..36, [0, 0]);
    let length = wave.len() as u32 - 8;
    wave[4..8].copy_from_slice(&length.to_le_bytes());
    wave
}

#[test]
fn recordings_are_found_in_packages_of_every_form() {
    let audio = recording();
    for (version, form, has_map) in [
        (3, PackageForm::Engine4, false),
        (5, PackageForm::Engine5_0, false),
        (5, PackageForm::Engine5_0, true),
        (5, PackageForm::Engine5_3, true),
        (8, PackageForm::Engine5_6, true),
    ] {
        for stored in [Stored::Streamed, Stored::InOnePiece] {
            let (package, bulk) = package(form, has_map, stored, &audio);
            let mount = game(version, package, Some(bulk));
            let file = SoundFile::open_game(&mount, "Game", Budget::default());
            let case = format!("{form:?}, {stored:?}, map: {has_map}: {:?}", file.unread_packages());
            let [sound] = file.sounds() else { panic!("{case}") };
            assert_eq!((&*sound.path(), &sound.status), ("/Game/Audio/SW_Steps", &Status::Ok), "{case}");
            assert!(file.payload(1).unwrap() == audio, "{case}");
            assert_eq!(file.sample(1).unwrap().length().get(), 3000, "{case}");
        }
    }
}

#[test]
fn a_recording_whose_file_of_data_is_not_there_says_so() {
    let (package, _) = package(PackageForm::Engine5_3, true, Stored::Streamed, &recording());
    let mount = game(8, package, None);
    let file = SoundFile::open_game(&mount, "Game", Budget::default());
    let reason = file.sounds()[0].status.reason();
    assert_eq!(reason.as_deref(), Some("its bytes lie in /Game/Audio/SW_Steps.ubulk, which is not there"));
}

#[test]
fn a_package_that_is_cut_or_changed_anywhere_never_panics() {
    let audio = recording();
    for (version, form, has_map) in [
        (3, PackageForm::Engine4, false),
        (5, PackageForm::Engine5_0, false),
        (8, PackageForm::Engine5_6, true),
    ] {
        let (package, bulk) = package(form, has_map, Stored::Streamed, &audio);
        for at in 0..package.len() {
            let mut cases = vec![package[..at].to_vec()];
            for change in [0x01, 0x80, 0xFF] {
                let mut changed = package.clone();
                changed[at] ^= change;
                cases.push(changed);
            }
            for case in cases {
                let mount = game(version, case, Some(bulk.clone()));
                let file = SoundFile::open_game(&mount, "Game", Budget::default());
                for number in 1..=file.sounds().len() {
                    let _ = file.sample(number);
                }
            }
        }
    }
}
