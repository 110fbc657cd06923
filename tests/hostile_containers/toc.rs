//! Tables of contents that lie.

use fixtures::raw_toc::{NONE, RawDirectory, RawToc, id};
use unreal::containers::{ChunkId, ContainerHeader};
use unreal::{ErrorKind, Limits, Memory};

use super::{open_toc, refused};

const BLOCK: u64 = 64 << 10;

fn data() -> Vec<u8> {
    vec![7; BLOCK as usize]
}

/// A table with one chunk, and what is changed of it.
fn with(change: impl FnOnce(&mut RawToc)) -> Vec<u8> {
    let mut toc = RawToc::new(1, id);
    change(&mut toc);
    toc.finish()
}

#[test]
fn a_table_that_does_not_lie_is_read() {
    let container = open_toc(with(|_| {}), data()).unwrap();
    assert_eq!((container.len(), container.open(0).unwrap().len()), (1, BLOCK));
    let mut bytes = [0; 3];
    container.open(0).unwrap().read_at(100, &mut bytes).unwrap();
    assert_eq!(bytes, [7; 3]);
}

#[test]
fn a_head_that_lies_is_refused() {
    refused(open_toc(with(|toc| toc.head_size = 143), data()), "143 where another size has to be");
    refused(open_toc(with(|toc| toc.row_size = 13), data()), "13 where another size has to be");
    refused(open_toc(with(|toc| toc.block_size = 0), data()), "0 where another size has to be");
    refused(open_toc(with(|toc| (toc.version, toc.cipher) = (10, 3)), data()), "no cipher is 3");
    let unknown = open_toc(with(|toc| toc.version = 99), data()).unwrap_err();
    assert!(matches!(unknown.kind(), ErrorKind::Unsupported(_)), "{unknown}");
    let other = open_toc([vec![0], with(|_| {})].concat(), data()).unwrap_err();
    assert!(matches!(other.kind(), ErrorKind::NotThisFormat(_)), "{other}");
}

#[test]
fn more_rows_than_a_table_can_hold_are_refused() {
    for counts in [(u32::MAX, 1), (1, u32::MAX), (u32::MAX, u32::MAX)] {
        refused(open_toc(with(|toc| toc.counts = Some(counts)), data()), "claims 4294967295 entries");
    }
}

#[test]
fn a_chunk_that_does_not_lie_in_the_blocks_is_refused() {
    refused(open_toc(with(|toc| toc.chunks[0].1 = 1), data()), "a block does not lie where it can");
    refused(open_toc(with(|toc| toc.chunks[0].2 += 1), data()), "1 blocks, 2 are needed");
    refused(open_toc(with(|toc| toc.chunks[0].1 = BLOCK), data()), "1 blocks, 2 are needed");
    refused(open_toc(with(|toc| toc.chunks[0].2 = 0xFF_FFFF_FFFF), data()), "blocks, ");
}

#[test]
fn a_block_of_another_size_than_its_chunk_needs_is_refused() {
    let size = |size: u32| with(|toc| toc.blocks[0] = (0, 10, size, 1));
    for wrong in [BLOCK as u32 - 1, BLOCK as u32 + 1] {
        refused(open_toc(size(wrong), data()), &format!("{wrong} bytes are stored for 65536"));
    }
    refused(open_toc(size(BLOCK as u32), data()), "compressed data");
    refused(open_toc(with(|toc| toc.blocks[0].1 = 100), data()), "100 bytes are stored for 65536");
}

#[test]
fn a_block_of_an_unknown_method_is_refused() {
    refused(open_toc(with(|toc| toc.blocks[0].3 = 2), data()), "no method of compression is 2");
    let weird = |toc: &mut RawToc| (toc.methods, toc.blocks[0].3) = (vec![&b"Weird"[..]], 1);
    refused(open_toc(with(weird), data()), "Weird");
}

