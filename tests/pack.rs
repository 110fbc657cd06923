//! Containers that are written: what comes out of them is what was put in, for our reader and for another.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};

use exporter::Overwrite;
use fixtures::corpus::corpus;
use fixtures::pak::{Naming, PakEntry, PakWriter};
use fixtures::pak_reader::{self, ReadPak};
use fixtures::toc_reader::{self, ReadChunk};
use modkit::legacy::LegacyConverter;
use modkit::pack::{PackError, files, pack_io_store, pack_pak, plan_io_store, release_of};
use modkit::unpack::{UnpackOptions, plan, unpack};
use modkit::verify::verify;
use proptest::prelude::*;
use unreal::containers::iostore::{
    ChunkId, IoStore, IoStoreEncryption, IoStoreOptions, IoStoreWriter, TocVersion,
};
use unreal::containers::mount::Mount;
use unreal::containers::pak::{Pak, PakEncryption, PakForm, PakOptions};
use unreal::containers::{Container, ContainerHeader};
use unreal::{AesKey, FileSource, Guid, KeyRing, Limits, Memory, Method, Source, WriteError};

const FORMS: [&str; 16] =
    ["1", "2", "3", "4", "5", "6", "7", "8a", "8b", "9", "10", "11", "12", "13", "14", "15"];
const METHODS: [Option<Method>; 4] = [None, Some(Method::Zlib), Some(Method::Zstd), Some(Method::Lz4)];
const KEY: [u8; 32] = [0x5A; 32];
const THREADS: NonZeroUsize = NonZeroUsize::new(3).unwrap();

/// Returns bytes that nothing makes smaller.
fn noise(count: usize) -> Vec<u8> {
    let mut noise = fixtures::signal::Noise::new(count as u64 + 1);
    (0..count).map(|_| noise.bits() as u8).collect()
}

/// Files of every kind: empty, of a byte, of a block and of more, with names that are no ASCII.
fn contents() -> BTreeMap<String, Vec<u8>> {
    let text: Vec<u8> = b"What repeats becomes smaller. ".iter().copied().cycle().take(200_000).collect();
    let files = [
        ("Game/Content/Audio/Noise.ubulk", noise(100_000)),
        ("Game/Content/Text.txt", text.clone()),
        ("Game/Content/One.bin", vec![7]),
        ("Game/Content/Block.bin", text[..65_536].to_vec()),
        ("Game/Empty.ini", Vec::new()),
        ("Game/Straße/音.txt", b"names".to_vec()),
        ("root.txt", b"at the root".to_vec()),
    ];
    files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes)).collect()
}

