//! Sound banks and media that packages of a game hold as bulk data.

use std::path::Path;
use std::sync::Arc;

use fixtures::asset::AssetWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::property::{self, Coding, NameList, Written};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::wave::{Values, Wave};
use fixtures::wwise_bank::WwiseBank;
use fixtures::zen::{HeaderForm, ListedPackage, PackageForm, ZenWriter, container_header};
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use importer::{SoundFile, Status};
use modkit::replace::bank::{BankRecording, replace_in_game};
use modkit::replace::{Mod, ModKind, ReplaceOptions};
use song::Recording;

/// The number by which packages in containers know the class `/Script/AkAudio.AkAudioEvent`: 62 bits of the
/// `CityHash64` of its path in lower case as UTF-16, with `/` for `.`, and 1 in the two bits above.
const EVENT: u64 = 0x7E7D_6C3D_687C_1189;

fn wem(values: &[i16]) -> Vec<u8> {
    Wave::new(48_000, 1, Values::I16(values.to_vec())).finish()
}

/// A bank whose event plays a media of its own and one that is elsewhere.
fn bank(values: &[i16]) -> Vec<u8> {
    let bank = WwiseBank::default().media(7, &wem(values)).sound(107, 7).sound(108, 8);
    bank.event("Play_Wind", &[107, 108]).finish()
}

/// A reference to bulk data as packages before 5.2 have it.
fn reference(flags: u32, offset: u64, data: &[u8]) -> Vec<u8> {
    let size = (data.len() as u32).to_le_bytes();
    let inline = if flags == 0x48 { data } else { &[] };
    [&flags.to_le_bytes()[..], &size, &size, &offset.to_le_bytes(), inline].concat()
}

/// Flags of data at an offset of `.ubulk`.
const BESIDE: u32 = 0x10501;

/// The files of a package of 4.27: header, objects, data.
fn package(
    path: &str,
    names: &NameList,
    classes: &[&str],
    exports: Vec<(&str, i32, Vec<u8>)>,
    bulk: &[u8],
) -> Vec<PakEntry> {
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: classes.iter().map(|class| (*class).to_owned()).collect(),
        exports: exports.into_iter().map(|(name, class, bytes)| (name.to_owned(), class, bytes)).collect(),
        ..AssetWriter::new(-7, 522, 0)
    };
    let (header, objects) = writer.finish();
    let files = [("uasset", &header[..]), ("uexp", &objects), ("ubulk", bulk)];
    let present = files.iter().filter(|(_, data)| !data.is_empty());
    present.map(|(extension, data)| PakEntry::new(&format!("{path}.{extension}"), data)).collect()
}

fn names() -> NameList {
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    NameList(fixed.map(str::to_owned).to_vec())
}

/// A game of 2021: an event with its bank beside it, and a media in chunks, the first of which repeats the beginning.
fn game_of_4_27(media: &[u8], has_rest: bool) -> Vec<PakEntry> {
    let event = bank(&[1, 2, 3]);
    let object = [&[0; 9][..], &reference(BESIDE, 5, &event), &[7; 4]].concat();
    let mut entries = package(
        "Shooter/Content/Audio/Events/Play_Wind",
        &names(),
        &["AkAudioEventData"],
        vec![("Windows", -3, object)],
        &[&[0xFF; 5][..], &event].concat(),
    );
    let mut list = names();
    let id = property::object(Coding::Simple, &mut list, "AkMediaAsset", &[("Id", Written::Int(8))]);
    let chunk = |is_prefetch: u32, reference: Vec<u8>| [&is_prefetch.to_le_bytes()[..], &reference].concat();
    let mut chunks = vec![chunk(1, reference(0x48, 0, &media[..20]))];
    let (first, second) = media.split_at(30);
    if has_rest {
        chunks.push(chunk(0, reference(BESIDE, 0, first)));
        chunks.push(chunk(0, reference(BESIDE, 30, second)));
    }
    let data = [&[0; 4][..], &(chunks.len() as u32).to_le_bytes(), &chunks.concat()].concat();
    entries.extend(package(
        "Shooter/Content/Audio/Media/Step",
        &list,
        &["AkMediaAsset", "AkMediaAssetData"],
        vec![("Step", -3, [&id[..], &[2, 0, 0, 0]].concat()), ("Data", -4, data)],
        media,
    ));
    entries
}

fn opened(files: Vec<(&str, Vec<u8>)>) -> (OpenedFile, SoundFile) {
    let files: MemoryFiles = files.into_iter().collect();
    let files: Arc<dyn Files> = Arc::new(files);
    let options = OpenOptions::default();
    let game = OpenedFile::open(&files, Path::new("Shooter"), &options).unwrap();
    let sounds = game.sounds(&options).unwrap();
    (game, sounds)
}

