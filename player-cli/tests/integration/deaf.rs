//! Signals are heard wherever the program is: while nobody reads the terminal, while it waits for a file to be read.
//! What a terminal says of itself is not believed.

use crate::pty;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pty::{Jam, PATIENCE, Speaks};
use tempfile::TempDir;

/// Latched, a note sounds until its key is pressed again.
fn sounding() -> Jam {
    let mut jam = Jam::on(Speaks::Nothing, &["--release", "latch"]);
    jam.terminal.press("z");
    jam.terminal.shows("voices 1/64");
    jam.terminal.is_deaf(true);
    jam.terminal.fill();
    jam
}

#[test]
fn notes_begin_and_end_while_the_terminal_does_not_read() {
    let mut jam = sounding();
    let ends = |jam: &mut Jam, expected: &[&str]| {
        let begun = Instant::now();
        while jam.played() != expected {
            assert!(begun.elapsed() < PATIENCE, "{:?}", jam.played());
            sleep(Duration::from_millis(10));
        }
    };
    jam.terminal.press("x");
    ends(&mut jam, &["on 0 C3 #10 100", "on 1 D3 #10 100"]);
    jam.terminal.press("\x1b");
    ends(&mut jam, &["on 0 C3 #10 100", "on 1 D3 #10 100", "silence"]);
    jam.terminal.is_deaf(false);
    jam.terminal.shows("voices 0/64");
    jam.terminal.press("\x03");
    assert_eq!(jam.terminal.end(), 0);
    jam.terminal.is_put_back();
}

#[test]
fn a_signal_ends_it_and_puts_back_a_terminal_that_does_not_read() {
    for signal in ["TERM", "INT", "HUP"] {
        let mut jam = sounding();
        jam.terminal.signal(signal);
        let _ = jam.terminal.ends_unread();
        jam.terminal.has_its_modes();
        jam.terminal.is_deaf(false);
        assert_eq!(jam.terminal.end(), 130, "{signal}");
        jam.terminal.is_put_back();
    }
}

#[test]
fn a_terminal_that_says_it_is_huge_is_drawn_in_part() {
    let mut jam = Jam::on(Speaks::Nothing, &[]);
    jam.terminal.resize(65_535, 65_535);
    sleep(Duration::from_millis(300));
    jam.terminal.press("z");
    jam.has_played(&["on 0 C3 #10 100"]);
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", jam.terminal.child.process_id().unwrap()))
            .unwrap();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    let peak: u64 = peak.unwrap();
    assert!(peak < 200_000, "{peak} kB");
    jam.terminal.resize(80, 24);
    jam.terminal.press("\x03");
    assert_eq!(jam.terminal.end(), 0);
}

#[test]
fn a_file_that_nobody_reads_does_not_keep_it_from_ending() {
    let folder = TempDir::new().unwrap();
    let fifo = folder.path().join("fifo.wav");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for signal in ["INT", "TERM"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_usampler"))
            .args(["render", "demo:", "Kick", "--force", "-o"])
            .arg(&fifo)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(300));
        assert!(program.try_wait().unwrap().is_none(), "it waits for a reader");
        assert!(
            Command::new("kill").args(["-s", signal, &program.id().to_string()]).status().unwrap().success()
        );
        let begun = Instant::now();
        while program.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_secs(20) {
                program.kill().unwrap();
                panic!("{signal} does not end it");
            }
            sleep(Duration::from_millis(10));
        }
        let said = program.wait_with_output().unwrap();
        assert_eq!(said.status.code(), Some(130));
        assert!(String::from_utf8_lossy(&said.stderr).contains("interrupted"));
    }
}
