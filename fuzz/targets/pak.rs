//! Any bytes as a pak: opened, listed, verified.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unreal::containers::Container;
use unreal::{AesKey, KeyRing, Limits, Memory};

fuzz_target!(|bytes: &[u8]| {
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new([0x42; 32]));
    let source = Box::new(Memory(bytes.to_vec()));
    let Ok(pak) = Container::open_pak(source, &keys, &mut Limits::with_structures(8 << 20)) else { return };
    for number in 0..pak.len().min(20) {
        let _ = (pak.info(number), pak.verify(number));
    }
    let _ = pak.verify_tables();
});
