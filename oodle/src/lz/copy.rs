//! Copies of literals and matches.
//!
//! A short copy moves a fixed number of bytes, more than its length; what is too much is overwritten by the next. Near
//! the end of a buffer, where there is no room for it, the exact number is moved.

/// Copies literals from `literals[next..]` to `out[pos..]`, with `DELTA` added to the bytes at `distance` before.
///
/// Returns nothing if there is no room, or no byte at the distance.
#[inline(always)]
pub(super) fn literals<const DELTA: bool>(
    out: &mut [u8],
    pos: usize,
    literals: &[u8],
    next: usize,
    len: usize,
    distance: usize,
) -> Option<()> {
    if len <= 8 && (!DELTA || distance >= 8) {
        if let Some(eight) = eight(literals, next) {
            if !DELTA {
                if let Some(to) = out.get_mut(pos..).and_then(<[u8]>::first_chunk_mut::<8>) {
                    *to = eight;
                    return Some(());
                }
            } else if let Some(before) = self::eight(out, pos.wrapping_sub(distance)) {
                if let Some(to) = out.get_mut(pos..).and_then(<[u8]>::first_chunk_mut::<8>) {
                    *to = add(eight, before);
                    return Some(());
                }
            }
        }
    }
    long_literals::<DELTA>(out, pos, literals, next, len, distance)
}

#[inline(always)]
fn eight(bytes: &[u8], at: usize) -> Option<[u8; 8]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[inline(always)]
fn add(a: [u8; 8], b: [u8; 8]) -> [u8; 8] {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let (a, b) = (u64::from_ne_bytes(a), u64::from_ne_bytes(b));
    (((a & LOW) + (b & LOW)) ^ ((a ^ b) & !LOW)).to_ne_bytes()
}

#[inline(never)]
fn long_literals<const DELTA: bool>(
    out: &mut [u8],
    pos: usize,
    literals: &[u8],
    next: usize,
    len: usize,
    distance: usize,
) -> Option<()> {
    let literals = literals.get(next..)?.get(..len)?;
    let out = out.get_mut(..pos.checked_add(len)?)?;
    if !DELTA {
        out[pos..].copy_from_slice(literals);
        return Some(());
    }
    if len > 0 && (distance == 0 || distance > pos) {
        return None;
    }
    let mut done = 0;
    if distance >= 8 {
        for literals in literals.as_chunks::<8>().0 {
            let before = eight(out, pos + done - distance)?;
            *out.get_mut(pos + done..)?.first_chunk_mut()? = add(*literals, before);
            done += 8;
        }
    }
    for (at, literal) in (pos + done..).zip(&literals[done..]) {
        out[at] = literal.wrapping_add(out[at - distance]);
    }
    Some(())
}

/// Copies a match of `len` bytes from `distance` before `pos`.
///
/// Returns nothing if there is no room, no byte at the distance, or the distance is not allowed for the length.
#[inline(always)]
pub(super) fn matched(out: &mut [u8], pos: usize, distance: usize, len: usize) -> Option<()> {
    if len <= 16 && distance >= 8 {
        let from = pos.wrapping_sub(distance);
        if let (Some(first), Some(to)) =
            (eight(out, from), out.get_mut(pos..).and_then(<[u8]>::first_chunk_mut::<16>))
        {
            to[..8].copy_from_slice(&first);
            let second = eight(out, from + 8)?;
            out[pos + 8..pos + 16].copy_from_slice(&second);
            return Some(());
        }
    }
    long_match(out, pos, distance, len)
}

#[inline(never)]
fn long_match(out: &mut [u8], mut pos: usize, distance: usize, mut len: usize) -> Option<()> {
    let from = pos.checked_sub(distance)?;
    if distance == 0 || distance < 8 && len > distance || len > out.len().checked_sub(pos)? {
        return None;
    }
    // Each round repeats all that is there of the pattern.
    while len > 0 {
        let step = len.min(pos - from);
        out.copy_within(from..from + step, pos);
        pos += step;
        len -= step;
    }
    Some(())
}
