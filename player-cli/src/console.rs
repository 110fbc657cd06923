//! Where a command prints: data on standard output, talk on standard error.

mod screen;

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};

use crate::args::{Color, OutputArgs};
use crate::failure::Failure;
use crate::view::printable;

use exporter::ordered::{OutputStreams, WorkProgress};
pub use screen::ConsoleScreen;

/// The outputs of a command and how much it may say on them.
pub struct Console<'o> {
    to: &'o mut (dyn OutputStreams + 'o),
    options: ConsoleOptions,
}

/// How a console speaks.
#[derive(Clone, Debug)]
pub struct ConsoleOptions {
    output: OutputArgs,
    colored: bool,
}

impl<'o> Console<'o> {
    /// Creates a console as the user wants it.
    pub fn new(to: &'o mut (dyn OutputStreams + 'o), output: OutputArgs) -> Self {
        let colored = match output.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        };
        Self { to, options: ConsoleOptions { output, colored } }
    }

    /// Creates a console that speaks like another.
    pub fn like(options: ConsoleOptions, to: &'o mut (dyn OutputStreams + 'o)) -> Self {
        Self { to, options }
    }

    /// Returns what it is made of: to speak in the same manner in several places.
    pub fn parts(&mut self) -> (ConsoleOptions, &mut (dyn OutputStreams + 'o)) {
        (self.options.clone(), &mut *self.to)
    }

    /// Returns standard output, for data.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut self.to
    }

    /// Returns whether data may be coloured.
    #[must_use]
    pub const fn is_colored(&self) -> bool {
        self.options.colored
    }

    /// Returns the columns of the terminal that data goes to; none if it goes elsewhere.
    #[must_use]
    pub fn width(&self) -> Option<usize> {
        let is_terminal = io::stdout().is_terminal();
        is_terminal.then(|| crossterm::terminal::size().ok()).flatten().map(|(columns, _)| columns.into())
    }

    /// Returns whether the user wants to see nothing but problems.
    #[must_use]
    pub const fn is_quiet(&self) -> bool {
        self.options.output.quiet
    }

    /// Returns how much more the user wants to know: 0, 1, 2.
    #[must_use]
    pub const fn verbosity(&self) -> u8 {
        self.options.output.verbose
    }

    /// Prints what happened; nothing with `--quiet`.
    pub fn say(&mut self, text: impl Display) {
        if !self.options.output.quiet {
            self.message(text);
        }
    }

    /// Prints details; needs `-v`.
    pub fn detail(&mut self, text: impl Display) {
        if self.options.output.verbose > 0 {
            self.message(text);
        }
    }

    /// Prints what went wrong but stops nothing, even with `--quiet`.
    pub fn warn(&mut self, text: impl Display) {
        self.message(format_args!("warning: {text}"));
    }

    /// Prints a failure and what helps, even with `--quiet`. A silent one says nothing.
    pub fn fail(&mut self, failure: &Failure) {
        if !failure.is_silent() {
            self.to.message(&failure.to_string());
        }
    }

    /// Shows how far the work is, on a terminal and once it has taken over a second.
    pub fn progress(&mut self, done: f64, total: Option<f64>, unit: &str, detail: impl Display) {
        self.to.progress(&WorkProgress { done, total, unit, detail: &detail });
    }

    /// Shows a line that is replaced by the next one, on a terminal.
    pub fn status(&mut self, line: &str) {
        self.to.status(line);
    }

    /// The work is done: takes the line of progress away.
    pub fn end_progress(&mut self) {
        self.to.end_progress();
    }

    /// Runs what depends on the order of the inputs, and may end everything.
    ///
    /// # Errors
    /// Its own, and if an earlier input ended everything.
    pub fn in_order<T, E: From<io::Error>>(&mut self, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let (mut run, mut result) = (Some(run), None);
        self.to.in_order(&mut || {
            result = run.take().map(|run| run());
            result.as_ref().is_some_and(Result::is_ok)
        })?;
        result.unwrap_or_else(|| Err(io::Error::other("it was not run").into()))
    }

    fn message(&mut self, text: impl Display) {
        self.to.message(&printable(&text.to_string()));
    }
}
