//! What small files claim to hold, and large files could, is bounded by the limit; and time by their size.

use super::*;

#[test]
fn a_table_of_the_largest_count_is_refused_before_it_is_allocated() {
    let _alone = alone();
    for (written, _) in packages() {
        for table in ["names.count", "exports.count", "imports.count"] {
            let bytes = written.clone().with_u32(table, u32::MAX).bytes;
            allocator::reset_peak();
            let before = allocator::held();
            let error = Package::open(&Memory(&bytes), &mut Limits::default()).unwrap_err();
            let took = allocator::peak() - before;
            assert!(error.to_string().contains("claims 4294967295 entries"), "{error}");
            assert!(took < 100_000, "{took} bytes for {table}");
        }
    }
}

/// A file of any length: a head, then one byte again and again.
struct Endless {
    head: Vec<u8>,
    then: u8,
    length: u64,
}

impl Source for Endless {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
        into.fill(self.then);
        let start = usize::try_from(at).unwrap().min(self.head.len());
        let head = &self.head[start..];
        let shared = head.len().min(into.len());
        into[..shared].copy_from_slice(&head[..shared]);
        Ok(())
    }
}

#[test]
fn tables_that_a_huge_file_could_hold_are_refused_by_the_limit() {
    let _alone = alone();
    for table in ["names", "exports", "imports"] {
        for (version, then) in [(61, 0), (61, b'A'), (69, 0), (69, b'A'), (69, 0x3F)] {
            let written = PackageWriter::new(version).written();
            let at = u32::try_from(written.bytes.len()).unwrap();
            let head =
                written.with_u32(&format!("{table}.count"), 100_000_000).with_u32(&format!("{table}.at"), at);
            let source = Endless { head: head.bytes, then, length: 3 << 30 };
            allocator::reset_peak();
            let before = allocator::held();
            assert_eq!(read(&source), Outcome::Refused);
            let took = allocator::peak() - before;
            assert!(took <= 64 << 20, "{took} bytes for {table} of version {version}");
        }
    }
}

#[test]
fn a_name_as_long_as_the_file_is_refused() {
    let _alone = alone();
    for (version, name) in [(61, vec![]), (69, compact(80_000_000)), (69, compact(-40_000_000))] {
        for then in [b'A', 0x80] {
            let written = PackageWriter::new(version).written();
            let at = u32::try_from(written.bytes.len()).unwrap();
            let head = [written.with_u32("names.at", at).bytes, name.clone()].concat();
            assert_eq!(read_all(&Endless { head, then, length: 100_000_000 }), Outcome::Refused);
        }
    }
}

#[test]
fn a_sound_of_millions_of_properties_stays_within_the_limit() {
    let _alone = alone();
    for millions in [1, 2, 4] {
        let mut writer = PackageWriter::new(69);
        let volume = writer.name("V");
        let property = [compact(volume), vec![0x01, 7]].concat();
        let mut body = fixtures::bytes::Bytes::new();
        body.raw("properties", property.repeat(millions * 1_000_000 / 4)).raw("none", [0, 0, 0, 0, 0, 0, 0]);
        let class = writer.class("Engine", "Sound").0;
        let body = fixtures::package::Body { bytes: body, places: Vec::new() };
        writer.export(fixtures::package::Export { class, name: "V".into(), body, ..Default::default() });
        let bytes = writer.finish();
        assert_eq!(attempt(&bytes), Outcome::Read(0, 1));
    }
}

#[test]
fn deep_chains_take_linear_time() {
    let _alone = alone();
    let mut writer = PackageWriter::new(69);
    let mut outer = None;
    for index in 0..50_000 {
        let group = writer.group(&format!("{index}"), outer);
        outer = Some(group);
    }
    writer.sound("Deep", outer, "WAV", b"1");
    writer.sound("Self", Some(Object(50_002)), "WAV", b"1");
    let bytes = writer.finish();
    let started = std::time::Instant::now();
    assert_eq!(attempt(&bytes), Outcome::Read(0, 2));
    // Quadratic would be a thousand times this.
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

#[test]
fn a_block_that_lies_of_its_size_takes_no_memory_for_it() {
    let _alone = alone();
    const CLAIMED: u32 = 16 << 20;
    for method in [Method::Zlib, Method::Lzo, Method::Lzx] {
        let mut blocks = fixtures::bytes::Bytes::new();
        let stored = fixtures::compressed::block(method, b"boom tschak boom tschak");
        blocks
            .u32("tag", 0x9E2A_83C1)
            .u32("block_size", 0x2_0000)
            .u32("stored", 0)
            .u32("size", 100 * CLAIMED);
        for _ in 0..100 {
            blocks.length("block.stored", stored.len()).u32("block.size", CLAIMED);
        }
        for _ in 0..100 {
            blocks.raw("data", &stored);
        }
        let bytes = blocks.finish().bytes;
        let file = Memory(&bytes);
        allocator::reset_peak();
        let before = allocator::held();
        let source = unpack(&file, PackageOptions::default(), &mut Limits::default());
        // The first bytes are read to recognise it, and none of the blocks holds what it claims.
        let refused = source.err().map_or_else(String::new, |error| error.to_string());
        assert!(refused.contains("compressed data"), "{method:?}: {refused}");
        let took = allocator::peak() - before;
        assert!(took < 1 << 20, "{took} bytes for {method:?}");
    }
}

#[test]
fn chunks_that_share_their_blocks_are_bounded_by_the_limit() {
    let _alone = alone();
    let written = chunked(&engine_3(868, false), Method::Zlib, 1, 0x2_0000);
    let [size, place] = ["chunk 0.size", "chunk 0.stored_at"]
        .map(|name| u32::from_le_bytes(written.bytes[written.field(name).range()].try_into().unwrap()));
    // As many chunks as the file could list, all of them the same, one after another.
    let mut writer = engine_3(868, false);
    (writer.compression, writer.chunks) = (1, 5_000);
    let mut many = writer.written();
    let shift = u32::try_from(16 * 4_999).unwrap();
    for index in 0..5_000 {
        for (part, value) in [("at", 100_000 + index * size), ("size", size), ("stored_at", place + shift)] {
            many = many.with_u32(&format!("chunk {index}.{part}"), value);
        }
    }
    let head = many.field("name 0.length").at;
    let chunk_at = usize::try_from(place).unwrap();
    let bytes = [&many.bytes[..head], &written.bytes[chunk_at..]].concat();
    attempt(&bytes);
}
