use std::io;
use std::thread;

/// Work that may be waited for.
pub(crate) type Handle = thread::JoinHandle<()>;

/// Does some work on a thread of that name.
///
/// # Errors
/// If no thread can be had.
pub(crate) fn run(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<Handle> {
    thread::Builder::new().name(name.into()).spawn(work)
}
