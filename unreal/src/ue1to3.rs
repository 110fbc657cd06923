//! Packages of Unreal Engine 1 to 3: one file with tables and objects, compressed or not.
//!
//! ```text
//! source ──► package: unpack, probe ──► version: Layout ──► package: tables ──► class: properties ──► bulk: payload
//! ```

pub mod bulk;
pub mod class;
pub(crate) mod inflated;
pub(crate) mod object;
pub(crate) mod package;
pub(crate) mod property;
pub mod version;
