//! The atomics that [`shared`](crate::shared_state) are made of: the models in `proofs/` put others in their place,
//! which try every value that a load may see.

pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
