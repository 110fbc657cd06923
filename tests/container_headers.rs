//! What is said in the chunks of containers: what packages need, what they are called, which classes the game has.

use std::fs;
use std::num::NonZeroUsize;

use fixtures::corpus::corpus;
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::{self, HeaderForm, ListedPackage, PackageForm, ZenWriter};
use importer::open::GameMount;
use tempfile::TempDir;
use unreal::containers::mount::Mount;
use unreal::containers::{
    ChunkType, Container, ContainerHeader, ContainerHeaderVersion, IoStore, PackageRedirect,
};
use unreal::ue4to6::zen::ScriptNames;
use unreal::{AesKey, FileSource, KeyRing, Limits, Memory, Source};

const FORMS: [HeaderForm; 7] = [
    HeaderForm::Early,
    HeaderForm::Engine4,
    HeaderForm::Signed(1),
    HeaderForm::Signed(2),
    HeaderForm::Signed(3),
    HeaderForm::Signed(4),
    HeaderForm::Signed(5),
];

fn packages() -> Vec<ListedPackage> {
    vec![
        ListedPackage { id: 5, imports: vec![7, 8, 9], shaders: vec![[1; 20], [2; 20]] },
        ListedPackage { id: 6, ..ListedPackage::default() },
        ListedPackage { id: 7, imports: vec![5], shaders: Vec::new() },
    ]
}

fn read(bytes: Vec<u8>) -> Result<ContainerHeader, unreal::Error> {
    ContainerHeader::read(&Memory(bytes), &mut Limits::default())
}

#[test]
fn container_headers_of_every_form_are_read() {
    for form in FORMS {
        let header = read(zen::container_header(form, 42, &packages()));
        let header = header.unwrap_or_else(|error| panic!("{form:?}: {error}"));
        assert_eq!(header.container, 42);
        let version = match form {
            HeaderForm::Early | HeaderForm::Engine4 => 0,
            HeaderForm::Signed(version) => version,
        };
        assert_eq!(header.packages.len(), 3, "{form:?}");
        for (place, (read, written)) in (0..).zip(header.packages.iter().zip(packages())) {
            assert_eq!((read.id, &read.imports), (written.id, &written.imports), "{form:?}");
            let shaders = if version == 0 { Vec::new() } else { written.shaders };
            assert_eq!(read.shader_maps, shaders, "{form:?}");
            let counts = (version < 3).then_some((place + 7, 2));
            assert_eq!(read.exports.zip(read.bundles), counts, "{form:?}");
            let of_engine_4 = (form == HeaderForm::Engine4).then_some((u64::from(place) * 1000, place + 100));
            assert_eq!(read.bundle_size.zip(read.load_order), of_engine_4, "{form:?}");
        }
        let optional: Vec<u64> = header.optional.iter().map(|package| package.id).collect();
        assert_eq!(optional, if version >= 2 { vec![99] } else { Vec::new() }, "{form:?}");
        let redirect =
            |from, to, name: Option<&str>| PackageRedirect { from, to, name: name.map(str::to_owned) };
        if version == 0 {
            assert_eq!(header.redirects, [redirect(11, 12, Some("de")), redirect(13, 14, None)], "{form:?}");
        } else {
            assert_eq!(header.localized, [(21, "/Game/A".to_owned())], "{form:?}");
            assert_eq!(header.redirects, [redirect(22, 23, Some("/Game/Ö_4"))], "{form:?}");
        }
        let (soft, indices) =
            if version >= 4 { (vec![31, 32], b"index".to_vec()) } else { (Vec::new(), Vec::new()) };
        assert_eq!((header.soft, header.soft_indices), (soft, indices), "{form:?}");
    }
}

#[test]
fn container_headers_are_written_as_they_were_read() {
    for form in FORMS {
        let bytes = zen::container_header(form, 42, &packages());
        let header = read(bytes.clone()).unwrap();
        match (form, header.write()) {
            (HeaderForm::Signed(_), Ok(written)) => {
                assert_eq!(read(written.clone()).unwrap(), header, "{form:?}");
                assert_eq!(read(written).unwrap().write().unwrap(), header.write().unwrap());
            }
            (HeaderForm::Early | HeaderForm::Engine4, Err(_)) => {}
            (_, other) => panic!("{form:?}: {other:?}"),
        }
    }
    let Some(folder) = corpus("containers") else { return };
    let mut keys = KeyRing::default();
    keys.add(None, AesKey::new(*b"CUE4ParseFixtureAESKey0123456789"));
    let game = GameMount::open(&folder.join("UE5_8"), &keys, NonZeroUsize::MIN).unwrap();
    let mut identical = 0;
    for (name, container) in game.mount.containers() {
        let Container::IoStore(store) = &**container else { continue };
        let is_header = |number: &usize| store.chunk_type(*number) == Some(ChunkType::ContainerHeader);
        let Some(number) = (0..container.len()).find(is_header) else { continue };
        let source = container.open(number).unwrap();
        let mut bytes = vec![0; source.len() as usize];
        source.read_at(0, &mut bytes).unwrap();
        let written = read(bytes.clone()).unwrap().write().unwrap();
        // What is left fills it up to 16 bytes.
        let (head, rest) = bytes.split_at(written.len().min(bytes.len()));
        assert!(head == written && rest.len() < 16 && rest.iter().all(|byte| *byte == 0), "{name}");
        identical += 1;
    }
    assert!(identical > 10, "{identical}");
}

