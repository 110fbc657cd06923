//! What the screen sends to the terminal, on a thread of its own: a terminal that does not read must not stop whoever
//! plays. Only while nothing waits is there another frame.

use std::io::{self, Write, stdout};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

/// Pieces that are given to the thread and not written yet.
static WAITING: AtomicUsize = AtomicUsize::new(0);
/// Whether the terminal was closed.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);
/// Whether what waits is not to be written any more.
static IS_GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// Bytes that are written at a time: what may still come after it was given up.
const PART: usize = 512;

/// Collects a frame, and gives it to the thread when it is flushed. Never waits.
pub(super) struct ScreenWriter {
    frame: Vec<u8>,
    frames: Sender<Vec<u8>>,
}

impl ScreenWriter {
    /// Starts the thread, which ends with the writer.
    ///
    /// # Errors
    /// If there is no thread to be had.
    pub(super) fn new() -> io::Result<Self> {
        IS_GIVEN_UP.store(false, Ordering::Release);
        let (frames, waiting) = unbounded();
        thread::Builder::new().name("screen".into()).spawn(move || write(&waiting))?;
        Ok(Self { frame: Vec::new(), frames })
    }
}

impl Write for ScreenWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if IS_CLOSED.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if !self.frame.is_empty() {
            WAITING.fetch_add(1, Ordering::AcqRel);
            let sent = self.frames.send(std::mem::take(&mut self.frame));
            sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        }
        Ok(())
    }
}

fn write(frames: &Receiver<Vec<u8>>) {
    for frame in frames {
        for part in frame.chunks(PART) {
            if IS_GIVEN_UP.load(Ordering::Acquire) {
                break;
            }
            let mut out = stdout();
            if out.write_all(part).and_then(|()| out.flush()).is_err() {
                IS_CLOSED.store(true, Ordering::Relaxed);
            }
        }
        WAITING.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Returns whether everything was written.
pub(super) fn is_idle() -> bool {
    WAITING.load(Ordering::Acquire) == 0
}

/// Waits until everything was written, for some time at most; returns whether it was.
pub(super) fn wait(time: Duration) -> bool {
    let begun = Instant::now();
    while !is_idle() {
        if begun.elapsed() > time {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Writes nothing more of what waits.
pub(super) fn give_up() {
    IS_GIVEN_UP.store(true, Ordering::Release);
}
