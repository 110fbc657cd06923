//! What is adjusted in `jam` is used by the commands that play and write sounds.

use crate::{program, pty};
use std::fs;
use std::path::PathBuf;

use fixtures::module_reader::read_it;
use fixtures::package::{PackageWriter, Tag, Wave};
use fixtures::wave::{self, Values};
use portable_pty::CommandBuilder;
use program::{Run, command};
use pty::{Speaks, Terminal};
use tempfile::TempDir;

const F4: &str = "\x1bOS";
const LEFT: &str = "\x1b[D";

/// Half as loud, and a whole tone lower at every key; a loop that no kick has.
const KICK: &str =
    "[sounds.1]\ngain = -6.0206\nroot_key = 62\nloop = true\nloop_start = 1000\nloop_end = 3000\n";
/// Four times as loud, lower by 30 cents, to the left, without its loop, slower.
const WARM: &str =
    "[sounds.10]\ngain = 12.0412\npan = -0.5\ntune = -30.0\nloop = false\nattack = 20\nrelease = 300\n";

const NOTICE: &str = "as adjusted in jam; --as-stored ignores that";

/// A folder, and a home in which sounds of the demo are adjusted.
struct Studio {
    folder: TempDir,
}

impl Studio {
    /// Adjusts a sound in `jam`, and writes these adjustments over its own.
    fn new(adjustments: &str) -> Self {
        Self::of("demo:", "Kick", adjustments)
    }

