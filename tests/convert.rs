//! Packages of containers turned into packages of files, and back.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use fixtures::asset::AssetWriter;
use fixtures::corpus::corpus;
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::open::GameMount;
use modkit::legacy::LegacyConverter;
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::ue4to6::asset::AssetTables;
use unreal::ue4to6::convert::{GameObjects, to_legacy, to_zen};
use unreal::ue4to6::zen::{ZenForm, ZenHeader};
use unreal::{
    AssetPackage, AssetVersion, ImportIndex, KeyRing, Limits, Memory, ObjectRef, PackageTables, Source,
};

/// The containers of 5.8 that are neither encrypted nor a patch of others.
const CONTAINERS: [&str; 2] = ["IoStore/Tagged", "IoStore/Unversioned"];

fn game(path: &Path) -> Arc<Mount> {
    GameMount::open(path, &KeyRing::default(), NonZeroUsize::MIN).unwrap().mount
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
fn package_of_files(name: &str, header: &[u8], objects: &[u8]) -> AssetPackage {
    let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec()));
    let (path, limits) = (format!("{name}.uasset"), &mut Limits::default());
    AssetPackage::of_files(&path, source(header), Some(source(objects)), Some(version()), limits).unwrap()
}

/// Returns the chunk that a package of files becomes.
fn chunk_of(package: &AssetPackage) -> Vec<u8> {
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
            let read = AssetTables::read(&Memory(header), Some(version()), &mut Limits::default()).unwrap();
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

/// The name, the class and the bytes of an object.
type SeenObject = (String, String, Vec<u8>);

/// What a package of files is for anyone who reads it: its objects, and what it refers to.
fn seen(package: &AssetPackage) -> (Vec<SeenObject>, Vec<String>) {
    let PackageTables::Asset(tables) = package.tables() else { panic!("{package:?}") };
    let objects = (0..package.len()).map(|number| {
        let (export, range) = (package.export(number).unwrap(), package.range(number).unwrap());
        let mut bytes = vec![0; usize::try_from(range.end - range.start).unwrap()];
        package.source().read_at(range.start, &mut bytes).unwrap();
        (export.name.to_owned(), export.class.unwrap().to_string(), bytes)
    });
    let imports = (0..tables.imports().len()).map(|number| ObjectRef::Import(ImportIndex::new(number)));
    (objects.collect(), imports.map(|import| tables.path(import).unwrap()).collect())
}

#[test]
fn packages_of_every_release_keep_their_objects_on_both_ways() {
    for (first, engine_5, form) in [
        (-8, 1004, ZenForm::Bundles),
        (-8, 1008, ZenForm::Bundles),
        (-8, 1009, ZenForm::Bundles),
        (-8, 1009, ZenForm::Dependencies),
        (-8, 1012, ZenForm::Dependencies),
        (-8, 1013, ZenForm::Dependencies),
        (-9, 1017, ZenForm::Dependencies),
        (-9, 1018, ZenForm::Dependencies),
    ] {
        for states_version in [false, true] {
            let data = (engine_5 >= 1009).then(|| vec![(0, 500, 0x10501), (500, 20, 0x10801)]);
            let writer = AssetWriter {
                states_version,
                keeps_import_packages: engine_5 >= 1018,
                names: vec!["Unused".to_owned()],
                exports: vec![
                    ("SW_Steps".to_owned(), -2, b"first object".to_vec()),
                    ("SW_Steps_7".to_owned(), -2, b"another".to_vec()),
                ],
                data,
                ..AssetWriter::new(first, 522, engine_5)
            };
            let what = format!("{engine_5} {form:?}, stated: {states_version}");
            let (header, objects) = writer.finish();
            let release = match (engine_5, form) {
                (1009, ZenForm::Bundles) => "5.2",
                (1004, _) => "5.0",
                (1008, _) => "5.1",
                (1009, _) => "5.3",
                (1012, _) => "5.4",
                (1013, _) => "5.5",
                (1017, _) => "5.6",
                _ => "5.8",
            };
            let version: AssetVersion = release.parse().unwrap();
            let read = |header: &[u8], objects: &[u8]| {
                let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec()));
                let (path, limits) = ("Shooter/Content/Audio/SW_Steps.uasset", &mut Limits::default());
                AssetPackage::of_files(path, source(header), Some(source(objects)), Some(version), limits)
                    .unwrap()
            };
            let chunk_of = |package: &AssetPackage| {
                let chunk = to_zen(package, form, &mut Limits::default()).unwrap();
                assert_eq!((chunk.exports, chunk.imports.len()), (2, 0), "{what}");
                bytes_of(&chunk.into_source(package.source()))
            };
            let package = read(&header, &objects);
            let chunk = chunk_of(&package);
            let of_chunk =
                AssetPackage::of_chunk(Box::new(Memory(chunk.clone())), &mut Limits::default()).unwrap();
            assert_eq!(of_chunk.name(), "/Game/Audio/SW_Steps", "{what}");
            assert_eq!(of_chunk.bulk().map(<[_]>::len), (engine_5 >= 1009).then_some(2), "{what}");
            let file =
                to_legacy(&of_chunk, version, &GameObjects::default(), &mut Limits::default()).unwrap();
            assert_eq!(file.unknown, 0, "{what}");
            let again = read(&file.header, &bytes_of(&file.objects(of_chunk.source())));
            assert_eq!(seen(&again), seen(&package), "{what}");
            assert_eq!(again.bulk(), again.bulk(), "{what}");
            // The fixtures have more in their heads than cooked packages, so those were longer; up to 5.2 places of
            // objects count from there.
            let without_length = |chunk: &[u8]| [&chunk[..20], &chunk[24..]].concat();
            let chunk_again = without_length(&chunk_of(&again));
            assert!(form == ZenForm::Bundles || chunk_again == without_length(&chunk), "{what}");
        }
    }
}

