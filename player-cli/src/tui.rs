//! The screen of `jam`. [`update`] is a pure function from a message to a new model and what is to be done;
//! [`draw`] makes a picture of the model, in the parts of [`layout`], and [`hit`] finds what of it is under the mouse.
//! None touches the terminal, the clock or the engine.

pub mod draw;
pub mod hit;
pub mod layout;
pub mod model;
pub mod terminal;
pub mod update;
