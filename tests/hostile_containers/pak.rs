//! Paks that lie.

use fixtures::pak::{PakEntry, PakWriter};
use fixtures::raw_pak::{RawEntry, RawPak, header, header_size};

use super::{open_pak, refused};

/// An entry of 128 bytes in two blocks of zlib, each of twelve letters that are none: places are looked at first.
fn two_blocks() -> RawEntry {
    RawEntry { size: 128, method: 1, stored: 24, block_size: 64, blocks: vec![12, 12], ..RawEntry::default() }
}

fn of_entry(entry: &RawEntry) -> Vec<u8> {
    RawPak::of_entry(entry, &[b'x'; 200]).finish()
}

/// The same entry written out, with these places of blocks.
fn of_places(places: &[(u64, u64)]) -> Vec<u8> {
    let mut pak = RawPak::of_entry(&two_blocks(), &[b'x'; 200]);
    pak.others = (1, header(&[b'x'; 200], 128, 1, 64, places));
    pak.folders = vec![(b"Game/".to_vec(), vec![(b"A.bin".to_vec(), -1)])];
    pak.finish()
}

#[test]
fn an_entry_whose_blocks_lie_in_its_bytes_is_only_refused_for_these() {
    refused(open_pak(of_entry(&two_blocks())), "compressed data");
    let first = header_size(2);
    refused(open_pak(of_places(&[(first, first + 12), (first + 100, first + 200)])), "compressed data");
}

#[test]
fn a_last_block_beyond_the_bytes_of_its_entry_is_refused() {
    for blocks in [vec![12, 13], vec![24, 1], vec![0, u32::MAX]] {
        refused(
            open_pak(of_entry(&RawEntry { blocks, ..two_blocks() })),
            "a block does not lie where it can",
        );
    }
    let first = header_size(2);
    refused(
        open_pak(of_places(&[(first, first + 12), (first + 12, first + 201)])),
        "a block does not lie where it can",
    );
}

#[test]
fn a_block_that_begins_before_the_last_one_ends_is_refused() {
    let first = header_size(2);
    for second in [(first, first + 12), (first + 11, first + 20)] {
        refused(open_pak(of_places(&[(first, first + 12), second])), "a block does not lie where it can");
    }
    // The first one ends with the header.
    refused(
        open_pak(of_places(&[(first - 1, first + 12), (first + 12, first + 24)])),
        "a block does not lie where it can",
    );
}

#[test]
fn a_block_that_ends_before_it_begins_is_refused() {
    let first = header_size(2);
    refused(
        open_pak(of_places(&[(first + 12, first), (first + 12, first + 24)])),
        "a block does not lie where it can",
    );
}

#[test]
fn other_blocks_than_an_entry_needs_are_refused() {
    for blocks in [vec![24], vec![8, 8, 8], vec![]] {
        let count = blocks.len();
        let pak = open_pak(of_entry(&RawEntry { blocks, ..two_blocks() }));
        refused(pak, &format!("{count} blocks, 2 are needed"));
    }
    let whole = RawEntry { block_size: 0, ..two_blocks() };
    refused(open_pak(of_entry(&whole)), "2 blocks, 1 are needed");
    let empty = RawEntry { block_size: 0, size: 0, ..two_blocks() };
    refused(open_pak(of_entry(&empty)), "2 blocks, 0 are needed");
}

#[test]
fn more_blocks_than_an_index_can_hold_are_refused() {
    let many = RawEntry { count: Some(0xFFFF), ..two_blocks() };
    refused(open_pak(of_entry(&many)), "claims 65535 entries");
    // The count of a header comes after three numbers, the method and the hash.
    let mut pak = RawPak::of_entry(&two_blocks(), &[b'x'; 200]);
    let mut other = header(&[b'x'; 200], 128, 1, 64, &[(0, 0), (0, 0)]);
    other[48..52].copy_from_slice(&u32::MAX.to_le_bytes());
    pak.others = (1, other);
    pak.folders = vec![(b"Game/".to_vec(), vec![(b"A.bin".to_vec(), -1)])];
    refused(open_pak(pak.finish()), "claims 4294967295 entries");
}

#[test]
fn a_method_that_is_unknown_or_has_no_name_is_refused() {
    let mut pak = RawPak::of_entry(&two_blocks(), &[b'x'; 200]);
    pak.methods = vec![b"Weird"];
    refused(open_pak(pak.finish()), "Weird");
    refused(open_pak(of_entry(&RawEntry { method: 2, ..two_blocks() })), "no method of compression is 2");
    refused(open_pak(of_entry(&RawEntry { method: 63, ..two_blocks() })), "no method of compression is 63");
    // Before version 8 it is one of a few numbers.
    let entry = PakEntry { block_size: Some(64), ..PakEntry::new("A.bin", &[9; 64]) };
    let mut bytes = PakWriter { entries: vec![entry], ..PakWriter::new(7) }.finish();
    let name_at = bytes.windows(6).rposition(|part| part == b"A.bin\0").unwrap();
    bytes[name_at + 6 + 24] = 3;
    refused(open_pak(bytes), "no method of compression is 3");
}

