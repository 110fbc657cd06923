//! Paks with the cipher of Marvel Rivals: those of another program, and of a second reader and writer.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::path::Path;

use fixtures::corpus::corpus;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::rivals::{self, RivalsPak, Spelling};
use modkit::pack::{PackError, files, pack_pak};
use modkit::verify::{CipherHashes, verify};
use unreal::containers::mount::Mount;
use unreal::containers::pak::{PakEncryption, PakOptions};
use unreal::containers::{Container, HashedBytes};
use unreal::{AesKey, Error, ErrorKind, GameCipher, Guid, KeyRing, Limits, Memory, Method, WriteError};

/// The key of the corpus.
const KEY: [u8; 32] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
    29, 30, 31,
];
const WRONG: [u8; 32] = [0x77; 32];
const METHODS: [Option<Method>; 3] = [None, Some(Method::Zlib), Some(Method::Zstd)];

fn ring_for(game: Option<GameCipher>, keys: &[[u8; 32]]) -> KeyRing {
    let mut ring = KeyRing::for_game(game);
    keys.iter().for_each(|key| ring.add(None, AesKey::new(*key)));
    ring
}

fn ring(keys: &[[u8; 32]]) -> KeyRing {
    ring_for(None, keys)
}

fn forced(keys: &[[u8; 32]]) -> KeyRing {
    ring_for(Some(GameCipher::Rivals), keys)
}

fn open(bytes: &[u8], keys: &KeyRing) -> Result<Container, Error> {
    Container::open_pak(Box::new(Memory(bytes.to_vec())), keys, &mut Limits::default())
}

/// Reads all entries; an error if one cannot be read.
fn contents(pak: &Container) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let read = |number| {
        let source = pak.open(number).map_err(|error| error.to_string())?;
        let size = usize::try_from(source.len()).ok().filter(|size| *size < 1 << 24);
        let mut bytes = vec![0; size.ok_or("a size that lies")?];
        source.read_at(0, &mut bytes).map_err(|error| error.to_string())?;
        Ok((pak.path(number).unwrap().into_owned(), bytes))
    };
    (0..pak.len()).map(read).collect()
}

/// Checks that every entry has its stated hash, of these bytes.
fn check_hashes(pak: &Container, hashed: HashedBytes, case: &str) {
    for number in 0..pak.len() {
        let path = pak.path(number).unwrap();
        let found = pak.verify(number).unwrap_or_else(|error| panic!("{case}: {path}: {error}"));
        assert!(found == hashed || pak.info(number).unwrap().size == 0, "{case}: {path}: {found:?}");
    }
    assert!(pak.verify_tables().is_empty(), "{case}: {:?}", pak.verify_tables());
}

fn below(folder: &Path, root: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, root, found);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(name, fs::read(&path).unwrap());
        }
    }
}

fn inflate(name: &str, stored: &[u8], size: usize) -> Vec<u8> {
    Method::of_container(name).unwrap().decompress(stored, size).unwrap()
}

/// Files of every size that a rule has an edge at: of a block of the cipher, and of what is encrypted of a path.
fn edges() -> Vec<(String, Vec<u8>)> {
    let mut noise = fixtures::signal::Noise::new(5);
    let mut bytes = |size: usize| (0..size).map(|_| noise.bits() as u8).collect::<Vec<u8>>();
    let sizes = [0, 1, 15, 16, 17, 255, 256, 257, 4095, 4096, 4097, 65_536, 150_001];
    let mut files: Vec<(String, Vec<u8>)> =
        sizes.iter().map(|size| (format!("Game/Content/Size{size}.bin"), bytes(*size))).collect();
    for (name, more) in [("Less", -1), ("Same", 0), ("More", 1), ("Block", 16), ("Under", -16)] {
        for number in 0..4 {
            let path = format!("Game/Content/{name}/N{number}.uasset");
            let size = rivals::limit(&path.to_lowercase()).checked_add_signed(more).unwrap();
            files.push((path, bytes(size)));
        }
    }
    let text: Vec<u8> = b"What repeats becomes smaller. ".iter().copied().cycle().take(200_000).collect();
    files.push(("Game/Content/Sub/Text.txt".to_owned(), text));
    files.push(("root.ini".to_owned(), bytes(300)));
    files
}