#[test]
fn a_block_beyond_its_file_or_in_none_is_refused() {
    refused(open_toc(with(|_| {}), vec![7; 10]), "the file at 0xa");
    let other = |toc: &mut RawToc| (toc.partitions, toc.blocks[0].0) = ((2, 1 << 20), 1 << 20);
    refused(open_toc(with(other), data()), "its data lies in partition 1, which is not there");
}

#[test]
fn blocks_that_share_bytes_are_refused() {
    let two = |offset: u64| {
        with(|toc| {
            toc.chunks[0].2 = 2 * BLOCK;
            toc.blocks = vec![(offset, 10, 65_536, 1), (20, 10, 65_536, 1)];
        })
    };
    refused(open_toc(two(10), data()), "compressed data");
    refused(open_toc(two(11), data()), "lies within another");
    refused(open_toc(two(29), data()), "lies within another");
    refused(open_toc(two(30), data()), "compressed data");
}

/// A table with a chunk and this directory.
fn directory(change: impl FnOnce(&mut RawDirectory)) -> Vec<u8> {
    let mut directory = RawDirectory {
        folders: vec![[NONE, 1, NONE, NONE], [0, NONE, NONE, 0]],
        files: vec![[1, NONE, 0]],
        names: vec!["Game".to_owned(), "A.uasset".to_owned()],
        mount: "../../../".to_owned(),
    };
    change(&mut directory);
    with(|toc| toc.directory = directory.finish())
}

#[test]
fn a_directory_that_leads_in_circles_or_nowhere_is_refused() {
    let opened = open_toc(directory(|_| {}), data()).unwrap();
    assert_eq!(opened.path(0).as_deref(), Some("Game/A.uasset"));
    for (folder, reason) in [
        // Its own first folder, its own next folder, the root in it.
        ([0, 1, NONE, 0], "it leads in a circle"),
        ([0, NONE, 1, 0], "it leads in a circle"),
        ([0, 0, NONE, 0], "no entry is 4294967295"),
        ([2, NONE, NONE, 0], "no entry is 2"),
        ([0, 2, NONE, 0], "no entry is 2"),
        ([0, NONE, 2, 0], "no entry is 2"),
        ([0, NONE, NONE, 1], "no entry is 1"),
    ] {
        refused(open_toc(directory(|directory| directory.folders[1] = folder), data()), reason);
    }
    for (file, reason) in [
        ([1, 0, 0], "it leads in a circle"),
        ([2, NONE, 0], "no entry is 2"),
        ([1, 1, 0], "it leads in a circle"),
        ([1, NONE, 1], "no entry is 1"),
    ] {
        refused(open_toc(directory(|directory| directory.files[0] = file), data()), reason);
    }
}

#[test]
fn a_root_in_itself_is_refused_and_folders_alone_name_nothing() {
    refused(open_toc(directory(|directory| directory.folders[0][1] = 0), data()), "no entry is 4294967295");
    let named = |directory: &mut RawDirectory| directory.folders[0] = [0, 0, NONE, NONE];
    refused(open_toc(directory(named), data()), "it leads in a circle");
    let alone = |directory: &mut RawDirectory| {
        directory.folders[1][3] = NONE;
        directory.files.clear();
    };
    let container = open_toc(directory(alone), data()).unwrap();
    assert_eq!((container.path(0), container.open(0).unwrap().len()), (None, BLOCK));
}

#[test]
fn paths_longer_than_1024_bytes_are_refused_wherever_they_are() {
    let name = |length: usize| "x".repeat(length);
    for (change, reason) in [
        ((1025, "Game", "A"), "is longer than 1024 characters"),
        ((9, &*name(1025), "A"), "is longer than 1024 characters"),
        ((9, "Game", &*name(1025)), "is longer than 1024 characters"),
        // With the `/` before it.
        ((9, &*name(1024), "A"), "is longer than 1024 bytes"),
        ((9, &*name(1023), "A"), "is longer than 1024 bytes"),
        ((9, "Game", &*name(1010)), "is longer than 1024 bytes"),
        ((9, "Game", &*name(1009)), ""),
        ((1014, "Game", "AAAA"), ""),
        ((1015, "Game", "AAAA"), "is longer than 1024 bytes"),
    ] {
        let (mount, folder, file) = change;
        let table = directory(|directory| {
            directory.mount = name(mount);
            directory.names = vec![folder.to_owned(), file.to_owned()];
        });
        let opened = open_toc(table, data());
        match reason {
            "" => assert_eq!(opened.unwrap().path(0).unwrap().len(), 1024),
            reason => refused(opened, reason),
        }
    }
}

