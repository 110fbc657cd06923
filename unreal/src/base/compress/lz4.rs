use crate::base::error::Malformed;

/// What one LZ4 block becomes, at most `size` bytes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut bytes = vec![0; size];
    let made = lz4_flex::block::decompress_into(stored, &mut bytes);
    bytes.truncate(made.map_err(|_| Malformed::Compressed("is not an LZ4 block"))?);
    Ok(bytes)
}

/// Returns bytes as one LZ4 block.
pub(super) fn deflate(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::block::compress(bytes)
}
