//! What a person at a terminal types first, and sees.

use crate::pty;
use std::fs;

use fixtures::module::xm::{self, Xm};
use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use portable_pty::CommandBuilder;
use pty::{Speaks, Terminal};
use tempfile::TempDir;

const F9: &str = "\x1b[20~";

/// Returns the program in a folder.
/// The list in place of the song, or the song again.
const CTRL_G: &str = "\x07";

fn typed(folder: &TempDir, args: &[&str]) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
    command.args(args);
    command.cwd(folder.path());
    Terminal::running(Speaks::Nothing, command)
}

fn write(folder: &TempDir, name: &str, sounds: &[&str]) {
    let mut package = PackageWriter::new(69);
    for sound in sounds {
        let wave = Wave::new(8000, 1, Values::U8(vec![200; 4000])).finish();
        package.sound(sound, None, "WAV", &wave);
    }
    fs::write(folder.path().join(name), package.finish()).unwrap();
}

#[track_caller]
fn quits(mut terminal: Terminal) {
    terminal.press("\x03");
    assert_eq!(terminal.end(), 0);
    terminal.is_put_back();
}

#[test]
fn a_file_opens_on_the_keyboard() {
    let folder = TempDir::new().unwrap();
    write(&folder, "Mine.uax", &["Kick", "Snare"]);
    let mut terminal = typed(&folder, &["Mine.uax", "--device", "null"]);
    terminal.shows("Mine.uax");
    terminal.shows("1 Kick");
    terminal.press("z");
    terminal.shows("voices 1/64");
    quits(terminal);
}

#[test]
fn a_file_that_cannot_be_opened_is_named_in_one_line() {
    let folder = TempDir::new().unwrap();
    write(&folder, "whole.uax", &["Kick"]);
    let whole = fs::read(folder.path().join("whole.uax")).unwrap();
    fs::write(folder.path().join("broken.uax"), &whole[..40]).unwrap();
    let mut terminal = typed(&folder, &[".", "--device", "null"]);
    terminal.shows("broken.uax: ");
    assert!(!terminal.contents().contains("error:"), "{}", terminal.contents());
    terminal.shows("1 Kick");
    quits(terminal);
}

#[test]
fn a_module_opens_with_its_instruments_and_samples_under_heads() {
    let folder = TempDir::new().unwrap();
    let sample = || xm::Sample::new(0, vec![50; 400]);
    let instruments = vec![xm::Instrument { samples: vec![sample(), sample()] }; 2];
    let module = Xm { instruments, ..Xm::new(0x0104) }.finish();
    fs::write(folder.path().join("song.xm"), module.bytes).unwrap();
    let mut terminal = typed(&folder, &["song.xm", "--device", "null"]);
    terminal.shows("Order");
    terminal.press(CTRL_G);
    terminal.shows("▾ Samples  4");
    terminal.shows("▾ Instruments  2");
    terminal.shows("#5 of 6");
    terminal.press("\x1b[1;2D");
    terminal.shows("▸ Samples  4");
    quits(terminal);
}

#[test]
fn a_module_opens_on_the_keyboard() {
    let folder = TempDir::new().unwrap();
    let (_, module) = fixtures::module::various().swap_remove(0);
    fs::write(folder.path().join("song.bin"), &module.bytes).unwrap();
    let mut terminal = typed(&folder, &["song.bin", "--device", "null"]);
    terminal.shows("song.bin");
    terminal.shows("Order");
    terminal.press(CTRL_G);
    terminal.shows("Sounds");
    terminal.shows("F10 quit");
    quits(terminal);
}

#[test]
fn a_song_plays_on_its_own_screen_until_it_is_paused_and_goes_where_it_is_sent() {
    let folder = TempDir::new().unwrap();
    let instruments = vec![xm::Instrument { samples: vec![xm::Sample::new(0, vec![50; 400])] }; 2];
    let module = Xm { instruments, ..Xm::new(0x0104) }.finish();
    fs::write(folder.path().join("song.xm"), module.bytes).unwrap();
    let mut terminal = typed(&folder, &["song.xm", "--device", "null"]);
    terminal.shows("Instruments");
    terminal.shows("speed");
    terminal.press("\x14");
    terminal.shows("paused");
    terminal.press("\x1b[H");
    terminal.shows("row 00");
    terminal.press("\x0b");
    terminal.shows("mute");
    terminal.press("\x0c");
    terminal.shows("looped");
    terminal.press("\x1b[1;5C");
    terminal.shows("at 101 %");
    quits(terminal);
    // Who asks for a sound of it wants to play that.
    let mut terminal = typed(&folder, &["song.xm", "2", "--device", "null"]);
    terminal.shows("#2 of 4");
    terminal.press("\x14");
    terminal.shows("Order");
    quits(terminal);
}

#[test]
fn a_folder_opens_with_the_sounds_of_all_packages_each_of_which_is_a_group() {
    let folder = TempDir::new().unwrap();
    write(&folder, "Drums.uax", &["Kick", "Snare"]);
    fs::create_dir(folder.path().join("sub")).unwrap();
    write(&folder, "sub/Pads.uax", &["Warm", "Cold", "Wide"]);
    write(&folder, "Empty.uax", &[]);
    fs::write(folder.path().join("Broken.uax"), [0xC1, 0x83, 0x2A, 0x9E, 69, 0, 0, 0]).unwrap();
    let mut terminal = typed(&folder, &[".", "--device", "null"]);
    terminal.shows("▾ Drums.uax  2");
    terminal.shows("1 Kick");
    terminal.shows("▸ sub/Pads.uax  3");
    terminal.shows("Broken.uax");
    terminal.shows("#1 of 5");
    terminal.press("z");
    terminal.shows("voices 1/64");
    // The next package, while the note of the one before sounds.
    terminal.press(F9);
    terminal.shows("▾ sub/Pads.uax  3");
    terminal.shows("#3 of 5");
    terminal.shows("5 Wide");
    terminal.press(F9);
    terminal.shows("#1 of 5");
    // A search finds sounds of all packages.
    terminal.press("\x06");
    terminal.press("w\r");
    terminal.shows("2 of 5 found");
    terminal.shows("sub/Pads.uax/Wide");
    terminal.press("\x1b");
    terminal.shows("of 5 ");
    quits(terminal);
}

#[test]
fn a_folder_in_which_nothing_can_be_opened_says_why() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("Broken.uax"), [0xC1, 0x83, 0x2A, 0x9E, 69, 0, 0, 0]).unwrap();
    let mut terminal = typed(&folder, &[".", "--device", "null"]);
    terminal.shows("Broken.uax: ");
    assert_eq!(terminal.end(), 3);
}

#[test]
fn a_search_finds_a_part_of_a_name() {
    let folder = TempDir::new().unwrap();
    write(&folder, "Mine.uax", &["KillingSpree", "Humiliation"]);
    let mut terminal = typed(&folder, &["Mine.uax", "--device", "null"]);
    terminal.shows("F10 quit");
    terminal.press("\x06");
    terminal.shows("Search: _");
    terminal.press("spree\r");
    terminal.shows("1 of 2 found");
    terminal.press("\x1b");
    terminal.shows("#1 of 2");
    quits(terminal);
}
