//! Plain results made into text or JSON.

pub mod json;
pub mod table;
pub mod text;
