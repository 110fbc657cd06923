//! Generations, heritage, and the lists and tables of a header, as `info --json -v` shows them.

use std::path::{Path, PathBuf};

use fixtures::bytes::Written;
use fixtures::compressed::{Method, chunk};
use fixtures::corpus::corpus;
use fixtures::package::{PackageWriter, Wave};
use importer::{Budget, SoundFile};
use modkit::report::sound_file::SoundPackageRow;
use serde_json::{Value, json};
use unreal::{FileSource, Limits, Memory, Package, PackageOptions, unpack};

fn row_with(bytes: &[u8], detailed: bool) -> Value {
    let sounds = SoundFile::open(Memory(bytes.to_vec()), "Test", Budget::default()).unwrap();
    let package = sounds.package().unwrap();
    serde_json::to_value(SoundPackageRow::new("Test.upk", 1, &sounds, package, detailed)).unwrap()
}

fn row(bytes: &[u8]) -> Value {
    row_with(bytes, true)
}

/// Returns the only error of a header.
fn error(bytes: &[u8]) -> String {
    let row = row(bytes);
    let errors = row["header_errors"].as_array().unwrap_or_else(|| panic!("no errors in {row}"));
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].as_str().unwrap().to_owned()
}

fn has(written: &Written, field: &str) -> bool {
    written.fields().iter().any(|known| known.name == field)
}

/// Returns a package of one export, with tables after it: dependencies, GUIDs of one import and two exports, and two
/// thumbnails; and the offset of the first.
fn with_tables(version: u16) -> (Written, u32) {
    let mut package = PackageWriter::new(version);
    package.group("Drums", None);
    let mut written = package.written();
    let at = u32::try_from(written.bytes.len()).unwrap();
    written.bytes.extend([0; 4]);
    written.bytes.extend([0; 12 + 2 * 20]);
    written.bytes.extend(2_u32.to_le_bytes());
    written.bytes.extend([0; 2 * 12]);
    for (field, value) in [
        ("depends", at),
        ("guids.at", at + 4),
        ("guids.imports", 1),
        ("guids.exports", 2),
        ("thumbnails", at + 4 + 52),
    ] {
        if has(&written, field) {
            written = written.with_u32(field, value);
        }
    }
    (written, at)
}

#[test]
fn details_of_a_header_are_only_shown_on_request() {
    let bytes = with_tables(868).0.bytes;
    let (brief, detailed) = (row_with(&bytes, false), row(&bytes));
    for (key, value) in brief.as_object().unwrap() {
        assert_eq!(&detailed[key], value, "{key}");
    }
    for key in ["generation_list", "heritage_list", "none_names", "dependencies", "header_errors"] {
        assert_eq!(brief.get(key), None, "{key}");
    }
}

#[test]
fn a_field_of_the_header_is_shown_from_its_version_on() {
    let at = |version| with_tables(version).1;
    for (version, key, value) in [
        (245, "engine_version", json!(8788)),
        (249, "header_size", json!(0x1234)),
        (277, "cooker_version", json!(111)),
        (415, "dependencies", json!({"offset": at(415), "count": 1})),
        (482, "package_source", json!(0x5678)),
        (516, "additional_packages", json!(["A"])),
        (584, "thumbnails", json!({"offset": at(584) + 56, "count": 2})),
        (623, "guid_tables", json!({"offset": at(623) + 4, "imports": 1, "exports": 2})),
        (767, "texture_allocations", json!([])),
    ] {
        let before = row(&with_tables(version - 1).0.bytes);
        assert_eq!((before.get(key), before.get("header_errors")), (None, None), "before {version}");
        let from = row(&with_tables(version).0.bytes);
        assert_eq!((&from[key], from.get("header_errors")), (&value, None), "from {version} on");
    }
}

#[test]
fn generations_state_net_objects_from_version_322_on() {
    for (version, net_objects) in [(68, Value::Null), (321, Value::Null), (322, json!(3))] {
        let mut package = PackageWriter::new(version);
        package.group("Drums", None);
        package.generations = vec![[0, 1]];
        let row = row(&package.finish());
        let expected = json!([
            {"exports": 0, "names": 1, "net_objects": net_objects},
            {"exports": 1, "names": row["names"], "net_objects": net_objects},
        ]);
        assert_eq!((&row["generation_list"], &row["generations"]), (&expected, &json!(2)), "{version}");
        assert_eq!(row["heritage_list"], json!([]));
    }
}

