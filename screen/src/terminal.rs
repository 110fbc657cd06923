//! The terminal while the screen is shown; put back whatever ends it.

mod backend;
pub mod input;
mod keyboard;
mod mouse;
mod screen_writer;
mod session_loop;

use std::io::{self, Write as _, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::Terminal;
use ratatui::layout::{Position, Rect};

use super::draw::{self, Theme};
use super::model::Model;
use backend::ScreenBackend;
pub use session_loop::{Ended, ReleaseMode, SessionError, Signals};

/// The terminal in raw mode on its other screen. Dropping it puts the terminal back; so does a panic, before its
/// message is printed.
pub struct TerminalScreen {
    terminal: Terminal<ScreenBackend>,
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
        let terminal = Terminal::new(ScreenBackend::new()?)?;
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
        stop_until_continued()?;
        take()?;
        if self.tells_release {
            keyboard::turn_on()?;
        }
        if self.has_mouse {
            mouse::turn_on()?;
        }
        // A new one believes nothing to be on the screen and draws all of it. Clearing the old one would ask the
        // terminal where its cursor is, and the answer goes to the keyboard.
        self.terminal = Terminal::new(ScreenBackend::new()?)?;
        execute!(stdout(), Clear(ClearType::All))
    }

    /// Returns the area of the screen.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn area(&self) -> io::Result<Rect> {
        Ok(Rect::from((Position::ORIGIN, self.terminal.size()?)))
    }

    /// Shows the model, unless the terminal still reads what was shown before. Never waits for it.
    ///
    /// # Errors
    /// If the terminal was closed.
    pub fn show(&mut self, model: &Model) -> io::Result<()> {
        if !screen_writer::is_idle() {
            return Ok(());
        }
        self.terminal.draw(|frame| draw::screen(frame, model, self.theme))?;
        Ok(())
    }
}

/// Stops as SIGTSTP does, and returns when the program is continued.
fn stop_until_continued() -> io::Result<()> {
    #[cfg(unix)]
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
    Ok(())
}

/// Puts the terminal back when dropped.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        put_back();
    }
}

/// Whether the terminal shows the screen.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// How long the terminal may take to read what was shown last.
const PATIENCE: Duration = Duration::from_millis(300);

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::Relaxed);
    execute!(stdout(), EnterAlternateScreen, cursor::Hide)
}

/// Puts the terminal back as it was. One that does not read gets the room for it by forgetting what it has not read.
pub fn put_back() {
    let is_taken = IS_TAKEN.swap(false, Ordering::Relaxed);
    if is_taken && !screen_writer::wait(PATIENCE) {
        screen_writer::give_up();
        let _ = disable_raw_mode();
        write_at_once(&restoring(true));
    } else if is_taken {
        // A terminal that is gone needs nothing.
        let mut out = stdout();
        let _ = out.write_all(&restoring(false)).and_then(|()| out.flush());
    }
    let _ = disable_raw_mode();
}

/// Returns what puts the terminal back, perhaps amid something else that it was sent.
fn restoring(is_amid: bool) -> Vec<u8> {
    // Ends whatever sequence was cut off.
    const CANCEL: u8 = 0x18;
    let mut bytes = if is_amid { vec![CANCEL] } else { Vec::new() };
    // Memory takes all of it.
    let _ = mouse::turn_off(&mut bytes);
    let _ = keyboard::turn_off(&mut bytes);
    let _ = queue!(bytes, LeaveAlternateScreen, cursor::Show);
    bytes
}

/// Writes to a terminal that does not read, in place of what waits there.
#[cfg(unix)]
fn write_at_once(bytes: &[u8]) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{OptionalActions, QueueSelector, tcflush, tcgetattr, tcsetattr};
    let out = rustix::stdio::stdout();
    for _ in 0..20 {
        let _ = tcflush(out, QueueSelector::OFlush);
        // Whoever waits for room looks for it again when the terminal's mode is set.
        let _ = tcgetattr(out).and_then(|mode| tcsetattr(out, OptionalActions::Now, &mode));
        std::thread::sleep(Duration::from_millis(2));
        if screen_writer::is_idle() {
            break;
        }
    }
    let _ = tcflush(out, QueueSelector::OFlush);
    let mut fds = [PollFd::new(&out, PollFlags::OUT)];
    if poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 50_000_000 })).is_ok_and(|ready| ready > 0) {
        let _ = rustix::io::write(out, bytes);
    }
}

#[cfg(not(unix))]
fn write_at_once(bytes: &[u8]) {
    let mut out = stdout();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}
