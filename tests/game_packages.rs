//! Packages of Unreal Engine 4 to 6 that are files: every version, stated or not, in paks and in folders.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fixtures::asset::AssetWriter;
use fixtures::corpus::corpus;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::sound_wave::{Stored, WaveObject, object, recording};
use importer::open::{Files, MemoryFiles, OpenError, OpenOptions, OpenedFile};
use importer::{Budget, GameOptions, SoundFile, Status};
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::ue4to6::asset::{AssetHeader, AssetTables};
use unreal::{FileSource, KeyRing, Limits, Memory};

/// Versions on both sides of each change, with the first number that packages had then.
const VERSIONS: [(i32, u32, u32); 50] = [
    (-2, 223, 0),
    (-2, 224, 0),
    (-2, 277, 0),
    (-2, 278, 0),
    (-3, 335, 0),
    (-3, 336, 0),
    (-3, 342, 0),
    (-3, 364, 0),
    (-3, 365, 0),
    (-4, 383, 0),
    (-4, 384, 0),
    (-5, 443, 0),
    (-5, 444, 0),
    (-6, 458, 0),
    (-6, 459, 0),
    (-6, 484, 0),
    (-6, 485, 0),
    (-6, 503, 0),
    (-6, 504, 0),
    (-6, 506, 0),
    (-6, 507, 0),
    (-7, 507, 0),
    (-7, 508, 0),
    (-7, 509, 0),
    (-7, 510, 0),
    (-7, 511, 0),
    (-7, 515, 0),
    (-7, 516, 0),
    (-7, 517, 0),
    (-7, 518, 0),
    (-7, 519, 0),
    (-7, 520, 0),
    (-7, 522, 0),
    (-8, 522, 1000),
    (-8, 522, 1001),
    (-8, 522, 1002),
    (-8, 522, 1003),
    (-8, 522, 1004),
    (-8, 522, 1005),
    (-8, 522, 1006),
    (-8, 522, 1007),
    (-8, 522, 1008),
    (-8, 522, 1009),
    (-8, 522, 1010),
    (-8, 522, 1013),
    (-8, 522, 1014),
    (-8, 522, 1015),
    (-9, 522, 1016),
    (-9, 522, 1017),
    (-9, 522, 1018),
];

/// The versions of releases, which packages that state none may have.
const RELEASED: [(i32, u32, u32); 26] = [
    (-3, 342, 0),
    (-3, 352, 0),
    (-3, 363, 0),
    (-4, 382, 0),
    (-4, 385, 0),
    (-5, 401, 0),
    (-5, 413, 0),
    (-6, 434, 0),
    (-6, 451, 0),
    (-6, 482, 0),
    (-6, 498, 0),
    (-6, 504, 0),
    (-6, 505, 0),
    (-7, 508, 0),
    (-7, 510, 0),
    (-7, 513, 0),
    (-7, 514, 0),
    (-7, 516, 0),
    (-7, 517, 0),
    (-7, 518, 0),
    (-7, 522, 0),
    (-8, 522, 1004),
    (-8, 522, 1008),
    (-8, 522, 1012),
    (-8, 522, 1013),
    (-9, 522, 1018),
];

/// A package with a recording and another object before it.
fn package(version: (i32, u32, u32), stored: Stored) -> (AssetWriter, WaveObject) {
    let (first, engine_4, engine_5) = version;
    let has_table = engine_5 >= 1009;
    let other = vec![9; 50];
    let mut wave = object(stored, &recording(), 6, has_table, other.len());
    if has_table && stored == Stored::AtTheEnd {
        // Without this, places count from where data begins after the objects; so does this one.
        wave.data.iter_mut().for_each(|(.., flags)| *flags = 1);
    }
    let writer = AssetWriter {
        names: vec!["ADPCM_1A2B".to_owned()],
        exports: vec![("Other".to_owned(), 0, other), ("SW_Steps".to_owned(), -2, wave.bytes.clone())],
        data: has_table.then(|| wave.data.clone()),
        after: wave.after.clone(),
        ..AssetWriter::new(first, engine_4, engine_5)
    };
    (writer, wave)
}

/// A pak with the files of a package.
fn game(files: &[(&str, &[u8])]) -> Mount {
    let entries = files
        .iter()
        .map(|(extension, data)| PakEntry::new(&format!("Shooter/Content/Audio/SW_Steps.{extension}"), data))
        .collect();
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    let pak =
        Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default()).unwrap();
    Mount::new(vec![("Shooter.pak".to_owned(), pak)])
}

