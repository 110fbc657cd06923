//! What `--force` never overwrites: whatever is read, and what belongs to a game.

use crate::program;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fixtures::module::various;
use fixtures::package::PackageWriter;
use fixtures::pak::PakWriter;
use fixtures::sound_wave::package;
use program::{Run, command};
use tempfile::TempDir;

/// A folder with a game, a package of an older engine, a song, a recording, and a home.
struct Workbench {
    folder: TempDir,
}

fn wav(frames: u32) -> Vec<u8> {
    let sample_format = hound::SampleFormat::Int;
    let spec = hound::WavSpec { channels: 1, sample_rate: 8000, bits_per_sample: 16, sample_format };
    let mut file = std::io::Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    (0..frames).for_each(|n| writer.write_sample((n % 100) as i16).unwrap());
    writer.finalize().unwrap();
    file.into_inner()
}

/// A MIDI file of one note.
const MIDI: &[u8] = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0c\0\x90\x3c\x40\x60\x80\x3c\0\0\xff\x2f\0";

impl Workbench {
    fn new() -> Self {
        let desk = Self { folder: TempDir::new().unwrap() };
        let entries = ["Steps", "Door"].into_iter().flat_map(package).collect();
        fs::create_dir(desk.path("Paks")).unwrap();
        desk.write("Paks/Game.pak", &PakWriter { entries, ..PakWriter::new(8) }.finish());
        let mut old = PackageWriter::new(69);
        old.sound("Fire", None, "WAV", &wav(300));
        desk.write("Old.uax", &old.finish());
        desk.write("new.wav", &wav(500));
        desk.write("pairs.tsv", b"Steps\tnew.wav\n");
        desk.write("song.mod", &various().swap_remove(0).1.bytes);
        desk.write("song", MIDI);
        fs::create_dir(desk.path("d")).unwrap();
        desk.write("d/A.txt", b"packed");
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Runs a command in the folder, with a home in it.
    fn run(&self, line: &str) -> Run {
        let args: Vec<&str> = line.split(' ').collect();
        let mut command = command(&args);
        command.current_dir(self.folder.path()).env("XDG_DATA_HOME", self.path("home"));
        Run::spawned(line, command, &[])
    }

    /// Runs a command that must not succeed, and checks that each file is as before.
    fn refuses(&self, line: &str, why: &str) {
        let before = contents(self.folder.path());
        let run = self.run(line);
        run.ends_with(5);
        assert!(run.err.contains(why), "{line}: {}", run.err);
        assert!(contents(self.folder.path()) == before, "{line} has changed a file");
    }
}

/// The bytes of all files below a folder.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(contents(&path));
        } else {
            files.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    files
}

