//! Every byte of summary and tables is read, and read as one field only.
//!
//! Shown from outside: each bit of each byte is turned, one at a time. Then the package is refused, or the field
//! that the byte was written as, and no other, has another value. A byte that nobody reads would change nothing,
//! one that is read twice would change two fields.

use std::collections::BTreeMap;

use fixtures::bytes::{Field, Written};
use fixtures::package::{PackageWriter, Wave};
use unreal::{Limits, Memory, NameRef, Package};

/// Versions with all forms that tables have.
const VERSIONS: [u16; 12] = [42, 50, 63, 69, 128, 178, 220, 277, 343, 512, 623, 868];

fn package(version: u16) -> Written {
    let mut writer = PackageWriter::new(version);
    writer.guids = vec![[1, 2, 3, 4], [5, 6, 7, 8]];
    writer.generations = vec![[1, 2]];
    let drums = writer.group("Drums", None);
    if version < 178 {
        writer.sound("Kick", Some(drums), "WAV", b"12345");
        writer.music("Song", "s3m", b"123");
    } else {
        writer.wave(&Wave { group: Some(drums), number: 7, ..Wave::new("Kick", b"12345", b"") });
        writer.wave(&Wave::new("Song", b"123", b""));
    }
    writer.name("é");
    if version >= 64 {
        writer.name("소리");
        writer.name("");
    }
    // So many that some indexes take two bytes.
    for index in 0..70 {
        writer.name(&format!("N{index}"));
    }
    writer.null_export();
    writer.group("Last", Some(drums));
    writer.written()
}

/// Returns what was read, under the names that the writer gave the fields.
fn read(bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let package = Package::open(&Memory(bytes), &mut Limits::default()).ok()?;
    let summary = package.summary();
    let identity = package.identity();
    let mut fields = BTreeMap::new();
    let mut put = |name: String, value: String| assert!(fields.insert(name, value).is_none());
    put("version".into(), identity.to_string());
    put("tag".into(), format!("{:?} {:?}", identity.tag, identity.order));
    put("flags".into(), summary.flags.to_string());
    for (name, table) in
        [("names", summary.names), ("exports", summary.exports), ("imports", summary.imports)]
    {
        put(format!("{name}.count"), table.count.to_string());
        put(format!("{name}.at"), table.at.to_string());
    }
    if summary.heritage.is_empty() {
        put("guid".into(), format!("{:?}", summary.guid));
    }
    for (index, guid) in summary.heritage.iter().enumerate() {
        put(format!("heritage {index}"), guid.to_string());
    }
    for (index, generation) in summary.generations.iter().enumerate() {
        put(format!("generation {index}.exports"), generation.exports.to_string());
        put(format!("generation {index}.names"), generation.names.to_string());
        if let Some(objects) = generation.net_objects {
            put(format!("generation {index}.net_objects"), objects.to_string());
        }
    }
    for (name, value) in [
        ("header_size", summary.header_size),
        ("depends", summary.depends_at),
        ("thumbnails", summary.thumbnails_at),
        ("engine_version", summary.engine_version),
        ("cooker_version", summary.cooker_version),
        ("package_source", summary.package_source),
        ("compression", Some(summary.compression)),
    ] {
        if let Some(value) = value {
            put(name.into(), value.to_string());
        }
    }
    put("folder".into(), summary.folder.clone());
    for (part, value) in
        ["at", "imports", "exports"].into_iter().zip(summary.guid_tables.into_iter().flatten())
    {
        put(format!("guids.{part}"), value.to_string());
    }
    for (index, name) in package.names().iter().enumerate() {
        put(format!("name {index}.text"), name.text.to_owned());
        put(format!("name {index}.flags"), name.flags.to_string());
    }
    for (index, import) in package.imports().iter().enumerate() {
        put(format!("import {index}.class_package"), text(import.class_package));
        put(format!("import {index}.class_name"), text(import.class_name));
        match import.outer_name {
            Some(name) => put(format!("import {index}.outer_name"), text(name)),
            None => put(format!("import {index}.outer"), import.outer.number().to_string()),
        }
        put(format!("import {index}.name"), text(import.name));
    }
    for (index, export) in package.exports().iter().enumerate() {
        put(format!("export {index}.class"), export.class.number().to_string());
        put(format!("export {index}.super"), export.super_object.number().to_string());
        put(format!("export {index}.outer"), export.outer.number().to_string());
        put(format!("export {index}.name"), text(export.name));
        put(format!("export {index}.flags"), export.flags.bits.to_string());
        put(format!("export {index}.size"), export.body.map_or(0, |body| body.size).to_string());
        put(format!("export {index}.archetype"), export.archetype.number().to_string());
        put(format!("export {index}.export_flags"), export.export_flags.to_string());
        put(format!("export {index}.package_flags"), export.package_flags.to_string());
        if let Some(body) = export.body {
            put(format!("export {index}.at"), body.at.to_string());
        }
    }
    Some(fields)
}

/// Returns the index and number of a name.
fn text(name: NameRef) -> String {
    format!("{}#{}", name.index.number(), name.number)
}

