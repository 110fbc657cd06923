use song::Frames;
use tracker::replay::{Replay, Tick};

/// A tick that was played, for whoever watches.
pub struct PlayedTick<'t> {
    /// The engine's frame at which it begins.
    pub at: Frames,
    /// When it ends, in seconds since the song began.
    pub end: f64,
    /// Which it is.
    pub tick: TickPlace,
    /// Its voices.
    pub replay: &'t Replay,
}

/// Where a tick stands in the song.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TickPlace {
    /// Which order, from 0.
    pub order: usize,
    /// Which row, from 0.
    pub row: usize,
    /// Which tick of the row, from 0.
    pub tick: u32,
    /// Ticks of a row.
    pub speed: u32,
    /// Beats per minute.
    pub tempo: u32,
}

impl From<&Tick<'_>> for TickPlace {
    fn from(tick: &Tick<'_>) -> Self {
        Self { order: tick.order, row: tick.row, tick: tick.tick, speed: tick.speed, tempo: tick.tempo }
    }
}

/// Watches ticks as they are sent.
pub type TickWatch<'w> = Box<dyn FnMut(&PlayedTick<'_>) + 'w>;
