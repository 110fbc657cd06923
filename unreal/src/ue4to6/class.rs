//! The classes of Unreal Engine 4 to 6 whose objects are read, by the members that follow their properties.

pub mod mesh;
pub mod sound_cue;
pub mod sound_wave;
