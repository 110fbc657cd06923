//! Any bytes as a package of files or of a container, converted, converted back, and with another recording: what was
//! written is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unreal::ue1to3::class::replace::{NewWav, replace as replace_in_package};
use unreal::ue4to6::class::sound_wave::{NewCodec, NewRecording, replace};
use unreal::ue4to6::convert::{GameObjects, to_legacy, to_zen};
use unreal::ue4to6::zen::ZenForm;
use unreal::{AssetPackage, Limits, Memory, Package, Source};

fn bytes_of(source: &dyn Source) -> Option<Vec<u8>> {
    // Objects that overlap may become more than there was.
    let mut bytes = vec![0; usize::try_from(source.len()).ok().filter(|length| *length < 1 << 24)?];
    source.read_at(0, &mut bytes).ok()?;
    Some(bytes)
}

fn of_files(header: &[u8], objects: &[u8]) -> Option<AssetPackage> {
    let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec())) as Box<dyn Source>;
    let limits = &mut Limits::with_structures(1 << 24);
    AssetPackage::of_files("Game/Content/A.uasset", source(header), Some(source(objects)), None, limits).ok()
}

/// Converts a package of files, and what it becomes once more.
fn from_files(package: &AssetPackage) {
    for form in [ZenForm::Dependencies, ZenForm::Bundles] {
        let Ok(chunk) = to_zen(package, form, &mut Limits::with_structures(1 << 24)) else { continue };
        let Some(bytes) = bytes_of(&chunk.into_source(package.source())) else { continue };
        if let Ok(chunk) =
            AssetPackage::of_chunk(Box::new(Memory(bytes)), &mut Limits::with_structures(1 << 24))
        {
            assert_eq!(chunk.len(), package.len());
            from_chunk(&chunk);
        }
    }
}

fn from_chunk(chunk: &AssetPackage) {
    let limits = &mut Limits::with_structures(1 << 24);
    let Ok(file) = to_legacy(chunk, "5.8".parse().expect("a release"), &GameObjects::default(), limits)
    else {
        return;
    };
    let Some(objects) = bytes_of(&file.objects(chunk.source())) else { return };
    if let Some(package) = of_files(&file.header, &objects) {
        let _ = to_zen(&package, ZenForm::Dependencies, limits);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let [choice, low, high, rest @ ..] = bytes else { return };
    let samples = [7; 300];
    match choice % 3 {
        0 => {
            let at = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
            let (header, objects) = rest.split_at(at);
            let Some(package) = of_files(header, objects) else { return };
            from_files(&package);
            let recording = NewRecording {
                codec: NewCodec::Pcm,
                header: &[1; 46],
                chunks: &[&samples],
                file: &samples,
                channels: 1,
                rate: 8000,
                frames: 150,
                loops: choice & 0x80 != 0,
            };
            for export in 0..package.len().min(4) {
                let limits = &mut Limits::with_structures(1 << 24);
                let Ok(new) = replace(&package, export, recording, None, &|_| 100, limits) else { continue };
                if let Some(again) = of_files(&new.files.header, &new.files.objects) {
                    assert_eq!(again.len(), package.len());
                }
            }
        }
        1 => {
            let limits = &mut Limits::with_structures(1 << 24);
            if let Ok(chunk) = AssetPackage::of_chunk(Box::new(Memory(rest.to_vec())), limits) {
                from_chunk(&chunk);
            }
        }
        _ => {
            let source = Memory(rest);
            let limits = &mut Limits::with_structures(1 << 24);
            let Ok(package) = Package::open(&source, limits) else { return };
            let wav = NewWav { file: &samples, channels: 1, rate: 8000, frames: 128 };
            for export in package.export_indices().take(4) {
                let limits = &mut Limits::with_structures(1 << 24);
                if let Ok(bytes) = replace_in_package(&source, &package, export, wav, limits) {
                    assert!(bytes.windows(samples.len()).any(|part| part == samples));
                }
            }
        }
    }
});
