//! The tag that packages of all generations begin with.

/// What packages, and compressed parts of them, start with.
pub(crate) const TAG: u32 = 0x9E2A_83C1;