fn write(folder: &Path, files: &[(String, Vec<u8>)]) {
    for (path, bytes) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn options(form: &str, method: Option<Method>) -> PakOptions {
    let encryption = Some(PakEncryption {
        key: AesKey::new(KEY),
        // Paks of the game name no key.
        guid: Guid::new([1, 2, 3, 4]),
        counts: false,
        hides_data: true,
        hides_index: true,
    });
    let (form, mount) = (form.parse().unwrap(), "../../../".to_owned());
    PakOptions { form, mount, method, encryption, game: Some(GameCipher::Rivals) }
}

fn packed(folder: &Path, options: PakOptions) -> Result<Vec<u8>, PackError> {
    let threads = NonZeroUsize::new(2).unwrap();
    let out = Cursor::new(Vec::new());
    Ok(pack_pak(&files(folder).unwrap().files, out, options, threads, &|_| true)?.unwrap().into_inner())
}

#[test]
fn paks_of_another_program_are_read_without_an_option() {
    let Some(folder) = corpus("uassetapi/rivals") else { return };
    let mut files = BTreeMap::new();
    below(&folder.join("in"), &folder.join("in"), &mut files);
    let mut read = 0;
    for name in ["V11", "V11_mount", "V11_zlib", "V11_zstd", "V8B", "V8B_zlib", "V8B_zstd"] {
        let bytes = fs::read(folder.join(format!("riv_{name}.pak"))).unwrap();
        for keys in [ring(&[KEY]), forced(&[KEY]), ring(&[WRONG, KEY])] {
            let pak = open(&bytes, &keys).unwrap();
            assert_eq!(pak.cipher(), Some(GameCipher::Rivals), "{name}");
            assert!(contents(&pak).unwrap() == files, "{name}");
            check_hashes(&pak, HashedBytes::Decrypted, name);
            for number in 0..pak.len() {
                let info = pak.info(number).unwrap();
                assert_eq!((info.is_encrypted, info.cipher), (true, Some(GameCipher::Rivals)), "{name}");
            }
        }
        read += files.len();
    }
    assert_eq!(read, 119);
    let plain = open(&fs::read(folder.join("plain_V11.pak")).unwrap(), &ring(&[KEY])).unwrap();
    assert_eq!(plain.cipher(), None);
    assert!(contents(&plain).unwrap() == files);
}

#[test]
fn what_is_packed_is_byte_for_byte_what_another_program_packs() {
    let Some(folder) = corpus("uassetapi/rivals") else { return };
    for (form, name) in [("11", "riv_V11"), ("8", "riv_V8B")] {
        let ours = packed(&folder.join("in"), options(form, None)).unwrap();
        let other = fs::read(folder.join(format!("{name}.pak"))).unwrap();
        let [(mount, mut ours), (other_mount, mut other)] =
            [&ours, &other].map(|bytes| rivals::read(bytes, &KEY, &inflate));
        assert_eq!(mount, other_mount);
        // The other program writes them in the order in which its threads are done.
        ours.sort_by(|one, other| one.path.cmp(&other.path));
        other.sort_by(|one, other| one.path.cmp(&other.path));
        assert!(ours == other, "{name}");
        assert_eq!(ours.len(), 17);
    }
}

/// Source: the text of the specification, measured on paks of another program.
#[test]
fn as_many_bytes_are_cipher_text_as_the_path_says() {
    let limits = [
        ("Game/Content/Text.txt", 768),
        ("Game/Content/len00016.bin", 4096),
        ("Game/Content/len00256.bin", 640),
        ("Game/Content/Sub/MiXeD Case.uasset", 1344),
        ("Game/Content/Sub/big.ubulk", 1664),
        ("Game/Content/len05000.bin", 3392),
    ];
    let files: Vec<(String, Vec<u8>)> =
        limits.iter().map(|(path, _)| ((*path).to_owned(), vec![0xA5; 6000])).collect();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files);
    let written = packed(folder.path(), options("11", None)).unwrap();
    for entry in rivals::read(&written, &KEY, &inflate).1 {
        let (_, limit) = limits.iter().find(|(path, _)| *path == entry.path).unwrap();
        let stored = &entry.raw[entry.header..];
        let blocks = stored.chunks(16).position(|block| block == [0xA5; 16]).unwrap();
        assert_eq!(blocks * 16, *limit, "{}", entry.path);
        assert!(stored[*limit..].iter().all(|byte| *byte == 0xA5));
        assert_eq!(rivals::limit(&entry.path.to_lowercase()), *limit);
    }
}

