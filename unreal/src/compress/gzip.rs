use std::io::Read as _;

use flate2::read::GzDecoder;

use crate::error::Malformed;

/// At most `size` bytes of what gzip data becomes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = Vec::new();
    let mut decoder = GzDecoder::new(stored).take(u64::try_from(size).unwrap_or(u64::MAX));
    match decoder.read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Err(Malformed::Compressed("is not a gzip stream")),
    }
}
