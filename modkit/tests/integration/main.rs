//! Mods as a library makes them: edited, converted, packed and unpacked.

mod edited;
mod legacy;
mod packing;
mod unpack;
