//! What extracted and rendered files are called, and where they go.

use crate::program;
use std::fs;
use std::path::Path;
use std::process::Output;

use fixtures::module::various;
use fixtures::package::PackageWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::sound_wave::package;
use program::bench::write_package;
use program::{command, usampler, with_slashes};
use tempfile::TempDir;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs the program in a folder.
fn in_folder(folder: &Path, args: &[&str]) -> Output {
    command(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    with_slashes(&String::from_utf8_lossy(bytes))
}

/// The files below a folder, in order.
fn files(folder: &Path) -> Vec<String> {
    fn add(folder: &Path, top: &Path, files: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                add(&entry, top, files);
            } else {
                files.push(with_slashes(path(entry.strip_prefix(top).unwrap())));
            }
        }
    }
    let mut found = Vec::new();
    add(folder, folder, &mut found);
    found.sort();
    found
}

/// A game with these sounds, its packages in one folder or another.
fn game(at: &Path, sounds: &[(&str, &str)]) {
    let of = |(folder, name): &(&str, &str)| {
        let moved = |entry: PakEntry| {
            PakEntry::new(&entry.path.replace("/Audio/", &format!("/{folder}/")), &entry.data)
        };
        package(name).into_iter().map(moved).collect::<Vec<_>>()
    };
    let entries = sounds.iter().flat_map(of).collect();
    fs::write(at, PakWriter { entries, ..PakWriter::new(8) }.finish()).unwrap();
}

#[test]
fn extracted_sounds_of_a_game_are_in_its_folders() {
    let folder = TempDir::new().unwrap();
    let pak = folder.path().join("Slider.pak");
    game(&pak, &[("Slider/Audio", "A_Release"), ("Slider/Audio", "A_Press"), ("Voices", "A_Press")]);
    let out = folder.path().join("out");
    let run = usampler(&["extract", path(&pak), "-o", path(&out)]);
    run.ends_with(0);
    let expected =
        ["Game/Slider/Audio/A_Press.wav", "Game/Slider/Audio/A_Release.wav", "Game/Voices/A_Press.wav"];
    assert_eq!(files(&out), expected);
    assert!(run.err.ends_with(&format!("3 sounds written to {}\n", path(&out))), "{}", run.err);
    // Another game with sounds of those paths.
    let other = folder.path().join("Other.pak");
    game(&other, &[("Voices", "A_Press")]);
    let out = folder.path().join("both");
    usampler(&["extract", path(&pak), path(&other), "-o", path(&out)]).ends_with(0);
    assert!(files(&out).contains(&"Game/Voices/A_Press~2.wav".to_owned()), "{:?}", files(&out));
    let out = folder.path().join("flat");
    usampler(&["extract", path(&pak), "-o", path(&out), "--flat"]).ends_with(0);
    let expected =
        ["Game_Slider_Audio_A_Press.wav", "Game_Slider_Audio_A_Release.wav", "Game_Voices_A_Press.wav"];
    assert_eq!(files(&out), expected);
}

#[test]
fn an_sfz_of_a_game_refers_to_the_files_in_its_folders() {
    let folder = TempDir::new().unwrap();
    let pak = folder.path().join("Slider.pak");
    game(&pak, &[("Audio", "A_Release"), ("Voices", "A_Press")]);
    let out = folder.path().join("out");
    usampler(&["extract", path(&pak), "-o", path(&out), "--sfz"]).ends_with(0);
    assert_eq!(files(&out), ["Game/Audio/A_Release.wav", "Game/Voices/A_Press.wav", "Slider.sfz"]);
    let sfz = fs::read_to_string(out.join("Slider.sfz")).unwrap();
    assert!(sfz.contains("sample=Game/Audio/A_Release.wav"), "{sfz}");
    assert!(sfz.contains("sample=Game/Voices/A_Press.wav"), "{sfz}");
}

#[test]
fn one_asset_is_extracted_without_folders() {
    let folder = TempDir::new().unwrap();
    for file in ["Steps", "Door"].into_iter().flat_map(package) {
        let at = folder.path().join(&file.path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, file.data).unwrap();
    }
    let steps = folder.path().join("Game/Content/Audio/Steps.uasset");
    let out = folder.path().join("out");
    usampler(&["extract", path(&steps), "-o", path(&out)]).ends_with(0);
    assert_eq!(files(&out), ["Steps.wav"]);
    let door = steps.with_file_name("Door.uasset");
    let both = folder.path().join("both");
    usampler(&["extract", path(&steps), path(&door), path(&steps), "-o", path(&both)]).ends_with(0);
    assert_eq!(files(&both), ["Door.wav", "Steps.wav", "Steps~2.wav"]);
}

