//! Where a command prints: data on standard output, talk on standard error.

use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use crate::args::{Color, Progress, Talk};

/// The two outputs of a command and how much it may say on them.
pub struct Console<'o> {
    out: &'o mut dyn Write,
    talk: Talk,
    colored: bool,
    /// When the work began whose progress is shown, and whether a line of it stands on the terminal.
    progress: Option<(Instant, bool)>,
}

/// Work shorter than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

impl<'o> Console<'o> {
    /// Data goes to `out`, talk to standard error.
    pub fn new(out: &'o mut dyn Write, talk: Talk) -> Self {
        let colored = match talk.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        };
        Self { out, talk, colored, progress: None }
    }

    /// Standard output, for data.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut *self.out
    }

    /// Whether data may be coloured.
    #[must_use]
    pub const fn is_colored(&self) -> bool {
        self.colored
    }

    /// How much more the user wants to know: 0, 1, 2.
    #[must_use]
    pub const fn verbosity(&self) -> u8 {
        self.talk.verbose
    }

    /// Tells what happened; nothing with `--quiet`.
    pub fn say(&mut self, text: impl std::fmt::Display) {
        if !self.talk.quiet {
            self.talk(text);
        }
    }

    /// Tells what only the curious want to know; needs `-v`.
    pub fn detail(&mut self, text: impl std::fmt::Display) {
        if self.talk.verbose > 0 {
            self.talk(text);
        }
    }

    /// Tells what went wrong, even with `--quiet`.
    pub fn warn(&mut self, text: impl std::fmt::Display) {
        self.talk(text);
    }

    /// Shows how far the work is, on a terminal and once it has taken over a second.
    pub fn progress(&mut self, done: usize, of: usize, what: &str) {
        if self.talk.quiet || self.talk.progress == Progress::Never || !io::stderr().is_terminal() {
            return;
        }
        let (since, _) = *self.progress.get_or_insert_with(|| (Instant::now(), false));
        if since.elapsed() >= PATIENCE {
            self.progress = Some((since, true));
            let _ = write!(io::stderr(), "\r\x1b[K{done}/{of} {what}");
        }
    }

    /// Takes the line of progress away.
    pub fn end_progress(&mut self) {
        if let Some((_, true)) = self.progress.take() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn talk(&mut self, text: impl std::fmt::Display) {
        self.end_progress();
        // Nobody is left to tell if standard error is closed.
        let _ = writeln!(io::stderr(), "{text}");
    }
}
