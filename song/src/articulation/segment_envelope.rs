use crate::{Invalid, Key, Velocity};

/// An envelope of segments: each goes from where the one before it ended to its own level.
///
/// ```text
/// level      ╱‾‾‾╲______ . . . ╲            DAHDSR: delay, attack, hold, decay │ release
/// segments   0 1  2  3      │   4           3 is the last before the release: its level lasts while the key is held
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SegmentEnvelope {
    start: f32,
    segments: Vec<EnvelopeSegment>,
    release: Option<usize>,
    held_loop: Option<(usize, usize)>,
}

/// A segment of an envelope.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnvelopeSegment {
    /// Seconds that it takes, by the note.
    pub time: NoteScaling,
    /// Level that it ends at.
    pub level: f32,
    /// How it gets there.
    pub curve: SegmentCurve,
}

/// How a segment goes from one level to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SegmentCurve {
    /// In a straight line.
    Linear,
    /// By as many decibels as are stated per time of the segment; it is over as soon as it is at its level, or 100 dB
    /// below full level. For levels of 0..=1.
    Decibels(f32),
    /// By a power of the time that has passed, 0..1: `x^p`, of a negative one `1 − (1 − x)^−p`.
    Power(f32),
}

/// The key and velocity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NotePlayed {
    /// Its key.
    pub key: Key,
    /// Its velocity.
    pub velocity: Velocity,
}

/// A number of seconds that depends on the note: `(base + by_velocity × velocity / 127) × 2^(by_key × (key − 60))`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NoteScaling {
    /// Seconds at key 60 and velocity 0.
    pub base: f32,
    /// Seconds added at velocity 127.
    pub by_velocity: f32,
    /// Octaves (factors of two) for each key above 60.
    pub by_key: f32,
}

impl NoteScaling {
    /// Returns the same time for every note.
    #[must_use]
    pub const fn seconds(base: f32) -> Self {
        Self { base, by_velocity: 0.0, by_key: 0.0 }
    }

    /// Returns the seconds of a note, 0 or more.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn of(&self, NotePlayed { key, velocity }: NotePlayed) -> f32 {
        let base = self.base + self.by_velocity * f32::from(velocity.get()) / 127.0;
        let factor = if self.by_key == 0.0 {
            1.0
        } else {
            (self.by_key * (f32::from(key.get()) - f32::from(Key::C4.get()))).exp2()
        };
        (base * factor).max(0.0)
    }
}

impl SegmentEnvelope {
    /// The most segments of an envelope.
    pub const MAX_SEGMENTS: usize = 256;

    /// Creates an envelope that begins at a level.
    ///
    /// `release` is the first segment of the release: the level before it lasts until the key is released, and the
    /// release begins at the level that the note is at. Without one the envelope does not know of keys.
    ///
    /// # Errors
    /// [`Invalid::Envelope`] if there are more than [`Self::MAX_SEGMENTS`], `release` is beyond them, or a number is
    /// not finite.
    pub fn new(start: f32, segments: Vec<EnvelopeSegment>, release: Option<usize>) -> Result<Self, Invalid> {
        let is_finite = |segment: &EnvelopeSegment| {
            let NoteScaling { base, by_velocity, by_key } = segment.time;
            let curve = match segment.curve {
                SegmentCurve::Linear => 1.0,
                SegmentCurve::Decibels(rate) if rate <= 0.0 => f32::NAN,
                SegmentCurve::Decibels(rate) => rate,
                SegmentCurve::Power(power) => power,
            };
            [base, by_velocity, by_key, segment.level, curve].into_iter().all(f32::is_finite)
        };
        let is_valid = start.is_finite()
            && segments.len() <= Self::MAX_SEGMENTS
            && release.is_none_or(|release| release <= segments.len())
            && segments.iter().all(is_finite);
        if is_valid { Ok(Self { start, segments, release, held_loop: None }) } else { Err(Invalid::Envelope) }
    }

    /// Creates an envelope that stays at full level and ends with the release, which takes some seconds.
    #[must_use]
    pub fn gate(release: EnvelopeSegment) -> Self {
        Self { start: 1.0, segments: vec![release], release: Some(0), held_loop: None }
    }

    /// Creates an envelope that stays at full level and does not end a note, though it knows of its key: something else
    /// fades it after its release.
    #[must_use]
    pub const fn held() -> Self {
        Self { start: 1.0, segments: Vec::new(), release: Some(0), held_loop: None }
    }

    /// Creates an envelope that stays at full level, whatever the key does.
    #[must_use]
    pub const fn level() -> Self {
        Self { start: 1.0, segments: Vec::new(), release: None, held_loop: None }
    }

