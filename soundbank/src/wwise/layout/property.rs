use super::super::version::Version;

/// Numbers of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wwise) struct PropertyIds {
    /// Volume in dB.
    pub(in crate::wwise) volume: u8,
    /// Pitch in cents.
    pub(in crate::wwise) pitch: u8,
    /// Make-up gain in dB.
    pub(in crate::wwise) gain: u8,
    /// Delay in seconds.
    pub(in crate::wwise) delay: u8,
    /// Delay of an action in milliseconds.
    pub(in crate::wwise) action_delay: u8,
    /// Probability of an action in percent.
    pub(in crate::wwise) action_chance: u8,
    /// Number of times that it is played.
    pub(in crate::wwise) loops: u8,
}

impl PropertyIds {
    pub(super) const fn of(version: Version) -> Self {
        let mut ids = Self {
            volume: 0,
            pitch: 2,
            gain: 0x21,
            delay: 0x19,
            action_delay: 0xE,
            action_chance: 0x10,
            loops: 7,
        };
        if version.reaches(90) {
            ids.delay = 0x3B;
            ids.loops = 0x3A;
        }
        if version.reaches(118) {
            ids.gain = 6;
            ids.action_delay = 0xF;
            ids.action_chance = 0x11;
        }
        if version.reaches(150) {
            ids.pitch = 1;
            ids.gain = 5;
            ids.delay = 0x22;
            ids.action_delay = 0x39;
            ids.action_chance = 0x3B;
            ids.loops = 0x54;
        }
        if version.reaches(152) {
            ids.action_delay = 0x3A;
            ids.action_chance = 0x3C;
            ids.loops = 0x4A;
        }
        if version.reaches(160) {
            ids.delay = 0x24;
        }
        ids
    }
}
