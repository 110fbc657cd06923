//! A song that a listener steers.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use song::module::Order;
use song::{Frames, Hz};
use tracker::ModuleSummary;

use super::{ListenerKey, Performance, clock};
use crate::single_note::Playable;
use crate::song_player::{PlayedTick, SongPlayer};
use crate::text;

/// A song has commands in each tick, and what is heard of them should not be long ago.
const AHEAD: Duration = Duration::from_millis(200);
/// Seconds of a step back or forward.
const STEP: f64 = 5.0;
/// Columns of a title in the status line.
const TITLE_LENGTH: usize = 24;

/// The listener's volume of songs, in whole decibels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SongVolume(f32);

impl SongVolume {
    const MIN: f32 = -60.0;
    const MAX: f32 = 12.0;

    /// Creates a volume of so many decibels.
    #[must_use]
    pub const fn new(decibels: f32) -> Self {
        Self(decibels)
    }

    /// Returns it as a factor.
    #[must_use]
    pub fn gain(self) -> f32 {
        if self.0 == 0.0 { 1.0 } else { 10_f32.powf(self.0 / 20.0) }
    }

    fn change(&mut self, by: f32) {
        self.0 = (self.0 + by).clamp(Self::MIN.min(self.0), Self::MAX.max(self.0));
    }
}

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
    volume: SongVolume,
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
        volume: SongVolume,
        loops: Option<u32>,
    ) -> Self {
        let (sender, sent) = unbounded();
        let watch = Box::new(move |tick: &PlayedTick<'_>| {
            let place = HeardPlace {
                at: tick.at,
                order: tick.tick.order,
                row: tick.tick.row,
                seconds: tick.replay.elapsed(),
            };
            // Its other end lives as long as the player.
            let _ = sender.send(place);
        });
        let mut player = player.watched(watch);
        player.set_gain(volume.gain());
        player.set_loops(loops);
        let title = match title.char_indices().nth(TITLE_LENGTH) {
            Some((end, _)) => format!("{}…", title.get(..end).unwrap_or(title).trim_end()),
            None => title.to_owned(),
        };
        let (heard, ahead) = Default::default();
        let is_endless = loops.is_none();
        Self { player, title, length, volume, loops, is_endless, heard, ahead, sent }
    }

    /// Returns its volume.
    #[must_use]
    pub const fn volume(&self) -> SongVolume {
        self.volume
    }

    fn seek(&mut self, by: f64) {
        let mut seconds = (self.heard.seconds + by).max(0.0);
        if let Some(length) = self.length.filter(|length| self.is_endless && *length > 0.0) {
            seconds %= length;
        }
        self.player.seek_seconds(seconds);
        self.ahead.clear();
        let _ = self.sent.try_iter().count();
        self.heard.seconds = seconds;
    }

    fn set_volume(&mut self, by: f32) {
        self.volume.change(by);
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

    fn steer(&mut self, key: ListenerKey) {
        match key {
            ListenerKey::Back => self.seek(-STEP),
            ListenerKey::Forward => self.seek(STEP),
            ListenerKey::Louder => self.set_volume(1.0),
            ListenerKey::Softer => self.set_volume(-1.0),
            ListenerKey::Loop => {
                self.is_endless = !self.is_endless;
                self.player.set_loops(if self.is_endless { None } else { self.loops.or(Some(0)) });
            }
            _ => {}
        }
    }

    fn status(&mut self, now: Frames, _rate: Hz) -> (String, &'static str) {
        self.ahead.extend(self.sent.try_iter());
        let begun = self.ahead.iter().take_while(|place| place.at <= now).count();
        if let Some(place) = self.ahead.drain(..begun).next_back() {
            self.heard = place;
        }
        let HeardPlace { order, row, seconds, .. } = self.heard;
        let module = self.player.replay().score().module();
        let pattern = match module.orders.get(order) {
            Some(Order::Pattern(pattern)) => format!(" pattern {pattern}"),
            _ => String::new(),
        };
        let seconds = match self.length.filter(|length| self.is_endless && *length > 0.0) {
            Some(length) => seconds % length,
            None => seconds,
        };
        let last = module.order_count().saturating_sub(1);
        let place = format!("order {order}/{last}{pattern} row {row:02}");
        let volume = if self.volume.0 == 0.0 { String::new() } else { format!("  {:+} dB", self.volume.0) };
        let repeats = if self.is_endless { "  loop" } else { "" };
        let clock = clock(seconds, self.length);
        (format!("{clock}  {}  {place}{volume}{repeats}", self.title), "  ←→ seek  + - volume  l loop")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_moves_by_decibels_within_its_bounds() {
        let mut volume = SongVolume::default();
        assert_eq!(volume.gain().to_bits(), 1.0_f32.to_bits());
        (0..20).for_each(|_| volume.change(1.0));
        assert_eq!(volume, SongVolume::new(12.0));
        (0..99).for_each(|_| volume.change(-1.0));
        assert_eq!(volume, SongVolume::new(-60.0));
        assert!((volume.gain() - 0.001).abs() < 1e-9);
    }
}
