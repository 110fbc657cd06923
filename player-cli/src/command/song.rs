//! A song for `play` and `render`: the module of a file with all its recordings, and how it is to be replayed.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use engine::Controller;
use importer::{HeldMemory, SoundFile};
use player::session::{self, DecodedSong};
use player::song_player::{self, SongOptions};
use song::Hz;
use tracker::replay::{Replay, ReplayOptions, Score};

use crate::args::SongArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::import::import;

/// Voices of an engine for a song: those of the replay, and those that are played besides.
pub const VOICES: usize = 512;

/// A song with all its recordings, ready to be replayed.
pub struct LoadedSong {
    /// The module.
    pub score: Arc<Score>,
    /// Its recordings.
    pub bank: Arc<engine::Bank>,
    /// The memory that they hold.
    pub held: HeldMemory,
}

impl LoadedSong {
    /// Decodes all recordings of a module.
    ///
    /// # Errors
    /// If they make no song.
    pub fn of(package: &SoundFile<'_>, console: &mut Console<'_>) -> Result<Self, Failure> {
        let DecodedSong { song, held, .. } = import(package, |_| true, console)?;
        let score = song_player::score(&song);
        Ok(Self { score, bank: session::bank(song)?, held })
    }

    /// Returns the beginning of the song that is asked for.
    ///
    /// # Errors
    /// [`Exit::Usage`] if the module has no such order or subsong.
    pub fn replay(&self, args: &SongArgs, seed: u64) -> Result<Replay, Failure> {
        let orders = self.score.module().order_count();
        let order = match (args.order, args.subsong) {
            (Some(order), _) if order >= orders => {
                let problem = format!("the song has {orders} orders, counted from 0: there is no {order}");
                return Err(Failure::new(Exit::Usage, problem));
            }
            (Some(order), _) => order,
            (None, Some(number)) => {
                let found = tracker::replay::subsongs(&self.score);
                let subsong = found.get(number - 1);
                let problem = || format!("the module has {} songs: there is no {number}", found.len());
                subsong.ok_or_else(|| Failure::new(Exit::Usage, problem()))?.order
            }
            (None, None) => 0,
        };
        let options = ReplayOptions { order, loops: Some(args.loops.unwrap_or(0)), seed };
        Ok(Replay::new(Arc::clone(&self.score), options))
    }

    /// Returns how the song is to be heard.
    pub fn options(&self, args: &SongArgs, tail: Duration, rate: Hz) -> SongOptions {
        let channels = self.score.module().channels.len();
        let within = |ranges: &[RangeInclusive<usize>], channel: usize| {
            ranges.iter().any(|range| range.contains(&(channel + 1)))
        };
        let is_muted =
            |channel| within(&args.mute, channel) || (!args.solo.is_empty() && !within(&args.solo, channel));
        SongOptions {
            tail,
            most: args.seconds,
            separation: f32::from(args.separation) / 100.0,
            muted: (0..channels).map(is_muted).collect(),
            rate,
        }
    }

    /// Lends the recordings to a controller.
    pub fn lend(&self, controller: &mut Controller) -> engine::LentBank {
        controller.lend(Arc::clone(&self.bank))
    }
}
