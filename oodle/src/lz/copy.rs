//! Copies of literals and matches.
//!
//! A short copy moves a fixed number of bytes, more than its length; what is too much is overwritten by the next. Near
//! the end of a buffer, where there is no room for it, the exact number is moved.
//!
//! Positions are 32 bits wide, so that their sums cannot overflow and one comparison proves a range.

use std::hint::black_box;

/// Bytes that a short copy of literals and a match may write.
pub(super) const ROOM: usize = 48;

/// Commands that are resolved before the first of them copies.
pub(super) const BATCH: usize = 32;

/// A command resolved: literals, then a match.
#[derive(Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) literal_len: u32,
    pub(super) match_len: u32,
    pub(super) distance: u32,
    /// Position of the match's source.
    pub(super) source: usize,
}

/// Plain bytes as they are put out, and the literals they take.
pub(super) struct Copier<'a> {
    pub(super) out: &'a mut [u8],
    pub(super) pos: u32,
    /// Literals, and behind them bytes that mean nothing.
    pub(super) literals: &'a [u8],
    /// Number of literals taken.
    pub(super) literal: u32,
    /// Distance of the latest match.
    pub(super) distance: u32,
}

impl Copier<'_> {
    /// Copies literals, with `DELTA` added to the bytes at the latest distance, then a match.
    ///
    /// Returns nothing if there is no room, there are no more literals, or a distance is not allowed.
    #[inline(always)]
    pub(super) fn step<const DELTA: bool, const AT_ONCE: u32>(&mut self, step: Step) -> Option<()> {
        let (pos, literal, distance) = (self.pos, self.literal, self.distance);
        let short = short_step::<DELTA, AT_ONCE>(self.out, pos, self.literals, literal, distance, step);
        if short.is_none() {
            careful_step::<DELTA>(self.out, pos, self.literals, literal, distance, step)?;
        }
        self.literal += step.literal_len;
        self.pos += step.literal_len + step.match_len;
        self.distance = step.distance;
        Some(())
    }

    /// Copies literals only.
    pub(super) fn literals<const DELTA: bool>(&mut self, len: usize) -> Option<()> {
        let (pos, literal) = (self.pos as usize, self.literal as usize);
        let literals = self.literals.get(literal..)?.get(..len)?;
        let distance = DELTA.then_some(self.distance as usize);
        put_literals(self.out.get_mut(..pos + len)?, pos, literals, distance)?;
        self.literal += len as u32;
        self.pos += len as u32;
        Some(())
    }

    /// Copies the last literals, up to `end`.
    pub(super) fn finish<const DELTA: bool>(&mut self, end: usize) -> Option<()> {
        self.literals::<DELTA>(end.checked_sub(self.pos as usize)?)
    }
}

/// Reads a byte of the source of each match, so that the copies wait for memory together and not each for itself.
///
/// Returns nothing if a source is outside of `out`.
#[inline(always)]
pub(super) fn touch(out: &[u8], steps: &[Step]) -> Option<()> {
    let mut touched = 0;
    for step in steps {
        touched ^= *out.get(step.source)?;
    }
    black_box(touched);
    Some(())
}

/// Copies up to 8 literals and a match as [`short_match`], if there is room and no distance is below 8.
#[inline(always)]
fn short_step<const DELTA: bool, const AT_ONCE: u32>(
    out: &mut [u8],
    pos: u32,
    literals: &[u8],
    literal: u32,
    distance: u32,
    step: Step,
) -> Option<()> {
    if step.literal_len > 8 {
        return None;
    }
    let mut literals = *chunk::<8>(literals, literal)?;
    if DELTA {
        literals = differences(out, pos, literals, distance)?;
    }
    *chunk_mut::<ROOM>(out, pos)?.first_chunk_mut()? = literals;
    short_match::<AT_ONCE>(out, pos, step)
}

/// Adds 8 literals to the bytes at a distance, unless that is below 8.
#[inline(always)]
pub(super) fn differences(out: &[u8], pos: u32, literals: [u8; 8], distance: u32) -> Option<[u8; 8]> {
    let from = pos.wrapping_sub(distance);
    if u64::from(from) + 8 > u64::from(pos) {
        return None;
    }
    Some(add(literals, *chunk(out, from)?))
}

