//! Compressed packages: in chunks, as a whole, and as downloads.

use fixtures::bytes::Written;
use fixtures::compressed::{Method, chunk, chunked, download};
use fixtures::package::{PackageWriter, Wave};
use unreal::ue1to3::class::sound_node_wave;
use unreal::{Limits, Memory, Object, Package, PackageOptions, unpack};

use super::full;

const METHODS: [Method; 4] = [Method::Zlib, Method::Lzo, Method::Lzx, Method::Stored];

fn data() -> Vec<u8> {
    (0..50_000_u32).map(|index| ((index * index) >> 7).to_le_bytes()[0]).collect()
}

fn package(big_endian: bool) -> PackageWriter {
    let mut package = PackageWriter::new(868);
    package.big_endian = big_endian;
    let drums = package.group("Drums", None);
    package.wave(&Wave { group: Some(drums), ..Wave::new("Kick", &data(), b"") });
    package.wave(&Wave::new("Snare", b"", b"12345"));
    package
}

/// Returns the path and data of every wave, or what is wrong.
fn waves(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    waves_within(bytes, Limits::default())
}

fn waves_within(bytes: &[u8], mut limits: Limits) -> Result<Vec<(String, Vec<u8>)>, String> {
    let file = Memory(bytes);
    let text = |error: unreal::Error| error.to_string();
    let source = unpack(&file, PackageOptions::default(), &mut limits).map_err(text)?;
    let package = Package::open(&*source, &mut limits).map_err(text)?;
    let of = |index| {
        let wave = sound_node_wave::read(&mut Object {
            package: &package,
            source: &*source,
            export: index,
            limits: &mut limits,
        })
        .map_err(text)?;
        let payload = wave.preferred().next().unwrap().bulk.payload().unwrap();
        Ok((package.path_of(index).to_string(), payload.read(&*source, 1 << 20).map_err(text)?))
    };
    package
        .export_indices()
        .filter(|&index| unreal::ue1to3::class::of(&package, index).is_some())
        .map(of)
        .collect()
}

fn expected() -> Vec<(String, Vec<u8>)> {
    vec![("Drums.Kick".to_owned(), data()), ("Snare".to_owned(), b"12345".to_vec())]
}

#[test]
fn a_package_in_chunks_reads_like_one_without() {
    for method in METHODS {
        for big_endian in [false, true] {
            for (chunks, block) in [(1, 0x20000), (1, 1000), (3, 0x8000), (10, 777)] {
                let bytes = chunked(&package(big_endian), method, chunks, block).bytes;
                let case = format!("{method:?}, {chunks} chunks of blocks of {block}, {big_endian}");
                assert_eq!(waves(&bytes), Ok(expected()), "{case}");
            }
        }
    }
    assert_eq!(waves(&package(false).finish()), Ok(expected()));
}

#[test]
fn a_package_compressed_as_a_whole_reads_like_one_that_is_not() {
    for (method, big_endian) in
        [(Method::Zlib, false), (Method::Lzo, false), (Method::Lzx, true), (Method::Zlib, true)]
    {
        for block in [0x2_0000, 0x1_0000, 1000] {
            let mut whole = chunk(method, &package(big_endian).finish(), block, big_endian);
            if block == 1000 {
                // The tag again, as older ones have it.
                whole = whole.with_u32("chunk.block_size", 0x9E2A_83C1);
            }
            assert_eq!(waves(&whole.bytes), Ok(expected()), "{method:?} {block}");
        }
    }
}

#[test]
fn a_download_reads_like_what_was_uploaded() {
    let plain = full(128).finish();
    let bytes = download(&plain).bytes;
    let file = Memory(&bytes);
    let source = unpack(&file, PackageOptions::default(), &mut Limits::default()).unwrap();
    let mut unpacked = vec![0; plain.len()];
    source.read_at(0, &mut unpacked).unwrap();
    assert_eq!((source.len(), unpacked), (plain.len() as u64, plain));
    // A package in chunks may be one too.
    assert_eq!(waves(&download(&chunked(&package(false), Method::Lzo, 2, 4000).bytes).bytes), Ok(expected()));
}

