/// A straight line from one level to another, then level.
///
/// Each value is found from the line's origin, never from the value before it, so it does not matter where the frames
/// are cut into blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ramp {
    from: f32,
    slope: f32,
    to: f32,
    /// Frames since the origin, at most `length`.
    at: u32,
    length: u32,
}

impl Ramp {
    /// Creates a ramp that is level from the start.
    pub(crate) const fn constant(level: f32) -> Self {
        Self { from: level, slope: 0.0, to: level, at: 0, length: 0 }
    }

    /// From one level to another within some frames, at most 2^31; at once if these are none.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn new(from: f32, to: f32, length: u32) -> Self {
        if length == 0 {
            return Self::constant(to);
        }
        // Vectors count frames with a sign.
        let length = length.min(i32::MAX as u32);
        Self { from, slope: (to - from) / length as f32, to, at: 0, length }
    }

    /// Returns the number of frames until it is level.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn remaining(&self) -> u32 {
        self.length - self.at
    }

    /// Returns the level at its present frame.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn level(&self) -> f32 {
        let line = self.line();
        line.from + line.slope * line.at as f32
    }

    /// Returns the line it follows for the next [`remaining`](Self::remaining) frames, or for ever once it is level.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn line(&self) -> LinearRamp {
        if self.at < self.length {
            LinearRamp { from: self.from, slope: self.slope, at: self.at }
        } else {
            LinearRamp { from: self.to, slope: 0.0, at: 0 }
        }
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn advance(&mut self, frames: usize) {
        let frames = u32::try_from(frames).unwrap_or(u32::MAX);
        self.at = self.at.saturating_add(frames).min(self.length);
    }
}

/// `from + slope × (at + i)` for the frames `i` = 0, 1, 2…
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinearRamp {
    pub(crate) from: f32,
    pub(crate) slope: f32,
    pub(crate) at: u32,
}

impl LinearRamp {
    /// Creates a ramp that stays at a level.
    pub(crate) const fn level(from: f32) -> Self {
        Self { from, slope: 0.0, at: 0 }
    }

    /// Returns it so many times as high.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn scaled(self, by: f32) -> Self {
        Self { from: self.from * by, slope: self.slope * by, at: self.at }
    }

    /// Returns it as it is some frames later.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn later(self, frames: usize) -> Self {
        Self { at: self.at.saturating_add(frames as u32), ..self }
    }

    /// Returns the product with another, unless both rise or fall.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn times(self, other: Self) -> Option<Self> {
        match (self.slope == 0.0, other.slope == 0.0) {
            (_, true) => Some(self.scaled(other.from)),
            (true, false) => Some(other.scaled(self.from)),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_is_the_same_however_it_is_cut() {
        let mut whole = Ramp::new(1.0, 0.0, 7);
        whole.advance(5);
        let mut cut = Ramp::new(1.0, 0.0, 7);
        (0..5).for_each(|_| cut.advance(1));
        assert_eq!(whole, cut);
        assert_eq!(whole.remaining(), 2);
    }

    #[test]
    fn a_ramp_ends_exactly_where_it_should() {
        let mut ramp = Ramp::new(0.25, 1.0, 3);
        assert_eq!(ramp.level(), 0.25);
        ramp.advance(2);
        assert_eq!(ramp.level(), 0.75);
        ramp.advance(9);
        assert_eq!((ramp.level(), ramp.remaining()), (1.0, 0));
    }

    #[test]
    fn no_frames_are_a_jump() {
        assert_eq!(Ramp::new(0.0, 1.0, 0).level(), 1.0);
    }
}
