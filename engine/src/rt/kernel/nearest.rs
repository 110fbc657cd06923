use super::RecordedValue;
use super::interpolator::Interpolator;
use crate::bank::GUARD;

/// The frame after the present one.
const AFTER: usize = 1;
const _: () = assert!(AFTER <= GUARD);

/// The nearest frame as it was recorded; of two equally near, the later.
pub(super) struct Nearest;

impl<V: RecordedValue> Interpolator<V> for Nearest {
    #[inline(always)]
    fn at(&self, plane: &[V], index: usize, fraction: u32) -> f32 {
        let Some(&[here, next]) = plane.get(index..).and_then(<[V]>::first_chunk) else {
            return 0.0;
        };
        if fraction < 1 << 31 { here.units() } else { next.units() }
    }
}
