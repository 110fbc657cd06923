//! Plays something on a device until it is over: feeds the engine, hands on its events, follows the device.

use std::thread;
use std::time::{Duration, Instant};

use engine::Controller;
use song::{Frames, Hz};

use crate::playback::Playback;
use crate::single_note::{Playable, on_grid};
use crate::{Error, ErrorKind};

/// How far ahead of what sounds the engine is fed: further than any device's block is long.
pub const AHEAD: Duration = Duration::from_millis(500);
/// As [`AHEAD`], for a song: it has commands in each tick, and what is heard of them should not be long ago.
pub const SONG_AHEAD: Duration = Duration::from_millis(200);
/// Longest release of a note: as long as it takes.
pub const TAIL: Duration = Duration::from_secs(3600);
/// How long notes of a song ring out after the last row.
pub const SONG_TAIL: Duration = Duration::from_secs(2);

/// How often the engine is looked after.
const PERIOD: Duration = Duration::from_millis(10);
/// Silence before the first note, so that a device that fades in does not swallow its start.
const LEAD: Duration = Duration::from_millis(50);
/// Silence after the last one, until what was rendered has left the loudspeaker.
const REST: Duration = Duration::from_millis(250);
/// How long a device that went away may take to come back.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the frame at which something that is to be played now begins.
#[must_use]
pub fn first_frame(controller: &Controller, playback: &Playback) -> Frames {
    on_grid(later(controller.now(), LEAD, playback))
}

fn later(frame: Frames, by: Duration, playback: &Playback) -> Frames {
    Frames::new(frame.get() + Frames::lasting(by, playback.rate()).get())
}

/// Plays something until it is over or `watch` ends it. `watch` is called each few milliseconds, with the rate of the
/// device.
///
/// Returns the reason that `watch` gave; none if it came to its end.
///
/// # Errors
/// [`ErrorKind::Device`] if the device goes away and none comes back.
pub fn until_over<R>(
    playable: &mut dyn Playable,
    controller: &mut Controller,
    playback: &mut Playback,
    ahead: Duration,
    mut watch: impl FnMut(&mut Controller, Hz) -> Option<R>,
) -> Result<Option<R>, Error> {
    let mut played = Instant::now();
    let mut rate = playback.rate();
    playable.feed(controller, later(controller.now(), ahead, playback));
    while playable.end(controller.now()).is_none() {
        if let Some(reason) = watch(controller, rate) {
            thread::sleep(REST);
            return Ok(Some(reason));
        }
        thread::sleep(PERIOD);
        while let Some(event) = controller.poll() {
            playable.handle_event(&event);
        }
        playable.feed(controller, later(controller.now(), ahead, playback));
        playback.poll();
        if playback.rate() != rate {
            rate = playback.rate();
            playable.set_rate(controller.now(), rate);
        }
        if playback.is_playing() {
            played = Instant::now();
        } else if playback.is_over() || played.elapsed() > PATIENCE {
            return Err(Error::new(ErrorKind::Device, format!("{} went away", playback.name())));
        }
    }
    thread::sleep(REST);
    Ok(None)
}
