//! Whatever the bytes are, reading them ends: in an error or in a part of the package, without a panic, and in
//! little memory.

#[path = "hostile/limits.rs"]
mod limits;

use std::sync::{Mutex, MutexGuard, PoisonError};

use fixtures::allocator::{self, Counting};
use fixtures::bytes::{Written, compact};
use fixtures::compressed::{Method, chunk, chunked, download};
use fixtures::package::{Bulk, Object, PackageWriter, Part, Property, Sound, Tag, Wave};
use proptest::prelude::*;
use unreal::ue1to3::bulk::Payload;
use unreal::ue1to3::class::{self, sound, sound_cue, sound_group, sound_node_wave};
use unreal::{Class, ExportIndex, Limits, Memory, ObjectRef, Package, PackageOptions, Source, probe, unpack};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Locks out other tests: the peak is one for the whole process, so the tests here run one after another.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What could be read.
#[derive(Debug, PartialEq)]
enum Outcome {
    Refused,
    /// Number of sounds that were read, and that were not.
    Read(usize, usize),
}

/// Reads everything there is to read, and checks what that took.
fn read_all(source: &dyn Source) -> Outcome {
    allocator::reset_peak();
    let before = allocator::held();
    let outcome = read(source);
    let took = allocator::peak() - before;
    let most = (64 << 20) + 4 * usize::try_from(source.len()).unwrap();
    assert!(took <= most, "{took} bytes held to read a file of {}", source.len());
    outcome
}

fn read(file: &dyn Source) -> Outcome {
    let mut limits = Limits::default();
    let sounds = unpack(file, PackageOptions::default(), &mut limits)
        .and_then(|source| Ok((Package::open(&*source, &mut limits)?, source)));
    let (package, source) = match sounds {
        Ok(sounds) => sounds,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Outcome::Refused;
        }
    };
    let text: usize = package.names().iter().map(|name| name.text.len()).sum();
    assert!(text as u64 <= 3 * source.len(), "more text than the file can hold");
    for import in package.imports() {
        let _ = package.path(import.outer);
    }
    let (mut good, mut bad) = (0, 0);
    for index in package.export_indices() {
        assert!(package.path_of(index).to_string().len() <= 1024);
        let _ = package.check_path(ObjectRef::Export(index));
        let Some(class) = class::of(&package, index) else { continue };
        match read_object(&package, &*source, (index, class), &mut limits) {
            Ok(payloads) => {
                for payload in payloads {
                    let read = payload.read(&*source, 1 << 20);
                    assert!(
                        read.is_err()
                            || read.is_ok_and(|bytes| bytes.len() as u64 == payload.uncompressed_len())
                    );
                }
                good += 1;
            }
            Err(error) => {
                let kinds = ["sound ", "sound group ", "wave ", "cue ", "node "];
                assert!(kinds.iter().any(|kind| error.to_string().starts_with(kind)), "{error}");
                bad += 1;
            }
        }
    }
    Outcome::Read(good, bad)
}

/// Reads an object, and gives the places of its data.
fn read_object(
    package: &Package,
    source: &dyn Source,
    (index, class): (ExportIndex, Class),
    limits: &mut Limits,
) -> Result<Vec<Payload>, unreal::Error> {
    Ok(match class {
        Class::Sound | Class::Music => {
            let sound = sound::read(&mut unreal::Object { package, source, export: index, limits })?;
            assert_eq!(sound.class, class);
            assert!(sound.payload.end() + sound.tail <= source.len());
            assert!(sound.payload.read(source, source.len()).is_ok() || source.is_unpacked());
            vec![sound.payload]
        }
        Class::SoundGroup => {
            sound_group::read(&mut unreal::Object { package, source, export: index, limits })?;
            Vec::new()
        }
        Class::SoundCue => {
            let mut object = unreal::Object { package, source, export: index, limits };
            sound_cue::read(&mut object)?.nodes(&mut object)?;
            Vec::new()
        }
        _ => {
            let wave = sound_node_wave::read(&mut unreal::Object { package, source, export: index, limits })?;
            wave.streams.iter().filter_map(|stream| stream.bulk.payload()).collect()
        }
    })
}

fn attempt(bytes: &[u8]) -> Outcome {
    let _ = probe(bytes);
    read_all(&Memory(bytes))
}

