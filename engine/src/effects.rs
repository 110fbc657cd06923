//! Parameters of the effects that strips send to.

use std::time::Duration;

use song::Decibels;

use crate::message::Micros;

/// Parameters of the reverb, which all strips share. See [`Controller::set_reverb`].
///
/// Noise that is sent at 0 dB returns 0 to 6 dB quieter, whatever the decay time.
///
/// [`Controller::set_reverb`]: crate::Controller::set_reverb
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReverbParams {
    /// Time in which low frequencies fall by 60 dB (T60), [`MIN_DECAY`](Self::MIN_DECAY) to
    /// [`MAX_DECAY`](Self::MAX_DECAY).
    pub decay: Duration,
    /// Frequency that decays in half that time, in hertz; higher ones decay faster.
    /// [`MIN_DAMPING`](Self::MIN_DAMPING) to [`MAX_DAMPING`](Self::MAX_DAMPING).
    pub damping: f32,
    /// Time before the reverb begins, at most [`MAX_PRE_DELAY`](Self::MAX_PRE_DELAY).
    pub pre_delay: Duration,
    /// Gain of its return, 12 dB at most.
    pub gain: Decibels,
}

impl ReverbParams {
    /// The shortest decay.
    pub const MIN_DECAY: Duration = Duration::from_millis(100);
    /// The longest decay.
    pub const MAX_DECAY: Duration = Duration::from_secs(30);
    /// The lowest damping frequency, in hertz.
    pub const MIN_DAMPING: f32 = 200.0;
    /// The highest damping frequency, in hertz.
    pub const MAX_DAMPING: f32 = 20_000.0;
    /// The longest pre-delay.
    pub const MAX_PRE_DELAY: Duration = Duration::from_millis(250);

    /// Returns the time after the end of the input until the reverb has fallen by 60 dB.
    #[must_use]
    pub fn tail(&self) -> Duration {
        let within = self.within();
        within.pre_delay + crate::rt::effects::reverb::ONSET + within.decay
    }

    /// Returns the nearest parameters within all limits.
    fn within(self) -> Self {
        Self {
            decay: self.decay.clamp(Self::MIN_DECAY, Self::MAX_DECAY),
            damping: clamped(self.damping, Self::MIN_DAMPING, Self::MAX_DAMPING),
            pre_delay: self.pre_delay.min(Self::MAX_PRE_DELAY),
            gain: self.gain,
        }
    }

    /// Returns what the audio thread needs to know, with a bounded linear gain.
    pub(crate) fn resolve(&self, gain: f32) -> ReverbSetting {
        let Self { decay, damping, pre_delay, .. } = self.within();
        ReverbSetting {
            decay: Micros::from_duration(decay),
            damping,
            pre_delay: Micros::from_duration(pre_delay),
            gain,
        }
    }
}

/// A medium hall.
impl Default for ReverbParams {
    fn default() -> Self {
        Self {
            decay: Duration::from_millis(1800),
            damping: 5000.0,
            pre_delay: Duration::from_millis(10),
            gain: Decibels::UNITY,
        }
    }
}

/// Parameters of the delay, which all strips share. See [`Controller::set_delay`].
///
/// The first echo is as loud as the input; each later one is the one before times `feedback`, filtered.
///
/// [`Controller::set_delay`]: crate::Controller::set_delay
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelayParams {
    /// Time from one echo to the next, [`MIN_TIME`](Self::MIN_TIME) to [`MAX_TIME`](Self::MAX_TIME).
    pub time: Duration,
    /// Gain from one echo to the next, 0 to [`MAX_FEEDBACK`](Self::MAX_FEEDBACK).
    pub feedback: f32,
    /// Cutoff frequency of the low-pass filter in the feedback, in hertz: [`MIN_TONE`](Self::MIN_TONE) to
    /// [`MAX_TONE`](Self::MAX_TONE), at which there is no filter.
    pub tone: f32,
    /// Whether echoes alternate between left and right. The input is mixed to mono, and the first echo is on the left.
    pub ping_pong: bool,
    /// Gain of its return, 12 dB at most.
    pub gain: Decibels,
}

