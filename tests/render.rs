//! What the engine makes of recordings: bits, pitches, seams, beginnings and ends.

mod cuts;
mod effects;
mod ends;
mod fidelity;
mod floors;
mod limits;
mod motion;
mod rig;
mod sampler;
mod seams;
mod shapes;
mod silence;
mod strips;
