//! Everything that wakes the screen: the keyboard on a thread of its own, MIDI ports, and the clock.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, select};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::midi::port::PortEvent;
use crate::tui::update::Press;

/// How often the screen moves.
const FRAME: Duration = Duration::from_millis(33);
/// Key presses that may wait; a person cannot type so far ahead.
const WAITING: usize = 256;
/// How far page up and page down go.
const PAGE: usize = 10;

/// What woke the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wake {
    /// A key.
    Press(Press),
    /// A MIDI port.
    Midi(PortEvent),
    /// The terminal has another size.
    Resize,
    /// Time to draw.
    Frame,
    /// The keyboard is gone.
    Gone,
}

/// The keyboard, MIDI ports and the clock.
pub struct Events {
    keyboard: Receiver<Wake>,
    midi: Receiver<PortEvent>,
    clock: Receiver<Instant>,
}

impl Events {
    /// Listens from here on.
    ///
    /// # Errors
    /// If no thread can be had.
    pub fn listen(midi: Receiver<PortEvent>) -> std::io::Result<Self> {
        let (sender, keyboard) = bounded(WAITING);
        thread::Builder::new().name("keyboard".into()).spawn(move || {
            loop {
                let wake = match event::read() {
                    Ok(event) => wake(&event),
                    Err(_) => Some(Wake::Gone),
                };
                let Some(wake) = wake else { continue };
                let is_gone = wake == Wake::Gone;
                if sender.send(wake).is_err() || is_gone {
                    return;
                }
            }
        })?;
        Ok(Self { keyboard, midi, clock: crossbeam_channel::tick(FRAME) })
    }

    /// Waits for the next.
    #[must_use]
    pub fn next(&self) -> Wake {
        select! {
            recv(self.keyboard) -> wake => wake.unwrap_or(Wake::Gone),
            // It is never closed while somebody plays.
            recv(self.midi) -> event => event.map_or(Wake::Frame, Wake::Midi),
            recv(self.clock) -> _ => Wake::Frame,
        }
    }
}

fn wake(event: &Event) -> Option<Wake> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => press(*key).map(Wake::Press),
        Event::Resize(..) => Some(Wake::Resize),
        _ => None,
    }
}

fn press(key: KeyEvent) -> Option<Press> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'q' | 'C' | 'Q') => Some(Press::Quit),
            KeyCode::Char('z' | 'Z') => Some(Press::Suspend),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Char(c) => Press::Char(c),
        KeyCode::Up => Press::Up(1),
        KeyCode::Down => Press::Down(1),
        KeyCode::PageUp => Press::Up(PAGE),
        KeyCode::PageDown => Press::Down(PAGE),
        KeyCode::Home => Press::Home,
        KeyCode::End => Press::End,
        KeyCode::Enter => Press::Enter,
        KeyCode::Tab => Press::Tab,
        KeyCode::Esc => Press::Escape,
        KeyCode::F(1) => Press::F1,
        KeyCode::F(7) => Press::F7,
        KeyCode::F(10) => Press::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Press> {
        press(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn control_c_quits_and_c_plays() {
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Press::Quit));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), Some(Press::Char('c')));
        assert_eq!(key(KeyCode::Char('x'), KeyModifiers::CONTROL), None);
    }

    #[test]
    fn a_released_key_wakes_nobody() {
        let released = KeyEvent::new_with_kind(KeyCode::Char('z'), KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(wake(&Event::Key(released)), None);
    }
}