fn check(mount: Mount, case: &str) {
    let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
    let [sound] = file.sounds() else { panic!("{case}: {:?}", file.unread_packages()) };
    assert_eq!((&*sound.path(), &sound.status), ("/Game/Audio/SW_Steps", &Status::Ok), "{case}");
    assert_eq!(sound.container.as_deref(), Some("Shooter.pak"));
    assert!(file.payload(1).unwrap() == recording(), "{case}");
    assert_eq!(file.sample(1).unwrap().length().get(), 3000, "{case}");
}

#[test]
fn recordings_are_found_in_packages_of_every_version() {
    for version in VERSIONS {
        for (stored, is_filtered) in [
            (Stored::Streamed, true),
            (Stored::StreamedWhole, true),
            (Stored::InOnePiece, true),
            (Stored::AtTheEnd, true),
            (Stored::InOnePiece, false),
        ] {
            let (writer, wave) = package(version, stored);
            let (header, objects) = AssetWriter { is_filtered, ..writer }.finish();
            let case = format!("{version:?}, {stored:?}, filtered: {is_filtered}");
            check(game(&[("uasset", &header), ("uexp", &objects), ("ubulk", &wave.beside)]), &case);
            let whole = [header, objects].concat();
            check(game(&[("uasset", &whole), ("ubulk", &wave.beside)]), &format!("{case}, one file"));
        }
    }
}

#[test]
fn the_version_of_a_package_that_states_none_follows_from_its_tables() {
    for version in RELEASED {
        for is_unversioned in [false, true] {
            let (writer, wave) = package(version, Stored::Streamed);
            let (first, ..) = version;
            for keeps_import_packages in [false, first == -9] {
                let writer = AssetWriter {
                    states_version: false,
                    is_unversioned,
                    keeps_import_packages,
                    ..writer.clone()
                };
                let (header, objects) = writer.finish();
                let case = format!("{version:?}, unversioned: {is_unversioned}");
                check(game(&[("uasset", &header), ("uexp", &objects), ("ubulk", &wave.beside)]), &case);
            }
        }
    }
}

#[test]
fn a_release_that_the_user_names_is_taken_for_true() {
    let (writer, _) = package((-7, 522, 0), Stored::InOnePiece);
    let (header, _) = AssetWriter { states_version: false, ..writer }.finish();
    let read = |version: Option<&str>| {
        let version = version.map(|version| version.parse().unwrap());
        AssetTables::read(&Memory(&header[..]), version, &mut Limits::default())
    };
    assert_eq!(read(None).unwrap().version().release(), "4.26 or 4.27");
    assert_eq!(read(Some("4.27")).unwrap().version().release(), "4.26 or 4.27");
    // Its rows are longer.
    assert!(read(Some("4.5")).is_err());
}

#[test]
fn files_that_are_not_there_are_named() {
    let (writer, wave) = package((-8, 522, 1008), Stored::Streamed);
    let (header, objects) = writer.finish();
    for (files, missing) in [
        (&[("uasset", &header[..]), ("ubulk", &wave.beside)][..], "uexp"),
        (&[("uasset", &header), ("uexp", &objects)], "ubulk"),
    ] {
        let mount = game(files);
        let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
        let expected = format!("its bytes lie in /Game/Audio/SW_Steps.{missing}, which is not there");
        assert_eq!(file.sounds()[0].status.reason(), Some(expected));
    }
}

#[test]
fn a_package_that_is_cut_or_changed_anywhere_never_panics() {
    for version in [(-4, 384, 0), (-7, 522, 0), (-9, 522, 1018)] {
        for states_version in [true, false] {
            let (writer, wave) = package(version, Stored::Streamed);
            let (header, objects) = AssetWriter { states_version, ..writer }.finish();
            for at in 0..header.len() {
                let mut cases = vec![header[..at].to_vec()];
                for change in [0x01, 0x80, 0xFF] {
                    let mut changed = header.clone();
                    changed[at] ^= change;
                    cases.push(changed);
                }
                for case in cases {
                    let mount = game(&[("uasset", &case), ("uexp", &objects), ("ubulk", &wave.beside)]);
                    let file =
                        SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
                    for number in 1..=file.sounds().len() {
                        let _ = file.sample(number);
                    }
                }
            }
        }
    }
}