fn write(folder: &Path, contents: &BTreeMap<String, Vec<u8>>) {
    for (path, bytes) in contents {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn options(form: &str, method: Option<Method>, cipher: Option<bool>) -> PakOptions {
    let encryption = cipher.map(|counts| PakEncryption {
        key: AesKey::new(KEY),
        guid: Guid::new([1, 2, 3, 4]),
        counts,
        hides_data: true,
        hides_index: true,
    });
    let (form, mount) = (form.parse().unwrap(), "../../../".to_owned());
    PakOptions { form, mount, method, encryption, game: None }
}

fn packed(folder: &Path, options: PakOptions) -> Result<Vec<u8>, PackError> {
    let out = pack_pak(&files(folder).unwrap().files, Cursor::new(Vec::new()), options, THREADS, &|_| true)?;
    Ok(out.unwrap().into_inner())
}

/// Reads a pak with the other reader.
fn second(bytes: &[u8]) -> ReadPak {
    pak_reader::read(bytes, Some(KEY), &|name, stored, size| {
        Method::of_container(name).unwrap().decompress(stored, size).unwrap()
    })
}

/// Reads a pak with ours, its hashes verified.
fn ours(bytes: Vec<u8>) -> BTreeMap<String, Vec<u8>> {
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new(KEY));
    let pak = Pak::open(Box::new(Memory(bytes)), &keys, &mut Limits::default()).unwrap();
    let mount = Mount::new(vec![("Mod.pak".to_owned(), Container::Pak(Box::new(pak)))]);
    let verified = verify(&mount, THREADS, &|_| true);
    assert!(verified.damaged.is_empty() && verified.tables.is_empty(), "{verified:?}");
    let read = |entry| {
        let source = mount.container(entry).unwrap().open(entry.entry).unwrap();
        let mut bytes = vec![0; source.len() as usize];
        source.read_at(0, &mut bytes).unwrap();
        (mount.label(entry), bytes)
    };
    mount.entries().map(read).collect()
}

#[test]
fn every_version_method_and_cipher_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let contents = contents();
    write(folder.path(), &contents);
    let mut written = 0;
    for form in FORMS {
        let number: u32 = form.trim_end_matches(['a', 'b']).parse().unwrap();
        for method in METHODS {
            for cipher in [None, Some(false), Some(true)] {
                let case = format!("{form} {method:?} {cipher:?}");
                let can = (number >= 8 || !matches!(method, Some(Method::Zstd | Method::Lz4)))
                    && (number >= 4 || cipher.is_none())
                    && (number >= 15 || cipher != Some(true));
                let bytes = match packed(folder.path(), options(form, method, cipher)) {
                    Ok(bytes) => bytes,
                    Err(PackError::Write(WriteError::Version { version, .. })) if !can => {
                        assert_eq!(version.trim_end_matches('b'), form.trim_end_matches('b'));
                        continue;
                    }
                    Err(error) => panic!("{case}: {error}"),
                };
                assert!(can, "{case}");
                let found = second(&bytes);
                assert_eq!((found.version, found.mount.as_str()), (number, "../../../"), "{case}");
                assert!(found.entries.iter().cloned().eq(contents.clone()), "{case}");
                // What does not become smaller is stored: noise, a byte, names.
                let compressed = if method.is_some() { 2 } else { 0 };
                assert_eq!(found.compressed, compressed, "{case}");
                assert!(ours(bytes.clone()) == contents, "{case}");
                let again = packed(folder.path(), options(form, method, cipher)).unwrap();
                assert!(again == bytes, "{case}: the same files give the same bytes");
                written += 1;
            }
        }
    }
    assert_eq!(written, 3 * 2 + 4 * 4 + 8 * 8 + 12);
}

#[test]
fn a_pak_of_another_program_is_packed_again_as_it_says() {
    let Some(folder) = corpus("containers") else { return };
    let mut again = 0;
    for entry in fs::read_dir(folder.join("pak")).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        if path.extension().is_none_or(|extension| extension != "pak") {
            continue;
        }
        let key = AesKey::parse("lNJbw660IOC+kU7cnVQ1oeqrXyhk4J6UAZrCBbcnp94=").unwrap();
        let mut keys = KeyRing::default();
        keys.add(None, key.clone());
        let open =
            |bytes: Vec<u8>| Pak::open(Box::new(Memory(bytes)), &keys, &mut Limits::default()).unwrap();
        let original = open(fs::read(&path).unwrap());
        // The name says how it was made.
        let has = |word: &str| name.split('_').any(|part| part == word);
        let form = name.split('_').nth(1).unwrap().trim_start_matches('v');
        let encryption = (has("encrypt") || has("encryptindex")).then(|| PakEncryption {
            key,
            guid: Guid::default(),
            counts: false,
            hides_data: has("encrypt"),
            hides_index: has("encryptindex"),
        });
        let options = PakOptions {
            form: form.parse().unwrap(),
            mount: original.mount().to_owned(),
            method: has("compress").then_some(Method::Zlib),
            encryption,
            game: None,
        };
        let root = resolved(original.mount());
        let original = Container::Pak(Box::new(original));
        let unpacked = tempfile::tempdir().unwrap();
        for number in 0..original.len() {
            let source = original.open(number).unwrap();
            let mut bytes = vec![0; source.len() as usize];
            source.read_at(0, &mut bytes).unwrap();
            let path = original.path(number).unwrap();
            let below = path.strip_prefix(&root).unwrap().trim_start_matches('/');
            write(unpacked.path(), &BTreeMap::from([(below.to_owned(), bytes)]));
        }
        let packed = Container::Pak(Box::new(open(packed(unpacked.path(), options).unwrap())));
        let says = |container: &Container| -> Vec<(String, u64, Option<String>, bool)> {
            let info = |number| {
                let info = container.info(number).unwrap();
                let path = container.path(number).unwrap().into_owned();
                (path, info.size, info.compression.map(str::to_lowercase), info.is_encrypted)
            };
            let mut entries: Vec<_> = (0..container.len()).map(info).collect();
            entries.sort();
            entries
        };
        assert_eq!(says(&packed), says(&original), "{name}");
        again += 1;
    }
    assert_eq!(again, 32);
}

