//! LZO1X. Written from the description of its stream in the Linux kernel's documentation ("LZO stream format as
//! understood by Linux's LZO decompressor"), because it must survive any bytes, without a panic and within bounds.

use crate::base::error::Malformed;

const ENDS_EARLY: Malformed = Malformed::Compressed("ends in the middle of an LZO stream");
const TOO_FAR: Malformed = Malformed::Compressed("refers to bytes before its start");
const TOO_MUCH: Malformed = Malformed::Compressed("unpacks to more than its size");

/// How many literals came before an instruction: none to three, or a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrecedingLiterals {
    None,
    Few,
    Run,
}

/// At most `size` bytes of what an LZO1X stream becomes.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut stream = LzoStream { remaining: stored, bytes: Vec::new(), size };
    let mut before = PrecedingLiterals::None;
    if let Some(&first @ 18..) = stored.first() {
        stream.byte()?;
        let literals = usize::from(first).saturating_sub(17);
        stream.literals(literals)?;
        before = if literals < 4 { PrecedingLiterals::Few } else { PrecedingLiterals::Run };
    }
    loop {
        let code = stream.byte()?;
        let low = usize::from(code);
        let (length, distance, literals) = match (code, before) {
            (0..=15, PrecedingLiterals::None) => {
                let run = stream.length(low, 15)?.saturating_add(3);
                stream.literals(run)?;
                before = PrecedingLiterals::Run;
                continue;
            }
            (0..=15, before) => {
                let high = usize::from(stream.byte()?) << 2;
                let near = high.saturating_add(low >> 2);
                match before {
                    PrecedingLiterals::Run => (3, near.saturating_add(2049), low & 3),
                    _ => (2, near.saturating_add(1), low & 3),
                }
            }
            (16..=31, _) => {
                let length = stream.length(low & 7, 7)?.saturating_add(2);
                let word = stream.word()?;
                let distance = ((low & 8) << 11).saturating_add(word >> 2);
                if distance == 0 {
                    return Ok(stream.bytes);
                }
                (length, distance.saturating_add(16_384), word & 3)
            }
            (32..=63, _) => {
                let length = stream.length(low & 31, 31)?.saturating_add(2);
                let word = stream.word()?;
                (length, (word >> 2).saturating_add(1), word & 3)
            }
            (64.., _) => {
                let length = if code < 128 {
                    (low >> 5 & 1).saturating_add(3)
                } else {
                    (low >> 5 & 3).saturating_add(5)
                };
                let high = usize::from(stream.byte()?) << 3;
                (length, high.saturating_add(low >> 2 & 7).saturating_add(1), low & 3)
            }
        };
        stream.repeat(distance, length)?;
        stream.literals(literals)?;
        before = if literals == 0 { PrecedingLiterals::None } else { PrecedingLiterals::Few };
    }
}

struct LzoStream<'b> {
    remaining: &'b [u8],
    bytes: Vec<u8>,
    size: usize,
}

impl LzoStream<'_> {
    fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.remaining.split_first().ok_or(ENDS_EARLY)?;
        self.remaining = rest;
        Ok(first)
    }

    fn word(&mut self) -> Result<usize, Malformed> {
        Ok(u16::from_le_bytes([self.byte()?, self.byte()?]).into())
    }

    /// Returns a length that stands in the code itself, or in what follows if that is 0: 255 for each zero byte, then
    /// the first other one.
    fn length(&mut self, stated: usize, base: usize) -> Result<usize, Malformed> {
        if stated > 0 {
            return Ok(stated);
        }
        let mut length = base;
        loop {
            match self.byte()? {
                0 => length = length.saturating_add(255),
                last => return Ok(length.saturating_add(last.into())),
            }
        }
    }

    fn room(&self, length: usize) -> Result<(), Malformed> {
        if length > self.size.saturating_sub(self.bytes.len()) { Err(TOO_MUCH) } else { Ok(()) }
    }

    fn literals(&mut self, length: usize) -> Result<(), Malformed> {
        self.room(length)?;
        let (literals, rest) = self.remaining.split_at_checked(length).ok_or(ENDS_EARLY)?;
        self.bytes.extend_from_slice(literals);
        self.remaining = rest;
        Ok(())
    }

    /// Appends bytes from so far back; they may reach into what is being appended.
    fn repeat(&mut self, distance: usize, length: usize) -> Result<(), Malformed> {
        self.room(length)?;
        let start = self.bytes.len().checked_sub(distance).ok_or(TOO_FAR)?;
        let mut left = length;
        while left > 0 {
            let there = self.bytes.len().saturating_sub(start).min(left);
            self.bytes.extend_from_within(start..start.saturating_add(there));
            left = left.saturating_sub(there);
        }
        Ok(())
    }
}