    fn of(package: &str, sound: &str, adjustments: &str) -> Self {
        let studio = Self { folder: TempDir::new().unwrap() };
        let mut jam = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
        jam.args(["jam", package, sound, "--device", "null"]);
        jam.env("XDG_DATA_HOME", studio.path("home"));
        let mut terminal = Terminal::running(Speaks::Nothing, jam);
        terminal.shows("F10 quit");
        terminal.press(&format!("{F4}{LEFT}"));
        terminal.shows("*gain -0.5 dB");
        terminal.press("\x03");
        assert_eq!(terminal.end(), 0);
        let kept = fs::read_dir(studio.path("home/usampler/sounds")).unwrap();
        let kept: Vec<PathBuf> = kept.map(|entry| entry.unwrap().path()).collect();
        assert_eq!(kept.len(), 1, "{kept:?}");
        fs::write(&kept[0], adjustments).unwrap();
        studio
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    #[track_caller]
    fn run(&self, line: &str) -> Run {
        let args: Vec<&str> = line.split(' ').collect();
        let mut program = command(&args);
        program.current_dir(self.folder.path()).env("XDG_DATA_HOME", self.path("home"));
        let run = Run::spawned(line, program, &[]);
        run.ends_with(0);
        run
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        hound::WavReader::open(self.path(name)).unwrap().samples().map(Result::unwrap).collect()
    }

    fn values(&self, name: &str) -> Vec<i16> {
        hound::WavReader::open(self.path(name)).unwrap().samples().map(Result::unwrap).collect()
    }

    /// Returns the words of a WAV file's `smpl` RIFF chunk.
    fn smpl(&self, name: &str) -> Vec<u32> {
        let bytes = fs::read(self.path(name)).unwrap();
        let Some(at) = bytes.windows(4).position(|word| word == b"smpl") else { return Vec::new() };
        let words = bytes[at + 8..].chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        words.collect()
    }
}

#[test]
fn a_sound_is_rendered_as_it_is_adjusted_unless_it_is_wanted_as_stored() {
    let studio = Studio::new(&KICK.replace("loop = true\n", "loop = false\n"));
    let adjusted = studio.run("render demo: Drums.Kick --bits 32f -o adjusted.wav");
    assert!(adjusted.err.contains(&format!("1 sound {NOTICE}")), "{}", adjusted.err);
    let stored = studio.run("render demo: Drums.Kick --bits 32f --as-stored -o stored.wav");
    assert!(!stored.err.contains(NOTICE), "{}", stored.err);
    let (adjusted, stored) = (studio.floats("adjusted.wav"), studio.floats("stored.wav"));
    assert_eq!(adjusted.len(), stored.len(), "the root key plays it at its own pitch");
    assert!(adjusted.iter().zip(&stored).all(|(half, whole)| (2.0 * half - whole).abs() < 1e-4));
    studio.run("render demo: Drums.Kick --note C4 --bits 32f -o lower.wav");
    let longer = studio.floats("lower.wav").len() as f64 / stored.len() as f64;
    assert!((longer - 2_f64.powf(2.0 / 12.0)).abs() < 0.002, "{longer} times as long two semitones lower");
    let other = studio.run("render demo: Drums.Snare -o other.wav");
    assert!(!other.err.contains(NOTICE), "it is not adjusted: {}", other.err);
}

#[test]
fn extracted_files_have_gain_root_and_loop() {
    let studio = Studio::new(&format!("{KICK}{WARM}"));
    let run = studio.run("extract demo: -o adjusted --sfz --sf2 --it");
    assert!(run.err.contains(&format!("demo: 2 sounds {NOTICE}")), "{}", run.err);
    assert!(run.err.contains("#10 Pads.Warm: ") && run.err.contains("were clipped"), "{}", run.err);
    studio.run("extract demo: -o stored --as-stored");
    let [half, whole] =
        ["adjusted", "stored"].map(|folder| studio.values(&format!("{folder}/demo/Drums.Kick.wav")));
    assert_eq!(half.len(), whole.len());
    assert!(
        half.iter().zip(&whole).all(|(half, whole)| (2 * i32::from(*half) - i32::from(*whole)).abs() <= 1)
    );
    let kick = studio.smpl("adjusted/demo/Drums.Kick.wav");
    assert_eq!((kick[3], kick[4], kick[7], &kick[11..13]), (62, 0, 1, &[1000, 2999][..]));
    assert!(studio.smpl("stored/demo/Drums.Kick.wav").is_empty(), "it says nothing itself");
    // 30 cents lower at each key: of a recording that is that much higher.
    let warm = studio.smpl("adjusted/demo/Pads.Warm.wav");
    assert_eq!((warm[3], warm[7]), (60, 0), "its loop is off");
    assert!((f64::from(warm[4]) / 2_f64.powi(32) - 0.3).abs() < 1e-6);

    let sfz = fs::read_to_string(studio.path("adjusted/demo/demo.sfz")).unwrap();
    let region = |file: &str| {
        let end = sfz.find(&format!("sample={file}")).unwrap();
        sfz[sfz[..end].rfind("<group>").unwrap()..end].to_owned()
    };
    let (kick, warm) = (region("Drums.Kick.wav"), region("Pads.Warm.wav"));
    assert!(kick.contains("pitch_keycenter=62 ") && !kick.contains("volume="), "the file is softer: {kick}");
    assert!(kick.contains("loop_mode=loop_continuous loop_start=1000 loop_end=2999"), "{kick}");
    assert!(warm.contains("volume=0.000 pan=-50") && warm.contains("loop_mode=no_loop"), "{warm}");
    assert!(warm.contains("ampeg_attack=0.02 ampeg_release=0.3") && warm.contains("tune=-30"), "{warm}");

    let module = read_it(&fs::read(studio.path("adjusted/demo/demo.it")).unwrap());
    let kick = &module.samples[0];
    assert!((kick.rate - 22_050.0 * 2_f64.powf(-2.0 / 12.0)).abs() < 1.0, "{}", kick.rate);
    assert_eq!(kick.looping, Some((1000, 3000, false)));
    assert_eq!(kick.planes[0], half.iter().map(|value| i32::from(*value)).collect::<Vec<_>>());
}

#[test]
fn a_trim_is_heard_and_in_all_files() {
    let studio = Studio::new(
        "[sounds.1]\ntrim_start = 200\ntrim_end = 3200\n[sounds.10]\ntrim_start = 1000\ntrim_end = 11091\n",
    );
    studio.run("extract demo: -o adjusted --sfz --sf2 --it --xm");
    studio.run("extract demo: -o stored --as-stored");
    let [trimmed, whole] =
        ["adjusted", "stored"].map(|folder| studio.values(&format!("{folder}/demo/Drums.Kick.wav")));
    assert_eq!(trimmed, whole[200..3200]);
    let warm = studio.smpl("adjusted/demo/Pads.Warm.wav");
    assert_eq!((warm[7], &warm[11..13]), (1, &[2000, 10_090][..]));
    let sfz = fs::read_to_string(studio.path("adjusted/demo/demo.sfz")).unwrap();
    assert!(sfz.contains("sample=Drums.Kick.wav"), "{sfz}");
    assert!(
        !sfz.contains(" trim.wav") && !sfz.contains(" whole.wav"),
        "all play the files of the sounds: {sfz}"
    );
    let module = read_it(&fs::read(studio.path("adjusted/demo/demo.it")).unwrap());
    assert_eq!(
        module.samples[0].planes[0],
        trimmed.iter().map(|value| i32::from(*value)).collect::<Vec<_>>()
    );
    assert_eq!(module.samples[9].looping, Some((2000, 10_091, false)));

    // At the rate of the recording nothing is interpolated.
    for (options, name) in [("", "trimmed.wav"), (" --as-stored", "whole.wav")] {
        studio.run(&format!("render demo: Drums.Kick --rate 22050 --bits 32f{options} -o {name}"));
    }
    let (trimmed, whole) = (studio.floats("trimmed.wav"), studio.floats("whole.wav"));
    assert_eq!(trimmed[..2 * 3000], whole[2 * 200..2 * 3200]);
    assert!(trimmed.len() < whole.len());
    for path in ["adjusted/demo/demo.sfz", "adjusted/demo/demo.sf2"] {
        studio.run(&format!("render {path} #1 --rate 22050 --bits 32f --force -o written.wav"));
        let written = studio.floats("written.wav");
        let farthest = written.iter().zip(&trimmed).take(2 * 3000).map(|(one, other)| (one - other).abs());
        assert!(farthest.fold(0.0, f32::max) < 1e-3, "{path}");
    }
}

#[test]
fn an_sfz_has_another_file_for_what_plays_a_recording_with_another_trim() {
    let recording = wave::Wave::new(48_000, 1, Values::I16((0..4800).collect())).finish();
    let mut package = PackageWriter::new(868);
    let own = package.wave(&Wave::new("Own", &recording, b""));
    let node = package.node("SoundNodeMixer", "Node", &[Tag::objects("ChildNodes", &[own])]);
    package.node("SoundCue", "Cue", &[Tag::new("FirstNode", "ObjectProperty", &node.0.to_le_bytes())]);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Cues.upk");
    fs::write(&path, package.finish()).unwrap();
    let path = path.to_str().unwrap();

    let trim = "trim_start = 1000\ntrim_end = 3000\n";
    let studio = Studio::of(path, "Own", &format!("[sounds.1]\ngain = -6.0206\n{trim}"));
    studio.run(&format!("extract {path} -o own --sfz"));
    let sfz = fs::read_to_string(studio.path("own/Cues/Cues.sfz")).unwrap();
    assert!(sfz.contains("sample=Own.wav") && sfz.contains("sample=Cues loops/Own whole.wav"), "{sfz}");
    let lengths = |[one, other]: [&str; 2]| [studio.values(one).len(), studio.values(other).len()];
    assert_eq!(lengths(["own/Cues/Own.wav", "own/Cues/Cues loops/Own whole.wav"]), [2000, 4800]);
    let whole = studio.values("own/Cues/Cues loops/Own whole.wav");
    assert_eq!(whole[4000], 2000, "the gain of the other, which its region undoes");

    let studio = Studio::of(path, "Own", &format!("[sounds.2]\n{trim}"));
    studio.run(&format!("extract {path} -o cue --sfz"));
    let sfz = fs::read_to_string(studio.path("cue/Cues/Cues.sfz")).unwrap();
    assert!(sfz.contains("sample=Own.wav") && sfz.contains("sample=Cues loops/Own #2 trim.wav"), "{sfz}");
    assert_eq!(studio.values("cue/Cues/Own.wav").len(), 4800);
    assert_eq!(studio.values("cue/Cues/Cues loops/Own #2 trim.wav"), (1000..3000).collect::<Vec<i16>>());
}

#[test]
fn stored_bytes_are_never_adjusted() {
    let studio = Studio::new(KICK);
    let run = studio.run("extract demo: -o bytes --format original");
    assert!(!run.err.contains(NOTICE), "{}", run.err);
}

#[test]
fn a_midi_file_and_a_note_are_played_as_adjusted() {
    let studio = Studio::new(KICK);
    let played = studio.run("play demo: Drums.Kick --hold 10ms --device null");
    assert!(played.err.contains(&format!("1 sound {NOTICE}")), "{}", played.err);
    const NOTE: &[u8] =
        b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0c\0\x90\x3c\x40\x20\x80\x3c\0\0\xff\x2f\0";
    fs::write(studio.path("note.mid"), NOTE).unwrap();
    for (options, name) in [("", "adjusted.wav"), (" --as-stored", "stored.wav")] {
        let run = studio.run(&format!("render demo: --midi note.mid --bits 32f{options} -o {name}"));
        assert_eq!(run.err.contains(NOTICE), options.is_empty(), "{}", run.err);
    }
    let peak = |name| studio.floats(name).iter().fold(0.0_f32, |peak, value| peak.max(value.abs()));
    let ratio = peak("adjusted.wav") / peak("stored.wav");
    assert!((0.45..0.55).contains(&ratio), "{ratio}");
}

#[test]
fn adjustments_that_cannot_be_read_are_said_and_not_used() {
    let studio = Studio::new("gain is loud");
    let run = studio.run("render demo: Drums.Kick -o one.wav");
    assert!(run.err.contains("warning: adjustments cannot be read"), "{}", run.err);
    studio.run("render demo: Drums.Kick --as-stored -o other.wav");
    assert_eq!(fs::read(studio.path("one.wav")).unwrap(), fs::read(studio.path("other.wav")).unwrap());
}
