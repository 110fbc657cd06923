//! The way from one pitch to another.

use song::Hz;

use super::cell_timer::CellTimer;
use crate::message::Glide;
use crate::rt::grid::CELL;

/// Where a voice is on its way from one pitch to another, in cents from its own.
///
/// It goes on in steps of a cell, counted from the frame that it began at, in a straight line of cents.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PitchGlide {
    from: f32,
    to: f32,
    /// Steps, and how many of them are done.
    steps: u32,
    at: u32,
    timer: CellTimer,
}

impl PitchGlide {
    /// Goes to another pitch from the present one, or from another.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn follow(&mut self, glide: Glide, rate: Hz) {
        let frames = glide.time.frames(rate);
        let from = glide.from.unwrap_or_else(|| self.cents());
        let steps = frames.div_ceil(CELL as u32);
        let timer = if steps > 0 { CellTimer::wait() } else { CellTimer::default() };
        *self = Self { from, to: glide.to, steps, at: 0, timer };
    }

    /// Returns how far it is from the voice's own pitch, in cents.
    fn cents(&self) -> f32 {
        if self.at >= self.steps {
            return self.to;
        }
        self.from + (self.to - self.from) * self.at as f32 / self.steps as f32
    }

    /// Returns the ratio of frequencies.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn ratio(&self) -> f64 {
        f64::from(self.cents() / 1200.0).exp2()
    }

    /// Returns the number of frames for which the pitch stays, at most `most`.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn segment(&self, most: usize) -> usize {
        self.timer.segment(most)
    }

    /// Goes on by some frames, no more than [`segment`](Self::segment).
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn advance(&mut self, frames: usize) {
        self.timer.advance(frames);
    }

    /// Takes the step that is due at the present frame, if one is; returns whether the pitch is another one now.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn step(&mut self) -> bool {
        if !self.timer.take() {
            return false;
        }
        self.at += 1;
        if self.at < self.steps {
            self.timer = CellTimer::wait();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Micros;

    #[test]
    fn a_glide_goes_in_steps_of_a_cell_and_then_stays() {
        let rate = Hz::new(64_000).unwrap();
        let mut glide = PitchGlide::default();
        glide.follow(Glide { from: Some(-1200.0), to: 0.0, time: Micros::millis(4) }, rate);
        let mut seen = vec![glide.ratio()];
        for _ in 0..10 {
            let frames = glide.segment(48);
            glide.advance(frames);
            if glide.step() {
                seen.push(glide.ratio());
            }
        }
        let steps: Vec<f64> =
            [-1200.0_f64, -900.0, -600.0, -300.0, 0.0].map(|cents| (cents / 1200.0).exp2()).into();
        assert_eq!(seen, steps);
        assert_eq!(glide.segment(9999), 9999);
        glide.follow(Glide { from: None, to: 1200.0, time: Micros::default() }, rate);
        assert_eq!(glide.ratio(), 2.0);
    }
}