fn in_pak(entries: Vec<PakEntry>) -> (OpenedFile, SoundFile) {
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    opened(vec![("Shooter/Content/Paks/Shooter.pak", pak)])
}

/// Returns what is listed: name, class, container below the game, status, and the numbers of what it plays.
fn listed(file: &SoundFile) -> Vec<(&str, &str, String, &Status, Vec<usize>)> {
    let container = |sound: &importer::Sound| {
        let of_bank = sound.container.clone();
        of_bank.unwrap_or_default().trim_start_matches("Shooter/").to_owned()
    };
    let row = |sound: &'_ importer::Sound| (container(sound), sound.plays().to_vec());
    file.sounds()
        .iter()
        .map(|sound| {
            let (container, plays) = row(sound);
            (sound.object.name.as_str(), sound.class.name(), container, &sound.status, plays)
        })
        .collect()
}

fn frames(file: &SoundFile, number: usize) -> Vec<i16> {
    let sample = file.sample(number).unwrap();
    let Recording::I16(planes) = sample.recording() else { panic!("not of 16 bits") };
    planes.left().to_vec()
}

#[test]
fn banks_and_media_in_packages_of_a_pak_are_listed_and_play() {
    let (_, file) = in_pak(game_of_4_27(&wem(&[4, 5, 6, 7]), true));
    let rows = listed(&file);
    let step = "Content/Audio/Media/Step.uasset/8.wem";
    let wind = "Content/Audio/Events/Play_Wind.uasset/Play_Wind.bnk";
    assert_eq!(
        rows,
        [
            ("7", "WwiseMedia", wind.to_owned(), &Status::Ok, vec![]),
            ("8", "WwiseMedia", step.to_owned(), &Status::Ok, vec![]),
            ("Play_Wind", "WwiseEvent", wind.to_owned(), &Status::Ok, vec![1, 2]),
        ]
    );
    assert_eq!((frames(&file, 1), frames(&file, 2)), (vec![1, 2, 3], vec![4, 5, 6, 7]));
    assert!(file.import().unwrap().report.skipped.is_empty());
}

#[test]
fn a_media_of_which_only_the_prefetch_is_there_is_damaged() {
    let (_, file) = in_pak(game_of_4_27(&wem(&[4; 500]), false));
    let rows = listed(&file);
    assert_eq!(rows[1].0, "8");
    assert!(matches!(rows[1].3, Status::Damaged(_)), "{:?}", rows[1]);
}

#[test]
fn objects_of_middleware_without_files_stay_what_they_were() {
    let object = [0; 40].to_vec();
    let entries = package("Shooter/Content/A", &names(), &["AkAudioEvent"], vec![("A", -3, object)], &[]);
    let (_, file) = in_pak(entries);
    // Its class is of no package that is known.
    assert!(listed(&file).is_empty() && file.banks().is_none());
}

/// A package in a container from 5.2 on: references are rows of a table.
fn in_container(has_media: bool) -> (OpenedFile, SoundFile) {
    let (event, media) = (bank(&[1, 2, 3]), wem(&[4, 5]));
    let names = ["Event/Play_Wind.bnk", "Media/8.wem"].map(str::to_owned).to_vec();
    let mut object = [&[0; 5][..], &8_u32.to_le_bytes(), &3_u32.to_le_bytes(), &[0; 4]].concat();
    let mut rows = vec![];
    if has_media {
        object.extend(1_u32.to_le_bytes());
        rows.push((0, event.len() as u64, 0x1_0501));
        rows.push((event.len() as u64, media.len() as u64, 0x1_0501));
    } else {
        rows.push((0, event.len() as u64, 0x1_0501));
    }
    let writer = ZenWriter {
        names,
        exports: vec![("Play_Wind".to_owned(), EVENT, object)],
        bulk: Some(rows),
        ..ZenWriter::new(PackageForm::Engine5_3, "/Game/Audio/Play_Wind")
    };
    container_of(writer.finish(), [event, media].concat(), !has_media)
}

/// A game of a package in a container, and perhaps a loose media.
fn container_of(package: Vec<u8>, bulk: Vec<u8>, has_loose: bool) -> (OpenedFile, SoundFile) {
    let listed = ListedPackage { id: 7, ..ListedPackage::default() };
    let header = container_header(HeaderForm::Signed(3), 42, &[listed]);
    let chunk = |path: &str, kind, data| TocChunk {
        path: path.to_owned(),
        id: [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kind],
        data,
        is_packed: false,
    };
    let chunks = vec![
        chunk("Shooter/Content/Audio/Play_Wind.uasset", 1, package),
        chunk("Shooter/Content/Audio/Play_Wind.ubulk", 2, bulk),
        TocChunk { path: String::new(), ..chunk("", 6, header) },
    ];
    let WrittenToc { table, mut partitions, .. } = TocWriter { chunks, ..TocWriter::new(8) }.finish();
    let mut files = vec![
        ("Shooter/Content/Paks/Shooter.utoc", table),
        ("Shooter/Content/Paks/Shooter.ucas", partitions.remove(0)),
    ];
    if has_loose {
        files.push(("Shooter/Content/WwiseAudio/Windows/8.wem", wem(&[9; 4])));
    }
    opened(files)
}