#[test]
fn a_second_reader_reads_what_is_written() {
    let mut files = edges();
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &files);
    files.sort();
    for form in ["8", "8b", "11"] {
        for method in METHODS {
            let case = format!("{form} {method:?}");
            let written = packed(folder.path(), options(form, method)).unwrap();
            let (mount, mut found) = rivals::read(&written, &KEY, &inflate);
            assert_eq!(mount, "../../../");
            found.sort_by(|one, other| one.path.cmp(&other.path));
            let found: Vec<_> = found.into_iter().map(|entry| (entry.path, entry.data)).collect();
            assert!(found == files, "{case}");
            let pak = open(&written, &ring(&[KEY])).unwrap();
            assert!(contents(&pak).unwrap().into_iter().eq(files.clone()), "{case}");
            check_hashes(&pak, HashedBytes::Decrypted, &case);
            let mount = Mount::new(vec![("X.pak".to_owned(), pak)]);
            let verified = verify(&mount, NonZeroUsize::MIN, &|_| true);
            let (game, plain) = (GameCipher::Rivals, files.len());
            let container = "X.pak".to_owned();
            assert_eq!(verified.ciphers, [CipherHashes { container, game, plain, stored: 0 }]);
            assert!(verified.damaged.is_empty() && verified.tables.is_empty(), "{case}: {verified:?}");
        }
    }
}

