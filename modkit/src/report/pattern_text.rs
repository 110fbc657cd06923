//! Patterns of tracker modules: rows of cells as trackers show them.

use std::io::{self, Write};
use std::ops::{Range, RangeInclusive};

use super::counted;
use super::pattern::{SameOrders, shown_channels};
use song::module::{Cell, Dialect, Module, Order, cell_text};

/// Rows of a beat, which are brighter.
const BEAT: usize = 4;

const BRIGHT: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const CYAN: &str = "\x1b[36m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const PLAIN: &str = "\x1b[0m";

/// How patterns are shown.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Whether in colours.
    pub colored: bool,
    /// Only these channels, counted from 1; all if none are chosen.
    pub channels: Option<RangeInclusive<usize>>,
    /// Letters of a line, which all channels side by side may be too wide for; without end if there is none.
    pub width: Option<usize>,
    /// Number of sounds that the pattern was made for; none for that of a module.
    pub instruments: Option<usize>,
}

impl View {
    /// Returns which of so many channels are shown beside one another, and which below them.
    fn blocks(&self, dialect: Dialect, channels: usize) -> Vec<Range<usize>> {
        let first = self.channels.as_ref().map_or(0, |wanted| wanted.start().saturating_sub(1));
        let end = self.channels.as_ref().map_or(channels, |wanted| *wanted.end().min(&channels));
        let cell = fields(dialect, &Cell::default(), false).len() + BAR.len();
        let beside = self.width.map_or(channels, |width| width.saturating_sub(ROW) / cell).max(1);
        (first..end).step_by(beside).map(|first| first..end.min(first + beside)).collect()
    }
}

/// Between channels.
const BAR: &str = " | ";
/// Letters of a row's number.
const ROW: usize = 2;

/// Prints what orders play. Where not all channels are side by side they have headings.
///
/// # Errors
/// Those of the output.
pub fn print(out: &mut dyn Write, module: &Module, orders: &SameOrders, view: &View) -> io::Result<()> {
    if view.instruments.is_none() {
        write!(out, "{orders}")?;
    }
    let number = match orders.order {
        Order::Skip => return writeln!(out, "  +++ goes on with the next"),
        Order::End => return writeln!(out, "  --- ends the song"),
        Order::Pattern(number) => number,
    };
    let Some(pattern) = module.patterns.get(usize::from(number)) else {
        return writeln!(out, "  pattern {number}, which is not there");
    };
    let (colored, channels) = (view.colored, shown_channels(module, pattern));
    match view.instruments {
        Some(instruments) => {
            let (channels, instruments) = (counted(channels, "channel"), counted(instruments, "instrument"));
            writeln!(out, "{} rows, {channels}, {instruments}; no notes", pattern.rows())?;
        }
        None => writeln!(out, "  pattern {number}  {} rows x {channels} channels", pattern.rows())?,
    }
    let bar = painted(BAR, DIM, colored);
    for block in view.blocks(module.dialect, channels) {
        if block.len() < channels {
            write!(out, "{:ROW$}", "")?;
            let cell = fields(module.dialect, &Cell::default(), false).len();
            for channel in block.clone() {
                let last = channel + 1 == block.end;
                let heading = format!("{:<1$}", channel + 1, if last { 0 } else { cell });
                write!(out, "{bar}{}", painted(&heading, BRIGHT, colored))?;
            }
            writeln!(out)?;
        }
        for row in 0..pattern.rows() {
            let style = if row % BEAT == 0 { BRIGHT } else { DIM };
            write!(out, "{}", painted(&format!("{row:02X}"), style, colored))?;
            for channel in block.clone() {
                let cell = pattern.cell(row, channel);
                write!(out, "{bar}{}", fields(module.dialect, &cell, colored))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn painted(text: &str, style: &str, colored: bool) -> String {
    let is_empty = text.chars().all(|c| c == '.');
    match (colored, is_empty) {
        (false, _) => text.to_owned(),
        (true, true) => format!("{DIM}{text}{PLAIN}"),
        (true, false) => format!("{style}{text}{PLAIN}"),
    }
}

/// Returns the note, instrument, volume column and effect.
fn fields(dialect: Dialect, cell: &Cell, colored: bool) -> String {
    let fields = cell_text::fields(dialect, cell);
    let styles: &[&str] =
        if fields.len() == 3 { &[BRIGHT, CYAN, YELLOW] } else { &[BRIGHT, CYAN, GREEN, YELLOW] };
    let painted: Vec<String> =
        fields.iter().zip(styles).map(|(field, style)| painted(field, style, colored)).collect();
    painted.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_that_do_not_fit_stand_below_the_others() {
        let blocks = |width, channels| {
            let view = View { width, channels, ..View::default() };
            view.blocks(Dialect::ImpulseTracker, 5).iter().map(|b| (b.start, b.end)).collect::<Vec<_>>()
        };
        assert_eq!(blocks(None, None), [(0, 5)]);
        // The number of the row, and seventeen letters a channel.
        assert_eq!(blocks(Some(2 + 2 * 17), None), [(0, 2), (2, 4), (4, 5)]);
        assert_eq!(blocks(Some(2 + 2 * 17 - 1), Some(2..=3)), [(1, 2), (2, 3)]);
        assert_eq!(blocks(Some(0), Some(5..=99)), [(4, 5)], "one channel, however narrow");
        assert!(blocks(None, Some(6..=9)).is_empty());
    }

    #[test]
    fn an_empty_field_is_faint() {
        assert!(fields(Dialect::ProTracker, &Cell::default(), true).starts_with("\x1b[2m...\x1b[0m"));
    }
}
