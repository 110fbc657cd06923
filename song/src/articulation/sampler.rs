use super::{NotePlayed, SegmentEnvelope};
use crate::{Frames, Invalid, Key};

/// How a note of a sampler's bank moves: envelopes, LFOs and a filter, in seconds, decibels and cents.
///
/// ```text
/// amplitude ─────────────────────────────► × gain
/// envelopes ─┬─► depths ─┬─► pitch, cents
/// lfos ──────┘           ├─► filter cutoff, cents
///                        ├─► gain, decibels; amplitude, factor
///                        └─► pan
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SamplerArticulation {
    /// Factor on the amplitude, 0..=1. A note is over when it has come to its end at 0.
    pub amplitude: SegmentEnvelope,
    /// Envelopes beside that, [`Self::MAX_ENVELOPES`] at most.
    pub envelopes: Vec<ModulationEnvelope>,
    /// Low-frequency oscillators, [`Self::MAX_LFOS`] at most.
    pub lfos: Vec<ModulationLfo>,
    /// Its filter.
    pub filter: Option<FilterParams>,
    /// The frame of the sample that notes begin at; one that the sample does not have is silence.
    pub offset: Frames,
    /// Which notes end it, and which it ends.
    pub choke: Choke,
}

/// An envelope and what it moves.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModulationEnvelope {
    /// The envelope.
    pub envelope: SegmentEnvelope,
    /// What its level of 1 does.
    pub depths: ModulationDepths,
    /// What is added to that at velocity 127.
    pub by_velocity: ModulationDepths,
}

/// An LFO and what it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModulationLfo {
    /// The oscillator.
    pub lfo: Lfo,
    /// What its value of 1 does.
    pub depths: ModulationDepths,
}

/// How far something is moved by a value of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModulationDepths {
    /// Cents.
    pub pitch: f32,
    /// Cents of the filter's cutoff.
    pub cutoff: f32,
    /// Decibels.
    pub gain: f32,
    /// How much of the amplitude is multiplied by the value, 0..=1.
    pub amplitude: f32,
    /// Added to the pan, −1..=1.
    pub pan: f32,
}

/// A low-frequency oscillator.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lfo {
    /// Its wave.
    pub shape: LfoShape,
    /// Cycles per second; 0 or more.
    pub frequency: f32,
    /// Seconds before it begins; its value is 0 until then.
    pub delay: f32,
    /// Seconds in which it grows to its full depth.
    pub fade: f32,
    /// Where in its cycle it begins, 0..1.
    pub phase: f32,
}

/// Waves of low-frequency oscillators, −1..=1; their cycle begins at phase 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LfoShape {
    /// Up from 0 first.
    #[default]
    Triangle,
    /// Up from 0 first.
    Sine,
    /// High for half of the cycle.
    Square,
    /// High for three quarters of the cycle.
    Pulse75,
    /// High for a quarter of the cycle.
    Pulse25,
    /// High for an eighth of the cycle.
    Pulse12,
    /// From −1 up to 1.
    SawUp,
    /// From 1 down to −1.
    SawDown,
}

impl LfoShape {
    /// Returns its value at a phase of 0..1.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn value(self, phase: f32) -> f32 {
        let pulse = |width: f32| if phase < width { 1.0 } else { -1.0 };
        match self {
            Self::Triangle if phase < 0.25 => 4.0 * phase,
            Self::Triangle if phase < 0.75 => 2.0 - 4.0 * phase,
            Self::Triangle => 4.0 * phase - 4.0,
            Self::Sine => (std::f32::consts::TAU * phase).sin(),
            Self::Square => pulse(0.5),
            Self::Pulse75 => pulse(0.75),
            Self::Pulse25 => pulse(0.25),
            Self::Pulse12 => pulse(0.125),
            Self::SawUp => 2.0 * phase - 1.0,
            Self::SawDown => 1.0 - 2.0 * phase,
        }
    }
}

/// A filter of a voice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FilterParams {
    /// What it lets pass.
    pub kind: FilterKind,
    /// Its corner or centre at the key centre and velocity 0, in hertz; above 0.
    pub cutoff: f32,
    /// Its quality factor: the gain at the corner or centre of two poles, linear; above 0.
    pub q: f32,
    /// Cents of the cutoff for each key above the key centre.
    pub by_key: f32,
    /// The key that the cutoff is stated for.
    pub key_centre: Key,
    /// Cents added to the cutoff at velocity 127.
    pub by_velocity: f32,
}

/// What a filter lets pass, and by how many poles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FilterKind {
    /// Low-pass of one pole: 6 dB per octave, no resonance.
    LowPass1,
    /// Low-pass of two poles: 12 dB per octave.
    #[default]
    LowPass2,
    /// Low-pass of four poles: 24 dB per octave.
    LowPass4,
    /// High-pass of one pole.
    HighPass1,
    /// High-pass of two poles.
    HighPass2,
    /// High-pass of four poles.
    HighPass4,
    /// Band-pass of two poles, 0 dB at its centre.
    BandPass2,
    /// Band-reject of two poles.
    Notch2,
}

impl FilterParams {
    /// Returns the cutoff of a note in hertz, before envelopes and LFOs.
    ///
    /// # Real-time
    /// Safe.
    #[must_use]
    pub fn cutoff_of(&self, NotePlayed { key, velocity }: NotePlayed) -> f32 {
        let keys = f32::from(key.get()) - f32::from(self.key_centre.get());
        let cents = self.by_key * keys + self.by_velocity * f32::from(velocity.get()) / 127.0;
        self.cutoff * (cents / 1200.0).exp2()
    }
}