#[test]
fn what_a_second_writer_writes_is_read() {
    let files = edges();
    let zlib = |bytes: &[u8]| Method::Zlib.compress(bytes).unwrap();
    let zstd = |bytes: &[u8]| Method::Zstd.compress(bytes).unwrap();
    let methods: [Option<(&str, rivals::Deflate<'_>)>; 3] =
        [None, Some(("Zlib", &zlib)), Some(("Zstd", &zstd))];
    for version in [8, 11] {
        for method in methods {
            for (mount, root) in [("../../../", ""), ("../../../Shooter/Mods/", "Shooter/Mods/")] {
                for hides_index in [true, false] {
                    let case = format!("{version} {:?} {mount} {hides_index}", method.map(|(name, _)| name));
                    let mount = mount.to_owned();
                    let writer = RivalsPak {
                        version,
                        mount,
                        method,
                        hides_index,
                        ..RivalsPak::new(KEY, files.clone())
                    };
                    let pak = open(&writer.finish(), &ring(&[WRONG, KEY])).unwrap();
                    assert_eq!(pak.cipher(), Some(GameCipher::Rivals), "{case}");
                    let expected = files.iter().map(|(path, data)| (format!("{root}{path}"), data.clone()));
                    assert!(contents(&pak).unwrap() == expected.collect(), "{case}");
                    check_hashes(&pak, HashedBytes::Decrypted, &case);
                }
            }
        }
    }
}

#[test]
fn paths_are_spelled_as_the_hash_says() {
    let data: Vec<u8> = (0..9000_u32).map(|n| (n * 7 % 251) as u8).collect();
    let named = |names: &[&str]| names.iter().map(|name| (format!("Game/{name}"), data.clone())).collect();
    let ascii: Vec<(String, Vec<u8>)> = named(&["A.uasset", "B.uasset", "Sub/C.ubulk"]);
    let more: Vec<(String, Vec<u8>)> = named(&["A.uasset", "ÄÖ/Ümlaut.txt", "ÉÀ/Ñ.bin"]);
    let zlib = |bytes: &[u8]| Method::Zlib.compress(bytes).unwrap();
    for entries in [ascii, more] {
        for spelling in [Spelling::Ascii, Spelling::Unicode, Spelling::BelowMount] {
            for version in [8, 11] {
                for method in [None, Some(("Zlib", &zlib as rivals::Deflate<'_>))] {
                    for mount in ["../../../", "../../../Shooter/"] {
                        let case = format!("{spelling:?} {version} {mount} {:?}", entries[1].0);
                        let mount = mount.to_owned();
                        let entries = entries.clone();
                        let writer =
                            RivalsPak { version, mount, method, spelling, ..RivalsPak::new(KEY, entries) };
                        let pak = open(&writer.finish(), &ring(&[KEY])).unwrap();
                        for bytes in contents(&pak).unwrap().values() {
                            assert!(*bytes == data, "{case}");
                        }
                        check_hashes(&pak, HashedBytes::Decrypted, &case);
                    }
                }
            }
        }
    }
}

#[test]
fn a_hash_of_cipher_text_is_accepted_and_told_apart() {
    for version in [8, 11] {
        let writer = RivalsPak { version, hashes_cipher: true, ..RivalsPak::new(KEY, edges()) };
        let pak = open(&writer.finish(), &ring(&[KEY])).unwrap();
        assert!(contents(&pak).unwrap() == edges().into_iter().collect());
        check_hashes(&pak, HashedBytes::Stored, "cipher text");
        let mut wrong = writer.finish();
        // A byte behind all that is encrypted of the largest entry.
        let inner = edges()[12].1[100_000..100_064].to_vec();
        let at = wrong.windows(64).position(|bytes| bytes == inner).unwrap();
        wrong[at] ^= 1;
        let pak = open(&wrong, &ring(&[KEY])).unwrap();
        let damaged = (0..pak.len()).filter(|number| pak.verify(*number).is_err());
        let damaged: Vec<_> = damaged.map(|number| pak.path(number).unwrap().into_owned()).collect();
        assert_eq!(damaged, ["Game/Content/Size150001.bin"]);
    }
}

#[test]
fn a_wrong_key_is_said_with_the_identifier_of_the_right_one() {
    let is_encrypted = |error: &Error| {
        assert!(matches!(error.kind(), ErrorKind::Encrypted(Some(guid)) if *guid == Guid::default()));
    };
    let zlib = |bytes: &[u8]| Method::Zlib.compress(bytes).unwrap();
    for version in [8, 11] {
        let hidden = RivalsPak { version, ..RivalsPak::new(KEY, edges()) };
        for keys in [ring(&[]), ring(&[WRONG]), forced(&[WRONG])] {
            is_encrypted(&open(&hidden.finish(), &keys).unwrap_err());
        }
        let plain = RivalsPak { hides_index: false, ..hidden };
        // That the user names it for this pak proves nothing.
        let mut named = forced(&[]);
        named.add(Some(Guid::default()), AesKey::new(WRONG));
        let packed = RivalsPak { method: Some(("Zlib", &zlib)), ..plain.clone() };
        for (pak, keys) in [
            (&plain, forced(&[WRONG])),
            (&plain, named),
            (&packed, ring(&[WRONG])),
            (&packed, forced(&[WRONG])),
        ] {
            let error = contents(&open(&pak.finish(), &keys).unwrap()).unwrap_err();
            assert!(error.starts_with("encrypted (key id 00000000-"), "{error}");
        }
    }
}

#[test]
fn the_cipher_of_the_engine_is_not_taken_for_that_of_a_game() {
    for version in [8, 11] {
        for hides_index in [true, false] {
            for block_size in [None, Some(65_536)] {
                let entry = |(path, data): &(String, Vec<u8>)| PakEntry {
                    is_hidden: true,
                    block_size: block_size.filter(|_| !data.is_empty()),
                    ..PakEntry::new(path, data)
                };
                let entries = edges().iter().map(entry).collect();
                let pak = PakWriter { entries, key: Some(KEY), hides_index, ..PakWriter::new(version) };
                let bytes = pak.finish();
                let opened = open(&bytes, &ring(&[KEY])).unwrap();
                assert_eq!(opened.cipher(), None);
                assert!(contents(&opened).unwrap() == edges().into_iter().collect());
                check_hashes(&opened, HashedBytes::Stored, "stock");
                // The user's word counts more than the file.
                if hides_index {
                    assert!(matches!(
                        open(&bytes, &forced(&[KEY])).unwrap_err().kind(),
                        ErrorKind::Encrypted(_)
                    ));
                }
            }
        }
    }
}

#[test]
fn forms_that_the_mods_of_the_game_do_not_have_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("A.txt".to_owned(), vec![1, 2, 3])]);
    let refused = |options: PakOptions| match packed(folder.path(), options) {
        Err(PackError::Write(WriteError::Game { title, what })) => format!("{title}: {what}"),
        other => panic!("{:?}", other.map(|_| ())),
    };
    for form in ["3", "7", "8a", "9", "10", "12", "15"] {
        assert!(refused(options(form, None)).starts_with("Marvel Rivals: a pak of version "), "{form}");
    }
    assert_eq!(refused(options("11", Some(Method::Lz4))), "Marvel Rivals: LZ4");
    let mut counting = options("11", None);
    counting.encryption.as_mut().unwrap().counts = true;
    assert_eq!(refused(counting), "Marvel Rivals: encryption by a stream (CTR)");
}

#[test]
fn a_pak_that_states_its_cipher_or_has_none_is_read_whatever_game_is_named() {
    let entry = |(path, data): &(String, Vec<u8>)| PakEntry { is_hidden: true, ..PakEntry::new(path, data) };
    let entries: Vec<PakEntry> = edges().iter().map(entry).collect();
    let stream = PakWriter { entries, key: Some(KEY), hides_index: true, counts: true, ..PakWriter::new(15) };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &edges());
    let plain = packed(folder.path(), PakOptions { encryption: None, ..options("11", None) }).unwrap();
    for bytes in [stream.finish(), plain] {
        for keys in [ring(&[KEY]), forced(&[KEY])] {
            let pak = open(&bytes, &keys).unwrap();
            assert_eq!(pak.cipher(), None);
            assert!(contents(&pak).unwrap() == edges().into_iter().collect());
        }
    }
}