#[test]
fn a_heritage_is_listed_up_to_version_67() {
    for (version, expected) in [
        (67, json!(["00000001-0000-0002-0000-0003FFFFFFFF", "00000005-0000-0006-0000-000700000008"])),
        (68, json!([])),
    ] {
        let mut package = PackageWriter::new(version);
        package.guids = vec![[1, 2, 3, u32::MAX], [5, 6, 7, 8]];
        let row = row(&package.finish());
        assert_eq!(row["heritage_list"], expected, "version {version}");
        assert_eq!(row["heritage"], expected.as_array().unwrap().len());
        assert_eq!(row["generation_list"].as_array().unwrap().len(), usize::from(version == 68));
    }
}

#[test]
fn a_heritage_outside_of_the_file_is_refused_with_its_offset() {
    let written = PackageWriter::new(67).written();
    let open = |bytes: &[u8]| Package::open(&Memory(bytes), &mut Limits::default());
    let bytes = written.clone().with_u32("heritage.count", u32::MAX).bytes;
    let at = bytes.len() - 16;
    let expected = format!("heritage table at {at:#x}: claims 4294967295 entries, 1 would fit");
    assert_eq!(open(&bytes).unwrap_err().to_string(), expected);
    let bytes = written.with_u32("heritage.at", 0x7FFF_FFFF).bytes;
    let expected = "heritage table at 0x7fffffff: claims 1 entries, 0 would fit";
    assert_eq!(open(&bytes).unwrap_err().to_string(), expected);
}

#[test]
fn names_of_later_generations_begin_where_none_is_repeated() {
    for version in [63, 64, 868] {
        let mut package = PackageWriter::new(version);
        package.name("Kick");
        package.name_of_bytes(b"none");
        package.name_of_bytes(b"Nonesuch");
        package.name_of_bytes(b"None");
        assert_eq!(row(&package.finish())["none_names"], json!([0, 2, 4]), "version {version}");
    }
}

#[test]
fn texture_allocations_state_how_many_exports_they_are_for() {
    let mut package = PackageWriter::new(767);
    package.textures = vec![[512, 256, 10, 5, 0x80, 3], [64, 64, 7, 7, 0, 0]];
    let expected = json!([
        {"width": 512, "height": 256, "mips": 10, "format": 5, "flags": 128, "exports": 3},
        {"width": 64, "height": 64, "mips": 7, "format": 7, "flags": 0, "exports": 0},
    ]);
    for big_endian in [false, true] {
        package.big_endian = big_endian;
        assert_eq!(row(&package.finish())["texture_allocations"], expected);
    }
}

#[test]
fn a_count_that_the_file_cannot_hold_is_refused_with_offset_and_name() {
    let mut package = PackageWriter::new(868);
    package.textures = vec![[512, 512, 10, 5, 0, 1]];
    package.order.clear();
    let whole = package.written().with_u32("names.count", 0).with_u32("thumbnails", 0);
    let end = whole.bytes.len();
    for (field, what, size, context) in [
        ("additional.count", "additional packages", 4, ""),
        ("textures.count", "texture allocations", 24, ""),
        ("texture 0.exports", "texture allocations", 4, "texture allocation 0: "),
    ] {
        let at = whole.field(field).at;
        let fit = (end - at - 4) / size;
        for count in [u32::MAX, u32::try_from(fit).unwrap() + 1] {
            let bytes = whole.clone().with_u32(field, count).bytes;
            let expected = format!("{context}{what} at {at:#x}: claims {count} entries, {fit} would fit");
            assert_eq!(error(&bytes), expected);
        }
    }
    let long = whole.clone().with("additional", 0x7FFF_FFFF_u32.to_le_bytes()).bytes;
    let at = whole.field("additional").at;
    let expected =
        format!("additional package 0: additional packages at {at:#x}: is longer than 1024 characters");
    assert_eq!(error(&long), expected);
}

