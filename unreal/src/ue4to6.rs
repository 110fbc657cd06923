//! Packages of Unreal Engine 4 to 6: as files with a header (`asset`) and as chunks of `IoStore` containers (`zen`).
//!
//! ```text
//! Container ──► open_package ──► AssetTables ─┬─ asset: tables of a file   ──► property ──► class
//!                                              └─ zen: tables of a chunk        convert: one form into the other
//!                                                                               editable: taken apart, put together
//! ```

pub mod asset;
pub mod bulk;
pub mod class;
pub mod convert;
pub(crate) mod editable;
mod open_package;
pub(crate) mod package;
pub(crate) mod property;
pub mod script;
pub(crate) mod version;
pub mod zen;
