//! `jam` in such a terminal, with a log of what was played.

use std::fs;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{CONTROL, PATIENCE, Speaks, Terminal};

/// A pad with a loop, on the null device, and the log of what is played.
pub(crate) struct Jam {
    pub(crate) terminal: Terminal,
    pub(crate) folder: TempDir,
}

/// What the program asks of a terminal that grants it: the flags of the protocol, and to hear of the focus.
pub(crate) const ASKED: (u16, bool) = (1 | 2 | 4 | 8, true);
pub(crate) fn log(folder: &TempDir) -> String {
    folder.path().join("notes.log").to_str().unwrap().to_owned()
}

impl Jam {
    pub(crate) fn on(speaks: Speaks, options: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let log = log(&folder);
        let mut args = vec!["jam", "demo:", "Warm", "--device", "null", "--log", &log];
        args.extend(options);
        let mut terminal = Terminal::speaking(speaks, &args);
        terminal.shows("F10 quit");
        Self { terminal, folder }
    }

    /// On a terminal that speaks the protocol.
    pub(crate) fn real(options: &[&str]) -> Self {
        let jam = Self::on(Speaks::Kitty, options);
        assert_eq!(jam.terminal.asked(), ASKED);
        jam
    }

    /// Returns the lines of the log but its head and what became of the notes: seconds, and what was done.
    pub(crate) fn log(&self) -> Vec<(f64, String)> {
        let log = fs::read_to_string(log(&self.folder)).unwrap();
        let lines = log.lines().filter(|line| !line.starts_with('#'));
        let timed = lines.map(|line| {
            let (at, what) = line.trim_start().split_once(' ').unwrap();
            (at.parse().unwrap(), what.to_owned())
        });
        let is_outcome = |what: &str| ["began", "ended", "loading"].iter().any(|word| what.starts_with(word));
        timed.filter(|(_, what)| !is_outcome(what)).collect()
    }

    pub(crate) fn played(&self) -> Vec<String> {
        self.log().into_iter().map(|(_, what)| what).collect()
    }

    /// Waits until as much was played, and compares.
    #[track_caller]
    pub(crate) fn has_played(&mut self, expected: &[&str]) {
        let begun = Instant::now();
        while self.played().len() < expected.len() && begun.elapsed() < PATIENCE {
            self.terminal.read(Duration::from_millis(10));
        }
        assert_eq!(self.played(), expected);
    }

    /// Quits; nothing else was played, and the terminal is as it was.
    #[track_caller]
    pub(crate) fn ends_having_played(mut self, expected: &[&str]) {
        self.terminal.key('q', CONTROL, 1);
        assert_eq!(self.terminal.end(), 0);
        self.terminal.is_put_back();
        let expected: Vec<&str> = expected.iter().copied().chain(["quit"]).collect();
        assert_eq!(self.played(), expected);
    }
}