#[test]
fn two_contents_of_one_path_are_not_hidden_by_the_same_stream() {
    let of = |byte: u8| {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &BTreeMap::from([("A.bin".to_owned(), vec![byte; 64])]));
        packed(folder.path(), options("15", None, Some(true))).unwrap()
    };
    let both: Vec<u8> = of(b'a').iter().zip(of(b'b')).map(|(one, other)| one ^ other).collect();
    assert!(!both.windows(64).any(|part| part == [b'a' ^ b'b'; 64]));
}

/// Returns a mount point as it is from the root on.
fn resolved(mount: &str) -> String {
    let parts = mount.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn an_entry_of_more_blocks_than_can_be_encoded_has_larger_ones() {
    // As many as 65,536 blocks of the usual size would hold, and one byte more; all of it sparse.
    let folder = tempfile::tempdir().unwrap();
    let size = 65_536 * 65_535_u64 + 1;
    let file = fs::File::create(folder.path().join("Large.bin")).unwrap();
    file.set_len(size).unwrap();
    let writer = unreal::containers::pak::PakWriter::new(
        Cursor::new(Vec::new()),
        options("11", Some(Method::Zlib), None),
    );
    let writer = writer.unwrap();
    assert_eq!(writer.block_size(size), 131_072);
    assert_eq!(writer.block_size(size - 1), 65_536);
    assert_eq!(writer.block_size(0), 65_536);
}

/// A file of data that stays in memory.
#[derive(Clone, Default)]
struct Part(Arc<Mutex<Vec<u8>>>);

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns the table and the files of data of a container of chunks, in blocks as they come.
fn stored(
    options: &IoStoreOptions,
    chunks: &[(ChunkId, Option<String>, Vec<u8>)],
) -> Result<(Vec<u8>, Vec<Vec<u8>>), WriteError> {
    let parts: Mutex<Vec<Part>> = Mutex::default();
    let open = |number: u64| {
        let mut parts = parts.lock().unwrap();
        assert_eq!(parts.len() as u64, number, "one after another");
        parts.push(Part::default());
        Ok(parts[number as usize].clone())
    };
    let mut writer = IoStoreWriter::new(options.clone(), open)?;
    for (id, path, data) in chunks {
        writer.begin(*id, path.as_deref())?;
        for block in data.chunks(65_536) {
            let mut compressed = options.method.map(|method| method.compress(block).unwrap());
            writer.block(&mut block.to_vec(), compressed.as_mut())?;
        }
        writer.end();
    }
    let table = writer.finish()?;
    let parts = parts.into_inner().unwrap();
    Ok((table, parts.into_iter().map(|part| part.0.lock().unwrap().clone()).collect()))
}

#[test]
fn tables_of_contents_of_every_version_are_read_as_they_were_written() {
    let named = contents().into_iter().enumerate();
    let mut chunks: Vec<(ChunkId, Option<String>, Vec<u8>)> =
        named.map(|(number, (path, data))| (ChunkId::of(number as u64 + 100, 2), Some(path), data)).collect();
    chunks.push((ChunkId::of(7, 6), None, b"a header without a path".to_vec()));
    let mut expected: Vec<_> = chunks
        .iter()
        .map(|(id, path, data)| ReadChunk { path: path.clone(), id: id.bytes(), data: data.clone() })
        .collect();
    expected.sort();
    let mut written = 0;
    for version in 1..=10 {
        for method in METHODS {
            for cipher in [None, Some(false), Some(true)] {
                for partition_size in [None, Some(160_007)] {
                    let case = format!("{version} {method:?} {cipher:?} {partition_size:?}");
                    let encryption = cipher.map(|counts| IoStoreEncryption {
                        key: AesKey::new(KEY),
                        guid: Guid::new([1, 2, 3, 4]),
                        counts,
                    });
                    let options = IoStoreOptions {
                        version: version.to_string().parse().unwrap(),
                        name: "Mod_P".to_owned(),
                        mount: "../../../".to_owned(),
                        method,
                        encryption,
                        partition_size,
                    };
                    let can =
                        (version >= 10 || cipher != Some(true)) && (version >= 3 || partition_size.is_none());
                    let (table, parts) = match stored(&options, &chunks) {
                        Ok(stored) => stored,
                        Err(WriteError::Version { .. }) if !can => continue,
                        Err(error) => panic!("{case}: {error}"),
                    };
                    assert!(can, "{case}");
                    let is_split = partition_size.is_some() && method.is_none();
                    assert!((parts.len() > 1) == is_split, "{case}");
                    assert!(parts.iter().all(|part| part.len() as u64 <= partition_size.unwrap_or(u64::MAX)));
                    let inflate = |name: &str, stored: &[u8], size: usize| {
                        Method::of_container(name).unwrap().decompress(stored, size).unwrap()
                    };
                    let (mount, mut found) = toc_reader::read(&table, &parts, Some(KEY), &inflate);
                    found.sort();
                    assert_eq!(mount, "../../../");
                    assert!(found == expected, "{case}");
                    // And by ours.
                    let mut keys = KeyRing::default();
                    keys.add(None, AesKey::new(KEY));
                    let numbers = {
                        let store = store(&table, &parts, &keys);
                        chunks.iter().map(|(id, ..)| store.find(*id).unwrap()).collect::<Vec<_>>()
                    };
                    let container = Container::IoStore(store(&table, &parts, &keys));
                    for (number, (_, path, data)) in numbers.into_iter().zip(&chunks) {
                        container.verify(number).unwrap();
                        assert_eq!(container.path(number).as_deref(), path.as_deref(), "{case}");
                        let source = container.open(number).unwrap();
                        let mut bytes = vec![0; source.len() as usize];
                        source.read_at(0, &mut bytes).unwrap();
                        assert!(bytes == *data, "{case}: {path:?}");
                    }
                    assert!(stored(&options, &chunks).unwrap() == (table, parts), "{case}: the same again");
                    written += 1;
                }
            }
        }
    }
    assert_eq!(written, 4 * (2 * 2 + 7 * 4 + 6));
}

fn store(table: &[u8], parts: &[Vec<u8>], keys: &KeyRing) -> IoStore {
    let files = parts.iter().map(|part| Some(Box::new(Memory(part.clone())) as Box<dyn Source>));
    IoStore::open(Box::new(Memory(table.to_vec())), files.collect(), keys, &mut Limits::default()).unwrap()
}

#[test]
fn two_files_that_the_engine_does_not_tell_apart_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let contents = [("a/File.txt", b"1"), ("A/file.TXT", b"2")];
    write(folder.path(), &contents.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).into());
    let error = packed(folder.path(), options("11", None, None)).unwrap_err();
    assert!(matches!(&error, PackError::Write(WriteError::Twice(path)) if path == "a/File.txt"), "{error}");
}

