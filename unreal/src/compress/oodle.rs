//! The methods of Oodle: Kraken, Mermaid, Selkie, Leviathan. The only door to the library that knows them.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use oozextract::Extractor;

use crate::error::Malformed;

const BROKEN: Malformed = Malformed::Compressed("is not an Oodle block");

thread_local! {
    // Made once for each thread: making one takes a fifth of the time of a block.
    static EXTRACTOR: RefCell<Extractor> = RefCell::new(Extractor::new());
}

/// What an Oodle block becomes, of exactly `size` bytes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = vec![0; size];
    EXTRACTOR.with_borrow_mut(|extractor| {
        let read = catch_unwind(AssertUnwindSafe(|| extractor.read_from_slice(stored, &mut bytes)));
        match read {
            Ok(Ok(made)) => {
                bytes.truncate(made);
                Ok(())
            }
            Ok(Err(_)) => Err(BROKEN),
            Err(_) => {
                // Nobody knows what it was left with.
                *extractor = Extractor::new();
                Err(BROKEN)
            }
        }
    })?;
    Ok(bytes)
}
