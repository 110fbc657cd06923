//! IMA ADPCM: each code is a difference in steps, and moves the step's size.
//!
//! ```text
//! header of a channel:  first value i16 │ step index u8 │ 0
//! codes:                low half of a byte first; of several channels four bytes each in turn
//! ```
//!
//! Sources: IMA Digital Audio Focus and Technical Working Groups, *Recommended Practices for Enhancing Digital Audio
//! Compatibility in Multimedia Systems* 3.00; Microsoft, *Multimedia Data Standards Update* (`WAVE_FORMAT_DVI_ADPCM`).

use super::{codes, saturated};

/// Bytes of a channel's header, and the values that it holds.
pub(super) const HEADER: u64 = 4;
pub(super) const IN_HEADER: u64 = 1;

/// Sizes of the step by its index.
pub(in crate::codec) const STEPS: [i32; 89] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88,
    97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658,
    724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660,
    4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818,
    18500, 20350, 22385, 24623, 27086, 29794, 32767,
];

/// Decodes a block of as many channels as there are planes; none if a step index does not exist.
pub(super) fn block(block: &[u8], planes: &mut [Vec<i16>]) -> Option<()> {
    let (headers, codes) = block.split_at_checked(planes.len().checked_mul(4)?)?;
    let headers = headers.as_chunks::<4>().0.iter().zip(planes.iter_mut());
    let mut states: Vec<ImaState> =
        headers.map(|(header, plane)| ImaState::of(*header, plane)).collect::<Option<_>>()?;
    if let ([state], [mono]) = (states.as_mut_slice(), &mut *planes) {
        state.decode(codes, mono);
        return Some(());
    }
    for group in codes.chunks_exact(planes.len().checked_mul(4)?) {
        let words = group.as_chunks::<4>().0;
        for ((state, plane), word) in states.iter_mut().zip(planes.iter_mut()).zip(words) {
            state.decode(word, plane);
        }
    }
    Some(())
}

struct ImaState {
    value: i32,
    index: usize,
    step: i32,
}

impl ImaState {
    /// From a channel's header; its value is the first one of the block.
    fn of([low, high, index, _]: [u8; 4], plane: &mut Vec<i16>) -> Option<Self> {
        let value = i16::from_le_bytes([low, high]);
        let step = *STEPS.get(usize::from(index))?;
        plane.push(value);
        Some(Self { value: value.into(), index: index.into(), step })
    }

    fn decode(&mut self, bytes: &[u8], plane: &mut Vec<i16>) {
        for &byte in bytes {
            let (first, second) = codes(byte);
            plane.push(self.next(first));
            plane.push(self.next(second));
        }
    }

    /// Returns the next value. The difference is (code + ½) quarters of the step, each part truncated for itself.
    fn next(&mut self, code: u8) -> i16 {
        let part = |bit: u8, shift: u32| if code & bit == 0 { 0 } else { self.step >> shift };
        let difference = [part(4, 0), part(2, 1), part(1, 2), self.step >> 3].into_iter().sum::<i32>();
        let moved = match code & 8 {
            0 => self.value.saturating_add(difference),
            _ => self.value.saturating_sub(difference),
        };
        let value = saturated(moved);
        self.value = value.into();
        self.index = next_index(self.index, code);
        self.step = STEPS.get(self.index).copied().unwrap_or_default();
        value
    }
}

/// Returns the index of the step after a code.
pub(in crate::codec) fn next_index(index: usize, code: u8) -> usize {
    match code & 7 {
        4 => index.saturating_add(2),
        5 => index.saturating_add(4),
        6 => index.saturating_add(6),
        7 => index.saturating_add(8),
        _ => index.saturating_sub(1),
    }
    .min(STEPS.len().saturating_sub(1))
}