#[test]
fn headers_are_written_as_they_were_read() {
    for version in VERSIONS {
        for (is_filtered, states_version) in [(true, true), (false, true), (true, false)] {
            if !states_version && !RELEASED.contains(&version) {
                continue;
            }
            let (writer, _) = package(version, Stored::Streamed);
            let (header, _) = AssetWriter { is_filtered, states_version, ..writer }.finish();
            let read = AssetHeader::read(&Memory(&header[..]), None, &mut Limits::default()).unwrap();
            assert!(read.write().unwrap() == header, "{version:?}, filtered: {is_filtered}");
        }
    }
}

#[test]
fn a_header_that_is_changed_anywhere_is_written_or_refused() {
    for version in [(-4, 384, 0), (-7, 522, 0), (-9, 522, 1018)] {
        let (writer, _) = package(version, Stored::Streamed);
        let (header, _) = writer.finish();
        for at in 0..header.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut changed = header.clone();
                changed[at] ^= change;
                if let Ok(read) = AssetHeader::read(&Memory(changed), None, &mut Limits::default()) {
                    let _ = read.write();
                }
            }
        }
    }
}

#[test]
fn packages_of_real_paks_are_read_with_and_without_versions() {
    let Some(folder) = corpus("containers") else { return };
    let mut read = 0;
    for (form, release) in [("Tagged", "5.7 to 6.0"), ("Unversioned", "5.7 to 6.0")] {
        let path = folder.join(format!(
            "UE5_8/LegacyPak/{form}/Uncompressed/CUE4ParseFixtures-Legacy-{form}-Uncompressed.pak"
        ));
        let source = Box::new(FileSource::open(path).unwrap());
        let pak = Container::open_pak(source, &KeyRing::default(), &mut Limits::default()).unwrap();
        let mount = Mount::new(vec![("Game.pak".to_owned(), pak)]);
        for entry in mount.entries().filter(|entry| mount.is_package(*entry)) {
            let package = mount.open_package(entry, None, &mut Limits::default()).unwrap();
            let unreal::PackageTables::Asset(tables) = package.tables() else { panic!("{package:?}") };
            assert_eq!(tables.version().release(), release, "{}", package.name());
            assert_eq!(package.is_unversioned(), form == "Unversioned");
            assert!(package.name().starts_with("/Game/Fixtures/"), "{}", package.name());
            for export in 0..package.len() {
                let range = package.range(export).unwrap();
                assert!(range.start >= package.objects_at());
                assert!(package.export(export).unwrap().class.is_some(), "{}", package.name());
            }
            let mut header = vec![0; usize::try_from(package.objects_at()).unwrap()];
            package.source().read_at(0, &mut header).unwrap();
            let tables = AssetHeader::read(package.source(), None, &mut Limits::default()).unwrap();
            assert!(tables.write().unwrap() == header, "{}", package.name());
            // The objects end where the mark of the end begins, or data.
            let ends = (0..package.len()).map(|export| package.range(export).unwrap().end);
            assert_eq!(ends.max().unwrap(), package.bulk_at(), "{}", package.name());
            read += 1;
        }
    }
    assert_eq!(read, 10);
}

#[test]
fn packages_of_a_folder_are_opened_with_what_lies_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let (writer, wave) = package((-7, 522, 0), Stored::Streamed);
    let (header, objects) = writer.finish();
    let audio = folder.path().join("Shooter/Content/Audio");
    fs::create_dir_all(&audio).unwrap();
    for (name, bytes) in [
        ("SW_Steps.uasset", &header),
        ("SW_Steps.uexp", &objects),
        ("SW_Steps.ubulk", &wave.beside),
        ("Old.uasset", &b"no package".to_vec()),
    ] {
        fs::write(audio.join(name), bytes).unwrap();
    }
    let open = |path: &Path| {
        importer::open::GameMount::open(path, &KeyRing::default(), std::num::NonZeroUsize::MIN).unwrap().mount
    };
    for path in
        [folder.path().to_owned(), audio.clone(), audio.join("SW_Steps.uasset"), audio.join("SW_Steps.ubulk")]
    {
        let name = "/Game/Audio/SW_Steps";
        let mount = open(&path);
        let file = SoundFile::open_game(mount, "Game", &GameOptions::default(), Budget::default());
        let [sound] = file.sounds() else { panic!("{:?}", file.unread_packages()) };
        assert_eq!((&*sound.path(), &sound.status), (name, &Status::Ok));
        assert!(file.payload(1).unwrap() == recording());
    }
}

