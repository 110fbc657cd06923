//! Packages that come back from JSON become the files that the game has.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use fixtures::asset::AssetWriter;
use fixtures::zen::{PackageForm, ZenWriter};
use importer::open::GameMount;
use modkit::edited::{EditedError, mod_of};
use modkit::json::{JsonPackage, from_json, to_json};
use modkit::legacy::LegacyConverter;
use modkit::pack::{files, pack_io_store, plan_io_store};
use tempfile::TempDir;
use unreal::containers::Container;
use unreal::containers::iostore::{ContainerHeader, IoStoreOptions, PackageEntry};
use unreal::ue4to6::convert::IoStoreRelease;
use unreal::{AssetPackage, KeyRing, Limits, Memory, Source};

/// The number of the class of recordings.
const SOUND_WAVE: u64 = 0x44F2_6264_628E_498D;

const PATH: &str = "Game/Content/Audio/SW_Steps";

fn bytes_of(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

/// The files of a cooked package of 5.4.
fn cooked() -> (Vec<u8>, Vec<u8>) {
    let exports = vec![("SW_Steps".to_owned(), -2, b"the object".to_vec())];
    AssetWriter { exports, ..AssetWriter::new(-8, 522, 1012) }.finish()
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Packs a folder into a container of a release.
fn packed(folder: &Path, release: &str, base: Option<&GameMount>) -> (TempDir, GameMount) {
    let out = TempDir::new().unwrap();
    let release: IoStoreRelease = release.parse().unwrap();
    let found = files(folder).unwrap().files;
    let planned = plan_io_store(found, "Game", release, base.map(|game| &*game.mount)).unwrap();
    let options = IoStoreOptions {
        version: release.toc,
        name: "Game".to_owned(),
        mount: "../../../".to_owned(),
        method: None,
        encryption: None,
        partition_size: None,
    };
    let create = |_| fs::File::create(out.path().join("Game.ucas"));
    let table = pack_io_store(&planned, options, NonZeroUsize::MIN, create, &|_| true).unwrap().unwrap();
    fs::write(out.path().join("Game.utoc"), table).unwrap();
    let game = GameMount::open(out.path(), &KeyRing::default(), NonZeroUsize::MIN).unwrap();
    (out, game)
}

/// What the header of a container says of its packages.
fn listed(game: &GameMount) -> Vec<PackageEntry> {
    let Container::IoStore(store) = &*game.mount.containers()[0].1 else { panic!("a container") };
    let ContainerHeader { packages, .. } = store.header(&mut Limits::default()).unwrap().unwrap();
    packages
}

fn json(header: &[u8], objects: &[u8]) -> JsonPackage {
    let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec()));
    let limits = &mut Limits::default();
    let (path, objects) = (format!("{PATH}.uasset"), Some(source(objects) as Box<dyn Source>));
    let package = AssetPackage::of_files(&path, source(header), objects, None, limits).unwrap();
    from_json(&to_json(&package, None, true, limits).unwrap(), None, limits).unwrap()
}

#[test]
fn an_edited_package_of_a_pak_has_as_many_files_as_it_says() {
    let folder = TempDir::new().unwrap();
    let (header, objects) = cooked();
    write(folder.path(), &format!("{PATH}.uasset"), &header);
    write(folder.path(), &format!("{PATH}.uexp"), &objects);
    let game = GameMount::open(folder.path(), &KeyRing::default(), NonZeroUsize::MIN).unwrap();
    let mut edited = json(&header, &objects);
    let packed = |edited: &JsonPackage| {
        let made = mod_of(&game.mount, std::slice::from_ref(edited)).unwrap();
        let file = |file: &modkit::pack::PackedFile| (file.entry.clone(), file.bytes().unwrap().to_vec());
        made.files.iter().map(file).collect::<Vec<_>>()
    };
    let split = [(format!("{PATH}.uexp"), objects.clone()), (format!("{PATH}.uasset"), header.clone())];
    assert!(packed(&edited) == split);
    edited.split = false;
    assert!(packed(&edited) == [(format!("{PATH}.uasset"), [header, objects].concat())]);
}

#[test]
fn an_edited_package_of_files_is_converted_for_a_game_of_containers() {
    let folder = TempDir::new().unwrap();
    let (header, objects) = cooked();
    write(folder.path(), &format!("{PATH}.uasset"), &header);
    write(folder.path(), &format!("{PATH}.uexp"), &objects);
    let edited = [json(&header, &objects)];
    let (_out, game) = packed(folder.path(), "5.4", None);
    let made = mod_of(&game.mount, &edited).unwrap();
    let [file] = &made.files[..] else { panic!("{:?}", made.files) };
    let entry = game.mount.at_path(&format!("{PATH}.uasset")).unwrap();
    let stored = game.mount.container(entry).unwrap().open(entry.entry).unwrap();
    assert!(file.bytes().unwrap() == bytes_of(&*stored), "what was packed is what comes of the same files");
    // A container of another release.
    let exports = vec![("SW_Steps".to_owned(), SOUND_WAVE, vec![1; 9])];
    let other = ZenWriter { exports, ..ZenWriter::new(PackageForm::Engine5_6, "/Game/Audio/SW_Steps") };
    let folder = TempDir::new().unwrap();
    write(folder.path(), &format!("{PATH}.uasset"), &other.finish());
    let (_out, game) = packed(folder.path(), "5.6", None);
    let (number, error) = mod_of(&game.mount, &edited).unwrap_err();
    assert!(number == 0 && matches!(error, EditedError::Release(_)), "{error}");
}

