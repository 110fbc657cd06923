//! Any bytes as a package that becomes JSON and itself again, as JSON, and looked into for meshes and colours.
#![no_main]

use libfuzzer_sys::fuzz_target;
use modkit::json::{from_json, to_json};
use modkit::mesh::meshes;
use modkit::niagara::details;
use unreal::{AssetPackage, Limits, Memory, Source};

fn limits() -> Limits {
    Limits::with_structures(1 << 24)
}

fn check(package: &AssetPackage) {
    let _ = meshes(package, None, &mut limits());
    let _ = details(package, None, &mut limits());
    let Ok(text) = to_json(package, None, true, &mut limits()) else { return };
    let back = from_json(&text, None, &mut limits()).expect("what was written").bytes;
    let mut before = vec![0; usize::try_from(package.source().len()).expect("a small package")];
    package.source().read_at(0, &mut before).expect("bytes");
    assert!([back.header, back.objects].concat() == before);
}

fuzz_target!(|bytes: &[u8]| {
    let [choice, low, high, rest @ ..] = bytes else { return };
    match choice % 3 {
        0 => {
            let at = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
            let (header, objects) = rest.split_at(at);
            let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec())) as Box<dyn Source>;
            let (header, objects) = (source(header), Some(source(objects)));
            let path = "Game/Content/A.uasset";
            if let Ok(package) = AssetPackage::of_files(path, header, objects, None, &mut limits()) {
                check(&package);
            }
        }
        1 => {
            if let Ok(package) = AssetPackage::of_chunk(Box::new(Memory(rest.to_vec())), &mut limits()) {
                check(&package);
            }
        }
        _ => {
            if let Ok(text) = std::str::from_utf8(rest) {
                let _ = from_json(text, None, &mut limits());
            }
        }
    }
});
