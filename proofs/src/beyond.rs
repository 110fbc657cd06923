//! A frame that is read beyond its plane: what AddressSanitizer has to find, or it finds nothing.

use std::hint::black_box;

fn main() {
    let plane: Box<[i16]> = vec![1; 81].into();
    let plane = black_box(plane);
    // SAFETY: none; this is the planted mistake.
    let beyond = unsafe { plane.as_ptr().add(plane.len()).read() };
    black_box(beyond);
}
