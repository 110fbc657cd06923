//! A pause of what an engine plays, without a click.

use std::time::Duration;

use engine::Controller;
use song::Decibels;

use crate::clock::Instant;

/// How long the output is turned down before time stops, so that a pause does not click.
const FADE: Duration = Duration::from_millis(30);
/// What nobody hears, in decibels.
const SILENCE: f32 = -120.0;

/// Whether an engine is paused, and since when.
#[derive(Debug)]
pub struct Pause {
    /// Since when the output is turned down.
    since: Option<Instant>,
    /// The gain that it has otherwise.
    gain: Decibels,
}

impl Pause {
    /// Creates a pause of an engine of that gain, which plays.
    #[must_use]
    pub const fn of(gain: Decibels) -> Self {
        Self { since: None, gain }
    }

    /// Returns whether the user wants a pause.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.since.is_some()
    }

    /// Begins a pause, or ends it.
    pub fn toggle(&mut self, controller: &mut Controller) {
        if self.since.take().is_some() {
            controller.set_paused(false);
            let _ = controller.set_gain(self.gain, None);
        } else if controller.set_gain(Decibels::new(SILENCE).unwrap_or_default(), None).is_ok() {
            self.since = Some(Instant::now());
        }
    }

    /// Stops time once the output is turned down; called now and then.
    pub fn poll(&self, controller: &mut Controller) {
        if self.since.is_some_and(|since| since.elapsed() >= FADE) {
            controller.set_paused(true);
        }
    }

    /// Ends all notes, and the pause if there is one.
    pub fn end(&self, controller: &mut Controller) {
        controller.all_sound_off();
        controller.set_paused(false);
        if self.is_on() {
            let _ = controller.set_gain(self.gain, None);
        }
    }
}
