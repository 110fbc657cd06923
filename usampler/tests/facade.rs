//! Opening, listing, rendering, writing and playing through the front of the library, and its errors.

use std::fs;
use std::path::Path;
use std::time::Duration;

use clap::Parser as _;
use fixtures::module::various;
use fixtures::package::PackageWriter;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::wave::{Values, Wave};
use player_cli::args::{Cli, ProgramCommand};
use player_cli::command;
use player_cli::console::{Console, ConsoleScreen};
use player_cli::exit::Exit;
use tempfile::TempDir;
use usampler::importer::Budget;
use usampler::importer::open::OpenOptions;
use usampler::player::demo;
use usampler::{DeviceOptions, Error, ErrorKind, File, Key, Note, SongChoice};

fn wave() -> Vec<u8> {
    let values = (0..4000).map(|frame| ((frame * 37) % 20_000) as i16 - 10_000).collect();
    Wave::new(22_050, 1, Values::I16(values)).finish()
}

/// A package with two sounds of one name, another one, and one that is no audio.
fn package() -> Vec<u8> {
    let mut package = PackageWriter::new(69);
    let (day, night) = (package.group("Day", None), package.group("Night", None));
    package.sound("Wind", Some(day), "WAV", &wave());
    package.sound("Wind", Some(night), "WAV", &wave());
    package.sound("Rain", None, "WAV", &wave());
    package.sound("Silence", None, "WAV", b"");
    package.sound("Unknown", None, "XYZ", b"no audio that anybody knows, whatever it is");
    package.finish()
}

fn written(name: &str, bytes: &[u8]) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn refused<T: std::fmt::Debug>(result: Result<T, Error>, kind: ErrorKind) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    error
}

/// Renders as the program does without settings, and returns the file.
fn of_program(words: &[&str]) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out.wav");
    let cli = Cli::try_parse_from(
        [&["usampler", "render"], words, &["--as-stored", "-q", "-o", out.to_str().unwrap()]].concat(),
    );
    let cli = cli.unwrap();
    let Some(ProgramCommand::Render(args)) = cli.command else { panic!() };
    let mut screen = ConsoleScreen::new(&cli.output);
    let done = command::render::run(&args, &mut Console::new(&mut screen, cli.output));
    assert_eq!(done.unwrap(), Exit::Done);
    fs::read(out).unwrap()
}

/// Returns the values of a WAV file of floats.
fn floats(wav: &[u8]) -> Vec<f32> {
    let data = wav.windows(4).position(|bytes| bytes == b"data").unwrap() + 8;
    wav[data..].chunks_exact(4).map(|value| f32::from_le_bytes(*value.first_chunk().unwrap())).collect()
}

fn silent() -> DeviceOptions {
    DeviceOptions { device: Some("null".to_owned()), ..DeviceOptions::default() }
}

#[test]
fn a_package_lists_its_sounds_and_finds_them_by_path_and_number() {
    let (_folder, path) = written("Ambient.uax", &package());
    let file = usampler::open(&path).unwrap();
    assert_eq!((file.name(), file.warnings()), ("Ambient", &[][..]));
    let paths: Vec<String> = file.sounds().map(usampler::Sound::path).collect();
    assert_eq!(paths, ["Day.Wind", "Night.Wind", "Rain", "Silence", "Unknown"]);
    for name in ["Night.Wind", "night.wind", "#2", "2"] {
        assert_eq!(file.sound(name).unwrap().number(), 2, "{name}");
    }
    let rain = file.sound("Rain").unwrap();
    assert!(rain.is_playable());
    assert_eq!(rain.duration().unwrap().as_millis(), 4000 * 1000 / 22_050);
    assert_eq!(rain.description().audio().unwrap().rate.get(), 22_050);
    assert_eq!(File::from_bytes(package(), "Ambient").unwrap().sounds().len(), 5);
}

