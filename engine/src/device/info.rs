//! What there is to know of a real device, and to choice of it.

use std::ops::RangeInclusive;

use song::{Frames, Hz};

/// An output device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// What to ask for it by, with the name of the system it belongs to: `alsa:default`, `alsa:hw:CARD=PCH,DEV=0`. The
    /// same from one run to the next, and unique.
    pub id: String,
    /// What it calls itself; others may have the same name.
    pub name: String,
    /// Whether this is what one gets without asking for any.
    pub is_default: bool,
    /// The rate it has unless asked for another.
    pub default_rate: Option<Hz>,
    /// The rates it can be asked for, ascending.
    pub rates: Vec<RangeInclusive<Hz>>,
    /// The numbers of channels it can be asked for, ascending.
    pub channels: Vec<u16>,
    /// The block lengths it can be asked for, if it says. What it then gives may be another.
    pub block: Option<RangeInclusive<Frames>>,
    /// Why it could not be asked what it offers: another program may have it.
    pub problem: Option<String>,
}

/// What is wanted of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceRequest {
    /// Which one, by its id; without one, the system's default.
    pub device: Option<String>,
    /// At this rate or not at all; without one, the device's own.
    pub rate: Option<Hz>,
    /// With blocks of about this length, 512 frames without a choice. The device may give others.
    pub buffer: Option<Frames>,
}
