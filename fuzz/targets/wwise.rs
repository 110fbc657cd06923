//! Any bytes as a bank of Wwise, down to the frames of its sounds.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use importer::Budget;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    if let Some(tag) = file.get_mut(..4) {
        tag.copy_from_slice(b"BKHD");
    }
    let files: Arc<dyn Files> = Arc::new(MemoryFiles::from_iter([("banks/Fuzz.bnk", file)]));
    let budget = Budget { structures: 4 << 20, decoded: 16 << 20, ..Budget::default() };
    let options = OpenOptions { budget, ..OpenOptions::default() };
    if let Ok(opened) = OpenedFile::open(&files, Path::new("banks"), &options)
        && let Ok(banks) = opened.sounds(&options)
    {
        drop(banks.import());
    }
});
