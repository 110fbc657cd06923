//! Streams: standard input and pipes, which cannot be gone back in.

use std::io::{self, Read};
use std::sync::Arc;

use unreal::{Memory, Source};

use crate::probe::{PROBE_LENGTH, probe};
use crate::{Budget, FileKind};

/// More than header and patterns of a module that is identified by its length take.
const MAX_UNTAGGED: u64 = 4 << 20;

/// Reads a stream to its end into memory; only its first bytes if it is neither a package nor a module.
///
/// # Errors
/// Those of the stream, and if it has more than 4 GiB.
pub fn read_stream(mut stream: impl Read) -> io::Result<Arc<dyn Source>> {
    // One without end must not fill the memory.
    const MAX: u64 = Budget::STREAM;
    let is_other =
        |bytes: &[u8], length| matches!(probe(bytes, length), FileKind::Other(_) | FileKind::GameFile(_));
    let mut bytes = Vec::new();
    stream.by_ref().take(PROBE_LENGTH as u64).read_to_end(&mut bytes)?;
    if is_other(&bytes, 0) {
        // A MOD without a tag is identified by how long it is.
        stream.by_ref().take(MAX_UNTAGGED).read_to_end(&mut bytes)?;
    }
    if !is_other(&bytes, bytes.len() as u64) {
        stream.by_ref().take(MAX).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX {
            return Err(io::Error::other(format!("more than {MAX} bytes in a stream")));
        }
    }
    Ok(Arc::new(Memory(bytes)))
}
