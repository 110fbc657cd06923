use song::module::{ModuleWriter, Program, Version};

use crate::format::view::tracker;

/// Returns the program that the two versions in the header stand for: `Cwt/v` and `Cmwt`.
///
/// Source: *ITTECH.TXT*, and the public lists of *OpenMPT* and *Schism Tracker*. 2.17 that wants to be played like 2.00
/// is `ModPlug` Tracker.
pub(super) fn writer(created_with: u16, compatible_with: u16) -> ModuleWriter {
    let program = match created_with >> 12 {
        0 if (created_with, compatible_with) == (0x217, 0x200) => Program::ModPlugTracker,
        0 => Program::ImpulseTracker,
        1 => Program::SchismTracker,
        _ => Program::Other,
    };
    let name = tracker(created_with, "Impulse Tracker");
    ModuleWriter { name, program, version: Version::of_12_bits(created_with) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_four_bits_are_the_program_and_modplug_is_known_by_both_versions() {
        let of = |created_with, compatible_with| {
            let ModuleWriter { program, version, .. } = writer(created_with, compatible_with);
            (program, version)
        };
        let two = |minor| Version::new([2, minor, 0, 0]);
        assert_eq!(of(0x217, 0x200), (Program::ModPlugTracker, two(0x17)));
        assert_eq!(of(0x217, 0x214), (Program::ImpulseTracker, two(0x17)));
        assert_eq!(of(0x0200, 0x200), (Program::ImpulseTracker, two(0)));
        assert_eq!(of(0x1050, 0x214), (Program::SchismTracker, Version::new([0, 0x50, 0, 0])));
        assert_eq!(of(0x5129, 0x214).0, Program::Other);
    }
}
