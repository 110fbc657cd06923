//! Columns of text, as wide as what stands in them.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use exporter::filename::printable;

/// On which side a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// What the colour of a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// It can be played.
    Good,
    /// It cannot be played.
    Bad,
    /// It is music.
    Music,
    /// It is a loop.
    Loop,
}

impl Paint {
    const fn style(self) -> &'static str {
        match self {
            Self::Good => "\x1b[32m",
            Self::Bad => "\x1b[31m",
            Self::Music => "\x1b[35m",
            Self::Loop => "\x1b[36m",
        }
    }
}

/// Blanks between two columns.
const GAP: usize = 2;

/// The columns of a table: rows that are not kept are looked at once to fit them, and printed after that.
pub struct TextColumns<const COLUMNS: usize> {
    heading: [(&'static str, Flush); COLUMNS],
    widths: [usize; COLUMNS],
}

/// Rows of cells under a heading.
pub struct TextTable<const COLUMNS: usize> {
    heading: [(&'static str, Flush); COLUMNS],
    rows: Vec<TextRow<COLUMNS>>,
}

struct TextRow<const COLUMNS: usize> {
    cells: [String; COLUMNS],
    dim: bool,
    paints: [Option<Paint>; COLUMNS],
}

impl<const COLUMNS: usize> TextTable<COLUMNS> {
    /// Creates a table without rows.
    #[must_use]
    pub const fn new(heading: [(&'static str, Flush); COLUMNS]) -> Self {
        Self { heading, rows: Vec::new() }
    }

    /// Adds a row; a dim one is grey where there are colours.
    pub fn push(&mut self, cells: [String; COLUMNS], dim: bool) {
        self.push_painted(cells, dim, [None; COLUMNS]);
    }

    /// Adds a row some of whose cells have colours where there are any.
    pub fn push_painted(&mut self, cells: [String; COLUMNS], dim: bool, paints: [Option<Paint>; COLUMNS]) {
        self.rows.push(TextRow { cells: cells.map(|cell| printable(&cell)), dim, paints });
    }

    /// Prints heading and rows.
    ///
    /// # Errors
    /// Those of the output.
    pub fn print(&self, out: &mut dyn Write, colored: bool) -> io::Result<()> {
        self.print_within(out, colored, None, &[])
    }

    /// Prints heading and rows. Where they are wider than a terminal, columns are left out, in the order in which they
    /// are given, by their names.
    ///
    /// # Errors
    /// Those of the output.
    pub fn print_within(
        &self,
        out: &mut dyn Write,
        colored: bool,
        terminal: Option<usize>,
        least: &[&str],
    ) -> io::Result<()> {
        let mut columns = TextColumns::new(self.heading);
        for row in &self.rows {
            columns.fit(&row.cells);
        }
        let mut dropped = least.iter();
        while terminal.is_some_and(|terminal| columns.width() > terminal)
            && let Some(name) = dropped.next()
        {
            columns.drop(name);
        }
        columns.print_heading(out, colored)?;
        self.rows.iter().try_for_each(|row| {
            let style = (colored && row.dim).then_some(DIM);
            print_line(out, &columns.line(&row.cells, colored.then_some((&row.paints, style))), style)
        })
    }
}

impl<const COLUMNS: usize> TextColumns<COLUMNS> {
    /// Creates columns as wide as their headings.
    #[must_use]
    pub fn new(heading: [(&'static str, Flush); COLUMNS]) -> Self {
        Self { heading, widths: heading.map(|(name, _)| name.width()) }
    }

    /// Widens columns so that cells fit.
    pub fn fit(&mut self, cells: &[String; COLUMNS]) {
        for (width, cell) in self.widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.width());
        }
    }

    /// Returns how wide a line is.
    fn width(&self) -> usize {
        self.widths.iter().map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
    }

    /// Leaves out a column.
    fn drop(&mut self, name: &str) {
        let columns = self.heading.iter().zip(&mut self.widths);
        columns.filter(|((heading, _), _)| *heading == name).for_each(|(_, width)| *width = 0);
    }

    /// Prints the heading.
    ///
    /// # Errors
    /// Those of the output.
    pub fn print_heading(&self, out: &mut dyn Write, colored: bool) -> io::Result<()> {
        let heading = self.line(&self.heading.map(|(name, _)| name.to_owned()), None);
        print_line(out, &heading, colored.then_some("\x1b[1m"))
    }

    /// Prints a row; a dim one in grey.
    ///
    /// # Errors
    /// Those of the output.
    pub fn print_row(&self, out: &mut dyn Write, cells: &[String; COLUMNS], dim: bool) -> io::Result<()> {
        print_line(out, &self.line(cells, None), dim.then_some(DIM))
    }

    /// Returns a line; `paints` has the colours of its cells, and the style that goes on after each.
    fn line(&self, cells: &[String; COLUMNS], paints: Option<CellPaints<'_, COLUMNS>>) -> String {
        let mut line = String::new();
        let columns = cells.iter().zip(&self.widths).zip(&self.heading).enumerate();
        for (index, ((cell, width), (_, flush))) in columns.filter(|(_, ((_, width), _))| **width > 0) {
            let (blanks, gap) = (&*" ".repeat(width.saturating_sub(cell.width())), &*" ".repeat(GAP));
            let paint = paints.and_then(|(paints, after)| Some((paints.get(index).copied()??, after)));
            let painted = paint
                .map(|(paint, after)| format!("{}{cell}\x1b[0m{}", paint.style(), after.unwrap_or_default()));
            let cell = painted.as_deref().unwrap_or(cell);
            match flush {
                Flush::Left => line.extend([cell, blanks, gap]),
                Flush::Right => line.extend([blanks, cell, gap]),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// Colours of the cells of a row, and the style of the row.
type CellPaints<'p, const COLUMNS: usize> = (&'p [Option<Paint>; COLUMNS], Option<&'static str>);

const DIM: &str = "\x1b[2m";

fn print_line(out: &mut dyn Write, line: &str, style: Option<&str>) -> io::Result<()> {
    match style {
        Some(style) => writeln!(out, "{style}{line}\x1b[0m"),
        None => writeln!(out, "{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A colour ends with its cell, and the style of its row goes on.
    #[test]
    fn cells_have_colours_where_there_are_any() {
        let mut table = TextTable::new([("name", Flush::Left), ("status", Flush::Left)]);
        table.push_painted(["Kick", "ok"].map(str::to_owned), false, [None, Some(Paint::Good)]);
        table.push_painted(["Hat", "empty"].map(str::to_owned), true, [None, Some(Paint::Bad)]);
        let printed = |colored| {
            let mut out = Vec::new();
            table.print(&mut out, colored).unwrap();
            String::from_utf8(out).unwrap().lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(printed(false), ["Kick  ok", "Hat   empty"]);
        let painted = ["Kick  \x1b[32mok\x1b[0m", "\x1b[2mHat   \x1b[31mempty\x1b[0m\x1b[2m"];
        assert!(printed(true).iter().zip(painted).all(|(line, start)| line.starts_with(start)));
    }

    #[test]
    fn what_is_wider_than_a_terminal_loses_columns_in_the_order_given() {
        let mut table = TextTable::new([("#", Flush::Right), ("name", Flush::Left), ("rate", Flush::Right)]);
        table.push(["1".into(), "Kick".into(), "22050".into()], false);
        let printed = |terminal| {
            let mut out = Vec::new();
            table.print_within(&mut out, false, terminal, &["rate", "#"]).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(printed(Some(14)), printed(None));
        assert_eq!(printed(Some(13)), "#  name\n1  Kick\n");
        assert_eq!(printed(Some(3)), "name\nKick\n");
    }

    #[test]
    fn numbers_are_flush_right_and_lines_have_no_trailing_blanks() {
        let mut table =
            TextTable::new([("name", Flush::Left), ("rate", Flush::Right), ("loop", Flush::Left)]);
        table.push(["Kick".into(), "8000".into(), String::new()], false);
        table.push(["Snare drum".into(), "22050".into(), "all".into()], true);
        let mut out = Vec::new();
        table.print(&mut out, false).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "name         rate  loop\nKick         8000\nSnare drum  22050  all\n"
        );
    }
}
