//! Any bytes as a bank of FMOD, down to the frames of its sounds.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use importer::Budget;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    if let Some(head) = file.get_mut(..12)
        && !head.starts_with(b"FSB5")
    {
        head[..4].copy_from_slice(b"RIFF");
        head[8..].copy_from_slice(b"FEV ");
    }
    let files: Arc<dyn Files> = Arc::new(MemoryFiles::from_iter([("banks/Fuzz.bank", file)]));
    let budget = Budget { structures: 4 << 20, decoded: 16 << 20, ..Budget::default() };
    let options = OpenOptions { budget, ..OpenOptions::default() };
    if let Ok(opened) = OpenedFile::open(&files, Path::new("banks"), &options)
        && let Ok(banks) = opened.sounds(&options)
    {
        drop(banks.import());
    }
});
