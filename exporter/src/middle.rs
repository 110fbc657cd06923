//! The middle of what varies from note to note: that of the factors, as each of them is equally likely. It lies above
//! that of cents and decibels: 0.95 to 1.05 times is 1, not two cents below.

use song::{Cents, Decibels, RandomizedParams};

/// In cents.
pub(crate) fn pitch(variation: &RandomizedParams) -> f64 {
    let (low, high) = (variation.pitch().start(), variation.pitch().end());
    Cents::from_ratio(0.5 * (low.ratio() + high.ratio())).map_or(0.0, Cents::get)
}

/// In decibels.
pub(crate) fn gain(variation: &RandomizedParams) -> f32 {
    let (low, high) = (variation.gain().start(), variation.gain().end());
    Decibels::from_gain(0.5 * (low.gain() + high.gain())).map_or(0.0, Decibels::get)
}
