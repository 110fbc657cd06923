//! LZX in frames of the Xbox 360: each has its stored size, and its own size in front of that if it is not 32 KiB.

use lzxd::{Lzxd, WindowSize};

use crate::base::error::Malformed;

const BROKEN: Malformed = Malformed::Compressed("is no LZX stream");
const FRAME: usize = 0x8000;

/// At most `size` bytes of what the frames become. The window is 128 KiB, as large as a block.
///
/// Source: *UEViewer*; no such file was seen.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut decoder = Lzxd::new(WindowSize::KB128);
    let mut bytes = Vec::new();
    let mut rest = stored;
    while bytes.len() < size {
        let (length, frame);
        (length, frame, rest) = split(rest)?;
        let length = length.min(size.saturating_sub(bytes.len()));
        if length == 0 || length > FRAME || frame.is_empty() {
            return Err(BROKEN);
        }
        let made = decoder.decompress_next(frame, length).map_err(|_| BROKEN)?;
        bytes.extend_from_slice(made.get(..length).ok_or(BROKEN)?);
    }
    Ok(bytes)
}

/// Returns the first frame: how many bytes it becomes, its bytes, and what follows it.
fn split(stored: &[u8]) -> Result<(usize, &[u8], &[u8]), Malformed> {
    let (length, size, rest) = match stored {
        [0xFF, a, b, c, d, rest @ ..] => (u16::from_be_bytes([*a, *b]).into(), [*c, *d], rest),
        [a, b, rest @ ..] => (FRAME, [*a, *b], rest),
        _ => return Err(BROKEN),
    };
    let (frame, rest) = rest.split_at_checked(u16::from_be_bytes(size).into()).ok_or(BROKEN)?;
    Ok((length, frame, rest))
}
