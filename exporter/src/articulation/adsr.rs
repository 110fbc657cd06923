use song::{EnvelopeSegment, SegmentCurve, SegmentEnvelope};

/// An envelope of delay, attack, hold, decay and release: straight up, and down by decibels.
pub(crate) struct Adsr {
    /// Level that the attack begins at.
    pub(crate) start: f32,
    pub(crate) delay: Option<EnvelopeSegment>,
    pub(crate) attack: Option<EnvelopeSegment>,
    pub(crate) hold: Option<EnvelopeSegment>,
    pub(crate) decay: Option<EnvelopeSegment>,
    pub(crate) release: EnvelopeSegment,
}

impl Adsr {
    /// Returns what an envelope is if it is one of these.
    pub(crate) fn of(envelope: &SegmentEnvelope) -> Option<Self> {
        let release = envelope.release()?;
        if envelope.held_loop().is_some() {
            return None;
        }
        let (held, released) = envelope.segments().split_at_checked(release)?;
        let mut rest = held;
        let mut take = |fits: &dyn Fn(&EnvelopeSegment) -> bool| match rest.split_first() {
            Some((first, others)) if fits(first) => {
                rest = others;
                Some(*first)
            }
            _ => None,
        };
        let is_straight = |segment: &EnvelopeSegment| segment.curve == SegmentCurve::Linear;
        let start = envelope.start();
        let delay = take(&|segment| start == 0.0 && is_straight(segment) && segment.level == 0.0);
        // What begins at full level rises no further: its first level part is the hold.
        let attack = take(&|segment| start < 1.0 && is_straight(segment) && segment.level == 1.0);
        let hold = take(&|segment| is_straight(segment) && segment.level == 1.0);
        let decay = take(&|segment| matches!(segment.curve, SegmentCurve::Decibels(_)));
        let [release] = released else { return None };
        let is_release = matches!(release.curve, SegmentCurve::Decibels(_)) && release.level == 0.0;
        let is_adsr = rest.is_empty() && is_release && (attack.is_some() || start == 1.0);
        is_adsr.then_some(Self { start, delay, attack, hold, decay, release: *release })
    }
}

/// Returns the part of the time of a segment that the same fall takes where so many decibels are fallen by in it.
pub(crate) fn factor(curve: SegmentCurve, decibels: f32) -> f32 {
    if let SegmentCurve::Decibels(rate) = curve { decibels / rate } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use song::NoteScaling;

    use super::*;

    fn segment(seconds: f32, level: f32, curve: SegmentCurve) -> EnvelopeSegment {
        EnvelopeSegment { time: NoteScaling::seconds(seconds), level, curve }
    }

    #[test]
    fn a_level_part_at_the_start_is_the_hold_and_a_rise_the_attack() {
        let fall = SegmentCurve::Decibels(100.0);
        let rest = [segment(5.0, 0.0, fall), segment(0.5, 0.0, fall)];
        let of = |start, first: &[EnvelopeSegment]| {
            let segments = [first, &rest].concat();
            let release = segments.len() - 1;
            let adsr = Adsr::of(&SegmentEnvelope::new(start, segments, Some(release)).unwrap()).unwrap();
            let seconds = |stage: Option<EnvelopeSegment>| stage.map(|stage| stage.time.base);
            (seconds(adsr.attack), seconds(adsr.hold), seconds(adsr.decay))
        };
        let level = segment(0.75, 1.0, SegmentCurve::Linear);
        assert_eq!(of(1.0, &[level]), (None, Some(0.75), Some(5.0)));
        assert_eq!(of(0.0, &[level]), (Some(0.75), None, Some(5.0)));
        assert_eq!(of(0.0, &[level, level]), (Some(0.75), Some(0.75), Some(5.0)));
        assert_eq!(of(1.0, &[]), (None, None, Some(5.0)));
    }
}
