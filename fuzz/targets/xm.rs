//! Any bytes as a module in XM, down to the frames of its samples.
#![no_main]

mod modules;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    if let Some(signature) = file.get_mut(..17) {
        signature.copy_from_slice(b"Extended Module: ");
    }
    modules::check(&file);
});