#[test]
fn a_table_that_the_file_cannot_hold_is_refused_with_offset_and_name() {
    let (whole, at) = with_tables(868);
    let end = u32::try_from(whole.bytes.len()).unwrap();
    let guids = at + 4;
    let fit = |size: u32| (end - guids) / size;
    for (field, value, expected) in [
        ("depends", end - 3, format!("dependencies at {:#x}: claims 1 entries, 0 would fit", end - 3)),
        ("depends", u32::MAX, "dependencies at 0xffffffff: claims 1 entries, 0 would fit".to_owned()),
        (
            "guids.imports",
            u32::MAX,
            format!("import GUIDs at {guids:#x}: claims 4294967295 entries, {} would fit", fit(12)),
        ),
        (
            "guids.exports",
            fit(20) + 1,
            format!("export GUIDs at {guids:#x}: claims {} entries, {} would fit", fit(20) + 1, fit(20)),
        ),
        ("thumbnails", end - 3, format!("thumbnails at {:#x}: ends early: 4 bytes wanted, 3 left", end - 3)),
    ] {
        let found = error(&whole.clone().with_u32(field, value).bytes);
        assert_eq!(found, expected, "{field}");
    }
    let mut many = whole.clone();
    let count = (guids + 52) as usize;
    many.bytes[count..count + 4].copy_from_slice(&3_u32.to_le_bytes());
    assert_eq!(error(&many.bytes), format!("thumbnails at {count:#x}: claims 3 entries, 2 would fit"));
    for (field, key) in [("depends", "dependencies"), ("thumbnails", "thumbnails")] {
        let row = row(&whole.clone().with_u32(field, 0).bytes);
        assert_eq!((&row[key], row.get("header_errors")), (&json!({"offset": 0, "count": 0}), None));
    }
}

#[test]
fn a_damaged_list_leaves_the_other_fields_of_the_header_alone() {
    let row = row(&with_tables(868).0.with_u32("textures.count", u32::MAX).bytes);
    assert_eq!(row["header_errors"].as_array().unwrap().len(), 1);
    assert_eq!((&row["thumbnails"]["count"], &row["generations"]), (&json!(2), &json!(1)));
    assert_eq!(row.get("additional_packages"), None);
}

/// Returns a package as the engine compresses it: its offsets do not count the list of chunks.
fn compressed(package: &PackageWriter) -> Vec<u8> {
    let plain = package.written();
    let names = plain.field("name 0.length").at;
    let flags = plain.field("compression").at;
    let stored = chunk(Method::Zlib, &plain.bytes[names..], 0x20000, false).bytes;
    let sizes = [names, plain.bytes.len() - names, names + 16, stored.len()];
    let words = [1, 1].into_iter().chain(sizes.map(|size| u32::try_from(size).unwrap()));
    let mut bytes = plain.bytes[..flags].to_vec();
    bytes.extend(words.flat_map(u32::to_le_bytes));
    bytes.extend(&plain.bytes[flags + 8..names]);
    bytes.extend(stored);
    bytes
}

#[test]
fn the_list_of_chunks_of_a_compressed_package_does_not_hide_the_rest_of_its_header() {
    let mut package = PackageWriter::new(868);
    package.wave(&Wave::new("Kick", b"12345", b""));
    package.textures = vec![[512, 256, 10, 5, 0x80, 3]];
    let row = row(&compressed(&package));
    assert_eq!(row["package_source"], 0x5678);
    assert_eq!(row["additional_packages"], json!(["A"]));
    assert_eq!(row["texture_allocations"][0]["width"], 512);
}

#[test]
fn headers_of_real_packages_agree_with_their_tables() {
    let Some(folder) = corpus("packages") else { return };
    let mut seen = 0;
    // Files that are refused by name.
    let is_package = |file: &PathBuf| !file.starts_with(folder.join("undetected"));
    for file in walk(&folder).into_iter().filter(is_package) {
        let source = FileSource::open(&file).unwrap();
        let mut limits = Limits::default();
        let source = unpack(&source, PackageOptions::default(), &mut limits).unwrap();
        let package = Package::open(&*source, &mut limits).unwrap();
        let (name, summary) = (file.display(), package.summary());
        let sizes = |g: &unreal::Generation| (g.exports, g.names);
        let now = (summary.exports.count, summary.names.count);
        assert_eq!(summary.generations.last().map(sizes), Some(now), "{name}");
        assert_ne!(package.none_names().count(), 0, "{name}");
        let lists = package.cooking_lists(&*source, &mut limits).unwrap();
        if summary.package_source.is_some() {
            // Names follow the header, whose list of chunks does not count.
            let chunks = u64::try_from(summary.chunks.len()).unwrap() * 16;
            assert_eq!(lists.end, u64::from(summary.names.at) + chunks, "{name}");
        }
        let header = summary.header_size.unwrap_or(u32::MAX);
        for table in [package.dependencies(&*source), package.thumbnails(&*source)] {
            let table = table.unwrap();
            assert!(
                table.is_none_or(|table| table.at < header && table.count < header / 4),
                "{name}: {table:?}"
            );
        }
        package.guid_tables(&*source).unwrap();
        seen += 1;
    }
    assert_ne!(seen, 0);
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<_> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    entries(folder).into_iter().filter(|path| path.is_dir()).flat_map(|path| entries(&path)).collect()
}
