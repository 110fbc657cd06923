//! Records takes, and remembers what was just played, so that it can be written after the fact.
//!
//! ```text
//! processor ── tap (ring) ──► thread ─┬─► a take, from its start to its stop ──► file, as it comes
//!                                     └─► the last minutes ── write ──► file, while more comes
//! ```

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use engine::{Processor, Tap};
use exporter::wav::{Depth, WavWriter};
use exporter::{OutputFile, Overwrite, filename};
use song::{Frames, Hz};

use crate::background;
#[cfg(target_family = "wasm")]
use crate::background::Step;
use crate::midi::take::{PlayedNotes, TakeEvent};
use crate::{Error, ErrorKind};

/// How far back one can go, at the usual rates.
const HISTORY: Duration = Duration::from_secs(5 * 60);

/// The frames that are remembered at most, whatever the rate: 85 s at 192 kHz. With what comes while the thread sleeps
/// they take 128 MiB.
const MAX_HISTORY: usize = (1 << 24) - (1 << 19);

/// What the ring between the processor and the thread holds: many times as long as the thread sleeps.
const RING: Duration = Duration::from_secs(2);

/// How long the thread sleeps.
#[cfg(not(target_family = "wasm"))]
const NAP: Duration = Duration::from_millis(50);

/// The ending of the file with the notes of a take.
const MIDI: &str = "mid";

/// Frames that are written before more are taken from the ring.
const PART: usize = 1 << 15;

/// The thread that remembers. It ends when this is dropped, after it has written what was asked for.
pub struct Recorder {
    files: TakeFiles,
    requests: Sender<RecorderRequest>,
    takes: Receiver<Recorded>,
    thread: Option<background::Handle>,
}

enum RecorderRequest {
    /// Begin a take, named after something.
    Start(String),
    /// End it.
    Stop,
    /// Write what was just played, named after something.
    Write(String),
    /// From here on frames are so many a second.
    Rate(Hz),
    /// Something was played, to be heard at a frame.
    Played(Frames, TakeEvent),
}

/// The files of a take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TakeFiles {
    /// What was heard, as WAV.
    #[default]
    Wav,
    /// That, and what was played, as MIDI.
    WavAndMidi,
}

/// What became of a request.
#[derive(Debug)]
pub enum Recorded {
    /// A take is over: the user ended it, or it could not go on.
    Take(Result<Take, Error>),
    /// What was just played was written, or could not be.
    Recent(Result<Take, Error>),
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Where.
    pub path: PathBuf,
    /// Where its notes are, if they were wanted.
    pub midi: Option<PathBuf>,
    /// Whether the first of these are missing because there were too many.
    pub lost_notes: bool,
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
    pub fn listen(processor: &mut Processor, folder: PathBuf, files: TakeFiles) -> std::io::Result<Self> {
        let ring = Frames::lasting(RING, Hz::new(192_000).unwrap_or_else(|_| processor.rate()));
        let tap = processor.tap(ring.index());
        let (begun, rate) = (processor.now(), processor.rate());
        let notes = (files == TakeFiles::WavAndMidi).then(PlayedNotes::default);
        let (requests, asked) = unbounded();
        let (results, takes) = unbounded();
        let memory =
            TakeBuffer { tap, rate, next: begun, frames: VecDeque::new(), lost: 0, notes, open: None };
        let thread = remember(TakeWriter { memory, asked, results, folder })?;
        Ok(Self { files, requests, takes, thread: Some(thread) })
    }

    /// Begins a take: a file with everything that is rendered from here on, named after something.
    pub fn start(&self, name: &str) {
        // The thread lives as long as this.
        let _ = self.requests.send(RecorderRequest::Start(name.to_owned()));
    }

    /// Ends the take. [`Recorder::next`] says what became of it.
    pub fn stop(&self) {
        let _ = self.requests.send(RecorderRequest::Stop);
    }

    /// Asks for a file with everything that is remembered, named after something. [`Recorder::next`] says what became
    /// of it.
    pub fn write(&self, name: &str) {
        // The thread lives as long as this.
        let _ = self.requests.send(RecorderRequest::Write(name.to_owned()));
    }

    /// Sets the rate of the frames from here on. What was played at another rate is forgotten.
    pub fn set_rate(&self, rate: Hz) {
        let _ = self.requests.send(RecorderRequest::Rate(rate));
    }

    /// Remembers that something was played which is heard at a frame of the engine.
    pub(crate) fn played(&self, at: Frames, what: TakeEvent) {
        if self.files == TakeFiles::WavAndMidi {
            let _ = self.requests.send(RecorderRequest::Played(at, what));
        }
    }

