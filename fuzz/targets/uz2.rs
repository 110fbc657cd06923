//! Any bytes as something in a wrapper: downloads, whole files, chunks, packages of Lineage 2.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unreal::{Limits, Memory, Package, PackageOptions, unpack};

fuzz_target!(|bytes: &[u8]| {
    let file = Memory(bytes);
    let mut limits = Limits::with_structures(8 << 20).with_inflated(8 << 20);
    if let Ok(source) = unpack(&file, PackageOptions::default(), &mut limits) {
        let mut end = [0; 1];
        if let Some(last) = source.len().checked_sub(1) {
            let _ = source.read_at(last, &mut end);
        }
        let _ = Package::open(&*source, &mut limits);
    }
});
