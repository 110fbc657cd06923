use super::RecordedValue;
use super::interpolator::{Interpolator, unit};
use crate::bank::GUARD;

const BEFORE: usize = 1;
const AFTER: usize = 2;
const _: () = assert!(BEFORE <= GUARD && AFTER <= GUARD);

/// The cubic through two neighbours whose slope at each is that of its own neighbours (Catmull and Rom's spline,
/// a Hermite cubic).
///
/// Written in differences of neighbours, so that where they are equal (silence, a constant, a straight line) what is
/// to vanish does so exactly.
pub(super) struct Cubic;

impl<V: RecordedValue> Interpolator<V> for Cubic {
    #[inline(always)]
    fn at(&self, plane: &[V], index: usize, fraction: u32) -> f32 {
        let Some(&window) = plane.get(index.wrapping_sub(BEFORE)..).and_then(<[V]>::first_chunk) else {
            return 0.0;
        };
        let fraction = unit(fraction);
        let [before, here, next, after] = window.map(V::units);
        let (one, two, three) = (here - before, next - here, after - next);
        // How far the slopes at both ends fall short of the straight line between them.
        let (near, far) = (0.5 * (two - one), 0.5 * (two - three));
        let both = near + far;
        here + fraction * ((two - near) + fraction * ((near + both) - fraction * both))
    }
}
