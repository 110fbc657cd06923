use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};
use std::time::{Duration, Instant};

use crate::args::{OutputArgs, ProgressMode};
use crate::view::printable;
use exporter::ordered::{OutputStreams, WorkProgress};
use player::text::shortened;

/// Work shorter than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// The outputs of the process. On a terminal, data and the line of progress do not mix.
pub struct ConsoleScreen {
    out: BufWriter<Stdout>,
    /// Whether data goes to a terminal, so that a person waits for it.
    is_watched: bool,
    shows_progress: bool,
    /// When the work began whose progress is shown.
    since: Option<Instant>,
    /// Whether a line of progress stands on the terminal.
    is_line_shown: bool,
}

impl ConsoleScreen {
    /// Returns standard output and standard error.
    #[must_use]
    pub fn new(output: &OutputArgs) -> Self {
        Self {
            out: BufWriter::new(io::stdout()),
            is_watched: io::stdout().is_terminal(),
            shows_progress: !output.quiet
                && output.progress != ProgressMode::Never
                && io::stderr().is_terminal(),
            since: None,
            is_line_shown: false,
        }
    }

    fn clear_line(&mut self) {
        if std::mem::take(&mut self.is_line_shown) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Write for ConsoleScreen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.clear_line();
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl OutputStreams for ConsoleScreen {
    /// An error of the data output shows itself again when that is flushed. Nobody is left to tell if standard error is
    /// closed.
    fn message(&mut self, lines: &str) {
        let _ = self.out.flush();
        self.clear_line();
        let _ = writeln!(io::stderr(), "{lines}");
    }

    fn progress(&mut self, progress: &WorkProgress<'_>) {
        if !self.shows_progress {
            return;
        }
        if self.is_watched {
            let _ = self.out.flush();
        }
        let elapsed = self.since.get_or_insert_with(Instant::now).elapsed();
        if elapsed >= PATIENCE {
            self.is_line_shown = true;
            let _ = write!(io::stderr(), "\r\x1b[K{}", printable(&progress.line(elapsed)));
        }
    }

    fn status(&mut self, line: &str) {
        if self.shows_progress {
            self.is_line_shown = true;
            // A line that wraps would stay.
            let columns = crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns));
            let line = shortened(&printable(line), columns.saturating_sub(1));
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
        }
    }

    fn end_progress(&mut self) {
        self.since = None;
        self.clear_line();
    }
}
