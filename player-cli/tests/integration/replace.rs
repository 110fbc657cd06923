//! `usampler replace`: recordings in the place of sounds.

use crate::program;
use std::fs;
use std::path::Path;

use fixtures::package::PackageWriter;
use fixtures::pak::PakWriter;
use fixtures::sound_wave::package;
use fixtures::wwise_bank::WwiseBank;
use program::{Run, usampler};
use tempfile::TempDir;

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A WAV file of one channel.
fn wav(bits: u16, rate: u32, frames: u32) -> Vec<u8> {
    let sample_format = hound::SampleFormat::Int;
    let spec = hound::WavSpec { channels: 1, sample_rate: rate, bits_per_sample: bits, sample_format };
    let mut file = std::io::Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    (0..frames).for_each(|n| writer.write_sample((n % 100) as i8).unwrap());
    writer.finalize().unwrap();
    file.into_inner()
}

/// A game with two sounds.
fn game(folder: &Path) {
    let entries = ["Steps", "Door"].into_iter().flat_map(package).collect();
    fs::write(folder.join("Game.pak"), PakWriter { entries, ..PakWriter::new(8) }.finish()).unwrap();
}

/// The names, rates and frames of the sounds of a file.
fn listed(file: &Path) -> Vec<[String; 3]> {
    let list = usampler(&["list", path(file), "--tsv"]);
    list.ends_with(0);
    let cells = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        [cells[3], cells[7], cells[10]].map(str::to_owned)
    };
    let mut sounds: Vec<[String; 3]> = list.out.lines().skip(1).map(cells).collect();
    sounds.sort();
    sounds
}

fn row(name: &str, rate: &str, frames: &str) -> [String; 3] {
    [name, rate, frames].map(str::to_owned)
}

#[test]
fn a_mod_for_a_game_replaces_one_sound_or_several() {
    let folder = TempDir::new().unwrap();
    let out = TempDir::new().unwrap();
    game(folder.path());
    let new = out.path().join("new.wav");
    fs::write(&new, wav(16, 8000, 500)).unwrap();
    let target = folder.path().join("MyMod_P");
    let game = path(folder.path());
    let args = ["replace", game, "Steps", path(&new), "-o", path(&target)];
    // Where it is remembered that this mod is the user's own.
    let home = TempDir::new().unwrap();
    let at_home = |args: &[&str]| {
        let mut command = program::command(args);
        command.env("XDG_DATA_HOME", home.path());
        Run::spawned(&args.join(" "), command, &[])
    };
    let run = at_home(&args);
    run.ends_with(0);
    assert!(run.err.contains("1 sound replaced") && run.err.contains("copy MyMod_P.pak to "), "{}", run.err);
    let door = row("/Game/Audio/Door", "22050", "3000");
    assert_eq!(listed(folder.path()), [door.clone(), row("/Game/Audio/Steps", "8000", "500")]);
    usampler(&["asset", "verify", game]).ends_with(0);
    // What it plays is what was given.
    let extracted = out.path().join("extracted");
    let extract = ["extract", game, "--filter", "Steps", "--flat", "-o", path(&extracted)];
    usampler(&extract).ends_with(0);
    let file = fs::read_dir(&extracted).unwrap().next().unwrap().unwrap().path();
    let samples = |bytes: &[u8]| {
        let samples = hound::WavReader::new(bytes).unwrap().into_samples::<i32>();
        samples.map(Result::unwrap).collect::<Vec<i32>>()
    };
    assert_eq!(samples(&fs::read(file).unwrap()), samples(&fs::read(&new).unwrap()));
    // It is not replaced by chance.
    at_home(&args).ends_with(5);
    at_home(&[&args[..], &["--force"]].concat()).ends_with(0);
    fs::remove_file(folder.path().join("MyMod_P.pak")).unwrap();

    // Several, by name and by number; files count from the table.
    let table = out.path().join("sounds.tsv");
    fs::write(&table, "#1\tnew.wav\n\nSteps\tnew.wav\n").unwrap();
    let both = folder.path().join("Both_P.pak");
    usampler(&["replace", game, "--table", path(&table), "-o", path(&both)]).ends_with(0);
    let sounds = listed(folder.path());
    assert!(
        sounds.iter().all(|[_, rate, frames]| (rate.as_str(), frames.as_str()) == ("8000", "500")),
        "{sounds:?}"
    );
}

