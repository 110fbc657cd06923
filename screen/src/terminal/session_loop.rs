//! The loop around the screen of a terminal: what wakes it becomes messages, and what the messages ask for is carried
//! out.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use player::keyboard::Scheme;
use player::live::{LiveEvent, NothingToPlay};

use super::TerminalScreen;
use crate::events::{Events, Wake};
use crate::hit;
use crate::keymap::KeyCommand;
use crate::model::still::FrameSkipper;
use crate::model::{Mode, Model};
use crate::note_log::NoteLog;
use crate::session::{Session, execute};
use crate::update::{Intent, Msg, Press, update};

/// What ends a note, as the user wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseMode {
    /// The release of its key if the terminal reports it, else time.
    Auto,
    /// This; [`Mode::Real`] needs a terminal that reports releases.
    Always(Mode),
}

/// Questions to the program about the signals it has got.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    /// Returns whether the program is to end.
    pub is_end_wanted: fn() -> bool,
    /// Returns whether the user wants to go to the shell for a while; true once for each wish.
    pub is_stop_wanted: fn() -> bool,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By the user.
    Quit {
        /// Whether all adjustments were written.
        is_saved: bool,
    },
    /// By a signal.
    Signal,
}

/// Why a session cannot begin, or go on. `F` says why a package cannot be opened.
#[derive(Debug)]
pub enum SessionError<F> {
    /// The terminal cannot be used, or no longer.
    Terminal(io::Error),
    /// The terminal was closed.
    Closed,
    /// The terminal does not report when keys are released, as [`Mode::Real`] needs it.
    NoReleases,
    /// The log of notes cannot be written.
    Log(io::Error),
    /// All packages were opened, and there is nothing to play.
    NothingToPlay(NothingToPlay<F>),
}

impl<F> From<io::Error> for SessionError<F> {
    fn from(error: io::Error) -> Self {
        Self::Terminal(error)
    }
}

impl<F: Send + 'static> Session<F> {
    /// Shows the screen until the user quits, a signal ends it, or the terminal is gone.
    ///
    /// # Errors
    /// [`SessionError`]; the terminal is put back.
    pub fn run(
        mut self,
        terminal: TerminalScreen,
        release: ReleaseMode,
        mut log: Option<NoteLog>,
        signals: Signals,
    ) -> Result<Ended, SessionError<F>> {
        self.model.tells_release = terminal.tells_release();
        self.model.mode = mode(release, self.model.tells_release).ok_or(SessionError::NoReleases)?;
        if let Some(log) = &mut log {
            log.headline(headline(&self.model)).map_err(SessionError::Log)?;
        }
        self.play(terminal, log, signals)
    }

    fn play(
        mut self,
        mut terminal: TerminalScreen,
        mut log: Option<NoteLog>,
        signals: Signals,
    ) -> Result<Ended, SessionError<F>> {
        let (midi, loaded) = (self.player.midi_events().clone(), self.player.library_wake().clone());
        let mut events = Events::listen(midi, loaded, self.model.keymap.clone())?;
        let begun = Instant::now();
        terminal.show(&self.model)?;
        let (mut frames, mut area) = (FrameSkipper::default(), terminal.area()?);
        self.model.size = (area.width, area.height);
        loop {
            let wake = events.wait();
            // Notes first, the picture after them, at the next frame: a key must not wait for the screen.
            let mut draws = wake == Wake::Frame;
            let leaves_by_key = matches!(wake, Wake::Leave(_));
            let mut messages = self.messages(wake, &mut terminal, signals)?;
            while let Some(message) = messages.pop_front() {
                let now = begun.elapsed();
                frames.see(&message, &self.model);
                let mut written = log.as_mut().map_or(Ok(()), |log| log.message(now, &message));
                for intent in update(&mut self.model, message, now) {
                    written =
                        written.and_then(|()| log.as_mut().map_or(Ok(()), |log| log.intent(now, &intent)));
                    match intent {
                        Intent::Suspend => terminal.leave_for_a_while()?,
                        Intent::Quit => {
                            let is_saved = self.player.save_adjustments(true).is_none();
                            return Ok(Ended::Quit { is_saved });
                        }
                        intent => {
                            let refused = execute(&mut self.player, intent).err();
                            messages.extend(refused.map(Msg::Live));
                        }
                    }
                }
                if let Err(error) = written {
                    log = None;
                    let what = format!("the log ends here: {error}");
                    messages.push_back(Msg::Live(LiveEvent::Warning(what)));
                }
            }
            if leaves_by_key {
                events.go_on();
            }
            if draws {
                let before = area;
                area = terminal.area()?;
                self.model.size = (area.width, area.height);
                draws = frames.draws(&self.model) || area != before;
            }
            if draws {
                terminal.show(&self.model)?;
            }
            if (signals.is_end_wanted)() {
                drop(terminal);
                let _ = self.player.save_adjustments(true);
                return Ok(Ended::Signal);
            }
        }
    }

    /// Returns what has happened since.
    fn messages(
        &mut self,
        wake: Wake,
        terminal: &mut TerminalScreen,
        signals: Signals,
    ) -> Result<VecDeque<Msg>, SessionError<F>> {
        let mut messages = VecDeque::new();
        match wake {
            Wake::Keyboard(message) => messages.push_back(message),
            Wake::Leave(press) => {
                terminal.let_keys_go()?;
                messages.push_back(Msg::Press(press));
            }
            Wake::Mouse(event) => messages.extend(hit::message(&self.model, terminal.area()?, &event)),
            Wake::Midi(event) => messages.extend(self.play_midi(event)),
            Wake::Loaded => messages.extend(self.loaded()),
            Wake::Frame => messages.extend(self.frame()),
            Wake::Gone => return Err(SessionError::Closed),
        }
        if let Some(nothing) = self.player.nothing_to_play() {
            return Err(SessionError::NothingToPlay(nothing));
        }
        messages.extend(self.with_engine_events(Vec::new()));
        if (signals.is_stop_wanted)() {
            messages.push_back(Msg::Press(Press::Command(KeyCommand::Suspend)));
        }
        Ok(messages)
    }
}

/// Returns what ends notes on this terminal; none if it cannot be had.
fn mode(wanted: ReleaseMode, tells_release: bool) -> Option<Mode> {
    match wanted {
        ReleaseMode::Auto if tells_release => Some(Mode::Real),
        ReleaseMode::Auto => Some(Mode::Gate),
        ReleaseMode::Always(Mode::Real) if !tells_release => None,
        ReleaseMode::Always(mode) => Some(mode),
    }
}

/// Returns the first line of a log of notes.
fn headline(model: &Model) -> String {
    let Model { package, device, rate, .. } = model;
    let reported = if model.tells_release { "press and release" } else { "press" };
    let (layout, mode) = (Scheme::of(model.layout).name, model.mode.name());
    format!("{package} on {device} at {rate} Hz; keys report {reported}; {layout}, {mode}")
}
