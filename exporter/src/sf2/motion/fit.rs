//! The envelopes of a `SoundFont` that are closest to others: measured, and searched for.

use song::{EnvelopePosition, SegmentCurve, SegmentEnvelope};

use super::{DECAY, PLAYED};

/// Seconds from one value to the next.
const STEP: f32 = 0.004;
/// Values of an envelope that are looked at: 20 seconds.
const MAX_VALUES: usize = 5000;
/// The largest difference that is not worth mentioning, of full level.
const CLOSE: f32 = 0.03;
/// The largest difference of a convex attack from one made of a few straight lines, of full level. A single straight
/// line is farther away.
const POLYLINE: f32 = 0.1;
/// Silence.
const SILENCE: f32 = 0.001;

/// The volume envelope: linear attack, decay and release in decibels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amplitude {
    pub(super) delay: f32,
    pub(super) attack: f32,
    pub(super) hold: f32,
    /// Seconds for 100 dB.
    pub(super) decay: f32,
    /// Level, 0..=1.
    pub(super) sustain: f32,
    /// Seconds for 100 dB.
    pub(super) release: f32,
    /// The highest level.
    pub(super) peak: f32,
    /// Octaves by which the hold and the decay are longer for each key upwards.
    pub(super) by_key: [f32; 2],
}

/// The modulation envelope: a convex attack and straight lines down, between two levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Modulation {
    pub(super) delay: f32,
    pub(super) attack: f32,
    pub(super) hold: f32,
    /// Seconds for the whole way down.
    pub(super) decay: f32,
    /// Part of the way up that is left after the decay.
    pub(super) sustain: f32,
    pub(super) release: f32,
    /// Levels of the envelope that its 0 and 1 stand for.
    pub(super) low: f32,
    pub(super) high: f32,
    /// Octaves by which the hold and the decay are longer for each key upwards.
    pub(super) by_key: [f32; 2],
}

/// Returns the product of envelopes step by step: while a key is held, and from its release at the end of that on.
fn values(envelopes: &[&SegmentEnvelope]) -> (Vec<f32>, Vec<f32>) {
    let mut positions: Vec<EnvelopePosition> =
        envelopes.iter().map(|envelope| EnvelopePosition::new(envelope, PLAYED)).collect();
    let mut walk = |is_held: bool| {
        if !is_held {
            positions.iter_mut().zip(envelopes).for_each(|(at, envelope)| at.release(envelope, PLAYED));
        }
        let mut values = Vec::new();
        while values.len() < MAX_VALUES {
            let all = positions.iter().zip(envelopes);
            values.push(all.map(|(at, envelope)| at.value(envelope, 0.0)).product());
            if positions.iter().zip(envelopes).all(|(at, envelope)| at.is_level(envelope)) {
                break;
            }
            for (at, envelope) in positions.iter_mut().zip(envelopes) {
                at.advance(envelope, PLAYED, STEP.into(), is_held);
            }
        }
        values
    };
    let held = walk(true);
    (held, walk(false))
}

/// Returns the time for 100 dB with which a fall from a level to another is closest to some values, and how far it is.
fn fall(values: &[f32], from: f32, to: f32) -> (f32, f32) {
    let mut best = (0.001, f32::INFINITY);
    // From a millisecond to 100 seconds in steps of 4 %.
    for step in 0..300_u16 {
        let seconds = 0.001 * 1.04_f32.powi(step.into());
        let ratio = 10_f32.powf(-DECAY / 20.0 * STEP / seconds);
        let (mut level, mut sum) = (from, 0.0);
        for value in values {
            sum += (level.max(to) - value).powi(2);
            level *= ratio;
        }
        if sum < best.1 {
            best = (seconds, sum);
        }
    }
    best
}

/// Returns the mean of a loop, or where it stays.
fn sustained(values: &[f32]) -> f32 {
    let last = values.last().copied().unwrap_or_default();
    if values.len() < MAX_VALUES {
        return last;
    }
    let half = values.get(MAX_VALUES / 2..).unwrap_or_default();
    half.iter().sum::<f32>() / half.len().max(1) as f32
}

