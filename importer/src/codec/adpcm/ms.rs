//! Microsoft ADPCM: each code is an error of a prediction from the last two values.
//!
//! ```text
//! header:  predictor u8 │ scale i16 │ second value i16 │ first value i16, each for all channels in turn
//! codes:   high half of a byte first; stereo has left in the high half, right in the low
//! ```
//!
//! Source: Microsoft, *Multimedia Data Standards Update* (`WAVE_FORMAT_ADPCM`).

use super::{codes, saturated};

/// Bytes of a channel's header, and the values that it holds.
pub(super) const HEADER: u64 = 7;
pub(super) const IN_HEADER: u64 = 2;

/// The pairs of coefficients of every file, in 1/256; a file may have more after them.
pub(in crate::codec) const PAIRS: [(i16, i16); 7] =
    [(256, 0), (512, -256), (0, 0), (192, 64), (240, 0), (460, -208), (392, -232)];

/// How a code moves the scale, in 1/256.
const ADAPTATION_TABLE: [i32; 16] =
    [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];
const MIN_DELTA: i32 = 16;

/// Decodes a block of one channel; none if its predictor does not exist.
pub(super) fn mono(block: &[u8], pairs: &[(i16, i16)], plane: &mut Vec<i16>) -> Option<()> {
    let ([predictor, s0, s1, n0, n1, p0, p1], bytes) = block.split_first_chunk()?;
    let mut state =
        MsState::of(*pairs.get(usize::from(*predictor))?, [*s0, *s1], [*n0, *n1], [*p0, *p1], plane);
    for &byte in bytes {
        let (second, first) = codes(byte);
        plane.push(state.next(first));
        plane.push(state.next(second));
    }
    Some(())
}

/// Decodes a block of two channels; none if a predictor does not exist.
pub(super) fn stereo(
    block: &[u8],
    pairs: &[(i16, i16)],
    left: &mut Vec<i16>,
    right: &mut Vec<i16>,
) -> Option<()> {
    let ([l, r], rest) = block.split_first_chunk()?;
    let (words, bytes) = rest.split_first_chunk::<12>()?;
    let ([ls, rs, ln, rn, lp, rp], _) = words.as_chunks::<2>() else { return None };
    let mut state_left = MsState::of(*pairs.get(usize::from(*l))?, *ls, *ln, *lp, left);
    let mut state_right = MsState::of(*pairs.get(usize::from(*r))?, *rs, *rn, *rp, right);
    for &byte in bytes {
        let (of_right, of_left) = codes(byte);
        left.push(state_left.next(of_left));
        right.push(state_right.next(of_right));
    }
    Some(())
}

struct MsState {
    pair: (i32, i32),
    scale: i32,
    /// The last value, and the one before it.
    last: i32,
    before: i32,
}

impl MsState {
    /// From a channel's header: its two values are the first ones of the block, the newer one is stored first.
    fn of(pair: (i16, i16), scale: [u8; 2], newer: [u8; 2], older: [u8; 2], plane: &mut Vec<i16>) -> Self {
        let [scale, newer, older] = [scale, newer, older].map(i16::from_le_bytes);
        plane.extend([older, newer]);
        let pair = (i32::from(pair.0), i32::from(pair.1));
        Self { pair, scale: scale.into(), last: newer.into(), before: older.into() }
    }

    fn next(&mut self, code: u8) -> i16 {
        // Two products of 16-bit values: their sum can leave 32 bits by one, in a broken file.
        let weighed =
            self.last.saturating_mul(self.pair.0).saturating_add(self.before.saturating_mul(self.pair.1));
        let predicted = weighed.checked_div(256).unwrap_or_default();
        let error = i32::from(code).saturating_sub(if code & 8 == 0 { 0 } else { 16 });
        let value = saturated(predicted.saturating_add(error.saturating_mul(self.scale)));
        let moves = ADAPTATION_TABLE.get(usize::from(code)).copied().unwrap_or_default();
        let scale = self.scale.saturating_mul(moves).checked_div(256).unwrap_or_default();
        self.scale = scale.max(MIN_DELTA);
        self.before = self.last;
        self.last = value.into();
        value
    }
}
