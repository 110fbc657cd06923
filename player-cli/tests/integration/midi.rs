//! MIDI as a user has it: any bytes through a real engine, and files through the program.

use crate::program;
use std::fs;
use std::sync::Arc;

use engine::{Bank, Config, Controller, Event, Processor, offline, split};
use fixtures::package::PackageWriter;
use fixtures::songs::{looped, mono_float, of};
use fixtures::wave::{Values, Wave};
use player::midi::interpreter::{MidiInterpreter, MidiSource};
use player::midi::message::Message;
use player::midi::note_allocator::NoteAllocator;
use player::midi::parse::Parser;
use program::usampler;
use proptest::prelude::*;
use song::{Frames, LoopMode};
use tempfile::TempDir;

const PORT: MidiSource = MidiSource(0);

/// Bytes of one port, all the way into an engine of a few sounds that are held and one that is not.
struct Desk {
    parser: Parser,
    interpreter: MidiInterpreter,
    allocator: NoteAllocator,
    controller: Controller,
    processor: Processor,
    voices: u32,
}

impl Desk {
    fn new() -> Self {
        let (mut controller, processor) = split(Config { polyphony: 32, ..Config::default() }).unwrap();
        let held = |value| looped(mono_float([value; 64]), 0, 64, LoopMode::Forward);
        let song = of(vec![held(0.5), held(0.25), mono_float([0.125; 3000]), held(0.125)]);
        controller.load(Arc::new(Bank::prepare(&song).unwrap()));
        let (parser, interpreter, allocator) =
            (Parser::default(), MidiInterpreter::new(4, 0), NoteAllocator::default());
        Self { parser, interpreter, allocator, controller, processor, voices: 0 }
    }

    fn feed(&mut self, bytes: &[u8]) {
        let messages: Vec<Message> = self.parser.messages(bytes).collect();
        for message in messages {
            for action in self.interpreter.handle(PORT, message) {
                // Whether there is such a sound or room for its voice does not matter: what began has to end.
                let _ = self.allocator.execute(&mut self.controller, action, None);
            }
            self.render(64);
        }
    }

    /// Returns the loudest of some frames.
    fn render(&mut self, frames: u64) -> f32 {
        let heard = offline::render(&mut self.processor, Frames::new(frames));
        while let Some(event) = self.controller.poll() {
            self.allocator.handle_event(&event);
            if let Event::Meter { voices, .. } = event {
                self.voices = voices;
            }
        }
        heard.iter().fold(0.0, |loudest, value| loudest.max(value.abs()))
    }

    /// Keys and pedals of all channels up, and wheels in the centre: a drum that is bent down by octaves lasts as much
    /// longer.
    fn let_go(&mut self) {
        for channel in 0..16 {
            self.feed(&[0xB0 | channel, 123, 0, 64, 0, 66, 0, 0xE0 | channel, 0, 64]);
        }
    }
}

