//! The screen of `jam` as a person uses it: search, groups, knobs, takes.

use crate::pty;
use std::fs;
use std::time::Duration;

use player::midi::file::MidiSequence;
use player::midi::message::{ChannelMessage, Message};
use portable_pty::CommandBuilder;
use pty::{SHIFT, Speaks, Terminal};
use song::{Frames, Hz};
use tempfile::TempDir;

const F3: &str = "\x1bOR";
const F4: &str = "\x1bOS";
const F5: &str = "\x1b[15~";
const F6: &str = "\x1b[17~";
const SHIFT_F6: &str = "\x1b[17;2~";
const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const SHIFT_RIGHT: &str = "\x1b[1;2C";
const DOWN: &str = "\x1b[B";

/// Returns a jam in a folder of its own, on a terminal that speaks the protocol or on one that does not.
fn jam(speaks: Speaks) -> (Terminal, TempDir) {
    jam_with(speaks, &[])
}

fn jam_with(speaks: Speaks, options: &[&str]) -> (Terminal, TempDir) {
    let folder = TempDir::new().unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
    command.args(["jam", "demo:", "Warm", "--device", "null", "--log", "notes.log"]);
    command.args(options);
    command.cwd(folder.path());
    let mut terminal = Terminal::running(speaks, command);
    terminal.shows("F10 quit");
    terminal.shows("Pads.Warm");
    (terminal, folder)
}

fn played(folder: &TempDir) -> usize {
    let log = fs::read_to_string(folder.path().join("notes.log")).unwrap();
    log.lines().filter(|line| line.contains(" on ")).count() - 1
}

#[track_caller]
fn quits(mut terminal: Terminal) {
    terminal.press("\x03");
    assert_eq!(terminal.end(), 0);
    terminal.is_put_back();
}

#[test]
fn what_is_typed_into_the_search_box_plays_nothing_and_chooses_what_is_found() {
    for speaks in [Speaks::Nothing, Speaks::Kitty] {
        let (mut terminal, folder) = jam(speaks);
        terminal.press(F3);
        terminal.shows("Search: _");
        for key in ['h', 'a', 't'] {
            terminal.tap(key);
        }
        terminal.shows("Search: hat_");
        terminal.shows("2 of 11 found");
        terminal.press("\r");
        terminal.shows("Sounds: hat (Esc shows all)");
        terminal.shows("╭ Drums.HatClosed");
        assert_eq!(played(&folder), 0);
        terminal.down('z');
        terminal.until("a note", |_| played(&folder) == 1);
        terminal.up('z');
        terminal.press(F3);
        terminal.press("\x1b");
        terminal.shows("▾ Pads");
        quits(terminal);
    }
}

#[test]
fn a_pattern_is_typed_on_a_terminal_that_tells_keys_and_not_what_they_type() {
    let (mut terminal, _folder) = jam(Speaks::Kitty);
    terminal.press(F3);
    terminal.key('p', 0, 1);
    terminal.key('8', SHIFT, 1);
    terminal.key('k', SHIFT, 1);
    terminal.shows("1 of 11 found");
    terminal.shows("╭ Keys.Pluck");
    quits(terminal);
}

#[test]
fn the_terminal_is_left_from_the_search_box_too() {
    for quit in ["\x1b[21~", "\x11", "\x03"] {
        let (mut terminal, _folder) = jam(Speaks::Nothing);
        terminal.press(F3);
        terminal.shows("Search: _");
        terminal.press(quit);
        assert_eq!(terminal.end(), 0);
        terminal.is_put_back();
    }
}

#[test]
fn groups_fold_and_numbers_stay() {
    let (mut terminal, _folder) = jam(Speaks::Nothing);
    terminal.shows("▾ Pads  1");
    terminal.press(LEFT);
    terminal.shows("▸ Pads  1");
    assert!(!terminal.contents().contains("10 Warm"));
    assert!(terminal.contents().contains("11 Laser"));
    terminal.press(RIGHT);
    terminal.shows("10 Warm");
    quits(terminal);
}

#[test]
fn a_knob_is_turned_while_the_note_sounds_and_heard_in_the_meters() {
    let (mut terminal, _folder) = jam(Speaks::Nothing);
    terminal.press("\tz");
    terminal.shows("voices 1/64");
    terminal.until("a level", |terminal| levels(terminal).is_some_and(|[left, _]| left > -30.0));
    terminal.press(F4);
    terminal.press(DOWN);
    terminal.press(SHIFT_RIGHT);
    terminal.press(SHIFT_RIGHT);
    terminal.shows("*pan  R 100 %");
    terminal.until("nothing on the left", |terminal| {
        levels(terminal).is_some_and(|[left, right]| left < right - 30.0)
    });
    terminal.press("\x7f");
    terminal.shows(" pan  centre");
    quits(terminal);
}

