//! `jam` on a real terminal: what its keys play, and that the terminal is put back whatever ends it.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long the program may take to show something; far more than it needs on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The program in a terminal of 80 × 24.
struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    screen: Receiver<Vec<u8>>,
    /// Everything printed so far, and what the terminal shows of it.
    printed: String,
    parser: vt100::Parser,
    /// How the terminal was before.
    before: String,
}

impl Terminal {
    fn of(args: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
        command.args(args);
        for (name, value) in [("LC_ALL", "C.UTF-8"), ("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
            command.env(name, value);
        }
        let before = modes(&*pair.master);
        let child = pair.slave.spawn_command(command).unwrap();
        let keys = pair.master.take_writer().unwrap();
        let mut output = pair.master.try_clone_reader().unwrap();
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut block = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut block) {
                if sender.send(block[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            master: pair.master,
            child,
            keys,
            screen,
            printed: String::new(),
            parser: vt100::Parser::new(24, 80, 0),
            before,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Takes notice of what is printed within a time; false if nothing is.
    fn read(&mut self, within: Duration) -> bool {
        let Ok(more) = self.screen.recv_timeout(within) else { return false };
        self.parser.process(&more);
        self.printed.push_str(&String::from_utf8_lossy(&more));
        true
    }

    /// Waits until the screen shows a text.
    #[track_caller]
    fn shows(&mut self, text: &str) {
        let begun = Instant::now();
        while !self.parser.screen().contents().contains(text) {
            assert!(
                begun.elapsed() < PATIENCE,
                "no {text:?} on the screen:\n{}",
                self.parser.screen().contents()
            );
            self.read(Duration::from_millis(50));
        }
    }

    /// Waits for the end: its code, after everything was printed.
    fn end(&mut self) -> u32 {
        let begun = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.exit_code();
            }
            assert!(begun.elapsed() < PATIENCE, "the program does not end");
            thread::sleep(Duration::from_millis(10));
        };
        while self.read(Duration::from_millis(200)) {}
        code
    }

    #[track_caller]
    fn is_put_back(&self) {
        assert!(self.printed.contains(ENTER), "it never took the terminal");
        let last = |text| self.printed.rfind(text);
        assert!(last(LEAVE) > last(ENTER), "the other screen was not left");
        assert!(last(SHOW_CURSOR) > last(HIDE_CURSOR), "the cursor is hidden");
        assert_eq!(modes(&*self.master), self.before, "the terminal is in another mode");
    }
}

/// The alternate screen and the cursor, as xterm names them.
const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";
const HIDE_CURSOR: &str = "\x1b[?25l";
const SHOW_CURSOR: &str = "\x1b[?25h";

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}

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
        let pid = terminal.child.process_id().unwrap().to_string();
        let killed = std::process::Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
        assert!(killed.success());
        assert_eq!(terminal.end(), 130, "{signal}");
        terminal.is_put_back();
    }
}

#[test]
fn the_shell_gets_the_terminal_as_it_was_and_gives_it_back() {
    for stop in ["key", "signal"] {
        let mut terminal = jam();
        let pid = terminal.child.process_id().unwrap().to_string();
        match stop {
            "key" => terminal.press("\x1a"),
            _ => assert!(
                std::process::Command::new("kill").args(["-s", "TSTP", &pid]).status().unwrap().success()
            ),
        }
        let begun = Instant::now();
        while !fs::read_to_string(format!("/proc/{pid}/stat")).unwrap().contains(") T ") {
            assert!(begun.elapsed() < PATIENCE, "it does not stop");
            terminal.read(Duration::from_millis(20));
        }
        while terminal.read(Duration::from_millis(100)) {}
        terminal.is_put_back();
        assert!(std::process::Command::new("kill").args(["-s", "CONT", &pid]).status().unwrap().success());
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