/// Which notes of an instrument end each other, as the two hi-hats of a kit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Choke {
    /// The group that it belongs to; 0 for none.
    pub group: u32,
    /// The group whose notes end it when they begin; 0 for none.
    pub ended_by: u32,
    /// How it ends then.
    pub mode: ChokeMode,
}

impl Choke {
    /// Groups from here on are shared by all instruments of an engine; those below belong to one instrument.
    const SHARED: u32 = 1 << 31;

    /// Returns a group that all instruments share.
    #[must_use]
    pub const fn shared(number: u8) -> u32 {
        Self::SHARED | number as u32
    }

    /// Returns the number of a group that all instruments share; none of one that belongs to an instrument.
    #[must_use]
    pub const fn shared_number(group: u32) -> Option<u32> {
        if group >= Self::SHARED { Some(group - Self::SHARED) } else { None }
    }
}

/// How a note ends that another one ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ChokeMode {
    /// At once, within a few milliseconds.
    #[default]
    Fast,
    /// As if its key were released.
    Release,
}

impl SamplerArticulation {
    /// The most envelopes beside that of the amplitude.
    pub const MAX_ENVELOPES: usize = 4;
    /// The most LFOs.
    pub const MAX_LFOS: usize = 4;

    /// Creates an articulation that moves nothing but the amplitude.
    #[must_use]
    pub fn plain(amplitude: SegmentEnvelope) -> Self {
        Self {
            amplitude,
            envelopes: Vec::new(),
            lfos: Vec::new(),
            filter: None,
            offset: Frames::ZERO,
            choke: Choke::default(),
        }
    }

    /// Returns the articulation if its numbers are numbers and there are not too many envelopes and LFOs.
    ///
    /// # Errors
    /// [`Invalid::Envelope`].
    pub fn checked(self) -> Result<Self, Invalid> {
        let depths = |depths: &ModulationDepths| {
            let ModulationDepths { pitch, cutoff, gain, amplitude, pan } = *depths;
            [pitch, cutoff, gain, amplitude, pan].into_iter().all(f32::is_finite)
        };
        let lfo = |ModulationLfo { lfo, depths: moved }: &ModulationLfo| {
            let Lfo { frequency, delay, fade, phase, .. } = *lfo;
            depths(moved)
                && [frequency, delay, fade].into_iter().all(|value| value.is_finite() && value >= 0.0)
                && (0.0..1.0).contains(&phase)
        };
        let filter = |filter: FilterParams| {
            [filter.cutoff, filter.q].into_iter().all(|value| value.is_finite() && value > 0.0)
                && [filter.by_key, filter.by_velocity].into_iter().all(f32::is_finite)
        };
        let is_valid = self.envelopes.len() <= Self::MAX_ENVELOPES
            && self.envelopes.iter().all(|one| depths(&one.depths) && depths(&one.by_velocity))
            && self.lfos.len() <= Self::MAX_LFOS
            && self.lfos.iter().all(lfo)
            && self.filter.is_none_or(filter);
        if is_valid { Ok(self) } else { Err(Invalid::Envelope) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Velocity;

    #[test]
    fn waves_begin_where_they_say() {
        let at = |shape: LfoShape| [0.0, 0.25, 0.5, 0.75].map(|phase| shape.value(phase));
        assert_eq!(at(LfoShape::Triangle), [0.0, 1.0, 0.0, -1.0]);
        assert_eq!(at(LfoShape::SawUp), [-1.0, -0.5, 0.0, 0.5]);
        assert_eq!(at(LfoShape::Square), [1.0, 1.0, -1.0, -1.0]);
        assert_eq!(at(LfoShape::Pulse25), [1.0, -1.0, -1.0, -1.0]);
        assert!((LfoShape::Sine.value(0.25) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_cutoff_follows_key_and_velocity() {
        let filter = FilterParams {
            kind: FilterKind::LowPass2,
            cutoff: 1000.0,
            q: 1.0,
            by_key: 100.0,
            key_centre: Key::C4,
            by_velocity: -1200.0,
        };
        let of = |key: u8, velocity: u8| {
            filter.cutoff_of(NotePlayed {
                key: Key::new(key).unwrap(),
                velocity: Velocity::new(velocity).unwrap(),
            })
        };
        assert_eq!([of(60, 0), of(72, 0), of(60, 127)], [1000.0, 2000.0, 500.0]);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let plain = || SamplerArticulation::plain(SegmentEnvelope::level());
        assert!(plain().checked().is_ok());
        let lfo = Lfo { shape: LfoShape::Sine, frequency: -1.0, delay: 0.0, fade: 0.0, phase: 0.0 };
        let lfo = ModulationLfo { lfo, depths: ModulationDepths::default() };
        assert!(SamplerArticulation { lfos: vec![lfo], ..plain() }.checked().is_err());
        let envelope = ModulationEnvelope {
            envelope: SegmentEnvelope::level(),
            depths: ModulationDepths::default(),
            by_velocity: ModulationDepths::default(),
        };
        assert!(SamplerArticulation { envelopes: vec![envelope; 5], ..plain() }.checked().is_err());
    }
}
