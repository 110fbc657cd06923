//! From `f32` to the values a device wants.

use dasp_sample::{I24, Sample as _, U24};

/// A value as a device wants it.
pub(crate) trait DeviceSample: Copy {
    /// Full scale is −1..=1. Integers get the nearest, and the extreme where there is none; no number becomes silence.
    ///
    /// # Real-time
    /// Safe.
    fn of(value: f32) -> Self;
}

impl DeviceSample for f64 {
    fn of(value: f32) -> Self {
        value.into()
    }
}

macro_rules! integers {
    ($($integer:ty: $bits:literal),* $(,)?) => {$(
        impl DeviceSample for $integer {
            fn of(value: f32) -> Self {
                nearest(value, $bits).to_sample()
            }
        }
    )*};
}

integers! { i8: 8, i16: 16, I24: 24, i32: 32, u8: 8, u16: 16, U24: 24, u32: 32 }

/// Returns the nearest value that an integer of some bits, at most 32, holds exactly: the conversion itself cuts off.
fn nearest(value: f32, bits: u32) -> f64 {
    let full = f64::from(1_u32 << (bits - 1));
    (f64::from(value) * full).round().clamp(-full, full - 1.0) / full
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_get_the_nearest_value() {
        assert_eq!([0.0, 0.25, 1.4 / 128.0, 1.6 / 128.0, -1.6 / 128.0].map(i8::of), [0, 32, 1, 2, -2]);
        assert_eq!([0.0, 0.25, 1.6 / 32_768.0, -0.5].map(i16::of), [0, 8192, 2, -16_384]);
        assert_eq!([0.0, 0.25, -1.6 / 8_388_608.0].map(|value| I24::of(value).inner()), [0, 2_097_152, -2]);
        assert_eq!([0.0, 0.25, -0.5].map(i32::of), [0, 1 << 29, -(1 << 30)]);
    }

    #[test]
    fn the_silence_of_unsigned_integers_is_their_middle() {
        assert_eq!([0.0, 0.25, -0.5].map(u8::of), [128, 160, 64]);
        assert_eq!([0.0, 0.25, -0.5].map(u16::of), [32_768, 40_960, 16_384]);
        assert_eq!([0.0, 0.25].map(|value| U24::of(value).inner()), [8_388_608, 10_485_760]);
        assert_eq!([0.0, 0.25, -0.5].map(u32::of), [1 << 31, 0xA000_0000, 1 << 30]);
    }

    #[test]
    fn what_is_too_loud_becomes_full_scale() {
        let too_loud = [-2.0, -1.0, 1.0, 2.0, f32::NEG_INFINITY, f32::INFINITY];
        let (low, high) = (i16::MIN, i16::MAX);
        assert_eq!(too_loud.map(i16::of), [low, low, high, high, low, high]);
        let (low, high) = (i32::MIN, i32::MAX);
        assert_eq!(too_loud.map(i32::of), [low, low, high, high, low, high]);
        let (low, high) = (u8::MIN, u8::MAX);
        assert_eq!(too_loud.map(u8::of), [low, low, high, high, low, high]);
        let (low, high) = (u32::MIN, u32::MAX);
        assert_eq!(too_loud.map(u32::of), [low, low, high, high, low, high]);
    }

    #[test]
    fn what_is_no_number_is_silent() {
        assert_eq!((i16::of(f32::NAN), u8::of(f32::NAN), i32::of(f32::NAN)), (0, 128, 0));
    }
}
