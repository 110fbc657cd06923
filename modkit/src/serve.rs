//! Requests and answers, each a line of JSON.
//!
//! ```text
//! {"id":1,"args":["show","X.uasset"]} ──► FrontEnd: ServerRequest ─┬─► Report: rows of a game
//!                                                                  └─► Work: text that the front end writes
//! {"id":1,"ok":true,"result":{…}} ◄────────────────────────────────────┘
//! ```
//!
//! Paths, keys and options are typed values here. The front end reads them from the arguments of a request, and words
//! errors and remarks: its commands print the same ones.

mod action;
mod answer;
mod line;
mod problem;
mod request;
pub mod rows;

use std::fmt;
use std::io::{self, BufRead, Read as _, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use importer::Budget;
use importer::open::Files;
use serde::Serialize;

use action::{ActionAnswer, ActionRequest};

pub use answer::{ReportRow, RequestOutcome, ServerAnswer};
pub use problem::Problem;
pub use request::{
    EntryFilter, FrontEnd, PackageChoice, ReportKind, ReportMessage, ReportRequest, RequestError,
    ServerRequest, Work, WorkDone,
};

/// Size of a request in bytes, at most.
const MAX_LINE: u64 = 64 << 20;

/// Answers requests about the games of a file system.
pub struct Server<'s> {
    /// File system that the paths of requests belong to.
    pub files: Arc<dyn Files>,
    /// Number of threads that read the tables of a game.
    pub threads: NonZeroUsize,
    /// Memory that a game or a package may take.
    pub budget: Budget,
    /// The program that reads arguments and words errors.
    pub front_end: &'s dyn FrontEnd,
}

/// Errors of a server.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The user interrupts it.
    Interrupted,
    /// Requests cannot be read.
    Read(io::Error),
    /// Answers cannot be written.
    Write(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Read(error) => write!(f, "cannot read requests: {error}"),
            Self::Write(error) => write!(f, "cannot write answers: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

impl Server<'_> {
    /// Answers requests until there are no more.
    ///
    /// # Errors
    /// [`ServeError`] if requests cannot be read, answers cannot be written, or the user interrupts it.
    pub fn serve(&self, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<(), ServeError> {
        loop {
            if self.front_end.is_interrupted() {
                return Err(ServeError::Interrupted);
            }
            let mut line = Vec::new();
            input.take(MAX_LINE + 1).read_until(b'\n', &mut line).map_err(ServeError::Read)?;
            if line.is_empty() {
                return Ok(());
            }
            if line.len() as u64 > MAX_LINE && line.last() != Some(&b'\n') {
                skip_line(input).map_err(ServeError::Read)?;
                let answer = self.refused(RequestError::TooLong);
                let answer = line::AnswerLine { id: None, answer: &answer };
                write(output, &answer).map_err(ServeError::Write)?;
            } else if !line.trim_ascii().is_empty() {
                self.answer_line(&line, output).map_err(ServeError::Write)?;
            }
        }
    }

    /// Answers a request, without its identifier.
    ///
    /// # Errors
    /// Those of the output.
    fn answer_line(&self, line: &[u8], output: &mut dyn Write) -> io::Result<()> {
        if line::has_action(line) {
            let answer = match serde_json::from_slice::<ActionRequest>(line) {
                Ok(request) => self.act(line::id(line), &request),
                Err(error) => ActionAnswer::no_request(&error),
            };
            return write(output, &answer);
        }
        match serde_json::from_slice::<line::RequestLine<'_>>(line) {
            Ok(line::RequestLine { id, args }) => {
                let answer = match self.front_end.request(&args) {
                    Ok(request) => self.answer(request),
                    Err(problem) => ServerAnswer::refused(problem),
                };
                write(output, &line::AnswerLine { id, answer: &answer })
            }
            Err(error) => {
                let answer = self.refused(RequestError::NoRequest(error));
                write(output, &line::AnswerLine { id: None, answer: &answer })
            }
        }
    }

    fn refused(&self, error: RequestError) -> ServerAnswer {
        ServerAnswer::refused(self.front_end.problem(error, None))
    }
}

fn write(output: &mut dyn Write, answer: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    output.write_all(b"\n")?;
    output.flush()
}

/// Skips the rest of a line.
fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let (taken, is_end) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (bytes.len(), bytes.is_empty()),
        };
        input.consume(taken);
        if is_end {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
