//! How much memory an import takes.

use std::fs;

use fixtures::allocator::{self, Counting};
use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile};
use song::Recording;
use unreal::FileSource;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Tables of the package, and the block of stored bytes that is being decoded.
const SLACK: usize = 1 << 20;

// One test, for the peak is one for the whole process.
#[test]
fn a_package_on_disk_is_imported_in_little_more_memory_than_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Large.uax");
    let mut package = PackageWriter::new(69);
    let long = Wave::new(44_100, 2, Values::I16(vec![1234; 25 << 20])).finish();
    package.sound("Long", None, "WAV", &long);
    let shorter = Wave::new(44_100, 2, Values::I16(vec![1234; 5 << 20])).finish();
    for index in 0..5 {
        package.sound(&format!("Shorter{index}"), None, "WAV", &shorter);
    }
    fs::write(&file, package.finish()).unwrap();
    drop((package, long, shorter));
    let source = FileSource::open(&file).unwrap();
    allocator::reset_peak();
    let before = allocator::held();
    let imported = SoundFile::open(source, "Large", Budget::default()).unwrap().import().unwrap();
    let took = allocator::peak() - before;
    let decoded: usize = imported.songs[0]
        .samples()
        .iter()
        .map(|sample| {
            let width = if matches!(sample.recording(), Recording::I16(_)) { 2 } else { 4 };
            sample.length().index() * sample.recording().channels() * width
        })
        .sum();
    assert_eq!(decoded, 100 << 20);
    assert!(took >= decoded, "what is measured here is seen: {took}");
    assert!(took <= decoded / 5 * 6 + SLACK, "{took} bytes held for {decoded} decoded");
}
