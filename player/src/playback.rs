//! A processor on a device, and on the next one when that goes away or another is wanted.
//!
//! ```text
//!               lost                   after a pause
//! Playing ───────────────► Waiting ───────────────────┐
//!   ▲  └── another choice, ──────┴── another choice ──► Trying ── a thread of its own stops the one device and starts
//!   │      another default                             │       the other, and goes back to the one if it cannot
//!   └──────────────────────────────────────────────────┘
//! ```

mod watch;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use engine::Processor;
use engine::device::{DeviceStatus, Running, StartError};
use song::Hz;

use crate::background;
use crate::clock::Instant;

use watch::DefaultDeviceWatch;

/// Starts a processor on the device that the user wants.
pub type Starter = Arc<dyn Fn(Processor) -> Result<Running, StartError> + Send + Sync>;

/// Says which device is the system's default, by its id.
pub type Asker = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// Where to play.
#[derive(Clone)]
pub struct Route {
    /// Starts it there.
    pub start: Starter,
    /// For a route to the system's default, which is followed when it changes.
    pub default: Option<Asker>,
}

/// A processor that plays, or waits for a device to come back. What sounds goes on when it does.
pub struct Playback {
    route: Route,
    /// Reports when the system's default changes, if the route follows it.
    watch: Option<DefaultDeviceWatch>,
    state: PlaybackState,
    /// Where it is to play from the next poll on.
    wanted: Option<Route>,
    /// Pause between two attempts to find a device.
    pause: Duration,
    name: String,
    rate: Hz,
    status: Arc<DeviceStatus>,
    /// Why the last choice was not fulfilled.
    warning: Option<String>,
}

enum PlaybackState {
    Playing(Running),
    /// The device went away, and none was found so far.
    Waiting {
        /// As large as all other states together.
        processor: Box<Processor>,
        /// When to try again.
        until: Instant,
    },
    /// A thread of its own tries, since that may take seconds.
    Trying {
        answer: Receiver<AttemptResult>,
        /// Whether there is a device, and another is tried.
        is_change: bool,
    },
    /// The device went away with the processor: nothing can play any more.
    Over,
}

/// The result of an attempt.
struct AttemptResult {
    started: Result<Running, StartError>,
    /// Where the processor is, or is to be tried again.
    route: Route,
    /// Why it is not where it was to be.
    refusal: Option<String>,
}

impl Playback {
    /// Starts playing.
    ///
    /// # Errors
    /// If the first attempt fails; later ones are repeated after each `pause`.
    pub fn begin(processor: Processor, route: Route, pause: Duration) -> Result<Self, StartError> {
        let running = (route.start)(processor)?;
        let (name, rate, status) = (running.name().to_owned(), running.rate(), Arc::clone(running.status()));
        let watch = DefaultDeviceWatch::of(&route, pause);
        let (state, wanted, warning) = (PlaybackState::Playing(running), None, None);
        Ok(Self { route, watch, state, wanted, pause, name, rate, status, warning })
    }

    /// Returns what plays, or played last.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the rate that it plays at, or played at last, in hertz.
    #[must_use]
    pub const fn rate(&self) -> Hz {
        self.rate
    }

    /// Returns how the device does, or did.
    #[must_use]
    pub fn status(&self) -> &DeviceStatus {
        &self.status
    }

    /// Returns whether a device plays.
    #[must_use]
    pub const fn is_playing(&self) -> bool {
        matches!(self.state, PlaybackState::Playing(_))
    }

