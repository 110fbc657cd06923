//! Everything that wakes the screen: the keyboard, read on another thread, MIDI ports, loaded sounds, and the clock.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use crossterm::event::MouseEvent;

use crate::key::{KeyPlaces, message};
use crate::keymap::{KeyCommand, Keymap};
use crate::terminal::input::{TerminalEvent, TerminalInput};
use crate::update::{Msg, Press};
use player::midi::port::PortEvent;

/// How often the screen moves.
const FRAME: Duration = Duration::from_millis(33);
/// Key presses that may wait; a person cannot type so far ahead.
const WAITING: usize = 256;
/// What woke the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Wake {
    /// What happened on the keyboard.
    Keyboard(Msg),
    /// A key that leaves the screen. Nobody reads the keyboard any more, until [`Events::go_on`].
    Leave(Press),
    /// What happened with the mouse.
    Mouse(MouseEvent),
    /// A MIDI port.
    Midi(PortEvent),
    /// A sound that was waited for, or a package that was opened.
    Loaded,
    /// Time to draw, at the terminal's size of that moment.
    Frame,
    /// The keyboard is gone.
    Gone,
}

/// The keyboard, MIDI ports, what is loaded, and the clock.
pub struct Events {
    keyboard: Receiver<Wake>,
    midi: Receiver<PortEvent>,
    loaded: Receiver<()>,
    clock: Receiver<Instant>,
    go_on: Sender<()>,
}

impl Events {
    /// Listens from here on.
    ///
    /// # Errors
    /// If no thread can be had.
    pub fn listen(midi: Receiver<PortEvent>, loaded: Receiver<()>, keymap: Keymap) -> std::io::Result<Self> {
        let (sender, mut events) = Self::fed(midi, loaded);
        let (go_on, wait) = bounded(1);
        events.go_on = go_on;
        let mut input = TerminalInput::open()?;
        let mut places = KeyPlaces::default();
        thread::Builder::new().name("keyboard".into()).spawn(move || {
            loop {
                let wakes = match input.read() {
                    Ok(event) => wakes(event, &mut places, &keymap),
                    Err(_) => [None, Some(Wake::Gone)],
                };
                for wake in wakes.into_iter().flatten() {
                    let leaves = matches!(wake, Wake::Leave(_));
                    let is_gone = wake == Wake::Gone;
                    let is_over = sender.send(wake).is_err() || is_gone;
                    if is_over || leaves && wait.recv().is_err() {
                        return;
                    }
                }
            }
        })?;
        Ok(events)
    }

    /// With a keyboard that whoever has the other end stands in for.
    #[must_use]
    pub fn fed(midi: Receiver<PortEvent>, loaded: Receiver<()>) -> (Sender<Wake>, Self) {
        let (sender, keyboard) = bounded(WAITING);
        let (go_on, _) = bounded(1);
        (sender, Self { keyboard, midi, loaded, clock: crossbeam_channel::tick(FRAME), go_on })
    }

    /// Reads the keyboard again, after [`Wake::Leave`].
    pub fn go_on(&self) {
        // It is read, or was never left.
        let _ = self.go_on.try_send(());
    }

    /// Waits for the next.
    #[must_use]
    pub fn wait(&mut self) -> Wake {
        select! {
            recv(self.keyboard) -> wake => wake.unwrap_or(Wake::Gone),
            // It is never closed while somebody plays.
            recv(self.midi) -> event => event.map_or(Wake::Frame, Wake::Midi),
            recv(self.loaded) -> loaded => {
                // Nobody loads anything more.
                if loaded.is_err() {
                    self.loaded = never();
                }
                Wake::Loaded
            }
            recv(self.clock) -> _ => Wake::Frame,
        }
    }
}

/// Returns what an event means; before that, where its key is, if that is news.
fn wakes(event: TerminalEvent, places: &mut KeyPlaces, keymap: &Keymap) -> [Option<Wake>; 2] {
    let news = if let TerminalEvent::Key(stroke) = &event { places.see(*stroke) } else { None };
    let wake = match event {
        TerminalEvent::Key(stroke) => message(stroke, keymap).map(|message| match message {
            Msg::Press(press @ Press::Command(KeyCommand::Quit | KeyCommand::Suspend)) => Wake::Leave(press),
            message => Wake::Keyboard(message),
        }),
        TerminalEvent::Mouse(mouse) => Some(Wake::Mouse(mouse)),
        TerminalEvent::FocusLost => Some(Wake::Keyboard(Msg::FocusLost)),
    };
    [news.map(Wake::Keyboard), wake]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyboard_that_belongs_to_another_window_wakes_the_screen() {
        let lost = wakes(TerminalEvent::FocusLost, &mut KeyPlaces::default(), &Keymap::default());
        assert_eq!(lost, [None, Some(Wake::Keyboard(Msg::FocusLost))]);
    }
}
