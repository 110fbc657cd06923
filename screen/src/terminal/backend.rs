//! The terminal as ratatui draws on it: never larger than any screen is, whatever it says of itself.

use std::io;

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

use super::screen_writer::ScreenWriter;

/// The largest screen that is drawn: 8K in a font of 6 × 10 pixels. Its cells take some 50 MB.
const MAX_SIZE: Size = Size::new(1280, 432);

/// A terminal that a [`ScreenWriter`] writes to.
pub(super) struct ScreenBackend(CrosstermBackend<ScreenWriter>);

impl ScreenBackend {
    /// Draws on the terminal of the process.
    ///
    /// # Errors
    /// If there is no thread to be had.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self(CrosstermBackend::new(ScreenWriter::new()?)))
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
        self.0.draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.0.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size().map(capped)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let size = self.0.window_size()?;
        Ok(WindowSize { columns_rows: capped(size.columns_rows), ..size })
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}
