//! Options of the room that sounds are played in.

use std::time::Duration;

use clap::Args;
use player::room::{NoteLength, Room, RoomFile, RoomParameter};
use song::{Decibels, Voicing};

use super::values;
use crate::console::Console;

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
    /// Returns a voicing with the sends that were typed.
    #[must_use]
    pub fn sent(&self, voicing: Voicing) -> Voicing {
        let (reverb, delay) = (self.reverb.or(voicing.reverb), self.delay.or(voicing.delay));
        Voicing { reverb, delay, ..voicing }
    }

    /// Returns the room that was kept in `jam`, with what was typed; none if it is not heard with these voicings. Warns
    /// of a file that makes no sense.
    pub fn heard<'v>(
        &self,
        as_stored: bool,
        voicings: impl IntoIterator<Item = &'v Voicing>,
        console: &mut Console<'_>,
    ) -> Option<Room> {
        let kept = RoomFile::of_user().filter(|_| !as_stored).map_or(Ok(Room::default()), |file| file.load());
        let mut room = kept.unwrap_or_else(|error| {
            console.warn(error.message());
            Room::default()
        });
        let typed = [
            (RoomParameter::Decay, self.decay.map(|time| time.as_secs_f64())),
            (RoomParameter::Feedback, self.feedback.map(|percent| f64::from(percent) / 100.0)),
            (RoomParameter::Tempo, self.tempo.map(f64::from)),
            (RoomParameter::Master, self.master.map(|gain| gain.get().into())),
        ];
        for (parameter, value) in typed {
            if let Some(value) = value {
                parameter.set(&mut room, value);
            }
        }
        room.time = self.delay_time.unwrap_or(room.time);
        Some(room).filter(|room| room.is_heard(voicings))
    }
}
