//! Literals of Leviathan: one or several streams, of which position or context chooses.

use super::copy::{careful_literals, chunk, chunk_mut, differences};
use crate::array::Streams;

/// How literals are stored: what the mode of a chunk says.
pub(super) mod mode {
    /// One stream of differences.
    pub(in crate::lz) const SUB: u32 = 0;
    /// One stream.
    pub(in crate::lz) const RAW: u32 = 1;
    /// Differences, the first of each run in a stream of its own.
    pub(in crate::lz) const LAMSUB: u32 = 2;
    /// Differences in a stream for each position modulo 4.
    pub(in crate::lz) const SUB_AND_3: u32 = 3;
    /// A stream for each high half of the byte before.
    pub(in crate::lz) const O1: u32 = 4;
    /// Differences in a stream for each position modulo 16.
    pub(in crate::lz) const SUB_AND_F: u32 = 5;
}

impl Streams<'_> {
    /// Puts out a run of `len` literals.
    ///
    /// Returns nothing if there is no room, there are no more literals, or no byte is at the distance.
    #[inline(always)]
    pub(super) fn put<const MODE: u32>(
        &mut self,
        out: &mut [u8],
        start: u32,
        pos: u32,
        len: u32,
        distance: u32,
    ) -> Option<()> {
        match MODE {
            mode::O1 => return self.put_by_context(out, pos, len),
            mode::SUB_AND_F => return self.put_by_position(out, start, pos, len, distance, 16),
            _ => {}
        }
        let (mut pos, mut len) = (pos, len);
        if MODE == mode::SUB_AND_3 {
            while len > 8 && self.put_eight::<MODE>(out, start, pos, 8, distance).is_some() {
                pos += 8;
                len -= 8;
            }
        }
        if len <= 8 && self.put_eight::<MODE>(out, start, pos, len, distance).is_some() {
            return Some(());
        }
        match MODE {
            mode::LAMSUB => self.put_after_first(out, pos, len, distance),
            mode::SUB_AND_3 => self.put_by_position(out, start, pos, len, distance, 4),
            mode::SUB => self.put_long(0, out, pos, len, Some(distance)),
            _ => self.put_long(0, out, pos, len, None),
        }
    }

    /// Puts out up to 8 literals, if there is room for 8 and the distance is not below 8.
    #[inline(always)]
    fn put_eight<const MODE: u32>(
        &mut self,
        out: &mut [u8],
        start: u32,
        pos: u32,
        len: u32,
        distance: u32,
    ) -> Option<()> {
        let phase = (pos - start) as usize;
        // A third of the runs are empty, and four streams are dear: measured, the branch costs less.
        if MODE == mode::SUB_AND_3 && len == 0 {
            return Some(());
        }
        let mut literals = if MODE == mode::SUB_AND_3 {
            let mut eight = 0;
            for lane in 0..4 {
                let two = u16::from_le_bytes(*chunk(self.padded, self.next[(phase + lane) % 4])?);
                let two = u64::from(two);
                eight |= (two & 0xFF | (two & 0xFF00) << 24) << (8 * lane);
            }
            eight.to_le_bytes()
        } else {
            *chunk(self.padded, self.next[0])?
        };
        if MODE == mode::LAMSUB {
            let first = *self.padded.get(self.next[1] as usize)?;
            literals = (u64::from_le_bytes(literals) << 8 | u64::from(first)).to_le_bytes();
        }
        if MODE != mode::RAW {
            literals = differences(out, pos, literals, distance)?;
        }
        *chunk_mut(out, pos)? = literals;
        match MODE {
            mode::LAMSUB => {
                let first = u32::from(len > 0);
                self.next[1] += first;
                self.next[0] += len - first;
            }
            mode::SUB_AND_3 => {
                for lane in 0..4 {
                    self.next[(phase + lane) % 4] += (len + 3 - lane as u32) / 4;
                }
            }
            _ => self.next[0] += len,
        }
        Some(())
    }

    fn put_long(
        &mut self,
        stream: usize,
        out: &mut [u8],
        pos: u32,
        len: u32,
        distance: Option<u32>,
    ) -> Option<()> {
        careful_literals(out, pos, self.padded, self.next[stream], len, distance)?;
        self.next[stream] += len;
        Some(())
    }

    #[inline(never)]
    fn put_after_first(&mut self, out: &mut [u8], pos: u32, len: u32, distance: u32) -> Option<()> {
        if len == 0 {
            return Some(());
        }
        self.put_long(1, out, pos, 1, Some(distance))?;
        self.put_long(0, out, pos + 1, len - 1, Some(distance))
    }

    #[inline(never)]
    fn put_by_position(
        &mut self,
        out: &mut [u8],
        start: u32,
        pos: u32,
        len: u32,
        distance: u32,
        streams: u32,
    ) -> Option<()> {
        for pos in pos..pos + len {
            let before = *out.get(pos.checked_sub(distance)? as usize)?;
            let literal = self.take(((pos - start) % streams) as usize)?;
            *out.get_mut(pos as usize)? = literal.wrapping_add(before);
        }
        Some(())
    }

    #[inline(always)]
    fn put_by_context(&mut self, out: &mut [u8], pos: u32, len: u32) -> Option<()> {
        let pos = pos as usize;
        let mut before = *out.get(pos.checked_sub(1)?)?;
        for byte in out.get_mut(pos..pos + len as usize)? {
            before = self.take((before >> 4).into())?;
            *byte = before;
        }
        Some(())
    }
}
