//! The terminal while the screen is shown; put back whatever ends it.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::Once;

use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::draw::{self, Look};
use super::model::Model;

/// The terminal in raw mode on its other screen. Dropping it puts the terminal back; so does a panic, before its
/// message is printed.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    look: Look,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(look: Look) -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let report = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                put_back();
                report(info);
            }));
        });
        enable_raw_mode()?;
        // From here on the terminal is put back, also if the rest fails.
        let guard = Guard;
        execute!(stdout(), EnterAlternateScreen, cursor::Hide)?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        std::mem::forget(guard);
        Ok(Self { terminal, look })
    }

    /// Shows the model.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn show(&mut self, model: &Model) -> io::Result<()> {
        self.terminal.draw(|frame| draw::screen(frame, model, self.look))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        put_back();
    }
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        put_back();
    }
}

fn put_back() {
    // A terminal that is gone needs nothing.
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), LeaveAlternateScreen, cursor::Show);
}
