//! Any bytes as a saved instrument, beside a file of audio that it may name.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use fixtures::soundfont::wave;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let files = [("K/a.toml", bytes.to_vec()), ("K/a.wav", wave(64))];
    let files: Arc<dyn Files> = Arc::new(files.into_iter().collect::<MemoryFiles>());
    let budget = importer::Budget { structures: 4 << 20, decoded: 16 << 20, ..importer::Budget::default() };
    let options = OpenOptions { budget, ..OpenOptions::default() };
    if let Ok(opened) = OpenedFile::open(&files, Path::new("K/a.toml"), &options)
        && let Ok(instrument) = opened.sounds(&options)
    {
        drop(instrument.import());
    }
});
