//! Remembers what was just played, so that it can be written after the fact.
//!
//! ```text
//! processor ── tap (ring) ──► thread ──► the last minutes ── F6 ──► file, part by part, while more comes
//! ```

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use engine::{Processor, Tap};
use exporter::wav::{Depth, Writer};
use exporter::{OutputFile, filename};
use song::{Frames, Hz};

use crate::{Error, ErrorKind};

/// How far back one can go.
const HISTORY: Duration = Duration::from_secs(5 * 60);

/// What the ring between the processor and the thread holds: many times as long as the thread sleeps.
const RING: Duration = Duration::from_secs(2);

/// How long the thread sleeps.
const NAP: Duration = Duration::from_millis(50);

/// Frames that are written before more are taken from the ring.
const PART: usize = 1 << 15;

/// The thread that remembers. It ends when this is dropped, after it has written what was asked for.
pub struct Recorder {
    requests: Sender<RecorderRequest>,
    takes: Receiver<Result<Take, Error>>,
    thread: Option<thread::JoinHandle<()>>,
}

enum RecorderRequest {
    /// Write a take, named after something.
    Write(String),
    /// From here on frames are so many a second.
    Rate(Hz),
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Where.
    pub path: PathBuf,
    /// How long it lasts.
    pub seconds: f64,
    /// Frames missing in it because the machine was too busy to take them.
    pub lost: u64,
}

impl Recorder {
    /// Remembers what a processor renders from here on, and writes takes to a folder.
    ///
    /// # Errors
    /// If no thread can be had.
    pub fn listen(processor: &mut Processor, folder: PathBuf) -> std::io::Result<Self> {
        let ring = Frames::lasting(RING, Hz::new(192_000).unwrap_or_else(|_| processor.rate()));
        let tap = processor.tap(ring.index());
        let rate = processor.rate();
        let (requests, asked) = unbounded();
        let (tell, takes) = unbounded();
        let memory = TakeBuffer { tap, rate, frames: VecDeque::new(), lost: 0 };
        let work = move || remember(memory, &asked, &tell, &folder);
        let thread = thread::Builder::new().name("recorder".into()).spawn(work)?;
        Ok(Self { requests, takes, thread: Some(thread) })
    }

    /// Asks for a file with everything that is remembered, named after something. [`Recorder::take`] says of it.
    pub fn write(&self, name: &str) {
        // The thread lives as long as this.
        let _ = self.requests.send(RecorderRequest::Write(name.to_owned()));
    }

    /// Sets the rate of the frames from here on. What was played at another rate is forgotten.
    pub fn set_rate(&self, rate: Hz) {
        let _ = self.requests.send(RecorderRequest::Rate(rate));
    }

    /// Returns the next file that was written or could not be, if there is one.
    #[must_use]
    pub fn take(&self) -> Option<Result<Take, Error>> {
        self.takes.try_recv().ok()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // Without a sender the thread ends.
        let (nobody, _) = unbounded();
        self.requests = nobody;
        if let Some(thread) = self.thread.take() {
            // One that panicked has said so.
            let _ = thread.join();
        }
    }
}

/// What was played, without the silence before the first sound.
struct TakeBuffer {
    tap: Tap,
    rate: Hz,
    frames: VecDeque<[f32; 2]>,
    /// Frames that were missing when it was last asked.
    lost: u64,
}

impl TakeBuffer {
    /// Takes what has been rendered since.
    fn catch_up(&mut self) {
        let frames = &mut self.frames;
        self.tap.read(|frame| {
            if !frames.is_empty() || frame != [0.0; 2] {
                frames.push_back(frame);
            }
        });
    }

    /// Forgets what is too long ago.
    fn forget(&mut self) {
        let most = Frames::lasting(HISTORY, self.rate).index();
        let old = self.frames.len().saturating_sub(most);
        self.frames.drain(..old);
        // Silence is no beginning.
        if old > 0 && self.frames.front() == Some(&[0.0; 2]) {
            let silent = self.frames.iter().take_while(|frame| **frame == [0.0; 2]).count();
            self.frames.drain(..silent);
        }
    }

    /// Writes all of it, and goes on listening meanwhile.
    fn write(&mut self, path: PathBuf) -> Result<Take, Error> {
        let label = path.display().to_string();
        let failed = |error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Output, format!("cannot write {label}: {error}"))
        };
        let length = self.frames.iter().rposition(|frame| *frame != [0.0; 2]).map_or(0, |last| last + 1);
        if length == 0 {
            return Err(Error::new(ErrorKind::NothingPlayed, "nothing to save yet"));
        }
        let output = OutputFile::create(&path, false)?;
        let mut writer = Writer::new(output, self.rate, Depth::Float, Frames::new(length as u64))
            .map_err(|error| failed(&error))?;
        let mut part = Vec::with_capacity(2 * PART);
        let mut done = 0;
        while done < length {
            part.clear();
            part.extend(self.frames.range(done..length.min(done + PART)).flatten());
            writer.write(&part).map_err(|error| failed(&error))?;
            done += part.len() / 2;
            self.catch_up();
        }
        let (output, _) = writer.finish_early().map_err(|error| failed(&error))?;
        output.publish(&mut std::io::sink())?;
        let lost = self.tap.lost() - std::mem::replace(&mut self.lost, self.tap.lost());
        Ok(Take { path, seconds: Frames::new(length as u64).seconds(self.rate), lost })
    }
}

fn remember(
    mut memory: TakeBuffer,
    asked: &Receiver<RecorderRequest>,
    tell: &Sender<Result<Take, Error>>,
    folder: &Path,
) {
    loop {
        let request = asked.recv_timeout(NAP);
        memory.catch_up();
        match request {
            Ok(RecorderRequest::Write(name)) => {
                // Who asked may be gone; the file is written all the same.
                let _ = tell.send(memory.write(free_path(folder, &name)));
            }
            Ok(RecorderRequest::Rate(rate)) if rate != memory.rate => {
                memory.rate = rate;
                memory.frames.clear();
            }
            Ok(RecorderRequest::Rate(_)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        memory.forget();
    }
}

/// Returns the first of `NAME take 1.wav`, `NAME take 2.wav` and so on that is not there.
fn free_path(folder: &Path, name: &str) -> PathBuf {
    let name = filename::safe(name);
    let paths = (1..).map(|number: u64| folder.join(format!("{name} take {number}.wav")));
    let mut free = paths.filter(|path| path.symlink_metadata().is_err());
    free.next().unwrap_or_else(|| folder.join(name))
}

#[cfg(test)]
mod tests;
