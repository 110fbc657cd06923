//! Any bytes as mappings of a game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use unreal::{Limits, Mappings, Memory};

fuzz_target!(|bytes: &[u8]| {
    let _ = Mappings::read(&Memory(bytes), &mut Limits::with_structures(8 << 20));
});
