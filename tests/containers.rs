//! Containers of Unreal Engine 4 to 6.

use std::fs;
use std::path::{Path, PathBuf};

use fixtures::corpus::corpus;
use fixtures::pak::{Naming, PakEntry, PakWriter};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use sha1::{Digest as _, Sha1};
use unreal::containers::{ChunkId, ChunkType, Container, IoStore};
use unreal::{AesKey, FileSource, KeyRing, Limits, Memory, Source};

/// The key that the fixtures of a program are encrypted with.
fn key(path: &Path) -> KeyRing {
    let is_of_repak = path.to_str().unwrap().contains("containers/pak/");
    let key = if is_of_repak {
        AesKey::parse("lNJbw660IOC+kU7cnVQ1oeqrXyhk4J6UAZrCBbcnp94=").unwrap()
    } else {
        AesKey::new(*b"CUE4ParseFixtureAESKey0123456789")
    };
    let mut keys = KeyRing::default();
    keys.add(None, key);
    keys
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn bytes(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

/// Opens a table of contents and the data beside it.
fn io_store(path: &Path) -> IoStore {
    let toc = FileSource::open(path).unwrap();
    let count = IoStore::partition_count(&toc).unwrap();
    let partition = |number: u32| {
        let name = if number == 0 { String::new() } else { format!("_s{number}") };
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let file = FileSource::open(path.with_file_name(format!("{stem}{name}.ucas"))).ok()?;
        Some(Box::new(file) as Box<dyn Source>)
    };
    let (partitions, length) = ((0..count).map(partition).collect(), toc.len());
    let store = IoStore::open(Box::new(toc), partitions, &key(path), &mut Limits::default());
    let store = store.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(store.table_end(), length, "{}", path.display());
    store
}

#[test]
fn every_chunk_of_every_table_is_read_and_verified() {
    let Some(folder) = corpus("containers") else { return };
    let (mut tables, mut chunks, mut named) = (0, 0, 0);
    for path in below(&folder).iter().filter(|path| path.extension().is_some_and(|e| e == "utoc")) {
        let store = io_store(path);
        tables += 1;
        let ids: Vec<_> = (0..).map_while(|number| store.chunk_id(number)).collect();
        for (number, id) in ids.iter().enumerate() {
            assert_eq!(store.find(*id), Some(number), "{}: {id}", path.display());
        }
        let container = Container::IoStore(store);
        for number in 0..container.len() {
            let info = container.info(number).unwrap();
            container.verify(number).unwrap_or_else(|error| panic!("{}: {info:?}: {error}", path.display()));
            chunks += 1;
            named += usize::from(container.path(number).is_some());
        }
    }
    assert_eq!((tables, chunks, named), (14, 1127, 1113));
}

#[test]
fn every_entry_of_every_pak_is_read_and_verified() {
    let Some(folder) = corpus("containers") else { return };
    let mut entries = 0;
    for path in below(&folder) {
        if path.extension().is_none_or(|extension| extension != "pak") {
            continue;
        }
        let pak = Container::open_pak(
            Box::new(FileSource::open(&path).unwrap()),
            &key(&path),
            &mut Limits::default(),
        );
        let pak = pak.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(pak.verify_tables().is_empty(), "{}: {:?}", path.display(), pak.verify_tables());
        for number in 0..pak.len() {
            let info = pak.info(number).unwrap();
            let name = format!("{}: {:?}", path.display(), info);
            pak.verify(number).unwrap_or_else(|error| panic!("{name}: {error}"));
            let source = pak.open(number).unwrap();
            assert_eq!(source.len(), info.size);
            let twin = folder.join("pak/root").join(
                pak.path(number).unwrap().trim_start_matches("mount/point/").trim_start_matches("root/"),
            );
            if path.starts_with(folder.join("pak")) {
                assert!(bytes(&*source) == fs::read(&twin).unwrap(), "{name}");
            }
            entries += 1;
        }
    }
    assert_eq!(entries, 250);
}

const KEY: [u8; 32] = *b"a key of thirty-two bytes, no m.";

/// A pak of every kind of entry that a version has.
fn writer(version: u32) -> PakWriter {
    let long: Vec<u8> = (0..200_000_u32).map(|n| (n / 7 % 251) as u8).collect();
    let mut entries = vec![
        PakEntry::new("Game/Config/Game.ini", b"[Game]"),
        PakEntry::new("root.txt", b""),
        PakEntry::new("Game/Content/Long.bin", &long),
    ];
    // Several blocks at once from version 3 on.
    let sizes: &[usize] = if version < 3 { &[200_000] } else { &[200_000, 65_536, 3000] };
    for (number, size) in sizes.iter().enumerate() {
        let path = format!("Game/Content/Packed{number}.bin");
        entries.push(PakEntry { block_size: Some(*size), ..PakEntry::new(&path, &long) });
    }
    PakWriter { entries, ..PakWriter::new(version) }
}

fn check(writer: &PakWriter, case: &str) {
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new(KEY));
    let bytes = writer.finish();
    let pak = Container::open_pak(Box::new(Memory(bytes.clone())), &keys, &mut Limits::default());
    let pak = pak.unwrap_or_else(|error| panic!("{case}: {error}"));
    let Container::Pak(opened) = &pak else { panic!("{case}") };
    assert_eq!(opened.version().to_string(), writer.version.to_string());
    assert_eq!(pak.len(), writer.entries.len(), "{case}");
    assert!(pak.verify_tables().is_empty(), "{case}: {:?}", pak.verify_tables());
    for entry in &writer.entries {
        let number = (0..pak.len()).find(|number| pak.path(*number).as_deref() == Some(&entry.path));
        let number = number.unwrap_or_else(|| panic!("{case}: {}", entry.path));
        let info = pak.info(number).unwrap();
        assert_eq!((info.size, info.is_encrypted), (entry.data.len() as u64, entry.is_hidden), "{case}");
        assert_eq!(info.compression.is_some(), entry.block_size.is_some(), "{case}");
        assert!(self::bytes(&*pak.open(number).unwrap()) == entry.data, "{case}: {}", entry.path);
        pak.verify(number).unwrap_or_else(|error| panic!("{case}: {}: {error}", entry.path));
    }
    // One changed byte of the first entry is seen, wherever that lies.
    let mut changed = bytes;
    let place = changed.windows(6).position(|bytes| bytes == b"[Game]");
    if let Some(place) = place {
        changed[place + 1] ^= 1;
        let pak = Container::open_pak(Box::new(Memory(changed)), &keys, &mut Limits::default()).unwrap();
        let number =
            (0..pak.len()).find(|number| pak.path(*number).as_deref() == Some("Game/Config/Game.ini"));
        assert!(pak.verify(number.unwrap()).is_err(), "{case}");
    }
}

#[test]
fn paks_of_every_version_are_read_in_every_form_that_they_have() {
    for version in 1..=15 {
        let plain = writer(version);
        check(&plain, &format!("version {version}"));
        if version == 8 {
            check(&PakWriter { method_names: 4, ..plain.clone() }, "version 8 with four methods");
        }
        let hide = |mut writer: PakWriter| {
            writer.key = Some(KEY);
            writer.entries.iter_mut().for_each(|entry| entry.is_hidden = true);
            writer
        };
        let mut forms = vec![("plain", plain)];
        if version >= 10 {
            forms.push(("entries written out", PakWriter { is_plain: true, ..writer(version) }));
            for naming in [Naming::HashesAndDirectory, Naming::HashesWithFolders] {
                forms.push(("with hashes of paths", PakWriter { naming, ..writer(version) }));
            }
        }
        if version >= 13 {
            forms.push(("flat", PakWriter { is_flat: true, ..writer(version) }));
        }
        for (form, writer) in forms {
            check(&writer, &format!("version {version}, {form}"));
            if version >= 3 {
                check(&hide(writer.clone()), &format!("version {version}, {form}, entries encrypted"));
            }
            if version >= 4 {
                let hidden = PakWriter { hides_index: true, ..hide(writer.clone()) };
                check(&hidden, &format!("version {version}, {form}, all encrypted"));
                if version >= 15 {
                    check(&PakWriter { counts: true, ..hidden }, &format!("version {version}, {form}, CTR"));
                }
            }
        }
    }
}

#[test]
fn a_pak_of_a_later_version_is_named_as_one() {
    for version in 1..=15 {
        let mut bytes = writer(version).finish();
        let magic = bytes.windows(4).rposition(|bytes| bytes == 0x5A6F_12E1_u32.to_le_bytes()).unwrap();
        bytes[magic + 4..magic + 8].copy_from_slice(&16_u32.to_le_bytes());
        let source = Memory(bytes);
        assert!(Container::is_pak(&source).unwrap(), "{version}");
        let refused = Container::open_pak(Box::new(source), &KeyRing::default(), &mut Limits::default());
        let text = refused.map(drop).unwrap_err().to_string();
        assert!(text.contains("a pak of version 16, which is not supported"), "{text}");
    }
}

fn open_pak(bytes: Vec<u8>) -> Container {
    Container::open_pak(Box::new(Memory(bytes)), &KeyRing::default(), &mut Limits::default()).unwrap()
}

#[test]
fn entries_without_a_path_are_listed_by_its_hash() {
    for version in 10..=15 {
        let writer = PakWriter { naming: Naming::Hashes, ..writer(version) };
        let pak = open_pak(writer.finish());
        for entry in &writer.entries {
            let hash = format!("{:016x}", PakWriter::path_hash(&entry.path));
            let number = (0..pak.len()).find(|number| pak.path(*number).as_deref() == Some(&hash)).unwrap();
            assert!(bytes(&*pak.open(number).unwrap()) == entry.data, "{version}: {}", entry.path);
        }
        assert!(pak.verify_tables().is_empty(), "{version}: {:?}", pak.verify_tables());
    }
}

#[test]
fn an_entry_whose_hash_is_another_path_s_is_named() {
    for version in 10..=12 {
        let writer = PakWriter { naming: Naming::HashesAndDirectory, ..writer(version) };
        let mut bytes = writer.finish();
        let hash = PakWriter::path_hash("Game/Config/Game.ini").to_le_bytes();
        let hash_at = bytes.windows(8).position(|part| part == hash).unwrap();
        bytes[hash_at] ^= 1;
        // The index has a hash of its own, twice.
        let part_at = hash_at - 4;
        let part = &bytes[part_at..part_at + 4 + 12 * writer.entries.len() + 4];
        let sha1: [u8; 20] = Sha1::digest(part).into();
        let footer = bytes.len() - 44 - 5 * 32;
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let (index, length) = (number(footer + 8), number(footer + 16));
        let place = (part_at as u64).to_le_bytes();
        let head = (index..).find(|at| bytes[*at..*at + 8] == place).unwrap();
        bytes[head + 16..head + 36].copy_from_slice(&sha1);
        let sha1: [u8; 20] = Sha1::digest(&bytes[index..index + length]).into();
        bytes[footer + 24..footer + 44].copy_from_slice(&sha1);
        let errors: Vec<String> =
            open_pak(bytes).verify_tables().into_iter().map(|error| error.to_string()).collect();
        if version == 10 {
            // Its hash is not known.
            assert!(errors.is_empty(), "{errors:?}");
        } else {
            assert!(
                matches!(&errors[..], [error] if error.starts_with("Game/Config/Game.ini: ")),
                "{errors:?}"
            );
        }
    }
}

#[test]
fn a_key_that_opens_no_entry_of_a_pak_is_none() {
    let mut pak = PakWriter { key: Some(KEY), ..writer(11) };
    pak.entries.iter_mut().for_each(|entry| entry.is_hidden = true);
    let bytes = pak.finish();
    for (given, expected) in [
        (
            &[[1; 32]][..],
            Err(
                "encrypted (key id 00000000-0000-0000-0000-000000000000, the game's main key); entry of a pak at",
            ),
        ),
        (&[[1; 32], KEY], Ok(())),
    ] {
        let mut keys = KeyRing::default();
        given.iter().for_each(|key| keys.add(None, AesKey::new(*key)));
        let pak =
            Container::open_pak(Box::new(Memory(bytes.clone())), &keys, &mut Limits::default()).unwrap();
        let packed =
            (0..pak.len()).find(|number| pak.path(*number).as_deref() == Some("Game/Content/Packed1.bin"));
        let source = pak.open(packed.unwrap()).unwrap();
        let read = source.read_at(0, &mut [0; 100]).map_err(|error| error.to_string());
        match (read, expected) {
            (Ok(()), Ok(())) => {}
            (Err(error), Err(start)) => {
                assert!(error.starts_with(start), "{error}");
            }
            (read, _) => panic!("{read:?}"),
        }
    }
}

#[test]
fn of_several_keys_the_one_is_taken_with_which_chunks_have_their_hashes() {
    let mut keys = KeyRing::default();
    for key in [[1; 32], KEY, [2; 32]] {
        keys.add(None, AesKey::new(key));
    }
    for version in [1, 5, 8, 10] {
        for has_directory in [false, true] {
            let writer = TocWriter { key: Some(KEY), has_directory, ..toc_writer(version) };
            let WrittenToc { table, partitions, .. } = writer.finish();
            let partitions =
                partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
            let store =
                IoStore::open(Box::new(Memory(table)), partitions.collect(), &keys, &mut Limits::default());
            let store = Container::IoStore(store.unwrap());
            for number in 0..store.len() {
                store.verify(number).unwrap_or_else(|error| panic!("{version}: {error}"));
            }
        }
    }
}

#[test]
fn what_a_chunk_of_many_blocks_takes_is_the_sum_of_them() {
    let lengths = [(70, false), (1, true), (200, false), (130, true), (63, false), (64, false), (65, true)];
    let chunks = lengths.iter().zip(0_u8..).map(|((blocks, is_packed), number)| TocChunk {
        path: format!("{number}.bin"),
        id: [number, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 2],
        data: vec![number; blocks * 16],
        is_packed: *is_packed,
    });
    let chunks: Vec<TocChunk> = chunks.collect();
    let writer = TocWriter { chunks, block_size: 16, has_seeds: false, ..TocWriter::new(8) };
    let WrittenToc { table, .. } = writer.finish();
    // Rows of blocks: what each takes is in three bytes from the fifth on, and the last byte is its method.
    let rows = 144 + 22 * lengths.len();
    let (keys, limits) = (KeyRing::default(), &mut Limits::default());
    let opened = IoStore::open(Box::new(Memory(table.clone())), Vec::new(), &keys, limits);
    let container = Container::IoStore(opened.unwrap());
    for (number, (count, _)) in lengths.iter().enumerate() {
        let info = container.info(number).unwrap();
        let blocks = (info.extent.start / 16) as usize..info.extent.end.div_ceil(16) as usize;
        let row = |block: usize| &table[rows + 12 * block..][..12];
        let stored = blocks.clone().map(|block| u64::from(row(block)[5]) + 256 * u64::from(row(block)[6]));
        assert_eq!(info.stored, stored.sum::<u64>(), "{number}");
        assert_eq!(info.compression.is_some(), blocks.clone().any(|block| row(block)[11] > 0), "{number}");
        assert_eq!(blocks.len(), *count);
    }
}

/// A container of chunks of no, one and several blocks.
fn toc_writer(version: u8) -> TocWriter {
    let chunks = (0..25_u8).map(|number| {
        let length = [0, 5, 0x1000, 0x1001, 9000][usize::from(number) % 5];
        let data = (0..length).map(|at| (at / 3 % 250) as u8 ^ number).collect();
        let path = format!("Game/Content/{}/Chunk{number}.uasset", number % 3);
        let id = [number, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 2];
        TocChunk { path, id, data, is_packed: number % 2 == 1 }
    });
    TocWriter { chunks: chunks.collect(), ..TocWriter::new(version) }
}

fn check_toc(writer: &TocWriter, case: &str) {
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new(KEY));
    let WrittenToc { table, partitions, order } = writer.finish();
    let open = |partitions: &[Vec<u8>]| {
        let sources = partitions.iter().map(|bytes| Some(Box::new(Memory(bytes.clone())) as Box<dyn Source>));
        let store =
            IoStore::open(Box::new(Memory(table.clone())), sources.collect(), &keys, &mut Limits::default());
        store.unwrap_or_else(|error| panic!("{case}: {error}"))
    };
    let store = open(&partitions);
    assert_eq!(store.version().to_string(), writer.version.to_string());
    assert_eq!(store.table_end(), table.len() as u64, "{case}");
    assert_eq!(IoStore::partition_count(&Memory(&table)).unwrap() as usize, partitions.len(), "{case}");
    for (entry, chunk) in order.iter().enumerate() {
        let id = store.chunk_id(entry).unwrap();
        assert_eq!(id.bytes(), writer.chunks[*chunk].id, "{case}");
        assert_eq!(store.find(id), Some(entry), "{case}");
        // The numbers of types changed with version 5.
        let expected = if writer.version < 5 { ChunkType::ExportBundleData } else { ChunkType::BulkData };
        assert_eq!(store.chunk_type(entry), Some(expected), "{case}");
    }
    assert_eq!(store.find(ChunkId::of(99, 2)), None, "{case}");
    let container = Container::IoStore(store);
    for (entry, chunk) in order.iter().map(|chunk| &writer.chunks[*chunk]).enumerate() {
        let path = writer.has_directory.then_some(chunk.path.as_str());
        assert_eq!(container.path(entry).as_deref(), path, "{case}");
        assert!(bytes(&*container.open(entry).unwrap()) == chunk.data, "{case}: {}", chunk.path);
        container.verify(entry).unwrap_or_else(|error| panic!("{case}: {}: {error}", chunk.path));
    }
    // One changed byte of the data is seen.
    let mut changed = partitions;
    changed[0][0] ^= 1;
    let store = Container::IoStore(open(&changed));
    let damaged = (0..store.len()).filter(|entry| store.verify(*entry).is_err()).count();
    assert_eq!(damaged, 1, "{case}");
}

