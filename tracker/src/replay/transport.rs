//! Which row is played when: the way of a song through its orders.

use song::module::{Dialect, Order};

use super::flow::{Clock, NextRow, Pace};
use super::score::Score;
use super::visited::Visited;

/// Where the song is, and where it goes next. Channels see the [`Clock`]; only a dialect changes what comes next.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    clock: Clock,
    next: NextRow,
    /// The order that is repeated, whatever would follow it.
    held: Option<usize>,
    first_order: usize,
    loops: Option<u32>,
    starts_row: bool,
    is_over: bool,
    visited: Visited,
}

impl Transport {
    pub(crate) fn new(score: &Score, order: usize, loops: Option<u32>) -> Self {
        let globals = &score.module().globals;
        let row_counts: Vec<usize> =
            (0..score.module().orders.len()).map(|order| score.rows(order)).collect();
        Self {
            clock: Clock {
                order,
                row: 0,
                tick: 0,
                repetition: 0,
                speed: if globals.speed == 0 { 6 } else { globals.speed.into() },
                tempo: if globals.tempo == 0 { 125 } else { globals.tempo.into() },
                longer: 0,
            },
            next: NextRow::default(),
            held: None,
            first_order: order,
            loops,
            starts_row: true,
            is_over: false,
            visited: Visited::new(&row_counts),
        }
    }

    /// Returns where the song is in this tick, with what the channels so far say of its pace.
    pub(crate) const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns where the row leads, for the dialect to combine with what another channel says.
    pub(crate) const fn next_mut(&mut self) -> &mut NextRow {
        &mut self.next
    }

    /// Goes faster or slower, or ends.
    pub(crate) const fn set_pace(&mut self, pace: Pace) {
        match pace {
            Pace::Speed(speed) => self.clock.speed = speed,
            Pace::Tempo(tempo) => self.clock.tempo = tempo,
            Pace::Longer(ticks) => self.clock.longer += ticks,
        }
    }

    pub(crate) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Goes to a row, as if the song began there.
    pub(crate) fn go_to(&mut self, order: usize, row: usize) {
        (self.clock.order, self.clock.row, self.starts_row, self.is_over) = (order, row, true, false);
    }

    /// Repeats the present order from now on, or no longer.
    pub(crate) fn hold(&mut self, holds: bool) {
        if let Some(order) = self.held.filter(|_| !holds) {
            self.visited.clear_order(order);
        }
        self.held = holds.then(|| self.held.unwrap_or(self.clock.order));
    }

    pub(crate) const fn set_loops(&mut self, loops: Option<u32>) {
        self.loops = loops;
    }

    pub(crate) const fn visited(&self) -> &Visited {
        &self.visited
    }

    /// Begins the next row, if the last one is over. `loop_state` says where pattern loops are; 0 if there are none.
    /// Returns whether it repeats what was played before: a pattern that is held, or the song.
    pub(crate) fn begin_row(&mut self, score: &Score, loop_state: u64) -> bool {
        if !std::mem::take(&mut self.starts_row) {
            return false;
        }
        let mut is_again = false;
        (self.clock.tick, self.clock.repetition, self.clock.longer) = (0, 0, 0);
        self.next.delay = None;
        if let Some(held) = self.held.filter(|held| self.clock.order != *held) {
            (self.clock.order, self.clock.row, self.next.first_row) = (held, 0, 0);
            is_again = true;
        }
        if !self.find_pattern(score) {
            self.is_over = true;
            return false;
        }
        let Clock { order, row, .. } = &mut self.clock;
        if *row >= score.rows(*order) {
            *row = 0;
        }
        if self.held.is_some() || self.visited.visit(*order, *row, loop_state) {
            return is_again;
        }
        match &mut self.loops {
            Some(0) => {
                self.is_over = true;
                false
            }
            loops => {
                if let Some(left) = loops {
                    *left -= 1;
                }
                self.visited.clear();
                self.visited.visit(*order, *row, loop_state);
                true
            }
        }
    }

    /// Moves to an order with a pattern; returns whether there is one.
    fn find_pattern(&mut self, score: &Score) -> bool {
        let orders = &score.module().orders;
        let plays_missing = score.module().dialect == Dialect::FastTracker2;
        // Once from here to the end, and once from the restart.
        for _ in 0..=2 * orders.len() {
            match orders.get(self.clock.order) {
                Some(Order::Pattern(number)) => {
                    if plays_missing || score.module().patterns.get(usize::from(*number)).is_some() {
                        return true;
                    }
                    self.clock.order += 1;
                }
                Some(Order::Skip) => self.clock.order += 1,
                Some(Order::End) | None => {
                    self.clock.order = self.restart(score);
                }
            }
        }
        false
    }

    /// Returns the order to go on with after the last.
    fn restart(&self, score: &Score) -> usize {
        if self.first_order > 0 {
            return self.first_order;
        }
        score.module().restart.map_or(0, usize::from)
    }

    /// Ends the present tick.
    pub(crate) fn end_tick(&mut self, score: &Score) {
        let Self { clock, next, .. } = self;
        clock.tick += 1;
        if clock.tick < clock.speed.max(1) + clock.longer {
            return;
        }
        clock.tick = 0;
        if clock.repetition < next.delay.unwrap_or(0) {
            clock.repetition += 1;
            return;
        }
        self.starts_row = true;
        let (jump, break_row, loop_row) = (next.jump.take(), next.break_row.take(), next.loop_row.take());
        if let Some(row) = loop_row {
            clock.row = row;
        } else if jump.is_some() || break_row.is_some() {
            clock.order = jump.unwrap_or(clock.order + 1);
            clock.row = break_row.unwrap_or(0);
            next.first_row = 0;
        } else {
            clock.row += 1;
            if clock.row >= score.rows(clock.order) {
                clock.order += 1;
                clock.row = std::mem::take(&mut next.first_row);
            }
        }
    }
}
