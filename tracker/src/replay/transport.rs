//! Which row is played when: the way of a song through its orders.

use song::module::{Dialect, Order};

use super::score::Score;
use super::visited::Visited;

/// Where the song is, and where it goes next.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
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
    pub(crate) tick_delay: u32,
    /// How often this row is repeated; none unless a cell says so.
    pub(crate) row_delay: Option<u32>,
    /// The order to go on with after this row.
    pub(crate) jump: Option<usize>,
    /// The row to go on with, of the next order or the one that is jumped to.
    pub(crate) break_row: Option<usize>,
    /// The row of this pattern to go back to.
    pub(crate) loop_row: Option<usize>,
    /// The row that the next pattern begins with.
    pub(crate) leaked_row: usize,
    /// Whether a delayed row makes a break go one row too far.
    pub(crate) delay_moves_break: bool,
    /// Whether a pattern loop goes on whatever jump is beside it.
    pub(crate) loops_before_jumps: bool,
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
            order,
            row: 0,
            tick: 0,
            repetition: 0,
            speed: if globals.speed == 0 { 6 } else { globals.speed.into() },
            tempo: if globals.tempo == 0 { 125 } else { globals.tempo.into() },
            tick_delay: 0,
            row_delay: None,
            jump: None,
            break_row: None,
            loop_row: None,
            leaked_row: 0,
            delay_moves_break: false,
            loops_before_jumps: false,
            held: None,
            first_order: order,
            loops,
            starts_row: true,
            is_over: false,
            visited: Visited::new(&row_counts),
        }
    }

    /// Returns whether the present tick is the first of a row that was not played just before.
    pub(crate) const fn is_row_start(&self) -> bool {
        self.tick == 0 && self.repetition == 0
    }

    pub(crate) const fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) const fn end(&mut self) {
        self.is_over = true;
    }

    /// Goes to a row, as if the song began there.
    pub(crate) fn go_to(&mut self, order: usize, row: usize) {
        (self.order, self.row, self.starts_row, self.is_over) = (order, row, true, false);
    }

    /// Repeats the present order from now on, or no longer.
    pub(crate) fn hold(&mut self, holds: bool) {
        if let Some(order) = self.held.filter(|_| !holds) {
            self.visited.clear_order(order);
        }
        self.held = holds.then(|| self.held.unwrap_or(self.order));
    }

    pub(crate) const fn set_loops(&mut self, loops: Option<u32>) {
        self.loops = loops;
    }

    pub(crate) const fn visited(&self) -> &Visited {
        &self.visited
    }

    /// Begins the next row, if the last one is over. `loop_state` says where pattern loops are; 0 if there are none.
    pub(crate) fn begin_row(&mut self, score: &Score, loop_state: u64) {
        if !std::mem::take(&mut self.starts_row) {
            return;
        }
        (self.tick, self.repetition, self.tick_delay, self.row_delay) = (0, 0, 0, None);
        if let Some(held) = self.held.filter(|held| self.order != *held) {
            (self.order, self.row, self.leaked_row) = (held, 0, 0);
        }
        if !self.find_pattern(score) {
            self.is_over = true;
            return;
        }
        if self.row >= score.rows(self.order) {
            self.row = 0;
        }
        if self.held.is_some() || self.visited.visit(self.order, self.row, loop_state) {
            return;
        }
        match &mut self.loops {
            Some(0) => self.is_over = true,
            loops => {
                if let Some(left) = loops {
                    *left -= 1;
                }
                self.visited.clear();
                self.visited.visit(self.order, self.row, loop_state);
            }
        }
    }

    /// Moves to an order with a pattern; returns whether there is one.
    fn find_pattern(&mut self, score: &Score) -> bool {
        let orders = &score.module().orders;
        let plays_missing = score.module().dialect == Dialect::FastTracker2;
        // Once from here to the end, and once from the restart.
        for _ in 0..=2 * orders.len() {
            match orders.get(self.order) {
                Some(Order::Pattern(number)) => {
                    if plays_missing || score.module().patterns.get(usize::from(*number)).is_some() {
                        return true;
                    }
                    self.order += 1;
                }
                Some(Order::Skip) => self.order += 1,
                Some(Order::End) | None => {
                    self.order = self.restart(score);
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
        self.tick += 1;
        if self.tick < self.speed.max(1) + self.tick_delay {
            return;
        }
        self.tick = 0;
        if self.repetition < self.row_delay.unwrap_or(0) {
            self.repetition += 1;
            return;
        }
        self.starts_row = true;
        let was_delayed = self.delay_moves_break && self.repetition > 0;
        let (jump, break_row, loop_row) = (self.jump.take(), self.break_row.take(), self.loop_row.take());
        if let Some(row) = loop_row.filter(|_| jump.is_none() || self.loops_before_jumps) {
            self.row = row;
        } else if jump.is_some() || break_row.is_some() {
            self.order = jump.unwrap_or(self.order + 1);
            self.row = break_row.unwrap_or(0) + usize::from(was_delayed);
            self.leaked_row = 0;
        } else {
            self.row += 1;
            if self.row >= score.rows(self.order) {
                self.order += 1;
                self.row = std::mem::take(&mut self.leaked_row);
            }
        }
    }
}
