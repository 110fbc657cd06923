use super::{EnvelopeSegment, NotePlayed, SegmentCurve, SegmentEnvelope};

/// Silence of an amplitude: −100 dB.
const FLOOR: f32 = 1e-5;

/// Where a note is in an envelope of segments.
///
/// # Real-time
/// All of it is safe.
#[derive(Clone, Copy, Debug, Default)]
pub struct EnvelopePosition {
    /// The segment that it is in; the number of segments once it is over.
    index: usize,
    /// Whether it waits for the release of the key.
    is_waiting: bool,
    /// Level that the segment began at.
    from: f32,
    /// Seconds of the segment that are over.
    elapsed: f64,
    /// Seconds that it takes.
    length: f64,
    /// Octaves of level from its beginning to its end, if it goes by decibels.
    octaves: f32,
}

impl EnvelopePosition {
    /// Begins an envelope.
    #[must_use]
    pub fn new(envelope: &SegmentEnvelope, played: NotePlayed) -> Self {
        let mut state = Self::default();
        state.enter(envelope, played, 0, envelope.start(), 0.0, true);
        state
    }

    /// Enters a segment at a level, some seconds ago; segments that are over by now are left.
    fn enter(
        &mut self,
        envelope: &SegmentEnvelope,
        played: NotePlayed,
        first: usize,
        level: f32,
        seconds: f64,
        is_held: bool,
    ) {
        (self.index, self.from, self.elapsed, self.length) = (first, level, seconds, 0.0);
        self.is_waiting = false;
        // A loop of segments that take no time for this note ends here.
        for _ in 0..=2 * SegmentEnvelope::MAX_SEGMENTS {
            if is_held && envelope.release() == Some(self.index) {
                (self.is_waiting, self.elapsed) = (true, 0.0);
                return;
            }
            let Some(segment) = envelope.segments().get(self.index) else { return };
            self.length = length(segment, self.from, played);
            if let SegmentCurve::Decibels(_) = segment.curve {
                self.octaves = (segment.level.max(FLOOR) / self.from.max(FLOOR)).log2();
            }
            if self.elapsed < self.length {
                return;
            }
            self.elapsed -= self.length;
            (self.from, self.index) = match envelope.held_loop() {
                Some((first, last)) if last == self.index && (is_held || envelope.release().is_none()) => {
                    (envelope.level_before(first), first)
                }
                _ => (segment.level, self.index + 1),
            };
        }
        self.index = envelope.segments().len();
    }

    /// Goes into the release, from the present level.
    pub fn release(&mut self, envelope: &SegmentEnvelope, played: NotePlayed) {
        if let Some(release) = envelope.release()
            && (self.is_waiting || self.index < release)
        {
            let level = self.value(envelope, 0.0);
            self.enter(envelope, played, release, level, 0.0, false);
        }
    }

    /// Goes on by some seconds.
    pub fn advance(&mut self, envelope: &SegmentEnvelope, played: NotePlayed, seconds: f64, is_held: bool) {
        if self.is_level(envelope) {
            return;
        }
        self.elapsed += seconds;
        if self.elapsed >= self.length {
            self.enter(envelope, played, self.index, self.from, self.elapsed, is_held);
        }
    }

    /// Returns its level some seconds from now, as far as the present segment goes.
    #[must_use]
    pub fn value(&self, envelope: &SegmentEnvelope, ahead: f64) -> f32 {
        let Some(segment) = envelope.segments().get(self.index).filter(|_| !self.is_waiting) else {
            return self.from;
        };
        let part = ((self.elapsed + ahead) / self.length) as f32;
        if self.length <= 0.0 || part >= 1.0 {
            return segment.level;
        }
        let between = |part: f32| self.from + (segment.level - self.from) * part;
        match segment.curve {
            SegmentCurve::Linear => between(part),
            SegmentCurve::Decibels(_) => self.from.max(FLOOR) * (self.octaves * part).exp2(),
            SegmentCurve::Power(power) if power >= 0.0 => between(part.powf(power)),
            SegmentCurve::Power(power) => between(1.0 - (1.0 - part).powf(-power)),
        }
    }

    /// Returns the seconds until its level may turn; infinite where it stays.
    #[must_use]
    pub fn remaining(&self, envelope: &SegmentEnvelope) -> f64 {
        if self.is_level(envelope) { f64::INFINITY } else { self.length - self.elapsed }
    }

    /// Returns whether it stays at its level until the key is released, or for ever.
    #[must_use]
    pub fn is_level(&self, envelope: &SegmentEnvelope) -> bool {
        self.is_waiting || self.is_over(envelope)
    }

    /// Returns whether its level is a straight line up to the next segment.
    #[must_use]
    pub fn is_straight(&self, envelope: &SegmentEnvelope) -> bool {
        let segment = envelope.segments().get(self.index);
        self.is_waiting || segment.is_none_or(|segment| segment.curve == SegmentCurve::Linear)
    }

