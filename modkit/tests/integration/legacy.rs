//! Packages of containers as they are shown and become files.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;

use exporter::Overwrite;
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::zen::{PackageForm, ZenWriter};
use importer::GameOptions;
use modkit::GamePackages;
use modkit::legacy::LegacyConverter;
use modkit::unpack::{UnpackOptions, plan, unpack};
use tempfile::TempDir;
use unreal::containers::mount::Mount;
use unreal::containers::{Container, IoStore};
use unreal::{KeyRing, Limits, Memory, Source};

/// The number of the class of recordings.
const SOUND_WAVE: u64 = 0x44F2_6264_628E_498D;

/// A game with a package at each of these paths.
fn game(paths: &[&str]) -> Mount {
    let exports = vec![("First".to_owned(), SOUND_WAVE, vec![7; 20])];
    let package = |(path, number): (&&str, u8)| {
        let writer =
            ZenWriter { exports: exports.clone(), ..ZenWriter::new(PackageForm::Engine5_6, "/Game/First") };
        let id = [number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        TocChunk { path: (*path).to_owned(), id, data: writer.finish(), is_packed: false }
    };
    let chunks = paths.iter().zip(1..).map(package).collect();
    let WrittenToc { table, partitions, .. } = TocWriter { chunks, ..TocWriter::new(5) }.finish();
    let data = partitions.into_iter().map(|bytes| Some(Box::new(Memory(bytes)) as Box<dyn Source>));
    let (keys, limits) = (KeyRing::default(), &mut Limits::default());
    let store = IoStore::open(Box::new(Memory(table)), data.collect(), &keys, limits).unwrap();
    Mount::new(vec![("Game.utoc".to_owned(), Container::IoStore(store))])
}

#[test]
fn levels_keep_their_extension_and_packages_with_another_get_their_own() {
    let mount = game(&["Game/Content/A.uasset", "Game/Content/B.umap", "Game/Content/C.bin"]);
    let folder = TempDir::new().unwrap();
    let converter = LegacyConverter::new(&mount, None).unwrap();
    let options = UnpackOptions {
        output: folder.path(),
        overwrite: &Overwrite::never(),
        converter: Some(&converter),
        threads: NonZeroUsize::MIN,
        report: &|_| true,
    };
    let done = unpack(&mount, &plan(&mount, |_, _| true), options).unwrap();
    assert!(done.failed.is_empty() && done.converted == 3, "{done:?}");
    let entries = fs::read_dir(folder.path().join("Game/Content")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["A.uasset", "A.uexp", "B.uexp", "B.umap", "C.uasset", "C.uexp"]);
}

#[test]
fn a_class_of_the_game_is_shown_by_its_name() {
    let mount = game(&["Game/Content/A.uasset"]);
    let entry = mount.at_path("Game/Content/A.uasset").unwrap();
    let packages =
        GamePackages::find(Arc::new(mount), None, GameOptions::default(), &mut |error| panic!("{error}"));
    let shown = packages.unwrap().tables(entry).unwrap();
    assert_eq!(shown.exports[0].class.as_deref(), Some("/Script/Engine.SoundWave"));
}