impl Amplitude {
    /// Returns the closest one, and whether it is close.
    pub(super) fn fit(amplitude: &SegmentEnvelope, others: &[&SegmentEnvelope]) -> (Self, bool) {
        let all: Vec<&SegmentEnvelope> = [amplitude].into_iter().chain(others.iter().copied()).collect();
        let (held, released) = values(&all);
        let peak = held.iter().copied().fold(SILENCE, f32::max);
        let level = |value: &f32| value / peak;
        let held: Vec<f32> = held.iter().map(level).collect();
        let before = held.iter().take_while(|value| **value < SILENCE).count();
        let delayed = before.saturating_sub(1);
        let top = held.iter().position(|value| *value >= 0.999).unwrap_or_default();
        let sustain = match sustained(&held) {
            low if low < SILENCE => 0.0,
            level => level.min(1.0),
        };
        let after = held.get(top..).unwrap_or_default();
        // The hold may last as long as half of the level is there.
        let longest = after.iter().take_while(|value| **value > 0.5 + 0.5 * sustain).count();
        let holds = (0..=8).map(|part| longest * part / 8);
        let fits = holds.map(|hold| {
            let flat: f32 = after.iter().take(hold).map(|value| (1.0 - value).powi(2)).sum();
            let (decay, rest) = fall(after.get(hold..).unwrap_or_default(), 1.0, sustain);
            (hold, decay, flat + rest)
        });
        let best = fits.min_by(|one, other| one.2.total_cmp(&other.2));
        let (hold, decay, _) = best.unwrap_or((0, 0.001, 0.0));
        let first = released.first().copied().unwrap_or_default();
        let last = released.last().copied().unwrap_or_default();
        let release = if last < SILENCE * peak { fall(&released, first, 0.0).0 } else { 101.0 };
        let seconds = |steps: usize| steps as f32 * STEP;
        let found = Self {
            delay: seconds(delayed),
            attack: seconds(top.saturating_sub(delayed)),
            hold: seconds(hold),
            decay: if sustain >= 1.0 { 0.0 } else { decay },
            sustain,
            release,
            peak,
            by_key: [0.0; 2],
        };
        let is_close =
            held.iter().enumerate().all(|(at, value)| (found.at(seconds(at)) - value).abs() < CLOSE);
        let fades = |(at, value): (usize, &f32)| {
            let level = first * 10_f32.powf(-DECAY / 20.0 * seconds(at) / release);
            (level - value).abs() < CLOSE * peak
        };
        (found, is_close && released.iter().enumerate().all(fades))
    }

    /// Returns its level at a time while the key is held, of its peak.
    fn at(&self, seconds: f32) -> f32 {
        let seconds = seconds - self.delay;
        let decaying = seconds - self.attack - self.hold;
        match () {
            () if seconds < 0.0 => 0.0,
            () if seconds < self.attack => seconds / self.attack,
            () if decaying <= 0.0 || self.decay <= 0.0 => 1.0,
            () => 10_f32.powf(-DECAY / 20.0 * decaying / self.decay).max(self.sustain),
        }
    }
}

impl Modulation {
    /// Returns the closest one, and whether it is close.
    pub(super) fn fit(envelope: &SegmentEnvelope) -> (Self, bool) {
        let (held, _) = values(&[envelope]);
        let is_same = |found: &Self| found.difference(&held) < POLYLINE;
        if let Some(found) = Self::stages(envelope).filter(is_same) {
            return (found, true);
        }
        let low = held.iter().copied().fold(f32::INFINITY, f32::min);
        let high = held.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if high - low < SILENCE {
            return (Self::between(&held, low, low + 1.0), true);
        }
        // Up and down, or down and up, whichever is closer.
        let ways = [(low, high), (high, low)].map(|(low, high)| {
            let found = Self::between(&held, low, high);
            (found, found.difference(&held))
        });
        let [up, down] = ways;
        let (found, difference) = if down.1 < up.1 { down } else { up };
        (found, difference < CLOSE)
    }