#[test]
fn a_package_of_an_older_engine_is_written_anew() {
    let folder = TempDir::new().unwrap();
    let mut package = PackageWriter::new(69);
    package.sound("Fire", None, "WAV", &wav(16, 22_050, 300));
    package.sound("Hit", None, "WAV", &wav(8, 11_025, 100));
    let file = folder.path().join("Weapons.uax");
    fs::write(&file, package.finish()).unwrap();
    let new = folder.path().join("new.wav");
    fs::write(&new, wav(16, 44_100, 5000)).unwrap();
    let out = folder.path().join("Mine.uax");
    usampler(&["replace", path(&file), "Fire", path(&new), "-o", path(&out)]).ends_with(0);
    assert_eq!(listed(&out), [row("Fire", "44100", "5000"), row("Hit", "11025", "100")]);
    let original = folder.path().join("original");
    usampler(&["extract", path(&out), "--format", "original", "--flat", "-o", path(&original)]).ends_with(0);
    assert_eq!(fs::read(original.join("Fire.wav")).unwrap(), fs::read(&new).unwrap());
    usampler(&["replace", path(&file), "Fire", path(&new), "-o", path(&file), "--force"]).ends_with(5);
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let out = TempDir::new().unwrap();
    game(folder.path());
    let files = TempDir::new().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let file = files.path().join(name);
        fs::write(&file, bytes).unwrap();
        path(&file).to_owned()
    };
    let good = file("good.wav", &wav(16, 8000, 500));
    let wide = file("wide.wav", &wav(24, 8000, 500));
    let text = file("text.wav", b"no WAV");
    let bad_table = file("bad.tsv", b"Steps good.wav\n");
    let empty_table = file("empty.tsv", b"\n");
    let target = path(&out.path().join("Mod_P")).to_owned();
    let zip = path(&out.path().join("Mod.utoc")).to_owned();
    let game = path(folder.path());
    for (args, exit, reason) in [
        (vec![game, "Gone", &good, "-o", &target], 3, "no sound \"Gone\""),
        (vec![game, "Steps", "missing.wav", "-o", &target], 3, "cannot read missing.wav"),
        (vec![game, "Steps", &text, "-o", &target], 3, "no audio file that can be read"),
        (vec![game, "Steps", &good, "-o", &target, "--keep", "--codec", "pcm"], 2, "--codec"),
        (vec!["demo:", "1", &wide, "-o", &target, "--keep"], 2, "without --keep it is converted"),
        (vec![game, "Steps", &good, "-o", &zip], 2, "this game takes a .pak"),
        (vec![game, "Steps", &good, "-o", &target, "--codec", "vorbis"], 2, "no encoder for Vorbis"),
        (vec![game, "Steps", &good, "-o", &target, "--codec", "opus"], 3, "it is not Opus"),
        (vec!["demo:", "1", &good, "-o", &target, "--codec", "opus"], 2, "have no Opus"),
        (vec![game, "--table", &bad_table, "-o", &target], 2, "line 1 is not SOUND"),
        (vec![game, "--table", &empty_table, "-o", &target], 2, "names no sounds"),
        (vec![game, "-o", &target], 2, "SOUND"),
        (vec!["demo:", "1", &text, "-o", &target], 3, "no audio file that can be read"),
    ] {
        let run = usampler(&[&["replace"], &args[..]].concat());
        run.ends_with(exit);
        assert!(run.err.contains(reason), "{args:?}: {}", run.err);
    }
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
}

#[test]
fn a_wider_recording_is_converted_and_a_dry_run_writes_nothing() {
    let folder = TempDir::new().unwrap();
    game(folder.path());
    let out = TempDir::new().unwrap();
    let new = out.path().join("new.wav");
    fs::write(&new, wav(24, 44_100, 500)).unwrap();
    let target = out.path().join("v1.2_Mod");
    let args = ["replace", path(folder.path()), "Stpes", path(&new), "-o", path(&target)];
    let run = usampler(&args);
    run.ends_with(3);
    assert!(run.err.contains("did you mean \"/Game/Audio/Steps\"?"), "{}", run.err);
    let args = ["replace", path(folder.path()), "Steps", path(&new), "-o", path(&target)];
    let run = usampler(&[&args[..], &["--dry-run"]].concat());
    run.ends_with(0);
    let converted = "24-bit 44100 Hz mono PCM, converted to 16-bit PCM";
    assert!(run.out.contains(converted) && run.out.contains("would write "), "{}", run.out);
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
    let run = usampler(&args);
    run.ends_with(0);
    assert!(run.err.contains(&format!("new.wav: {converted}")), "{}", run.err);
    assert!(
        run.err.contains("v1.2_Mod.pak may override nothing") && run.err.contains("try v1.2_Mod_P"),
        "{}",
        run.err
    );
    assert_eq!(listed(&out.path().join("v1.2_Mod.pak")), [row("/Game/Audio/Steps", "44100", "500")]);
}

