//! What trackers make of a module: the rules in which their dialects differ, worked out so that voices need not know
//! them.

mod articulation;
mod envelope;
mod panning;
mod vibrato;

pub use articulation::articulation;
pub use envelope::tick_envelope;
pub use panning::note_pan;
pub use vibrato::pitch_lfo;
