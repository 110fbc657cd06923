//! Tables of packages whose rows refer to one another, to other packages and to the code, on the way into a container
//! and back.

use fixtures::asset::{AssetWriter, ExportRow};
use fixtures::property::{Coding, NameList, Written, object};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::name_batch;
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::ue4to6::asset::AssetTables;
use unreal::ue4to6::convert::{GameObjects, to_legacy, to_zen};
use unreal::ue4to6::zen::{ZenForm, ZenObject, ZenTables};
use unreal::{AssetPackage, AssetVersion, KeyRing, Limits, Memory, PackageTables, Source};

const NONE: u64 = u64::MAX;
const CORE: u64 = 0x61FE_BF02_CDDE_2AF3;
const ENGINE: u64 = 0x51AC_CED3_DC7C_0922;
const SOUND_WAVE: u64 = 0x44F2_6264_628E_498D;
const DEFAULT: u64 = 0x4E08_56E2_7FF4_45AE;
/// Objects of the code: names, numbers, outers, classes. The numbers are those of another implementation of `CityHash`,
/// as those of packages and their objects below.
const CODE: [(&str, u64, u64, u64); 9] = [
    ("/Script/CoreUObject", CORE, NONE, NONE),
    ("EAxis", 0x6E7B_ACB3_BAB7_227D, CORE, NONE),
    ("Vector", 0x722E_A14A_B4D7_D16C, CORE, NONE),
    ("/Script/Engine", ENGINE, NONE, NONE),
    ("SoundWave", SOUND_WAVE, ENGINE, NONE),
    ("Play", 0x430D_13DA_EB9E_DD09, SOUND_WAVE, NONE),
    ("Default__SoundWave", DEFAULT, ENGINE, SOUND_WAVE),
    ("Inner", 0x73B5_6D88_5BDA_D3AB, DEFAULT, NONE),
    ("ESpline", 0x5A63_22D8_A3D6_C355, CORE, NONE),
];
/// `/Game/Other`, and `thing` and `thing/sub` in it.
const OTHER: u64 = 0x7191_9076_A10F_1881;
const THING: u64 = 0x97EA_0CF9_05DB_A7E3;
const SUB: u64 = 0x1E4B_CC9C_F2F8_E632;

fn chunk(number: u64, kind: u8, data: Vec<u8>) -> TocChunk {
    let mut id = [0; 12];
    id[..8].copy_from_slice(&number.to_le_bytes());
    id[11] = kind;
    TocChunk { path: String::new(), id, data, is_packed: false }
}

fn version() -> AssetVersion {
    "5.5".parse().unwrap()
}

fn open(path: &str, writer: &AssetWriter) -> AssetPackage {
    let (header, objects) = writer.finish();
    read(path, header, objects)
}

fn read(path: &str, header: Vec<u8>, objects: Vec<u8>) -> AssetPackage {
    let (source, limits) = (|bytes: Vec<u8>| Box::new(Memory(bytes)), &mut Limits::default());
    AssetPackage::of_files(path, source(header), Some(source(objects)), Some(version()), limits).unwrap()
}

fn tables(package: &AssetPackage) -> &AssetTables {
    let PackageTables::Asset(tables) = package.tables() else { panic!("{package:?}") };
    tables
}

fn bytes_of(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

fn chunk_of(package: &AssetPackage) -> Vec<u8> {
    let chunk = to_zen(package, ZenForm::Dependencies, &mut Limits::default()).unwrap();
    bytes_of(&chunk.into_source(package.source()))
}

/// The package that another refers to: an object, and one in it.
fn other() -> AssetWriter {
    let within = ExportRow { outer: 1, ..ExportRow::default() };
    AssetWriter {
        exports: vec![("Thing".to_owned(), -2, vec![1; 9]), ("Sub".to_owned(), -2, vec![2; 7])],
        rows: vec![ExportRow::default(), within],
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, 1013)
    }
}

