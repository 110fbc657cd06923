//! Playing something on a device to its end, while a listener pauses, seeks, turns it up and down, or goes on.
//!
//! ```text
//! Listener ── keys ──► listen ──► Performance ──► engine ──► Playback
//!     ▲                  │
//!     └── status line ───┘
//! ```

mod song_performance;

use std::thread;
use std::time::{Duration, Instant};

use engine::Controller;
use song::{Decibels, Frames, Hz};

pub use song_performance::{SongPerformance, about};

use crate::pause::Pause;
use crate::playback::Playback;
use crate::room::Room;
use crate::single_note::{Playable, on_grid};
use crate::{Error, ErrorKind};

/// How often the engine is looked after.
const PERIOD: Duration = Duration::from_millis(10);
/// Silence before the first note, so that a device that fades in does not swallow its start.
const LEAD: Duration = Duration::from_millis(50);
/// Time until what was rendered has left the loudspeaker.
const REST: Duration = Duration::from_millis(250);
/// How long a device that went away may take to come back.
const PATIENCE: Duration = Duration::from_secs(10);
/// How far ahead of what sounds the engine is fed: further than any device's block is long.
const AHEAD: Duration = Duration::from_millis(500);
/// Longest release tail of a note that is listened to: as long as it takes.
pub const NOTE_TAIL: Duration = Duration::from_secs(3600);
/// How long notes of a song ring out after the last row.
pub const SONG_TAIL: Duration = Duration::from_secs(2);

/// What a key of a listener asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenerKey {
    /// Stop here, or go on.
    Pause,
    /// Some seconds back.
    Back,
    /// Some seconds on.
    Forward,
    /// Louder.
    Louder,
    /// Softer.
    Softer,
    /// Repeat without end, or no longer.
    Loop,
    /// The next of a list.
    Next,
    /// The one before it.
    Previous,
    /// Another order of the list.
    Shuffle,
    /// End, as if it were over.
    End,
    /// End at once.
    Interrupt,
}

/// Why nothing plays any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// It came to its end.
    Over,
    /// The user wants the next of the list.
    Next,
    /// The one before it.
    Previous,
    /// The list in another order.
    Shuffle,
    /// Nothing more.
    Ended,
    /// Nothing more, at once.
    Interrupted,
}

impl EndReason {
    /// Returns what a key ends, where there is a list or not.
    fn of(key: ListenerKey, is_in_list: bool) -> Option<Self> {
        match key {
            ListenerKey::Next => is_in_list.then_some(Self::Next),
            ListenerKey::Previous => is_in_list.then_some(Self::Previous),
            ListenerKey::Shuffle => is_in_list.then_some(Self::Shuffle),
            ListenerKey::End => Some(Self::Ended),
            ListenerKey::Interrupt => Some(Self::Interrupted),
            _ => None,
        }
    }
}

/// Somebody who listens: a terminal, or nobody.
pub trait Listener {
    /// Returns the next key that was pressed since.
    fn key(&mut self) -> Option<ListenerKey>;

    /// Returns whether everything is to end now.
    fn is_interrupted(&self) -> bool;

    /// Shows a line in the place of the one before it; an empty one takes it away.
    fn show(&mut self, line: &str);
}

/// The keys that every performance has.
const KEYS: &str = "Space pause  q end";

/// Returns the keys that steer a song, in words; one of a list has more.
#[must_use]
pub const fn song_keys(is_in_list: bool) -> &'static str {
    if is_in_list {
        "Space pause  ←→ seek  + - volume  l loop  < > song  s shuffle  q end"
    } else {
        "Space pause  ←→ seek  + - volume  l loop  q end"
    }
}

/// A listener without keys, to whom nothing is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Listener for Nobody {
    fn key(&mut self) -> Option<ListenerKey> {
        None
    }

    fn is_interrupted(&self) -> bool {
        false
    }

    fn show(&mut self, _line: &str) {}
}

/// Something that is played to its end.
pub trait Performance {
    /// Returns what feeds the engine.
    fn playable(&mut self) -> &mut dyn Playable;

    /// Returns how far ahead of what sounds the engine is fed.
    fn ahead(&self) -> Duration {
        AHEAD
    }

    /// Returns the gain that the engine has unless it is paused.
    fn gain(&self) -> Decibels {
        Decibels::UNITY
    }

    /// Does what a key asks for, if it means anything here; `now` is the frame that sounds.
    fn steer(&mut self, _key: ListenerKey, _now: Frames) {}

    /// Returns what is shown of it.
    fn status(&mut self, now: Frames, rate: Hz) -> Status;
}

/// What is shown of a performance, the most important first: a narrow terminal shows the beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// How far it is, and how it is played.
    pub position: String,
    /// More about it, or the keys that steer it.
    pub about: String,
}