#[test]
fn packages_that_would_lose_something_are_refused() {
    let refused = |writer: &AssetWriter, form: ZenForm, reason: &str| {
        let (header, objects) = writer.finish();
        let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec()));
        let limits = &mut Limits::default();
        let package =
            AssetPackage::of_files("A.uasset", source(&header), Some(source(&objects)), None, limits);
        let error = to_zen(&package.unwrap(), form, limits).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    };
    let writer =
        || AssetWriter { exports: vec![("A".to_owned(), -2, vec![1])], ..AssetWriter::new(-8, 522, 1013) };
    refused(&writer(), ZenForm::Engine4, "Unreal Engine 4");
    refused(&AssetWriter { is_filtered: false, ..writer() }, ZenForm::Dependencies, "not cooked");
    let data = Some(vec![(0, 4, 1)]);
    refused(&AssetWriter { data, ..writer() }, ZenForm::Dependencies, "data after its objects");
    // A class that is not there.
    let exports = vec![("A".to_owned(), -9, vec![1])];
    refused(&AssetWriter { exports, ..writer() }, ZenForm::Dependencies, "import 8");
    // What is a chunk is none once more, and no file either.
    let (header, objects) = writer().finish();
    let package = package_of_files("/Game/A", &header, &objects);
    let chunk = Memory(chunk_of(&package));
    let chunk = AssetPackage::of_chunk(Box::new(chunk), &mut Limits::default()).unwrap();
    assert!(to_zen(&chunk, ZenForm::Dependencies, &mut Limits::default()).is_err());
    assert!(to_legacy(&package, version(), &GameObjects::default(), &mut Limits::default()).is_err());
}

#[test]
fn damaged_packages_are_converted_or_refused_and_nothing_else() {
    let writer = AssetWriter {
        keeps_import_packages: true,
        exports: vec![("SW_Steps".to_owned(), -2, b"first object".to_vec())],
        data: Some(vec![(0, 500, 0x10501)]),
        ..AssetWriter::new(-9, 522, 1018)
    };
    let (header, objects) = writer.finish();
    let chunk = chunk_of(&package_of_files("/Game/A", &header, &objects));
    let mut done = 0;
    for at in 0..header.len() {
        for value in [0, 1, 0x7F, 0xFF] {
            let mut header = header.clone();
            header[at] = value;
            let limits = &mut Limits::default();
            let objects = Some(Box::new(Memory(objects.clone())) as Box<dyn Source>);
            let package = AssetPackage::of_files("A.uasset", Box::new(Memory(header)), objects, None, limits);
            let chunk = package.ok().and_then(|package| to_zen(&package, ZenForm::Dependencies, limits).ok());
            done += usize::from(chunk.is_some());
        }
    }
    for at in 0..chunk.len() {
        for value in [0, 1, 0x7F, 0xFF] {
            let mut chunk = chunk.clone();
            chunk[at] = value;
            let limits = &mut Limits::default();
            let package = AssetPackage::of_chunk(Box::new(Memory(chunk)), limits);
            let file = package
                .ok()
                .and_then(|package| to_legacy(&package, version(), &GameObjects::default(), limits).ok());
            done += usize::from(file.is_some());
        }
    }
    assert!(done > 500, "{done}");
}

/// A game with a package of each form, whose objects lie in the order in which they are loaded up to 5.2.
fn game_of(form: PackageForm) -> Mount {
    let exports = [("First", 20_usize), ("Second", 30)];
    let writer = ZenWriter {
        exports: exports
            .map(|(name, size)| (name.to_owned(), 0x44F2_6264_628E_498D, vec![size as u8; size]))
            .into(),
        ..ZenWriter::new(form, "/Game/Audio/SW_Steps")
    };
    let (version, kind) = if form == PackageForm::Engine4 { (3, 2) } else { (5, 1) };
    let id = [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind];
    let chunk = TocChunk { path: String::new(), id, data: writer.finish(), is_packed: false };
    let toc =
        TocWriter { chunks: vec![chunk], has_directory: false, has_seeds: false, ..TocWriter::new(version) };
    let WrittenToc { table, partitions, .. } = toc.finish();
    let partitions = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    let (keys, limits) = (KeyRing::default(), &mut Limits::default());
    let store = IoStore::open(Box::new(Memory(table)), partitions.collect(), &keys, limits).unwrap();
    Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store))])
}

#[test]
fn chunks_of_every_form_become_files() {
    for form in [PackageForm::Engine4, PackageForm::Engine5_0, PackageForm::Engine5_3, PackageForm::Engine5_6]
    {
        let mount = game_of(form);
        let converter = LegacyConverter::new(&mount, None).unwrap();
        let entry = mount.entries().find(|entry| converter.converts(*entry)).unwrap();
        let (package, file) = converter.convert(entry).unwrap();
        let source = |bytes: Vec<u8>| Box::new(Memory(bytes));
        let objects = bytes_of(&file.objects(package.source()));
        let again = AssetPackage::of_files(
            "Game/Content/Audio/SW_Steps.uasset",
            source(file.header),
            Some(source(objects)),
            Some(package.version()),
            &mut Limits::default(),
        );
        let (objects, imports) = seen(&again.unwrap());
        let expected = [("First", 20_usize), ("Second", 30)].map(|(name, size)| {
            (name.to_owned(), "/Script/Engine.SoundWave".to_owned(), vec![size as u8; size])
        });
        assert_eq!(objects, expected, "{form:?}");
        assert!(imports.contains(&"/Script/Engine.SoundWave".to_owned()), "{form:?}: {imports:?}");
    }
}
