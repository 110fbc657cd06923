//! Where a sound stands between left and right, and how loud that makes both sides.

/// Returns the gains of both sides. A mono sound keeps its power wherever it stands: its squares add up to 2, so that
/// the centre is unity and a side 3 dB more. Of a stereo sound the side it turns away from becomes quieter.
///
/// # Real-time
/// Safe.
pub(crate) fn sides(pan: f32, is_mono: bool) -> (f32, f32) {
    let pan = pan.clamp(-1.0, 1.0);
    if is_mono {
        ((1.0 - pan).sqrt(), (1.0 + pan).sqrt())
    } else {
        ((1.0 - pan).min(1.0), (1.0 + pan).min(1.0))
    }
}

/// Returns the gain and the pan that give these sides.
///
/// # Real-time
/// Safe.
pub(crate) fn gain_and_pan((left, right): (f32, f32), is_mono: bool) -> (f32, f32) {
    let loudest = left.max(right);
    if loudest == 0.0 {
        return (0.0, 0.0);
    }
    if is_mono {
        // By the louder side, so that squares of small gains stay values.
        let (left, right) = (left / loudest, right / loudest);
        let power = left * left + right * right;
        (loudest * (power / 2.0).sqrt(), (right * right - left * left) / power)
    } else {
        (loudest, (right - left) / loudest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_is_unity_and_untouched() {
        assert_eq!(sides(0.0, true), (1.0, 1.0));
        assert_eq!(sides(0.0, false), (1.0, 1.0));
    }

    #[test]
    fn a_mono_sound_keeps_its_power_wherever_it_stands() {
        for pan in [-1.0, -0.5, 0.25, 1.0] {
            let (left, right) = sides(pan, true);
            assert!((left * left + right * right - 2.0).abs() < 1e-6, "{pan}");
        }
        assert_eq!(sides(1.0, true).0, 0.0);
        assert!((20.0 * sides(1.0, true).1.log10() - 3.01).abs() < 0.01);
    }

    #[test]
    fn a_stereo_sound_loses_the_side_it_turns_away_from() {
        assert_eq!(sides(-0.25, false), (1.0, 0.75));
        assert_eq!(sides(1.0, false), (0.0, 1.0));
    }

    #[test]
    fn two_pans_add_up_to_a_side_at_most() {
        assert_eq!(sides(1.5, false), (0.0, 1.0));
        assert_eq!(sides(-1.5, true), (2.0_f32.sqrt(), 0.0));
    }

    #[test]
    fn gain_and_pan_are_found_again_from_both_sides() {
        for is_mono in [true, false] {
            for pan in [-1.0, -0.3, 0.0, 0.75, 1.0] {
                for gain in [1e-10, 0.5, 65_536.0] {
                    let (left, right) = sides(pan, is_mono);
                    let (found_gain, found_pan) = gain_and_pan((gain * left, gain * right), is_mono);
                    assert!((found_gain / gain - 1.0).abs() < 1e-5, "{found_gain} for {gain}");
                    assert!((found_pan - pan).abs() < 1e-5, "{found_pan} for {pan}");
                }
            }
            assert_eq!(gain_and_pan((0.0, 0.0), is_mono), (0.0, 0.0));
        }
    }
}
