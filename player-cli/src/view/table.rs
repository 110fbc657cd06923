//! Columns of text, as wide as what stands in them.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use super::printable;

/// On which side a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells under a heading.
pub struct TextTable<const COLUMNS: usize> {
    heading: [(&'static str, Flush); COLUMNS],
    rows: Vec<TableRow<COLUMNS>>,
}

struct TableRow<const COLUMNS: usize> {
    cells: [String; COLUMNS],
    dim: bool,
}

impl<const COLUMNS: usize> TextTable<COLUMNS> {
    /// Creates a table without rows.
    #[must_use]
    pub const fn new(heading: [(&'static str, Flush); COLUMNS]) -> Self {
        Self { heading, rows: Vec::new() }
    }

    /// Adds a row; a dim one is grey where there are colours.
    pub fn push(&mut self, cells: [String; COLUMNS], dim: bool) {
        self.rows.push(TableRow { cells: cells.map(|cell| printable(&cell)), dim });
    }

    /// Prints heading and rows.
    ///
    /// # Errors
    /// Those of the output.
    pub fn print(&self, out: &mut dyn Write, colored: bool) -> io::Result<()> {
        let mut widths = self.heading.map(|(name, _)| name.width());
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(cell.width());
            }
        }
        let heading = self.line(&self.heading.map(|(name, _)| name.to_owned()), &widths);
        print_line(out, &heading, colored.then_some("\x1b[1m"))?;
        for row in &self.rows {
            let style = (colored && row.dim).then_some("\x1b[2m");
            print_line(out, &self.line(&row.cells, &widths), style)?;
        }
        Ok(())
    }

    fn line(&self, cells: &[String; COLUMNS], widths: &[usize; COLUMNS]) -> String {
        let mut line = String::new();
        for ((cell, width), (_, flush)) in cells.iter().zip(widths).zip(&self.heading) {
            let blanks = " ".repeat(width - cell.width());
            match flush {
                Flush::Left => line.extend([cell, &blanks, "  "]),
                Flush::Right => line.extend([&blanks, cell, "  "]),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

fn print_line(out: &mut dyn Write, line: &str, style: Option<&str>) -> io::Result<()> {
    match style {
        Some(style) => writeln!(out, "{style}{line}\x1b[0m"),
        None => writeln!(out, "{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
