//! Any bytes as a cue sheet of CRI, an archive, or a wave in one, down to the frames of its waves.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use importer::Budget;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use libfuzzer_sys::fuzz_target;

/// Returns an archive of a single wave.
fn archive(wave: &[u8]) -> Vec<u8> {
    const START: u8 = 32;
    let mut file = b"AFS2\x02\x04\x02\0\x01\0\0\0\x20\0\x01\0\0\0".to_vec();
    file.extend(u32::from(START).to_le_bytes());
    file.extend(u32::try_from(wave.len() + usize::from(START)).unwrap_or(u32::MAX).to_le_bytes());
    file.resize(START.into(), 0);
    file.extend(wave);
    file
}

fuzz_target!(|bytes: &[u8]| {
    let mut sheet = bytes.to_vec();
    let beside = archive(bytes);
    if let Some(head) = sheet.get_mut(..4)
        && head != b"AFS2"
    {
        head.copy_from_slice(b"@UTF");
    }
    let files: Arc<dyn Files> =
        Arc::new(MemoryFiles::from_iter([("banks/Fuzz.acb", sheet), ("banks/Fuzz.awb", beside)]));
    let budget = Budget { structures: 4 << 20, decoded: 16 << 20, ..Budget::default() };
    let mut options = OpenOptions { budget, ..OpenOptions::default() };
    options.banks.cri_key = Some(7);
    if let Ok(opened) = OpenedFile::open(&files, Path::new("banks"), &options)
        && let Ok(banks) = opened.sounds(&options)
    {
        drop(banks.import());
    }
});