#[test]
fn a_sound_that_is_not_there_names_those_that_may_be_meant() {
    let (_folder, path) = written("Ambient.uax", &package());
    let file = usampler::open(&path).unwrap();
    let unknown = refused(file.sound("Rian"), ErrorKind::NoSuchSound);
    assert_eq!(unknown.candidates(), ["Rain"]);
    assert_eq!(unknown.to_string(), format!("no sound \"Rian\" in {path}; is it \"Rain\"?"));
    let several = refused(file.sound("Wind"), ErrorKind::Ambiguous);
    assert_eq!(several.candidates(), ["#1 Day.Wind", "#2 Night.Wind"]);
    let beyond = refused(file.sound("#6"), ErrorKind::NoSuchSound);
    assert!(beyond.to_string().ends_with("which has 5"), "{beyond}");
}

#[test]
fn files_that_are_nothing_of_ours_are_refused_by_kind() {
    let (folder, path) = written("junk.bin", &[0xC1; 300]);
    let junk = refused(usampler::open(&path), ErrorKind::NotThisFormat);
    assert_eq!(junk.to_string(), format!("{path}: neither an Unreal package nor a tracker module"));
    refused(usampler::open(folder.path().join("none.uax")), ErrorKind::Io);
    refused(usampler::open(folder.path()), ErrorKind::NotThisFormat);
    refused(File::from_bytes(&b"MThd\0\0\0\x06\0\0\0\x01\0\x60"[..], "a"), ErrorKind::Unsupported);
    let cut = package();
    refused(File::from_bytes(&cut[..40], "cut"), ErrorKind::Malformed);
}

#[test]
fn an_encrypted_container_says_that_it_needs_a_key() {
    let entries = vec![PakEntry::new("A.ini", b"text")];
    let pak = PakWriter { entries, key: Some([7; 32]), hides_index: true, ..PakWriter::new(11) }.finish();
    let (_folder, path) = written("Game.pak", &pak);
    refused(usampler::open(path), ErrorKind::Encrypted);
}

#[test]
fn what_cannot_be_decoded_says_why() {
    let file = File::from_bytes(package(), "Ambient").unwrap();
    for name in ["Silence", "Unknown"] {
        let sound = file.sound(name).unwrap();
        assert!(!sound.is_playable());
        let error = refused(sound.render(Note::default(), Note::HOLD), ErrorKind::NotPlayable);
        let text = error.to_string();
        assert!(text.starts_with("Ambient: #") && text.contains(name), "{text}");
        refused(sound.play_on(Note::default(), Note::HOLD, &silent()), ErrorKind::NotPlayable);
        refused(sound.song(), ErrorKind::NoSong);
    }
    refused(file.song(), ErrorKind::NoSong);
}

#[test]
fn a_sound_is_rendered_to_the_bit_as_by_the_program() {
    let (folder, path) = written("Ambient.uax", &package());
    let file = usampler::open(&path).unwrap();
    let rain = file.sound("Rain").unwrap();
    let audio = rain.render(Note::default(), Note::HOLD).unwrap();
    assert_eq!(audio.rate(), 48_000);
    assert_eq!(audio.samples(), floats(&of_program(&[&path, "Rain", "--bits", "32f"])));
    assert!(audio.samples().iter().any(|value| *value != 0.0));

    let note = Note { key: Some(Key::new(67).unwrap()), ..Note::default() };
    let higher = rain.render(note, Note::HOLD).unwrap();
    assert_eq!(higher.samples(), floats(&of_program(&[&path, "Rain", "--note", "67", "--bits", "32f"])));

    let out = folder.path().join("rain.wav");
    fs::write(&out, "it is replaced").unwrap();
    rain.write_wav(&out).unwrap();
    assert!(fs::read(&out).unwrap() == of_program(&[&path, "Rain"]));
    higher.write_wav(&out).unwrap();
    assert!(fs::read(&out).unwrap() == of_program(&[&path, "Rain", "--note", "67"]));
    // But not the file that is read.
    refused(rain.write_wav(&path), ErrorKind::Output);
    refused(rain.write_wav(folder.path().join("none/rain.wav")), ErrorKind::Output);
}

