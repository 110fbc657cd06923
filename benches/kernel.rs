//! kernel
fn main() {}
