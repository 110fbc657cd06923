//! How fast packages become JSON, and JSON packages: bytes of packages per second, beside a copy of these.
//!
//! The packages of the containers of `CORPUS`; without it, one with long tables of numbers.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use divan::Bencher;
use divan::counter::BytesCount;
use fixtures::asset::AssetWriter;
use fixtures::property::{Coding, NameList, Written, object};
use importer::open::GameMount;
use modkit::json::{from_json, to_json};
use unreal::ue4to6::zen::ScriptNames;
use unreal::{AssetPackage, KeyRing, Limits, Memory};

fn main() {
    divan::main();
}

/// The path, the header and the objects of a package.
type Files = (String, Vec<u8>, Vec<u8>);

/// What packages are made of.
const KINDS: [&str; 2] = ["numbers", "game"];

fn limits() -> Limits {
    Limits::with_structures(1 << 30)
}

/// A package with a million numbers.
fn numbers() -> Vec<Files> {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let values = Written::Floats((0..1_000_000_u32).map(|n| n as f32 / 7.0).collect());
    let bytes = object(Coding::Complete, &mut names, "SoundNodeRandom", &[("Weights", values)]);
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: vec!["SoundNodeRandom".to_owned()],
        exports: vec![("Node".to_owned(), -3, bytes)],
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, 1012)
    };
    let (header, objects) = writer.finish();
    vec![("Game/Content/Numbers.uasset".to_owned(), header, objects)]
}

/// The packages of a real game, with tags; none without the corpus.
fn game() -> Vec<Files> {
    let Some(corpus) = std::env::var_os("CORPUS") else { return Vec::new() };
    let path = PathBuf::from(corpus).join("containers/UE5_8/LegacyPak/Tagged/Uncompressed");
    let game = GameMount::open(&path, &KeyRing::default(), std::num::NonZeroUsize::MIN).expect("a game");
    let mount = game.mount;
    let scripts = Arc::new(ScriptNames::read(&mount, &mut limits()).expect("names"));
    let packages = mount.entries().filter(|entry| mount.is_package(*entry));
    packages
        .map(|entry| {
            let package = mount.open_package(entry, None, &mut limits()).expect("a package");
            let package = package.with_scripts(&scripts);
            let mut bytes = vec![0; package.source().len() as usize];
            package.source().read_at(0, &mut bytes).expect("bytes");
            let objects = bytes.split_off(package.objects_at() as usize);
            (format!("{}.uasset", package.name()), bytes, objects)
        })
        .collect()
}

static NUMBERS: LazyLock<Vec<Files>> = LazyLock::new(numbers);
static GAME: LazyLock<Vec<Files>> = LazyLock::new(game);

fn packages(kind: &str) -> Vec<AssetPackage> {
    let files = if kind == "game" { &*GAME } else { &*NUMBERS };
    let source = |bytes: &Vec<u8>| Box::new(Memory(bytes.clone()));
    let package = |(path, header, objects): &Files| {
        AssetPackage::of_files(path, source(header), Some(source(objects)), None, &mut limits())
            .expect("a package")
    };
    files.iter().map(package).collect()
}

fn bytes_of(packages: &[AssetPackage]) -> u64 {
    packages.iter().map(|package| package.source().len()).sum()
}

fn documents(packages: &[AssetPackage]) -> Vec<String> {
    packages.iter().map(|package| to_json(package, None, true, &mut limits()).expect("JSON")).collect()
}

#[divan::bench(max_time = 3, args = KINDS)]
fn json(bencher: Bencher<'_, '_>, kind: &str) {
    let packages = packages(kind);
    bencher.counter(BytesCount::new(bytes_of(&packages))).bench_local(|| documents(&packages));
}

#[divan::bench(max_time = 3, args = KINDS)]
fn from(bencher: Bencher<'_, '_>, kind: &str) {
    let packages = packages(kind);
    let texts = documents(&packages);
    bencher.counter(BytesCount::new(bytes_of(&packages))).bench_local(|| {
        for (text, package) in texts.iter().zip(&packages) {
            let back = from_json(text, None, &mut limits()).expect("a package").bytes;
            assert_eq!((back.header.len() + back.objects.len()) as u64, package.source().len());
        }
    });
}

/// The bytes of the packages copied once, the measure of both.
#[divan::bench(max_time = 1, args = KINDS)]
fn copy(bencher: Bencher<'_, '_>, kind: &str) {
    let packages = packages(kind);
    bencher.counter(BytesCount::new(bytes_of(&packages))).bench_local(|| {
        let copy = |package: &AssetPackage| {
            let mut bytes = vec![0; package.source().len() as usize];
            package.source().read_at(0, &mut bytes).expect("bytes");
            bytes
        };
        packages.iter().map(copy).collect::<Vec<_>>()
    });
}
