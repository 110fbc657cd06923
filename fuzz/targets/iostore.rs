//! Any bytes as a table of contents, and the same as its data: opened, listed, verified.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unreal::containers::{Container, IoStore};
use unreal::{AesKey, KeyRing, Limits, Memory, Source};

fuzz_target!(|bytes: &[u8]| {
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new([0x42; 32]));
    let source = || Box::new(Memory(bytes.to_vec())) as Box<dyn Source>;
    let opened = IoStore::open(source(), vec![Some(source())], &keys, &mut Limits::with_structures(8 << 20));
    let Ok(store) = opened else { return };
    let id = store.chunk_id(0);
    let _ = id.and_then(|id| store.find(id));
    let _ = store.header(&mut Limits::with_structures(8 << 20));
    let _ = store.script_objects(&mut Limits::with_structures(8 << 20));
    for number in store.unnamed_packages().into_iter().take(5) {
        let _ = store.package_path(number);
    }
    let store = Container::IoStore(store);
    for number in 0..store.len().min(20) {
        let _ = (store.info(number), store.verify(number));
    }
});
