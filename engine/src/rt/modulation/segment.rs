use crate::rt::ramp::LinearRamp;

/// Frames of the longest segment: as many as fit 32 bits.
pub(super) const MAX_SEGMENT: u64 = 1 << 24;

/// A stretch of frames along which the gains of both sides are straight lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    length: u32,
    at: u32,
    /// Gains where it begins and ends, left and right.
    from: [f32; 2],
    to: [f32; 2],
    /// What is added to both with each frame.
    slopes: [f32; 2],
}

impl Segment {
    /// Returns an empty segment that ends at some gains.
    pub(super) const fn at(to: [f32; 2]) -> Self {
        Self { length: 0, at: 0, from: to, to, slopes: [0.0; 2] }
    }

    pub(super) const fn is_over(&self) -> bool {
        self.at >= self.length
    }

    pub(super) const fn length(&self) -> u32 {
        self.length
    }

    pub(super) const fn remaining(&self) -> usize {
        self.length.saturating_sub(self.at) as usize
    }

    /// Begins the next segment, from where this one ends.
    pub(super) fn follow(&mut self, length: u32, to: [f32; 2]) {
        let (from, frames) = (self.to, length.max(1) as f32);
        let ([left, right], [to_left, to_right]) = (from, to);
        let slopes = [(to_left - left) / frames, (to_right - right) / frames];
        *self = Self { length, at: 0, from, to, slopes };
    }

    /// Ends at the present frame; returns the frames that it has taken, none if it is over.
    pub(super) fn cut(&mut self) -> Option<u32> {
        if self.is_over() {
            return None;
        }
        self.to = self.levels();
        self.length = self.at;
        Some(self.at)
    }

    pub(super) const fn advance(&mut self, frames: usize) {
        self.at = self.at.saturating_add(frames as u32);
    }

    /// Returns the gains at its present frame.
    pub(super) fn levels(&self) -> [f32; 2] {
        if self.is_over() {
            return self.to;
        }
        let [left, right] = self.slopes;
        let [from_left, from_right] = self.from;
        let at = self.at as f32;
        [from_left + left * at, from_right + right * at]
    }

    /// Returns what is added to both gains with each frame.
    pub(super) const fn slopes(&self) -> [f32; 2] {
        self.slopes
    }

    /// Returns both gains as lines from the present frame on.
    pub(super) const fn lines(&self) -> [LinearRamp; 2] {
        let ([left, right], [left_slope, right_slope], at) = (self.from, self.slopes, self.at);
        [LinearRamp { from: left, slope: left_slope, at }, LinearRamp { from: right, slope: right_slope, at }]
    }
}

/// Adds frames as loud as two lines say.
pub(super) fn add(from: &[f32], to: &mut [f32], one: LinearRamp, other: LinearRamp) {
    // Vectors count frames with a sign.
    let (one_at, other_at) = (one.at as i32, other.at as i32);
    for ((from, to), frame) in from.iter().zip(to).zip(0_i32..) {
        let gain = one.from + one.slope * (one_at + frame) as f32;
        *to += from * gain * (other.from + other.slope * (other_at + frame) as f32);
    }
}
