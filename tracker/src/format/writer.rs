//! Who wrote a module: what the formats have in common.

use song::module::{ModuleWriter, Program, Version};

/// Returns a program with its version, which is left out if it is 0.
pub(super) fn versioned(program: Program, name: &str, version: Version) -> ModuleWriter {
    let is_known = version != Version::default();
    let name = if is_known { format!("{name} {version}") } else { name.to_owned() };
    ModuleWriter { name, program, version }
}

/// Returns `OpenMPT` with the two numbers of its version that an IT and an S3M have room for.
pub(super) fn openmpt(stored: u16) -> ModuleWriter {
    versioned(Program::OpenMpt, "OpenMPT", Version::of_12_bits(stored))
}

/// Returns Schism Tracker with its version: up to 0.50 as stored, then counted in days.
pub(super) fn schism_tracker(stored: u16) -> ModuleWriter {
    let version = Version::of_12_bits(stored);
    let shown = if version > Version::new([0, 0x50, 0, 0]) { Version::default() } else { version };
    ModuleWriter { version, ..versioned(Program::SchismTracker, "Schism Tracker", shown) }
}

/// Returns a program that nothing is known of but its number.
pub(super) fn unknown(stored: u16) -> ModuleWriter {
    versioned(Program::Other, &format!("unknown tracker {stored:#06x}"), Version::default())
}
