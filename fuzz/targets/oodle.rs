//! Any bytes as an Oodle block of a stated size: the decoder, used again for each block as in a thread, and its slow
//! twin give the same bytes or both refuse.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use oodle::Decoder;

#[path = "../../oodle/tests/integration/twin/mod.rs"]
mod twin;

thread_local! {
    static DECODER: RefCell<Decoder> = RefCell::new(Decoder::new());
}

fuzz_target!(|bytes: &[u8]| {
    let [low, high, block @ ..] = bytes else { return };
    let size = 1 + usize::from(u16::from_le_bytes([*low, *high]));
    // A byte behind the plain bytes that must stay.
    let mut plain = vec![0xA5; size + 1];
    let decoded = DECODER.with_borrow_mut(|decoder| decoder.decode(block, &mut plain[..size]));
    assert_eq!(plain.pop(), Some(0xA5));
    assert!(decoded.ok().map(|()| plain) == twin::decode(block, size));
});
