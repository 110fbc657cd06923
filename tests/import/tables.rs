//! Summary and tables: what they say, in which forms, and at which price.

use std::sync::atomic::{AtomicU64, Ordering};

use fixtures::package::{PackageWriter, Part, large};
use unreal::ue1to3::class::sound;
use unreal::{FileSource, Limits, Memory, Object, Package, Source};

use super::{full, only, open, refusal, sounds};

#[test]
fn the_summary_says_what_the_package_says() {
    let mut writer = full(69);
    writer.flags = 0x0000_2001;
    writer.generations = vec![[3, 10], [4, 11]];
    let package = open(&writer.finish()).unwrap();
    let summary = package.summary();
    assert_eq!(summary.flags, 0x2001);
    assert_eq!(summary.guid.unwrap().to_string(), "00112233-4455-6677-8899-AABBCCDDEEFF");
    let generations: Vec<_> = summary.generations.iter().map(|g| (g.exports, g.names)).collect();
    assert_eq!(generations, [(3, 10), (4, 11), (7, summary.names.count)]);
    assert_eq!(summary.heritage, []);
    assert_eq!(package.exports().len(), 7);
    assert_eq!(package.imports().len(), 5);
    assert_eq!(package.names().len(), summary.names.count as usize);
}

#[test]
fn the_last_of_the_heritage_is_the_packages_guid_up_to_version_67() {
    let mut writer = full(67);
    writer.guids = vec![[1, 2, 3, 4], [5, 6, 7, 8]];
    let package = open(&writer.finish()).unwrap();
    assert_eq!(package.summary().heritage.len(), 2);
    assert_eq!(package.summary().guid.unwrap().words(), [5, 6, 7, 8]);
    assert_eq!(package.summary().generations, []);
    writer.guids.clear();
    assert_eq!(open(&writer.finish()).unwrap().summary().guid, None);
}

#[test]
fn a_licensee_is_reported_and_changes_nothing() {
    let mut writer = full(69);
    writer.version |= 2 << 16;
    let bytes = writer.finish();
    assert_eq!(open(&bytes).unwrap().identity().licensee.to_string(), "2");
    assert_eq!(sounds(&bytes), sounds(&full(69).finish()));
}

#[test]
fn names_are_windows_1252() {
    for version in [63, 64] {
        let mut writer = PackageWriter::new(version);
        let number = writer.name_of_bytes(&[b'A', 0x80, 0xE9, 0xFF]);
        let package = open(&writer.finish()).unwrap();
        let name = package.names().get(usize::try_from(number).unwrap()).unwrap();
        assert_eq!(name.text, "A€éÿ", "version {version}");
        assert_eq!(name.flags, 0x0407_0010);
    }
}

#[test]
fn an_empty_name_is_only_its_flags() {
    for version in [63, 64] {
        let mut writer = PackageWriter::new(version);
        writer.name("");
        writer.name("Next");
        let package = open(&writer.finish()).unwrap();
        let names: Vec<_> = package.names().iter().map(|name| name.text).collect();
        assert_eq!(names, ["None", "", "Next"], "version {version}");
    }
}

#[test]
fn a_negative_length_makes_a_name_utf_16_from_version_64_on() {
    let mut writer = PackageWriter::new(64);
    writer.name("소리 🎵");
    writer.name("Next");
    let package = open(&writer.finish()).unwrap();
    let names: Vec<_> = package.names().iter().map(|name| name.text).collect();
    assert_eq!(names, ["None", "소리 🎵", "Next"]);
}

#[test]
fn a_name_has_up_to_255_characters() {
    for (version, character) in [(63, "é"), (64, "é"), (64, "리")] {
        for (length, fits) in [(255, true), (256, false)] {
            let mut writer = PackageWriter::new(version);
            writer.sound(&character.repeat(length), None, "WAV", b"1");
            let bytes = writer.finish();
            let read = open(&bytes).map_err(|error| error.to_string());
            assert_eq!(read.is_ok(), fits, "{length} characters in version {version}: {read:?}");
            match read {
                Ok(package) => {
                    assert!(only(&bytes).is_ok());
                    let index = package.export_indices().last().unwrap();
                    assert_eq!(package.path_of(index).name, character.repeat(length));
                }
                Err(error) => assert!(error.ends_with("is longer than 255 characters"), "{error}"),
            }
        }
    }
}

#[test]
fn a_name_without_its_final_zero_is_refused() {
    let mut writer = PackageWriter::new(69);
    writer.name("Kick");
    let bytes = writer.written().with("name 1.text", b"Kick!").bytes;
    assert_eq!(refusal(&bytes), "name 1: name table at 0x4b: does not end with a zero");
}