    /// Returns whether it is in a delay: a first segment that stays at silence.
    #[must_use]
    pub fn is_delay(&self, envelope: &SegmentEnvelope) -> bool {
        let first = envelope.segments().first();
        self.index == 0
            && !self.is_waiting
            && envelope.start() <= 0.0
            && first.is_some_and(|first| first.level <= 0.0)
    }

    /// Returns whether it has come to its end.
    #[must_use]
    pub fn is_over(&self, envelope: &SegmentEnvelope) -> bool {
        !self.is_waiting && self.index >= envelope.segments().len()
    }
}

/// Returns the seconds that a segment takes from a level on.
fn length(segment: &EnvelopeSegment, from: f32, played: NotePlayed) -> f64 {
    let time = f64::from(segment.time.of(played));
    match segment.curve {
        SegmentCurve::Decibels(rate) => {
            let ratio = f64::from(from.max(FLOOR)) / f64::from(segment.level.max(FLOOR));
            time * (20.0 * ratio.log10()).abs() / f64::from(rate)
        }
        SegmentCurve::Linear | SegmentCurve::Power(_) => time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, NoteScaling, Velocity};

    const PLAYED: NotePlayed = NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST };

    fn segment(seconds: f32, level: f32, curve: SegmentCurve) -> EnvelopeSegment {
        EnvelopeSegment { time: NoteScaling::seconds(seconds), level, curve }
    }

    /// Attack of 1 s, decay of 100 dB in 10 s down to −20 dB, release of 100 dB in 1 s.
    fn adsr() -> SegmentEnvelope {
        let segments = vec![
            segment(1.0, 1.0, SegmentCurve::Linear),
            segment(10.0, 0.1, SegmentCurve::Decibels(100.0)),
            segment(1.0, 0.0, SegmentCurve::Decibels(100.0)),
        ];
        SegmentEnvelope::new(0.0, segments, Some(2)).unwrap()
    }

    #[test]
    fn decays_fall_by_so_many_decibels_a_second_down_to_their_level() {
        let envelope = adsr();
        let mut state = EnvelopePosition::new(&envelope, PLAYED);
        state.advance(&envelope, PLAYED, 0.5, true);
        assert_eq!(state.value(&envelope, 0.0), 0.5);
        state.advance(&envelope, PLAYED, 1.5, true);
        assert!((state.value(&envelope, 0.0) - 10_f32.powf(-0.5)).abs() < 1e-6);
        assert!((state.remaining(&envelope) - 1.0).abs() < 1e-6);
        state.advance(&envelope, PLAYED, 99.0, true);
        assert!(state.is_level(&envelope) && !state.is_over(&envelope));
        assert_eq!(state.value(&envelope, 0.0), 0.1);
    }

    #[test]
    fn a_release_begins_at_the_present_level() {
        let envelope = adsr();
        let mut state = EnvelopePosition::new(&envelope, PLAYED);
        state.advance(&envelope, PLAYED, 0.1, true);
        state.release(&envelope, PLAYED);
        assert!((state.value(&envelope, 0.0) - 0.1).abs() < 1e-6);
        state.advance(&envelope, PLAYED, 0.2, false);
        assert!((state.value(&envelope, 0.0) - 0.01).abs() < 1e-6);
        state.advance(&envelope, PLAYED, 0.61, false);
        assert!(state.is_over(&envelope) && state.value(&envelope, 0.0) == 0.0);
    }

    #[test]
    fn a_loop_goes_round_while_the_key_is_held() {
        let segments = vec![
            segment(1.0, 1.0, SegmentCurve::Linear),
            segment(1.0, 0.0, SegmentCurve::Linear),
            segment(1.0, 0.5, SegmentCurve::Linear),
        ];
        let envelope = SegmentEnvelope::new(0.0, segments, Some(2)).unwrap().looped(0, 1).unwrap();
        let mut state = EnvelopePosition::new(&envelope, PLAYED);
        state.advance(&envelope, PLAYED, 4.5, true);
        assert_eq!(state.value(&envelope, 0.0), 0.5);
        state.release(&envelope, PLAYED);
        state.advance(&envelope, PLAYED, 2.0, false);
        assert!(state.is_over(&envelope));
        assert_eq!(state.value(&envelope, 0.0), 0.5);
    }

    #[test]
    fn segments_without_time_are_passed_at_once() {
        let segments =
            vec![segment(0.0, 1.0, SegmentCurve::Linear), segment(0.0, 0.25, SegmentCurve::Linear)];
        let envelope = SegmentEnvelope::new(0.0, segments, None).unwrap();
        let state = EnvelopePosition::new(&envelope, PLAYED);
        assert!(state.is_over(&envelope));
        assert_eq!(state.value(&envelope, 0.0), 0.25);
    }

    #[test]
    fn powers_bend_a_line() {
        let of = |power| {
            let segments = vec![segment(1.0, 1.0, SegmentCurve::Power(power))];
            let envelope = SegmentEnvelope::new(0.0, segments, None).unwrap();
            EnvelopePosition::new(&envelope, PLAYED).value(&envelope, 0.5)
        };
        assert_eq!([of(2.0), of(-2.0), of(1.0)], [0.25, 0.75, 0.5]);
    }
}