#[test]
fn a_file_that_is_kept_must_be_of_the_format_of_its_sound() {
    let folder = TempDir::new().unwrap();
    game(folder.path());
    let out = TempDir::new().unwrap();
    let new = out.path().join("new.wav");
    fs::write(&new, wav(16, 44_100, 500)).unwrap();
    let target = out.path().join("Mod_P");
    let args = ["replace", path(folder.path()), "Steps", path(&new), "-o", path(&target), "--keep"];
    usampler(&args).ends_with(0);
    let original = out.path().join("original");
    let target = target.with_extension("pak");
    let extract = ["extract", path(&target), "--format", "original", "--flat"];
    usampler(&[&extract[..], &["-o", path(&original)]].concat()).ends_with(0);
    let file = fs::read_dir(&original).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read(file).unwrap(), fs::read(&new).unwrap());
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_as_recording_or_table_is_refused() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let target = folder.path().join("Mine.uax");
    for given in [path(&pipe), "/dev/zero"] {
        for args in [&["demo:", "1", given][..], &["demo:", "--table", given]] {
            let run = usampler(&[&["replace", "-o", path(&target)], args].concat());
            run.ends_with(3);
            let expected = format!("cannot read {given}: it is a pipe or a device, not a file");
            assert!(run.err.contains(&expected), "{}", run.err);
        }
    }
    assert!(!target.exists());
}

#[test]
fn a_media_of_a_sound_bank_is_replaced_in_it_or_asked_for() {
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let bank = WwiseBank::default().media(7, b"seven").media(8, b"eight").sound(107, 7).sound(108, 8);
    let bank = bank.event("Play_Wind", &[107]).event("Play_All", &[107, 108]).finish();
    let [file, new] = ["Wind.bnk", "new.wav"].map(|name| folder.path().join(name));
    // Beside its input it would be one of the banks that belong together, which are all kept.
    let out = elsewhere.path().join("out.bnk");
    fs::write(&file, &bank).unwrap();
    fs::write(folder.path().join("names.txt"), "Play_Wind\nPlay_All\n").unwrap();
    fs::write(&new, wav(16, 8000, 500)).unwrap();
    let names = folder.path().join("names.txt");
    let replaced = |sound: &str, more: &[&str]| {
        let names = ["--names", path(&names)];
        usampler(&[&["replace", path(&file), sound, path(&new), "-o", path(&out)], &names[..], more].concat())
    };
    let run = replaced("Play_All", &[]);
    run.ends_with(2);
    assert!(run.err.contains("plays 2 media") && run.err.contains("'#2' 8 "), "{}", run.err);
    let run = replaced("Play_Wind", &["--dry-run"]);
    run.ends_with(0);
    assert!(run.out.contains("would write ") && !out.exists(), "{}", run.out);
    let run = replaced("Play_Wind", &[]);
    run.ends_with(0);
    assert!(run.err.contains("1 sound replaced"), "{}", run.err);
    assert!(listed(&out).contains(&row("7", "8000", "500")), "{:?}", listed(&out));
    // What is there stays unless it is to be overwritten.
    replaced("8", &[]).ends_with(5);
    replaced("8", &["--force"]).ends_with(0);
    assert_eq!(fs::read(&file).unwrap(), bank);
    // A media alone is one sound, named as its file.
    let media = folder.path().join("7.wem");
    fs::write(&media, wav(16, 8000, 20)).unwrap();
    let wem = elsewhere.path().join("new.wem");
    usampler(&["replace", path(&media), "7", path(&new), "-o", path(&wem)]).ends_with(0);
    assert_eq!(listed(&wem), [row("new", "8000", "500")]);
}
