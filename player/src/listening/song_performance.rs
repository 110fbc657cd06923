//! A song that a listener steers.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use song::{Decibels, Frames, Hz};
use tracker::ModuleSummary;

use super::{ListenerKey, Performance, Status, clock};
use crate::single_note::Playable;
use crate::song_player::{PlayedTick, SEEK_STEP, SongPlayer};
use crate::song_volume;
use crate::text;

/// A song has commands in each tick, and what is heard of them should not be long ago.
const AHEAD: Duration = Duration::from_millis(200);

/// Where the song is in a tick.
#[derive(Clone, Copy, Debug, Default)]
struct HeardPlace {
    at: Frames,
    order: usize,
    row: usize,
    /// Seconds of the song up to here.
    seconds: f64,
}

/// A song that is played, and what is shown of it.
pub struct SongPerformance<'w> {
    player: SongPlayer<'w>,
    title: String,
    length: Option<f64>,
    volume: Decibels,
    /// Repeats without it: those that were asked for at the beginning.
    loops: Option<u32>,
    is_endless: bool,
    heard: HeardPlace,
    ahead: VecDeque<HeardPlace>,
    sent: Receiver<HeardPlace>,
}

impl<'w> SongPerformance<'w> {
    /// Creates a performance of a song that was not fed yet, `length` in seconds where it is known. It repeats `loops`
    /// times, without end if there are none.
    #[must_use]
    pub fn new(
        player: SongPlayer<'w>,
        title: &str,
        length: Option<f64>,
        volume: Decibels,
        loops: Option<u32>,
    ) -> Self {
        let (sender, sent) = unbounded();
        let watch = Box::new(move |tick: &PlayedTick<'_>| {
            let place = HeardPlace {
                at: tick.at,
                order: tick.tick.order,
                row: tick.tick.row,
                seconds: tick.replay.song_time(),
            };
            // Its other end lives as long as the player.
            let _ = sender.send(place);
        });
        let mut player = player.watched(watch);
        player.set_gain(volume.gain());
        player.set_loops(loops);
        let (heard, ahead) = Default::default();
        let is_endless = loops.is_none();
        Self { player, title: title.to_owned(), length, volume, loops, is_endless, heard, ahead, sent }
    }

    /// Returns its volume.
    #[must_use]
    pub const fn volume(&self) -> Decibels {
        self.volume
    }

    /// Goes some seconds further, or back; beyond the end of one that repeats is its beginning.
    fn seek(&mut self, by: f64, now: Frames) {
        let mut seconds = (self.heard.seconds + by).max(0.0);
        if let Some(length) = self.length.filter(|length| self.is_endless && *length > 0.0) {
            seconds %= length;
        }
        self.player.seek_seconds(seconds, now);
        self.ahead.clear();
        let _ = self.sent.try_iter().count();
        self.heard.seconds = seconds;
    }

    fn set_volume(&mut self, by: f32) {
        self.volume = song_volume::changed(self.volume, by);
        self.player.set_gain(self.volume.gain());
    }
}

impl Performance for SongPerformance<'_> {
    fn playable(&mut self) -> &mut dyn Playable {
        &mut self.player
    }

    fn ahead(&self) -> Duration {
        AHEAD
    }

    fn steer(&mut self, key: ListenerKey, now: Frames) {
        match key {
            ListenerKey::Back => self.seek(-SEEK_STEP, now),
            ListenerKey::Forward => self.seek(SEEK_STEP, now),
            ListenerKey::Louder => self.set_volume(1.0),
            ListenerKey::Softer => self.set_volume(-1.0),
            ListenerKey::Loop => {
                self.is_endless = !self.is_endless;
                self.player.set_loops(if self.is_endless { None } else { self.loops.or(Some(0)) });
            }
            _ => {}
        }
    }

    fn status(&mut self, now: Frames, _rate: Hz) -> Status {
        self.ahead.extend(self.sent.try_iter());
        let begun = self.ahead.iter().take_while(|place| place.at <= now).count();
        if let Some(place) = self.ahead.drain(..begun).next_back() {
            self.heard = place;
        }
        let HeardPlace { order, row, seconds, .. } = self.heard;
        let module = self.player.replay().score().module();
        let last = module.order_count().saturating_sub(1);
        let decibels = self.volume.get();
        let volume = if decibels == 0.0 { String::new() } else { format!("  {decibels:+} dB") };
        let repeats = if self.is_endless { "  loop" } else { "" };
        let clock = clock(seconds, self.length);
        Status {
            position: format!("{clock}{volume}{repeats}"),
            // As trackers count rows.
            about: format!("order {order}/{last} row {row:02X}  {}", self.title),
        }
    }
}

/// Returns what a tracker module is, in a line: its maker, its format, its channels and its length in seconds.
#[must_use]
pub fn about(summary: &ModuleSummary, length: Option<f64>) -> String {
    let s = if summary.channels == 1 { "" } else { "s" };
    let length = length.map(text::seconds);
    let format = text::format_of(summary).to_owned();
    let facts = [summary.writer.clone(), format, format!("{} channel{s}", summary.channels)];
    facts.into_iter().filter(|fact| !fact.is_empty()).chain(length).collect::<Vec<_>>().join(", ")
}
