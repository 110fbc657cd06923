//! What is adjusted in `jam` is used by the commands that play and write sounds.

use crate::{program, pty};
use std::fs;
use std::path::PathBuf;

use fixtures::module_reader::read_it;
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
        let studio = Self { folder: TempDir::new().unwrap() };
        let mut jam = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
        jam.args(["jam", "demo:", "Kick", "--device", "null"]);
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