#[test]
fn what_is_in_a_download_is_named_if_it_is_no_package() {
    let refused = waves(&download(b"[Public]\r\n").bytes).unwrap_err();
    assert_eq!(refused, "not an Unreal package, but a text file");
}

#[test]
fn what_is_not_compressed_is_given_as_it_is() {
    for bytes in [full(69).finish(), package(false).finish(), b"no package".to_vec(), Vec::new()] {
        let file = Memory(&bytes);
        let source = unpack(&file, PackageOptions::default(), &mut Limits::default()).unwrap();
        assert!(!source.is_unpacked());
        assert_eq!(source.len(), bytes.len() as u64);
    }
}

#[test]
fn a_compressed_package_that_was_not_unpacked_is_refused() {
    for bytes in [
        chunked(&package(false), Method::Lzo, 2, 1000).bytes,
        chunk(Method::Lzo, &package(false).finish(), 0x20000, false).bytes,
        download(&full(128).finish()).bytes,
    ] {
        let refused = Package::open(&Memory(&bytes), &mut Limits::default()).unwrap_err().to_string();
        assert_eq!(refused, "a compressed package that was not unpacked, which is not supported");
    }
}

#[test]
fn the_stored_size_of_a_chunk_is_not_believed() {
    let written = chunked(&package(false), Method::Lzo, 2, 1000);
    let bytes = written.with_u32("in 0.chunk.stored", 7).with_u32("chunk 0.stored", 1).bytes;
    assert_eq!(waves(&bytes), Ok(expected()));
}

fn broken(change: impl FnOnce(Written) -> Written) -> String {
    waves(&change(chunked(&package(false), Method::Lzo, 2, 1000)).bytes).unwrap_err()
}

#[test]
fn chunks_that_contradict_themselves_are_refused() {
    for (field, value, reason) in [
        ("in 0.chunk.tag", 0, "compressed data has no head"),
        ("in 0.block 0.size", 0, "a compressed block claims 0 bytes"),
        ("in 0.block 0.size", 1 << 30, "a compressed block claims 1073741824 bytes"),
        (
            "in 0.block 0.stored",
            u32::MAX,
            "a compressed block claims 4294967295 bytes, at most 16777216 can be",
        ),
        ("in 0.chunk.size", u32::MAX, "ends early"),
        ("chunk 1.at", 0, "ends early"),
        ("compression", 8, "data compressed by method 0x8, which is not supported"),
        ("chunk 0.stored_at", u32::MAX, "ends early"),
    ] {
        let refused = broken(|written| written.with_u32(field, value));
        assert!(
            refused.contains(reason) || field == "in 0.chunk.size" || field == "chunk 1.at",
            "{field}: {refused}"
        );
    }
}

#[test]
fn a_block_that_becomes_something_else_is_refused_by_its_place() {
    let written = chunked(&package(false), Method::Lzo, 1, 1000);
    let at = written.field("in 0.block 3.data").at;
    let mut bytes = written.bytes.clone();
    bytes[at..at + 8].fill(0);
    let refused = waves(&bytes).unwrap_err();
    assert!(refused.contains(&format!("compressed data at {at:#x}")), "{refused}");
}

#[test]
fn no_more_is_inflated_than_is_allowed_and_nothing_twice() {
    let bytes = chunked(&package(false), Method::Zlib, 3, 1000).bytes;
    let size = package(false).finish().len() as u64;
    let limits = || Limits::default();
    assert_eq!(waves_within(&bytes, limits().with_inflated(size)), Ok(expected()));
    let refused = waves_within(&bytes, limits().with_inflated(size / 2)).unwrap_err();
    assert!(refused.contains("the limit leaves"), "{refused}");
}