#[test]
fn a_version_is_named_as_it_was_typed() {
    for form in FORMS {
        assert_eq!(form.parse::<PakForm>().unwrap().to_string(), form);
    }
    assert_eq!("8".parse::<PakForm>().unwrap().to_string(), "8b");
    assert_eq!(PakForm::default().to_string(), "11");
    for text in ["", "0", "16", "11a", "a", "8c", "-1"] {
        assert!(text.parse::<PakForm>().is_err(), "{text}");
    }
}

/// Opens a container of a game in the corpus.
fn game(stem: &Path) -> IoStore {
    let source = |ending: &str| FileSource::open(stem.with_extension(ending)).unwrap();
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new(*b"CUE4ParseFixtureAESKey0123456789"));
    IoStore::open(
        Box::new(source("utoc")),
        vec![Some(Box::new(source("ucas")))],
        &keys,
        &mut Limits::default(),
    )
    .unwrap()
}

#[test]
fn packages_of_a_game_are_packed_again_as_they_were() {
    let Some(folder) = corpus("containers") else { return };
    let kinds = ["Tagged", "Unversioned"].into_iter().flat_map(|form| [(form, false), (form, true)]);
    for (form, is_converted) in kinds {
        let stem =
            folder.join("UE5_8/IoStore").join(form).join("Oodle/CUE4ParseFixtures-Minimal-Oodle-Windows");
        // The other container has the names of the game's code.
        let global = folder.join("UE5_8/IoStore").join(form).join("global");
        let containers =
            [&stem, &global].map(|stem| (stem.display().to_string(), Container::IoStore(game(stem))));
        let mount = Mount::new(containers.into());
        let unpacked = tempfile::tempdir().unwrap();
        let plan = plan(&mount, |entry, _| entry.container == 0);
        let converter = LegacyConverter::new(&mount, None).unwrap();
        let converter = Some(&converter).filter(|_| is_converted);
        let options = UnpackOptions {
            output: unpacked.path(),
            overwrite: &Overwrite::never(),
            converter,
            threads: THREADS,
            report: &|_| true,
        };
        let done = unpack(&mount, &plan, options).unwrap();
        assert!(done.failed.is_empty(), "{:?}", done.failed);
        assert_eq!(done.converted, if is_converted { 97 } else { 0 });
        // One that has no path, beside the header of the container, which is written anew.
        fs::create_dir_all(unpacked.path().join("chunks")).unwrap();
        fs::write(unpacked.path().join("chunks/0102030405060708000a0008.bin"), "shaders").unwrap();
        fs::write(unpacked.path().join("Readme.txt"), "no package").unwrap();

        let name = "CUE4ParseFixtures-Minimal-Oodle-Windows";
        let files = files(unpacked.path()).unwrap().files;
        let planned = plan_io_store(files, name, release_of(&mount).unwrap(), Some(&mount)).unwrap();
        let others: Vec<&str> = planned.others.iter().map(|file| file.entry.as_str()).collect();
        assert_eq!(others, ["Readme.txt"]);
        let options = IoStoreOptions {
            version: TocVersion::default(),
            name: name.to_owned(),
            mount: "../../../".to_owned(),
            method: Some(Method::Zlib),
            encryption: None,
            partition_size: None,
        };
        let data = Part::default();
        let table =
            pack_io_store(&planned, options, THREADS, |_| Ok(data.clone()), &|_| true).unwrap().unwrap();
        let data = data.0.lock().unwrap().clone();
        let packed = store(&table, &[data], &KeyRing::default());
        assert_eq!(packed.id(), game(&stem).id(), "the number of the container");

        let original = game(&stem);
        let ids: Vec<ChunkId> = (0..).map_while(|number| original.chunk_id(number)).collect();
        let bytes = |container: &Container, number: usize| {
            let source = container.open(number).unwrap();
            let mut bytes = vec![0; source.len() as usize];
            source.read_at(0, &mut bytes).unwrap();
            bytes
        };
        let numbers: Vec<Option<usize>> = ids.iter().map(|id| packed.find(*id)).collect();
        assert_eq!((0..).map_while(|number| packed.chunk_id(number)).count(), ids.len() + 1);
        let without_path = packed.find("0102030405060708000a0008".parse().unwrap()).unwrap();
        let (original, packed) = (Container::IoStore(original), Container::IoStore(packed));
        assert_eq!((bytes(&packed, without_path), packed.path(without_path)), (b"shaders".to_vec(), None));
        for (number, again) in numbers.into_iter().enumerate() {
            let again = again.unwrap_or_else(|| panic!("{:?} is gone", original.path(number)));
            packed.verify(again).unwrap();
            let (before, after) = (bytes(&original, number), bytes(&packed, again));
            assert_eq!(original.path(number), packed.path(again));
            if original.path(number).is_some() {
                assert!(before == after, "{:?}", original.path(number));
                continue;
            }
            // The header: what packages need is as it was.
            let header = |bytes| ContainerHeader::read(&Memory(bytes), &mut Limits::default()).unwrap();
            let (before, after) = (header(before), header(after));
            assert_eq!(before.packages, after.packages);
            assert_eq!((before.container, before.version), (after.container, after.version));
        }
    }
}