/// Returns what the meters say, in decibels.
fn levels(terminal: &Terminal) -> Option<[f32; 2]> {
    let contents = terminal.contents();
    let line = contents.lines().find(|line| line.starts_with(" L "))?;
    let mut values = line.split(" dB").filter_map(|part| part.split([' ', '!']).next_back());
    let level = |text: &str| if text == "-inf" { Some(f32::NEG_INFINITY) } else { text.parse().ok() };
    Some([level(values.next()?)?, level(values.next()?)?])
}

#[test]
fn without_its_loop_a_latched_sound_plays_out_and_with_it_again_it_stays() {
    let (mut terminal, _folder) = jam(Speaks::Nothing);
    terminal.press(F5);
    terminal.shows("*loop off");
    terminal.press("\tz");
    terminal.shows("voices 1/64");
    terminal.shows("voices 0/64");
    terminal.press(F5);
    terminal.shows(" loop on");
    terminal.press("x");
    terminal.shows("voices 1/64");
    terminal.read(Duration::from_secs(2));
    assert!(terminal.contents().contains("voices 1/64"));
    quits(terminal);
}

#[test]
fn what_was_just_played_is_written_beside_where_one_is_and_reported() {
    let (mut terminal, folder) = jam(Speaks::Nothing);
    terminal.press(SHIFT_F6);
    terminal.shows("nothing to save yet");
    terminal.press("z");
    terminal.shows("voices 1/64");
    terminal.shows("voices 0/64");
    terminal.press(SHIFT_F6);
    terminal.shows("s as demo take 1.wav");
    let length = |take: &str| hound::WavReader::open(folder.path().join(take)).unwrap().duration();
    let recent = length("demo take 1.wav");
    assert!(recent > 48_000 / 2, "{recent} frames");
    terminal.press(F6);
    terminal.shows("REC 0:01");
    terminal.press("x");
    terminal.shows("voices 1/64");
    terminal.shows("voices 0/64");
    terminal.press(F6);
    terminal.shows("s as demo take 2.wav");
    assert!(!terminal.contents().contains("REC"));
    assert!(length("demo take 2.wav") > 48_000, "from its start, silence included");
    terminal.press("\x13");
    terminal.shows("REC 0:00");
    terminal.press("x");
    terminal.shows("voices 1/64");
    quits(terminal);
    assert!(length("demo take 3.wav") > 0, "a take that is still recorded is kept");
}

#[test]
fn a_take_has_its_notes_as_midi_which_render_plays() {
    let (mut terminal, folder) = jam_with(Speaks::Kitty, &["--takes", "wav,mid"]);
    let sounds = |terminal: &mut Terminal, key: u8| {
        terminal.press(&format!("\x1b[{key}u"));
        terminal.shows("voices 1/64");
        terminal.press(&format!("\x1b[{key};1:3u"));
        terminal.shows("voices 0/64");
    };
    sounds(&mut terminal, b'z');
    terminal.press(F6);
    terminal.shows("REC 0:00");
    sounds(&mut terminal, b'x');
    terminal.press(F6);
    terminal.shows("s as demo take 1.wav and .mid");
    sounds(&mut terminal, b'z');
    quits(terminal);
    let midi = folder.path().join("demo take 1.mid");
    let sequence = MidiSequence::read(&fs::read(&midi).unwrap()).unwrap();
    assert_eq!(sequence.notes(), 1, "neither the note before nor the one after");
    let is_d3 =
        |message| matches!(message, Message::To(_, ChannelMessage::NoteOn(key, _)) if key.get() == 50);
    assert!(sequence.messages.iter().any(|timed| is_d3(timed.message)), "{sequence:?}");
    let take = hound::WavReader::open(folder.path().join("demo take 1.wav")).unwrap();
    let rate = Hz::new(take.spec().sample_rate).unwrap();
    assert_eq!(sequence.frame(sequence.end, rate), Frames::new(take.duration().into()));
}