#[test]
fn packages_of_a_container_header_that_share_what_they_refer_to_are_refused() {
    // A header of version 5 of two packages, each with views of imports and of shader maps.
    let header = |views: [[u32; 2]; 2]| {
        let mut bytes = [0x496F_436E_u32, 5].into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        bytes.extend(1_u64.to_le_bytes());
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend([1_u64, 2].into_iter().flat_map(u64::to_le_bytes));
        let entries = views.iter().flat_map(|[count, offset]| [*count, *offset, 0, 0]);
        let entries: Vec<u8> = entries.flat_map(u32::to_le_bytes).collect();
        let imports = [5_u64, 6, 7, 8, 9].into_iter().flat_map(u64::to_le_bytes);
        let table: Vec<u8> = entries.into_iter().chain(imports).collect();
        bytes.extend((table.len() as u32).to_le_bytes());
        bytes.extend(table);
        // No optional packages, names, localized packages and redirects.
        bytes.extend([0; 4 + 4]);
        bytes.extend([0; 4 + 4 + 4]);
        let at = bytes.len() as u64 + 16;
        bytes.extend(at.to_le_bytes());
        bytes.extend(4_u64.to_le_bytes());
        bytes.extend([0; 4]);
        ContainerHeader::read(&Memory(bytes), &mut Limits::default())
    };
    let read = header([[1, 32], [1, 24]]).unwrap();
    assert_eq!([&read.packages[0].imports, &read.packages[1].imports], [&vec![5], &vec![6]]);
    for (views, reason) in [
        ([[5, 32], [5, 16]], "lies within another"),
        ([[6, 32], [0, 0]], "the file at"),
        ([[1, 31], [0, 0]], "the file at"),
        ([[1, u32::MAX], [0, 0]], "the file at"),
    ] {
        let error = header(views).unwrap_err().to_string();
        assert!(error.contains(reason), "{views:?}: {error}");
    }
}

#[test]
fn of_chunks_of_one_identifier_without_paths_all_but_the_last_are_overridden() {
    const CHUNKS: u64 = 60_000;
    let table = |directory: Vec<u8>| {
        let mut toc = RawToc::new(CHUNKS, |_| id(0));
        toc.directory = directory;
        let store = open_toc(toc.finish(), data()).unwrap();
        let mount = unreal::containers::mount::Mount::new(vec![("Game.utoc".to_owned(), store)]);
        assert_eq!(mount.chunk(ChunkId::of(1, 2)).unwrap().entry as u64, CHUNKS - 1);
        mount.entries().filter(|entry| mount.is_overridden(*entry)).count() as u64
    };
    assert_eq!(table(Vec::new()), CHUNKS - 1);
    // What has a path is overridden by that. If each were compared with all others, this would take minutes.
    assert_eq!(table(RawDirectory::of_files((0..CHUNKS).map(|n| format!("{n:x}"))).finish()), 0);
}

#[test]
fn a_directory_that_takes_more_memory_than_its_table_is_worth_is_refused() {
    let table = |folders: u32| {
        let mut directory = RawDirectory::wide(folders);
        directory.files = (0..folders).map(|_| [1, NONE, 0]).collect();
        (0..).zip(&mut directory.folders[1..]).for_each(|(file, folder)| folder[3] = file);
        open_toc(with(|toc| toc.directory = directory.finish()), data())
    };
    assert_eq!(table(20).unwrap().path(0).unwrap().len(), 904);
    refused(table(2000), "takes more memory than a file of its size may");
}