/// A game with the code, and that package.
fn game() -> Mount {
    let names: Vec<&str> = CODE.iter().map(|(name, ..)| *name).collect();
    let mut scripts = name_batch(&names);
    scripts.extend((CODE.len() as u32).to_le_bytes());
    for (number, (_, id, outer, class)) in CODE.iter().enumerate() {
        scripts.extend((number as u32 | 0x8000_0000).to_le_bytes());
        scripts.extend([0; 4]);
        scripts.extend([id, outer, class].into_iter().flat_map(|number| number.to_le_bytes()));
    }
    let package = chunk_of(&open("Shooter/Content/Other.uasset", &other()));
    let chunks = vec![chunk(0, 5, scripts), chunk(OTHER, 1, package)];
    let writer = TocWriter { chunks, has_directory: false, has_seeds: false, ..TocWriter::new(8) };
    let WrittenToc { table, partitions, .. } = writer.finish();
    let partitions = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    let (keys, limits) = (KeyRing::default(), &mut Limits::default());
    let store = IoStore::open(Box::new(Memory(table)), partitions.collect(), &keys, limits).unwrap();
    Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store))])
}

/// A package whose objects refer to all kinds of others. Imports are in the order of their classes and paths, as the
/// cooker writes them, for what the code has of unnamed kinds is known by that.
fn writer() -> AssetWriter {
    const NAMES: [&str; 13] = [
        "ESpline",
        "Enum",
        "EAxis",
        "Function",
        "Play",
        "/Game/Other",
        "ScriptStruct",
        "Vector",
        "Thing",
        "Sub",
        "Default__SoundWave",
        "Inner",
        "Object",
    ];
    let (core, engine) = ("/Script/CoreUObject", "/Script/Engine");
    // Of the code, containers keep none: what the bytes refer to is put back, and the class.
    let lists = [vec![-11, -9], vec![-10, -4], vec![-2, -11], vec![1]];
    let refers = [-9_i32, -4, -2].iter().flat_map(|number| number.to_le_bytes()).collect();
    let fixed = [core, "Package", "Class", engine, "SoundWave"];
    let all = ["None"].into_iter().chain(fixed).chain(NAMES).map(str::to_owned);
    let mut names = NameList(all.collect());
    let words = [("SpokenText", Written::Text("Halt!".to_owned()))];
    let spoken = object(Coding::Complete, &mut names, "SoundWave", &words);
    // After the properties it says that it has no GUID.
    let script_end = spoken.len() as u64 - 4;
    AssetWriter {
        names: names.0[6..].to_vec(),
        names_referenced: names.0.len() as u32,
        imports: vec![
            (core, "Enum", -7, "EAxis"),
            (core, "Function", -2, "Play"),
            (core, "Object", -12, "Inner"),
            (core, "Package", 0, "/Game/Other"),
            (core, "Package", 0, core),
            (core, "ScriptStruct", -7, "ESpline"),
            (core, "ScriptStruct", -7, "Vector"),
            (engine, "SoundWave", -6, "Thing"),
            (engine, "SoundWave", -10, "Sub"),
            (engine, "SoundWave", -1, "Default__SoundWave"),
        ],
        exports: vec![
            ("Main".to_owned(), -2, b"an object".to_vec()),
            ("Part".to_owned(), -2, refers),
            ("Default__Main_C".to_owned(), -2, 0_u32.to_le_bytes().to_vec()),
            ("Hidden".to_owned(), -2, [&b"of a server"[..], &[1, 0, 0, 0]].concat()),
            ("Quiet".to_owned(), 0, b"of no class".to_vec()),
            ("Spoken".to_owned(), -2, spoken),
        ],
        rows: vec![
            ExportRow { flags: 3, is_asset: 1, template: -12, filters: [0, 0, 1], ..ExportRow::default() },
            ExportRow {
                flags: 8,
                outer: 1,
                super_object: 3,
                public_hash: 1,
                filters: [0, 0, 1],
                preload: Some(lists),
                ..ExportRow::default()
            },
            ExportRow { flags: 0x11, filters: [1, 0, 1], ..ExportRow::default() },
            ExportRow { flags: 0x11, outer: 2, filters: [0, 1, 1], template: -11, ..ExportRow::default() },
            ExportRow { flags: 0, super_object: -11, filters: [0, 0, 1], ..ExportRow::default() },
            ExportRow { flags: 0, filters: [0, 0, 1], script_end, ..ExportRow::default() },
        ],
        data: Some(vec![(0, 500, 0x10501), (500, 20, 0x10801)]),
        ..AssetWriter::new(-8, 522, 1013)
    }
}

