//! The trait of the scalar kernels.

/// Defines a kernel: the value between two frames.
pub(super) trait Interpolator<V> {
    /// Returns the value a `fraction` (in 2^-32) after the frame at an index. Silence if the plane does not reach so
    /// far, which runs never ask for.
    fn at(&self, plane: &[V], index: usize, fraction: u32) -> f32;
}

/// Returns 0..1 of a fraction in 2^-32: of its 32 bits a float holds the upper 24 exactly.
pub(super) fn unit(fraction: u32) -> f32 {
    const SCALE: f32 = 1.0 / (1 << 24) as f32;
    (fraction >> 8) as f32 * SCALE
}
