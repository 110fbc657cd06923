use std::io::Read as _;

use crate::base::error::Malformed;

/// Bytes that are read ahead.
const BUFFER: usize = 4096;

/// At most `size` bytes of what a Brotli stream becomes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = Vec::new();
    let decoder = brotli_decompressor::Decompressor::new(stored, BUFFER);
    match decoder.take(u64::try_from(size).unwrap_or(u64::MAX)).read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Malformed::Compressed("is not a Brotli stream")),
    }
}
