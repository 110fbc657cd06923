//! Mounted containers and folders: which entry wins, and what each says of itself.

use std::fs;
use std::sync::Arc;

use fixtures::pak::{PakEntry, PakWriter};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::open::Disk;
use modkit::resolve::{Wanted, resolve};
use tempfile::TempDir;
use unreal::containers::mount::Mount;
use unreal::containers::pak::{self, PakOptions};
use unreal::containers::{Container, Folder, FolderFile, IoStore};
use unreal::ue4to6::convert::IoStoreRelease;
use unreal::ue4to6::zen::ZenTables;
use unreal::{KeyRing, Limits, Memory, Source};

fn opened_pak(entries: &[(&str, &[u8])]) -> Container {
    let entries = entries.iter().map(|(path, data)| PakEntry::new(path, data)).collect();
    let bytes = PakWriter { entries, ..PakWriter::new(11) }.finish();
    Container::open_pak(Box::new(Memory(bytes)), &KeyRing::default(), &mut Limits::default()).unwrap()
}

fn folder(root: &TempDir, files: &[&str]) -> Container {
    let files = files.iter().map(|name| {
        let file = root.path().join(name.replace('/', "_"));
        fs::write(&file, b"file").unwrap();
        FolderFile { path: (*name).to_owned(), file, size: 4 }
    });
    Container::Folder(Folder::new(files.collect(), Arc::new(Disk)))
}

/// The names of containers, with the entries of each that others replace.
fn replaced(mount: &Mount) -> Vec<(String, String)> {
    let entries = mount.entries().filter(|entry| mount.is_overridden(*entry));
    let named = |entry| (mount.container_name(entry).to_owned(), mount.path(entry).unwrap().into_owned());
    entries.map(named).collect()
}

#[test]
fn a_package_in_a_folder_replaces_that_of_a_container_wherever_the_folder_lies_in_the_game() {
    let root = TempDir::new().unwrap();
    // The folder is that of the contents, so that its paths are not those of the container.
    let game = || {
        let entries: [(&str, &[u8]); 3] = [
            ("Shooter/Content/Audio/Steps.uasset", b"game"),
            ("Shooter/Content/Audio/Rain.uasset", b"game"),
            ("Shooter/Content/Movies/Steps.txt", b"game"),
        ];
        ("game.pak".to_owned(), opened_pak(&entries))
    };
    let own = || {
        let files = ["Content/audio/STEPS.uasset", "Content/Audio/Wind.uasset", "Content/Movies/Steps.txt"];
        ("folder".to_owned(), folder(&root, &files))
    };
    let steps = ("game.pak".to_owned(), "Shooter/Content/Audio/Steps.uasset".to_owned());
    let mount = Mount::new(vec![game(), own()]);
    assert_eq!(replaced(&mount), std::slice::from_ref(&steps));
    // A third container changes nothing of that.
    let other = || ("other.pak".to_owned(), opened_pak(&[("Shooter/Content/Audio/Storm.uasset", b"other")]));
    assert_eq!(replaced(&Mount::new(vec![game(), other(), own()])), [steps]);
    // The folder before the container is the one that is replaced.
    let last = Mount::new(vec![own(), game()]);
    assert_eq!(replaced(&last), [("folder".to_owned(), "Content/audio/STEPS.uasset".to_owned())]);
}

#[test]
fn containers_without_folders_replace_entries_of_one_path_alone() {
    let first = opened_pak(&[("Shooter/Content/A.uasset", b"1"), ("Other/Content/B.uasset", b"1")]);
    let second = opened_pak(&[("SHOOTER/Content/a.uasset", b"2"), ("Shooter/Content/B.uasset", b"2")]);
    let mount = Mount::new(vec![("1.pak".to_owned(), first), ("2.pak".to_owned(), second)]);
    assert_eq!(replaced(&mount), [("1.pak".to_owned(), "Shooter/Content/A.uasset".to_owned())]);
}

#[test]
fn a_container_says_how_large_its_file_is_and_whether_it_has_entries() {
    let bytes = PakWriter { entries: vec![PakEntry::new("A.txt", b"a text")], ..PakWriter::new(11) }.finish();
    let length = bytes.len() as u64;
    let one = Container::open_pak(Box::new(Memory(bytes)), &KeyRing::default(), &mut Limits::default());
    let one = one.unwrap();
    assert_eq!((one.file_len(), one.len(), one.is_empty()), (length, 1, false));
    assert!(opened_pak(&[]).is_empty());
}

#[test]
fn a_source_as_long_as_the_magic_of_a_table_of_contents_may_begin_as_one() {
    let magic = b"-==--==--==--==-";
    for (bytes, expected) in
        [(&magic[..], true), (&magic[..15], false), (b"-==--==--==--==+", false), (b"", false)]
    {
        assert_eq!(IoStore::is_toc(&Memory(bytes)).unwrap(), expected, "{bytes:?}");
    }
}

fn store(chunks: Vec<TocChunk>) -> IoStore {
    let writer = TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(5) };
    let WrittenToc { table, partitions, .. } = writer.finish();
    opened(table, &partitions)
}

fn opened(table: Vec<u8>, partitions: &[Vec<u8>]) -> IoStore {
    let partitions =
        partitions.iter().map(|bytes| Some(Box::new(Memory(bytes.clone())) as Box<dyn Source>)).collect();
    IoStore::open(Box::new(Memory(table)), partitions, &KeyRing::default(), &mut Limits::default()).unwrap()
}