#[test]
fn tables_may_stand_in_any_order_with_anything_between_them() {
    let mut parts = [Part::Names, Part::Bodies, Part::Imports, Part::Exports, Part::Heritage];
    for version in [61, 69] {
        let expected: Vec<_> = sounds(&full(version).finish()).into_iter().map(|(path, _)| path).collect();
        for turn in 0..5 {
            parts.rotate_left(1);
            for swap in 1..5 {
                let mut order = parts;
                order.swap(turn, swap);
                let mut writer = full(version);
                writer.order = order.into_iter().flat_map(|part| [Part::Gap(7), part]).collect();
                let found = sounds(&writer.finish());
                assert!(found.iter().all(|(_, sound)| sound.is_ok()), "version {version}, {order:?}");
                let paths: Vec<_> = found.into_iter().map(|(path, _)| path).collect();
                assert_eq!(paths, expected, "version {version}, {order:?}");
            }
        }
    }
}

#[test]
fn entries_as_short_as_they_can_be_may_fill_the_file() {
    let mut writer = PackageWriter::new(69);
    writer.order = vec![Part::Names];
    writer.generations = vec![[1, 1]; 100];
    for _ in 0..100 {
        writer.name_of_bytes(b"");
    }
    let package = open(&writer.finish()).unwrap();
    assert_eq!((package.summary().generations.len(), package.names().len()), (101, 101));

    writer = PackageWriter::new(69);
    writer.generations = vec![[1, 1]; 100];
    assert!(open(&writer.finish()).is_ok());
}

#[test]
fn the_place_of_a_body_is_there_only_if_its_size_is_not_0() {
    let mut writer = PackageWriter::new(69);
    writer.null_export();
    writer.sound("Kick", None, "WAV", b"12");
    let bytes = writer.finish();
    let package = open(&bytes).unwrap();
    assert_eq!(package.exports()[0].body, None);
    assert_eq!(package.exports()[1].body.unwrap().size, 9);
    assert!(only(&bytes).is_ok());
}

#[test]
fn a_file_reads_like_memory() {
    let bytes = full(69).finish();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Bank.uax");
    std::fs::write(&path, &bytes).unwrap();
    let file = FileSource::open(&path).unwrap();
    assert_eq!(Package::open(&file, &mut Limits::default()).unwrap(), open(&bytes).unwrap());
    let payload = sounds(&bytes)[0].1.as_ref().unwrap().payload;
    assert_eq!(payload.read(&file, 100).unwrap(), payload.read(&Memory(&bytes), 100).unwrap());
}

/// Remembers how many bytes were asked for.
struct Counting<'b>(&'b [u8], AtomicU64);

impl Source for Counting<'_> {
    fn len(&self) -> u64 {
        Memory(self.0).len()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
        self.1.fetch_add(into.len() as u64, Ordering::Relaxed);
        Memory(self.0).read_at(at, into)
    }
}

#[test]
fn listing_a_package_leaves_its_payloads_alone() {
    let bytes = large(1000, 20_000_000);
    let source = Counting(&bytes, AtomicU64::new(0));
    let mut limits = Limits::default();
    let package = Package::open(&source, &mut limits).unwrap();
    let for_tables = source.1.load(Ordering::Relaxed);
    assert!(for_tables < 200_000, "{for_tables} bytes read for the tables of 1000 exports");
    let found = package.export_indices().filter(|&index| sound::kind_of(&package, index).is_some());
    let found: Vec<_> = found
        .map(|index| {
            sound::read(&mut Object {
                package: &package,
                source: &source,
                export: index,
                limits: &mut limits,
            })
            .unwrap()
        })
        .collect();
    assert_eq!(found.len(), 990);
    let for_sounds = source.1.load(Ordering::Relaxed) - for_tables;
    assert!(for_sounds <= 990 * 256, "{for_sounds} bytes read to look at 990 sounds");
}

/// Returns what opening a package takes of the limit.
fn cost(bytes: &[u8]) -> u64 {
    let mut limits = Limits::with_structures(1_000_000);
    Package::open(&Memory(bytes), &mut limits).unwrap();
    1_000_000 - limits.structures_left()
}

#[test]
fn structures_beyond_the_limit_are_refused() {
    let bytes = full(69).finish();
    let needed = cost(&bytes);
    assert!(Package::open(&Memory(&bytes), &mut Limits::with_structures(needed)).is_ok());
    let refused = Package::open(&Memory(&bytes), &mut Limits::with_structures(needed - 1)).unwrap_err();
    assert!(refused.to_string().contains("the limit leaves"), "{refused}");
}

#[test]
fn the_text_of_names_is_paid_from_the_limit() {
    for version in [63, 64] {
        let [short, long] = [100, 200].map(|length| {
            let mut writer = PackageWriter::new(version);
            writer.name(&"N".repeat(length));
            cost(&writer.finish())
        });
        assert!(long >= short + 100, "version {version}: {short}, {long}");
    }
}
