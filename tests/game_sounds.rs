//! Sounds of Unreal Engine 4 to 6, found in their packages.

use fixtures::corpus::corpus;
use std::fs;
use unreal::bulk_data::BulkPlace;
use unreal::class::script;
use unreal::class::sound_wave::{self, WaveContext};
use unreal::container::{ChunkId, Container, IoStore};
use unreal::zen::ZenObject;
use unreal::{FileSource, KeyRing, Limits, Source};

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
                if script::name(class) != Some("SoundWave") {
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
    for (number, name) in script::all() {
        let object = objects.iter().find(|object| object.id == number).unwrap_or_else(|| panic!("{name}"));
        assert!(object.path.ends_with(&format!(".{name}")), "{} is not {name}", object.path);
    }
}
