use std::cell::RefCell;
use std::io::Read as _;

use flate2::bufread::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use crate::base::error::Malformed;

const STEP: usize = 256 << 10;

/// Returns whether bytes start as zlib does.
pub(super) fn is_head(bytes: &[u8]) -> bool {
    matches!(bytes, [0x78, flags, ..] if (0x7800_u32 | u32::from(*flags)).is_multiple_of(31))
}

thread_local! {
    // Made once for each thread: making one takes as long as a block of a kilobyte.
    static DECODER: RefCell<Decompress> = RefCell::new(Decompress::new(true));
}

/// At most `size` bytes of what zlib data becomes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    DECODER.with_borrow_mut(|decoder| {
        decoder.reset(true);
        inflate_with(decoder, stored, size)
    })
}

fn inflate_with(decoder: &mut Decompress, stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    const BROKEN: Malformed = Malformed::Compressed("is not a zlib stream");
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let read = usize::try_from(decoder.total_in()).unwrap_or(usize::MAX);
        let rest = stored.get(read..).unwrap_or_default();
        let held = bytes.len();
        let room = STEP.min(size.saturating_sub(held));
        bytes.reserve_exact(room.saturating_mul(if held == 0 { 1 } else { 2 }));
        bytes.resize(held.saturating_add(room), 0);
        let before = decoder.total_out();
        let into = bytes.get_mut(held..).unwrap_or_default();
        let status = decoder.decompress(rest, into, FlushDecompress::None).map_err(|_| BROKEN)?;
        let made = usize::try_from(decoder.total_out().saturating_sub(before)).unwrap_or(usize::MAX);
        bytes.truncate(held.saturating_add(made));
        let read_on = decoder.total_in() > read as u64;
        if status == Status::StreamEnd || (made == 0 && !read_on) {
            break;
        }
    }
    Ok(bytes)
}

/// Returns bytes as zlib data.
pub(super) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut stored = Vec::new();
    // Memory is read without fail.
    let _ = ZlibEncoder::new(bytes, Compression::default()).read_to_end(&mut stored);
    stored
}
