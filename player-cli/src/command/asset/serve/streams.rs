//! Paths that lead to standard input or output, through which requests come and answers go.

use std::path::Path;

/// Returns whether a path is standard input or output by another name: `/dev/stdout`, `/proc/self/fd/1`, the file that
/// output is redirected to, a link to one of these.
#[cfg(unix)]
pub(super) fn is_own_stream(path: &Path) -> bool {
    use std::fs::{self, File, Metadata};
    use std::io::{IsTerminal as _, stdin, stdout};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;

    let Ok(named) = fs::metadata(path) else { return false };
    let is_named = |other: &Metadata| (other.dev(), other.ino()) == (named.dev(), named.ino());
    let streams = [stdin().as_fd().try_clone_to_owned(), stdout().as_fd().try_clone_to_owned()];
    let mut streams = streams.into_iter().flatten().flat_map(|stream| File::from(stream).metadata());
    // The terminal of a process has a name that is a device of its own.
    let is_terminal = stdin().is_terminal() || stdout().is_terminal();
    let is_tty = || fs::metadata("/dev/tty").is_ok_and(|tty| is_named(&tty));
    streams.any(|stream| is_named(&stream)) || (is_terminal && is_tty())
}

/// Returns whether a path is the console, the only stream that has a name on such a system.
#[cfg(not(unix))]
pub(super) fn is_own_stream(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    ["con", "conin$", "conout$"].contains(&name.as_str())
}
