//! The bytes of a terminal, from standard input or, where that is none, from the terminal of the process.

use std::fs::File;
use std::io::{self, IsTerminal as _, Stdin, stdin};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::TerminalEvent;
use super::parser::InputParser;

/// How long the rest of a sequence may take. A terminal sends it at once; a network may cut it.
const PATIENCE: Duration = Duration::from_millis(20);

/// A terminal that is read. To be read in raw mode, by one thread at a time.
pub struct TerminalInput {
    source: TerminalSource,
    parser: InputParser,
}

enum TerminalSource {
    Stdin(Stdin),
    Terminal(File),
}

impl AsFd for TerminalSource {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Stdin(stdin) => stdin.as_fd(),
            Self::Terminal(file) => file.as_fd(),
        }
    }
}

impl TerminalInput {
    /// Opens the terminal.
    ///
    /// # Errors
    /// If the process has none.
    pub fn open() -> io::Result<Self> {
        let stdin = stdin();
        let source = if stdin.is_terminal() {
            TerminalSource::Stdin(stdin)
        } else {
            TerminalSource::Terminal(File::open("/dev/tty")?)
        };
        Ok(Self { source, parser: InputParser::default() })
    }

    /// Waits for the next event.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn read(&mut self) -> io::Result<TerminalEvent> {
        loop {
            if let Some(event) = self.parser.next() {
                return Ok(event);
            }
            if self.parser.is_within_sequence() && !self.is_ready_within(PATIENCE)? {
                self.parser.end_sequence();
            } else {
                self.read_more()?;
            }
        }
    }

    /// Returns the next event if there is one within a time.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn read_within(&mut self, time: Duration) -> io::Result<Option<TerminalEvent>> {
        match self.parser.next() {
            Some(event) => Ok(Some(event)),
            None if self.is_ready_within(time)? => self.read().map(Some),
            None => Ok(None),
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        let mut block = [0; 1024];
        match rustix::io::read(&self.source, &mut block) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                self.parser.feed(&block[..length]);
                Ok(())
            }
            Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn is_ready_within(&self, time: Duration) -> io::Result<bool> {
        let mut terminal = [PollFd::new(&self.source, PollFlags::IN)];
        let time = Timespec::try_from(time).map_err(|_| io::ErrorKind::InvalidInput)?;
        match poll(&mut terminal, Some(&time)) {
            // What cannot be waited for is not waited for: the next read says why.
            Ok(ready) => Ok(ready > 0 && !terminal[0].revents().contains(PollFlags::NVAL)),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
