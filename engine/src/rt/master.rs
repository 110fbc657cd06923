use song::Hz;

use crate::bank::TINY;
use crate::message::Micros;
use crate::rt::ramp::{Line, Ramp};

/// How long a change of the gain takes: short enough to feel immediate, long enough not to click.
const GLIDE: Micros = Micros::millis(5);

/// The gain of the whole bus, behind all voices and before the meters.
#[derive(Debug)]
pub(crate) struct Master {
    gain: Ramp,
}

impl Master {
    /// At unity.
    pub(crate) const fn new() -> Self {
        Self { gain: Ramp::steady(1.0) }
    }

    /// Glides from where it is to another gain, linear.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set(&mut self, gain: f32, rate: Hz) {
        self.gain = Ramp::new(self.gain.level(), gain, GLIDE.frames(rate));
    }

    /// Applies the gain to its next frames; at unity they stay as they are, to the bit.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn apply(&mut self, left: &mut [f32], right: &mut [f32]) {
        let (mut left, mut right) = (left, right);
        while !left.is_empty() {
            let most = match self.gain.remaining() as usize {
                0 => left.len(),
                remaining => remaining.min(left.len()),
            };
            let (Some((now_left, then_left)), Some((now_right, then_right))) =
                (left.split_at_mut_checked(most), right.split_at_mut_checked(most))
            else {
                return;
            };
            let line = self.gain.line();
            scale(now_left, line);
            scale(now_right, line);
            self.gain.advance(most);
            (left, right) = (then_left, then_right);
        }
    }
}

fn scale(values: &mut [f32], line: Line) {
    let Line { from, slope, at } = line;
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

/// The value, or silence before it is made smaller still. Gains are at least 1e-10, or 0, so no product is denormal.
fn audible(value: f32) -> f32 {
    if value.abs() < TINY { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a constant; four frames are 5 ms.
    fn heard(master: &mut Master, value: f32, frames: usize) -> Vec<f32> {
        let (mut left, mut right) = (vec![value; frames], vec![-value; frames]);
        master.apply(&mut left, &mut right);
        assert!(left.iter().zip(&right).all(|(left, right)| *left == -right));
        left
    }

    fn hz() -> Hz {
        Hz::new(800).unwrap()
    }

    #[test]
    fn a_change_is_a_straight_line_to_the_new_gain() {
        let mut master = Master::new();
        master.set(0.0, hz());
        assert_eq!(heard(&mut master, 1.0, 6), [1.0, 0.75, 0.5, 0.25, 0.0, 0.0]);
    }

    #[test]
    fn a_change_within_a_change_goes_on_from_where_it_is() {
        let mut master = Master::new();
        master.set(0.0, hz());
        assert_eq!(heard(&mut master, 1.0, 2), [1.0, 0.75]);
        master.set(1.0, hz());
        assert_eq!(heard(&mut master, 1.0, 6), [0.5, 0.625, 0.75, 0.875, 1.0, 1.0]);
    }

    #[test]
    fn unity_leaves_every_bit_and_comes_back_to_it() {
        let mut master = Master::new();
        let odd = [1e-40, -0.0, f32::MAX, 0.1];
        let bits = |values: [f32; 4]| values.map(f32::to_bits);
        for gain in [1.0, 0.5, 1.0] {
            master.set(gain, hz());
            heard(&mut master, 1.0, 5);
        }
        let (mut left, mut right) = (odd, odd);
        master.apply(&mut left, &mut right);
        assert_eq!((bits(left), bits(right)), (bits(odd), bits(odd)));
    }

    #[test]
    fn nothing_becomes_denormal() {
        let mut master = Master::new();
        for gain in [1e-10, 0.0, 1e-10] {
            master.set(gain, hz());
            for value in [1e-14, 1e-20, 1e-30, 1e-40] {
                let heard = heard(&mut master, value, 4);
                assert!(heard.iter().all(|value| *value == 0.0 || value.is_normal()), "{heard:?}");
            }
        }
    }
}
