//! Kernels of a few neighbours: nearest, linear, cubic.

use super::vector::{self, F32x4};
use super::{FourPositions, Kernel, LANES};
use crate::bank::GUARD;

/// Frames that may be read after a position.
pub(super) const AFTER: usize = 4;
const _: () = assert!(AFTER <= GUARD);

/// A recorded value whose neighbours can be loaded as floats.
pub(in super::super::super) trait Neighbours: Copy {
    /// Loads two neighbours at each of four positions: a vector for each neighbour.
    ///
    /// # Safety
    /// Both frames from each of `from.add(index)` on lie within one plane.
    unsafe fn pair(from: *const Self, index: [u32; LANES]) -> [F32x4; 2];

    /// Loads four neighbours at each of four positions.
    ///
    /// # Safety
    /// All four frames from each of `from.add(index)` on lie within one plane.
    unsafe fn quad(from: *const Self, index: [u32; LANES]) -> [F32x4; 4];
}

/// A value between neighbours.
pub(super) trait Curve {
    /// Neighbours before the frame at or before the position.
    const BEFORE: usize;

    /// # Safety
    /// `BEFORE` frames before and [`AFTER`] frames after each position lie within the plane.
    unsafe fn at<V: Neighbours>(plane: *const V, positions: &FourPositions) -> F32x4;
}

impl<K: Curve, V: Neighbours, const C: usize> Kernel<V, C> for K {
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn values(&self, planes: &[*const V; C], positions: &FourPositions) -> [F32x4; C] {
        // SAFETY: the caller's task was checked with `K::BEFORE` and `AFTER`, which is what `at` asks for.
        planes.map(|plane| unsafe { K::at(plane, positions) })
    }
}

/// Every position is a frame.
pub(super) struct Exact;

impl Curve for Exact {
    const BEFORE: usize = 0;

    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn at<V: Neighbours>(plane: *const V, positions: &FourPositions) -> F32x4 {
        // SAFETY: two frames are fewer than the `AFTER` that the caller grants.
        let [here, _] = unsafe { V::pair(plane, positions.index) };
        here
    }
}

pub(super) struct Nearest;

impl Curve for Nearest {
    const BEFORE: usize = 0;

    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn at<V: Neighbours>(plane: *const V, positions: &FourPositions) -> F32x4 {
        // SAFETY: two frames are fewer than the `AFTER` that the caller grants.
        let [here, next] = unsafe { V::pair(plane, positions.index) };
        vector::by_half(positions.fraction, here, next)
    }
}

pub(super) struct Linear;

impl Curve for Linear {
    const BEFORE: usize = 0;

    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn at<V: Neighbours>(plane: *const V, positions: &FourPositions) -> F32x4 {
        // SAFETY: two frames are fewer than the `AFTER` that the caller grants.
        let [here, next] = unsafe { V::pair(plane, positions.index) };
        vector::mul_add(here, vector::sub(next, here), vector::unit(positions.fraction))
    }
}

pub(super) struct Cubic;

impl Curve for Cubic {
    const BEFORE: usize = 1;

    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn at<V: Neighbours>(plane: *const V, positions: &FourPositions) -> F32x4 {
        use vector::{add, mul, mul_add, mul_sub, sub};

        // SAFETY: planes begin `BEFORE` frames before the first position, so these are the frame before each, the one
        // at it and two after: within the bounds that the caller grants.
        let [before, here, next, after] = unsafe { V::quad(plane, positions.index) };
        let (half, fraction) = (vector::splat(0.5), vector::unit(positions.fraction));
        let one = sub(here, before);
        let two = sub(next, here);
        let three = sub(after, next);
        let near = mul(half, sub(two, one));
        let far = mul(half, sub(two, three));
        let both = add(near, far);
        let bend = mul_sub(add(near, both), fraction, both);
        let slope = mul_add(sub(two, near), fraction, bend);
        mul_add(here, fraction, slope)
    }
}