    /// Returns the next file that was written or could not be, if there is one.
    #[must_use]
    pub fn next(&self) -> Option<Recorded> {
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
    /// The frame of the engine that is heard next, but for those that were missing.
    next: Frames,
    frames: VecDeque<[f32; 2]>,
    /// Frames that were missing when it was last asked.
    lost: u64,
    /// What was played, if that is wanted.
    notes: Option<PlayedNotes>,
    open: Option<OpenTake>,
}

/// A take while it is recorded. Its file grows as it is played, so it may last as long as the disk has room.
struct OpenTake {
    path: PathBuf,
    writer: WavWriter<OutputFile>,
    /// Interleaved values that are not written yet.
    pending: Vec<f32>,
    /// Whether anything was heard in it.
    has_sound: bool,
    /// Frames that were missing before it began.
    lost: u64,
    /// The frame it began at.
    from: Frames,
}

impl TakeBuffer {
    /// Takes what has been rendered since.
    fn catch_up(&mut self) {
        let (frames, open, next) = (&mut self.frames, &mut self.open, &mut self.next);
        self.tap.read(|frame| {
            *next = Frames::new(next.get() + 1);
            if !frames.is_empty() || frame != [0.0; 2] {
                frames.push_back(frame);
            }
            if let Some(open) = open {
                open.pending.extend(frame);
            }
        });
    }

    /// Begins a take; what was played until now is none of it.
    fn start(&mut self, path: PathBuf) -> Result<(), Error> {
        let output = OutputFile::create(&path, &Overwrite::never())?;
        let writer = WavWriter::open_ended(output, self.rate, Depth::Float).map_err(not_written(&path))?;
        let (lost, from) = (self.tap.lost(), self.now());
        self.open = Some(OpenTake { path, writer, pending: Vec::new(), has_sound: false, lost, from });
        Ok(())
    }

    /// Returns the frame of the engine that is heard next.
    fn now(&self) -> Frames {
        Frames::new(self.next.get() + self.tap.lost())
    }

    /// Writes what was played between two frames beside a take, if that is wanted.
    fn write_notes(&self, take: &mut Take, from: Frames, to: Frames) -> Result<(), Error> {
        let Some(notes) = &self.notes else { return Ok(()) };
        let path = take.path.with_extension(MIDI);
        let mut output = OutputFile::create(&path, &Overwrite::never())?;
        output.write_all(&notes.file(from, to, self.rate)).map_err(not_written(&path))?;
        output.publish(&mut std::io::sink())?;
        take.lost_notes = !notes.is_whole(from);
        take.midi = Some(path);
        Ok(())
    }

    /// Writes what has come of the open take.
    fn write_open(&mut self) -> Result<(), Error> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.has_sound |= open.pending.iter().any(|value| *value != 0.0);
        let written = open.writer.write(&open.pending).map_err(not_written(&open.path));
        open.pending.clear();
        written
    }

    /// Ends the open take, if there is one. Of silence no file is left.
    fn stop(&mut self) -> Option<Result<Take, Error>> {
        let written = self.write_open();
        let OpenTake { path, writer, has_sound, lost, from, .. } = self.open.take()?;
        Some(written.and_then(|()| {
            if !has_sound {
                return Err(Error::new(ErrorKind::NothingPlayed, "nothing was played in this take"));
            }
            let (output, written) = writer.finish_early().map_err(not_written(&path))?;
            output.publish(&mut std::io::sink())?;
            let seconds = written.frames.seconds(self.rate);
            let lost = self.tap.lost() - lost;
            let mut take = Take { path, midi: None, lost_notes: false, seconds, lost };
            self.write_notes(&mut take, from, self.now())?;
            Ok(take)
        }))
    }

    /// Forgets what is too long ago.
    fn forget(&mut self) {
        let most = Frames::lasting(HISTORY, self.rate).index().min(MAX_HISTORY);
        let old = self.frames.len().saturating_sub(most);
        self.frames.drain(..old);
        // Silence is no beginning.
        if old > 0 && self.frames.front() == Some(&[0.0; 2]) {
            let silent = self.frames.iter().take_while(|frame| **frame == [0.0; 2]).count();
            self.frames.drain(..silent);
        }
        let first = self.first();
        let needed = self.open.as_ref().map_or(first, |open| open.from.min(first));
        if let Some(notes) = &mut self.notes {
            notes.forget_before(needed);
        }
    }

    /// Returns the frame of the engine that is the first one remembered.
    fn first(&self) -> Frames {
        Frames::new(self.now().get().saturating_sub(self.frames.len() as u64))
    }

