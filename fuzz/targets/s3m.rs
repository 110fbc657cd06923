//! Any bytes as a module in S3M, down to the frames of its samples.
#![no_main]

mod modules;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    if let Some(signature) = file.get_mut(44..48) {
        signature.copy_from_slice(b"SCRM");
    }
    modules::check(&file);
});