/// A sound or a MIDI file as a performance: a clock and nothing to steer.
pub struct PlainPerformance<'p> {
    /// What plays.
    pub playable: &'p mut dyn Playable,
    /// Its first frame.
    pub first: Frames,
    /// In seconds, where it is known beforehand.
    pub length: Option<f64>,
    /// The room that it is played in.
    pub room: Option<Room>,
}

impl Performance for PlainPerformance<'_> {
    fn playable(&mut self) -> &mut dyn Playable {
        self.playable
    }

    fn gain(&self) -> Decibels {
        self.room.map_or(Decibels::UNITY, |room| room.master)
    }

    fn status(&mut self, now: Frames, rate: Hz) -> Status {
        let played = Frames::new(now.get().saturating_sub(self.first.get())).seconds(rate);
        Status { position: clock(played, self.length), about: KEYS.to_owned() }
    }
}

/// Returns how far it is: `0:03.2 / 0:12.0`.
fn clock(seconds: f64, length: Option<f64>) -> String {
    let shown = |seconds: f64| {
        // Tenths first, so that no clock shows 60 seconds.
        let tenths = (seconds * 10.0).round() as u64;
        format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
    };
    let length = length.map_or_else(String::new, |length| format!(" / {}", shown(length)));
    format!("{}{length}", shown(seconds))
}

/// Returns the first frame of something that begins soon.
#[must_use]
pub fn first_frame(controller: &Controller, playback: &Playback) -> Frames {
    on_grid(later(controller.now(), LEAD, playback))
}

fn later(frame: Frames, by: Duration, playback: &Playback) -> Frames {
    Frames::new(frame.get().saturating_add(Frames::lasting(by, playback.rate()).get()))
}

/// Plays until it is over, or the listener ends it.
///
/// # Errors
/// [`ErrorKind::Device`] if the device went away and does not come back.
pub fn listen(
    act: &mut dyn Performance,
    controller: &mut Controller,
    playback: &mut Playback,
    is_in_list: bool,
    listener: &mut dyn Listener,
) -> Result<EndReason, Error> {
    let mut pause = Pause::of(act.gain());
    let mut shown = String::new();
    let mut played = Instant::now();
    let mut rate = playback.rate();
    let until = later(controller.now(), act.ahead(), playback);
    act.playable().feed(controller, until);
    while act.playable().end(controller.now()).is_none() {
        let key = listener.key();
        match key {
            Some(ListenerKey::Pause) => pause.toggle(controller),
            Some(key) => act.steer(key, controller.now()),
            None => {}
        }
        pause.poll(controller);
        // That is how one stops a sound: nothing went wrong.
        let outcome = key.and_then(|key| EndReason::of(key, is_in_list));
        let outcome = if listener.is_interrupted() { Some(EndReason::Interrupted) } else { outcome };
        if let Some(outcome) = outcome {
            pause.end(controller);
            thread::sleep(REST);
            listener.show("");
            return Ok(outcome);
        }
        let Status { position, about } = act.status(controller.now(), rate);
        let paused = if pause.is_on() { "  paused" } else { "" };
        let line = format!("{position}{paused}   {about}");
        if line != shown {
            listener.show(&line);
            shown = line;
        }
        thread::sleep(PERIOD);
        while let Some(event) = controller.poll() {
            act.playable().handle_event(&event);
        }
        let until = later(controller.now(), act.ahead(), playback);
        act.playable().feed(controller, until);
        playback.poll();
        if playback.rate() != rate {
            rate = playback.rate();
            act.playable().set_rate(controller.now(), rate);
        }
        if playback.is_playing() {
            played = Instant::now();
        } else if playback.is_over() || played.elapsed() > PATIENCE {
            return Err(Error::new(ErrorKind::Device, format!("{} went away", playback.name())));
        }
    }
    thread::sleep(REST);
    listener.show("");
    Ok(EndReason::Over)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_counts_minutes_seconds_and_tenths() {
        assert_eq!(clock(3.24, Some(72.0)), "0:03.2 / 1:12.0");
        assert_eq!(clock(59.96, None), "1:00.0");
    }

    #[test]
    fn keys_of_a_list_end_nothing_where_there_is_none() {
        for (key, reason) in [
            (ListenerKey::Next, EndReason::Next),
            (ListenerKey::Previous, EndReason::Previous),
            (ListenerKey::Shuffle, EndReason::Shuffle),
        ] {
            assert_eq!((EndReason::of(key, true), EndReason::of(key, false)), (Some(reason), None));
        }
        assert_eq!(EndReason::of(ListenerKey::End, false), Some(EndReason::Ended));
        assert_eq!(EndReason::of(ListenerKey::Louder, true), None);
    }
}
