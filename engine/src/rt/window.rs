//! The sinc that all filters are cut from.
//!
//! # Real-time
//! Never: filters are worked out before there is an audio thread.

use std::f64::consts::PI;

/// Returns a low-pass filter's value so many frames from its middle, not normalised: a sinc of a cutoff, as part of
/// half the rate, under Kaiser's window, which ends `half` frames from the middle.
pub(crate) fn windowed_sinc(place: f64, cutoff: f64, half: f64, shape: f64) -> f64 {
    let edge = place / half;
    sinc(cutoff * place) * bessel(shape * (1.0 - edge * edge).max(0.0).sqrt())
}

fn sinc(place: f64) -> f64 {
    if place == 0.0 { 1.0 } else { (PI * place).sin() / (PI * place) }
}

/// Returns the modified Bessel function of the first kind and order 0, by its series.
fn bessel(place: f64) -> f64 {
    let quarter = place * place / 4.0;
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..40 {
        term *= quarter / f64::from(k * k);
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}