/// Returns a small package with everything that is read.
fn package(version: u16, wide: bool) -> PackageWriter {
    let mut writer = PackageWriter::new(version);
    writer.wide = wide;
    let drums = writer.group("Drums", None);
    let properties = vec![
        Property::new("Volume", 0x24, &[0, 0, 0, 63]),
        Property::new("Text", 0x5D, &[3, 2, b'A', 0]),
        Property::new("List", 0xE9, &[3, 0, 1, 1, 2, 3]),
    ];
    writer.add(&Sound {
        group: Some(drums),
        properties,
        state_frame: Some(1),
        tail: &[1, 2, 3],
        ..Sound::new("Kick", "WAV", b"12345")
    });
    writer.null_export();
    let base = writer.sound("Base", None, "WAV", b"");
    writer.export(fixtures::package::Export {
        class: base.0,
        super_object: 1,
        name: "é".into(),
        ..Default::default()
    });
    writer.music("Song", "s3m", b"123");
    writer
}

/// Returns a small package of Unreal Engine 3 with everything that is read.
fn engine_3(version: u16, big_endian: bool) -> PackageWriter {
    let mut writer = PackageWriter::new(version);
    writer.big_endian = big_endian;
    let drums = writer.group("Drums", None);
    let zlib = chunk(Method::Zlib, &[7; 40], 30, big_endian).bytes;
    let mut wave = Wave { group: Some(drums), number: 2, tail: b"!", ..Wave::new("Kick", b"12345", b"") };
    wave.bulks[2] = Bulk { flags: 0x02, elements: Some(40), data: &zlib };
    wave.tags.push(Tag::new("Text", "StrProperty", &[2, 0, 0, 0, b'A', 0]));
    let kick = writer.wave(&wave);
    let random = writer.node("SoundNodeRandom", "Random", &[Tag::objects("ChildNodes", &[kick, Object(0)])]);
    writer.node("SoundCue", "Cue", &[Tag::new("FirstNode", "ObjectProperty", &random.0.to_le_bytes())]);
    writer
}

/// Returns a small package of Unreal Engine 2.
fn engine_2() -> PackageWriter {
    let mut writer = PackageWriter::new(128);
    writer.version |= 29 << 16;
    writer.tag[0] = 0xC2;
    let kick = writer.add(&Sound {
        extra_words: vec![0x3F80_0000],
        tail: &[0; 4],
        ..Sound::new("Kick", "WAV", b"12345")
    });
    writer.sound_group("Both", None, &[kick, kick]);
    writer
}

/// Returns all forms of the format, some with indexes that have room for any number; and how many sounds each has.
fn packages() -> Vec<(Written, usize)> {
    let engine_1 = [(61, false), (63, true), (69, false), (69, true), (79, false)]
        .map(|(version, wide)| (package(version, wide).written(), 3));
    let betas = [42, 50, 57].map(|version| {
        let mut writer = PackageWriter::new(version);
        writer.sound("Kick", None, "WAV", b"12345");
        (writer.written(), 1)
    });
    let engine_3 = [(178, false), (260, false), (390, true), (512, false), (868, true)]
        .map(|(version, big_endian)| (engine_3(version, big_endian).written(), 2));
    engine_1.into_iter().chain(betas).chain([(engine_2().written(), 2)]).chain(engine_3).collect()
}

/// Returns all forms of compression, with the number of sounds.
fn compressed() -> Vec<(Written, usize)> {
    vec![
        (chunked(&engine_3(868, false), Method::Lzo, 2, 300), 2),
        (chunked(&engine_3(868, false), Method::Zlib, 1, 0x20000), 2),
        (chunked(&engine_3(512, true), Method::Lzx, 1, 700), 2),
        (chunk(Method::Lzo, &engine_3(868, false).finish(), 0x20000, false), 2),
        (chunk(Method::Lzx, &engine_3(512, true).finish(), 0x20000, true), 2),
        (download(&engine_2().finish()), 2),
    ]
}

#[test]
fn the_packages_that_are_broken_here_can_be_read_whole() {
    let _alone = alone();
    for (index, (written, sounds)) in packages().into_iter().chain(compressed()).enumerate() {
        assert_eq!(attempt(&written.bytes), Outcome::Read(sounds, 0), "package {index}");
    }
}

#[test]
fn what_is_measured_here_is_seen() {
    let _alone = alone();
    allocator::reset_peak();
    let before = allocator::held();
    drop(std::hint::black_box(vec![1_u8; 10_000_000]));
    // The test runner's own threads may give back a little meanwhile.
    assert!(allocator::peak() - before >= 9_900_000);
}

