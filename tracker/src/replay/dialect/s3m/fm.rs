//! Instruments of the FM synthesiser: how the numbers of a channel reach its registers.

use song::FmPatch;

/// Frames per second at which a recording sounds the middle C, and cycles per second of that.
const MIDDLE_C: (f64, f64) = (8363.0, 261.625_565);

/// Decibels of a step of attenuation.
const STEP: f32 = 0.75;

/// Returns cycles per second of a rate that a recording would have.
pub(super) fn cycles(hz: f64) -> f64 {
    hz * MIDDLE_C.1 / MIDDLE_C.0
}

/// Returns the gain of a volume, 0..=1: it divides what is left of the attenuation of each operator that is heard, so
/// that a volume of 0 is the quietest that the chip has.
///
/// Source: levels of made modules, as libopenmpt 0.6 plays them.
pub(super) fn gain(patch: FmPatch, volume: f32) -> f32 {
    let power = |volume: f32| -> f32 {
        let heard = patch.heard_attenuations().into_iter().flatten();
        heard
            .map(|attenuation| {
                let steps = 63.0 - (f32::from(63 - attenuation) * volume).round();
                10.0_f32.powf(-steps * STEP / 10.0)
            })
            .sum()
    };
    (power(volume) / power(1.0)).sqrt()
}

/// Returns the side that a pan of 0..=256 is heard on: the chip has none in between.
pub(super) fn side(pan: i32) -> f32 {
    match pan {
        ..=85 => -1.0,
        86..=170 => 0.0,
        171.. => 1.0,
    }
}
