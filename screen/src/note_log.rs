//! What was played, a line each: for those who want to know why a note did not end, and for reports.
//!
//! ```text
//! # usampler 0.1.0, demo: on null at 48000 Hz; keys report press and release; piano, real
//!     1.204118 on 0 C3 #10 100
//!     1.211307 began 0 after 0 frames
//!     1.377902 off 0
//!     1.391250 ended 0
//! ```
//! Seconds since the start; what; the note's number; its key, its sound's number and velocity. `off` is when the note
//! was let go, `ended` when it had died away or played out. `began` says in which block it did: 0 frames after the
//! first that had not been rendered when it was asked for, or a block later if the device was just rendering that.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use player::live::LiveEvent;

use crate::update::{Intent, Msg};

/// What a log begins with.
const START: &str = "# usampler";

/// Why a log cannot be begun.
#[derive(Debug)]
pub enum LogError {
    /// The file cannot be written.
    Io(io::Error),
    /// The file is there and is no log of notes.
    NoLog,
}

impl From<io::Error> for LogError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A file to which every note is written as it is played.
#[derive(Debug)]
pub struct NoteLog {
    file: File,
}

impl NoteLog {
    /// Goes on at the end of a file, or begins one.
    ///
    /// # Errors
    /// [`LogError`] if it cannot be written, or is something else.
    pub fn append(path: &Path) -> Result<Self, LogError> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let mut start = Vec::new();
        if file.metadata()?.is_file() {
            (&file).take(START.len() as u64).read_to_end(&mut start)?;
        }
        // A song that is named by mistake would not be one any more.
        if !START.as_bytes().starts_with(&start) {
            return Err(LogError::NoLog);
        }
        Ok(Self { file })
    }

    /// Writes the line that names package and device.
    ///
    /// # Errors
    /// Those of the file.
    pub fn headline(&mut self, text: impl Display) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        self.file.write_all(format!("{START} {version}, {text}\n").as_bytes())
    }

    /// Writes an intent that concerns notes.
    ///
    /// # Errors
    /// Those of the file.
    pub fn intent(&mut self, at: Duration, intent: &Intent) -> io::Result<()> {
        match intent {
            Intent::NoteOn { number, sound, key, velocity } => {
                let (number, sound, velocity) = (number.0, sound + 1, velocity.get());
                self.line(at, format_args!("on {number} {key} #{sound} {velocity}"))
            }
            Intent::NoteOff(number) => self.line(at, format_args!("off {}", number.0)),
            Intent::ReleaseAll => self.line(at, "off all"),
            Intent::Silence => self.line(at, "silence"),
            Intent::FindDevices | Intent::UseDevice(_) => Ok(()),
            Intent::Suspend => self.line(at, "suspend"),
            Intent::Quit => self.line(at, "quit"),
            // No note begins or ends with it.
            Intent::Voice { .. }
            | Intent::Learn(_)
            | Intent::Forget(_)
            | Intent::Polyphony(_)
            | Intent::StartTake
            | Intent::StopTake
            | Intent::SaveSounds(_)
            | Intent::Room(_)
            | Intent::Song(_)
            | Intent::Switch { .. }
            | Intent::Write => Ok(()),
        }
    }

    /// Writes an event that concerns notes.
    ///
    /// # Errors
    /// Those of the file.
    pub fn message(&mut self, at: Duration, message: &Msg) -> io::Result<()> {
        match message {
            Msg::Live(LiveEvent::Began(number, after)) => {
                self.line(at, format_args!("began {} after {after} frames", number.0))
            }
            Msg::Live(LiveEvent::Ended(number)) => self.line(at, format_args!("ended {}", number.0)),
            Msg::Live(LiveEvent::Refused(number, why)) => {
                self.line(at, format_args!("refused {}: {why}", number.0))
            }
            Msg::Live(LiveEvent::Loading(sound)) => self.line(at, format_args!("loading #{}", sound + 1)),
            Msg::Live(LiveEvent::Unplayable(sound, why)) => {
                self.line(at, format_args!("unplayable #{}: {why}", sound + 1))
            }
            Msg::Live(LiveEvent::Playing { device, rate }) => {
                self.headline(format_args!("from here on {device} at {rate} Hz"))
            }
            _ => Ok(()),
        }
    }

    fn line(&mut self, at: Duration, what: impl Display) -> io::Result<()> {
        // In one go, so that a line is whole whatever happens next.
        self.file.write_all(format!("{:>12.6} {what}\n", at.as_secs_f64()).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use player::live::NoteNumber;
    use std::fs;

    use song::{Key, Velocity};

    use super::*;

    #[test]
    fn a_log_goes_on_after_what_is_there() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("notes.log");
        let (at, number) = (Duration::from_millis(1204), NoteNumber(7));
        let on = Intent::NoteOn { number, sound: 9, key: Key::C4, velocity: Velocity::HIGHEST };
        for _ in 0..2 {
            let mut log = NoteLog::append(&path).unwrap();
            log.headline("a test").unwrap();
            log.intent(at, &on).unwrap();
            log.intent(at, &Intent::NoteOff(number)).unwrap();
            log.message(at, &Msg::Tick).unwrap();
            log.message(at, &Msg::Live(LiveEvent::Refused(number, "why".to_owned()))).unwrap();
        }
        let version = env!("CARGO_PKG_VERSION");
        let once = format!(
            "# usampler {version}, a test\n    1.204000 on 7 C4 #10 127\n    1.204000 off 7\n    1.204000 refused 7: why\n"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), once.repeat(2));
    }

    #[test]
    fn a_log_that_cannot_be_written_is_reported_before_anything_is_played() {
        let error = NoteLog::append(Path::new("/no/such/folder/notes.log")).unwrap_err();
        assert!(matches!(error, LogError::Io(error) if error.kind() == io::ErrorKind::NotFound));
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a song.it");
        fs::write(&path, "IMPM").unwrap();
        assert!(matches!(NoteLog::append(&path), Err(LogError::NoLog)));
    }
}
