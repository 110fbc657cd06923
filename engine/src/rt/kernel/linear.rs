use super::RecordedValue;
use super::interpolator::{Interpolator, unit};
use crate::bank::GUARD;

/// The frame after the present one.
const AFTER: usize = 1;
const _: () = assert!(AFTER <= GUARD);

/// A straight line between two neighbours.
pub(super) struct Linear;

impl<V: RecordedValue> Interpolator<V> for Linear {
    #[inline(always)]
    fn at(&self, plane: &[V], index: usize, fraction: u32) -> f32 {
        let Some(&[here, next]) = plane.get(index..).and_then(<[V]>::first_chunk) else {
            return 0.0;
        };
        let (here, next) = (here.units(), next.units());
        here + (next - here) * unit(fraction)
    }
}
