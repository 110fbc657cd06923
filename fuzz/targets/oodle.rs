//! Any bytes as a block of Oodle that says it becomes a certain size: with a decoder that is used again, as each thread
//! has one.
#![no_main]

use std::panic;
use std::sync::Once;

use libfuzzer_sys::fuzz_target;
use unreal::Method;

static HOOK: Once = Once::new();

fuzz_target!(|bytes: &[u8]| {
    // A panic of the library becomes an error; one of ours is a find.
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !unreal::is_guarded() {
                report(info);
            }
        }));
    });
    let [low, high, block @ ..] = bytes else { return };
    let size = 1 + usize::from(u16::from_le_bytes([*low, *high]));
    let first = Method::Oodle.decompress(block, size);
    assert!(first.as_ref().is_ok_and(|bytes| bytes.len() == size) || first.is_err());
    // What was left of one block changes nothing of the next.
    assert!(first == Method::Oodle.decompress(block, size));
});
