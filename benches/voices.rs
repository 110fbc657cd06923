//! voices
fn main() {}