#[test]
fn tables_of_every_version_are_read_in_every_form_that_they_have() {
    for version in 1..=10 {
        let plain = toc_writer(version);
        check_toc(&plain, &format!("version {version}"));
        check_toc(
            &TocWriter { has_directory: false, ..plain.clone() },
            &format!("version {version}, no paths"),
        );
        check_toc(&TocWriter { is_signed: true, ..plain.clone() }, &format!("version {version}, signed"));
        check_toc(
            &TocWriter { is_on_demand: true, ..plain.clone() },
            &format!("version {version}, on demand"),
        );
        check_toc(&TocWriter { key: Some(KEY), ..plain.clone() }, &format!("version {version}, encrypted"));
        if version >= 3 {
            let parted = TocWriter { partition_size: Some(0x4000), ..plain.clone() };
            assert!(parted.finish().partitions.len() > 2);
            check_toc(&parted, &format!("version {version}, several files"));
        }
        if version >= 4 {
            check_toc(
                &TocWriter { has_seeds: false, ..plain.clone() },
                &format!("version {version}, no seeds"),
            );
        }
        if version >= 5 {
            check_toc(
                &TocWriter { overflows: true, ..plain.clone() },
                &format!("version {version}, overflow"),
            );
        }
        if version >= 10 {
            let hidden = TocWriter { key: Some(KEY), counts: true, ..plain };
            check_toc(&hidden, "version 10, CTR");
            check_toc(&TocWriter { has_directory: false, ..hidden }, "version 10, CTR, no paths");
        }
    }
}

