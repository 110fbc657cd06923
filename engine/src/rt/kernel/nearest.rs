use super::{Kernel, Value};
use crate::bank::GUARD;

/// The frame behind the present one.
const AFTER: usize = 1;
const _: () = assert!(AFTER <= GUARD);

/// The nearest frame as it was recorded; of two equally near, the later.
pub(super) struct Nearest;

impl Kernel for Nearest {
    #[inline(always)]
    fn at<V: Value>(plane: &[V], index: usize, fraction: f32) -> f32 {
        let Some(&[here, next]) = plane.get(index..).and_then(<[V]>::first_chunk) else {
            return 0.0;
        };
        if fraction < 0.5 { here.units() } else { next.units() }
    }
}