impl DelayParams {
    /// The shortest time.
    pub const MIN_TIME: Duration = Duration::from_millis(10);
    /// The longest time.
    pub const MAX_TIME: Duration = Duration::from_secs(4);
    /// The most feedback.
    pub const MAX_FEEDBACK: f32 = 0.95;
    /// The lowest cutoff frequency, in hertz.
    pub const MIN_TONE: f32 = 200.0;
    /// The highest cutoff frequency, in hertz, at which there is no filter.
    pub const MAX_TONE: f32 = 20_000.0;

    /// Returns the time after the end of the input until the echoes have fallen by 60 dB.
    #[must_use]
    pub fn tail(&self) -> Duration {
        let Self { time, feedback, .. } = self.within();
        let (mut echoes, mut gain) = (1, feedback);
        while gain > 1e-3 {
            echoes += 1;
            gain *= feedback;
        }
        time * echoes
    }

    /// Returns the nearest parameters within all limits.
    fn within(self) -> Self {
        Self {
            time: self.time.clamp(Self::MIN_TIME, Self::MAX_TIME),
            feedback: clamped(self.feedback, 0.0, Self::MAX_FEEDBACK),
            tone: clamped(self.tone, Self::MIN_TONE, Self::MAX_TONE),
            ..self
        }
    }

    /// Returns what the audio thread needs to know, with a bounded linear gain.
    pub(crate) fn resolve(&self, gain: f32) -> DelaySetting {
        let Self { time, feedback, tone, ping_pong, .. } = self.within();
        let tone = (tone < Self::MAX_TONE).then_some(tone);
        DelaySetting { time: Micros::from_duration(time), feedback, tone, ping_pong, gain }
    }
}

/// Ping-pong echoes in dotted eighths at 120 beats per minute.
impl Default for DelayParams {
    fn default() -> Self {
        Self {
            time: Duration::from_millis(375),
            feedback: 0.4,
            tone: 4000.0,
            ping_pong: true,
            gain: Decibels::UNITY,
        }
    }
}

/// Returns the nearest value within limits, the lowest for what is not a number.
const fn clamped(value: f32, min: f32, max: f32) -> f32 {
    value.max(min).min(max)
}

/// The reverb as the audio thread needs to know it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ReverbSetting {
    pub(crate) decay: Micros,
    /// In hertz.
    pub(crate) damping: f32,
    pub(crate) pre_delay: Micros,
    /// Linear.
    pub(crate) gain: f32,
}

/// The delay as the audio thread needs to know it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "remote", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct DelaySetting {
    pub(crate) time: Micros,
    pub(crate) feedback: f32,
    /// In hertz; none for no filter.
    pub(crate) tone: Option<f32>,
    pub(crate) ping_pong: bool,
    /// Linear.
    pub(crate) gain: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_are_out_of_range_or_no_numbers_become_the_nearest_limits() {
        let wild = ReverbParams {
            decay: Duration::MAX,
            damping: f32::NAN,
            pre_delay: Duration::MAX,
            ..ReverbParams::default()
        };
        let setting = wild.resolve(1.0);
        assert_eq!(setting.decay.duration(), ReverbParams::MAX_DECAY);
        assert_eq!(setting.damping, ReverbParams::MIN_DAMPING);
        assert_eq!(setting.pre_delay.duration(), ReverbParams::MAX_PRE_DELAY);
        let wild = DelayParams { time: Duration::ZERO, feedback: f32::NAN, ..DelayParams::default() };
        let setting = DelayParams { tone: f32::INFINITY, ..wild }.resolve(1.0);
        assert_eq!((setting.time.duration(), setting.feedback), (DelayParams::MIN_TIME, 0.0));
        assert_eq!(setting.tone, None);
        assert_eq!(DelayParams { feedback: 7.0, ..wild }.resolve(1.0).feedback, DelayParams::MAX_FEEDBACK);
    }

    #[test]
    fn a_tail_lasts_until_sixty_decibels_are_gone() {
        let seconds = |decay| ReverbParams { decay: Duration::from_secs(decay), ..ReverbParams::default() };
        assert_eq!(seconds(3).tail() - seconds(2).tail(), Duration::from_secs(1));
        assert_eq!(seconds(100).tail(), seconds(30).tail());
        let echoes =
            |feedback| DelayParams { feedback, time: Duration::from_secs(1), ..DelayParams::default() };
        // 0.5^10 is the first below a thousandth; the first echo comes before the first gain.
        let tails = [0.0, 0.5, 1.0].map(|feedback| echoes(feedback).tail().as_secs());
        assert_eq!(tails, [1, 10, 135]);
    }
}
