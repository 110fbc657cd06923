use song::module::{ModuleWriter, Program, Version};

use super::{Header, ItModule};
use crate::format::writer::{openmpt, schism_tracker, unknown, versioned};

const MODPLUG: &str = "ModPlug Tracker";

impl ItModule {
    /// Returns the program that the two versions in the header stand for, `Cwt/v` and `Cmwt`, together with what a
    /// program leaves in its reserved bytes and in the pans of channels that are not in use.
    ///
    /// Source: *ITTECH.TXT*, the public lists of *OpenMPT* and *Schism Tracker*, and what libopenmpt 0.6 says of files
    /// with one of these numbers after the other.
    pub(super) fn writer(&self) -> ModuleWriter {
        let Header { created_with, compatible_with, reserved, .. } = self.header;
        let is_zero = reserved == [0; 4];
        let other = |name| versioned(Program::Other, name, Version::of_12_bits(created_with));
        match (created_with, compatible_with) {
            // ModPlug Tracker wrote versions of Impulse Tracker that there never were.
            (0x217, 0x200) if is_zero && self.header.pans.contains(&255) => versioned(
                Program::ModPlugTracker,
                &format!("{MODPLUG} 1.09 to"),
                Version::new([1, 0x16, 0, 0]),
            ),
            (0x217, 0x200) if is_zero => exported(openmpt(0x117)),
            (0x214, 0x202) if is_zero => {
                versioned(Program::ModPlugTracker, &format!("{MODPLUG} b3.3 to"), Version::new([1, 9, 0, 0]))
            }
            (0x214, 0x200) if is_zero && self.header.highlight == [0; 2] => {
                versioned(Program::ModPlugTracker, MODPLUG, Version::new([1, 0, 0, 0]))
            }
            (0x214, 0x214) if &reserved == b"CHBI" => {
                versioned(Program::Other, "ChibiTracker", Version::default())
            }
            (0x888..=0xFFF, 0x888) => self.properties.openmpt().unwrap_or_else(|| openmpt(0x117)),
            (0x5000..=0x5FFF, _) if &reserved != b"OMPT" => {
                ModuleWriter { program: Program::OpenMptExport, ..exported(openmpt(created_with)) }
            }
            (0x5000..=0x5FFF, _) => self.properties.openmpt().unwrap_or_else(|| openmpt(created_with)),
            (..=0xFFF, _) => impulse_tracker(created_with, compatible_with),
            (0x1000..=0x1FFF, _) => schism_tracker(created_with),
            (0x4000..=0x4FFF, _) => other("pyIT"),
            (0x6000..=0x6FFF, _) => versioned(Program::Other, "BeRoTracker", Version::default()),
            (0x7000..=0x7FFF, _) => other("ITMCK"),
            (0xD000..=0xDFFF, _) => versioned(Program::Other, "spc2it", Version::default()),
            _ => unknown(created_with),
        }
    }
}

fn exported(mut writer: ModuleWriter) -> ModuleWriter {
    writer.name.push_str(" (compatible export)");
    writer
}

/// 2.14 was mended three times, and 2.15 bears the numbers of that.
fn impulse_tracker(created_with: u16, compatible_with: u16) -> ModuleWriter {
    let version = Version::of_12_bits(created_with);
    let name = match (created_with, compatible_with) {
        (0x215..=0x217, 0x215..) => "Impulse Tracker 2.15".to_owned(),
        (0x215..=0x217, _) => format!("Impulse Tracker 2.14p{}", created_with.saturating_sub(0x214)),
        _ => format!("Impulse Tracker {version}"),
    };
    ModuleWriter { name, program: Program::ImpulseTracker, version }
}

#[cfg(test)]
mod tests {
    use super::super::SongProperties;
    use super::*;

