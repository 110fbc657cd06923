//! The terminal while the screen is shown; put back whatever ends it.

pub mod input;
mod keyboard;
mod mouse;

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::Once;

use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};

use super::draw::{self, Theme};
use super::model::Model;
use crate::interrupt;

/// The terminal in raw mode on its other screen. Dropping it puts the terminal back; so does a panic, before its
/// message is printed.
pub struct TerminalScreen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    theme: Theme,
    tells_release: bool,
    has_mouse: bool,
    _guard: Guard,
}

impl TerminalScreen {
    /// Takes the terminal, and asks it to report when keys are released and, if that is wanted, the mouse. Waits for
    /// the answer, a second at most.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(theme: Theme, has_mouse: bool) -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let report = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !importer::is_guarded() {
                    put_back();
                }
                report(info);
            }));
        });
        // From here on the terminal is put back, also if the rest fails.
        let guard = Guard;
        take()?;
        let tells_release = keyboard::ask()?;
        if has_mouse {
            mouse::turn_on()?;
        }
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(Self { terminal, theme, tells_release, has_mouse, _guard: guard })
    }

    /// Returns whether the terminal reports when a key is released.
    #[must_use]
    pub const fn tells_release(&self) -> bool {
        self.tells_release
    }

    /// Has no more releases reported, and waits for those that are on their way: the shell would take them for typed
    /// text. To be called before the terminal is left, and only while nobody reads the keyboard.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn let_keys_go(&mut self) -> io::Result<()> {
        if self.tells_release { keyboard::turn_off_and_wait() } else { Ok(()) }
    }

    /// Returns the terminal to the shell, waits until the user comes back, and takes it again.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn leave_for_a_while(&mut self) -> io::Result<()> {
        put_back();
        interrupt::stop_until_continued()?;
        take()?;
        if self.tells_release {
            keyboard::turn_on()?;
        }
        if self.has_mouse {
            mouse::turn_on()?;
        }
        // A new one believes nothing to be on the screen and draws all of it. Clearing the old one would ask the
        // terminal where its cursor is, and the answer goes to the keyboard.
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        execute!(stdout(), Clear(ClearType::All))
    }

    /// Returns the area of the screen.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn area(&self) -> io::Result<Rect> {
        Ok(Rect::from((Position::ORIGIN, self.terminal.size()?)))
    }

    /// Shows the model.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn show(&mut self, model: &Model) -> io::Result<()> {
        self.terminal.draw(|frame| draw::screen(frame, model, self.theme))?;
        Ok(())
    }
}

/// Puts the terminal back when dropped.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        put_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, cursor::Hide)
}

fn put_back() {
    // A terminal that is gone needs nothing.
    let _ = mouse::turn_off();
    let _ = keyboard::turn_off();
    let _ = execute!(stdout(), LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}
