//! queue
fn main() {}