#[test]
fn paths_with_capitals_beyond_ascii_are_found_by_their_hashes() {
    // With the last one, the halves of a character beyond 16 bits.
    let names = ["Ä", "ÄÖÜ", "Σ", "ΑΣ", "İ", "İI", "Ж", "Ў", "Ω", "K", "Å", "Ÿ", "ẞ", "Ā", "Ａ", "É", "𐐀"];
    let contents: BTreeMap<String, Vec<u8>> =
        names.iter().map(|name| (format!("Game/{name}/{name}.Bin"), name.as_bytes().to_vec())).collect();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &contents);
    for form in ["11", "12", "13", "14", "15"] {
        let bytes = packed(folder.path(), options(form, None, None)).unwrap();
        // The other reader looks for each path by its hash.
        assert!(second(&bytes).entries.into_iter().eq(contents.clone()), "{form}");
        assert!(ours(bytes) == contents, "{form}");
    }
    // And those that another program writes are found by ours.
    let entries = contents.iter().map(|(path, bytes)| PakEntry::new(path, bytes)).collect();
    let naming = Naming::HashesAndDirectory;
    assert!(ours(PakWriter { entries, naming, ..PakWriter::new(11) }.finish()) == contents);
}

#[test]
fn paths_that_the_engine_does_not_tell_apart_are_refused_whatever_their_letters() {
    for [one, other] in [["ä.bin", "Ä.bin"], ["ΑΣ.bin", "ασ.bin"], ["İ.bin", "i.bin"], ["ж.bin", "Ж.bin"]]
    {
        let mut writer =
            unreal::containers::pak::PakWriter::new(Cursor::new(Vec::new()), options("11", None, None))
                .unwrap();
        writer.begin(one, 0, false, b"").unwrap();
        writer.end().unwrap();
        assert!(matches!(writer.begin(other, 0, false, b""), Err(WriteError::Twice(_))), "{one} {other}");
    }
}

