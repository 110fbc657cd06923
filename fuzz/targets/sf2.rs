//! Any bytes as a SoundFont, down to the frames of its samples.
#![no_main]

use importer::{Budget, SoundFile};
use libfuzzer_sys::fuzz_target;
use unreal::Memory;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    if let Some(head) = file.get_mut(..12) {
        head[..4].copy_from_slice(b"RIFF");
        head[8..].copy_from_slice(b"sfbk");
    }
    let budget = Budget { structures: 4 << 20, decoded: 16 << 20, ..Budget::default() };
    if let Ok(font) = SoundFile::open(Memory(file), "Fuzz", budget) {
        drop(font.import());
    }
});
