//! More than two channels become two.
//!
//! | speaker | to its side | to both sides |
//! |---|---|---|
//! | front left and right | 1 | |
//! | centre | | √½ |
//! | side or back left and right, and those above | √½ | |
//! | back centre, above centre | | ½ |
//! | low frequencies | | 0 |
//!
//! All divided by the larger sum of a side, so that nothing can clip.
//!
//! Source: ITU-R BS.775, its matrix for two channels; the division is ours. Speakers: Microsoft, `ksmedia.h`.

use std::f32::consts::FRAC_1_SQRT_2 as HALF_POWER;

/// Gains of each channel to the left and the right.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix(Vec<[f32; 2]>);

const LEFT: [f32; 2] = [1.0, 0.0];
const RIGHT: [f32; 2] = [0.0, 1.0];
const CENTRE: [f32; 2] = [HALF_POWER, HALF_POWER];
const LOW: [f32; 2] = [0.0, 0.0];
const FAR_LEFT: [f32; 2] = [HALF_POWER, 0.0];
const FAR_RIGHT: [f32; 2] = [0.0, HALF_POWER];
const FAR_CENTRE: [f32; 2] = [0.5, 0.5];

/// By the bits of a speaker mask.
const SPEAKERS: [[f32; 2]; 18] = [
    LEFT, RIGHT, CENTRE, LOW, FAR_LEFT, FAR_RIGHT, LEFT, RIGHT, FAR_CENTRE, FAR_LEFT, FAR_RIGHT, FAR_CENTRE,
    FAR_LEFT, FAR_CENTRE, FAR_RIGHT, FAR_LEFT, FAR_CENTRE, FAR_RIGHT,
];

impl Matrix {
    /// For channels in the order of the bits of a mask; a mask of another number of speakers counts as none, and
    /// without one the speakers are those that usually come in such a number.
    pub(super) fn of(channels: u16, mask: u32) -> Self {
        let usual = match channels {
            3 => 0x007,
            4 => 0x033,
            5 => 0x037,
            6 => 0x03F,
            7 => 0x13F,
            8 => 0x63F,
            _ => 0,
        };
        let mask = if mask.count_ones() == u32::from(channels) { mask } else { usual };
        let set =
            |bit: usize| u32::try_from(bit).is_ok_and(|bit| mask.checked_shr(bit).unwrap_or(0) & 1 == 1);
        let named = SPEAKERS.iter().enumerate().filter(|(bit, _)| set(*bit)).map(|(_, gains)| *gains);
        let others = [LEFT, RIGHT].into_iter().cycle();
        Self::even(named.chain(others).take(channels.into()).collect())
    }

    fn even(mut gains: Vec<[f32; 2]>) -> Self {
        let sum = |side: fn(&[f32; 2]) -> f32| gains.iter().map(side).sum::<f32>();
        let largest = sum(|[left, _]| *left).max(sum(|[_, right]| *right));
        if largest > 0.0 {
            for gain in gains.iter_mut().flatten() {
                *gain /= largest;
            }
        }
        Self(gains)
    }

    /// Returns the gains of a channel to the left and the right; none for one that the matrix does not have.
    pub(super) fn gains(&self, channel: usize) -> Option<[f32; 2]> {
        self.0.get(channel).copied()
    }

    /// Returns left and right of a frame.
    pub(super) fn mix(&self, frame: impl Iterator<Item = f32>) -> [f32; 2] {
        let mut mixed = [0.0; 2];
        for (value, gains) in frame.zip(&self.0) {
            for (side, gain) in mixed.iter_mut().zip(gains) {
                *side += value * gain;
            }
        }
        mixed
    }
}

/// Returns the nearest value of 16 bits.
#[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
pub(super) fn rounded(value: f32) -> i16 {
    value.round().clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: [f32; 2], expected: [f32; 2]) -> bool {
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    #[test]
    fn full_scale_everywhere_is_full_scale() {
        for channels in 3..=20 {
            let [left, right] = Matrix::of(channels, 0).mix(std::iter::repeat_n(1.0, channels.into()));
            assert!(left <= 1.0 + 1e-6 && right <= 1.0 + 1e-6 && left.max(right) > 0.999, "{channels}");
        }
    }

    #[test]
    fn the_centre_is_in_both_and_low_frequencies_in_neither() {
        let surround = Matrix::of(6, 0);
        let whole = 1.0 + 2.0 * HALF_POWER;
        let alone = |channel| surround.mix((0..6).map(|c| f32::from(u8::from(c == channel))));
        assert!(near(alone(0), [1.0 / whole, 0.0]));
        assert!(near(alone(2), [HALF_POWER / whole; 2]));
        assert_eq!(alone(3), [0.0, 0.0]);
        assert!(near(alone(5), [0.0, HALF_POWER / whole]));
    }

    #[test]
    fn a_mask_says_which_speakers_there_are() {
        let front = Matrix::of(3, 0x10B & !8);
        assert!(near(front.mix([0.0, 0.0, 1.0].into_iter()), [1.0 / 3.0, 1.0 / 3.0]));
        assert_eq!(Matrix::of(3, 1), Matrix::of(3, 0), "one speaker for three channels");
    }
}
