use std::ops::RangeInclusive;
use std::time::Duration;

use clap::Args;
use player::song_choice::SongChoice;

use super::values;

/// How a song is replayed.
#[derive(Debug, Args)]
pub struct SongArgs {
    /// Which song of a module that has several, as `info` lists them
    #[arg(long, value_name = "N", conflicts_with = "order", value_parser = values::number)]
    pub subsong: Option<usize>,
    /// Begin a song with this order, counted from 0
    #[arg(long, value_name = "N")]
    pub order: Option<usize>,
    /// Number of repeats; without it a song ends where it would repeat itself
    #[arg(long, value_name = "N")]
    pub loops: Option<u32>,
    /// End a song after this time, wherever it is
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub seconds: Option<Duration>,
    /// Play only these channels of a song, counted from 1: 1,3-4
    #[arg(long, value_name = "A,B-C", conflicts_with = "mute", value_delimiter = ',', value_parser = values::channels)]
    pub solo: Vec<RangeInclusive<usize>>,
    /// Leave out these channels of a song, counted from 1: 2
    #[arg(long, value_name = "A,B-C", value_delimiter = ',', value_parser = values::channels)]
    pub mute: Vec<RangeInclusive<usize>>,
    /// How far left and right of a song are apart: 0 is mono, 100 what the module says
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub separation: u8,
}

impl SongArgs {
    /// Returns the options of the player.
    #[must_use]
    pub fn choice(&self) -> SongChoice {
        SongChoice {
            subsong: self.subsong,
            order: self.order,
            loops: self.loops,
            most: self.seconds,
            solo: self.solo.clone(),
            mute: self.mute.clone(),
            separation: f32::from(self.separation) / 100.0,
        }
    }
}
