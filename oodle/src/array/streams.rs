//! Several outputs of which each is read on its own.

use super::multi::{self, MAX_OUTPUTS};
use super::{Coder, SLACK, roomy};
use crate::error::Error;
use crate::input::StoredBytes;

/// Plain bytes of several streams, each with a place up to which it is read.
pub(crate) struct Streams<'a> {
    /// Bytes of all streams, one after another, and behind them others that mean nothing.
    pub(crate) padded: &'a [u8],
    /// Offset of the next byte of each stream.
    pub(crate) next: [u32; MAX_OUTPUTS],
    ends: [u32; MAX_OUTPUTS],
    pub(crate) count: usize,
}

impl<'a> Streams<'a> {
    /// Returns how many bytes all streams have together.
    pub(crate) fn len(&self) -> usize {
        self.ends[self.count - 1] as usize
    }

    /// Takes the next byte of a stream; behind its end one that means nothing.
    #[inline(always)]
    pub(crate) fn take(&mut self, stream: usize) -> Option<u8> {
        let next = &mut self.next[stream % MAX_OUTPUTS];
        let byte = *self.padded.get(*next as usize)?;
        *next += 1;
        Some(byte)
    }

    /// Returns whether each stream was read exactly to its end.
    pub(crate) fn is_used(&self) -> bool {
        self.next[..self.count] == self.ends[..self.count]
    }
}

impl Coder {
    /// Reads `count` streams of at most `limit` plain bytes together: one array, or a multi-array.
    ///
    /// # Errors
    /// If they break a rule of the format.
    pub(crate) fn streams<'a>(
        &mut self,
        input: &mut StoredBytes<'a>,
        limit: usize,
        count: usize,
        room: &'a mut Vec<u8>,
    ) -> Result<Streams<'a>, Error> {
        let (mut next, mut ends) = ([0; MAX_OUTPUTS], [0; MAX_OUTPUTS]);
        let padded = if count == 1 {
            let array = self.array(input, limit, room)?;
            ends[0] = array.len;
            array.padded
        } else {
            let room = roomy(room, limit + SLACK);
            multi::decode(input, &mut room[..limit], &mut ends[..count], 0, self)?;
            next[1..].copy_from_slice(&ends[..MAX_OUTPUTS - 1]);
            &*room
        };
        let (next, ends) = (next.map(|at: usize| at as u32), ends.map(|at| at as u32));
        Ok(Streams { padded, next, ends, count })
    }
}
