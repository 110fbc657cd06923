//! Packages as JSON, and back.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use fixtures::corpus::corpus;
use modkit::Game;
use modkit::json::{from_json, to_json};
use unreal::asset::AssetVersion;
use unreal::container::ScriptNames;
use unreal::container::mount::Mount;
use unreal::convert::{GameObjects, to_legacy, to_zen};
use unreal::zen::ZenForm;
use unreal::{FileSource, GamePackage, KeyRing, Limits, Mappings, Memory, Source};

fn game(path: &Path) -> Mount {
    Game::open(path, &KeyRing::default(), NonZeroUsize::MIN).unwrap().mount
}

fn mappings(folder: &Path) -> Mappings {
    let source = FileSource::open(folder.join("Mappings/CUE4ParseFixtures-Zstandard.usmap")).unwrap();
    Mappings::read(&source, &mut limits()).unwrap()
}

fn limits() -> Limits {
    Limits::with_structures(1 << 30)
}

fn version() -> AssetVersion {
    "5.8".parse().unwrap()
}

fn bytes_of(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

fn package_of_files(name: &str, header: &[u8], objects: &[u8]) -> GamePackage<'static> {
    let source = |bytes: &[u8]| Box::new(Memory(bytes.to_vec()));
    let path = format!("{name}.uasset");
    GamePackage::of_files(&path, source(header), Some(source(objects)), Some(version()), &mut limits())
        .unwrap()
}

/// Turns a package into JSON and back; returns how many objects have properties, and how many have not.
fn round_trip(package: &GamePackage<'_>, mappings: Option<&Mappings>) -> (usize, usize) {
    let text = to_json(package, mappings, true, &mut limits()).unwrap();
    let back = from_json(&text, None).unwrap_or_else(|error| panic!("{}: {error}", package.name())).bytes;
    let written = [back.header, back.objects].concat();
    assert!(written == bytes_of(package.source()), "{}", package.name());
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let parts = json["parts"].as_array().unwrap();
    let objects: Vec<_> = parts.iter().filter(|part| part.get("export").is_some()).collect();
    let known = objects.iter().filter(|part| part.get("form").is_some()).count();
    for part in &objects {
        for property in part["properties"].as_array().into_iter().flatten() {
            if property.to_string().contains("{\"bytes\"") {
                println!(
                    "BYTES {} {} {}: {} {:.600}",
                    package.name(),
                    part["class"],
                    property["name"],
                    property["type"],
                    property.to_string()
                );
            }
        }
    }
    if known < objects.len() {
        for part in objects.iter().filter(|part| part.get("form").is_none()) {
            let error = unreal::read_object(
                package,
                part["export"].as_u64().unwrap() as usize,
                mappings,
                &mut limits(),
            )
            .err();
            println!(
                "NONE {}: {} of {} {:?}",
                package.name(),
                part["name"],
                part["class"],
                error.map(|e| e.to_string())
            );
        }
    }
    (known, objects.len() - known)
}

#[test]
fn every_package_of_a_real_game_is_the_same_after_json() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let mappings = mappings(&folder);
    for form in ["Tagged", "Unversioned"] {
        let mount = game(&folder.join("IoStore").join(form));
        let scripts = Arc::new(ScriptNames::read(&mount, &mut limits()).unwrap());
        let objects = GameObjects::new(&mount).unwrap();
        let (mut packages, mut known, mut unknown) = (0, 0, 0);
        for entry in mount.entries().filter(|entry| mount.is_package(*entry) && !mount.is_overridden(*entry))
        {
            let package = mount.open_package(entry, None, &mut limits()).unwrap().with_scripts(&scripts);
            let chunk = round_trip(&package, Some(&mappings));
            let file = to_legacy(&package, version(), &objects, &mut limits()).unwrap();
            let files =
                package_of_files(package.name(), &file.header, &bytes_of(&file.objects(package.source())));
            let legacy = round_trip(&files, Some(&mappings));
            assert_eq!(chunk, legacy, "{}", package.name());
            let back = to_zen(&files, ZenForm::Dependencies, &mut limits()).unwrap();
            assert!(bytes_of(&back.into_source(files.source())) == bytes_of(package.source()));
            packages += 1;
            known += chunk.0;
            unknown += chunk.1;
        }
        println!("{form}: {packages} packages, {known} objects with properties, {unknown} without");
        assert_eq!(packages, 97);
    }
}
