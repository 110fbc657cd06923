use song::PitchLfo;
use song::module::{Dialect, Vibrato};

/// Translates a sample's own vibrato; none if it has no depth.
///
/// Impulse Tracker begins its ramps at an end and not in the middle, and the lower level of its square is the pitch
/// itself. Source: measured against `libopenmpt`.
#[must_use]
pub fn pitch_lfo(dialect: Dialect, vibrato: Vibrato) -> Option<PitchLfo> {
    let (ramp_phase, square_low) = match dialect {
        Dialect::ImpulseTracker => (0.0, 0.0),
        _ => (0.5, -1.0),
    };
    let Vibrato { wave, speed, depth, sweep } = vibrato;
    (depth > 0).then_some(PitchLfo { wave, ramp_phase, square_low, speed, depth, sweep })
}

#[cfg(test)]
mod tests {
    use song::module::{LfoWave, VibratoSweep};

    use super::*;

    #[test]
    fn impulse_tracker_has_a_ramp_and_a_square_of_its_own() {
        let vibrato = Vibrato { wave: LfoWave::Square, speed: 1, depth: 2, sweep: VibratoSweep::Ticks(3) };
        let shape = |dialect| pitch_lfo(dialect, vibrato).map(|lfo| (lfo.ramp_phase, lfo.square_low));
        assert_eq!(shape(Dialect::ImpulseTracker), Some((0.0, 0.0)));
        assert_eq!(shape(Dialect::FastTracker2), Some((0.5, -1.0)));
        assert_eq!(pitch_lfo(Dialect::FastTracker2, Vibrato { depth: 0, ..vibrato }), None);
    }
}