#[test]
fn a_container_header_without_soft_references_is_written_as_it_was_read() {
    let whole = zen::container_header(HeaderForm::Signed(4), 1, &packages());
    // A number that says that they follow, two packages, and five bytes of lists of these.
    let without = [&whole[..whole.len() - (4 + 4 + 16 + 4 + 5)], &[0; 4]].concat();
    let written = read(without.clone()).unwrap().write().unwrap();
    // The hashes of names are zeros in the fixture.
    assert_eq!((written.len(), &written[written.len() - 4..]), (without.len(), &[0; 4][..]));
    assert!(read(written).is_ok());
}

#[test]
fn a_container_header_that_is_cut_or_changed_anywhere_never_panics() {
    for form in FORMS {
        let whole = zen::container_header(form, 42, &packages());
        for at in 0..whole.len() {
            assert!(read(whole[..at].to_vec()).is_err(), "{form:?} cut at {at}");
            for change in [0x01, 0x80, 0xFF] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                let _ = read(changed);
            }
        }
    }
}

#[test]
fn lists_that_packages_share_are_refused() {
    let packages: Vec<ListedPackage> =
        (0..1000).map(|id| ListedPackage { id, imports: vec![1], shaders: Vec::new() }).collect();
    let mut bytes = zen::container_header(HeaderForm::Signed(3), 1, &packages);
    let table = 4 + 4 + 8 + 4 + 8 * 1000 + 4;
    for package in 0..1000 {
        let row = table + 16 * package;
        bytes[row..row + 4].copy_from_slice(&1000_u32.to_le_bytes());
        let there = 16 * 1000 - 16 * package as u32;
        bytes[row + 4..row + 8].copy_from_slice(&there.to_le_bytes());
    }
    let error = read(bytes).unwrap_err().to_string();
    assert!(error.ends_with("lies within another"), "{error}");
}

#[test]
fn an_unknown_version_of_a_container_header_is_named() {
    let error = read(zen::container_header(HeaderForm::Signed(6), 1, &[])).unwrap_err().to_string();
    assert!(error.contains("a container header of version 6"), "{error}");
}

fn chunk(number: u64, index: u16, kind: u8, data: Vec<u8>) -> TocChunk {
    let mut id = [0; 12];
    id[..8].copy_from_slice(&number.to_le_bytes());
    id[8..10].copy_from_slice(&index.to_be_bytes());
    id[11] = kind;
    TocChunk { path: String::new(), id, data, is_packed: false }
}

/// The container that a writer makes, and the number that it gives itself.
fn open(writer: &TocWriter) -> IoStore {
    let WrittenToc { table, partitions, .. } = writer.finish();
    let partitions = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    IoStore::open(Box::new(Memory(table)), partitions.collect(), &KeyRing::default(), &mut Limits::default())
        .unwrap()
}

#[test]
fn script_objects_of_both_engines_have_paths() {
    let (names, hashes) = zen::name_buffer(&zen::SCRIPT_NAMES);
    let engine_4 = [(7, zen::script_table()), (8, names), (9, hashes)];
    let engine_4 = engine_4.map(|(kind, data)| chunk(0, 0, kind, data)).to_vec();
    let batch = [zen::name_batch(&zen::SCRIPT_NAMES), zen::script_table()].concat();
    for (version, chunks) in [(3, engine_4), (5, vec![chunk(0, 0, 5, batch)])] {
        let store =
            open(&TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(version) });
        let objects = store.script_objects(&mut Limits::default()).unwrap().unwrap();
        let mount = Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store))]);
        let names = ScriptNames::read(&mount, &mut Limits::default()).unwrap();
        assert_eq!((names.path(3), names.path(5)), (Some("/Script/Ö.SoundWave"), None));
        let objects: Vec<_> =
            objects.iter().map(|object| (&*object.path, object.id, object.outer, object.class)).collect();
        assert_eq!(
            objects,
            [
                ("/Script/Engine", 1, None, None),
                ("/Script/Ö", 2, None, None),
                ("/Script/Ö.SoundWave", 3, Some(2), None),
                ("/Script/Ö.Default__SoundWave_12", 4, Some(2), Some(3)),
            ]
        );
    }
}

