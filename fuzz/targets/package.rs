//! Any bytes as a package, to the sounds that are listed and decoded.
#![no_main]

use importer::{Budget, Opened};
use libfuzzer_sys::fuzz_target;
use unreal::Memory;

fuzz_target!(|bytes: &[u8]| {
    let budget = Budget { structures: 8 << 20, decoded: 8 << 20, inflated: 8 << 20 };
    let source = Memory(bytes);
    if let Ok(opened) = Opened::open(&source, "Fuzz", budget) {
        for sound in opened.sounds() {
            let _ = opened.sample(sound.number);
        }
        let _ = opened.level();
    }
});