#[test]
fn a_looped_sound_is_held_and_released_as_by_the_program() {
    let file = usampler::demo().unwrap();
    let warm = file.sound("Warm").unwrap();
    for (hold, word) in [(Duration::from_millis(300), "300ms"), (Note::HOLD, "4s")] {
        let audio = warm.render(Note::default(), hold).unwrap();
        let program = of_program(&["demo:", "Warm", "--hold", word, "--bits", "32f"]);
        assert!(audio.samples() == floats(&program), "{word}");
    }
}

#[test]
fn a_note_without_an_end_is_over_the_limit_and_no_crash() {
    let options =
        OpenOptions { budget: Budget { decoded: 1 << 20, ..Default::default() }, ..Default::default() };
    let (_folder, path) = written("demo.uax", demo::package());
    let file = File::open_with(&path, &options).unwrap();
    let error =
        refused(file.sound("Warm").unwrap().render(Note::default(), Duration::MAX), ErrorKind::OverLimit);
    assert!(error.to_string().starts_with(&path), "{error}");
}

#[test]
fn every_module_has_a_song_that_is_rendered_as_by_the_program() {
    for (name, module) in various() {
        let (folder, path) = written("Song.mod", &module.bytes);
        let song = usampler::open(&path).unwrap().song().unwrap();
        assert_eq!(song.name(), "Song");
        let audio = song.render(Duration::MAX).unwrap();
        assert!(audio.samples() == floats(&of_program(&[&path, "--bits", "32f"])), "{name}");
        let out = folder.path().join("out.wav");
        song.write_wav(&out).unwrap();
        assert!(fs::read(&out).unwrap() == of_program(&[&path]), "{name}");
        let cut = song.render(Duration::from_millis(100)).unwrap();
        assert!(cut.frames() <= audio.frames(), "{name}");
        let beyond = SongChoice { subsong: Some(99), ..SongChoice::default() };
        refused(song.with_choice(beyond).render(Duration::MAX), ErrorKind::Options);
    }
}

#[test]
fn the_modules_in_a_package_are_songs_of_its_sounds() {
    let (_, module) = various().remove(0);
    let package_of = |names: &[&str]| {
        let mut package = PackageWriter::new(69);
        for name in names {
            package.music(name, "it", &module.bytes);
        }
        File::from_bytes(package.finish(), "Music").unwrap()
    };
    let one = package_of(&["Title"]);
    assert_eq!(one.song().unwrap().name(), "Title");
    refused(one.sound("Title").unwrap().render(Note::default(), Note::HOLD), ErrorKind::NotPlayable);
    let two = package_of(&["Title", "Menu"]);
    assert_eq!(refused(two.song(), ErrorKind::Ambiguous).candidates(), ["#1 Title", "#2 Menu"]);
    assert_eq!(two.sound("Menu").unwrap().song().unwrap().name(), "Menu");
}

#[test]
fn sounds_and_songs_play_on_the_null_device_to_their_end() {
    let file = File::from_bytes(package(), "Ambient").unwrap();
    file.sound("Rain").unwrap().play_on(Note::default(), Note::HOLD, &silent()).unwrap();
    let (name, module) = various().remove(0);
    let song = File::from_bytes(module.bytes, name).unwrap().song().unwrap();
    let shortly = SongChoice { most: Some(Duration::from_millis(50)), ..SongChoice::default() };
    song.with_choice(shortly).play_on(&silent()).unwrap();
    let none = DeviceOptions { device: Some("no such device".to_owned()), ..DeviceOptions::default() };
    refused(file.sound("Rain").unwrap().play_on(Note::default(), Note::HOLD, &none), ErrorKind::Device);
}

#[test]
fn what_is_shared_between_threads_may_be() {
    fn shared<T: Send + Sync>() {}
    shared::<File>();
    shared::<usampler::Sound<'_>>();
    shared::<usampler::Audio>();
    shared::<Error>();
    assert!(!Path::new("-").exists());
}