/// Returns the bytes as they come: mostly of messages that do something, some of any kind.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let note = (0x80..0xA0_u8, 30..70_u8, 0..128_u8).prop_map(|(a, b, c)| vec![a, b, c]);
    let pedals = prop::sample::select(vec![0, 1, 6, 7, 10, 11, 32, 38, 64, 64, 66, 100, 101, 120, 121, 123]);
    let control = (0xB0..0xC0_u8, pedals, 0..128_u8).prop_map(|(a, b, c)| vec![a, b, c]);
    let program = (0xC0..0xD0_u8, 0..5_u8).prop_map(|(a, b)| vec![a, b]);
    let bend = (0xE0..0xF0_u8, 0..128_u8, 0..128_u8).prop_map(|(a, b, c)| vec![a, b, c]);
    let any = prop::collection::vec(any::<u8>(), 0..6);
    let message = prop_oneof![6 => note, 4 => control, 1 => program, 1 => bend, 2 => any];
    prop::collection::vec(message, 0..120).prop_map(|messages| messages.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn after_any_bytes_all_notes_off_pedals_up_and_the_release_there_is_silence(bytes in bytes()) {
        let mut channel = Desk::new();
        channel.feed(&bytes);
        channel.let_go();
        prop_assert_eq!(channel.interpreter.held(), 0);
        // Longer than a release, and than the sound that a kit plays to its end.
        channel.render(8192);
        prop_assert_eq!(channel.render(2048), 0.0);
        prop_assert_eq!(channel.voices, 0);
        prop_assert!(channel.allocator.is_empty());
    }

    #[test]
    fn a_port_that_is_unplugged_amid_any_bytes_leaves_silence(bytes in bytes()) {
        let mut channel = Desk::new();
        channel.feed(&bytes);
        for action in channel.interpreter.release(PORT) {
            channel.allocator.execute(&mut channel.controller, action, None).unwrap();
        }
        prop_assert_eq!(channel.interpreter.held(), 0);
        channel.render(8192);
        prop_assert_eq!(channel.render(2048), 0.0);
    }
}

/// Returns a MIDI file of one track; its ticks are frames of 48 kHz.
fn song(events: &[(u8, &[u8])]) -> Vec<u8> {
    let mut track = Vec::new();
    for (delta, event) in events {
        // Hundreds of frames.
        let frames = u32::from(*delta) * 100;
        let septets = [frames >> 14, frames >> 7, frames].map(|bits| u8::try_from(bits & 127).unwrap());
        track.extend([septets[0] | 128, septets[1] | 128, septets[2]]);
        track.extend(*event);
    }
    track.extend([0, 0xFF, 0x2F, 0]);
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01".to_vec();
    bytes.extend(24_000_u16.to_be_bytes());
    bytes.extend(b"MTrk");
    bytes.extend(u32::try_from(track.len()).unwrap().to_be_bytes());
    bytes.extend(track);
    bytes
}

/// A folder with a package of two sounds at 48 kHz and one that cannot be played, and a MIDI file.
struct Folder {
    folder: TempDir,
}