#[test]
fn each_chunk_says_its_own_compression() {
    let chunk = |number: u8, is_packed: bool, length: usize| {
        let id = [number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];
        TocChunk { path: String::new(), id, data: vec![number; length], is_packed }
    };
    // Chunks of more blocks than are counted at once, with and without neighbours that are compressed.
    let chunks = vec![
        chunk(1, true, 9_000),
        chunk(2, false, 9_000),
        chunk(3, false, 7_000_000),
        chunk(4, true, 9_000),
    ];
    let store = store(chunks);
    let ids: Vec<_> = (0..4).map(|number| store.chunk_id(number).unwrap().to_string()).collect();
    assert_eq!(format!("{:?}", store.chunk_id(0).unwrap()), ids[0]);
    let container = Container::IoStore(store);
    for (number, id) in ids.iter().enumerate() {
        let info = container.info(number).unwrap();
        let is_packed = id.starts_with("01") || id.starts_with("04");
        assert_eq!(info.compression.is_some(), is_packed, "{id}: {info:?}");
    }
}

#[test]
fn a_signed_block_that_was_changed_is_named_before_its_chunk() {
    let id = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];
    let chunk = TocChunk { path: String::new(), id, data: vec![7; 100], is_packed: false };
    for (is_signed, what) in [(true, "block of a chunk"), (false, "chunk")] {
        let writer =
            TocWriter { chunks: vec![chunk.clone()], is_signed, has_directory: false, ..TocWriter::new(5) };
        let WrittenToc { table, mut partitions, .. } = writer.finish();
        assert!(Container::IoStore(opened(table.clone(), &partitions)).verify(0).is_ok());
        partitions[0][50] ^= 1;
        let error = Container::IoStore(opened(table, &partitions)).verify(0).unwrap_err().to_string();
        assert_eq!(error.contains("block of a chunk"), is_signed, "{error}");
        assert!(error.contains(what), "{error}");
    }
}

fn package(form: PackageForm) -> Vec<u8> {
    let exports = vec![("SW".to_owned(), 7, b"an object".to_vec()), ("Other".to_owned(), 7, vec![1; 4])];
    ZenWriter { exports, ..ZenWriter::new(form, "/Game/SW") }.finish()
}

#[test]
fn a_package_of_a_container_is_recognised_in_a_file_if_its_objects_fill_it() {
    let whole = package(PackageForm::Engine5_3);
    let name = |bytes: &[u8]| {
        let found = ZenTables::recognise(&Memory(bytes), &mut Limits::default()).unwrap();
        found.map(|package| package.name().to_owned())
    };
    let with = |bytes: &[u8]| [&whole[..], bytes].concat();
    let is_there = Some("/Game/SW".to_owned());
    assert_eq!(name(&whole), is_there);
    assert_eq!(name(&with(&[0xC1, 0x83, 0x2A, 0x9E])), is_there);
    assert_eq!(name(&with(&[0xC1, 0x83, 0x2A, 0x9F])), None);
    assert_eq!(name(&with(&[0])), None);
    assert_eq!(name(&with(&[0xC1, 0x83, 0x2A, 0x9E, 0])), None);
    assert_eq!(name(&whole[..whole.len() - 1]), None);
    assert_eq!(name(&ZenWriter::new(PackageForm::Engine5_3, "/Game/SW").finish()), None);
}

#[test]
fn a_release_holds_packages_of_its_own_form_alone() {
    let parsed = |form| ZenTables::parse(&Memory(package(form)), &mut Limits::default()).unwrap();
    let (early, later, newest) =
        (parsed(PackageForm::Engine5_0), parsed(PackageForm::Engine5_3), parsed(PackageForm::Engine5_6));
    let holds = |release: &str| {
        let release: IoStoreRelease = release.parse().unwrap();
        [&early, &later, &newest].map(|package| release.holds(package))
    };
    assert_eq!(holds("5.0"), [true, false, false]);
    assert_eq!(holds("5.3"), [false, true, false]);
    assert_eq!(holds("5.6"), [false, false, true]);
}

#[test]
fn a_pak_has_room_for_as_many_methods_as_its_version() {
    let opens = |version, method_names| {
        let entries = vec![PakEntry::new("A.txt", b"a text")];
        let bytes = PakWriter { entries, method_names, ..PakWriter::new(version) }.finish();
        let (keys, limits) = (KeyRing::default(), &mut Limits::default());
        Container::open_pak(Box::new(Memory(bytes)), &keys, limits).is_ok()
    };
    assert!(opens(7, 0) && opens(8, 4) && opens(8, 5));
    for version in 9..=15 {
        assert!(opens(version, 5) && !opens(version, 4), "{version}");
    }
}

#[test]
fn a_pak_that_is_written_says_where_its_entries_will_be_mounted() {
    let form = "11".parse().unwrap();
    let options = PakOptions {
        form,
        mount: "../../../Shooter/".to_owned(),
        method: None,
        encryption: None,
        game: None,
    };
    let writer = pak::PakWriter::new(std::io::Cursor::new(Vec::new()), options).unwrap();
    assert_eq!(writer.mounted("Content/A.uasset"), "Shooter/Content/A.uasset");
}

#[test]
fn an_entry_without_a_path_is_found_by_its_identifier_alone() {
    let id = [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];
    let chunk = TocChunk { path: String::new(), id, data: vec![1; 4], is_packed: false };
    let mount = Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store(vec![chunk])))]);
    let found = |name: &str| resolve(&mount, name, Wanted::Entry).map(|entry| mount.label(entry));
    assert_eq!(found("070000000000000000000002").unwrap(), "070000000000000000000002");
    assert!(found("080000000000000000000002").is_err() && found("Game/Content/A.uasset").is_err());
}