    /// Returns why no note is to begin now, if none is: it would sound whenever a device is back.
    #[must_use]
    pub const fn refusal(&self) -> Option<&'static str> {
        match self.state {
            PlaybackState::Playing(_) => None,
            PlaybackState::Trying { is_change: true, .. } => Some("the audio device is being changed"),
            _ => Some("no audio device"),
        }
    }

    /// Returns whether the device went away and is looked for.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        !matches!(self.state, PlaybackState::Playing(_) | PlaybackState::Trying { is_change: true, .. })
    }

    /// Returns whether no device will ever play again.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.state, PlaybackState::Over)
    }

    /// Returns whether it plays on the system's default, whichever that is.
    #[must_use]
    pub(crate) const fn follows_default(&self) -> bool {
        self.route.default.is_some()
    }

    /// Plays elsewhere, soon. What sounds goes on there. If it cannot be, it stays where it is, and there is a
    /// warning.
    pub fn change(&mut self, route: Route) {
        self.wanted = Some(route);
    }

    /// Returns why the last change was not made, once.
    #[must_use]
    pub(crate) fn take_warning(&mut self) -> Option<String> {
        self.warning.take()
    }

    /// Looks after the device; to be called several times a second. Does not wait.
    pub fn poll(&mut self) {
        let state = std::mem::replace(&mut self.state, PlaybackState::Over);
        self.state = match state {
            PlaybackState::Playing(running) if running.status().is_lost() => {
                // The system may have another default already.
                Self::waiting(running.stop().map(Box::new), Duration::ZERO)
            }
            PlaybackState::Playing(running) => {
                match self.wanted.take().or_else(|| self.moved(running.name())) {
                    Some(wanted) => self.attempt(ProcessorOwner::Device(running), Some(wanted)),
                    None => PlaybackState::Playing(running),
                }
            }
            PlaybackState::Waiting { processor, until }
                if self.wanted.is_some() || Instant::now() >= until =>
            {
                let wanted = self.wanted.take();
                self.attempt(ProcessorOwner::Hand(processor), wanted)
            }
            PlaybackState::Trying { answer, is_change } => match answer.try_recv() {
                Ok(answer) => self.finish(answer),
                Err(TryRecvError::Empty) => PlaybackState::Trying { answer, is_change },
                Err(TryRecvError::Disconnected) => PlaybackState::Over,
            },
            other => other,
        };
    }

    /// Returns the route anew, if the system's default is no longer this device.
    fn moved(&self, device: &str) -> Option<Route> {
        let default = self.watch.as_ref()?.news()?;
        (default != device).then(|| self.route.clone())
    }

    fn waiting(processor: Option<Box<Processor>>, pause: Duration) -> PlaybackState {
        match processor {
            Some(processor) => PlaybackState::Waiting { processor, until: Instant::now() + pause },
            None => PlaybackState::Over,
        }
    }

    fn finish(&mut self, AttemptResult { started, route, refusal }: AttemptResult) -> PlaybackState {
        if self.watch.is_none() || !Arc::ptr_eq(&self.route.start, &route.start) {
            self.watch = DefaultDeviceWatch::of(&route, self.pause);
        }
        self.route = route;
        if refusal.is_some() {
            self.warning = refusal;
        }
        match started {
            Ok(running) => {
                running.name().clone_into(&mut self.name);
                self.rate = running.rate();
                self.status = Arc::clone(running.status());
                PlaybackState::Playing(running)
            }
            Err(error) => Self::waiting(error.processor, self.pause),
        }
    }

    /// Tries to play where it is wanted, else where it is to play anyway.
    fn attempt(&self, place: ProcessorOwner, wanted: Option<Route>) -> PlaybackState {
        let (sender, answer) = bounded(1);
        let (is_change, route) = (matches!(place, ProcessorOwner::Device(_)), self.route.clone());
        let attempt = move || {
            let Some(processor) = place.leave() else { return };
            // Whoever asked may be gone; then nobody wants the device.
            let _ = sender.send(attempt(processor, route, wanted));
        };
        match background::run("device", attempt) {
            Ok(_) => PlaybackState::Trying { answer, is_change },
            Err(_) => PlaybackState::Over,
        }
    }
}

fn attempt(processor: Processor, route: Route, wanted: Option<Route>) -> AttemptResult {
    let Some(wanted) = wanted else {
        return AttemptResult { started: (route.start)(processor), route, refusal: None };
    };
    match (wanted.start)(processor) {
        Ok(running) => AttemptResult { started: Ok(running), route: wanted, refusal: None },
        Err(StartError { reason, processor }) => {
            let refusal = Some(reason.to_string());
            let started = match processor {
                Some(processor) => (route.start)(*processor),
                None => Err(StartError { reason, processor }),
            };
            AttemptResult { started, route, refusal }
        }
    }
}

/// Where a processor is before an attempt.
enum ProcessorOwner {
    Device(Running),
    Hand(Box<Processor>),
}

impl ProcessorOwner {
    /// Returns the processor, unless a device keeps it.
    fn leave(self) -> Option<Processor> {
        match self {
            Self::Device(running) => running.stop(),
            Self::Hand(processor) => Some(*processor),
        }
    }
}

#[cfg(test)]
mod tests;
