//! A room as somebody asks for it who renders or plays to the end.

use std::time::Duration;

use song::{Decibels, Sends, Voicing};

use super::{NoteLength, Room, RoomFile, RoomParameter};
use crate::Error;
use crate::single_note::NoteOptions;

/// What of a [`Room`] is asked for; the rest is as it was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoomOptions {
    /// Gain by which all sounds send to the reverb; none if as they are voiced.
    pub reverb: Option<Decibels>,
    /// Gain by which all sounds send to the delay; none if as they are voiced.
    pub delay: Option<Decibels>,
    /// Time in which the reverb falls by 60 dB.
    pub decay: Option<Duration>,
    /// From one echo to the next.
    pub time: Option<NoteLength>,
    /// Gain from one echo to the next, in percent.
    pub feedback: Option<u8>,
    /// Beats per minute.
    pub tempo: Option<u16>,
    /// The gain of all.
    pub master: Option<Decibels>,
}

impl RoomOptions {
    /// Returns a voicing with the sends that are asked for.
    #[must_use]
    pub(crate) fn sent(&self, voicing: Voicing) -> Voicing {
        let (reverb, delay) = (self.reverb.or(voicing.reverb), self.delay.or(voicing.delay));
        Voicing { reverb, delay, ..voicing }
    }

    /// Returns a note with the sends that are asked for, in the room that is, if it is heard; `warn` gets the
    /// reason if a kept one cannot be read. `own` is what the sound sends itself; `as_stored` leaves out what was kept.
    pub fn note(
        &self,
        as_stored: bool,
        own: Sends,
        note: NoteOptions,
        warn: &mut dyn FnMut(&str),
    ) -> NoteOptions {
        let voicing = self.sent(note.voicing);
        let room = self.heard(as_stored, [voicing.sends(own)], warn);
        NoteOptions { voicing, room, ..note }
    }

    /// Returns the room that is asked for if it is heard with these sends; warns as [`note`](Self::note).
    pub(crate) fn heard(
        &self,
        as_stored: bool,
        sends: impl IntoIterator<Item = Sends>,
        warn: &mut dyn FnMut(&str),
    ) -> Option<Room> {
        let (room, problem) = self.room(as_stored);
        problem.iter().for_each(|error| warn(error.message()));
        Some(room).filter(|room| room.is_heard(sends))
    }

    /// Returns the room that is asked for, and why the one that was kept cannot be read; `as_stored` leaves that out.
    #[must_use]
    pub fn room(&self, as_stored: bool) -> (Room, Option<Error>) {
        let kept = RoomFile::of_user().filter(|_| !as_stored).map_or(Ok(Room::default()), |file| file.load());
        let (mut room, problem) = match kept {
            Ok(room) => (room, None),
            Err(error) => (Room::default(), Some(error)),
        };
        for (parameter, value) in [
            (RoomParameter::Decay, self.decay.map(|time| time.as_secs_f64())),
            (RoomParameter::Feedback, self.feedback.map(|percent| f64::from(percent) / 100.0)),
            (RoomParameter::Tempo, self.tempo.map(f64::from)),
            (RoomParameter::Master, self.master.map(|gain| gain.get().into())),
        ] {
            if let Some(value) = value {
                parameter.set(&mut room, value);
            }
        }
        room.time = self.time.unwrap_or(room.time);
        (room, problem)
    }
}
