//! Any bytes as what follows the properties of a recording, in each form of bulk data, down to the payloads.
#![no_main]

use fixtures::bytes::Bytes;
use fixtures::package::{Body, Export, PackageWriter};
use libfuzzer_sys::fuzz_target;
use unreal::ue1to3::class::sound_node_wave;
use unreal::{Limits, Memory, Object, Package};

const VERSIONS: [u16; 8] = [178, 252, 256, 262, 300, 400, 512, 868];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    let mut package = PackageWriter::new(VERSIONS[usize::from(choice) % VERSIONS.len()]);
    package.big_endian = choice >= 0x80;
    let class = package.class("Engine", "SoundNodeWave").0;
    let mut body = Bytes::new();
    if package.version >= 322 {
        body.raw("net index", [0; 4]);
    }
    // The name `None`.
    body.raw("none", vec![0; if package.version >= 343 { 8 } else { 4 }]).raw("rest", rest);
    let body = Body { bytes: body, places: Vec::new() };
    package.export(Export { class, name: "Kick".into(), body, ..Export::default() });
    let file = Memory(package.finish());
    let mut limits = Limits::with_structures(8 << 20);
    let package = Package::open(&file, &mut limits).expect("a package that was written can be read");
    let index = package.export_indices().next().expect("an export");
    if let Ok(wave) = sound_node_wave::read(&mut Object {
        package: &package,
        source: &file,
        export: index,
        limits: &mut limits,
    }) {
        for payload in wave.streams.iter().filter_map(|stream| stream.bulk.payload()) {
            if let Ok(bytes) = payload.read(&file, 4 << 20) {
                assert_eq!(bytes.len() as u64, payload.uncompressed_len());
            }
        }
    }
});
