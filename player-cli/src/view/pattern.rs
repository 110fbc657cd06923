//! Patterns of tracker modules: rows of cells as trackers show them, and as JSON.

use std::io::{self, Write};
use std::ops::{Range, RangeInclusive};

use serde::Serialize;
use song::Key;
use song::module::{Cell, Dialect, EffectCommand, Module, Note, Order, Pattern, cell_text};

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

/// A pattern or marker, and the indexes of all orders that are it, rising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameOrders {
    /// What they are.
    pub order: Order,
    /// Where they are.
    pub indexes: Vec<usize>,
}

impl SameOrders {
    /// Collects orders, so that each pattern is shown once; the first of each decides the sequence.
    #[must_use]
    pub fn of(orders: &[Order]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for (index, order) in orders.iter().enumerate() {
            match found.iter_mut().find(|same| same.order == *order) {
                Some(same) => same.indexes.push(index),
                None => found.push(Self { order: *order, indexes: vec![index] }),
            }
        }
        found
    }

    /// Prints `order 3`, or `orders 0-3, 7`.
    fn print_heading(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "order{} ", if self.indexes.len() == 1 { "" } else { "s" })?;
        let mut between = "";
        for run in self.indexes.chunk_by(|index, next| index + 1 == *next) {
            match run {
                [first, .., last] => write!(out, "{between}{first}-{last}")?,
                run => run.iter().try_for_each(|only| write!(out, "{between}{only}"))?,
            }
            between = ", ";
        }
        Ok(())
    }
}

/// Prints what orders play. Where not all channels are side by side they have headings.
///
/// # Errors
/// Those of the output.
pub fn print(out: &mut dyn Write, module: &Module, orders: &SameOrders, view: &View) -> io::Result<()> {
    orders.print_heading(out)?;
    let number = match orders.order {
        Order::Skip => return writeln!(out, "  +++ goes on with the next"),
        Order::End => return writeln!(out, "  --- ends the song"),
        Order::Pattern(number) => number,
    };
    let Some(pattern) = module.patterns.get(usize::from(number)) else {
        return writeln!(out, "  pattern {number}, which is not there");
    };
    let (colored, channels) = (view.colored, channels(module, pattern));
    writeln!(out, "  pattern {number}  {} rows x {channels} channels", pattern.rows())?;
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

/// Returns how many channels the widest pattern of a module shows.
#[must_use]
pub fn width(module: &Module) -> usize {
    module.patterns.iter().map(|pattern| channels(module, pattern)).max().unwrap_or(module.channels.len())
}

/// Returns those of the module, and those beyond in which something happens.
fn channels(module: &Module, pattern: &Pattern) -> usize {
    let happens =
        |(index, cell): (usize, &Cell)| (*cell != Cell::default()).then(|| index % pattern.channels());
    let last = pattern.cells().iter().enumerate().filter_map(happens).max();
    last.map_or(0, |last| last + 1).max(module.channels.len())
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

/// What an order plays. The keys are a contract: keys may be added, none renamed.
#[derive(Debug, Serialize)]
pub struct PatternRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// The file as the user named it.
    pub file: String,
    /// Which order, from 0.
    pub order: usize,
    /// `pattern`, `skip` or `end`.
    pub kind: &'static str,
    /// The number of the pattern, from 0; none for markers.
    pub pattern: Option<u8>,
    /// Channels of each row; none if the pattern is not there.
    pub channels: Option<usize>,
    /// The first order that plays the same pattern; only in those after it, which have no rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
    /// Row by row the cells, by channel; none for a cell in which nothing happens.
    pub rows: Vec<Vec<Option<CellRow>>>,
}

/// What happens in a cell.
#[derive(Debug, Serialize)]
pub struct CellRow {
    /// `C-4`, `===` off, `^^^` cut, `~~~` fades.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The key, 60 for the middle C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<u8>,
    /// The period of a MOD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<u16>,
    /// The stored byte of what is no note, and of one that fades.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u8>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instrument: Option<u16>,
    /// The volume column, a letter and two digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The effect's letter and its parameter in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
    /// What the effect does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<&'static str>,
    /// The stored number of an effect that is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// The effect's parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<u8>,
}

impl PatternRow {
    /// Returns the object of an order; `same_as` is an earlier one with the same pattern, whose rows are not repeated.
    #[must_use]
    pub fn new(file: &str, module: &Module, order: usize, what: Order, same_as: Option<usize>) -> Self {
        let (kind, number) = match what {
            Order::Pattern(number) => ("pattern", Some(number)),
            Order::Skip => ("skip", None),
            Order::End => ("end", None),
        };
        let pattern = number.and_then(|number| module.patterns.get(usize::from(number)));
        let channels = pattern.map(|pattern| channels(module, pattern));
        let row = |pattern: &Pattern, row| {
            let cells = (0..channels.unwrap_or(0)).map(|channel| pattern.cell(row, channel));
            cells.map(|cell| CellRow::new(module.dialect, cell)).collect()
        };
        let shown = pattern.filter(|_| same_as.is_none());
        let rows = shown.map(|pattern| (0..pattern.rows()).map(|number| row(pattern, number)).collect());
        Self {
            schema: "usampler.pattern/1",
            file: file.to_owned(),
            order,
            kind,
            pattern: number,
            channels,
            same_as,
            rows: rows.unwrap_or_default(),
        }
    }
}

impl CellRow {
    fn new(dialect: Dialect, cell: Cell) -> Option<Self> {
        (cell != Cell::default()).then(|| Self {
            note: (cell.note != Note::None).then(|| cell_text::note(cell.note)),
            key: match cell.note {
                Note::Key(key) => Some(key.get()),
                Note::Period(period) => cell_text::nearest_key(period.get()).map(Key::get),
                _ => None,
            },
            period: match cell.note {
                Note::Period(period) => Some(period.get()),
                _ => None,
            },
            byte: match cell.note {
                Note::Fade(byte) | Note::Unknown(byte) => Some(byte),
                _ => None,
            },
            instrument: cell.instrument,
            column: cell.volume.map(|command| cell_text::volume(Some(command))),
            effect: cell.effect.map(|found| cell_text::effect(dialect, Some(found))),
            command: cell.effect.map(|found| found.command.name()),
            number: match cell.effect.map(|found| found.command) {
                Some(EffectCommand::Unknown(number)) => Some(number),
                _ => None,
            },
            parameter: cell.effect.map(|found| found.parameter),
        })
    }
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
    fn equal_orders_have_one_heading_that_names_them_all() {
        let orders = [0, 0, 0, 1, 0, 1].map(Order::Pattern);
        let all = SameOrders::of(&[&orders[..], &[Order::End]].concat());
        let headings: Vec<String> = all
            .iter()
            .map(|same| {
                let mut out = Vec::new();
                same.print_heading(&mut out).unwrap();
                String::from_utf8(out).unwrap()
            })
            .collect();
        assert_eq!(headings, ["orders 0-2, 4", "orders 3, 5", "order 6"]);
    }

    #[test]
    fn an_empty_field_is_faint() {
        assert!(fields(Dialect::ProTracker, &Cell::default(), true).starts_with("\x1b[2m...\x1b[0m"));
    }
}
