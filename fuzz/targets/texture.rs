//! Any bytes as a package of a texture, with a file of data beside it: found, decoded, stripped. What was stripped is
//! read again.
#![no_main]

use std::panic;
use std::sync::{Arc, Once};

use fixtures::pak::{PakEntry, PakWriter};
use importer::GameOptions;
use libfuzzer_sys::fuzz_target;
use modkit::GamePackages;
use modkit::texture::{TextureChange, textures};
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::{AssetPackage, KeyRing, Limits, Memory};

static HOOK: Once = Once::new();

fuzz_target!(|bytes: &[u8]| {
    // A panic of the decoder becomes an error; the fuzzer would end at it.
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !unreal::is_guarded() {
                report(info);
            }
        }));
    });
    let [choice, low, high, rest @ ..] = bytes else { return };
    let (header, objects) = rest.split_at(usize::from(u16::from_le_bytes([*low, *high])).min(rest.len()));
    let entry = |extension: &str, data: &[u8]| PakEntry::new(&format!("Game/Content/T.{extension}"), data);
    let entries = vec![entry("uasset", header), entry("uexp", objects), entry("ubulk", objects)];
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    let pak = Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default());
    let mount = Arc::new(Mount::new(vec![("Game".to_owned(), pak.expect("a pak"))]));
    let packages = GamePackages::find(mount, None, GameOptions::default(), &mut |_| ());
    let Ok(packages) = packages else { return };
    for entry in &packages.entries {
        for texture in packages.open_textures(*entry).unwrap_or_default() {
            let _ = (texture.picture(None, u32::from(choice >> 4)), texture.dds());
            let change = TextureChange::Keep(usize::from(choice & 3) + 1);
            let Ok(changed) = texture.changed(&change, choice & 4 != 0) else { continue };
            let [(_, header), (_, objects), ..] = &changed.files[..] else { continue };
            let (header, objects) = (Box::new(Memory(header.clone())), Box::new(Memory(objects.clone())));
            let again =
                AssetPackage::of_files("T.uasset", header, Some(objects), None, &mut Limits::default());
            // The table of names may have been read with more than its writer knows.
            let Ok(again) = again else { continue };
            let mips = |found: &modkit::texture::FoundTexture| match &found.texture {
                Ok(Some(texture)) => texture.mips.len(),
                _ => 0,
            };
            let kept = textures(&again).iter().find(|found| found.export == texture.export).map(mips);
            assert!(kept.is_none_or(|kept| kept <= texture.texture.mips.len()), "{kept:?}");
        }
    }
});
