//! The demo bank: a package with a drum kit, keys, a bass and a pad, for whoever has no file yet.

/// Bytes of the package. They are written by code, and hold nothing of a game.
pub static PACKAGE: &[u8] = include_bytes!("../demo/demo.uax");
