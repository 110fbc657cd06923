//! Any bytes as the body of an object, in packages of versions with each form of properties.
#![no_main]

use fixtures::bytes::Bytes;
use fixtures::package::{Body, Export, PackageWriter};
use libfuzzer_sys::fuzz_target;
use unreal::ue1to3::class::{properties_of, sound, sound_cue, sound_group, sound_node_wave};
use unreal::{Limits, Memory, Object, Package};

const VERSIONS: [u16; 8] = [42, 57, 69, 128, 260, 512, 650, 868];
const NAMES: [&str; 12] = [
    "Volume",
    "IntProperty",
    "FloatProperty",
    "BoolProperty",
    "ByteProperty",
    "StructProperty",
    "ArrayProperty",
    "StrProperty",
    "ObjectProperty",
    "NameProperty",
    "ChildNodes",
    "WAV",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, body)) = bytes.split_first() else { return };
    let mut package = PackageWriter::new(VERSIONS[usize::from(choice) % VERSIONS.len()]);
    package.big_endian = choice >= 0x80 && package.version >= 178;
    for name in NAMES {
        package.name(name);
    }
    for class in ["Sound", "SoundGroup", "SoundNodeWave", "SoundCue"] {
        let class = package.class("Engine", class).0;
        let mut bytes = Bytes::new();
        bytes.raw("body", body);
        let body = Body { bytes, places: Vec::new() };
        package.export(Export { class, name: "Volume".into(), body, ..Export::default() });
    }
    let file = Memory(package.finish());
    let mut limits = Limits::with_structures(8 << 20);
    let package = Package::open(&file, &mut limits).expect("a package that was written can be read");
    let indices: Vec<_> = package.export_indices().collect();
    let mut object = Object { package: &package, source: &file, export: indices[0], limits: &mut limits };
    if let Ok(properties) = properties_of(&mut object) {
        for property in properties {
            let _ = property.numbers(&mut object);
            let _ = property.structs(&mut object);
        }
    }
    let _ = sound::read(&mut object);
    let _ = sound_group::read(&mut object.sibling(indices[1]));
    let _ = sound_node_wave::read(&mut object.sibling(indices[2]));
    let mut object = object.sibling(indices[3]);
    if let Ok(cue) = sound_cue::read(&mut object) {
        let _ = cue.nodes(&mut object);
    }
});
