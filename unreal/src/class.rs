//! The classes whose objects are read. What their payloads hold is not looked at.

pub mod sound;
