//! The room that sounds are played in: the reverb and the delay that they send to, and the gain of all.
//!
//! ```text
//! sounds ─┬───────────────► gain ─► limiter
//!         ├─► reverb ───►┤
//!         └─► delay ────►┤        how much each sound sends is of its voicing
//! ```

mod file;
mod options;
mod parameter;

use std::time::Duration;

use engine::{Controller, DelayParams, EffectError, ReverbParams};
use song::{Decibels, Frames, Sends};

pub use file::RoomFile;
pub use options::RoomOptions;
pub use parameter::RoomParameter;

/// How the effects sound that all sounds share, and the gain of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Time in which the reverb falls by 60 dB.
    pub decay: Duration,
    /// Frequency above which the reverb decays faster, in hertz.
    pub damping: f32,
    /// From one echo to the next.
    pub time: NoteLength,
    /// Beats per minute, by which that is counted.
    pub tempo: f32,
    /// Gain from one echo to the next, 0 to [`DelayParams::MAX_FEEDBACK`].
    pub feedback: f32,
    /// Cutoff of the low-pass that echoes go through, in hertz.
    pub tone: f32,
    /// Whether echoes alternate between left and right.
    pub ping_pong: bool,
    /// The gain of all.
    pub master: Decibels,
}

/// The length of a note, as musicians count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteLength(usize);

impl NoteLength {
    /// Their names, and how many beats they last.
    const ALL: [(&str, f64); 14] = [
        ("1/32", 0.125),
        ("1/16t", 1.0 / 6.0),
        ("1/16", 0.25),
        ("1/8t", 1.0 / 3.0),
        ("1/16.", 0.375),
        ("1/8", 0.5),
        ("1/4t", 2.0 / 3.0),
        ("1/8.", 0.75),
        ("1/4", 1.0),
        ("1/2t", 4.0 / 3.0),
        ("1/4.", 1.5),
        ("1/2", 2.0),
        ("1/2.", 3.0),
        ("1/1", 4.0),
    ];

    /// Their names, the shortest first; a dot makes a note half as long again, `t` is one of a triplet.
    pub const NAMES: [&str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Self::ALL[index].0;
            index += 1;
        }
        names
    };

    /// Returns the length of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().position(|(own, _)| *own == name).map(Self)
    }

    /// Returns its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self.0].0
    }

    /// Returns how long it lasts at a tempo in beats per minute.
    #[must_use]
    pub fn lasts(self, tempo: f32) -> Duration {
        let seconds = Self::ALL[self.0].1 * 60.0 / f64::from(tempo.max(1.0));
        Duration::try_from_secs_f64(seconds).unwrap_or(DelayParams::MAX_TIME).min(DelayParams::MAX_TIME)
    }
}

impl Default for Room {
    fn default() -> Self {
        let (reverb, delay) = (ReverbParams::default(), DelayParams::default());
        Self {
            decay: reverb.decay,
            damping: reverb.damping,
            time: NoteLength::named("1/8.").unwrap_or(NoteLength(0)),
            tempo: 120.0,
            feedback: delay.feedback,
            tone: delay.tone,
            ping_pong: delay.ping_pong,
            master: Decibels::UNITY,
        }
    }
}

impl Room {
    /// Returns the reverb as an engine knows it.
    #[must_use]
    pub fn reverb(&self) -> ReverbParams {
        ReverbParams { decay: self.decay, damping: self.damping, ..ReverbParams::default() }
    }

    /// Returns the delay as an engine knows it.
    #[must_use]
    pub fn delay(&self) -> DelayParams {
        DelayParams {
            time: self.time.lasts(self.tempo),
            feedback: self.feedback,
            tone: self.tone,
            ping_pong: self.ping_pong,
            ..DelayParams::default()
        }
    }

    /// Returns how long effects go on after sounds that send like this.
    #[must_use]
    pub fn tail(&self, sends: impl IntoIterator<Item = Sends>) -> Duration {
        let tail = |Sends { reverb, delay }: Sends| {
            let reverb = reverb.map_or(Duration::ZERO, |_| self.reverb().tail());
            reverb.max(delay.map_or(Duration::ZERO, |_| self.delay().tail()))
        };
        sends.into_iter().map(tail).max().unwrap_or_default()
    }

    /// Returns whether sounds that send like this are played otherwise than without a room.
    #[must_use]
    pub fn is_heard(&self, sends: impl IntoIterator<Item = Sends>) -> bool {
        self.master != Decibels::UNITY || sends.into_iter().any(|sends| sends != Sends::default())
    }

    /// Sets the effects and the gain of an engine from a frame on; returns whether its queue had room for all of it.
    /// An engine without effects gets the gain.
    pub fn apply(&self, controller: &mut Controller, at: Option<Frames>) -> bool {
        let is_full = |refused: bool| !refused;
        let reverb = controller.set_reverb(self.reverb(), at);
        let delay = controller.set_delay(self.delay(), at);
        is_full(matches!(reverb, Err(EffectError::Full(_))))
            && is_full(matches!(delay, Err(EffectError::Full(_))))
            && controller.set_gain(self.master, at).is_ok()
    }
}

#[cfg(test)]
mod tests;
