//! A terminal for the program under test: real raw mode, real signals, and as much of the kitty keyboard protocol as is
//! wanted.
#![allow(dead_code, unused_imports, reason = "each story uses its own part")]

mod jam;
mod protocol;

use std::io::{Read, Write};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{fs, thread};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

pub(crate) use jam::{ASKED, Jam, log};
use protocol::Protocol;
pub(crate) use protocol::{CONTROL, SHIFT, SUPER, Speaks};
use tempfile::TempDir;

/// How long the program may take to show something; far more than it needs on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A program in a terminal of 80 × 24.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    pub(crate) child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    /// Whether nothing is read of what is printed.
    is_deaf: Arc<AtomicBool>,
    /// Everything printed so far, and what the terminal shows of it.
    pub(crate) printed: String,
    parser: vt100::Parser<Protocol>,
    /// How the terminal was before.
    before: String,
    /// Where the program keeps what it remembers, unless the test says otherwise.
    _home: TempDir,
}

impl Terminal {
    /// Returns the program in a terminal that knows nothing of the protocol.
    pub(crate) fn of(args: &[&str]) -> Self {
        Self::speaking(Speaks::Nothing, args)
    }

    pub(crate) fn speaking(speaks: Speaks, args: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
        command.args(args);
        Self::running(speaks, command)
    }

    pub(crate) fn running(speaks: Speaks, command: CommandBuilder) -> Self {
        Self::in_locale(speaks, command, "C.UTF-8")
    }

    pub(crate) fn in_locale(speaks: Speaks, mut command: CommandBuilder, locale: &str) -> Self {
        let pair = native_pty_system().openpty(size(80, 24)).unwrap();
        let home = TempDir::new().unwrap();
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            if command.get_env(name).is_none() {
                command.env(name, home.path());
            }
        }
        for (name, value) in [("LC_ALL", locale), ("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
            command.env(name, value);
        }
        let before = modes(&*pair.master);
        let child = pair.slave.spawn_command(command).unwrap();
        let keys = pair.master.take_writer().unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        let is_deaf = Arc::new(AtomicBool::new(false));
        let hears = Arc::clone(&is_deaf);
        thread::spawn(move || {
            let mut block = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut block) {
                while hears.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
                if sender.send(block[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            master: pair.master,
            child,
            keys,
            output,
            is_deaf,
            printed: String::new(),
            parser: vt100::Parser::new_with_callbacks(24, 80, 0, Protocol::new(speaks)),
            before,
            _home: home,
        }
    }

    /// Sends bytes as they are.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// A key goes down: as a character, or as the protocol has it once that was asked for.
    pub(crate) fn down(&mut self, key: char) {
        self.key(key, 0, 1);
    }

    /// A held key repeats.
    pub(crate) fn repeat(&mut self, key: char) {
        self.key(key, 0, 2);
    }

    /// A key goes up, which only the protocol reports.
    pub(crate) fn up(&mut self, key: char) {
        self.key(key, 0, 3);
    }

    pub(crate) fn key(&mut self, key: char, modifiers: u16, kind: u8) {
        let bytes = self.parser.callbacks().encoded(key, modifiers, kind);
        self.press(&bytes);
    }

    /// A key of a keyboard that has something else at its place than a US one, where the terminal says so.
    pub(crate) fn key_at(&mut self, key: char, us_key: char, kind: u8) {
        let bytes = self.parser.callbacks().encoded_at(key, us_key, kind);
        self.press(&bytes);
    }

    /// A key goes down and up.
    pub(crate) fn tap(&mut self, key: char) {
        self.down(key);
        self.up(key);
    }

    /// A key that comes up so late that the program has said it wants to hear no more.
    pub(crate) fn up_belatedly(&mut self, key: char, modifiers: u16) {
        let bytes = self.parser.callbacks().encoded(key, modifiers, 3);
        self.parser.callbacks_mut().belated = bytes;
    }

    /// Returns whether the mouse is reported, in places of any size.
    pub(crate) fn has_mouse(&self) -> bool {
        let screen = self.parser.screen();
        screen.mouse_protocol_mode() == vt100::MouseProtocolMode::ButtonMotion
            && screen.mouse_protocol_encoding() == vt100::MouseProtocolEncoding::Sgr
    }

    /// The mouse: `0` for the left button, `32` while it moves with it, `64` and `65` for the wheel; `M` for down and
    /// `m` for up, at a column and row from 0.
    pub(crate) fn mouse(&mut self, button: u8, column: u16, row: u16, kind: char) {
        self.press(&format!("\x1b[<{button};{};{}{kind}", column + 1, row + 1));
    }

    /// Returns where the screen shows a text first.
    #[track_caller]
    pub(crate) fn find(&self, text: &str) -> (u16, u16) {
        let screen = self.contents();
        let found = screen.lines().enumerate().find_map(|(row, line)| {
            let column = line[..line.find(text)?].chars().count();
            Some((u16::try_from(column).unwrap(), u16::try_from(row).unwrap()))
        });
        found.unwrap_or_else(|| panic!("no {text:?} on the screen:\n{screen}"))
    }

    /// Returns what the program asked for: the flags in force, and whether it hears of the focus.
    pub(crate) fn asked(&self) -> (u16, bool) {
        self.parser.callbacks().asked()
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.master.resize(size(columns, rows)).unwrap();
        // What is shown of a huge one is of no interest.
        self.parser.screen_mut().set_size(rows.min(500), columns.min(500));
    }

    /// Takes notice of what is printed within a time, and answers what is asked; false if nothing is printed.
    pub(crate) fn read(&mut self, within: Duration) -> bool {
        let Ok(more) = self.output.recv_timeout(within) else { return false };
        self.take(&more);
        true
    }

    fn take(&mut self, more: &[u8]) {
        self.parser.process(more);
        self.printed.push_str(&String::from_utf8_lossy(more));
        self.parser.callbacks_mut().is_other = self.parser.screen().alternate_screen();
        let answers = self.parser.callbacks_mut().answers();
        // The program may be gone before it is answered.
        let _ = self.keys.write_all(answers.as_bytes());
    }

    pub(crate) fn contents(&self) -> String {
        self.parser.screen().contents()
    }

    /// Waits until the screen shows a text.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) {
        self.until(text, |terminal| terminal.contents().contains(text));
    }

    /// Waits until something is so.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < PATIENCE, "no {what:?} on the screen:\n{}", self.contents());
            self.read(Duration::from_millis(20));
        }
    }

