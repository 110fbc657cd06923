use song::module::PitchPan;
use song::{Key, Pan};

/// Semitones times separation from the middle to a side.
const STEPS_TO_SIDE: f32 = 256.0;

/// Returns the pan of a key on an instrument whose pan depends on the note. `transpose` are the semitones from the key
/// to the note that sounds.
#[must_use]
pub fn note_pan(pan: Pan, pitch_pan: PitchPan, key: Key, transpose: i8) -> Pan {
    let note = i16::from(key.get()).saturating_add(transpose.into());
    let above = f32::from(note.saturating_sub(pitch_pan.centre.get().into()));
    let pan = pan.get() + above * f32::from(pitch_pan.separation) / STEPS_TO_SIDE;
    Pan::new(pan.clamp(-1.0, 1.0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_above_the_centre_move_to_the_right_up_to_the_side() {
        let by = PitchPan { separation: 32, centre: Key::C4 };
        let pan = |key, transpose| note_pan(Pan::CENTRE, by, Key::new(key).unwrap(), transpose).get();
        assert_eq!(
            [pan(60, 0), pan(62, 0), pan(60, 2), pan(58, 0), pan(127, 0)],
            [0.0, 0.25, 0.25, -0.25, 1.0]
        );
    }
}
