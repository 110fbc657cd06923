//! Sound banks in the containers of games, and loose beside them.

use std::path::Path;
use std::sync::Arc;

use fixtures::pak::{PakEntry, PakWriter};
use fixtures::sound_wave;
use fixtures::wave::{Values, Wave};
use fixtures::wwise_bank::WwiseBank;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use importer::{BankOptions, SoundFile, Status};
use modkit::replace::bank::{BankError, BankRecording, are_of_banks, replace_in_game};
use modkit::replace::{ModKind, ReplaceOptions};
use song::Recording;

fn wem(values: &[i16]) -> Vec<u8> {
    Wave::new(48_000, 1, Values::I16(values.to_vec())).finish()
}

/// A bank with a media of its own and one beside it.
fn bank(values: &[i16]) -> Vec<u8> {
    let bank = WwiseBank::default().media(7, &wem(values)).sound(107, 7).sound(108, 8);
    bank.event("Play_Wind", &[107]).event("Play_Step", &[108]).finish()
}

fn pak(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entries = entries.iter().map(|(path, bytes)| PakEntry::new(path, bytes)).collect();
    PakWriter { entries, ..PakWriter::new(11) }.finish()
}

fn opened(files: &[(&str, Vec<u8>)], path: &str) -> (OpenedFile, SoundFile) {
    let files: MemoryFiles = files.iter().map(|(path, bytes)| (*path, bytes.clone())).collect();
    let files: Arc<dyn Files> = Arc::new(files);
    let names = ["Play_Wind", "Play_Step"].map(str::to_owned).to_vec();
    let options =
        OpenOptions { banks: BankOptions { names, ..BankOptions::default() }, ..OpenOptions::default() };
    let game = OpenedFile::open(&files, Path::new(path), &options).unwrap();
    let sounds = game.sounds(&options).unwrap();
    (game, sounds)
}

/// Returns what is listed: number, name, class, and the numbers of what it plays.
fn listed(file: &SoundFile) -> Vec<(usize, &str, &str, Vec<usize>)> {
    let row = |sound: &'_ importer::Sound| {
        assert_eq!(sound.status, Status::Ok, "{}", sound.object.name);
        sound.plays().to_vec()
    };
    file.sounds()
        .iter()
        .map(|sound| (sound.number, sound.object.name.as_str(), sound.class.name(), row(sound)))
        .collect()
}

fn frames(file: &SoundFile, number: usize) -> Vec<i16> {
    let sample = file.sample(number).unwrap();
    let Recording::I16(planes) = sample.recording() else { panic!("not of 16 bits") };
    planes.left().to_vec()
}

const BANK: &str = "Shooter/Content/WwiseAudio/Windows/Main.bnk";
const PAK: &str = "Shooter/Content/Paks/Shooter.pak";

#[test]
fn banks_of_containers_are_listed_after_packages_and_play() {
    let mut entries = sound_wave::package("SW_Steps");
    entries.push(PakEntry::new(BANK, &bank(&[1, 2, 3])));
    entries.push(PakEntry::new("Shooter/Content/WwiseAudio/Windows/8.wem", &wem(&[4, 5])));
    let files = [(PAK, PakWriter { entries, ..PakWriter::new(11) }.finish())];
    for path in [PAK, "Shooter"] {
        let (_, file) = opened(&files, path);
        let rows = listed(&file);
        assert_eq!(rows[0].1, "SW_Steps");
        assert_eq!(
            rows[1..],
            [
                (2, "8", "WwiseMedia", vec![]),
                (3, "7", "WwiseMedia", vec![]),
                (4, "Play_Wind", "WwiseEvent", vec![3]),
                (5, "Play_Step", "WwiseEvent", vec![2]),
            ]
        );
        assert_eq!((frames(&file, 2), frames(&file, 3)), (vec![4, 5], vec![1, 2, 3]));
        assert!(file.import().unwrap().report.skipped.is_empty());
    }
}

#[test]
fn sounds_of_banks_and_of_packages_are_replaced_by_two_calls() {
    let mut entries = sound_wave::package("SW_Steps");
    entries.push(PakEntry::new(BANK, &bank(&[1, 2, 3])));
    let (_, file) = opened(&[(PAK, PakWriter { entries, ..PakWriter::new(11) }.finish())], "Shooter");
    let of_banks = |sounds: &[&str]| are_of_banks(&file, sounds.iter().copied());
    assert!(matches!((of_banks(&["7", "Play_Wind"]), of_banks(&["SW_Steps"])), (Ok(true), Ok(false))));
    let error = of_banks(&["SW_Steps", "Play_Wind", "Nothing", "7"]).unwrap_err();
    assert!(matches!(error, BankError::Kinds { .. }) && error.is_usage());
    assert!(error.to_string().ends_with("2 sounds of banks and 1 of packages: replace them by two calls"));
    assert_eq!(error.hints()[..2], ["of banks: Play_Wind, 7", "of packages: SW_Steps"]);
}