    /// Reads nothing more of what is printed, or reads again.
    pub(crate) fn is_deaf(&self, is_deaf: bool) {
        self.is_deaf.store(is_deaf, Ordering::Relaxed);
    }

    /// Has the program draw all of a large screen many times, more than the system holds for whoever does not read.
    pub(crate) fn fill(&self) {
        for number in 0..40 {
            self.master.resize(size(150 + number % 2, 50)).unwrap();
            thread::sleep(Duration::from_millis(60));
        }
        self.master.resize(size(80, 24)).unwrap();
    }

    /// Waits for the end without reading anything; returns how long that took.
    #[track_caller]
    pub(crate) fn ends_unread(&mut self) -> Duration {
        let begun = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
        begun.elapsed()
    }

    /// Sends a signal to a process.
    #[track_caller]
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    }

    /// Waits until the program is stopped, and everything was printed.
    #[track_caller]
    pub(crate) fn stops(&mut self) {
        let pid = self.child.process_id().unwrap();
        self.until("stop", |_| fs::read_to_string(format!("/proc/{pid}/stat")).unwrap().contains(") T "));
        while self.read(Duration::from_millis(100)) {}
    }

    /// Waits for the end: its code, after everything was printed.
    #[track_caller]
    pub(crate) fn end(&mut self) -> u32 {
        let begun = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.exit_code();
            }
            assert!(begun.elapsed() < PATIENCE, "the program does not end:\n{}", self.contents());
            self.read(Duration::from_millis(10));
        };
        // However late it is read: when nobody is left who could print, the reading thread ends.
        while let Ok(more) = self.output.recv_timeout(PATIENCE) {
            self.take(&more);
        }
        code
    }

    /// The terminal is as it was before the program took it.
    #[track_caller]
    pub(crate) fn is_put_back(&self) {
        assert!(self.printed.contains(ENTER), "it never took the terminal");
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "the other screen was not left");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is reported");
        self.has_its_modes();
        self.parser.callbacks().is_put_back();
    }

    /// The terminal reads and echoes as it did before.
    #[track_caller]
    pub(crate) fn has_its_modes(&self) {
        assert_eq!(modes(&*self.master), self.before, "the terminal is in another mode");
    }
}

/// A program that a failed test leaves would go on playing.
impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// The alternate screen, as xterm names it.
pub(crate) const ENTER: &str = "\x1b[?1049h";

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}
