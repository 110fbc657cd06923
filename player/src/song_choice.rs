//! Which part of a song is replayed, and which of its channels are heard.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use song::Hz;
use tracker::replay::{Replay, ReplayOptions, Score, Subsong, subsongs};

use crate::song_player::SongOptions;
use crate::{Error, ErrorKind};

/// Voices of an engine for a song: those of the replay, and those of notes played at the same time.
pub const SONG_VOICES: usize = 512;

/// What of a song is replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct SongChoice {
    /// Number of the song of a module that has several, from 1.
    pub subsong: Option<usize>,
    /// Order to begin with, from 0; comes before `subsong`.
    pub order: Option<usize>,
    /// Number of repeats; the song ends where it would repeat itself if none is given.
    pub loops: Option<u32>,
    /// Time after which it ends in any case.
    pub most: Option<Duration>,
    /// Channels that alone are heard, from 1; all if there are none.
    pub solo: Vec<RangeInclusive<usize>>,
    /// Channels that are silent, from 1.
    pub mute: Vec<RangeInclusive<usize>>,
    /// Stereo width, 0..=1.
    pub separation: f32,
}

impl Default for SongChoice {
    /// The first song from its beginning to its end, all channels, as wide as the module says.
    fn default() -> Self {
        let (solo, mute) = (Vec::new(), Vec::new());
        Self { subsong: None, order: None, loops: None, most: None, solo, mute, separation: 1.0 }
    }
}

impl SongChoice {
    /// Returns the beginning of the chosen song.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] if the module has no such order or subsong.
    pub fn replay(&self, score: &Arc<Score>, seed: u64) -> Result<Replay, Error> {
        let refused = |problem| Error::new(ErrorKind::Options, problem);
        let orders = score.module().order_count();
        let order = match (self.order, self.subsong) {
            (Some(order), _) if order >= orders => {
                return Err(refused(format!(
                    "the song has {orders} orders, counted from 0: there is no {order}"
                )));
            }
            (Some(order), _) => order,
            (None, Some(number)) => {
                let found = subsongs(score);
                let subsong = number.checked_sub(1).and_then(|index| found.get(index));
                let problem = || format!("the module has {} songs: there is no {number}", found.len());
                subsong.ok_or_else(|| refused(problem()))?.order
            }
            (None, None) => 0,
        };
        let options = ReplayOptions { order, loops: Some(self.loops.unwrap_or(0)), seed };
        Ok(Replay::new(Arc::clone(score), options))
    }

    /// Returns the chosen subsong, followed without its recordings; none if there is none.
    fn whole(&self, score: &Arc<Score>) -> Option<Subsong> {
        let index = self.subsong.unwrap_or(1).checked_sub(1)?;
        subsongs(score).into_iter().nth(index)
    }

    /// Returns the length in seconds of a song that plays once from its beginning; none where another part was chosen,
    /// or it is not known.
    #[must_use]
    pub fn seconds(&self, score: &Arc<Score>) -> Option<f64> {
        if self.order.is_some() || self.loops.is_some() {
            return None;
        }
        let whole = self.whole(score)?;
        match self.most.map(|most| most.as_secs_f64()) {
            Some(most) if most <= whole.seconds => Some(most),
            _ => Some(whole.seconds).filter(|_| !whole.is_longer),
        }
    }

    /// Returns the minimum playing time of the song, zero from a chosen order on. One that is longer than songs are
    /// followed goes on after that.
    #[must_use]
    pub fn least(&self, score: &Arc<Score>) -> Duration {
        if self.order.is_some() {
            return Duration::ZERO;
        }
        let whole = self.whole(score).map_or(0.0, |song| song.seconds);
        let whole = Duration::try_from_secs_f64(whole).unwrap_or(Duration::MAX);
        self.most.map_or(whole, |most| most.min(whole))
    }

    /// Returns how the song is heard.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] if the module has no such channel.
    pub fn options(&self, score: &Score, tail: Duration, rate: Hz) -> Result<SongOptions, Error> {
        let channels = score.module().channels.len();
        if let Some(absent) = self.solo.iter().chain(&self.mute).find(|range| *range.end() > channels) {
            let problem = format!("the song has {channels} channels: there is no {}", absent.end());
            return Err(Error::new(ErrorKind::Options, problem));
        }
        let within = |ranges: &[RangeInclusive<usize>], channel: usize| {
            ranges.iter().any(|range| range.contains(&(channel + 1)))
        };
        let is_muted =
            |channel| within(&self.mute, channel) || (!self.solo.is_empty() && !within(&self.solo, channel));
        Ok(SongOptions {
            tail,
            most: self.most,
            separation: self.separation,
            muted: (0..channels).map(is_muted).collect(),
            rate,
        })
    }
}