#[test]
fn rows_are_numbered_in_containers_as_the_engine_numbers_them() {
    let package = open("Shooter/Content/Audio/Main.uasset", &writer());
    let zen = AssetPackage::of_chunk(Box::new(Memory(chunk_of(&package))), &mut Limits::default()).unwrap();
    let PackageTables::Zen(tables) = zen.tables() else { panic!("{zen:?}") };
    assert_eq!(
        (tables.name(), tables.imported_packages()),
        ("/Game/Audio/Main", &["/Game/Other".to_owned()][..])
    );
    let shown = |object: &ZenObject| match object {
        ZenObject::None => "none".to_owned(),
        ZenObject::Script(id) => format!("{id:016x}"),
        ZenObject::Package(number) => tables.import_path(*number).unwrap(),
        other => format!("{other:?}"),
    };
    let imports: Vec<String> = tables.imports().iter().map(shown).collect();
    let code = |number: usize| format!("{:016x}", CODE[number].1);
    let (thing, sub) = (format!("/Game/Other.{THING:016x}"), format!("/Game/Other.{SUB:016x}"));
    // Packages that are loaded have no number.
    let none = || "none".to_owned();
    let expected =
        [code(3), code(4), code(1), code(5), code(7), none(), code(0), code(8), code(2), thing, sub, code(6)];
    assert_eq!(imports, expected);
    let hashes: Vec<u64> = tables.exports().iter().map(|export| export.public_hash).collect();
    assert_eq!(hashes, HASHES);
    let package = open("Shooter/Content/Other.uasset", &other());
    let zen = AssetPackage::of_chunk(Box::new(Memory(chunk_of(&package))), &mut Limits::default()).unwrap();
    let PackageTables::Zen(tables) = zen.tables() else { panic!("{zen:?}") };
    let hashes: Vec<u64> = tables.exports().iter().map(|export| export.public_hash).collect();
    assert_eq!((hashes, tables.imported_packages()), (vec![THING, SUB], &[][..]));
}

/// Of `main`, `main/part`, `default__main_c`, `main/part/hidden`; none of what is neither public nor referred to.
const HASHES: [u64; 6] =
    [0xDEC2_694B_7A9E_B679, 0xD732_39AF_AC63_07CC, 0x61EF_6FC7_B1C6_3356, 0x1977_5F75_A708_5557, 0, 0];

#[test]
fn rows_are_the_same_after_a_container() {
    let mount = game();
    let objects = GameObjects::new(&mount).unwrap();
    let path = "Shooter/Content/Audio/Main.uasset";
    let package = open(path, &writer());
    let zen = AssetPackage::of_chunk(Box::new(Memory(chunk_of(&package))), &mut Limits::default()).unwrap();
    let file = to_legacy(&zen, version(), &objects, &mut Limits::default()).unwrap();
    assert_eq!(file.unknown, 0);
    let bytes = bytes_of(&file.objects(zen.source()));
    let again = read(path, file.header, bytes);
    assert_eq!(tables(&again).imports(), tables(&package).imports());
    // Objects follow the header, which is of another length.
    let rows = |package: &AssetPackage| {
        let first = package.range(0).unwrap().start;
        tables(package)
            .exports()
            .iter()
            .map(|export| {
                let mut export = export.clone();
                export.offset -= first;
                format!("{export:?}")
            })
            .collect::<Vec<_>>()
    };
    // The data of the third object and the fourth, which have the numbers of its rows.
    let owners: Vec<String> =
        tables(&again).bulk().unwrap().iter().map(|entry| format!("{entry:?}")).collect();
    assert!(owners[0].contains("owner: Export(ExportIndex(2))"), "{owners:?}");
    assert!(owners[1].contains("owner: Export(ExportIndex(3))"), "{owners:?}");
    let (rows, before) = (rows(&again), rows(&package));
    assert_eq!(rows.len(), before.len());
    for (row, before) in rows.iter().zip(&before) {
        assert_eq!(row, before);
    }
}

#[test]
fn what_nobody_knows_keeps_its_number_on_the_way_back() {
    let path = "Shooter/Content/Audio/Main.uasset";
    let package = open(path, &writer());
    let chunk = chunk_of(&package);
    let zen = AssetPackage::of_chunk(Box::new(Memory(chunk.clone())), &mut Limits::default()).unwrap();
    let file = to_legacy(&zen, version(), &GameObjects::default(), &mut Limits::default()).unwrap();
    assert!(file.unknown > 3, "{}", file.unknown);
    let bytes = bytes_of(&file.objects(zen.source()));
    let again = chunk_of(&read(path, file.header, bytes));
    let again = AssetPackage::of_chunk(Box::new(Memory(again)), &mut Limits::default()).unwrap();
    let (PackageTables::Zen(one), PackageTables::Zen(other)) = (zen.tables(), again.tables()) else {
        panic!("{again:?}");
    };
    assert_eq!(one.imported_packages(), other.imported_packages());
    let paths = |tables: &ZenTables| {
        let path = |object: &ZenObject| match object {
            ZenObject::Package(number) => format!("{:?}", tables.import_path(*number)),
            other => format!("{other:?}"),
        };
        let mut paths: Vec<String> = tables.imports().iter().map(path).collect();
        paths.sort();
        paths
    };
    assert_eq!(paths(one), paths(other));
}