#[test]
fn the_header_of_a_container_counts_objects_where_its_release_does() {
    for (release, engine_5, counted) in [("5.1", 1008, Some(2)), ("5.4", 1012, None)] {
        let folder = TempDir::new().unwrap();
        let exports = ["A", "B"].map(|name| (name.to_owned(), -2, vec![7; 20])).to_vec();
        let (header, objects) = AssetWriter { exports, ..AssetWriter::new(-8, 522, engine_5) }.finish();
        write(folder.path(), &format!("{PATH}.uasset"), &header);
        write(folder.path(), &format!("{PATH}.uexp"), &objects);
        let (_out, game) = packed(folder.path(), release, None);
        let packages = listed(&game);
        let [package] = &packages[..] else { panic!("{release}: {packages:?}") };
        assert_eq!((package.exports, package.bundles), (counted, counted.map(|_| 1)), "{release}");
        let entry = game.mount.at_path(&format!("{PATH}.uasset")).unwrap();
        let opened = game.mount.open_package(entry, None, &mut Limits::default()).unwrap();
        let Container::IoStore(store) = &*game.mount.containers()[0].1 else { panic!("a container") };
        let id = unreal::containers::ChunkId::of(package.id, 1);
        assert_eq!((store.find(id), opened.len()), (Some(entry.entry), 2), "{release}");

        // Packed again as it is stored, its entry is the one that the game has.
        let stored = game.mount.container(entry).unwrap().open(entry.entry).unwrap();
        let folder = TempDir::new().unwrap();
        write(folder.path(), &format!("{PATH}.uasset"), &bytes_of(&*stored));
        let (_out, again) = packed(folder.path(), release, Some(&game));
        assert_eq!(listed(&again), packages, "{release}");
    }
}

#[test]
fn packages_of_the_editor_lie_apart_from_cooked_ones() {
    let folder = TempDir::new().unwrap();
    let (header, objects) = cooked();
    write(folder.path(), "Content/Cooked.uasset", &header);
    write(folder.path(), "Content/Cooked.uexp", &objects);
    write(folder.path(), "Content/Editor.uasset", &[header, objects].concat());
    let game = GameMount::open(folder.path(), &KeyRing::default(), NonZeroUsize::MIN).unwrap();
    let paths = |container: &Container| -> Vec<String> {
        (0..container.len()).filter_map(|entry| Some(container.path(entry)?.into_owned())).collect()
    };
    let of_containers: Vec<_> =
        game.mount.containers().iter().map(|(_, container)| paths(container)).collect();
    let lies_with = |one: &str, other: &str| {
        let has = |paths: &[String], name: &str| paths.iter().any(|path| path.ends_with(name));
        of_containers.iter().any(|paths| has(paths, one) && has(paths, other))
    };
    assert!(lies_with("Cooked.uasset", "Cooked.uexp"), "{of_containers:?}");
    assert!(!lies_with("Cooked.uasset", "Editor.uasset"), "{of_containers:?}");
    assert_eq!(of_containers.concat().len(), 3);
}

#[test]
fn a_package_that_states_no_release_becomes_files_of_that_of_its_container() {
    let exports = vec![("SW_Steps".to_owned(), SOUND_WAVE, vec![1; 9])];
    for (release, said) in [("5.3", "5.3"), ("5.4", "5.4"), ("5.5", "5.5"), ("5.6", "5.8")] {
        let form = if release == "5.6" { PackageForm::Engine5_6 } else { PackageForm::Engine5_3 };
        let bulk = Some(Vec::new());
        let package =
            ZenWriter { exports: exports.clone(), bulk, ..ZenWriter::new(form, "/Game/Audio/SW_Steps") };
        let folder = TempDir::new().unwrap();
        write(folder.path(), &format!("{PATH}.uasset"), &package.finish());
        let (_out, game) = packed(folder.path(), release, None);
        let entry = game.mount.at_path(&format!("{PATH}.uasset")).unwrap();
        let files = |said: Option<&str>| {
            let said = said.map(|said| said.parse().unwrap());
            let converter = LegacyConverter::new(&game.mount, said).unwrap();
            converter.convert(entry).unwrap().1.header
        };
        // The newest of those that have such containers.
        assert!(files(None) == files(Some(said)), "{release}");
        assert_eq!(files(None) == files(Some("5.3")), release == "5.3", "{release}");
    }
}
