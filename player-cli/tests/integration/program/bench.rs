//! A package to try the program on.

use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use tempfile::TempDir;

/// Returns a package with a looped stereo sound in two groups, an 8-bit one, an empty one and a module.
pub(crate) fn write_package(folder: &Path, name: &str) -> String {
    let mut package = PackageWriter::new(69);
    let outer = package.group("Weapons", None);
    let inner = package.group("Flak", Some(outer));
    let stereo =
        Wave::new(22_050, 2, Values::I16(vec![100, -100, 200, -200, 300, -300, 400, -400])).looped(1, 3);
    package.sound("Fire", Some(inner), "WAV", &stereo.finish());
    package.sound("Click", None, "WAV", &Wave::new(8000, 1, Values::U8(vec![128, 255, 0, 128])).finish());
    package.sound("Stripped", None, "WAV", &[]);
    package.music("Song", "it", b"IMPM but not more");
    let path = folder.join(name);
    fs::write(&path, package.finish()).unwrap();
    path.to_str().unwrap().to_owned()
}

/// That package in a folder of its own.
pub(crate) struct Bench {
    pub(crate) folder: TempDir,
    pub(crate) file: String,
}

pub(crate) fn bench() -> Bench {
    let folder = TempDir::new().unwrap();
    let file = write_package(folder.path(), "Test.uax");
    Bench { folder, file }
}

impl Bench {
    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }
}