#[test]
fn a_bundle_waits_for_each_object_of_another_package_once() {
    let package = open("Shooter/Content/Audio/Main.uasset", &AssetWriter { engine_5: 1009, ..writer() });
    let chunk = to_zen(&package, ZenForm::Bundles, &mut Limits::default()).unwrap();
    let bytes = bytes_of(&chunk.into_source(package.source()));
    // Its first step, how many it has (each object is made and read), and that nothing within waits; then the arcs of
    // the one package: the object that has to be read, and the one that has to be made.
    let mut graph =
        [0_u32.to_le_bytes(), 12_u32.to_le_bytes(), 0_u32.to_le_bytes(), 2_u32.to_le_bytes()].concat();
    for (import, command) in [(10_u32, 1_u8), (9, 0)] {
        graph.extend(import.to_le_bytes());
        graph.push(command);
        graph.extend(0_u32.to_le_bytes());
    }
    assert_eq!(bytes.windows(graph.len()).filter(|part| *part == graph).count(), 1);
}

#[test]
fn a_package_with_cells_of_code_is_refused() {
    let writer = AssetWriter { first: -9, engine_5: 1017, rows: Vec::new(), ..writer() };
    let (header, objects) = writer.finish();
    // Two tables of cells, both empty and at one place.
    let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap());
    let is_it = |at: &usize| {
        let place = number(at + 4);
        let is_place = (200..header.len() as u32).contains(&place);
        number(*at) == 0 && number(at + 8) == 0 && is_place && place == number(at + 12)
    };
    let at = (0..header.len() - 16).find(is_it).unwrap();
    for cells in [at, at + 8] {
        let mut header = header.clone();
        header[cells] = 1;
        let (source, limits) = (|bytes: Vec<u8>| Box::new(Memory(bytes)), &mut Limits::default());
        let objects = Some(source(objects.clone()) as Box<dyn Source>);
        let package = AssetPackage::of_files("A.uasset", source(header), objects, None, limits).unwrap();
        let error = to_zen(&package, ZenForm::Dependencies, limits).unwrap_err().to_string();
        assert!(error.contains("cells"), "{error}");
    }
}

#[test]
fn objects_of_several_packages_are_told_apart() {
    let (core, engine) = ("/Script/CoreUObject", "/Script/Engine");
    let writer = AssetWriter {
        names: ["/Game/Other", "/Game/Third", "Thing", "Sub"].map(str::to_owned).to_vec(),
        imports: vec![
            (core, "Package", 0, "/Game/Other"),
            (core, "Package", 0, "/Game/Third"),
            (engine, "SoundWave", -3, "Thing"),
            (engine, "SoundWave", -4, "Thing"),
            (engine, "SoundWave", -6, "Sub"),
        ],
        exports: vec![("Main".to_owned(), -2, vec![1; 4])],
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, 1013)
    };
    let package = open("Shooter/Content/Main.uasset", &writer);
    let zen = AssetPackage::of_chunk(Box::new(Memory(chunk_of(&package))), &mut Limits::default()).unwrap();
    let PackageTables::Zen(tables) = zen.tables() else { panic!("{zen:?}") };
    let path = |object: &ZenObject| match object {
        ZenObject::Package(number) => tables.import_path(*number),
        _ => None,
    };
    let paths: Vec<String> = tables.imports().iter().filter_map(path).collect();
    let [thing, sub] = [THING, SUB].map(|hash| format!("{hash:016x}"));
    let expected = [("Other", &thing), ("Third", &thing), ("Third", &sub)];
    assert_eq!(paths, expected.map(|(package, hash)| format!("/Game/{package}.{hash}")));
    let mut packages = tables.imported_packages().to_vec();
    packages.sort();
    assert_eq!(packages, ["/Game/Other", "/Game/Third"]);
}
