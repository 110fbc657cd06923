//! Where a command prints: data on standard output, talk on standard error.

use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use crate::args::{Color, Progress, Talk};
use crate::failure::Failure;
use crate::view::printable;

/// The two outputs of a command and how much it may say on them.
pub struct Console<'o> {
    out: &'o mut dyn Write,
    talk: Talk,
    colored: bool,
    /// When the work began whose progress is shown.
    since: Option<Instant>,
    /// Whether a line of progress stands on the terminal.
    is_line_shown: bool,
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
        Self { out, talk, colored, since: None, is_line_shown: false }
    }

    /// Standard output, for data.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut *self.out
    }

    /// Prints a line of data. On a terminal that shows progress as well, the two do not mix.
    ///
    /// # Errors
    /// Those of the output.
    pub fn print_line(&mut self, line: impl std::fmt::Display) -> io::Result<()> {
        self.clear_line();
        writeln!(self.out, "{line}")?;
        if self.since.is_some() && io::stdout().is_terminal() { self.out.flush() } else { Ok(()) }
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

    /// Tells what went wrong but stops nothing, even with `--quiet`.
    pub fn warn(&mut self, text: impl std::fmt::Display) {
        self.talk(format_args!("warning: {text}"));
    }

    /// Tells a failure and what helps, even with `--quiet`. A silent one says nothing.
    pub fn fail(&mut self, failure: &Failure) {
        if !failure.is_silent() {
            self.talk(failure);
        }
    }

    /// Shows how far the work is, on a terminal and once it has taken over a second.
    pub fn progress(&mut self, text: impl std::fmt::Display) {
        if self.talk.quiet || self.talk.progress == Progress::Never || !io::stderr().is_terminal() {
            return;
        }
        if self.since.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
            self.is_line_shown = true;
            let _ = write!(io::stderr(), "\r\x1b[K{}", printable(&text.to_string()));
        }
    }

    /// The work is done: takes the line of progress away.
    pub fn end_progress(&mut self) {
        self.since = None;
        self.clear_line();
    }

    fn clear_line(&mut self) {
        if std::mem::take(&mut self.is_line_shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// What was printed before comes before; an error of the data output shows itself again when that is flushed.
    /// Nobody is left to tell if standard error is closed.
    fn talk(&mut self, text: impl std::fmt::Display) {
        let _ = self.out.flush();
        self.clear_line();
        let text = text.to_string();
        let lines: Vec<String> = text.split('\n').map(printable).collect();
        let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
    }
}