#[test]
fn extract_without_a_folder_makes_a_new_one_for_each_file() {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    write_package(here, "Test.uax");
    let sounds = ["Click.wav", "Weapons.Flak.Fire.wav"];
    let run = in_folder(here, &["extract", "Test.uax"]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run.stderr));
    assert_eq!(text(&run.stdout), "Test/Weapons.Flak.Fire.wav\nTest/Click.wav\n");
    assert!(text(&run.stderr).contains("written to Test\n"), "{}", text(&run.stderr));
    assert_eq!(files(&here.join("Test")), sounds);
    // Never over what is there, whatever it is.
    fs::write(here.join("Test~2"), b"mine").unwrap();
    let run = in_folder(here, &["extract", "Test.uax", "--force"]);
    assert!(text(&run.stderr).contains("written to Test~3\n"), "{}", text(&run.stderr));
    assert_eq!(files(&here.join("Test~3")), sounds);
    assert_eq!(fs::read(here.join("Test~2")).unwrap(), b"mine");
    // Two at once, and the demo.
    fs::create_dir(here.join("more")).unwrap();
    write_package(&here.join("more"), "Test.uax");
    in_folder(here, &["extract", "Test.uax", "more/Test.uax", "demo:", "--filter", "click"]);
    assert_eq!(files(&here.join("Test~4")), ["Click.wav"]);
    assert_eq!(files(&here.join("Test~5")), ["Click.wav"]);
    assert!(!here.join("demo").exists(), "nothing matches in it");
}

#[test]
fn extract_without_a_folder_keeps_the_packages_of_a_folder_apart() {
    let folder = TempDir::new().unwrap();
    let sounds = folder.path().join("Sounds");
    fs::create_dir_all(sounds.join("more")).unwrap();
    write_package(&sounds, "Test.uax");
    write_package(&sounds.join("more"), "Test.uax");
    let run = in_folder(folder.path(), &["extract", "Sounds", "--filter", "click"]);
    assert_eq!(text(&run.stdout), "Sounds~2/Test/Click.wav\nSounds~2/Test~2/Click.wav\n");
    let run = in_folder(&sounds, &["extract", ".", "--filter", "click", "--dry-run"]);
    assert_eq!(text(&run.stdout), "Sounds/Test/Click.wav\nSounds/Test~2/Click.wav\n");
    game(&folder.path().join("Slider.pak"), &[("Audio", "A_Release")]);
    let run = in_folder(folder.path(), &["extract", "Slider.pak"]);
    assert_eq!(text(&run.stdout), "Slider/Game/Audio/A_Release.wav\n");
}

#[test]
fn a_dry_run_without_a_folder_says_what_would_be_written_where() {
    let folder = TempDir::new().unwrap();
    write_package(folder.path(), "Test.uax");
    let run = in_folder(folder.path(), &["extract", "Test.uax", "--dry-run", "--filter", "click"]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert_eq!(text(&run.stdout), "Test/Click.wav\n");
    assert!(text(&run.stderr).contains("1 sound would be written to Test"), "{}", text(&run.stderr));
    assert_eq!(files(folder.path()), ["Test.uax"]);
    // To go on somewhere, one says where.
    let run = in_folder(folder.path(), &["extract", "Test.uax", "--skip-existing"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("--output"), "{}", text(&run.stderr));
}

#[test]
fn names_of_a_new_folder_and_file_stay_in_the_current_one() {
    let outside = TempDir::new().unwrap();
    let folder = outside.path().join("inside");
    fs::create_dir(&folder).unwrap();
    let wave =
        fixtures::wave::Wave::new(8000, 1, fixtures::wave::Values::U8(vec![128, 255, 0, 128])).finish();
    let mut package = PackageWriter::new(69);
    package.sound("../../up", None, "WAV", &wave);
    fs::write(folder.join("...uax"), package.finish()).unwrap();
    let run = in_folder(&folder, &["extract", "...uax"]);
    assert_eq!(text(&run.stdout), "_/_.._.._up.wav\n", "{}", text(&run.stderr));
    let run = in_folder(&folder, &["render", "...uax", "1"]);
    assert!(text(&run.stderr).contains("rendered to _.._.._up.wav"), "{}", text(&run.stderr));
    let written = ["inside/...uax", "inside/_.._.._up.wav", "inside/_/_.._.._up.wav"];
    assert_eq!(files(outside.path()), written);
}

#[test]
fn render_without_a_file_writes_a_new_one_called_as_what_is_rendered() {
    let folder = TempDir::new().unwrap();
    let here = folder.path();
    write_package(here, "Test.uax");
    let render = |args: &[&str], written: &str| {
        let run = in_folder(here, &[&["render", "--rate", "8000"], args].concat());
        let said = text(&run.stderr);
        assert!(said.ends_with(&format!("rendered to {written}\n")), "{args:?}: {said}");
        assert!(hound::WavReader::open(here.join(written)).unwrap().duration() > 0, "{written}");
    };
    render(&["Test.uax", "fire"], "Fire.wav");
    render(&["Test.uax", "fire"], "Fire~2.wav");
    render(&["Test.uax", "fire", "--force"], "Fire~3.wav");
    render(&["Test.uax", "--all"], "Test.wav");
    let module = various().into_iter().find(|(name, _)| *name == "mod").unwrap().1;
    fs::write(here.join("Tune.mod"), module.bytes).unwrap();
    render(&["Tune.mod"], "Tune.wav");
    let track = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0C\0\x90\x3C\x64\x60\x80\x3C\0\0\xFF\x2F\0";
    fs::write(here.join("Melody.mid"), track).unwrap();
    render(&["Test.uax", "--midi", "Melody.mid"], "Melody.wav");
}
