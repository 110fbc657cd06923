use song::module::{ModuleWriter, Program, Version};

use crate::format::view::tracker;

/// Returns the program that `Cwt/v` of the header stands for. Here a 1 is the tracker itself.
///
/// Source: *ST3 TECH document*, and the public lists of *OpenMPT* and *Schism Tracker*.
pub(super) fn writer(creator: u16) -> ModuleWriter {
    let (program, name) = match creator >> 12 {
        1 => (Program::ScreamTracker3, tracker(creator & 0x0FFF, "Scream Tracker")),
        2 => (Program::ImagoOrpheus, tracker(creator, "unknown tracker")),
        _ => (Program::Other, tracker(creator, "unknown tracker")),
    };
    ModuleWriter { name, program, version: Version::of_12_bits(creator) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_four_bits_are_the_program_and_others_its_version() {
        let program = |creator| (writer(creator).program, writer(creator).name);
        assert_eq!(program(0x1320), (Program::ScreamTracker3, "Scream Tracker 3.20".to_owned()));
        assert_eq!(program(0x2100), (Program::ImagoOrpheus, "Imago Orpheus 1.00".to_owned()));
        assert_eq!(program(0x3214), (Program::Other, "Impulse Tracker 2.14".to_owned()));
        assert_eq!(writer(0x1320).version, Version::new([3, 0x20, 0, 0]));
    }
}
