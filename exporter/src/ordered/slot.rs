use std::io::{self, Write};
use std::sync::atomic::Ordering;

use super::{MAX_BUFFERED, OrderedQueue, OutputStreams, Over, WorkProgress};

/// The outputs of one thing in line.
pub struct OrderedSlot<'l, 'o, E: From<io::Error>> {
    line: &'l OrderedQueue<'o, E>,
    index: usize,
    /// What it said before it was first.
    kept: BufferedOutput,
    has_ended: bool,
}

impl<'l, 'o, E: From<io::Error>> OrderedSlot<'l, 'o, E> {
    pub(super) fn new(line: &'l OrderedQueue<'o, E>, index: usize) -> Self {
        Self { line, index, kept: BufferedOutput::default(), has_ended: false }
    }

    pub(super) fn end(mut self, result: Result<(), E>) {
        self.has_ended = true;
        self.line.end(self.index, std::mem::take(&mut self.kept), result);
    }

    /// Returns whether so many bytes more are kept; else it is first in line by then.
    fn keeps(&self, bytes: usize) -> Result<bool, Over> {
        if self.line.is_first(self.index) {
            return Ok(false);
        }
        if self.line.is_over() {
            return Err(Over);
        }
        if self.line.kept.fetch_add(bytes, Ordering::AcqRel).saturating_add(bytes) <= MAX_BUFFERED {
            return Ok(true);
        }
        self.line.kept.fetch_sub(bytes, Ordering::AcqRel);
        drop(self.line.wait(self.line.lock(), |_| self.line.is_first(self.index))?);
        Ok(false)
    }

    /// Speaks to the outputs; only for the first in line.
    fn speak<T>(&mut self, say: impl FnOnce(&mut dyn OutputStreams) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.line.lock();
        if !self.kept.is_empty() {
            self.line.write_kept(&mut state, &mut self.kept)?;
        }
        say(state.outputs)
    }
}

impl<E: From<io::Error>> Drop for OrderedSlot<'_, '_, E> {
    /// A thread that panics ends everything: nobody waits for a thing that never ends.
    fn drop(&mut self) {
        if !self.has_ended {
            let state = self.line.lock();
            self.line.is_over.store(true, Ordering::Release);
            drop(state);
            self.line.moved.notify_all();
        }
    }
}

impl<E: From<io::Error>> Write for OrderedSlot<'_, '_, E> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.keeps(bytes.len())? {
            return self.speak(|outputs| outputs.write(bytes));
        }
        self.kept.data(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.line.is_first(self.index) { self.speak(|outputs| outputs.flush()) } else { Ok(()) }
    }
}

impl<E: From<io::Error> + Send> OutputStreams for OrderedSlot<'_, '_, E> {
    /// An error of the data output shows itself again when more is written.
    fn message(&mut self, lines: &str) {
        match self.keeps(lines.len()) {
            Ok(true) => self.kept.message(lines),
            Ok(false) => {
                let _ = self.speak(|outputs| {
                    outputs.message(lines);
                    Ok(())
                });
            }
            Err(Over) => {}
        }
    }

    fn in_order(&mut self, run: &mut dyn FnMut() -> bool) -> io::Result<()> {
        let line = self.line;
        drop(line.wait(line.lock(), |state| state.passing == self.index)?);
        if run() {
            line.lock().pass(self.index);
            line.moved.notify_all();
        }
        Ok(())
    }

    /// Progress is that of the whole, which the line shows; that of the first in line only if it takes long itself.
    fn progress(&mut self, progress: &WorkProgress<'_>) {
        if self.line.is_first(self.index) {
            let done = self.index as f64 + progress.part().unwrap_or_default();
            let whole = WorkProgress {
                done,
                total: Some(self.line.all as f64),
                unit: "packages",
                detail: progress.detail,
            };
            let _ = self.speak(|outputs| {
                outputs.progress(&whole);
                Ok(())
            });
        }
    }
}

/// Words in the order in which they were said.
#[derive(Default)]
pub(super) struct BufferedOutput {
    pieces: Vec<Piece>,
    bytes: usize,
}

enum Piece {
    Data(Vec<u8>),
    Talk(String),
}

impl BufferedOutput {
    /// Returns how many bytes of words there are.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    fn data(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        match self.pieces.last_mut() {
            Some(Piece::Data(data)) => data.extend_from_slice(bytes),
            _ => self.pieces.push(Piece::Data(bytes.to_vec())),
        }
    }

    fn message(&mut self, lines: &str) {
        self.bytes += lines.len();
        self.pieces.push(Piece::Talk(lines.to_owned()));
    }

    /// Takes all of it.
    pub(super) fn write_kept(&mut self, outputs: &mut dyn OutputStreams) -> io::Result<()> {
        let kept = std::mem::take(self);
        for piece in kept.pieces {
            match piece {
                Piece::Data(bytes) => outputs.write_all(&bytes)?,
                Piece::Talk(lines) => outputs.message(&lines),
            }
        }
        Ok(())
    }
}