    /// Returns the envelope with a loop while the key is held, or for ever if it does not know of keys: at the end of
    /// segment `last` it goes on with segment `first`, from the level before that.
    ///
    /// # Errors
    /// [`Invalid::Envelope`] if they are not in this order, not before the release, or take no time together for some
    /// note.
    pub fn looped(mut self, first: usize, last: usize) -> Result<Self, Invalid> {
        let end = self.release.unwrap_or(self.segments.len());
        let segments = self.segments.get(first..=last).unwrap_or_default();
        let is_timed =
            segments.iter().any(|segment| segment.time.base > 0.0 && segment.time.by_velocity >= 0.0);
        if first <= last && last < end && is_timed {
            self.held_loop = Some((first, last));
            Ok(self)
        } else {
            Err(Invalid::Envelope)
        }
    }

    /// Returns the level that it begins at.
    #[must_use]
    pub const fn start(&self) -> f32 {
        self.start
    }

    /// Returns its segments.
    #[must_use]
    pub fn segments(&self) -> &[EnvelopeSegment] {
        &self.segments
    }

    /// Returns the level that a segment begins at: the one before it ends there.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn level_before(&self, segment: usize) -> f32 {
        let before = segment.checked_sub(1).and_then(|before| self.segments.get(before));
        before.map_or(self.start, |before| before.level)
    }

    /// Returns the first segment of the release; none if it does not know of keys.
    #[must_use]
    pub const fn release(&self) -> Option<usize> {
        self.release
    }

    /// Returns the first and the last segment of the loop.
    #[must_use]
    pub const fn held_loop(&self) -> Option<(usize, usize)> {
        self.held_loop
    }

    /// Returns whether it ends in silence once the key is released, as the envelope of an amplitude.
    #[must_use]
    pub fn falls_silent(&self) -> bool {
        let is_endless = self.release.is_none() && self.held_loop.is_some();
        let last = self.segments.last();
        !is_endless && self.release != Some(self.segments.len()) && last.is_some_and(|last| last.level <= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(base: f32, level: f32) -> EnvelopeSegment {
        EnvelopeSegment { time: NoteScaling::seconds(base), level, curve: SegmentCurve::Linear }
    }

    #[test]
    fn times_depend_on_the_note() {
        let time = NoteScaling { base: 1.0, by_velocity: -0.5, by_key: -1.0 / 12.0 };
        let of = |key: u8, velocity: u8| {
            time.of(NotePlayed { key: Key::new(key).unwrap(), velocity: Velocity::new(velocity).unwrap() })
        };
        assert_eq!([of(60, 0), of(60, 127), of(72, 0), of(48, 127)], [1.0, 0.5, 0.5, 1.0]);
        assert_eq!(
            NoteScaling { base: 0.1, by_velocity: -1.0, by_key: 0.0 }
                .of(NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST }),
            0.0
        );
    }

    #[test]
    fn an_envelope_falls_silent_only_by_a_release_or_an_end_at_zero() {
        let of = |segments, release| SegmentEnvelope::new(0.0, segments, release).unwrap();
        assert!(of(vec![line(1.0, 1.0), line(1.0, 0.0)], Some(1)).falls_silent());
        assert!(of(vec![line(1.0, 1.0), line(1.0, 0.0)], None).falls_silent());
        assert!(!of(vec![line(1.0, 1.0), line(1.0, 0.5)], Some(1)).falls_silent());
        assert!(!of(vec![line(1.0, 0.0)], Some(1)).falls_silent());
        assert!(!SegmentEnvelope::level().falls_silent());
        assert!(SegmentEnvelope::gate(line(0.1, 0.0)).falls_silent());
    }

    #[test]
    fn a_loop_takes_time_and_lies_before_the_release() {
        let of = || {
            SegmentEnvelope::new(0.0, vec![line(0.0, 1.0), line(1.0, 0.5), line(1.0, 0.0)], Some(2)).unwrap()
        };
        assert!(of().looped(0, 1).is_ok() && of().looped(1, 1).is_ok());
        assert_eq!(of().looped(0, 0), Err(Invalid::Envelope));
        assert_eq!(of().looped(1, 2), Err(Invalid::Envelope));
        assert_eq!(of().looped(1, 0), Err(Invalid::Envelope));
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        assert_eq!(SegmentEnvelope::new(f32::NAN, Vec::new(), None), Err(Invalid::Envelope));
        assert_eq!(SegmentEnvelope::new(0.0, vec![line(f32::INFINITY, 0.0)], None), Err(Invalid::Envelope));
        assert_eq!(SegmentEnvelope::new(0.0, Vec::new(), Some(1)), Err(Invalid::Envelope));
    }
}
