//! Patterns of tracker modules: what each order plays.

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;
use song::Key;
use song::module::{Cell, CellNote, Dialect, EffectCommand, Module, Order, Pattern, cell_text};

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
}

/// Names them: `order 3`, or `orders 0-3, 7`.
impl fmt::Display for SameOrders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let orders = if self.indexes.len() == 1 { "order" } else { "orders" };
        let runs = self.indexes.chunk_by(|index, next| index.checked_add(1) == Some(*next));
        let runs = runs.map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            run => run.iter().map(usize::to_string).collect(),
        });
        write!(f, "{orders} {}", runs.collect::<Vec<_>>().join(", "))
    }
}

/// Returns how many channels the widest pattern of a module shows.
#[must_use]
pub fn width(module: &Module) -> usize {
    module
        .patterns
        .iter()
        .map(|pattern| shown_channels(module, pattern))
        .max()
        .unwrap_or(module.channels.len())
}

/// Returns how many channels of a pattern are shown: those of the module, and those beyond in which something happens.
#[must_use]
pub fn shown_channels(module: &Module, pattern: &Pattern) -> usize {
    let happens =
        |(index, cell): (usize, &Cell)| (*cell != Cell::default()).then(|| index % pattern.channels());
    let last = pattern.cells().iter().enumerate().filter_map(happens).max();
    last.map_or(0, |last| last + 1).max(module.channels.len())
}

/// What an order plays, as a line of JSON.
#[derive(Debug, Serialize)]
pub struct PatternRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// The file as the user named it.
    pub file: String,
    /// Whether it was made for the sounds of a package; only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub generated: bool,
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
    /// Describes the orders of a file that are wanted, one after the other: of equal patterns only the first has rows.
    /// `generated` says that the module was made for sounds.
    pub fn all<'m>(
        file: &'m str,
        module: &'m Module,
        wanted: RangeInclusive<usize>,
        generated: bool,
    ) -> impl Iterator<Item = Self> + 'm {
        let mut firsts = HashMap::new();
        wanted.filter_map(move |index| {
            let order = *module.orders.get(index)?;
            let first = *firsts.entry(order).or_insert(index);
            let same_as = Some(first).filter(|first| *first < index && matches!(order, Order::Pattern(_)));
            Some(Self { generated, ..Self::new(file, module, index, order, same_as) })
        })
    }

    /// Describes an order of a file; `same_as` is an earlier one with the same pattern, whose rows are not repeated.
    fn new(file: &str, module: &Module, order: usize, what: Order, same_as: Option<usize>) -> Self {
        let (kind, number) = match what {
            Order::Pattern(number) => ("pattern", Some(number)),
            Order::Skip => ("skip", None),
            Order::End => ("end", None),
        };
        let pattern = number.and_then(|number| module.patterns.get(usize::from(number)));
        let channels = pattern.map(|pattern| shown_channels(module, pattern));
        let row = |pattern: &Pattern, row| {
            let cells = (0..channels.unwrap_or(0)).map(|channel| pattern.cell(row, channel));
            cells.map(|cell| CellRow::new(module.dialect, cell)).collect()
        };
        let shown = pattern.filter(|_| same_as.is_none());
        let rows = shown.map(|pattern| (0..pattern.rows()).map(|number| row(pattern, number)).collect());
        Self {
            schema: "usampler.pattern/1",
            file: file.to_owned(),
            generated: false,
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
            note: (cell.note != CellNote::None).then(|| cell_text::note(cell.note)),
            key: match cell.note {
                CellNote::Key(key) => Some(key.get()),
                CellNote::Period(period) => cell_text::nearest_key(period.get()).map(Key::get),
                _ => None,
            },
            period: match cell.note {
                CellNote::Period(period) => Some(period.get()),
                _ => None,
            },
            byte: match cell.note {
                CellNote::Fade(byte) | CellNote::Unknown(byte) => Some(byte),
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
    fn equal_orders_are_named_together() {
        let orders = [0, 0, 0, 1, 0, 1].map(Order::Pattern);
        let all = SameOrders::of(&[&orders[..], &[Order::End]].concat());
        let named: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(named, ["orders 0-2, 4", "orders 3, 5", "order 6"]);
    }
}
