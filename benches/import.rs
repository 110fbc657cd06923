//! import
fn main() {}