    /// Returns the stages of an envelope between 0 and 1 as they are stated; none if it has others.
    fn stages(envelope: &SegmentEnvelope) -> Option<Self> {
        let (held, released) = envelope.segments().split_at_checked(envelope.release()?)?;
        let ([release], None) = (released, envelope.held_loop()) else { return None };
        let all = held.iter().chain([release]);
        if release.level != 0.0 || all.into_iter().any(|segment| segment.curve != SegmentCurve::Linear) {
            return None;
        }
        let mut level = envelope.start();
        let mut rest = held.iter().peekable();
        let mut stage = |follows: fn(f32, f32) -> bool| {
            let (mut seconds, mut by_key) = (0.0, 0.0);
            while let Some(segment) = rest.next_if(|segment| follows(level, segment.level)) {
                seconds += segment.time.of(PLAYED);
                level = segment.level;
                by_key = segment.time.by_key;
            }
            (seconds, level, by_key)
        };
        let (delay, ..) = stage(|from, to| from == 0.0 && to == 0.0);
        let (attack, top, _) = stage(|from, to| from < to);
        let (hold, _, hold_by_key) = stage(|from, to| from == 1.0 && to == 1.0);
        let (decay, sustain, decay_by_key) = stage(|from, to| from > to);
        let is_whole = rest.next().is_none() && top == 1.0;
        is_whole.then_some(Self {
            delay,
            attack,
            hold,
            decay: if sustain < 1.0 { decay / (1.0 - sustain) } else { 0.0 },
            sustain,
            release: release.time.of(PLAYED) / if sustain > 0.0 { sustain } else { 1.0 },
            low: 0.0,
            high: 1.0,
            by_key: [hold_by_key, decay_by_key],
        })
    }

    /// Returns how far from it the values of an envelope are while a key is held, at most, of full level.
    fn difference(&self, held: &[f32]) -> f32 {
        let way = |value: &f32| (value - self.low) / (self.high - self.low);
        let differences =
            held.iter().enumerate().map(|(at, value)| (self.at(at as f32 * STEP) - way(value)).abs());
        differences.fold(0.0, f32::max)
    }

    fn between(held: &[f32], low: f32, high: f32) -> Self {
        let way = |value: &f32| (value - low) / (high - low);
        let before = held.iter().take_while(|value| way(value) < SILENCE).count();
        let delayed = before.saturating_sub(1);
        let top = held.iter().position(|value| way(value) >= 0.999).unwrap_or_default();
        let after = held.get(top..).unwrap_or_default();
        let hold = after.iter().take_while(|value| way(value) >= 0.999).count().saturating_sub(1);
        let sustain = way(&sustained(held)).clamp(0.0, 1.0);
        let down = after.iter().position(|value| way(value) <= sustain + SILENCE);
        let down = down.unwrap_or(after.len()).saturating_sub(hold);
        let seconds = |steps: usize| steps as f32 * STEP;
        Self {
            delay: seconds(delayed),
            attack: seconds(top.saturating_sub(delayed)),
            hold: seconds(hold),
            decay: seconds(down) / (1.0 - sustain).max(SILENCE),
            sustain,
            release: 101.0,
            low,
            high,
            by_key: [0.0; 2],
        }
    }

    /// Returns its level at a time while the key is held.
    fn at(&self, seconds: f32) -> f32 {
        let seconds = seconds - self.delay;
        let decaying = seconds - self.attack - self.hold;
        match () {
            () if seconds < 0.0 => 0.0,
            () if seconds < self.attack => convex(seconds / self.attack),
            () if decaying <= 0.0 => 1.0,
            () => (1.0 - decaying / self.decay.max(SILENCE)).max(self.sustain),
        }
    }
}

/// Returns the level of a convex attack, of which a part is over. Source: specification, its convex curve.
fn convex(part: f32) -> f32 {
    (1.0 + 40.0 / 96.0 * part.log10()).max(0.0)
}

#[cfg(test)]
mod tests {
    use song::EnvelopeSegment;

    use super::*;
    use crate::articulation::linear;

    fn envelope(start: f32, segments: Vec<EnvelopeSegment>, release: Option<usize>) -> SegmentEnvelope {
        SegmentEnvelope::new(start, segments, release).unwrap()
    }

