//! A listener's volume of songs, in decibels; 0 as a song is stored.

use song::Decibels;

/// The softest that [`changed`] makes it, in decibels.
pub const MIN: f32 = -60.0;
/// The loudest that [`changed`] makes it, in decibels.
pub const MAX: f32 = 12.0;

/// Returns a volume `by` decibels further, from [`MIN`] to [`MAX`]; one that is beyond them may stay there.
#[must_use]
pub fn changed(volume: Decibels, by: f32) -> Decibels {
    let before = volume.get();
    Decibels::new((before + by).clamp(MIN.min(before), MAX.max(before))).unwrap_or(volume)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_moves_by_decibels_within_its_bounds() {
        let mut volume = Decibels::UNITY;
        assert_eq!(volume.gain().to_bits(), 1.0_f32.to_bits());
        (0..20).for_each(|_| volume = changed(volume, 1.0));
        assert_eq!(volume.get(), 12.0);
        (0..99).for_each(|_| volume = changed(volume, -1.0));
        assert_eq!(volume.get(), -60.0);
        assert!((volume.gain() - 0.001).abs() < 1e-9);
    }
}
