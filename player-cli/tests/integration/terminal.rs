//! `jam` on a real terminal: what its keys play, and that the terminal is put back whatever ends it.

use crate::pty;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

use pty::{ENTER, Terminal};

fn jam() -> Terminal {
    let mut terminal = Terminal::of(&["jam", "demo:", "--device", "null"]);
    terminal.shows("F10 quit");
    terminal
}

#[test]
fn quitting_puts_the_terminal_back() {
    for quit in ["\x1b[21~", "\x11", "\x03"] {
        let mut terminal = jam();
        terminal.press(quit);
        assert_eq!(terminal.end(), 0);
        terminal.is_put_back();
    }
}

#[test]
fn signals_put_the_terminal_back() {
    for signal in ["TERM", "INT", "HUP", "QUIT"] {
        let mut terminal = jam();
        terminal.signal(signal);
        assert_eq!(terminal.end(), 130, "{signal}");
        terminal.is_put_back();
    }
}

#[test]
fn the_shell_gets_the_terminal_as_it_was_and_gives_it_back() {
    for stop in ["key", "signal"] {
        let mut terminal = jam();
        match stop {
            "key" => terminal.press("\x1a"),
            _ => terminal.signal("TSTP"),
        }
        terminal.stops();
        terminal.is_put_back();
        terminal.signal("CONT");
        terminal.shows("F10 quit");
        terminal.press("\x03");
        assert_eq!(terminal.end(), 0);
        terminal.is_put_back();
    }
}

#[test]
fn a_package_without_sounds_is_no_instrument() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("Empty.u");
    fs::write(&file, fixtures::package::PackageWriter::new(69).finish()).unwrap();
    let mut terminal = Terminal::of(&["jam", file.to_str().unwrap(), "--device", "null"]);
    assert_eq!(terminal.end(), 3);
    assert!(terminal.printed.contains("no sounds in"));
}

#[test]
fn a_key_sounds_and_panic_ends_it() {
    let mut terminal = jam();
    // The pad has a loop; latched, it would sound for ever.
    terminal.press("\x1b[F\x1b[A\t");
    terminal.shows("release=latch");
    terminal.press("z");
    terminal.shows("voices 1/64");
    terminal.press("c");
    terminal.shows("voices 2/64");
    terminal.press("\x1b");
    terminal.shows("voices 0/64");
    terminal.press("\x03");
    assert_eq!(terminal.end(), 0);
    terminal.is_put_back();
}

#[test]
fn a_package_that_cannot_be_read_never_takes_the_terminal() {
    let mut terminal = Terminal::of(&["jam", "/no/such/file"]);
    assert_eq!(terminal.end(), 3);
    assert!(!terminal.printed.contains(ENTER));
    assert!(terminal.printed.contains("no such file"));
}

#[test]
fn without_a_device_the_terminal_is_left_alone() {
    let mut terminal = Terminal::of(&["jam", "demo:", "--device", "no such device"]);
    assert_eq!(terminal.end(), 4);
    assert!(!terminal.printed.contains(ENTER));
}

#[test]
fn another_device_is_chosen_while_a_note_sounds_and_it_sounds_on() {
    let mut terminal = jam();
    terminal.press("\x1b[F\x1b[A\t");
    terminal.shows("release=latch");
    terminal.press("z");
    terminal.shows("voices 1/64");
    terminal.press("\x1b[19~");
    terminal.shows("Devices: Enter selects");
    terminal.shows("system default");
    terminal.shows("* null");
    // The last one is silent, and plays already: it begins anew.
    terminal.press("\x1b[F\r");
    terminal.until("the list closed", |terminal| !terminal.contents().contains("Devices:"));
    // Another key after that: what is played meanwhile is refused.
    sleep(Duration::from_secs(1));
    terminal.press("c");
    terminal.shows("voices 2/64");
    assert!(terminal.contents().contains(" null 48000 Hz"), "{}", terminal.contents());
    terminal.press("\x03");
    assert_eq!(terminal.end(), 0);
    terminal.is_put_back();
}

#[test]
fn play_says_late_blocks_however_it_ends() {
    for (ends, code) in [("q", 0), ("\x03", 130)] {
        let mut terminal = Terminal::of(&["play", "demo:", "Warm", "--hold", "60s", "--device", "null"]);
        // The device asks for blocks by then.
        terminal.shows("0:01.");
        // Nothing is rendered meanwhile.
        terminal.signal("STOP");
        terminal.stops();
        sleep(Duration::from_millis(300));
        terminal.signal("CONT");
        sleep(Duration::from_secs(1));
        terminal.press(ends);
        assert_eq!(terminal.end(), code);
        assert!(terminal.contents().contains("late (xrun"), "{}", terminal.contents());
    }
}

#[test]
fn play_shows_how_far_it_is_pauses_and_ends_by_keys() {
    let mut terminal = Terminal::of(&["play", "demo:", "Warm", "--hold", "60s", "--device", "null"]);
    terminal.shows("Space pause  q end");
    terminal.press(" ");
    terminal.shows("paused");
    let line = |terminal: &Terminal| {
        let contents = terminal.contents();
        contents.lines().find(|line| line.contains("paused")).map(str::to_owned)
    };
    terminal.until("a clock that stands", |terminal| line(terminal).is_some());
    // What was on its way when it was paused is over by then.
    sleep(Duration::from_millis(300));
    while terminal.read(Duration::from_millis(20)) {}
    let before = line(&terminal);
    sleep(Duration::from_millis(500));
    while terminal.read(Duration::from_millis(20)) {}
    assert_eq!(line(&terminal), before);
    terminal.press(" ");
    terminal.until("a clock that goes on", |terminal| line(terminal).is_none());
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    terminal.has_its_modes();

    let mut terminal = Terminal::of(&["play", "demo:", "Warm", "--hold", "60s", "--device", "null"]);
    terminal.shows("Space pause");
    terminal.press("\x03");
    assert_eq!(terminal.end(), 130);
    assert!(!terminal.contents().contains("error"), "{}", terminal.contents());
    terminal.has_its_modes();
}
