//! What the cells of a row do to the way of the song. Each channel returns it, and the dialect combines the channels.

use super::nibbles::nibbles;

/// Where the song is in a tick, and how fast it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) order: usize,
    pub(crate) row: usize,
    /// Of the present repetition of the row, from 0.
    pub(crate) tick: u32,
    /// How often the row was played before, because it is delayed.
    pub(crate) repetition: u32,
    /// Ticks of a row.
    pub(crate) speed: u32,
    /// Beats per minute.
    pub(crate) tempo: u32,
    /// Ticks by which this row is longer.
    pub(crate) longer: u32,
}

impl Clock {
    /// Returns whether this is the first tick of a row that was not played just before.
    pub(crate) const fn is_row_start(&self) -> bool {
        self.tick == 0 && self.repetition == 0
    }

    /// Returns the ticks of this row.
    pub(crate) const fn ticks(&self) -> u32 {
        self.speed + self.longer
    }
}

/// What the effect of one channel does to the way of the song.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFlow {
    /// On to an order.
    Jump(usize),
    /// On to a row of the next order.
    Break(usize),
    /// Back to a row of this pattern.
    Loop(usize),
    /// The row is played so many times more.
    Delay(u32),
    /// It goes faster or slower, or ends.
    Pace(Pace),
}

/// How fast the song goes; the same in all dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Ticks of a row.
    Speed(u32),
    /// Beats per minute.
    Tempo(u32),
    /// Ticks by which this row is longer.
    Longer(u32),
}

impl RowFlow {
    /// Returns the break to a row that is written in decimal digits; one beyond the 64th is the first.
    pub(crate) fn decimal_break(parameter: u8) -> Self {
        let (tens, ones) = nibbles(parameter);
        let row = usize::from(tens) * 10 + usize::from(ones);
        Self::Break(if row > 63 { 0 } else { row })
    }

    pub(crate) const fn speed(ticks: u8) -> Self {
        Self::Pace(Pace::Speed(ticks as u32))
    }

    pub(crate) const fn tempo(beats: u8) -> Self {
        Self::Pace(Pace::Tempo(beats as u32))
    }

    /// Returns the pace that a MOD and an XM have one effect for; none for 0. `ProTracker` and `FastTracker` 2 stand
    /// still there, but in real songs it is mostly left over: they are played on, as by libopenmpt and libxmp.
    pub(crate) const fn speed_or_tempo(parameter: u8) -> Option<Self> {
        match parameter {
            0 => None,
            1..32 => Some(Self::speed(parameter)),
            32.. => Some(Self::tempo(parameter)),
        }
    }
}

/// Where a row leads, as all its channels say together. A loop goes before a jump, and a jump before a break.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NextRow {
    /// The order to go on with.
    pub(crate) jump: Option<usize>,
    /// The row to go on with, of the next order or the one that is jumped to.
    pub(crate) break_row: Option<usize>,
    /// The row of this pattern to go back to.
    pub(crate) loop_row: Option<usize>,
    /// How often this row is repeated; none unless a cell says so.
    pub(crate) delay: Option<u32>,
    /// The row that the next pattern begins with, unless a jump or a break leads there.
    pub(crate) first_row: usize,
}
