use song::module::{ModuleWriter, Program, Version};

use super::Header;
use crate::format::writer::{openmpt, schism_tracker, unknown, versioned};

/// The two flags that `ModPlug` Tracker writes: volume slides in the first tick too, and Amiga limits.
const MODPLUG_FLAGS: u16 = 0x50;

impl Header {
    /// Returns the program that `Cwt/v` of the header stands for. Here a 1 is the tracker itself.
    ///
    /// Source: *ST3 TECH document*, the public lists of *OpenMPT* and *Schism Tracker*, and what libopenmpt 0.6 says of
    /// files with one of these numbers after the other.
    pub(super) fn writer(&self) -> ModuleWriter {
        let of = |program, name| versioned(program, name, Version::of_12_bits(self.creator));
        match self.creator >> 12 {
            1 if self.is_by_modplug() => versioned(
                Program::ModPlugTracker,
                "ModPlug Tracker or OpenMPT",
                Version::new([1, 0x17, 0, 0]),
            ),
            1 => of(Program::ScreamTracker3, "Scream Tracker"),
            2 => of(Program::ImagoOrpheus, "Imago Orpheus"),
            3 => of(Program::ImpulseTracker, "Impulse Tracker"),
            4 => schism_tracker(self.creator),
            5 => openmpt(self.creator),
            6 => versioned(Program::Other, "BeRoTracker", Version::default()),
            7 => of(Program::Other, "CreamTracker"),
            _ => unknown(self.creator),
        }
    }

    /// `ModPlug` Tracker calls itself Scream Tracker 3.20, but leaves out what that never does.
    fn is_by_modplug(&self) -> bool {
        let is_plain = self.special == 0 && self.ultra_click == 0 && self.flags & !MODPLUG_FLAGS == 0;
        self.creator == 0x1320 && is_plain && self.pans.is_some() && self.reserved == [0; 8]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(creator: u16) -> Header {
        Header {
            title: [0; 28],
            kind: 16,
            flags: 0,
            creator,
            sample_format: 2,
            global_volume: 64,
            speed: 6,
            tempo: 125,
            master_volume: 0xB0,
            ultra_click: 16,
            default_pan: 252,
            reserved: [0; 8],
            special: 0,
            channels: [255; 32],
            orders: Vec::new(),
            pans: Some([0; 32]),
        }
    }

    #[test]
    fn the_upper_four_bits_are_the_program_and_others_its_version() {
        let writer = |creator| header(creator).writer();
        let program = |creator| (writer(creator).program, writer(creator).name);
        assert_eq!(program(0x1320), (Program::ScreamTracker3, "Scream Tracker 3.20".to_owned()));
        assert_eq!(program(0x2100), (Program::ImagoOrpheus, "Imago Orpheus 1.00".to_owned()));
        assert_eq!(program(0x3214), (Program::ImpulseTracker, "Impulse Tracker 2.14".to_owned()));
        assert_eq!(program(0x5129), (Program::OpenMpt, "OpenMPT 1.29".to_owned()));
        assert_eq!(writer(0x1320).version, Version::new([3, 0x20, 0, 0]));
    }

    #[test]
    fn modplug_tracker_is_known_by_what_it_leaves_out() {
        let modplug = Header { ultra_click: 0, ..header(0x1320) };
        assert_eq!(modplug.writer().program, Program::ModPlugTracker);
        let others = [
            Header { creator: 0x1301, ..modplug.clone() },
            Header { ultra_click: 16, ..modplug.clone() },
            Header { pans: None, ..modplug.clone() },
            Header { special: 1, ..modplug.clone() },
            Header { flags: 8, ..modplug.clone() },
            Header { reserved: [0, 0, 0, 0, 0, 0, 0, 1], ..modplug },
        ];
        assert!(others.iter().all(|other| other.writer().program == Program::ScreamTracker3));
    }
}