#[test]
fn loose_media_belong_to_banks_of_containers_wherever_the_game_is_opened() {
    let media = "Shooter/Content/WwiseAudio/Windows/8.wem";
    // An installation may be called as its project is.
    for outer in ["Games", "Shooter"] {
        let [path, copy, container] =
            [media, "Shooter/Saved/8.wem", PAK].map(|path| format!("{outer}/{path}"));
        let files = [
            (path.as_str(), wem(&[4, 5])),
            (copy.as_str(), wem(&[6])),
            (container.as_str(), pak(&[(BANK, bank(&[1]))])),
        ];
        for below in ["", "/Shooter", "/Shooter/Content"] {
            let root = format!("{outer}{below}");
            let (game, file) = opened(&files, &root);
            let rows = listed(&file);
            let step = rows.iter().find(|row| row.1 == "Play_Step").unwrap();
            assert_eq!(frames(&file, step.3[0]), [4, 5], "{root}");
            assert_eq!(rows.len(), 4, "{root}: the copy is left out");
            assert!(game.files().iter().any(|read| read.ends_with("8.wem")));
            let paths: Vec<&str> =
                file.banks().unwrap().files().iter().map(|bank| bank.path.as_str()).collect();
            assert_eq!(paths, [media, BANK], "{root}");
        }
    }
}

#[test]
fn a_file_of_a_container_comes_before_a_loose_one() {
    let entries = [(BANK, bank(&[1])), ("Shooter/Content/WwiseAudio/Windows/8.wem", wem(&[2, 2]))];
    let loose = bank(&[9, 9, 9]);
    let (_, file) = opened(&[(PAK, pak(&entries)), (BANK, loose)], "Shooter");
    let wind = listed(&file).into_iter().find(|row| row.1 == "Play_Wind").unwrap();
    assert_eq!((frames(&file, wind.3[0]), file.sounds().len()), (vec![1], 4));
}

#[test]
fn a_later_container_has_the_bank_that_counts_and_a_mod_is_one() {
    let first = pak(&[(BANK, bank(&[1, 2])), ("Shooter/Content/WwiseAudio/Windows/8.wem", wem(&[4]))]);
    let (game, file) = opened(&[(PAK, first.clone())], "Shooter");
    let are_of_banks = |sounds: &[&str]| are_of_banks(&file, sounds.iter().copied()).unwrap();
    assert!(are_of_banks(&["Play_Wind", "7"]) && are_of_banks(&["7", "Nothing"]));
    assert!(!are_of_banks(&["Nothing"]));
    let recording = BankRecording::of_file(wem(&[9, 8, 7])).unwrap();
    let mount = &game.game().unwrap().mount;
    let (made, warnings) =
        replace_in_game(&file, mount, vec![("Play_Wind", recording)], ReplaceOptions::default()).unwrap();
    assert!(warnings.is_empty() && matches!(made.kind, ModKind::Pak(_)), "{warnings:?}");
    let [changed] = &made.files[..] else { panic!("{} files", made.files.len()) };
    assert_eq!(changed.entry, BANK);
    let patch = pak(&[(BANK, changed.bytes().unwrap().to_vec())]);
    let (_, file) = opened(&[(PAK, first), ("Shooter/Content/Paks/Mod_P.pak", patch)], "Shooter");
    let wind = listed(&file).into_iter().find(|row| row.1 == "Play_Wind").unwrap();
    assert_eq!(frames(&file, wind.3[0]), [9, 8, 7]);
    assert_eq!(file.sounds().len(), 4, "the bank that is overridden is not listed");
    let facts = modkit::report::bank::facts(&file);
    let fact = |title| facts.iter().find(|(of, _)| *of == title).map(|(_, fact)| fact.as_str());
    assert_eq!((fact("media"), fact("events"), fact("platform")), (Some("2"), Some("2"), Some("Windows")));
    assert!(fact("banks").unwrap().contains("Wwise 132 (2018.1)") && fact("unread").is_none(), "{facts:?}");
    assert!(fact("items").unwrap().contains("2 event"), "{facts:?}");
}

#[test]
fn texts_far_from_banks_are_not_read_and_damaged_banks_leave_the_rest() {
    let names = "Event\tID\tName\n\t1\tx\n".repeat(10).into_bytes();
    let mut cut = bank(&[1, 2]);
    cut.truncate(cut.len() - 30);
    let entries = [
        (BANK, bank(&[1])),
        ("Shooter/Content/WwiseAudio/Windows/8.wem", wem(&[4])),
        ("Shooter/Content/WwiseAudio/Mac/Cut.bnk", cut),
        ("Shooter/Content/Movies/subtitles.txt", names.clone()),
        ("Shooter/Content/WwiseAudio/Windows/Main.txt", names),
    ];
    let (_, file) = opened(&[(PAK, pak(&entries))], "Shooter");
    let banks = file.banks().unwrap();
    let paths: Vec<&str> = banks.paths().iter().map(|path| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(paths, ["Cut.bnk", "8.wem", "Main.bnk", "Main.txt"]);
    assert!(file.sounds().iter().filter(|sound| sound.status == Status::Ok).count() >= 4);
}
