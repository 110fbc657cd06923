use std::io::Read as _;

use flate2::Compression;
use flate2::bufread::GzEncoder;
use flate2::read::GzDecoder;

use crate::base::error::Malformed;

/// At most `size` bytes of what gzip data becomes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = Vec::new();
    let mut decoder = GzDecoder::new(stored).take(u64::try_from(size).unwrap_or(u64::MAX));
    match decoder.read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Malformed::Compressed("is not a gzip stream")),
    }
}

/// Returns bytes as a gzip stream.
pub(super) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut stored = Vec::new();
    // Memory is read without fail.
    let _ = GzEncoder::new(bytes, Compression::default()).read_to_end(&mut stored);
    stored
}