/// Files of any size up to a few blocks, more or less compressible, in a few folders.
fn any_files() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let bytes = (0_usize..150_000, any::<u64>(), 1_u8..=255).prop_map(|(length, seed, variety)| {
        let mut noise = fixtures::signal::Noise::new(seed | 1);
        (0..length).map(|_| noise.bits() as u8 % variety).collect()
    });
    proptest::collection::btree_map("[a-c]/[a-zé音]{1,8}\\.[a-z]{3}", bytes, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_packed_is_read_as_it_was(
        contents in any_files(),
        form in proptest::sample::select(&FORMS[..]),
        method in proptest::sample::select(&METHODS[..]),
        cipher in proptest::option::of(any::<bool>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &contents);
        match packed(folder.path(), options(form, method, cipher)) {
            Ok(bytes) => {
                prop_assert!(second(&bytes).entries.into_iter().eq(contents.clone()));
                prop_assert!(ours(bytes) == contents);
            }
            Err(PackError::Write(WriteError::Version { .. } | WriteError::Twice(_))) => {}
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn whatever_becomes_chunks_is_read_as_it_was(
        contents in any_files(),
        version in 1_u8..=10,
        method in proptest::sample::select(&METHODS[..]),
        cipher in proptest::option::of(any::<bool>()),
        partition_size in proptest::option::of(65_536_u64..300_000),
    ) {
        let chunks: Vec<(ChunkId, Option<String>, Vec<u8>)> = contents
            .into_iter()
            .enumerate()
            .map(|(number, (path, data))| (ChunkId::of(number as u64, 1), Some(path), data))
            .collect();
        let encryption = cipher.map(|counts| IoStoreEncryption {
            key: AesKey::new(KEY),
            guid: Guid::default(),
            counts,
        });
        let options = IoStoreOptions {
            version: version.to_string().parse().unwrap(),
            name: "Any".to_owned(),
            mount: "../../../".to_owned(),
            method,
            encryption,
            partition_size,
        };
        match stored(&options, &chunks) {
            Ok((table, parts)) => {
                let inflate = |name: &str, stored: &[u8], size: usize| {
                    Method::of_container(name).unwrap().decompress(stored, size).unwrap()
                };
                let (_, mut found) = toc_reader::read(&table, &parts, Some(KEY), &inflate);
                found.sort();
                let expected = chunks
                    .iter()
                    .map(|(id, path, data)| ReadChunk { path: path.clone(), id: id.bytes(), data: data.clone() });
                let mut expected: Vec<_> = expected.collect();
                expected.sort();
                prop_assert!(found == expected);
            }
            Err(WriteError::Version { .. }) => {}
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

#[test]
fn what_a_cue_of_a_game_needs_is_found_to_the_end() {
    let Some(folder) = corpus("containers") else { return };
    for form in ["Tagged", "Unversioned"] {
        let stem =
            folder.join("UE5_8/IoStore").join(form).join("Oodle/CUE4ParseFixtures-Minimal-Oodle-Windows");
        let mount = Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(game(&stem)))]);
        let cue = mount.entries().find(|entry| mount.label(*entry).ends_with("SC_Fixture.uasset")).unwrap();
        let needed = modkit::mods::needed(&mount, [cue]);
        let mut labels: Vec<String> = needed.entries.iter().map(|entry| mount.label(*entry)).collect();
        labels.sort();
        let audio = "CUE4ParseFixtures/Content/Fixtures/Audio/";
        let expected = ["SW_Inline.uasset", "SW_Inline.ubulk", "SW_Streaming.uasset", "SW_Streaming.ubulk"];
        assert_eq!(labels, expected.map(|name| format!("{audio}{name}")));
        assert!(needed.missing.is_empty() && needed.failed.is_empty(), "{needed:?}");
    }
}
