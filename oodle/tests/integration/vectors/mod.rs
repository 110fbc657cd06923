//! Streams of other encoders, outside of the repository.
//!
//! Not by the package `fixtures`: its encoders would be built for a crate that depends on nothing.

use std::io::Write as _;
use std::path::Path;

/// A stream and what it must become.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) stored: Vec<u8>,
    pub(crate) method: String,
    pub(crate) size: usize,
    /// SHA-1 of the plain bytes; none if it must be refused.
    pub(crate) sha1: Option<String>,
}

/// Returns the vectors in the folder that `CORPUS` names; none if it is unset, which is said.
///
/// # Panics
/// If it is set and they are not there.
pub(crate) fn vectors() -> Vec<Vector> {
    let Some(corpus) = std::env::var_os("CORPUS") else {
        // Not by a print macro: the test runner swallows those of tests that pass.
        let note = b"oodle: skipped, the environment variable CORPUS is not set\n";
        std::io::stderr().write_all(note).expect("stderr can be written");
        return Vec::new();
    };
    let folder = Path::new(&corpus).join("oodle");
    let table = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("CORPUS has oodle/MANIFEST.tsv");
    let vectors: Vec<Vector> = table.lines().skip(1).map(|row| vector(&folder, row)).collect();
    assert!(!vectors.is_empty(), "the table has rows");
    vectors
}

fn vector(folder: &Path, row: &str) -> Vector {
    let cells: Vec<&str> = row.split('\t').collect();
    Vector {
        name: cells[0].to_owned(),
        stored: std::fs::read(folder.join(cells[0])).expect("the vector is there"),
        method: cells[1].to_owned(),
        size: cells[2].parse().expect("a size"),
        sha1: (cells[3] != "refuse").then(|| cells[3].to_owned()),
    }
}