    /// Writes all of it, and goes on listening meanwhile.
    fn write(&mut self, path: PathBuf) -> Result<Take, Error> {
        let first = self.first();
        let length = self.frames.iter().rposition(|frame| *frame != [0.0; 2]).map_or(0, |last| last + 1);
        if length == 0 {
            return Err(Error::new(ErrorKind::NothingPlayed, "nothing to save yet"));
        }
        let output = OutputFile::create(&path, &Overwrite::never())?;
        let mut writer = WavWriter::new(output, self.rate, Depth::Float, Frames::new(length as u64))
            .map_err(not_written(&path))?;
        let mut part = Vec::with_capacity(2 * PART);
        let mut done = 0;
        while done < length {
            part.clear();
            part.extend(self.frames.range(done..length.min(done + PART)).flatten());
            writer.write(&part).map_err(not_written(&path))?;
            done += part.len() / 2;
            self.catch_up();
        }
        let (output, _) = writer.finish_early().map_err(not_written(&path))?;
        output.publish(&mut std::io::sink())?;
        let lost = self.tap.lost() - std::mem::replace(&mut self.lost, self.tap.lost());
        let length = Frames::new(length as u64);
        let seconds = length.seconds(self.rate);
        let mut take = Take { path, midi: None, lost_notes: false, seconds, lost };
        self.write_notes(&mut take, first, Frames::new(first.get() + length.get()))?;
        Ok(take)
    }
}

fn not_written<E: Display>(path: &Path) -> impl Fn(E) -> Error {
    move |error| Error::new(ErrorKind::Output, format!("cannot write {}: {error}", path.display()))
}

/// Remembers on a thread, until nobody asks any more.
#[cfg(not(target_family = "wasm"))]
fn remember(mut writer: TakeWriter) -> std::io::Result<background::Handle> {
    let work = move || {
        loop {
            let request = writer.asked.recv_timeout(NAP);
            if !writer.step(request) {
                return;
            }
        }
    };
    background::run("recorder", work)
}

/// Remembers between other work, until nobody asks any more.
#[cfg(target_family = "wasm")]
#[expect(clippy::unnecessary_wraps, reason = "as with threads")]
fn remember(mut writer: TakeWriter) -> std::io::Result<background::Handle> {
    background::steps(move || {
        let request = writer.asked.try_recv();
        let step = if request.is_ok() { Step::Worked } else { Step::Idle };
        let request = request.map_err(|error| match error {
            crossbeam_channel::TryRecvError::Empty => RecvTimeoutError::Timeout,
            crossbeam_channel::TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
        });
        if writer.step(request) { step } else { Step::Over }
    });
    Ok(background::Handle)
}

/// What writes takes as it is asked to.
struct TakeWriter {
    memory: TakeBuffer,
    asked: Receiver<RecorderRequest>,
    results: Sender<Recorded>,
    folder: PathBuf,
}

impl TakeWriter {
    /// Takes what was rendered, and does what is asked for; returns whether anything may follow.
    fn step(&mut self, request: Result<RecorderRequest, RecvTimeoutError>) -> bool {
        let Self { memory, results, folder, .. } = self;
        memory.catch_up();
        match request {
            // Who asked may be gone; the files are written all the same.
            Ok(RecorderRequest::Start(name)) => {
                if let Err(error) = memory.start(free_path(folder, &name, None)) {
                    let _ = results.send(Recorded::Take(Err(error)));
                }
            }
            Ok(RecorderRequest::Stop) => {
                let _ = memory.stop().map(|take| results.send(Recorded::Take(take)));
            }
            Ok(RecorderRequest::Write(name)) => {
                let taken = memory.open.as_ref().map(|open| open.path.as_path());
                let path = free_path(folder, &name, taken);
                let _ = results.send(Recorded::Recent(memory.write(path)));
            }
            Ok(RecorderRequest::Rate(rate)) if rate != memory.rate => {
                // A file has one rate.
                let _ = memory.stop().map(|take| results.send(Recorded::Take(take)));
                memory.rate = rate;
                memory.frames.clear();
            }
            Ok(RecorderRequest::Played(at, what)) => {
                if let Some(notes) = &mut memory.notes {
                    notes.push(at, what);
                }
            }
            Ok(RecorderRequest::Rate(_)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let _ = memory.stop();
                return false;
            }
        }
        if let Err(error) = memory.write_open() {
            memory.open = None;
            let _ = results.send(Recorded::Take(Err(error)));
        }
        memory.forget();
        true
    }
}

/// Returns the first of `NAME take 1.wav`, `NAME take 2.wav` and so on that is not there and not about to be, nor its
/// notes.
fn free_path(folder: &Path, name: &str, taken: Option<&Path>) -> PathBuf {
    let name = filename::safe(name);
    let is_free = |path: &PathBuf| {
        let files = [path.clone(), path.with_extension(MIDI)];
        files.iter().all(|file| file.symlink_metadata().is_err()) && taken != Some(path.as_path())
    };
    let mut paths = (1..).map(|number: u64| folder.join(format!("{name} take {number}.wav")));
    paths.find(is_free).unwrap_or_else(|| folder.join(name))
}

#[cfg(test)]
mod tests;
