//! A game of containers to try the program on.

use std::fs;

use fixtures::pak::{PakEntry, PakWriter};
use tempfile::TempDir;

pub(crate) const KEY: [u8; 32] = [0x42; 32];

pub(crate) fn entries(texts: &[(&str, &str)]) -> Vec<PakEntry> {
    texts.iter().map(|(path, text)| PakEntry::new(path, text.as_bytes())).collect()
}

/// A game with a patch and a container that is encrypted.
pub(crate) fn game() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, pak: &PakWriter| fs::write(folder.path().join(name), pak.finish()).unwrap();
    let base = entries(&[("Game/A.ini", "first"), ("Game/B.ini", "second")]);
    write("Base.pak", &PakWriter { entries: base, ..PakWriter::new(11) });
    let patch = entries(&[("Game/b.ini", "third")]);
    write("Base_0_P.pak", &PakWriter { entries: patch, ..PakWriter::new(8) });
    let mut hidden = entries(&[("Game/C.ini", "fourth")]);
    hidden[0].is_hidden = true;
    let hidden = PakWriter { entries: hidden, key: Some(KEY), hides_index: true, ..PakWriter::new(15) };
    write("Hidden.pak", &hidden);
    folder
}

pub(crate) fn key() -> String {
    "42".repeat(32)
}