#[test]
fn the_table_of_dependencies_follows_the_exports_where_no_offset_is_stated() {
    for (engine_4, release) in [(508, "4.14"), (510, "4.15")] {
        let (writer, wave) = package((-7, engine_4, 0), Stored::InOnePiece);
        let writer =
            AssetWriter { states_depends: false, states_version: false, is_unversioned: true, ..writer };
        let (header, objects) = writer.finish();
        let package = AssetTables::read(&Memory(&header[..]), None, &mut Limits::default()).unwrap();
        assert_eq!(package.version().release(), release);
        check(game(&[("uasset", &header), ("uexp", &objects), ("ubulk", &wave.beside)]), release);
    }
}

#[test]
fn a_table_without_rows_bounds_no_other_and_keeps_its_offset() {
    let (writer, wave) = package((-8, 522, 1008), Stored::InOnePiece);
    // Among the names.
    let stale = writer.finish().0.windows(9).position(|name| name == b"SW_Steps\0").unwrap() as u32;
    for states_version in [true, false] {
        let writer = AssetWriter { empty_table_at: Some(stale), states_version, ..writer.clone() };
        let (header, objects) = writer.finish();
        let case = format!("stated: {states_version}");
        check(game(&[("uasset", &header), ("uexp", &objects), ("ubulk", &wave.beside)]), &case);
        let read = AssetHeader::read(&Memory(&header[..]), None, &mut Limits::default()).unwrap();
        assert!(read.write().unwrap() == header, "{case}");
    }
}

#[test]
fn the_error_of_a_package_that_fits_no_version_names_the_nearest() {
    let (writer, _) = package((-7, 510, 0), Stored::InOnePiece);
    let (mut header, _) = AssetWriter { states_version: false, ..writer }.finish();
    let read = AssetTables::read(&Memory(&header[..]), None, &mut Limits::default()).unwrap();
    assert_eq!(read.version().release(), "4.15");
    // The name of the last export, whose row has 96 bytes and is followed by what two objects depend on.
    let name = header.len() - 2 * 4 - 96 + 16;
    header[name..name + 4].fill(0xEE);
    let error =
        AssetTables::read(&Memory(&header[..]), None, &mut Limits::default()).unwrap_err().to_string();
    assert!(error.contains("Unreal Engine 4.15") && error.contains("no name has index"), "{error}");
}

#[test]
fn a_game_in_memory_is_opened_without_a_file_system() {
    let (writer, wave) = package((-8, 522, 1009), Stored::Streamed);
    let (header, objects) = writer.finish();
    let files: Vec<_> = [("uasset", &header[..]), ("uexp", &objects[..]), ("ubulk", &wave.beside[..])]
        .into_iter()
        .filter(|(_, bytes)| !bytes.is_empty())
        .map(|(extension, bytes)| (format!("Shooter/Content/Audio/SW_Steps.{extension}"), bytes))
        .collect();
    let entries = files.iter().map(|(path, bytes)| PakEntry::new(path, bytes)).collect();
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    let options = OpenOptions::default();
    let opened = |files: MemoryFiles, path: &str| {
        let files: Arc<dyn Files> = Arc::new(files);
        let file = OpenedFile::open(&files, Path::new(path), &options).unwrap().sounds(&options).unwrap();
        let sounds: Vec<_> = file.sounds().iter().map(|sound| (sound.path(), sound.status.clone())).collect();
        (sounds, file.sample(1).unwrap().length().get())
    };
    let steps = || vec![("/Game/Audio/SW_Steps".to_owned(), Status::Ok)];
    let in_pak = || [("Shooter/Content/Paks/Shooter.pak", pak.clone())].into_iter().collect();
    let (listed, frames) = opened(in_pak(), "Shooter");
    assert_eq!(listed, steps());
    assert_eq!(opened(in_pak(), "Shooter/Content/Paks/Shooter.pak"), (steps(), frames));
    let loose = || files.iter().map(|(path, bytes)| (path.clone(), bytes.to_vec())).collect();
    assert_eq!(opened(loose(), "Shooter"), (steps(), frames));
    assert_eq!(opened(loose(), "Shooter/Content/Audio/SW_Steps.uexp"), (steps(), frames));
    let nothing: Arc<dyn Files> = Arc::new(MemoryFiles::default());
    let missing = OpenedFile::open(&nothing, Path::new("Shooter"), &options).err();
    assert!(matches!(missing, Some(OpenError::Io { .. })));
}
