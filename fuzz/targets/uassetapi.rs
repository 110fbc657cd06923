//! Any bytes as a package that becomes a document of `UAssetAPI` and itself again, and as such a document.
#![no_main]

use libfuzzer_sys::fuzz_target;
use modkit::json::from_json;
use modkit::json::uassetapi::{UassetApi, to_json};
use unreal::{AssetPackage, Limits, Memory, Source};

fn limits() -> Limits {
    Limits::with_structures(1 << 24)
}

/// Checks that a document describes the package that it was written of.
fn check(package: &AssetPackage, is_split: bool, api: UassetApi) {
    let Ok(written) = to_json(package, None, is_split, api, &mut limits()) else { return };
    // What is read may take more memory than what was written.
    let limits = &mut Limits::with_structures(1 << 28);
    let back = from_json(&written.text, None, limits).expect("what was written").bytes;
    let mut before = vec![0; usize::try_from(package.source().len()).expect("a small package")];
    package.source().read_at(0, &mut before).expect("bytes");
    assert!([back.header, back.objects].concat() == before);
}

fuzz_target!(|bytes: &[u8]| {
    let [choice, low, high, rest @ ..] = bytes else { return };
    if choice % 2 == 0 {
        let at = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (header, objects) = rest.split_at(at);
        let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec())) as Box<dyn Source>;
        let (header, objects) = (source(header), Some(source(objects)));
        let path = "Game/Content/A.uasset";
        let api = if choice & 2 == 0 { UassetApi::V1_1 } else { UassetApi::V1_0 };
        if let Ok(package) = AssetPackage::of_files(path, header, objects, None, &mut limits()) {
            check(&package, true, api);
        }
    } else if let Ok(text) = std::str::from_utf8(rest) {
        let _ = from_json(text, None, &mut limits());
        let _ = from_json(&format!("{{\"$type\":\"UAssetAPI.UAsset, UAssetAPI\",{text}"), None, &mut limits());
    }
});
