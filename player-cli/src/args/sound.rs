//! Options of the commands that make sound.

use std::time::Duration;

use clap::Args;
use engine::Quality;
use player::session::{DeviceOptions, EngineOptions};
use player::single_note::NoteOptions;
use song::{Decibels, Hz, Key, Pan, Velocity};

use super::values;

/// A note to be played.
#[derive(Clone, Debug, Args)]
pub struct NoteArgs {
    /// Key, as number or name: 60 or C4 [default: the sound's root key]
    #[arg(long, value_name = "KEY", value_parser = values::key)]
    pub note: Option<Key>,
    /// How hard it is struck, 1 to 127
    #[arg(long, default_value = "127", value_parser = values::velocity)]
    pub velocity: Velocity,
    /// Gain in decibels
    #[arg(long, default_value = "0", value_name = "DB", value_parser = values::decibels, allow_hyphen_values = true)]
    pub gain: Decibels,
    /// Place between left (-1) and right (1)
    #[arg(long, default_value = "0", value_parser = values::pan, allow_hyphen_values = true)]
    pub pan: Pan,
    /// How long a looped sound is held
    #[arg(long, default_value = "4s", value_name = "TIME", value_parser = values::duration)]
    pub hold: Duration,
}

impl NoteArgs {
    /// Returns the options of the player.
    #[must_use]
    pub const fn options(&self) -> NoteOptions {
        let &Self { note, velocity, gain, pan, hold } = self;
        NoteOptions { key: note, velocity, gain, pan, hold }
    }
}

/// How sound is made.
#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// Quality of the interpolation, the cheapest first
    #[arg(long, default_value_t, value_parser = values::quality())]
    pub quality: Quality,
    /// Where chance begins that chooses within groups and cues: the same number plays the same
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
}

impl EngineArgs {
    /// Returns the options of the player.
    #[must_use]
    pub const fn options(&self) -> EngineOptions {
        EngineOptions { quality: self.quality, seed: self.seed }
    }
}

/// What stands between the engine and the loudspeaker.
#[derive(Clone, Copy, Debug, Args)]
pub struct LiveArgs {
    /// Let through what is beyond full scale; otherwise a limiter keeps true peaks below -1 dB and changes nothing else
    #[arg(long)]
    pub no_limiter: bool,
}

impl LiveArgs {
    /// Returns whether the limiter is wanted.
    #[must_use]
    pub const fn has_limiter(self) -> bool {
        !self.no_limiter
    }
}

/// The device that plays.
#[derive(Clone, Debug, Args)]
pub struct DeviceArgs {
    /// The device, as `usampler devices` names it; `null` runs silently [default: the system's]
    #[arg(long, value_name = "ID")]
    pub device: Option<String>,
    /// Frames per second [default: the device's own, 48000 where it has none]
    #[arg(long, value_name = "HZ", value_parser = values::rate)]
    pub rate: Option<Hz>,
    /// Frames per block [default: 512]
    #[arg(long, value_name = "FRAMES", value_parser = clap::value_parser!(u32).range(16..=8192))]
    pub buffer: Option<u32>,
}

impl DeviceArgs {
    /// Returns the options of the player.
    #[must_use]
    pub fn options(&self) -> DeviceOptions {
        DeviceOptions { device: self.device.clone(), rate: self.rate, buffer: self.buffer }
    }
}
