//! Any bytes as an SFZ file, beside a file that it may include and a sample.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use fixtures::soundfont::wave;
use importer::SoundFile;
use importer::open::{Files, MemoryFiles};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let part = b"<group> key=60 $A <region> sample=a.wav".to_vec();
    let files = [("B/a.sfz", bytes.to_vec()), ("B/part.sfz", part), ("B/a.wav", wave(64))];
    let files: Arc<dyn Files> = Arc::new(files.into_iter().collect::<MemoryFiles>());
    let budget = importer::Budget { structures: 4 << 20, decoded: 16 << 20, ..importer::Budget::default() };
    if let Ok(bank) = SoundFile::open_sfz(&files, Path::new("B/a.sfz"), "a", budget) {
        drop(bank.import());
    }
});