impl Folder {
    fn with(events: &[(u8, &[u8])]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut package = PackageWriter::new(69);
        let one = Wave::new(48_000, 1, Values::I16(vec![16_384; 4000]));
        let two = Wave::new(48_000, 1, Values::I16(vec![4096; 50]));
        package.sound("One", None, "WAV", &one.finish());
        package.sound("Two", None, "WAV", &two.finish());
        package.sound("Stripped", None, "WAV", &[]);
        fs::write(folder.path().join("a.uax"), package.finish()).unwrap();
        fs::write(folder.path().join("a.mid"), song(events)).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn render(&self, more: &[&str]) -> program::Run {
        let (package, song, out) = (self.path("a.uax"), self.path("a.mid"), self.path("out.wav"));
        usampler(&[&["render", &package, "--midi", &song, "-o", &out], more].concat())
    }

    /// Returns what it wrote, left and right one after another.
    fn values(&self) -> Vec<i16> {
        let mut reader = hound::WavReader::open(self.path("out.wav")).unwrap();
        reader.samples().map(Result::unwrap).collect()
    }
}

#[test]
fn render_plays_a_midi_file_frame_by_frame() {
    let folder = Folder::with(&[(5, &[0x90, 60, 127]), (60, &[0x80, 60, 0]), (0, &[0x99, 37, 127])]);
    let run = folder.render(&[]);
    run.ends_with(0);
    assert!(run.err.contains("2 notes rendered"), "{}", run.err);
    let values = folder.values();
    assert!(values[..1000].iter().all(|value| *value == 0));
    // A recording at its own rate and full velocity is itself; it is over before its key is up.
    assert_eq!(values[1000..1002], [16_384, 16_384]);
    assert_eq!(values[2 * 4400], 16_384);
    assert_eq!(values[2 * 6500], 4096);
    assert_eq!(values.len(), 2 * 6550);
}

#[test]
fn a_storm_of_notes_says_how_many_were_cut_short() {
    let storm: Vec<(u8, [u8; 3])> =
        (0..3000).map(|number| (0, [0x90, 36 + (number % 60) as u8, 1])).collect();
    let storm: Vec<(u8, &[u8])> = storm.iter().map(|(delta, event)| (*delta, &event[..])).collect();
    let folder = Folder::with(&storm);
    let run = folder.render(&[]);
    run.ends_with(0);
    assert!(run.err.contains("3000 notes rendered"), "{}", run.err);
    assert!(run.err.contains("voices were cut short: 1024 sound at once"), "{}", run.err);
}

#[test]
fn gain_and_pan_go_for_a_midi_file_too() {
    let folder = Folder::with(&[(0, &[0x90, 60, 127]), (30, &[0x80, 60, 0])]);
    folder.render(&["--pan", "-1", "--gain", "-6.0206"]).ends_with(0);
    let values = folder.values();
    assert_eq!(values[1], 0, "nothing on the right");
    assert!(values[0] > 8000 && values[0] < 12_000, "{}", values[0]);
}

#[test]
fn a_midi_file_that_asks_for_what_cannot_be_played_is_done_in_part() {
    let folder = Folder::with(&[
        (0, &[0x90, 60, 127]),
        (0, &[0xC1, 2]),
        (0, &[0x91, 60, 127]),
        (0, &[0xC2, 40]),
        (0, &[0x92, 60, 127]),
        (9, &[0x80, 60, 0]),
    ]);
    let run = folder.render(&[]);
    run.ends_with(1);
    assert!(run.err.contains("#3 Stripped: empty"), "{}", run.err);
    assert!(run.err.contains("MIDI channel 3 asks for sound #41, which does not exist"), "{}", run.err);
    assert_eq!(folder.values()[0], 16_384);
}

#[test]
fn a_file_that_is_no_song_is_named_and_nothing_is_written() {
    let folder = Folder::with(&[(0, &[0xB0, 7, 1])]);
    let run = folder.render(&[]);
    run.ends_with(3);
    assert!(run.err.contains("a.mid: no notes in it"), "{}", run.err);
    fs::write(folder.path("a.mid"), b"MThd").unwrap();
    folder.render(&[]).ends_with(3);
    fs::remove_file(folder.path("a.mid")).unwrap();
    folder.render(&[]).ends_with(3);
    assert!(!fs::exists(folder.path("out.wav")).unwrap());
}

#[test]
fn a_midi_file_and_a_sound_are_not_played_together() {
    let folder = Folder::with(&[(0, &[0x90, 60, 127])]);
    for more in [&["One"][..], &["--all"], &["--note", "60"], &["--velocity", "1"], &["--hold", "1s"]] {
        folder.render(more).ends_with(2);
    }
}

#[test]
fn play_plays_a_midi_file_to_its_end() {
    let folder = Folder::with(&[(0, &[0x90, 60, 127]), (20, &[0x80, 60, 0])]);
    let (package, song) = (folder.path("a.uax"), folder.path("a.mid"));
    let run = usampler(&["play", &package, "--midi", &song, "--device", "null"]);
    run.ends_with(0);
    assert!(run.err.contains("playing 1 notes on null"), "{}", run.err);
}

#[test]
fn midi_ports_are_listed_or_it_is_said_that_there_is_no_midi() {
    let run = usampler(&["devices", "--midi", "--json"]);
    assert!(run.out.lines().all(|line| line.starts_with("{\"schema\":\"usampler.midi/1\",\"number\":")));
    if run.err.is_empty() {
        run.ends_with(0);
    } else {
        run.ends_with(4);
        assert_eq!(run.err.lines().count(), 1, "one line of ours, no noise of a library: {}", run.err);
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
}