#[test]
fn a_package_cut_off_in_its_last_table_is_refused_at_every_byte() {
    let _alone = alone();
    for (written, _) in packages() {
        let end = written.bytes.len();
        for length in 0..end {
            assert_eq!(attempt(&written.bytes[..length]), Outcome::Refused, "{length} of {end} bytes");
        }
    }
}

#[test]
fn a_compressed_package_that_is_cut_off_loses_at_least_what_was_cut_off() {
    let _alone = alone();
    for (written, sounds) in compressed() {
        let end = written.bytes.len();
        for length in 0..end {
            let outcome = attempt(&written.bytes[..length]);
            assert_ne!(outcome, Outcome::Read(sounds, 0), "{length} of {end} bytes");
        }
    }
}

#[test]
fn a_package_cut_off_in_its_bodies_loses_only_what_was_cut_off() {
    let _alone = alone();
    for version in [61, 69] {
        let mut writer = package(version, false);
        writer.order = vec![Part::Names, Part::Imports, Part::Exports, Part::Heritage, Part::Bodies];
        let written = writer.written();
        let last = written.field("body 5.none").at;
        for length in last..written.bytes.len() {
            assert_eq!(attempt(&written.bytes[..length]), Outcome::Read(2, 1), "{length} bytes");
        }
        for length in 0..last {
            attempt(&written.bytes[..length]);
        }
    }
}

#[test]
fn every_byte_may_be_wrong() {
    let _alone = alone();
    for (written, _) in packages().into_iter().chain(compressed()) {
        let mut bytes = written.bytes;
        for at in 0..bytes.len() {
            let true_byte = bytes[at];
            let flips = (0..8).map(|bit| true_byte ^ (1 << bit));
            for wrong in flips.chain([!true_byte, 0x00, 0xFF, 0x7F, 0x80, 0x3F]) {
                bytes[at] = wrong;
                attempt(&bytes);
            }
            bytes[at] = true_byte;
        }
    }
}

/// Numbers that have gone wrong elsewhere.
const EXTREMES: [u32; 9] =
    [0, 1, 0xFF, 0xFFFF, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF];

#[test]
fn every_number_may_be_extreme() {
    let _alone = alone();
    for (written, _) in packages().into_iter().chain(compressed()) {
        let fields = written.fields().to_vec();
        for field in &fields {
            for extreme in EXTREMES {
                match field.width {
                    4 => {
                        attempt(&written.clone().with_u32(&field.name, extreme).bytes);
                    }
                    5 => {
                        let number = i32::from_le_bytes(extreme.to_le_bytes()).max(-i32::MAX);
                        attempt(&written.clone().with_compact(&field.name, number).bytes);
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn any_two_numbers_of_the_summary_may_be_extreme() {
    let _alone = alone();
    for (written, _) in packages() {
        let summary: Vec<_> =
            written.fields().iter().take_while(|field| !field.name.starts_with("name ")).cloned().collect();
        let words: Vec<_> = summary.iter().filter(|field| field.width == 4).collect();
        for (index, first) in words.iter().enumerate() {
            for second in &words[index + 1..] {
                for (a, b) in EXTREMES.iter().zip(EXTREMES.iter().cycle().skip(4)) {
                    let broken = written.clone().with_u32(&first.name, *a).with_u32(&second.name, *b);
                    attempt(&broken.bytes);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_after_a_true_summary_are_survived(
        version in prop_oneof![30_u16..=180, 181_u16..=900],
        tables in prop::collection::vec((0_u32..40, 0_u32..600), 4),
        noise in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let _alone = alone();
        let mut bytes = vec![0xC1, 0x83, 0x2A, 0x9E];
        bytes.extend(u32::from(version).to_le_bytes());
        bytes.extend([0; 4]);
        for (count, at) in tables {
            bytes.extend(count.to_le_bytes());
            bytes.extend(at.to_le_bytes());
        }
        bytes.extend(noise);
        attempt(&bytes);
    }

    #[test]
    fn any_bytes_within_a_true_package_are_survived(
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        noise in prop::collection::vec(any::<u8>(), 1..16),
        removed in 0..16_usize,
    ) {
        let _alone = alone();
        let mut all = packages();
        all.extend(compressed());
        let mut bytes = which.get(&all).0.bytes.clone();
        let start = at.index(bytes.len());
        let end = bytes.len().min(start + removed);
        bytes.splice(start..end, noise);
        attempt(&bytes);
    }
}
