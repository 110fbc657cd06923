use song::Hz;

use crate::bank::DENORMAL_FLOOR;
use crate::message::Micros;
use crate::rt::ramp::{LinearRamp, Ramp};

/// How long a change of the gain takes: short enough to feel immediate, long enough not to click.
pub(crate) const GLIDE: Micros = Micros::millis(5);

/// A gain for each side of what has been added up: of a strip, or of the whole output.
#[derive(Debug)]
pub(crate) struct Fader {
    left: Ramp,
    right: Ramp,
}

impl Fader {
    /// At gains, linear.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn at(left: f32, right: f32) -> Self {
        Self { left: Ramp::constant(left), right: Ramp::constant(right) }
    }

    /// Glides from where it is to other gains, linear.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set(&mut self, left: f32, right: f32, rate: Hz) {
        let glide = |ramp: &Ramp, gain| Ramp::new(ramp.level(), gain, GLIDE.frames(rate));
        *self = Self { left: glide(&self.left, left), right: glide(&self.right, right) };
    }

    /// Returns whether it changes nothing, and will not before it is set again.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn is_open(&self) -> bool {
        self.remaining().is_none() && self.left.level() == 1.0 && self.right.level() == 1.0
    }

    /// Returns whether it lets nothing pass, and will not before it is set again.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn is_closed(&self) -> bool {
        self.remaining().is_none() && self.left.level() == 0.0 && self.right.level() == 0.0
    }

    /// Returns the gains of both sides for its next frames, up to [`remaining`](Self::remaining) of them.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn lines(&self) -> [LinearRamp; 2] {
        [self.left.line(), self.right.line()]
    }

    /// Goes on by some frames.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn advance(&mut self, frames: usize) {
        self.left.advance(frames);
        self.right.advance(frames);
    }

    /// Returns the number of frames until it has stopped gliding, if it glides.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn remaining(&self) -> Option<u64> {
        let rest = self.left.remaining().max(self.right.remaining());
        (rest > 0).then_some(rest.into())
    }

    /// Applies the gains to its next frames; at unity they stay as they are, to the bit.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn apply(&mut self, left: &mut [f32], right: &mut [f32]) {
        follow(&mut self.left, left);
        follow(&mut self.right, right);
    }
}

fn follow(ramp: &mut Ramp, plane: &mut [f32]) {
    let mut plane = plane;
    while !plane.is_empty() {
        let most = match ramp.remaining() as usize {
            0 => plane.len(),
            remaining => remaining.min(plane.len()),
        };
        let Some((now, then)) = plane.split_at_mut_checked(most) else { return };
        scale(now, ramp.line());
        ramp.advance(most);
        plane = then;
    }
}

fn scale(values: &mut [f32], line: LinearRamp) {
    let LinearRamp { from, slope, at } = line;
    if slope != 0.0 {
        for (value, i) in values.iter_mut().zip(at..) {
            *value = audible(*value) * (from + slope * i as f32);
        }
    } else if from != 1.0 {
        for value in values {
            *value = audible(*value) * from;
        }
    }
}

/// Returns the value, or silence before it is made smaller still. Gains are at least 1e-10, or 0, so no product is
/// denormal.
fn audible(value: f32) -> f32 {
    if value.abs() < DENORMAL_FLOOR { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what becomes of a constant; four frames are 5 ms.
    fn heard(fader: &mut Fader, value: f32, frames: usize) -> Vec<f32> {
        let (mut left, mut right) = (vec![value; frames], vec![-value; frames]);
        fader.apply(&mut left, &mut right);
        assert!(left.iter().zip(&right).all(|(left, right)| *left == -right));
        left
    }

    fn hz() -> Hz {
        Hz::new(800).unwrap()
    }

    #[test]
    fn a_change_is_a_straight_line_to_the_new_gain() {
        let mut fader = Fader::at(1.0, 1.0);
        fader.set(0.0, 0.0, hz());
        assert_eq!(heard(&mut fader, 1.0, 6), [1.0, 0.75, 0.5, 0.25, 0.0, 0.0]);
    }

    #[test]
    fn a_change_within_a_change_goes_on_from_where_it_is() {
        let mut fader = Fader::at(1.0, 1.0);
        fader.set(0.0, 0.0, hz());
        assert_eq!(heard(&mut fader, 1.0, 2), [1.0, 0.75]);
        fader.set(1.0, 1.0, hz());
        assert_eq!(heard(&mut fader, 1.0, 6), [0.5, 0.625, 0.75, 0.875, 1.0, 1.0]);
    }

    #[test]
    fn unity_leaves_every_bit_and_comes_back_to_it() {
        let mut fader = Fader::at(1.0, 1.0);
        let odd = [1e-40, -0.0, f32::MAX, 0.1];
        let bits = |values: [f32; 4]| values.map(f32::to_bits);
        for gain in [1.0, 0.5, 1.0] {
            fader.set(gain, gain, hz());
            heard(&mut fader, 1.0, 5);
        }
        let (mut left, mut right) = (odd, odd);
        fader.apply(&mut left, &mut right);
        assert_eq!((bits(left), bits(right)), (bits(odd), bits(odd)));
    }

    #[test]
    fn each_side_has_its_own_gain() {
        let mut fader = Fader::at(1.0, 1.0);
        assert!(fader.is_open());
        fader.set(1.0, 0.5, hz());
        assert!(!fader.is_open(), "it glides");
        let (mut left, mut right) = ([1.0; 6], [1.0; 6]);
        fader.apply(&mut left, &mut right);
        assert_eq!((left, right), ([1.0; 6], [1.0, 0.875, 0.75, 0.625, 0.5, 0.5]));
        fader.set(1.0, 1.0, hz());
        fader.apply(&mut [1.0; 4], &mut [1.0; 4]);
        assert!(fader.is_open());
    }

    #[test]
    fn nothing_becomes_denormal() {
        let mut fader = Fader::at(1.0, 1.0);
        for gain in [1e-10, 0.0, 1e-10] {
            fader.set(gain, gain, hz());
            for value in [1e-14, 1e-20, 1e-30, 1e-40] {
                let heard = heard(&mut fader, value, 4);
                assert!(heard.iter().all(|value| *value == 0.0 || value.is_normal()), "{heard:?}");
            }
        }
    }
}
