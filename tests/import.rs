//! Each fact about the format of packages, on both sides of its threshold.

mod bodies;
mod engine3;
mod games;
mod header;
mod objects;
mod packed;
mod tables;

use fixtures::bytes::Written;
use fixtures::package::{PackageWriter, Sound};
use fixtures::wave::{Values, Wave};
use proptest::prelude::*;
use unreal::ue1to3::class::sound::{self, SoundObject};
use unreal::{Error, Limits, Memory, Object, Package};

/// Both sides of every threshold of Unreal Engine 1 and 2, and both ends.
const VERSIONS: [u16; 25] =
    [35, 37, 39, 40, 44, 45, 53, 54, 56, 57, 58, 60, 61, 62, 63, 64, 67, 68, 76, 77, 99, 100, 119, 120, 177];

fn open(bytes: &[u8]) -> Result<Package, Error> {
    Package::open(&Memory(bytes), &mut Limits::default())
}

fn refusal(bytes: &[u8]) -> String {
    open(bytes).unwrap_err().to_string()
}

/// Returns the sounds of a package: path and what reading gives.
fn sounds(bytes: &[u8]) -> Vec<(String, Result<SoundObject, String>)> {
    let (package, source) = (open(bytes).unwrap(), Memory(bytes));
    let mut limits = Limits::default();
    let of_sounds = package.export_indices().filter(|&index| sound::kind_of(&package, index).is_some());
    of_sounds
        .map(|index| {
            let read = sound::read(&mut Object {
                package: &package,
                source: &source,
                export: index,
                limits: &mut limits,
            });
            (package.path_of(index).to_string(), read.map_err(|error| error.to_string()))
        })
        .collect()
}

/// Returns the only sound of a package.
fn only(bytes: &[u8]) -> Result<SoundObject, String> {
    let mut found = sounds(bytes);
    assert_eq!(found.len(), 1);
    found.remove(0).1
}

fn data(bytes: &[u8], sound: &SoundObject) -> Vec<u8> {
    sound.payload.read(&Memory(bytes), u64::MAX).unwrap()
}

/// Returns a package with one sound, some of it unusual.
fn with_sound(version: u16, sound: &Sound<'_>) -> Written {
    let mut package = PackageWriter::new(version);
    package.add(sound);
    package.written()
}

/// Returns a package with a bit of everything.
fn full(version: u16) -> PackageWriter {
    let wave = Wave::new(8000, 1, Values::U8(vec![128; 5])).finish();
    let mut package = PackageWriter::new(version);
    let drums = package.group("Drums", None);
    let low = package.group("Low", Some(drums));
    package.sound("Kick", Some(low), "WAV", &wave);
    package.null_export();
    package.sound("Snare", Some(drums), "wav", b"12345");
    package.sound("Empty", None, "WAV", b"");
    package.music("Song", "s3m", b"IMPM");
    package
}

#[test]
fn a_package_reads_alike_on_both_sides_of_every_threshold() {
    for version in VERSIONS {
        let bytes = full(version).finish();
        let package = open(&bytes).unwrap();
        assert_eq!(package.identity().version.to_string(), version.to_string());
        // Before, tables knew no groups.
        let outers = version >= 54;
        let found = sounds(&bytes);
        let seen: Vec<_> = found
            .iter()
            .map(|(path, sound)| {
                let sound = sound.as_ref().unwrap();
                (
                    path.as_str(),
                    sound.class.name(),
                    sound.file_type.as_str(),
                    data(&bytes, sound).len(),
                    sound.tail,
                )
            })
            .collect();
        let expected = [
            (if outers { "Drums.Low.Kick" } else { "Kick" }, "Sound", "WAV", 50, 0),
            (if outers { "Drums.Snare" } else { "Snare" }, "Sound", "wav", 5, 0),
            ("Empty", "Sound", "WAV", 0, 0),
            ("Song", "Music", "s3m", 4, 0),
        ];
        assert_eq!(seen, expected, "version {version}");
    }
}

#[test]
fn the_number_of_a_version_decides_how_a_file_is_read() {
    for (before, after) in [(61, 62), (63, 64), (67, 68)] {
        let expected = sounds(&full(before).finish());
        let renumbered = full(before).written().with_u32("version", after).bytes;
        let read = open(&renumbered).map(|_| sounds(&renumbered));
        assert_ne!(read.unwrap_or_default(), expected, "version {before} read as {after}");
    }
}

#[test]
fn versions_below_35_are_refused_by_number() {
    let refused = refusal(&PackageWriter::new(34).finish());
    assert_eq!(refused, "a package older than all that are known (version 34), which is not supported");
    for version in [35, 868, 1000] {
        assert!(open(&PackageWriter::new(version).finish()).is_ok(), "version {version}");
    }
}

#[test]
fn other_forms_of_package_are_refused_by_name() {
    let plain = || PackageWriter::new(69).written();
    for (bytes, name) in [
        (plain().with_u32("version", 0x9E2A_83C1), "a compressed package that was not unpacked"),
        (
            plain().with("tag", 0xD58C_3147_u32.to_le_bytes()),
            "a package with the tag of Land of Chaos Online",
        ),
        (plain().with("tag", 0xEA31_928C_u32.to_le_bytes()), "a package with the tag of Hawken"),
        (plain().with_u32("version", 0xFFFF_FFF9), "an Unreal Engine 4 or 5 package"),
        (plain().with("tag", 1234_u32.to_le_bytes()), "a compressed download (.uz)"),
        (plain().with("tag", 5678_u32.to_le_bytes()), "a compressed download (.uz)"),
    ] {
        assert_eq!(refusal(&bytes.bytes), format!("{name}, which is not supported"));
    }
}

#[test]
fn what_is_no_package_is_named_as_what_it_is() {
    assert_eq!(refusal(b""), "not an Unreal package, but an empty file");
    assert_eq!(refusal(b"[Public]\r\n"), "not an Unreal package, but a text file");
    assert_eq!(refusal(b"MZ\x90\0\x03\0\0\0"), "not an Unreal package, but a Windows program or library");
    assert_eq!(refusal(&[0; 100]), "not an Unreal package");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_is_written_is_read(
        version in 35_u16..=177,
        wide: bool,
        contents in prop::collection::vec(
            ("[A-Za-z0-9_é]{1,20}", prop::collection::vec(any::<u8>(), 0..200), 0..4_usize, prop::collection::vec(any::<u8>(), 0..4)),
            0..12,
        ),
    ) {
        let mut writer = PackageWriter::new(version);
        writer.wide = wide;
        let groups = ["A", "B", "C"].map(|name| writer.group(name, None));
        let mut expected = Vec::new();
        for (name, bytes, group, tail) in &contents {
            let group = if version < 54 { &3 } else { group };
            let place = groups.get(*group).copied();
            writer.add(&Sound { group: place, tail, ..Sound::new(name, "WAV", bytes) });
            let path = ["A.", "B.", "C.", ""][*group].to_owned() + name;
            expected.push((path, bytes.clone(), tail.len() as u64));
        }
        let file = writer.finish();
        let read: Vec<_> = sounds(&file)
            .into_iter()
            .map(|(path, sound)| {
                let sound = sound.unwrap();
                (path, data(&file, &sound), sound.tail)
            })
            .collect();
        prop_assert_eq!(read, expected);
    }
}