/// Returns what is passed over by its length: nothing here needs it.
fn is_passed_over(field: &Field) -> bool {
    let name = field.name.as_str();
    let of_export = name.starts_with("export ");
    let in_export = ["component", "component_object", "0", "1", "guid"].contains(&part(field));
    // What follows the chunks in the summary; and the place of a body that has no bytes.
    let at_end = name.starts_with("additional") || name.starts_with("textures");
    at_end || (of_export && in_export)
}

/// Returns how many entries of something follow that is not itself reported.
fn is_count(field: &Field) -> bool {
    let of_export = field.name.starts_with("export ") && ["components", "net_objects"].contains(&part(field));
    of_export || ["generations.count", "chunks.count"].contains(&field.name.as_str())
}

fn is_in_a_table(field: &Field) -> bool {
    !field.name.starts_with("body ")
}

/// Returns the last part of a field's name.
fn part(field: &Field) -> &str {
    field.name.rsplit(['.', ' ']).next().unwrap_or_default()
}

fn is_compact(version: u16, field: &Field) -> bool {
    if version >= 178 {
        return false;
    }
    let of_entry = ["name ", "import ", "export "].iter().any(|entry| field.name.starts_with(entry));
    of_entry && !matches!(part(field), "text" | "flags" | "outer")
}

/// Returns whether turning a bit moves or reinterprets what follows, so that more than its own field may change.
fn moves_others(version: u16, field: &Field, bytes: &[u8], byte: usize, bit: u8) -> bool {
    let continues = if byte == 0 { 6 } else { 7 };
    let ends_text = part(field) == "text" && byte + 1 == field.width;
    // The place of a body is there only if its size is not 0.
    let size = &bytes[field.range()];
    let is_one_bit = size[byte] == 1 << bit && size.iter().filter(|byte| **byte != 0).count() == 1;
    let comes_or_goes = part(field) == "size" && (size.iter().all(|byte| *byte == 0) || is_one_bit);
    let places_table = matches!(field.name.as_str(), "version" | "heritage.count" | "heritage.at")
        || ["names.", "exports.", "imports.", "generations."]
            .iter()
            .any(|table| field.name.starts_with(table));
    places_table
        || ends_text
        || part(field) == "length"
        || comes_or_goes
        || (is_compact(version, field) && bit == continues)
}

/// Returns whether a bit has no meaning: the sign of a zero, and the offset of nothing.
fn says_nothing(version: u16, field: &Field, bytes: &[u8], byte: usize, bit: u8) -> bool {
    let place_of_nothing = part(field) == "at" && field.name.starts_with("export ") && {
        let size = field.at - 4..field.at;
        version >= 249 && bytes[size].iter().all(|byte| *byte == 0)
    };
    let sign_of_zero = is_compact(version, field) && byte == 0 && bit == 7 && bytes[field.at] == 0;
    is_passed_over(field) || place_of_nothing || sign_of_zero
}

#[test]
fn the_fields_that_were_written_are_all_of_the_file() {
    for version in VERSIONS {
        let written = package(version);
        let mut at = 0;
        for field in written.fields() {
            assert_eq!(field.at, at, "{} of version {version}", field.name);
            at += field.width;
        }
        assert_eq!(at, written.bytes.len());
    }
}

#[test]
fn every_field_that_was_written_is_read_under_its_name() {
    for version in VERSIONS {
        let written = package(version);
        let read = read(&written.bytes).unwrap();
        for field in written.fields().iter().filter(|field| is_in_a_table(field)) {
            let nothing = part(field) == "at" && version >= 249;
            let derived = is_count(field) || part(field) == "length" || is_passed_over(field) || nothing;
            let table = field.name.starts_with("heritage.");
            assert!(
                read.contains_key(&field.name) || derived || table,
                "{} of version {version}",
                field.name
            );
        }
    }
}

#[test]
fn every_bit_of_the_tables_is_part_of_one_field() {
    for version in VERSIONS {
        let written = package(version);
        let before = read(&written.bytes).unwrap();
        let mut bytes = written.bytes.clone();
        let mut kept = 0;
        for field in written.fields().iter().filter(|field| is_in_a_table(field)) {
            for (byte, at) in field.range().enumerate() {
                for bit in 0..8 {
                    bytes[at] ^= 1 << bit;
                    let after = read(&bytes);
                    bytes[at] ^= 1 << bit;
                    let changed_bit = format!("version {version}, {} byte {byte} bit {bit}", field.name);
                    let Some(after) = after else { continue };
                    // Nothing that is reported follows the counts of the last export.
                    if is_count(field) {
                        continue;
                    }
                    if says_nothing(version, field, &bytes, byte, bit) {
                        assert_eq!(after, before, "{changed_bit}");
                    } else if moves_others(version, field, &bytes, byte, bit) {
                        assert_ne!(after, before, "{changed_bit}");
                    } else {
                        assert_eq!(changed(&before, &after), [field.name.as_str()], "{changed_bit}");
                        kept += 1;
                    }
                }
            }
        }
        assert!(kept > 5000, "only {kept} bits of version {version} could be distinguished");
    }
}

/// Returns the fields that differ.
fn changed<'f>(before: &'f BTreeMap<String, String>, after: &'f BTreeMap<String, String>) -> Vec<&'f str> {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names.into_iter().filter(|&name| before.get(name) != after.get(name)).map(String::as_str).collect()
}
