use std::io::Read as _;

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::base::error::Malformed;

const BROKEN: Malformed = Malformed::Compressed("is not a Zstandard frame");

/// At most `size` bytes of what a Zstandard frame becomes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let decoder = StreamingDecoder::new(stored).map_err(|_| BROKEN)?;
    let mut bytes = Vec::new();
    let most = u64::try_from(size).unwrap_or(u64::MAX);
    decoder.take(most).read_to_end(&mut bytes).map_err(|_| BROKEN)?;
    Ok(bytes)
}

/// Returns bytes as a Zstandard frame.
pub(super) fn deflate(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}