/// Reads everything there is, if it can be opened.
fn read_all(container: Result<Container, unreal::Error>) {
    let Ok(container) = container else { return };
    for number in 0..container.len().min(50) {
        let _ = (container.info(number), container.verify(number));
    }
    let _ = container.verify_tables();
}

#[test]
fn an_index_that_is_cut_or_changed_anywhere_does_no_harm() {
    let Some(folder) = corpus("containers") else { return };
    for name in
        ["pack_v5.pak", "pack_v8b_compress.pak", "pack_v11.pak", "pack_v11_compress_encrypt_encryptindex.pak"]
    {
        let path = folder.join("pak").join(name);
        let whole = fs::read(&path).unwrap();
        let open = |bytes: Vec<u8>| {
            Container::open_pak(Box::new(Memory(bytes)), &key(&path), &mut Limits::default())
        };
        for at in whole.len().saturating_sub(2000)..whole.len() {
            read_all(open(whole[..at].to_vec()));
            for change in [0x01, 0x80, 0xFF] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                read_all(open(changed));
            }
        }
    }
    let path = folder.join("UE5_8/Patch/IoStore/CUE4ParseFixtures-PatchBase.utoc");
    let (whole, data) = (fs::read(&path).unwrap(), fs::read(path.with_extension("ucas")).unwrap());
    let open = |bytes: &[u8]| {
        let data: Box<dyn Source> = Box::new(Memory(data.clone()));
        IoStore::open(Box::new(Memory(bytes.to_vec())), vec![Some(data)], &key(&path), &mut Limits::default())
            .map(Container::IoStore)
    };
    for at in 0..whole.len() {
        read_all(open(&whole[..at]));
        for change in [0x01, 0x80, 0xFF] {
            let mut changed = whole.clone();
            changed[at] ^= change;
            read_all(open(&changed));
        }
    }
}

#[test]
fn the_script_objects_of_a_game_have_the_paths_whose_hashes_are_known() {
    let Some(folder) = corpus("containers") else { return };
    let store = io_store(&folder.join("UE5_8/IoStore/Unversioned/global.utoc"));
    let objects = store.script_objects(&mut Limits::default()).unwrap().unwrap();
    assert_eq!(objects.len(), 36_979);
    for (path, id) in [
        ("/Script/Engine.BodySetup", 0x6623_523D_EF01_A2F7),
        ("/Script/Engine.SkeletalMesh", 0x42D9_3E6A_CFCE_1861),
        ("/Script/Engine.StaticMesh", 0x407C_DE1A_593E_47CF),
    ] {
        let object = objects.iter().find(|object| object.path == path).unwrap_or_else(|| panic!("{path}"));
        assert_eq!(object.id, id, "{path}");
    }
}
