//! The terminal as ratatui draws on it: never larger than any screen is, whatever it says of itself.

use std::io::{self, Write};

use crossterm::cursor::{self, Hide, MoveTo, Show};
use crossterm::style::{Attribute, Color as TerminalColor, Colors, Print, SetAttribute, SetColors};
use crossterm::terminal::{self, Clear, ClearType as TerminalClearType};
use crossterm::{execute, queue};
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::screen_writer::ScreenWriter;

#[cfg(test)]
mod tests;

/// The largest screen that is drawn: 8K in a font of 6 × 10 pixels. Its cells take some 50 MB.
const MAX_SIZE: Size = Size::new(1280, 432);

/// A terminal that a [`ScreenWriter`] writes to.
pub(super) struct ScreenBackend(ScreenWriter);

/// What turns each modifier on and off. Two that share an attribute are turned off together.
const ATTRIBUTES: [(Modifier, Attribute, Attribute); 9] = [
    (Modifier::BOLD, Attribute::Bold, Attribute::NormalIntensity),
    (Modifier::DIM, Attribute::Dim, Attribute::NormalIntensity),
    (Modifier::ITALIC, Attribute::Italic, Attribute::NoItalic),
    (Modifier::UNDERLINED, Attribute::Underlined, Attribute::NoUnderline),
    (Modifier::SLOW_BLINK, Attribute::SlowBlink, Attribute::NoBlink),
    (Modifier::RAPID_BLINK, Attribute::RapidBlink, Attribute::NoBlink),
    (Modifier::REVERSED, Attribute::Reverse, Attribute::NoReverse),
    (Modifier::HIDDEN, Attribute::Hidden, Attribute::NoHidden),
    (Modifier::CROSSED_OUT, Attribute::CrossedOut, Attribute::NotCrossedOut),
];

impl ScreenBackend {
    /// Draws on the terminal of the process.
    ///
    /// # Errors
    /// If there is no thread to be had.
    pub(super) fn new() -> io::Result<Self> {
        ScreenWriter::new().map(Self)
    }
}

fn capped(size: Size) -> Size {
    Size::new(size.width.min(MAX_SIZE.width), size.height.min(MAX_SIZE.height))
}

impl Backend for ScreenBackend {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        draw(&mut self.0, content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        execute!(self.0, Hide)
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        execute!(self.0, Show)
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        cursor::position().map(Position::from)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        execute!(self.0, MoveTo(x, y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        let region = match region {
            ClearType::All => TerminalClearType::All,
            ClearType::AfterCursor => TerminalClearType::FromCursorDown,
            ClearType::BeforeCursor => TerminalClearType::FromCursorUp,
            ClearType::CurrentLine => TerminalClearType::CurrentLine,
            ClearType::UntilNewLine => TerminalClearType::UntilNewLine,
        };
        execute!(self.0, Clear(region))
    }

    fn size(&self) -> io::Result<Size> {
        terminal::size().map(|size| capped(size.into()))
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let window = terminal::window_size()?;
        Ok(WindowSize {
            columns_rows: capped(Size::new(window.columns, window.rows)),
            pixels: Size::new(window.width, window.height),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes cells in their styles: where the last one did not end, the cursor is moved first.
fn draw<'a>(out: &mut impl Write, cells: impl Iterator<Item = (u16, u16, &'a Cell)>) -> io::Result<()> {
    let (mut modifier, mut colors) = (Modifier::empty(), (Color::Reset, Color::Reset));
    let mut next = None;
    for (x, y, cell) in cells {
        if next != Some((x, y)) {
            queue!(out, MoveTo(x, y))?;
        }
        next = Some((x.saturating_add(1), y));
        set_modifier(out, modifier, cell.modifier)?;
        modifier = cell.modifier;
        if (cell.fg, cell.bg) != colors {
            colors = (cell.fg, cell.bg);
            queue!(out, SetColors(Colors::new(color(cell.fg), color(cell.bg))))?;
        }
        queue!(out, Print(cell.symbol()))?;
    }
    let plain = Colors::new(TerminalColor::Reset, TerminalColor::Reset);
    queue!(out, SetColors(plain), SetAttribute(Attribute::Reset))
}

/// Turns attributes off and on between two cells.
fn set_modifier(out: &mut impl Write, from: Modifier, to: Modifier) -> io::Result<()> {
    let mut kept = from;
    for (modifier, _, off) in ATTRIBUTES {
        if kept.contains(modifier) && !to.contains(modifier) {
            queue!(out, SetAttribute(off))?;
            for (other, _, _) in ATTRIBUTES.into_iter().filter(|(_, _, its_off)| *its_off == off) {
                kept.remove(other);
            }
        }
    }
    for (modifier, on, _) in ATTRIBUTES {
        if to.contains(modifier) && !kept.contains(modifier) {
            queue!(out, SetAttribute(on))?;
        }
    }
    Ok(())
}

/// Maps a colour of the drawing to the terminal's, where the plain names are the bright ones.
fn color(color: Color) -> TerminalColor {
    match color {
        Color::Reset => TerminalColor::Reset,
        Color::Black => TerminalColor::Black,
        Color::Red => TerminalColor::DarkRed,
        Color::Green => TerminalColor::DarkGreen,
        Color::Yellow => TerminalColor::DarkYellow,
        Color::Blue => TerminalColor::DarkBlue,
        Color::Magenta => TerminalColor::DarkMagenta,
        Color::Cyan => TerminalColor::DarkCyan,
        Color::Gray => TerminalColor::Grey,
        Color::DarkGray => TerminalColor::DarkGrey,
        Color::LightRed => TerminalColor::Red,
        Color::LightGreen => TerminalColor::Green,
        Color::LightYellow => TerminalColor::Yellow,
        Color::LightBlue => TerminalColor::Blue,
        Color::LightMagenta => TerminalColor::Magenta,
        Color::LightCyan => TerminalColor::Cyan,
        Color::White => TerminalColor::White,
        Color::Indexed(index) => TerminalColor::AnsiValue(index),
        Color::Rgb(r, g, b) => TerminalColor::Rgb { r, g, b },
    }
}
