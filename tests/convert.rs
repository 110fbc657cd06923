//! Packages of containers turned into packages of files, and back.

use std::num::NonZeroUsize;
use std::path::Path;

use fixtures::corpus::corpus;
use modkit::Game;
use unreal::asset::{AssetPackage, AssetVersion};
use unreal::container::mount::Mount;
use unreal::convert::{GameObjects, to_legacy, to_zen};
use unreal::zen::{ZenForm, ZenHeader};
use unreal::{GamePackage, KeyRing, Limits, Memory, PackageTables, Source};

/// The containers of 5.8 that are neither encrypted nor a patch of others.
const CONTAINERS: [&str; 2] = ["IoStore/Tagged", "IoStore/Unversioned"];

fn game(path: &Path) -> Mount {
    Game::open(path, &KeyRing::default(), NonZeroUsize::MIN).unwrap().mount
}

#[test]
fn headers_of_packages_in_containers_are_written_as_they_were_read() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let mut read = 0;
    for container in CONTAINERS {
        let mount = game(&folder.join(container));
        for entry in mount.entries().filter(|entry| mount.is_package(*entry) && !mount.is_overridden(*entry))
        {
            let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
            let PackageTables::Zen(tables) = package.tables() else { panic!("{package:?}") };
            let header = ZenHeader::read(tables, package.source(), &mut Limits::default()).unwrap();
            let mut expected = vec![0; usize::try_from(package.objects_at()).unwrap()];
            package.source().read_at(0, &mut expected).unwrap();
            assert!(header.write().unwrap() == expected, "{}", package.name());
            read += 1;
        }
    }
    assert_eq!(read, 2 * 97);
}

/// Returns the version of the packages of the corpus.
fn version() -> AssetVersion {
    "5.8".parse().unwrap()
}

/// Returns all bytes of a file of a game; none if it is not there.
fn file(mount: &Mount, path: &str) -> Option<Vec<u8>> {
    let entry = mount.at_path(path)?;
    let source = mount.container(entry)?.open(entry.entry).unwrap();
    Some(bytes_of(&*source))
}

fn bytes_of(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

/// A package of a container, and what it becomes.
struct Converted {
    name: String,
    /// How long the header was, as the container says.
    cooked_header_size: u64,
    chunk: Vec<u8>,
    header: Vec<u8>,
    objects: Vec<u8>,
    unknown: usize,
}

/// Converts all packages of a folder of containers.
fn converted(folder: &Path) -> Vec<Converted> {
    let mount = game(folder);
    let objects = GameObjects::new(&mount).unwrap();
    let mut packages = Vec::new();
    for entry in mount.entries().filter(|entry| mount.is_package(*entry) && !mount.is_overridden(*entry)) {
        let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
        let PackageTables::Zen(tables) = package.tables() else { panic!("{package:?}") };
        let file = to_legacy(&package, version(), &objects, &mut Limits::default()).unwrap();
        packages.push(Converted {
            name: package.name().to_owned(),
            cooked_header_size: tables.summary().cooked_header_size.into(),
            chunk: bytes_of(package.source()),
            objects: bytes_of(&file.objects(package.source())),
            header: file.header,
            unknown: file.unknown,
        });
    }
    packages
}

/// Returns the package that these files are.
fn package_of_files(name: &str, header: &[u8], objects: &[u8]) -> GamePackage<'static> {
    let source = Box::new(Memory([header, objects].concat()));
    GamePackage::of_files(&format!("{name}.uasset"), source, Some(version()), &mut Limits::default()).unwrap()
}

/// Returns the chunk that a package of files becomes.
fn chunk_of(package: &GamePackage<'_>) -> Vec<u8> {
    let chunk = to_zen(package, ZenForm::Dependencies, &mut Limits::default()).unwrap();
    bytes_of(&chunk.into_source(package.source()))
}

#[test]
fn packages_of_containers_become_those_that_the_cooker_wrote() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    for form in ["Tagged", "Unversioned"] {
        let expected = game(&folder.join("LegacyPak").join(form).join("Uncompressed"));
        let (mut compared, mut unknown) = (0, 0);
        for package in converted(&folder.join("IoStore").join(form)) {
            let Converted { name, header, objects, .. } = &package;
            // The cooker of 5.7 and later writes more than it states: for each import the name of its package.
            let read = AssetPackage::read(&Memory(header), Some(version()), &mut Limits::default()).unwrap();
            let stated = package.cooked_header_size + 8 * (read.imports().len() as u64 + 1);
            assert_eq!(header.len() as u64, stated, "{name}");
            unknown += usize::from(package.unknown > 0);
            let path = name.strip_prefix("/Game/").map(|path| format!("CUE4ParseFixtures/Content/{path}"));
            let Some(path) = path else { continue };
            let theirs =
                ["uasset", "umap"].iter().find_map(|kind| file(&expected, &format!("{path}.{kind}")));
            let Some(theirs) = theirs else { continue };
            assert!(*header == theirs, "{form}: header of {name}");
            assert!(
                *objects == file(&expected, &format!("{path}.uexp")).unwrap(),
                "{form}: objects of {name}"
            );
            // The files of the cooker become what it put into the container.
            assert!(
                chunk_of(&package_of_files(name, &theirs, objects)) == package.chunk,
                "{form}: chunk of {name}"
            );
            compared += 1;
        }
        assert_eq!(compared, 5);
        // They refer to packages of the engine that are not at hand.
        assert_eq!(unknown, 7);
    }
}

#[test]
fn packages_that_were_converted_become_what_they_were() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let mut differing = Vec::new();
    for container in CONTAINERS {
        let packages = converted(&folder.join(container));
        assert_eq!(packages.len(), 97);
        for Converted { name, chunk, header, objects, .. } in packages {
            if chunk_of(&package_of_files(&name, &header, &objects)) != chunk {
                differing.push(format!("{container}: {name}"));
            }
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
}