#[test]
fn packages_without_a_path_are_named_as_they_say_and_their_data_beside_them() {
    let forms = [
        (3, PackageForm::Engine4),
        (5, PackageForm::Engine5_0),
        (6, PackageForm::Engine5_3),
        (8, PackageForm::Engine5_6),
    ];
    for (version, form) in forms {
        for has_versions in [false, true] {
            let package = |number, name, is_map| {
                let kind = if version < 5 { 2 } else { 1 };
                let writer = ZenWriter { is_map, has_versions, ..ZenWriter::new(form, name) };
                chunk(number, 0, kind, writer.finish())
            };
            let bulk = if version < 5 { 3 } else { 2 };
            let chunks = vec![
                package(1, "/Game/Audio/SW_Steps", false),
                package(2, "/Engine/Maps/Entry", true),
                package(3, "/Harp/Ölung", false),
                chunk(1, 0, bulk, b"bulk".to_vec()),
                chunk(1, 1, bulk, b"more".to_vec()),
                chunk(9, 0, bulk, b"of none".to_vec()),
            ];
            let folder = TempDir::new().unwrap();
            let writer =
                TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(version) };
            let WrittenToc { table, partitions, .. } = writer.finish();
            fs::write(folder.path().join("Game.utoc"), table).unwrap();
            fs::write(folder.path().join("Game.ucas"), &partitions[0]).unwrap();
            let game = GameMount::open(folder.path(), &KeyRing::default(), NonZeroUsize::MIN).unwrap();
            let mut paths: Vec<String> = game.mount.entries().map(|place| game.mount.label(place)).collect();
            paths.sort();
            let unnamed = format!("09{:022x}", if version < 5 { 3 } else { 2 });
            assert_eq!(
                paths,
                [
                    unnamed.as_str(),
                    "Engine/Content/Maps/Entry.umap",
                    "Game/Content/Audio/SW_Steps.1.ubulk",
                    "Game/Content/Audio/SW_Steps.uasset",
                    "Game/Content/Audio/SW_Steps.ubulk",
                    "Plugins/Harp/Content/Ölung.uasset",
                ],
                "{form:?}"
            );
            let place = game.mount.at_path("game/content/audio/sw_steps.UASSET");
            assert!(place.is_some() && place == game.mount.package(1), "{form:?}");
        }
    }
}

#[test]
fn the_header_of_a_container_is_compared_with_what_is_there() {
    let packages = packages();
    for (listed, expected) in [
        (&packages[..], &[][..]),
        (&packages[..2], &["does not name package 0000000000000007, which is in the container"]),
    ] {
        let header = zen::container_header(HeaderForm::Signed(5), 0x1234_5678_9ABC_DEF0, listed);
        let mut chunks: Vec<TocChunk> =
            packages.iter().map(|package| chunk(package.id, 0, 1, b"package".to_vec())).collect();
        chunks.push(chunk(0x1234_5678_9ABC_DEF0, 0, 6, header));
        let verify = |chunks: Vec<TocChunk>| {
            let store =
                open(&TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(8) });
            let errors = Container::IoStore(store).verify_tables();
            errors.into_iter().map(|error| error.to_string()).collect::<Vec<_>>()
        };
        let errors = verify(chunks.clone());
        assert_eq!(errors.len(), expected.len(), "{errors:?}");
        assert!(errors.iter().zip(expected).all(|(error, end)| error.ends_with(end)), "{errors:?}");
        chunks.remove(0);
        let errors = verify(chunks);
        let missing = "names package 0000000000000005, which is not in the container";
        assert!(errors.iter().any(|error| error.ends_with(missing)), "{errors:?}");
    }
}

#[test]
fn the_headers_of_real_containers_list_their_packages() {
    let Some(folder) = corpus("containers") else { return };
    let (mut packages, mut named) = (0, 0);
    for form in ["Tagged", "Unversioned"] {
        let stem = "CUE4ParseFixtures-Minimal-Oodle-Windows";
        let file = folder.join("UE5_8/IoStore").join(form).join("Oodle").join(stem);
        let open = |extension| FileSource::open(file.with_extension(extension)).unwrap();
        let partitions = vec![Some(Box::new(open("ucas")) as Box<dyn Source>)];
        let store =
            IoStore::open(Box::new(open("utoc")), partitions, &KeyRing::default(), &mut Limits::default())
                .unwrap();
        let header = store.header(&mut Limits::default()).unwrap().unwrap();
        assert_eq!(header.version, ContainerHeaderVersion::SoftReferencesOffset);
        packages += header.packages.len();
        // Each package says the same of itself as the directory does, but for the folder of its game.
        let container = Container::IoStore(store);
        let Container::IoStore(store) = &container else { unreachable!() };
        for number in 0..container.len() {
            let Some(path) = container.path(number) else { continue };
            if path.ends_with(".uasset") || path.ends_with(".umap") {
                let own = store.package_path(number).unwrap();
                let below = own.split_once("/Content/").unwrap().1;
                assert!(path.ends_with(&format!("/Content/{below}")), "{path} says {own}");
                named += 1;
            }
        }
    }
    assert_eq!((packages, named), (194, 194));
}
