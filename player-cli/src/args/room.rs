//! Options of the room that sounds are played in.

use std::time::Duration;

use clap::Args;
use player::room::{NoteLength, RoomOptions};
use song::Decibels;

use super::values;

/// Effects and gain of all sounds.
#[derive(Clone, Debug, Args)]
pub struct RoomArgs {
    /// Send all sounds to the reverb, at this gain in decibels [default: as adjusted in `jam`]
    #[arg(long, value_name = "DB", value_parser = values::decibels, allow_hyphen_values = true)]
    pub reverb: Option<Decibels>,
    /// Send all sounds to the delay, at this gain in decibels [default: as adjusted in `jam`]
    #[arg(long, value_name = "DB", value_parser = values::decibels, allow_hyphen_values = true)]
    pub delay: Option<Decibels>,
    /// Time in which the reverb decays by 60 dB, 0.1 to 30 s
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub decay: Option<Duration>,
    /// Time between echoes as a note: 1/8, 1/8. (dotted), 1/8t (triplet)
    #[arg(long, value_name = "NOTE", value_parser = note_length)]
    pub delay_time: Option<NoteLength>,
    /// Gain from one echo to the next, 0 to 95 percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=95))]
    pub feedback: Option<u8>,
    /// Beats per minute that note lengths are counted by
    #[arg(long, value_name = "BPM", value_parser = clap::value_parser!(u16).range(20..=300))]
    pub tempo: Option<u16>,
    /// Gain of the whole output in decibels
    #[arg(long, value_name = "DB", value_parser = values::decibels, allow_hyphen_values = true)]
    pub master: Option<Decibels>,
}

fn note_length(name: &str) -> Result<NoteLength, String> {
    NoteLength::named(name).ok_or_else(|| format!("one of {}", NoteLength::NAMES.join(", ")))
}

impl RoomArgs {
    /// Returns the options of the player.
    #[must_use]
    pub const fn options(&self) -> RoomOptions {
        let &Self { reverb, delay, decay, delay_time: time, feedback, tempo, master } = self;
        RoomOptions { reverb, delay, decay, time, feedback, tempo, master }
    }
}