#[test]
fn force_takes_no_file_that_the_command_reads() {
    let desk = Workbench::new();
    desk.run("asset unpack Paks/Game.pak -o loose").ends_with(0);
    let package = "loose/Game/Content/Audio/Steps";
    assert!(desk.path(package).with_extension("uasset").is_file());
    desk.run(&format!("asset json {package}.uasset -o a.json")).ends_with(0);
    desk.run("asset pack d -o base.pak").ends_with(0);
    fs::copy(desk.path("new.wav"), desk.path("Fire.wav")).unwrap();
    fs::hard_link(desk.path("new.wav"), desk.path("hard.wav")).unwrap();
    fs::hard_link(desk.path("Old.uax"), desk.path("hard.uax")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("Old.uax", desk.path("soft.uax")).unwrap();
    desk.write("keys.txt", b"");
    let input = "input";
    let lines = [
        "replace Old.uax Fire new.wav -o Old.uax",
        "replace Old.uax Fire new.wav -o ./d/../Old.uax",
        "replace Old.uax Fire new.wav -o hard.uax",
        #[cfg(unix)]
        "replace Old.uax Fire new.wav -o soft.uax",
        "replace Old.uax Fire new.wav -o new.wav",
        "replace Old.uax Fire new.wav -o hard.wav",
        "replace Old.uax --table old.tsv -o old.tsv",
        "asset pack d -o base.pak --base base.pak",
        "asset from-json a.json -o a.json",
        "asset from-json a.json -o Paks/Game.pak --base Paks/Game.pak",
        "render song.mod -o song.wav --trace song.mod",
        "render Old.uax --midi song -o song",
        "render song.mod -o song.mod.wav --stems . --trace song.mod",
        "extract song.mod Old.uax --format original -o out",
        "asset cat Paks/Game.pak Game/Content/Audio/Steps.uasset -o keys.txt --aes @keys.txt",
    ];
    desk.write("old.tsv", b"Fire\tnew.wav\n");
    // A file of the name that the sound or module gets there.
    fs::create_dir_all(desk.path("out/song")).unwrap();
    fs::hard_link(desk.path("Old.uax"), desk.path("out/song/song.mod")).unwrap();
    for line in lines {
        let why = if line.contains("Paks/Game.pak -") || line.contains("base.pak") { "" } else { input };
        desk.refuses(&format!("{line} --force"), why);
    }
    for output in ["uasset", "uexp", "ubulk"] {
        desk.refuses(&format!("asset json {package}.uasset -o {package}.{output} --force"), input);
    }
    // What is no input is replaced.
    desk.run("replace Old.uax Fire new.wav -o Fire.wav --force").ends_with(0);
}

#[test]
fn in_the_folder_of_a_game_only_own_patches_are_overwritten() {
    let desk = Workbench::new();
    let replace = |output: &str| format!("replace Paks Steps new.wav -o {output}");
    let own = "belongs to the game";
    let foreign = "was not written by usampler";
    desk.refuses(&(replace("Paks/Game") + " --force"), own);
    desk.refuses(&(replace("Paks/Game")), own);
    desk.refuses("asset pack d -o Paks/Game.pak --force", own);
    fs::create_dir(desk.path("Paks/~mods")).unwrap();
    for name in ["Paks/~mods/Theirs_P.pak", "Paks/Theirs_P.pak", "Theirs_P.pak"] {
        desk.run("asset pack d -o made.pak --force").ends_with(0);
        fs::copy(desk.path("made.pak"), desk.path(name)).unwrap();
    }
    desk.refuses(&(replace("Paks/~mods/Theirs_P") + " --force"), foreign);
    desk.refuses("asset pack d -o Paks/Theirs_P.pak --force", foreign);
    desk.refuses("asset pack d -o Paks/Theirs_P.utoc --engine 5.3 --force", foreign);
    desk.refuses(
        "asset cat Paks/Game.pak Game/Content/Audio/Steps.uasset -o Paks/Theirs_P.pak --force",
        foreign,
    );
    // Elsewhere it is a file as any other.
    desk.run("asset pack d -o Theirs_P.pak --force").ends_with(0);

    // One's own is overwritten as often as one likes, though the game that is read has it mounted.
    let mine = replace("Paks/~mods/Mine_P");
    desk.run(&mine).ends_with(0);
    desk.run(&mine).ends_with(5);
    for _ in 0..2 {
        desk.run(&format!("{mine} --force")).ends_with(0);
    }
    desk.run("asset pack d -o Paks/~mods/Mine_P.pak --force").ends_with(0);
    // Until somebody else has changed it.
    let mut bytes = fs::read(desk.path("Paks/~mods/Mine_P.pak")).unwrap();
    bytes[0] ^= 1;
    desk.write("Paks/~mods/Mine_P.pak", &bytes);
    desk.refuses("asset pack d -o Paks/~mods/Mine_P.pak --force", foreign);
    // Without a home nothing is known to be one's own.
    fs::remove_file(desk.path("Paks/~mods/Mine_P.pak")).unwrap();
    desk.run("asset pack d -o Paks/~mods/Mine_P.pak").ends_with(0);
    fs::remove_dir_all(desk.path("home")).unwrap();
    desk.refuses("asset pack d -o Paks/~mods/Mine_P.pak --force", foreign);
}
