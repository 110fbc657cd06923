//! How loud it is, as it is shown: what was loud is seen for a while.

use std::time::Duration;

/// How long a peak is held before it falls.
const HOLD: Duration = Duration::from_millis(1500);
/// How long the sign that a side was too loud stays.
const WARNED: Duration = Duration::from_secs(3);
/// How far what is shown falls at each tick, as a factor.
const FALL: f32 = 0.9;

/// One side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelMeter {
    /// Linear; falls at once, but slowly.
    pub level: f32,
    /// The highest level of late; held, then falling.
    pub peak: f32,
    /// When the peak was.
    since: Duration,
    /// Until when the sign stays that it was beyond full scale.
    warned_until: Option<Duration>,
}

impl LevelMeter {
    /// With a highest value, linear.
    pub fn update(&mut self, value: f32, now: Duration) {
        self.level = self.level.max(value);
        if value >= self.peak {
            (self.peak, self.since) = (value, now);
        }
        if value > 1.0 {
            self.warned_until = Some(now + WARNED);
        }
    }

    /// Time has passed.
    pub fn fall(&mut self, now: Duration) {
        self.level *= FALL;
        if now.saturating_sub(self.since) >= HOLD {
            self.peak = (self.peak * FALL).max(self.level);
        }
        self.warned_until.take_if(|until| *until <= now);
    }

    /// Returns whether it was beyond full scale of late.
    #[must_use]
    pub const fn is_warned(&self) -> bool {
        self.warned_until.is_some()
    }
}

/// How far the limiter turns down, linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limited(pub f32);

impl Default for Limited {
    /// Not at all.
    fn default() -> Self {
        Self(1.0)
    }
}

impl Limited {
    /// With a lowest gain.
    pub const fn hear(&mut self, gain: f32) {
        self.0 = self.0.min(gain);
    }

    /// Time has passed.
    pub fn fall(&mut self) {
        self.0 = 1.0 - (1.0 - self.0) * FALL;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_peak_is_held_for_a_second_and_a_half_while_the_level_falls() {
        let mut meter = LevelMeter::default();
        meter.update(0.5, ms(0));
        meter.fall(ms(33));
        assert_eq!((meter.level, meter.peak), (0.45, 0.5));
        meter.update(0.25, ms(40));
        meter.fall(ms(1499));
        assert_eq!(meter.peak, 0.5, "a lower one does not hold it longer");
        meter.fall(ms(1500));
        assert_eq!(meter.peak, 0.45);
        meter.update(0.6, ms(1600));
        assert_eq!((meter.level, meter.peak), (0.6, 0.6));
    }

    #[test]
    fn what_is_beyond_full_scale_is_reported_for_three_seconds_and_full_scale_is_not() {
        let mut meter = LevelMeter::default();
        meter.update(1.0, ms(0));
        assert!(!meter.is_warned());
        meter.update(1.01, ms(0));
        meter.fall(ms(2999));
        assert!(meter.is_warned());
        meter.fall(ms(3000));
        assert!(!meter.is_warned());
    }

    #[test]
    fn the_lowest_gain_of_the_limiter_is_shown_and_comes_back_by_degrees() {
        let mut limited = Limited::default();
        limited.hear(0.5);
        limited.hear(0.9);
        assert_eq!(limited.0, 0.5);
        limited.fall();
        assert_eq!(limited.0, 0.55);
    }
}
