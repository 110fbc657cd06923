//! Any bytes as a module in MOD, down to the frames of its samples.
#![no_main]

mod modules;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    // Without a tag it has to be plausible; with one it is believed.
    modules::check(bytes);
    if let Some(tag) = file.get_mut(1080..1084) {
        let channels = b'1' + tag[0] % 9;
        tag.copy_from_slice(&[channels, b'C', b'H', b'N']);
    }
    modules::check(&file);
});