#[test]
fn a_place_before_its_entry_is_refused_where_places_count_from_the_file() {
    for version in [3, 4] {
        let entries = vec![
            PakEntry::new("0", b"0"),
            PakEntry { block_size: Some(64), ..PakEntry::new("A.bin", &[9; 64]) },
        ];
        let bytes = PakWriter { entries, ..PakWriter::new(version) }.finish();
        let name_at = bytes.windows(6).rposition(|part| part == b"A.bin\0").unwrap();
        let header = name_at + 6;
        let offset = u64::from_le_bytes(bytes[header..header + 8].try_into().unwrap());
        assert!(offset > 0);
        for place in [header + 52, header + 60] {
            let mut bytes = bytes.clone();
            bytes[place..place + 8].copy_from_slice(&(offset - 1).to_le_bytes());
            refused(open_pak(bytes), "a block does not lie where it can");
        }
    }
}

#[test]
fn bytes_beyond_the_file_are_refused() {
    refused(open_pak(of_entry(&RawEntry::plain(0, 1 << 20))), "the file at");
    refused(open_pak(of_entry(&RawEntry::plain(1 << 20, 1))), "the file at");
    // The place of the directory comes after the mount point, two counts, the seed and two flags.
    let bytes = of_entry(&two_blocks());
    let index_at = bytes.len() - 5 * 32 - 36;
    let index = u64::from_le_bytes(bytes[index_at..index_at + 8].try_into().unwrap()) as usize;
    let place = index + 4 + 10 + 4 + 12 + 4;
    for (at, value) in [(place, 1_u64 << 40), (place + 8, 1 << 40), (place + 8, u64::MAX)] {
        let mut bytes = bytes.clone();
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        refused(open_pak(bytes), "the file at");
    }
    // An index that reaches into the footer.
    let mut bytes = bytes;
    let length = u64::from_le_bytes(bytes[index_at + 8..index_at + 16].try_into().unwrap());
    bytes[index_at + 8..index_at + 16].copy_from_slice(&(length + 1).to_le_bytes());
    refused(open_pak(bytes), "footer of a pak");
}

#[test]
fn a_place_where_no_entry_is_is_refused() {
    for place in [1 << 20, -2] {
        let mut pak = RawPak::of_entry(&two_blocks(), &[b'x'; 200]);
        pak.others = (1, header(&[b'x'; 200], 128, 1, 64, &[]));
        pak.folders = vec![(b"Game/".to_vec(), vec![(b"A.bin".to_vec(), place)])];
        refused(open_pak(pak.finish()), "no entry is 0");
    }
    assert_eq!(open_pak(RawPak::new().finish()).unwrap().len(), 0);
    refused(open_pak(RawPak::new().finish()), "no entry is 0");
}

/// A pak of version 15 whose directory is flat, and where that begins.
fn flat() -> (Vec<u8>, usize) {
    let entries = vec![PakEntry::new("Game/A.bin", b"a"), PakEntry::new("Game/B/C.bin", b"c")];
    let bytes = PakWriter { entries, is_flat: true, ..PakWriter::new(15) }.finish();
    let at = bytes.windows(4).position(|part| part == 0x5046_4451_u32.to_le_bytes()).unwrap();
    (bytes, at)
}

#[test]
fn a_flat_directory_that_lies_is_refused() {
    let (bytes, at) = flat();
    assert_eq!(open_pak(bytes.clone()).unwrap().len(), 2);
    let word = |number: usize| at + 4 * number;
    // Eight numbers, anchors for three folders two by two and their end, the first files of each and of the next.
    let (first_files, names, places) = (8 + 3, 8 + 3 + 4, 8 + 3 + 4 + 3);
    let folders = places + 2;
    for (number, value, reason) in [
        (3, 0, "0 where another size has to be"),
        (first_files + 3, 3, "no entry is 2"),
        (names + 2, 1 << 20, "no entry is 1"),
        (folders, 1, "shares more with the path before"),
    ] {
        let mut changed = bytes.clone();
        changed[word(number)..word(number) + 4].copy_from_slice(&u32::to_le_bytes(value));
        refused(open_pak(changed), reason);
    }
}

