//! Copies of literals and matches.
//!
//! A short copy moves a fixed number of bytes, more than its length; what is too much is overwritten by the next. Near
//! the end of a buffer, where there is no room for it, the exact number is moved.
//!
//! Positions are 32 bits wide, so that their sums cannot overflow and one comparison proves a range.

/// Longest match that is copied in steps of 16 bytes; for more a call is worth its cost.
const MAX_IN_STEPS: u32 = 256;

/// A command resolved: literals, then a match.
#[derive(Clone, Copy, Default)]
pub(super) struct CopyStep {
    pub(super) literal_len: u32,
    pub(super) match_len: u32,
    pub(super) distance: u32,
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
    pub(super) fn step<const DELTA: bool, const AT_ONCE: u32>(&mut self, step: CopyStep) -> Option<()> {
        let CopyStep { literal_len, match_len, distance } = step;
        let (literals, literal) = (self.literals, self.literal);
        if literal_len > 8
            || short_literals::<DELTA>(self.out, self.pos, literals, literal, self.distance).is_none()
        {
            let distance = DELTA.then_some(self.distance);
            careful_literals(self.out, self.pos, literals, literal, literal_len, distance)?;
        }
        matched::<AT_ONCE>(self.out, self.pos + literal_len, match_len, distance)?;
        self.literal += step.literal_len;
        self.pos += step.literal_len + step.match_len;
        self.distance = step.distance;
        Some(())
    }

    /// Copies literals only.
    pub(super) fn literals<const DELTA: bool>(&mut self, len: u32) -> Option<()> {
        let distance = DELTA.then_some(self.distance);
        careful_literals(self.out, self.pos, self.literals, self.literal, len, distance)?;
        self.literal += len;
        self.pos += len;
        Some(())
    }

    /// Copies the last literals, up to `end`.
    pub(super) fn finish<const DELTA: bool>(&mut self, end: usize) -> Option<()> {
        self.literals::<DELTA>((end as u32).checked_sub(self.pos)?)
    }
}

/// Copies up to 8 literals, if there is room for 8 and the distance is not below 8.
#[inline(always)]
fn short_literals<const DELTA: bool>(
    out: &mut [u8],
    pos: u32,
    literals: &[u8],
    literal: u32,
    distance: u32,
) -> Option<()> {
    let mut literals = *chunk::<8>(literals, literal)?;
    if DELTA {
        literals = differences(out, pos, literals, distance)?;
    }
    *chunk_mut(out, pos)? = literals;
    Some(())
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

/// Copies a match of `len` bytes to `pos`.
///
/// Up to `AT_ONCE` bytes, 16 or 32, are copied without a branch on the length. Returns nothing if there is no room, no
/// byte at the distance, or the distance is not allowed for the length.
#[inline(always)]
pub(super) fn matched<const AT_ONCE: u32>(out: &mut [u8], pos: u32, len: u32, distance: u32) -> Option<()> {
    if wide_match::<AT_ONCE>(out, pos, len, distance).is_none() {
        careful_match(out, pos, len, distance)?;
    }
    Some(())
}

/// Copies a match in steps of 8 or 16 bytes, if there is room and the distance is not below 8.
#[inline(always)]
fn wide_match<const AT_ONCE: u32>(out: &mut [u8], pos: u32, len: u32, distance: u32) -> Option<()> {
    let from = pos.wrapping_sub(distance);
    if u64::from(from) + 16 > u64::from(pos) {
        if u64::from(from) + 8 > u64::from(pos) {
            return None;
        }
        for step in [0, 8, 16, 24] {
            let bytes = *chunk::<8>(out, from + step)?;
            *chunk_mut(out, pos + step)? = bytes;
        }
        return if len <= 32 { Some(()) } else { careful_match(out, pos + 32, len - 32, distance) };
    }
    let bytes = *chunk::<16>(out, from)?;
    *chunk_mut::<32>(out, pos)?.first_chunk_mut()? = bytes;
    if AT_ONCE >= 32 || len > AT_ONCE {
        let bytes = *chunk::<16>(out, from + 16)?;
        *chunk_mut::<32>(out, pos)?.last_chunk_mut()? = bytes;
        let mut done = 32;
        if len > MAX_IN_STEPS {
            return careful_match(out, pos + done, len - done, distance);
        }
        while done < len {
            let bytes = *chunk::<16>(out, from + done)?;
            *chunk_mut(out, pos + done)? = bytes;
            done += 16;
        }
    }
    Some(())
}

/// Copies any literals.
#[inline(never)]
pub(super) fn careful_literals(
    out: &mut [u8],
    pos: u32,
    literals: &[u8],
    literal: u32,
    len: u32,
    distance: Option<u32>,
) -> Option<()> {
    let (pos, len) = (pos as usize, len as usize);
    let literals = literals.get(literal as usize..)?.get(..len)?;
    put_literals(out.get_mut(..pos + len)?, pos, literals, distance.map(|distance| distance as usize))
}

/// Copies any match.
#[inline(never)]
pub(super) fn careful_match(out: &mut [u8], pos: u32, len: u32, distance: u32) -> Option<()> {
    let pos = pos as usize;
    put_match(out.get_mut(..pos + len as usize)?, pos, distance as usize)
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
fn put_literals(out: &mut [u8], pos: usize, literals: &[u8], distance: Option<usize>) -> Option<()> {
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
fn put_match(out: &mut [u8], mut pos: usize, distance: usize) -> Option<()> {
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
