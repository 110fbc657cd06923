use std::time::Duration;

use crate::TickEnvelope;
use crate::module::{LfoWave, VibratoSweep};

/// How a note moves while it sounds, in volume, pan, pitch and timbre, as on the instruments of trackers.
///
/// ```text
/// ticks    0     1     2     3          each as long as the module's tempo says
/// curves   ·─────·─────·─────·          a value at each of them, and straight lines in between
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrackerArticulation {
    /// Length of a tick.
    pub tick: Duration,
    /// Volume, 0..=64.
    pub volume: Option<TickEnvelope>,
    /// Pan, −32..=32, scaled by the room left on the side it moves to.
    pub pan: Option<TickEnvelope>,
    /// Pitch in half semitones, −32..=32.
    pub pitch: Option<TickEnvelope>,
    /// Filter cutoff, −32..=32; at 32 it is what `filter` says.
    pub cutoff: Option<TickEnvelope>,
    /// How much a fading note loses in each tick, in 1/32768 of full volume.
    pub fadeout: u32,
    /// When the note begins to fade.
    pub fade_start: FadeStart,
    /// Its filter, where the envelope of the cutoff has its highest value.
    pub filter: LowPass,
    /// Vibrato of the sample itself.
    pub vibrato: Option<PitchLfo>,
}

/// A resonant low-pass filter of two poles, in the units of Impulse Tracker.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LowPass {
    /// What lies above 110 Hz × 2^(0.25 + cutoff / 24) is taken away; 0 or more.
    pub cutoff: f32,
    /// How much it rings there, 127 at most: the damping is 10^(−resonance × 24 / 2560). Below 0 it is damped more than
    /// Impulse Tracker can.
    pub resonance: f32,
}

impl LowPass {
    /// Takes nothing away.
    pub const OPEN: Self = Self { cutoff: 127.0, resonance: 0.0 };
    /// So much more resonance halves the damping: 2560 / 24 × log₁₀ 2.
    pub const HALF_DAMPING: f32 = 32.109_87;

    /// Returns whether it takes nothing away.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.cutoff >= Self::OPEN.cutoff && self.resonance.abs() < f32::EPSILON
    }
}

impl Default for LowPass {
    fn default() -> Self {
        Self::OPEN
    }
}

/// When a note begins to fade by its `fadeout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FadeStart {
    /// When its key is released.
    #[default]
    AtRelease,
    /// When its volume envelope ends, held or not; at the release if that envelope is missing or repeats for ever.
    AtEnvelopeEnd,
}

/// A low-frequency oscillator that bends the pitch tick by tick.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PitchLfo {
    /// Waveform.
    pub wave: LfoWave,
    /// Where in its cycle a ramp begins, 0..1: 0 at an end, ½ in the middle.
    pub ramp_phase: f32,
    /// The lower level of a square wave, −1..=1.
    pub square_low: f32,
    /// Phase increment per tick, in 1/256 cycle.
    pub speed: u8,
    /// Depth to each side, in 1/64 semitone; above 0.
    pub depth: u8,
    /// How the depth grows at the start of a note.
    pub sweep: VibratoSweep,
}

impl TrackerArticulation {
    /// Returns whether a note sounds as it would without an articulation.
    #[must_use]
    pub fn is_still(&self) -> bool {
        let envelopes = [&self.volume, &self.pan, &self.pitch, &self.cutoff];
        envelopes.iter().all(|envelope| envelope.is_none())
            && self.fadeout == 0
            && !self.is_filtered()
            && self.vibrato.is_none()
    }

    /// Returns whether it has a filter that may take something away.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.cutoff.is_some() || !self.filter.is_open()
    }

    /// Returns whether a note fades from the release of its key.
    #[must_use]
    pub fn fades_from_release(&self) -> bool {
        match self.fade_start {
            FadeStart::AtRelease => true,
            FadeStart::AtEnvelopeEnd => {
                self.volume.as_ref().is_none_or(|volume| !volume.ends_after_release())
            }
        }
    }

    /// Returns whether a note fades from the end of its volume envelope, held or not.
    #[must_use]
    pub fn fades_from_envelope_end(&self) -> bool {
        self.fade_start == FadeStart::AtEnvelopeEnd
    }

    /// Returns whether a released note falls silent of itself, whatever its sample does.
    #[must_use]
    pub fn ends(&self) -> bool {
        let volume = self.volume.as_ref();
        let falls_silent = volume.is_some_and(TickEnvelope::falls_silent);
        let comes_to_an_end = volume.is_some_and(TickEnvelope::ends_after_release);
        let fades = self.fades_from_release() || (self.fades_from_envelope_end() && comes_to_an_end);
        falls_silent || (self.fadeout > 0 && fades)
    }
}
