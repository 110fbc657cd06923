//! Arrays of run lengths: literals from the front of a work buffer, commands from its back.

use super::{Coder, Header};
use crate::error::Error;
use crate::input::StoredBytes;

/// Decodes an array of type 3.
pub(super) fn decode(
    payload: StoredBytes<'_>,
    plain: &mut [u8],
    level: u32,
    coder: &mut Coder,
) -> Result<(), Error> {
    if payload.len() == 1 {
        plain.fill(payload.peek()?);
        return Ok(());
    }
    let mut work = payload;
    if payload.peek()? == 0 {
        work.u8()?;
        return expand(work, work.rest(), plain);
    }
    let limit = 2 * plain.len() + 64;
    coder.with_space(|coder, space| {
        let inner = Header::read(&mut work, limit)?;
        let room = super::roomy(space, inner.plain + work.len());
        let (start, rest) = room.split_at_mut(inner.plain);
        coder.fill(&inner, start, level + 1)?;
        rest.copy_from_slice(work.rest());
        expand(payload, room, plain)
    })
}

/// Carries out the commands of a work buffer.
fn expand(payload: StoredBytes<'_>, work: &[u8], plain: &mut [u8]) -> Result<(), Error> {
    let mut buffers = Buffers { work, plain };
    let mut fill = 0;
    while let Some(&command) = buffers.work.last() {
        let done = match command {
            1 => buffers.drop_back(1).and_then(|()| {
                let (&first, rest) = buffers.work.split_first()?;
                (fill, buffers.work) = (first, rest);
                Some(())
            }),
            0 | 0x30.. => buffers
                .drop_back(1)
                .and_then(|()| buffers.copy(usize::from(!command & 15)))
                .and_then(|()| buffers.fill(usize::from(command >> 4), fill)),
            _ => buffers.wide(fill),
        };
        payload.require(done.is_some(), "runs over its bytes")?;
    }
    payload.require(buffers.plain.is_empty(), "does not give all plain bytes")
}

/// What is left of the work buffer and of the plain bytes.
struct Buffers<'a, 'b> {
    work: &'a [u8],
    plain: &'b mut [u8],
}

impl Buffers<'_, '_> {
    /// Carries out a command of two bytes.
    fn wide(&mut self, fill: u8) -> Option<()> {
        let word = usize::from(u16::from_le_bytes(*self.work.last_chunk()?));
        self.drop_back(2)?;
        match word >> 8 {
            0x10.. => {
                let both = word - 0x1000;
                self.copy(both & 63)?;
                self.fill(both >> 6, fill)
            }
            9.. => self.fill((word - 0x8FF) * 128, fill),
            _ => self.copy((word - 0x1FF) * 64),
        }
    }

    fn drop_back(&mut self, len: usize) -> Option<()> {
        self.work = self.work.get(..self.work.len().checked_sub(len)?)?;
        Some(())
    }

    /// Moves literals to the plain bytes.
    fn copy(&mut self, len: usize) -> Option<()> {
        let (literals, work) = self.work.split_at_checked(len)?;
        self.next(len)?.copy_from_slice(literals);
        self.work = work;
        Some(())
    }

    fn fill(&mut self, len: usize, value: u8) -> Option<()> {
        self.next(len)?.fill(value);
        Some(())
    }

    /// Takes the next plain bytes.
    fn next(&mut self, len: usize) -> Option<&mut [u8]> {
        self.plain.split_off_mut(..len)
    }
}