#[test]
fn paths_longer_than_1024_bytes_are_refused_wherever_they_are() {
    let long = "x".repeat(1025);
    let one = |folder: &str, name: &str, mount: &str| {
        let mut pak = RawPak::of_names(folder.as_bytes(), [name.to_owned()].into_iter());
        mount.clone_into(&mut pak.mount);
        open_pak(pak.finish())
    };
    let most = "x".repeat(1024);
    for (folder, name, mount) in [("", &*most, ""), (&*most, "", ""), ("", "f", &most[..1022])] {
        let opened = one(folder, name, mount).unwrap();
        assert_eq!(opened.path(0).unwrap().len(), 1024);
    }
    for (folder, name, mount) in [("", &*long, ""), (&*long, "", ""), ("", "f", &*long)] {
        refused(one(folder, name, mount), "is longer than 1024 characters");
    }
    for (folder, name, mount) in
        [(&most[..1022], "yy", ""), ("", "yy", &most[..1022]), (&most[..512], "f", &most[..511])]
    {
        refused(one(folder, name, mount), "is longer than 1024 bytes");
    }
    // So are those of indexes that list paths, and flat ones.
    let of_version = |version: u32, is_flat: bool, path: &str| {
        let entries = vec![PakEntry::new(path, b"x")];
        open_pak(PakWriter { entries, is_flat, ..PakWriter::new(version) }.finish())
    };
    for (version, is_flat) in [(1, false), (9, false), (10, false), (15, true)] {
        let (folder, name) = (format!("{}/f", &most[..1022]), format!("d/{}", &most[..1022]));
        for path in [&most, &folder, &name] {
            assert!(of_version(version, is_flat, path).is_ok(), "{version}");
        }
        // Also where a short path comes of them.
        let winding = ["./", ".\\"].map(|part| format!("{}f", part.repeat(600)));
        let others = [long.clone(), format!("{most}/f"), format!("{folder}f"), format!("{long}/f")];
        for path in winding.iter().chain(&others) {
            refused(of_version(version, is_flat, path), "is longer than 1024");
        }
    }
}

#[test]
fn a_header_that_disagrees_with_the_index_is_named() {
    let data = [b'x'; 200];
    let sound = RawPak::of_entry(&RawEntry::plain(0, 200), &data);
    open_pak(sound.finish()).unwrap().verify(0).unwrap();
    // Stored bytes, all bytes, the method, whether it is encrypted.
    for at in [8, 16, 24, 48] {
        let mut pak = sound.clone();
        pak.body[at] ^= 1;
        let error = open_pak(pak.finish()).unwrap().verify(0).unwrap_err().to_string();
        assert!(error.contains("its header says something else"), "{at}: {error}");
    }
    for at in [28, 60] {
        let mut pak = sound.clone();
        pak.body[at] ^= 1;
        let error = open_pak(pak.finish()).unwrap().verify(0).unwrap_err().to_string();
        assert!(error.contains("does not match its hash"), "{at}: {error}");
    }
    // Places of blocks.
    let mut pak = RawPak::of_entry(&two_blocks(), &data[..24]);
    let first = header_size(2);
    let places = [(first, first + 12), (first + 12, first + 24)];
    pak.body = [header(&data[..24], 128, 1, 64, &places), data[..24].to_vec()].concat();
    let error = |pak: &RawPak| open_pak(pak.finish()).unwrap().verify(0).unwrap_err().to_string();
    assert!(error(&pak).contains("compressed data"), "{}", error(&pak));
    pak.body[52] ^= 1;
    assert!(error(&pak).contains("its header says something else"), "{}", error(&pak));
}

#[test]
fn a_footer_of_an_index_that_is_not_read_is_refused() {
    let pak = |version| PakWriter { entries: vec![PakEntry::new("A", b"a")], ..PakWriter::new(version) };
    let mut frozen = pak(9).finish();
    let at = frozen.len() - 5 * 32 - 1;
    frozen[at] = 1;
    assert!(open_pak(frozen).is_err_and(|error| matches!(error.kind(), unreal::ErrorKind::Unsupported(_))));
    let mut cipher = pak(15).finish();
    let at = cipher.len() - 37;
    cipher[at] = 3;
    refused(open_pak(cipher), "no cipher is 3");
}

#[test]
fn an_index_that_takes_more_memory_than_its_file_is_worth_is_refused() {
    let names = |count: u32| (0..count).map(|number| format!("{number:x}"));
    let pak = |count| open_pak(RawPak::of_names(&[b'd'; 1000], names(count)).finish());
    assert_eq!(pak(50).unwrap().len(), 50);
    refused(pak(3000), "takes more memory than a file of its size may");
}