#[test]
fn banks_and_media_in_packages_of_a_container_are_listed_by_the_paths_that_these_state() {
    let (_, file) = in_container(true);
    let rows = listed(&file);
    let names: Vec<_> = rows.iter().map(|row| (row.0, row.2.as_str(), row.4.clone())).collect();
    let of = "Content/Audio/Play_Wind.uasset";
    assert_eq!(
        names,
        [
            ("8", &*format!("{of}/8.wem"), vec![]),
            ("7", &*format!("{of}/Play_Wind.bnk"), vec![]),
            ("Play_Wind", &*format!("{of}/Play_Wind.bnk"), vec![1, 2]),
        ]
    );
}

#[test]
fn a_bank_in_a_package_plays_media_that_are_loose() {
    let (_, file) = in_container(false);
    let rows = listed(&file);
    let event = rows.iter().find(|row| row.0 == "Play_Wind").unwrap();
    assert_eq!(
        event.4.iter().map(|number| frames(&file, *number)).collect::<Vec<_>>(),
        [vec![1, 2, 3], vec![9; 4]]
    );
}

/// Returns the mod that replaces a sound.
fn changed(game: &OpenedFile, file: &SoundFile, sound: &str, values: &[i16]) -> Mod {
    let recording = BankRecording::of_file(wem(values)).unwrap();
    let mount = &game.game().unwrap().mount;
    let made = replace_in_game(file, mount, vec![(sound, recording)], ReplaceOptions::default());
    let (made, warnings) = made.unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    made
}

#[test]
fn a_media_in_chunks_is_replaced_in_its_package_and_every_bank_that_states_its_size() {
    let game = in_pak(game_of_4_27(&wem(&[4, 5, 6, 7]), true));
    let made = changed(&game.0, &game.1, "8", &[70; 100]);
    let mut names: Vec<&str> = made.files.iter().map(|file| file.entry.rsplit('/').next().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["Play_Wind.uasset", "Play_Wind.ubulk", "Play_Wind.uexp", "Step.uasset", "Step.ubulk", "Step.uexp"]
    );
    let mut entries = game_of_4_27(&wem(&[4, 5, 6, 7]), true);
    for file in &made.files {
        entries.retain(|entry| entry.path != file.entry);
        entries.push(PakEntry::new(&file.entry, file.bytes().unwrap()));
    }
    let (_, file) = in_pak(entries);
    assert_eq!((frames(&file, 1), frames(&file, 2)), (vec![1, 2, 3], vec![70; 100]));
    assert_eq!(listed(&file)[2].4, [1, 2]);
    let bulk = made.files.iter().find(|file| file.entry.ends_with("Play_Wind.ubulk")).unwrap();
    // The bank is as long as before, and alone in its file.
    assert!(bulk.bytes().unwrap().len() < bank(&[1, 2, 3]).len() + 16);
}

#[test]
fn a_media_of_a_bank_in_a_container_is_replaced_in_its_package() {
    let (game, file) = in_container(true);
    for (sound, number) in [("7", 2), ("#1", 1)] {
        let made = changed(&game, &file, sound, &[50; 300]);
        assert!(matches!(made.kind, ModKind::IoStore(_)), "{:?}", made.kind);
        let bytes = |extension: &str| {
            let found = made.files.iter().find(|file| file.entry.ends_with(extension)).unwrap();
            found.bytes().unwrap().to_vec()
        };
        let (_, file) = container_of(bytes("uasset"), bytes("ubulk"), false);
        let unread: Vec<_> = file.unread_packages().unwrap().iter().collect();
        assert!(unread.is_empty(), "{unread:?}");
        assert_eq!(frames(&file, number), vec![50; 300], "{sound}");
        let other = 3 - number;
        assert_eq!(frames(&file, other), if other == 1 { vec![4, 5] } else { vec![1, 2, 3] }, "{sound}");
    }
}

#[test]
fn data_beside_that_of_files_is_kept() {
    let mut entries = game_of_4_27(&wem(&[4; 40]), true);
    let bulk = entries.iter_mut().find(|entry| entry.path.ends_with("Step.ubulk")).unwrap();
    bulk.data.extend([1; 64]);
    let old = bulk.data.clone();
    let (game, file) = in_pak(entries);
    let made = changed(&game, &file, "8", &[5]);
    let bulk = made.files.iter().find(|file| file.entry.ends_with("Step.ubulk")).unwrap();
    assert!(bulk.bytes().unwrap().starts_with(&old));
}
