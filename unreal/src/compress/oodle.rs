//! The methods of Oodle: Kraken, Mermaid, Selkie, Leviathan. The only door to the library that knows them.

use std::cell::RefCell;

use oozextract::Extractor;

use crate::error::Malformed;
use crate::guard::guarded;

const BROKEN: Malformed = Malformed::Compressed("is not an Oodle block");

thread_local! {
    // Made once for each thread: making one takes a fifth of the time of a block.
    static EXTRACTOR: RefCell<Extractor> = RefCell::new(Extractor::new());
}

/// What an Oodle block becomes, of exactly `size` bytes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    /// A block begins anew, and does not go on where another ended.
    const RESTARTS: u8 = 0x80;
    /// A larger one has several heads, each of which may go on.
    const ONE_HEAD: usize = 256 << 10;
    let mut bytes = vec![0; size];
    EXTRACTOR.with_borrow_mut(|extractor| {
        if size > ONE_HEAD || stored.first().is_none_or(|head| head & RESTARTS == 0) {
            // Blocks of containers stand alone; what another left is none of theirs.
            *extractor = Extractor::new();
        }
        match guarded(|| extractor.read_from_slice(stored, &mut bytes)) {
            Some(Ok(made)) => {
                bytes.truncate(made);
                Ok(())
            }
            Some(Err(_)) => Err(BROKEN),
            None => {
                // Nobody knows what it was left with.
                *extractor = Extractor::new();
                Err(BROKEN)
            }
        }
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::panic;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use fixtures::signal::Noise;

    use super::*;

    #[test]
    fn a_panic_of_the_library_is_an_error_and_can_be_kept_quiet() {
        static GUARDED: AtomicUsize = AtomicUsize::new(0);
        static OPEN: AtomicUsize = AtomicUsize::new(0);
        let before = panic::take_hook();
        panic::set_hook(Box::new(|_| {
            let count = if crate::is_guarded() { &GUARDED } else { &OPEN };
            count.fetch_add(1, Ordering::Relaxed);
        }));
        let mut noise = Noise::new(1);
        for _ in 0..500 {
            // Blocks whose headers are sound, and whose codes are made of chance.
            for method in [0x05, 0x06, 0x0A, 0x0B, 0x0C] {
                let mut stored = vec![0x8C, method, 0, 0, 199];
                stored.extend((0..200).map(|_| noise.bits() as u8));
                let _ = inflate(&stored, 1000);
            }
        }
        panic::set_hook(before);
        let (guarded, open) = (GUARDED.load(Ordering::Relaxed), OPEN.load(Ordering::Relaxed));
        assert!(guarded > 0 && open == 0, "{guarded} guarded, {open} not");
    }

    #[test]
    fn what_a_block_left_changes_nothing_of_the_next() {
        // Found by the fuzz target: the second says that it goes on where another ended.
        let before = [
            0x8C, 0x05, 0x00, 0x58, 0x58, 0x58, 0x23, 0xFF, 0x00, 0x8C, 0x0A, 0x00, 0x64, 0x00, 0x00, 0x00,
            0xD8, 0x00, 0x00, 0x00, 0xFF, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C,
            0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C,
            0x7C, 0x02, 0x01, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0x7C, 0xFF, 0xFF, 0x58, 0x64, 0x61,
            0x74, 0x61, 0x51, 0xE4, 0x64, 0x8D, 0x58, 0x00, 0x00, 0x00, 0x00, 0x58, 0x58, 0x00, 0xC7, 0x84,
            0x89, 0x03, 0x01, 0x90, 0xFF, 0x00, 0xC0, 0xD1, 0x64, 0x61, 0x74, 0x61, 0x61,
        ];
        let block = [
            0x0C, 0x05, 0x00, 0x3B, 0x58, 0x58, 0x29, 0x35, 0x58, 0x59, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58,
            0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0xC7, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x04,
            0x01, 0x5E, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58,
            0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x05, 0x00,
            0x58, 0x58, 0x58, 0xFF, 0x00, 0x8C, 0x05, 0x00, 0x7A, 0x58, 0x58, 0x29, 0x58, 0xFF, 0x58, 0x58,
            0x58, 0x58, 0x00, 0x8C,
        ];
        let alone = std::thread::spawn(move || inflate(&block, 256)).join().unwrap();
        let _ = inflate(&before, 59);
        assert_eq!(inflate(&block, 256), alone);
    }
}