/// Reads whatever there is.
fn read_all(bytes: &[u8]) {
    let Ok(pak) = open(bytes, &ring(&[KEY])) else { return };
    let _ = (contents(&pak), pak.verify_tables());
    for number in 0..pak.len() {
        let _ = (pak.info(number), pak.verify(number));
    }
}

#[test]
fn paks_that_are_cut_or_changed_do_no_harm() {
    let zlib = |bytes: &[u8]| Method::Zlib.compress(bytes).unwrap();
    let entries: Vec<(String, Vec<u8>)> = edges().into_iter().take(9).collect();
    for version in [8, 11] {
        for method in [None, Some(("Zlib", &zlib as rivals::Deflate<'_>))] {
            for hides_index in [true, false] {
                let writer =
                    RivalsPak { version, method, hides_index, ..RivalsPak::new(KEY, entries.clone()) };
                let whole = writer.finish();
                for at in (0..whole.len()).step_by(3) {
                    read_all(&whole[..at]);
                    let mut changed = whole.clone();
                    changed[at] ^= 0x81;
                    read_all(&changed);
                }
            }
        }
    }
}

#[test]
fn sizes_that_lie_are_errors() {
    let zlib = |bytes: &[u8]| Method::Zlib.compress(bytes).unwrap();
    let first = ("Game/First.bin".to_owned(), vec![7; 70_000]);
    let entries = vec![first, ("Game/Second.bin".to_owned(), vec![8; 5000])];
    for version in [8, 11] {
        for method in [None, Some(("Zlib", &zlib as rivals::Deflate<'_>))] {
            for hides_index in [true, false] {
                for size in [70_001, 1 << 20, 1 << 32, 1 << 62, u64::MAX] {
                    for stored in [0, 1, 70_000, 1 << 40, u64::MAX] {
                        let case = format!("{version} {} {hides_index} {size} {stored}", method.is_some());
                        let lie = Some((stored, size));
                        let writer = RivalsPak {
                            version,
                            method,
                            hides_index,
                            lie,
                            ..RivalsPak::new(KEY, entries.clone())
                        };
                        let Ok(pak) = open(&writer.finish(), &ring(&[KEY])) else { continue };
                        let number =
                            (0..pak.len()).find(|number| pak.path(*number).unwrap().ends_with("First.bin"));
                        let number = number.unwrap();
                        assert!(pak.verify(number).is_err(), "{case}");
                        let read = pak.open(number).map(|source| source.read_at(source.len() - 1, &mut [0]));
                        assert!(!matches!(read, Ok(Ok(()))) || size == 70_001, "{case}");
                    }
                }
            }
        }
    }
}