/// Copies a match of up to 32 bytes after up to 8 literals at `pos`, if there is room and its distance is not below 8.
///
/// Up to `AT_ONCE` bytes, 16 or 32, are copied without a branch on the length.
#[inline(always)]
pub(super) fn short_match<const AT_ONCE: u32>(out: &mut [u8], pos: u32, step: Step) -> Option<()> {
    if step.match_len > 32 {
        return None;
    }
    let skip = step.literal_len as usize & 15;
    let to = pos + step.literal_len;
    let from = to.wrapping_sub(step.distance);
    if u64::from(from) + 16 > u64::from(to) {
        if u64::from(from) + 8 > u64::from(to) {
            return None;
        }
        for step in [0, 8, 16, 24] {
            let bytes = *chunk::<8>(out, from + step)?;
            *chunk_mut(out, to + step)? = bytes;
        }
        return Some(());
    }
    let bytes = *chunk::<16>(out, from)?;
    chunk_mut::<ROOM>(out, pos)?[skip..skip + 16].copy_from_slice(&bytes);
    if AT_ONCE >= 32 || step.match_len > AT_ONCE {
        let bytes = *chunk::<16>(out, from + 16)?;
        chunk_mut::<ROOM>(out, pos)?[skip + 16..skip + 32].copy_from_slice(&bytes);
    }
    Some(())
}

#[inline(never)]
fn careful_step<const DELTA: bool>(
    out: &mut [u8],
    pos: u32,
    literals: &[u8],
    literal: u32,
    distance: u32,
    step: Step,
) -> Option<()> {
    let (pos, literal) = (pos as usize, literal as usize);
    let (literal_len, match_len) = (step.literal_len as usize, step.match_len as usize);
    let literals = literals.get(literal..)?.get(..literal_len)?;
    let distance = DELTA.then_some(distance as usize);
    put_literals(out.get_mut(..pos + literal_len)?, pos, literals, distance)?;
    let to = pos + literal_len;
    put_match(out.get_mut(..to + match_len)?, to, step.distance as usize)
}

/// Returns `N` bytes from a position.
#[inline(always)]
pub(super) fn chunk<const N: usize>(bytes: &[u8], at: u32) -> Option<&[u8; N]> {
    let at = at as usize;
    bytes.get(at..at + N)?.first_chunk()
}

#[inline(always)]
pub(super) fn chunk_mut<const N: usize>(bytes: &mut [u8], at: u32) -> Option<&mut [u8; N]> {
    let at = at as usize;
    bytes.get_mut(at..at + N)?.first_chunk_mut()
}

/// Adds byte by byte.
#[inline(always)]
fn add(a: [u8; 8], b: [u8; 8]) -> [u8; 8] {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let (a, b) = (u64::from_ne_bytes(a), u64::from_ne_bytes(b));
    (((a & LOW) + (b & LOW)) ^ ((a ^ b) & !LOW)).to_ne_bytes()
}

/// Puts literals to the end of `out`, from `pos` on, added to the bytes at a distance, if there is one.
pub(super) fn put_literals(
    out: &mut [u8],
    pos: usize,
    literals: &[u8],
    distance: Option<usize>,
) -> Option<()> {
    let Some(distance) = distance else {
        out[pos..].copy_from_slice(literals);
        return Some(());
    };
    if literals.is_empty() {
        return Some(());
    }
    if distance == 0 || distance > pos {
        return None;
    }
    let mut done = 0;
    if distance >= 8 {
        for eight in literals.as_chunks::<8>().0 {
            let at = pos + done;
            let before = *out.get(at - distance..)?.first_chunk()?;
            *out[at..].first_chunk_mut()? = add(*eight, before);
            done += 8;
        }
    }
    for (at, literal) in (pos + done..).zip(&literals[done..]) {
        out[at] = literal.wrapping_add(out[at - distance]);
    }
    Some(())
}

/// Copies a match to the end of `out`, from `pos` on.
pub(super) fn put_match(out: &mut [u8], mut pos: usize, distance: usize) -> Option<()> {
    let from = pos.checked_sub(distance)?;
    if distance == 0 || distance < 8 && out.len() - pos > distance {
        return None;
    }
    // Each round repeats all that is there of the pattern.
    while pos < out.len() {
        let step = (out.len() - pos).min(pos - from);
        out.copy_within(from..from + step, pos);
        pos += step;
    }
    Some(())
}