    fn module(created_with: u16, compatible_with: u16, reserved: [u8; 4]) -> ItModule {
        let header = Header {
            title: [0; 26],
            highlight: [4, 16],
            created_with,
            compatible_with,
            flags: 0,
            special: 0,
            global_volume: 128,
            mix_volume: 48,
            speed: 6,
            tempo: 125,
            separation: 128,
            wheel: 0,
            message_length: 0,
            message_at: 0,
            reserved,
            pans: [32; 64],
            volumes: [64; 64],
            orders: Vec::new(),
        };
        ItModule {
            header,
            instruments: Vec::new(),
            samples: Vec::new(),
            patterns: Vec::new(),
            message: None,
            history: Vec::new(),
            macros: None,
            claimed_channels: 0,
            properties: SongProperties::default(),
        }
    }

    fn named(module: &ItModule) -> (Program, String) {
        let ModuleWriter { program, name, .. } = module.writer();
        (program, name)
    }

    #[test]
    fn the_upper_four_bits_are_the_program_and_others_its_version() {
        let of = |created_with, compatible_with| named(&module(created_with, compatible_with, *b"abcd"));
        let cases = [
            ((0x200, 0x100), (Program::ImpulseTracker, "Impulse Tracker 2.00")),
            ((0x216, 0x214), (Program::ImpulseTracker, "Impulse Tracker 2.14p2")),
            ((0x217, 0x216), (Program::ImpulseTracker, "Impulse Tracker 2.15")),
            ((0x1050, 0x214), (Program::SchismTracker, "Schism Tracker 0.50")),
            ((0x1051, 0x214), (Program::SchismTracker, "Schism Tracker")),
            ((0x5129, 0x214), (Program::OpenMptExport, "OpenMPT 1.29 (compatible export)")),
            ((0x6000, 0x200), (Program::Other, "BeRoTracker")),
            ((0x9123, 0x200), (Program::Other, "unknown tracker 0x9123")),
        ];
        for ((created_with, compatible_with), (program, name)) in cases {
            assert_eq!(of(created_with, compatible_with), (program, name.to_owned()));
        }
        let version = module(0x1FFF, 0x214, [0; 4]).writer().version;
        assert_eq!(version, Version::new([0xF, 0xFF, 0, 0]));
    }

    #[test]
    fn programs_with_impulse_trackers_numbers_are_known_by_what_they_leave() {
        let unused = |mut module: ItModule| {
            module.header.pans[63] = 255;
            module
        };
        let plain = |mut module: ItModule| {
            module.header.highlight = [0; 2];
            module
        };
        let zero = [0; 4];
        let modplug = |name: &str| (Program::ModPlugTracker, format!("ModPlug Tracker {name}"));
        assert_eq!(named(&unused(module(0x217, 0x200, zero))), modplug("1.09 to 1.16"));
        assert_eq!(named(&module(0x214, 0x202, zero)), modplug("b3.3 to 1.09"));
        assert_eq!(named(&plain(module(0x214, 0x200, zero))), modplug("1.00"));
        assert_eq!(named(&module(0x217, 0x200, zero)).0, Program::OpenMpt);
        assert_eq!(named(&module(0x214, 0x214, *b"CHBI")).1, "ChibiTracker");
        let itself = [
            unused(module(0x217, 0x200, [1, 0, 0, 0])),
            module(0x214, 0x200, zero),
            module(0x217, 0x214, zero),
        ];
        assert!(itself.iter().all(|module| named(module).0 == Program::ImpulseTracker));
    }

    #[test]
    fn openmpt_says_its_version_in_the_properties() {
        let mut module = module(0x888, 0x888, [0; 4]);
        assert_eq!(named(&module), (Program::OpenMpt, "OpenMPT 1.17".to_owned()));
        module.properties.saved_with = Some(0x0118_0300);
        assert_eq!(named(&module), (Program::OpenMpt, "OpenMPT 1.18.03.00".to_owned()));
        (module.header.created_with, module.header.reserved) = (0x5129, *b"OMPT");
        assert_eq!(module.writer().version, Version::new([1, 0x18, 3, 0]));
        module.properties.saved_with = None;
        assert_eq!(module.writer().version, Version::new([1, 0x29, 0, 0]));
    }
}