    #[test]
    fn a_fall_by_decibels_is_found_again() {
        let fall = EnvelopeSegment { curve: SegmentCurve::Decibels(100.0), ..linear(5.0, 0.25) };
        let end = EnvelopeSegment { curve: SegmentCurve::Decibels(100.0), ..linear(2.0, 0.0) };
        let segments = vec![linear(0.1, 0.0), linear(0.2, 1.0), fall, end];
        let (found, is_close) = Amplitude::fit(&envelope(0.0, segments, Some(3)), &[]);
        let near = |found: f32, wanted: f32| (found - wanted).abs() < 0.05 * wanted;
        assert!(near(found.delay, 0.1) && near(found.attack, 0.2), "{found:?}");
        assert!(near(found.decay, 5.0) && near(found.release, 2.0) && near(found.sustain, 0.25), "{found:?}");
        assert!(is_close);
    }

    #[test]
    fn a_straight_fall_is_not_close() {
        let segments = vec![linear(1.0, 0.0)];
        let (found, is_close) = Amplitude::fit(&envelope(1.0, segments, None), &[]);
        assert!(!is_close);
        // Half as loud after half of the time, more or less.
        assert!((0.3..0.7).contains(&found.at(0.5)), "{found:?}");
    }

    #[test]
    fn the_fit_of_a_straight_fade_is_known() {
        let values: Vec<f32> = (0..=250).map(|step| 1.0 - step as f32 * STEP).chain(vec![0.0; 500]).collect();
        let (found, _) = fall(&values, 1.0, 0.0);
        let known = super::super::straight_release(1.0);
        assert!((found - known).abs() < 0.05 * known, "{found}");
    }

    #[test]
    fn a_product_is_as_loud_as_both_let_it_be() {
        let gate = SegmentEnvelope::gate(linear(1.0, 0.0));
        let half = envelope(0.5, vec![linear(0.1, 0.25)], None);
        let (found, _) = Amplitude::fit(&gate, &[&half]);
        assert!((found.peak - 0.5).abs() < 1e-6 && (found.sustain - 0.5).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn straight_modulation_is_found_either_way_up() {
        for (start, end) in [(0.0, 1.0), (1.0, -1.0)] {
            let middle = 0.5 * (start + end);
            let (found, is_close) = Modulation::fit(&envelope(start, vec![linear(0.4, middle)], None));
            assert!(is_close, "{found:?}");
            // The attack of the format is no straight line, the decay is.
            assert_eq!((found.low, found.high), (middle, start));
            assert!(found.attack == 0.0 && found.sustain < 0.01, "{found:?}");
            assert!((found.decay - 0.4).abs() < 0.02, "{found:?}");
        }
    }

    #[test]
    fn a_straight_rise_before_a_fall_is_not_close() {
        let segments = vec![linear(0.2, 1.0), linear(0.4, 0.5)];
        let (found, is_close) = Modulation::fit(&envelope(0.0, segments, None));
        assert!(!is_close, "{found:?}");
    }

    #[test]
    fn stages_of_the_format_are_kept_with_their_keys() {
        let by_key = |seconds, level, by_key| EnvelopeSegment {
            time: song::NoteScaling { by_key, ..song::NoteScaling::seconds(seconds) },
            level,
            curve: SegmentCurve::Linear,
        };
        // The convex curve at 1, 3, 10, 30 and 60 hundredths of two seconds.
        let attack =
            [(0.02, 0.1667), (0.04, 0.3655), (0.14, 0.5833), (0.4, 0.7821), (0.6, 0.9076), (0.8, 1.0)];
        let attack = attack.map(|(seconds, level)| linear(seconds, level));
        let rest = [by_key(0.5, 1.0, -0.25), by_key(0.3, 0.4, 0.5), linear(0.8, 0.0)];
        let segments = [&[linear(0.1, 0.0)], &attack[..], &rest].concat();
        let release = segments.len() - 1;
        let (found, is_close) = Modulation::fit(&envelope(0.0, segments, Some(release)));
        assert!(is_close, "{found:?}");
        let near = |found: f32, wanted: f32| (found - wanted).abs() < 1e-4;
        assert!(near(found.delay, 0.1) && near(found.attack, 2.0) && near(found.hold, 0.5), "{found:?}");
        assert!(near(found.decay, 0.5) && near(found.sustain, 0.4) && near(found.release, 2.0), "{found:?}");
        assert_eq!(found.by_key, [-0.25, 0.5]);
    }
}
