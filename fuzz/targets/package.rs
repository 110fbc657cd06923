//! Any bytes as a package, to the sounds that are listed and decoded.
#![no_main]

use importer::{Budget, SoundFile};
use libfuzzer_sys::fuzz_target;
use unreal::Memory;

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget { structures: 8 << 20, decoded: 8 << 20, inflated: 8 << 20, ..Budget::default() };
    let source = Memory(bytes.to_vec());
    if let Ok(file) = SoundFile::open(source, "Fuzz", budget) {
        for sound in file.sounds() {
            let _ = file.sample(sound.number);
        }
        let _ = file.level();
    }
});
