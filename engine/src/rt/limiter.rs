//! Keeps the output below full scale, between its frames as well.
//!
//! ```text
//! in ──┬──────────────── delay, 64 frames ─────────────────► × ──► out, at most -1 dB true peak
//!      └─► peak ─► gain that keeps it ─► lowest of 50 ─► release ─► mean of 49 ─┘
//! ```
//!
//! The gain is down before the peak that needs it comes out of the delay: each of the 49 values that are averaged for a
//! frame is already as low as that frame and the points beside it need. So the mean is never above what is
//! needed, and it falls in a straight line rather than at once. Gains are integers: a sum that goes with the window
//! never drifts, and what needs no limiting passes to the bit.

mod lowest;
mod peak;

use song::Hz;

use crate::rt::bus::MAX_BLOCK;
use lowest::SlidingMinimum;
use peak::{LATE, PeakFinder};

/// Frames by which the output comes later.
pub(crate) const DELAY: usize = 64;

/// Frames over which the gain is averaged: what is left of the delay when a peak has been found.
const WINDOW: usize = DELAY - LATE;

/// The gain that changes nothing.
const UNITY: u32 = 1 << 30;

/// What no true peak exceeds, -1 dB, linear. The peaks found between frames can be 0.7 dB too low for what lies just
/// below half the rate; this leaves room for that.
const CEILING: f32 = 0.891_250_94;

/// Time constant of the release.
const RELEASE_SECONDS: f64 = 0.08;

/// A look-ahead limiter with one gain for both sides, so that the stereo image stays.
#[derive(Debug)]
pub(crate) struct Limiter {
    left: Delay,
    right: Delay,
    peaks: PeakFinder,
    lowest: SlidingMinimum,
    /// The gain after the release.
    released: u32,
    /// Part of the way back to unity in a frame, in 2^-32.
    release: u64,
    /// The gains that are averaged; the oldest is at `oldest`.
    gains: [u32; WINDOW],
    oldest: usize,
    sum: u64,
    /// The lowest gain since this was last asked.
    reduced_to: u32,
    /// Frames since the last that was not silent, up to the delay.
    silent: usize,
}

impl Limiter {
    /// Creates a limiter with silence in its delay.
    ///
    /// # Real-time
    /// Never: works out its filters.
    pub(crate) fn new(rate: Hz) -> Self {
        let mut limiter = Self {
            left: Delay::new(),
            right: Delay::new(),
            peaks: PeakFinder::new(),
            lowest: SlidingMinimum::new(),
            released: UNITY,
            release: 0,
            gains: [UNITY; WINDOW],
            oldest: 0,
            sum: u64::from(UNITY) * WINDOW as u64,
            reduced_to: UNITY,
            silent: DELAY,
        };
        limiter.set_rate(rate);
        limiter
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn set_rate(&mut self, rate: Hz) {
        let part = 1.0 - (-1.0 / (RELEASE_SECONDS * f64::from(rate.get()))).exp();
        // The cast saturates; the part is between 0 and 1.
        self.release = (part * f64::from(u32::MAX)) as u64;
    }

    /// Returns whether nothing is left in it that could be heard.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn is_empty(&self) -> bool {
        self.silent >= DELAY
    }

    /// Returns the lowest gain since this was last asked, linear.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn take_lowest(&mut self) -> f32 {
        linear(std::mem::replace(&mut self.reduced_to, UNITY))
    }

    /// Puts some frames in, at most [`MAX_BLOCK`], and as many earlier ones in their place. How they are cut changes no
    /// bit.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn apply(&mut self, left: &mut [f32], right: &mut [f32]) {
        let frames = left.len().min(right.len()).min(MAX_BLOCK);
        self.count_silence(left, right);
        self.left.push(left);
        self.right.push(right);
        let Self { left: delayed_left, right: delayed_right, peaks, .. } = self;
        let peaks = peaks.find(delayed_left.recent(frames), delayed_right.recent(frames), frames);
        let mut needed = [UNITY; MAX_BLOCK];
        for (needed, &peak) in needed.iter_mut().zip(peaks) {
            *needed = gain_for(peak);
        }
        let sides = self.left.delayed(frames).iter().zip(self.right.delayed(frames));
        let (oldest, sum) = (&mut self.oldest, &mut self.sum);
        for (((needed, (&in_left, &in_right)), out_left), out_right) in
            needed.iter().zip(sides).zip(left).zip(right)
        {
            let lowest = self.lowest.after(*needed);
            let back = (u64::from(UNITY - self.released) * self.release) >> 32;
            self.released = (self.released + back as u32 + 1).min(UNITY).min(lowest);
            if let Some(place) = self.gains.get_mut(*oldest) {
                *sum = *sum + u64::from(self.released) - u64::from(*place);
                *place = self.released;
            }
            *oldest = (*oldest + 1) % WINDOW;
            let gain = (*sum / WINDOW as u64) as u32;
            self.reduced_to = self.reduced_to.min(gain);
            (*out_left, *out_right) = (scaled(in_left, gain), scaled(in_right, gain));
        }
        self.left.advance(frames);
        self.right.advance(frames);
    }

    fn count_silence(&mut self, left: &[f32], right: &[f32]) {
        let last = left.iter().zip(right).rposition(|(left, right)| *left != 0.0 || *right != 0.0);
        let silent = match last {
            Some(last) => left.len() - 1 - last,
            None => self.silent.saturating_add(left.len()),
        };
        self.silent = silent.min(DELAY);
    }
}

/// Returns the highest gain that keeps a peak below the ceiling.
fn gain_for(peak: f32) -> u32 {
    if peak <= CEILING {
        return UNITY;
    }
    // Rounded down, so what comes out is not above the ceiling. What is no number is let through by no gain.
    (f64::from(CEILING) / f64::from(peak) * f64::from(UNITY)) as u32
}

fn linear(gain: u32) -> f32 {
    gain as f32 / UNITY as f32
}

fn scaled(value: f32, gain: u32) -> f32 {
    if gain == UNITY { value } else { value * linear(gain) }
}

/// One side: what is still to come out, and room for a block after it.
#[derive(Debug)]
struct Delay {
    values: [f32; DELAY + MAX_BLOCK],
}

impl Delay {
    const fn new() -> Self {
        Self { values: [0.0; DELAY + MAX_BLOCK] }
    }

    /// Puts a block after what is there.
    fn push(&mut self, block: &[f32]) {
        for (place, value) in self.values.iter_mut().skip(DELAY).zip(block) {
            *place = *value;
        }
    }

    /// Returns what comes out for so many frames.
    fn delayed(&self, frames: usize) -> &[f32] {
        self.values.get(..frames).unwrap_or_default()
    }

    /// Returns the latest frames, with those before them that [`PeakFinder::find`] looks at.
    fn recent(&self, frames: usize) -> &[f32] {
        self.values.get(DELAY + 1 - peak::TAPS..DELAY + frames).unwrap_or_default()
    }

    /// Moves on by so many frames.
    fn advance(&mut self, frames: usize) {
        self.values.copy_within(frames.min(MAX_BLOCK)..frames.min(MAX_BLOCK) + DELAY, 0);
    }
}

#[cfg(test)]
mod tests;
