//! Options of the commands that make sound.

use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use engine::Quality;
use player::session::{DeviceOptions, EngineOptions};
use player::single_note::NoteOptions;
use song::{Decibels, Hz, Key, Pan, Velocity, Voicing};

use super::values;
use crate::exit::Exit;
use crate::failure::Failure;

/// Options that only single notes have, and those that only songs have.
const OF_NOTES: [&str; 12] = [
    "note",
    "velocity",
    "pan",
    "hold",
    "as_stored",
    "reverb",
    "delay",
    "decay",
    "delay_time",
    "feedback",
    "tempo",
    "master",
];
const OF_SONGS: [&str; 8] = ["subsong", "order", "loops", "loop", "seconds", "solo", "mute", "separation"];

/// The note to play.
#[derive(Clone, Debug, Args)]
pub struct NoteArgs {
    /// Key, as number or name: 60 or C4 [default: the sound's root key]
    #[arg(long, value_name = "KEY", value_parser = values::key)]
    pub note: Option<Key>,
    /// MIDI velocity, 1 to 127
    #[arg(long, default_value = "127", value_parser = values::velocity)]
    pub velocity: Velocity,
    /// Gain in decibels
    #[arg(long, default_value = "0", value_name = "DB", value_parser = values::decibels, allow_hyphen_values = true)]
    pub gain: Decibels,
    /// Pan, from -1 (left) to 1 (right)
    #[arg(long, default_value = "0", value_parser = values::pan, allow_hyphen_values = true)]
    pub pan: Pan,
    /// Time a looped sound is held
    #[arg(long, default_value = "4s", value_name = "TIME", value_parser = values::duration)]
    pub hold: Duration,
    /// Play sounds as they are stored, not as they were adjusted in `jam`
    #[arg(long)]
    pub as_stored: bool,
    /// Options of single notes and of songs that were typed, and do not come from the settings.
    #[arg(skip)]
    pub typed: Vec<&'static str>,
}

impl NoteArgs {
    /// Returns which options of single notes and of songs were typed.
    #[must_use]
    pub fn typed_in(matches: &ArgMatches) -> Vec<&'static str> {
        let Some((_, own)) = matches.subcommand() else { return Vec::new() };
        let is_typed = |id: &&str| {
            let is_there = own.try_contains_id(id).unwrap_or(false);
            is_there && own.value_source(id) == Some(ValueSource::CommandLine)
        };
        OF_NOTES.iter().chain(&OF_SONGS).copied().filter(is_typed).collect()
    }

    /// Checks that nothing was typed that a sound ignores.
    ///
    /// # Errors
    /// [`Exit::Usage`].
    pub fn check_sound(&self) -> Result<(), Failure> {
        let Some(option) = self.typed.iter().find(|option| OF_SONGS.contains(option)) else { return Ok(()) };
        Err(Failure::new(Exit::Usage, format!("--{option} is for songs of modules, and this is none")))
    }

    /// Checks that nothing was typed that a song ignores.
    ///
    /// # Errors
    /// [`Exit::Usage`].
    pub fn check_song(&self, label: &str) -> Result<(), Failure> {
        let Some(option) = self.typed.iter().find(|option| OF_NOTES.contains(option)) else { return Ok(()) };
        let option = option.replace('_', "-");
        let message = format!("--{option} is for a sound, and {label} is played as a song");
        Err(Failure::new(Exit::Usage, message)
            .hint("name a sound after FILE; `usampler list FILE` shows all"))
    }

    /// Returns the options of the player.
    #[must_use]
    pub fn options(&self) -> NoteOptions {
        let &Self { note, velocity, gain, pan, hold, .. } = self;
        NoteOptions { key: note, velocity, gain, pan, hold, voicing: Voicing::default(), room: None }
    }
}

/// Options of the engine.
#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// Interpolation quality, cheapest first
    #[arg(long, default_value_t, value_parser = values::quality())]
    pub quality: Quality,
    /// Seed for random choices in groups and cues
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
}

impl EngineArgs {
    /// Returns the options of the player, without effects.
    #[must_use]
    pub const fn options(&self) -> EngineOptions {
        EngineOptions { quality: self.quality, seed: self.seed, effects: false }
    }
}

/// Options of the live output.
#[derive(Clone, Copy, Debug, Args)]
pub struct LiveArgs {
    /// Turn off the limiter, which keeps true peaks below -1 dB
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

/// Options of the audio device.
#[derive(Clone, Debug, Args)]
pub struct DeviceArgs {
    /// Audio device, as named by `usampler devices`; `null` is silent [default: the system's]
    #[arg(long, value_name = "ID")]
    pub device: Option<String>,
    /// Sample rate in Hz [default: the device's own, else 48000]
    #[arg(long, value_name = "HZ", value_parser = values::rate)]
    pub rate: Option<Hz>,
    /// Block length in frames [default: 512]
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
