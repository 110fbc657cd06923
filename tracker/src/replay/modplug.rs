//! Which ITs are played by the rules of `ModPlug` Tracker.

use song::module::{ModuleWriter, Program, Version};

/// The first version of `OpenMPT` that plays as Impulse Tracker unless the song says otherwise.
const OPENMPT_COMPATIBLE: Version = Version::new([1, 0x26, 0, 0]);

/// Returns whether an IT is played by the rules of `ModPlug` Tracker: `OpenMPT` went on with them, but for where it
/// exported for other programs.
pub(super) fn plays_as_modplug(writer: &ModuleWriter) -> bool {
    match writer.program {
        Program::ModPlugTracker => true,
        Program::OpenMpt => writer.version < OPENMPT_COMPATIBLE,
        _ => false,
    }
}
