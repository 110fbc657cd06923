//! Multi-arrays: several outputs put together from pieces.
//!
//! ```text
//! count of pieces · pieces · q · indexes · [sizes] · bits
//! ```
//!
//! An index names the piece whose next bytes go to the output, 0 ends the output. Sizes say how many bytes, each by the
//! number of bits that follow in one of two bit readers.

use super::Coder;
use crate::bits::{Backward, Forward, MsbReader};
use crate::error::{Error, FormatPart};
use crate::input::StoredBytes;

/// Largest number of outputs.
pub(crate) const MAX_OUTPUTS: usize = 16;

/// Largest number of pieces.
const MAX_PIECES: usize = 63;

/// Decodes a multi-array, its outputs one after another to `plain`, and returns their whole size.
///
/// `ends` is set to the end of each output.
///
/// # Errors
/// If it breaks a rule of the format, or the outputs have more bytes than `plain`.
pub(super) fn decode(
    input: &mut StoredBytes<'_>,
    plain: &mut [u8],
    ends: &mut [usize],
    level: u32,
    coder: &mut Coder,
) -> Result<usize, Error> {
    let mut at = input.part(FormatPart::MultiArray);
    let first = at.u8()?;
    input.require(first & 0x80 != 0, "is no multi-array")?;
    let count = usize::from(first) & MAX_PIECES;
    let made = if count > 0 {
        coder.with_space(|coder, pieces| {
            coder.with_space(|coder, indexes| {
                coder.with_space(|coder, sizes| {
                    PartSpace { pieces, indexes, sizes }.decode(&mut at, count, plain, ends, level, coder)
                })
            })
        })?
    } else {
        let mut made = 0;
        for end in ends {
            made += coder.into(&mut at, &mut plain[made..], level + 1)?;
            *end = made;
        }
        made
    };
    input.go_to(at);
    Ok(made)
}

/// Space for the parts of a multi-array.
struct PartSpace<'a> {
    pieces: &'a mut Vec<u8>,
    indexes: &'a mut Vec<u8>,
    sizes: &'a mut Vec<u8>,
}

impl PartSpace<'_> {
    fn decode(
        self,
        input: &mut StoredBytes<'_>,
        count: usize,
        plain: &mut [u8],
        ends: &mut [usize],
        level: u32,
        coder: &mut Coder,
    ) -> Result<usize, Error> {
        let level = level + 1;
        let start = *input;
        // Where the unread part of each piece is.
        let mut pieces = [(0, 0); MAX_PIECES];
        let bytes = super::roomy(self.pieces, plain.len());
        let total = read_pieces(input, &mut pieces[..count], bytes, level, coder)?;
        let q = input.u16_le()?;
        let indexes = super::roomy(self.indexes, total);
        let index_count = coder.into(input, indexes, level)?;
        start.require(index_count > ends.len(), "has too few indexes")?;
        let indexes = &mut indexes[..index_count];
        let is_joint = q & 0x8000 != 0;
        let sizes = if is_joint {
            let sizes = super::roomy(self.sizes, index_count);
            for (index, size) in indexes.iter_mut().zip(&mut *sizes) {
                (*index, *size) = (*index & 15, *index >> 4);
            }
            sizes
        } else {
            let sizes = super::roomy(self.sizes, index_count - ends.len());
            let size_count = coder.into(input, sizes, level)?;
            start.require(size_count == sizes.len(), "does not have a size for each index")?;
            sizes
        };
        let region = input.take(q & 0x3FFF)?;
        let mut sizes = Sizes::new(&region, sizes);
        let mut indexes = indexes.iter();
        let mut made = 0;
        for end in ends {
            loop {
                let index = indexes.next().ok_or_else(|| start.refuse("has too few indexes"))?;
                if *index == 0 {
                    break;
                }
                let size = sizes.next();
                let size = size.ok_or_else(|| start.refuse("has sizes out of range"))?;
                let moved = move_bytes(bytes, &mut pieces[..count], *index, size, &mut plain[made..]);
                start.require(moved.is_some(), "runs over its pieces")?;
                made += size;
            }
            if is_joint {
                let skipped = sizes.next();
                start.require(skipped.is_some(), "has sizes out of range")?;
            }
            *end = made;
        }
        start.require(indexes.len() == 0 && sizes.is_done(), "has indexes that are not used")?;
        start.require(made == total, "has pieces that are not used")?;
        Ok(made)
    }
}

/// Decodes pieces to `bytes`, sets the range of each there, and returns their whole size.
fn read_pieces(
    input: &mut StoredBytes<'_>,
    pieces: &mut [(usize, usize)],
    bytes: &mut [u8],
    level: u32,
    coder: &mut Coder,
) -> Result<usize, Error> {
    let mut total = 0;
    for piece in pieces {
        let from = total;
        total += coder.into(input, &mut bytes[total..], level)?;
        *piece = (from, total);
    }
    Ok(total)
}

/// Moves the next `size` bytes of a piece to an output.
#[inline]
fn move_bytes(
    bytes: &[u8],
    pieces: &mut [(usize, usize)],
    index: u8,
    size: usize,
    plain: &mut [u8],
) -> Option<()> {
    let (from, to) = pieces.get_mut(usize::from(index) - 1)?;
    if *to - *from < size {
        return None;
    }
    plain.get_mut(..size)?.copy_from_slice(&bytes[*from..*from + size]);
    *from += size;
    Some(())
}

/// The sizes that go with the indexes.
struct Sizes<'a> {
    widths: std::slice::Iter<'a, u8>,
    forward: MsbReader<'a, Forward>,
    backward: MsbReader<'a, Backward>,
    is_odd: bool,
    region: usize,
}

impl<'a> Sizes<'a> {
    fn new(region: &StoredBytes<'a>, widths: &'a [u8]) -> Self {
        Self {
            widths: widths.iter(),
            forward: MsbReader::new(region.rest()),
            backward: MsbReader::new(region.rest()),
            is_odd: false,
            region: region.len(),
        }
    }

    /// Reads the next size, if there is one in range.
    #[inline]
    fn next(&mut self) -> Option<usize> {
        let width = u32::from(*self.widths.next()?);
        if width > 16 {
            return None;
        }
        let low = if self.is_odd { self.backward.read(width) } else { self.forward.read(width) };
        self.is_odd = !self.is_odd;
        Some((1 << width) + low as usize)
    }

    /// Returns whether all sizes are read and the two readers meet.
    fn is_done(&self) -> bool {
        self.widths.len() == 0 && self.forward.bytes_begun() + self.backward.bytes_begun() == self.region
    }
}
