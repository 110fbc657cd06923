use song::module::{Module, Program};

/// In what programs that write MOD modules differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModRules {
    /// Made for four channels of an Amiga, and not for those who followed.
    pub(super) is_original: bool,
    /// A break goes to the first row, whatever it says: the tracker before `ProTracker`.
    pub(super) is_noisetracker: bool,
}

impl ModRules {
    pub(super) fn of(module: &Module) -> Self {
        Self {
            is_original: module.globals.compat.is_for_amiga,
            is_noisetracker: module.writer.program == Program::NoiseTracker,
        }
    }
}