#[test]
fn what_is_adjusted_is_there_in_the_next_session_also_of_a_package_that_was_renamed() {
    let (home, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let session = |file: &str| {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
        command.args(["jam", file, "Warm", "--device", "null"]);
        command.cwd(folder.path());
        command.env("XDG_DATA_HOME", home.path());
        let mut terminal = Terminal::running(Speaks::Nothing, command);
        terminal.shows("F10 quit");
        terminal
    };
    let bytes = player::demo::package();
    fs::write(folder.path().join("Mine.uax"), bytes).unwrap();
    let mut terminal = session("Mine.uax");
    terminal.press(&format!("{F4}{LEFT}{LEFT}{F5}"));
    terminal.shows("*gain -1.0 dB");
    terminal.shows("*loop off");
    quits(terminal);
    fs::rename(folder.path().join("Mine.uax"), folder.path().join("Other.uax")).unwrap();
    let mut terminal = session("Other.uax");
    terminal.shows("*gain -1.0 dB");
    terminal.shows("*loop off");
    terminal.press("\x15\x15");
    terminal.shows("nothing to undo");
    terminal.press(&format!("{F4}\x7f{F5}"));
    terminal.shows(" gain 0.0 dB");
    terminal.shows(" loop on");
    quits(terminal);
    let kept = home.path().join("usampler/sounds");
    assert_eq!(fs::read_dir(kept).unwrap().count(), 0, "nothing is adjusted any more");
}

#[test]
fn two_instances_keep_what_the_other_has_adjusted() {
    let home = TempDir::new().unwrap();
    let session = |sound: &str| {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
        command.args(["jam", "demo:", sound, "--device", "null"]);
        command.env("XDG_DATA_HOME", home.path());
        let mut terminal = Terminal::running(Speaks::Nothing, command);
        terminal.shows("F10 quit");
        terminal.press(F4);
        terminal
    };
    let (mut one, mut other) = (session("Warm"), session("Kick"));
    one.press(LEFT);
    one.shows("*gain -0.5 dB");
    other.press(&LEFT.repeat(2));
    other.shows("*gain -1.0 dB");
    quits(one);
    quits(other);
    for (sound, gain) in [("Warm", "*gain -0.5 dB"), ("Kick", "*gain -1.0 dB")] {
        let mut terminal = session(sound);
        terminal.shows(gain);
        quits(terminal);
    }
}

#[test]
fn the_recording_of_the_chosen_sound_is_saved_with_its_gain_and_loop() {
    let (mut terminal, folder) = jam(Speaks::Nothing);
    terminal.press("\x05");
    terminal.shows("saved the sound as Pads.Warm.wav");
    terminal.press(&format!("{F4}{LEFT}{LEFT}{F5}"));
    terminal.shows("*gain -1.0 dB");
    terminal.press("\x05");
    terminal.shows("saved the sound as Pads.Warm 2.wav");
    let read = |name: &str| {
        let bytes = fs::read(folder.path().join(name)).unwrap();
        let mut saved = hound::WavReader::new(bytes.as_slice()).unwrap();
        let spec = saved.spec();
        assert_eq!((spec.sample_rate, spec.channels, spec.bits_per_sample), (22_050, 2, 16));
        let values: Vec<f64> = saved.samples::<i16>().map(|value| value.unwrap().into()).collect();
        // The eighth word of the RIFF chunk is the number of loops.
        let smpl = bytes.windows(4).position(|word| word == b"smpl").unwrap();
        (values, bytes[smpl + 8 + 4 * 7])
    };
    let (stored, loops) = read("Pads.Warm.wav");
    assert_eq!((stored.len(), loops), (2 * 11_091, 1));
    let (softer, loops) = read("Pads.Warm 2.wav");
    assert_eq!(loops, 0, "the loop is off");
    let factor = 10_f64.powf(-1.0 / 20.0);
    assert!(stored.iter().zip(&softer).all(|(stored, softer)| (stored * factor - softer).abs() <= 0.51));
    quits(terminal);
}

#[test]
fn what_a_search_shows_is_saved_as_one_instrument() {
    let (mut terminal, folder) = jam(Speaks::Nothing);
    terminal.press(&format!("{F3}drums\r"));
    terminal.press("\x05");
    terminal.shows("6 sounds as SFZ: demo drums");
    terminal.press(&format!("{DOWN}\r"));
    terminal.shows("saved 6 sounds as demo drums.sfz");
    let sfz = fs::read_to_string(folder.path().join("demo drums.sfz")).unwrap();
    let files: Vec<&str> = sfz.lines().filter_map(|line| line.strip_prefix("sample=")).collect();
    assert_eq!(files.len(), 6);
    assert!(files.iter().all(|file| folder.path().join(file).is_file()), "{files:?}");
    quits(terminal);
}
