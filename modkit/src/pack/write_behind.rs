//! Bytes written by a thread of their own, so that hashing the next ones does not wait for the disk.
//!
//! ```text
//! packing ──► full buffers, a few at most ──► the thread that writes
//!         ◄────────── empty buffers ◄──────
//! ```

use std::io::{self, Seek, SeekFrom, Write};
use std::mem;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

/// Bytes that are handed over at once.
const BUFFER: usize = 1 << 20;

/// Buffers that may wait.
const WAITING: usize = 4;

/// What the thread is to do.
enum WriteRequest {
    Write(Vec<u8>),
    Seek(u64),
    /// Answered when all before it is done.
    Flush(Sender<()>),
}

/// An output that a thread of its own writes to. An error is returned by a later call, at the latest by
/// [`flush`](Write::flush); what is dropped without that may not be written.
pub(super) struct WriteBehind<'scope, W> {
    requests: Option<SyncSender<WriteRequest>>,
    emptied: Receiver<Vec<u8>>,
    thread: Option<ScopedJoinHandle<'scope, (W, io::Result<()>)>>,
    buffer: Vec<u8>,
}

impl<'scope, W: Write + Send + 'scope> WriteBehind<'scope, W> {
    /// Begins a thread that writes, but never seeks.
    pub(super) fn new(scope: &'scope Scope<'scope, '_>, out: W) -> Self {
        Self::with_seek(scope, out, |_, _| Err(io::ErrorKind::Unsupported.into()))
    }

    /// Begins a thread that writes, and seeks from the start as given.
    fn with_seek(
        scope: &'scope Scope<'scope, '_>,
        mut out: W,
        seek: impl Fn(&mut W, u64) -> io::Result<()> + Send + 'scope,
    ) -> Self {
        let (requests, received) = sync_channel(WAITING);
        let (give_back, emptied) = channel();
        let thread = scope.spawn(move || {
            let done = received.into_iter().try_for_each(|request| match request {
                WriteRequest::Write(mut bytes) => {
                    out.write_all(&bytes)?;
                    bytes.clear();
                    // It may have ended.
                    _ = give_back.send(bytes);
                    Ok(())
                }
                WriteRequest::Seek(to) => seek(&mut out, to),
                WriteRequest::Flush(answer) => {
                    out.flush()?;
                    _ = answer.send(());
                    Ok(())
                }
            });
            (out, done)
        });
        Self { requests: Some(requests), emptied, thread: Some(thread), buffer: Vec::with_capacity(BUFFER) }
    }

    /// Hands the thread a request.
    fn request(&mut self, request: WriteRequest) -> io::Result<()> {
        match &self.requests {
            Some(requests) if requests.send(request).is_ok() => Ok(()),
            _ => Err(self.failure()),
        }
    }

    /// Returns why the thread has ended.
    fn failure(&mut self) -> io::Error {
        self.requests = None;
        let result = self.thread.take().and_then(|thread| thread.join().ok());
        let error = result.and_then(|(_, done)| done.err());
        error.unwrap_or_else(ended)
    }

    /// Hands over what is in the buffer.
    fn hand_over(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let empty = self.emptied.try_recv().unwrap_or_else(|_| Vec::with_capacity(BUFFER));
        let full = mem::replace(&mut self.buffer, empty);
        self.request(WriteRequest::Write(full))
    }

    /// Ends the thread when all is written; returns the output.
    ///
    /// # Errors
    /// The first one of writing.
    pub(super) fn into_inner(mut self) -> io::Result<W> {
        self.hand_over()?;
        self.requests = None;
        match self.thread.take().map(ScopedJoinHandle::join) {
            Some(Ok((out, done))) => done.map(|()| out),
            _ => Err(ended()),
        }
    }
}

/// Returns the error of a thread that has ended without one; a broken pipe would mean that nobody reads any more.
fn ended() -> io::Error {
    io::Error::other("the thread that writes has ended")
}

impl<'scope, W: Write + Seek + Send + 'scope> WriteBehind<'scope, W> {
    /// Begins a thread that writes and seeks.
    pub(super) fn seekable(scope: &'scope Scope<'scope, '_>, out: W) -> Self {
        Self::with_seek(scope, out, |out, to| out.seek(SeekFrom::Start(to)).map(drop))
    }
}

impl<'scope, W: Write + Send + 'scope> Write for WriteBehind<'scope, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = BUFFER.saturating_sub(self.buffer.len());
        let taken = &bytes[..bytes.len().min(room)];
        self.buffer.extend_from_slice(taken);
        if self.buffer.len() >= BUFFER {
            self.hand_over()?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_over()?;
        let (sender, answer) = channel();
        self.request(WriteRequest::Flush(sender))?;
        answer.recv().map_err(|_| self.failure())
    }
}

impl<'scope, W: Write + Seek + Send + 'scope> Seek for WriteBehind<'scope, W> {
    /// Seeks from the start, as all that writes containers does.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(to) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.hand_over()?;
        self.request(WriteRequest::Seek(to))?;
        Ok(to)
    }
}
