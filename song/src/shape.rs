//! How a player shapes the notes of an instrument, whatever its recordings are.
//!
//! ```text
//! attack decay sustain release ─► amplitude      filter ◄─ its own envelope, key, velocity, LFO
//! LFO ─► pitch, cutoff, gain                     choke group, mono or legato, glide, one-shot
//! ```
//!
//! A shape becomes articulations, so that what plays and writes songs need not know of shapes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::{
    Articulation, ArticulationIndex, Choke, ChokeMode, Decibels, Envelope, EnvelopeSegment, FilterKind,
    FilterParams, Instrument, Key, Lfo, LfoShape, ModulationDepths, ModulationEnvelope, ModulationLfo,
    NoteScaling, SamplerArticulation, SegmentCurve, SegmentEnvelope, VelocityGain, VoiceMode, Zone,
};

/// Decibels below full level at which an exponential segment is silent.
const SILENCE: f32 = 100.0;

/// How the notes of an instrument are shaped; the default changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// From full level to the sustain level.
    pub decay: Duration,
    /// Level while the key is held, 0..=1.
    pub sustain: f32,
    /// How attack, decay and release go.
    pub curve: EnvelopeCurve,
    /// Whether a note plays to the end of its recording, whatever its key does.
    pub is_one_shot: bool,
    /// The filter.
    pub filter: FilterShape,
    /// The low-frequency oscillator, and what it moves.
    pub lfo: ModulationLfo,
    /// How much of the usual velocity law gains follow, 0..=1: at 0 every velocity is unity.
    pub velocity: f32,
    /// The choke group, 1..=[`Self::MAX_CHOKE`]: a note ends all others of its group. 0 for none.
    pub choke: u8,
    /// How notes follow each other.
    pub voice_mode: Option<VoiceMode>,
    /// How long a mono or legato note takes from the pitch of the one before to its own.
    pub glide: Option<Duration>,
}

/// The filter of a [`Shape`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilterShape {
    /// What it lets pass; none if there is no filter, or each zone keeps its own.
    pub kind: Option<FilterKind>,
    /// Its corner or centre at key C4 and velocity 0, in hertz; above 0.
    pub cutoff: f32,
    /// How much louder than the pass-band the corner is.
    pub resonance: Decibels,
    /// Cents of the cutoff for each key above C4.
    pub by_key: f32,
    /// Cents added to the cutoff at velocity 127.
    pub by_velocity: f32,
    /// Cents that the envelope raises the cutoff by at its full level.
    pub depth: f32,
    /// The envelope of the cutoff; it goes in straight lines of cents.
    pub envelope: Adsr,
}

/// An envelope of attack, decay, sustain and release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adsr {
    /// From silence to full level.
    pub attack: Duration,
    /// From full level to the sustain level.
    pub decay: Duration,
    /// Level while the key is held, 0..=1.
    pub sustain: f32,
    /// From full level to silence after the key is released; in curves from a lower level less.
    pub release: Duration,
}

/// How the segments of an envelope go from one level to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnvelopeCurve {
    /// Attacks in a straight line, decays and releases by the same number of decibels in the same time.
    #[default]
    Exponential,
    /// In straight lines.
    Linear,
    /// Slowly first, then fast: by the square of the time.
    Square,
}

impl EnvelopeCurve {
    /// All of them, and what they are called.
    pub const ALL: [(&str, Self); 3] =
        [("exp", Self::Exponential), ("linear", Self::Linear), ("square", Self::Square)];

    /// Returns what it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exp",
            Self::Linear => "linear",
            Self::Square => "square",
        }
    }

    const fn attack(self) -> SegmentCurve {
        match self {
            Self::Exponential | Self::Linear => SegmentCurve::Linear,
            Self::Square => SegmentCurve::Power(2.0),
        }
    }

    /// Returns the curve of a segment that falls from full level to `level` within its time.
    fn fall(self, level: f32) -> SegmentCurve {
        match self {
            Self::Exponential => {
                let decibels = -20.0 * level.max(1e-9).log10();
                SegmentCurve::Decibels(decibels.clamp(f32::MIN_POSITIVE, SILENCE))
            }
            Self::Linear => SegmentCurve::Linear,
            Self::Square => SegmentCurve::Power(2.0),
        }
    }
}

impl Default for Adsr {
    /// Full level as long as the key is held.
    fn default() -> Self {
        Self { attack: Duration::ZERO, decay: Duration::ZERO, sustain: 1.0, release: Duration::ZERO }
    }
}

impl Adsr {
    /// Returns it as segments; one that does not know of keys, if a note is not to be released.
    #[must_use]
    pub fn segments(&self, curve: EnvelopeCurve, is_released: bool) -> SegmentEnvelope {
        let Self { attack, decay, sustain, release } = *self;
        let sustain = sustain.clamp(0.0, 1.0);
        let segment = |time: Duration, level: f32, curve: SegmentCurve| EnvelopeSegment {
            time: NoteScaling::seconds(time.as_secs_f32()),
            level,
            curve,
        };
        let mut segments = Vec::new();
        let start = if attack > Duration::ZERO { 0.0 } else { 1.0 };
        if attack > Duration::ZERO {
            segments.push(segment(attack, 1.0, curve.attack()));
        }
        if sustain < 1.0 {
            segments.push(segment(decay, sustain, curve.fall(sustain)));
        }
        let held = segments.len();
        if is_released {
            segments.push(segment(release, 0.0, curve.fall(0.0)));
        }
        SegmentEnvelope::new(start, segments, is_released.then_some(held))
            .unwrap_or_else(|_| SegmentEnvelope::level())
    }
}

impl Default for FilterShape {
    /// None; its corner is at the end of what is heard.
    fn default() -> Self {
        Self {
            kind: None,
            cutoff: Self::MAX_CUTOFF,
            resonance: Decibels::UNITY,
            by_key: 0.0,
            by_velocity: 0.0,
            depth: 0.0,
            envelope: Adsr::default(),
        }
    }
}

impl FilterShape {
    /// The highest cutoff, in hertz.
    pub const MAX_CUTOFF: f32 = 20_000.0;
    /// The lowest cutoff, in hertz.
    pub const MIN_CUTOFF: f32 = 20.0;
    /// The quality factor of a filter without resonance: no hump, −3 dB at the corner.
    pub const FLAT_Q: f32 = std::f32::consts::FRAC_1_SQRT_2;

    /// Returns the filter of a voice; none if there is none.
    #[must_use]
    pub fn params(&self) -> Option<FilterParams> {
        Some(FilterParams {
            kind: self.kind?,
            cutoff: self.cutoff.clamp(Self::MIN_CUTOFF, Self::MAX_CUTOFF),
            q: Self::FLAT_Q * self.resonance.gain(),
            by_key: self.by_key,
            key_centre: Key::C4,
            by_velocity: self.by_velocity,
        })
    }
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            decay: Duration::ZERO,
            sustain: 1.0,
            curve: EnvelopeCurve::default(),
            is_one_shot: false,
            filter: FilterShape::default(),
            lfo: ModulationLfo {
                lfo: Lfo { shape: LfoShape::Sine, frequency: 5.0, delay: 0.0, fade: 0.0, phase: 0.0 },
                depths: ModulationDepths::default(),
            },
            velocity: 1.0,
            choke: 0,
            voice_mode: None,
            glide: None,
        }
    }
}

impl Shape {
    /// The highest choke group.
    pub const MAX_CHOKE: u8 = 16;

    /// Returns whether it has an amplitude envelope of its own, with the attack and release of its instrument.
    #[must_use]
    pub fn has_amplitude(&self) -> bool {
        self.sustain < 1.0 || self.curve != EnvelopeCurve::default() || self.is_one_shot
    }

    /// Returns whether notes move as no zone says: their voices have an articulation.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.has_amplitude()
            || self.filter.kind.is_some()
            || self.lfo.depths != ModulationDepths::default()
            || self.choke != 0
    }

    /// Returns an instrument as it is shaped. `envelope` is its attack and release, `articulations` are those of its
    /// song; new ones, whose indices follow `first`, are added to `made`.
    ///
    /// Where zones move as their bank says, their amplitudes stay unless the shape has one; the filter takes the place
    /// of theirs, and the LFO comes beside theirs. Of a tracker's instrument that moves the envelopes are replaced.
    #[must_use]
    pub fn instrument(
        &self,
        own: &Instrument,
        envelope: Envelope,
        articulations: &[Articulation],
        (first, made): (usize, &mut Vec<Articulation>),
    ) -> Instrument {
        let mut known: HashMap<Option<ArticulationIndex>, ArticulationIndex> = HashMap::new();
        let (is_moving, is_tracked) = (self.is_moving(), self.velocity < 1.0);
        // Attack and release stay those of the instrument where zones keep their amplitudes.
        let sampler = |zone: &Zone| match articulations.get(zone.articulation()?.get())? {
            Articulation::Sampler(articulation) => Some(articulation.clone()),
            Articulation::Tracker(_) => None,
        };
        let keeps = !self.has_amplitude() && own.zones().into_iter().any(|zone| sampler(zone).is_some());
        let tree = own.tree.with_zones(&mut |zone| {
            let mut zone = zone.clone();
            if is_tracked {
                let response = zone.response().cloned().unwrap_or_default();
                let velocity_gain = VelocityGain::Tracking(self.velocity.clamp(0.0, 1.0));
                zone = zone.with_response(Some(Arc::new(crate::ZoneResponse { velocity_gain, ..response })));
            }
            if !is_moving {
                return Some(zone);
            }
            let index = *known.entry(zone.articulation()).or_insert_with(|| {
                let base = sampler(&zone);
                made.push(Articulation::Sampler(self.articulation(base, envelope, keeps)));
                ArticulationIndex::new(first + made.len() - 1)
            });
            Some(zone.with_articulation(Some(index)))
        });
        Instrument {
            name: own.name.clone(),
            tree: tree.unwrap_or_default(),
            envelope: if is_moving && !keeps { Envelope::default() } else { envelope },
            voice_mode: self.voice_mode.unwrap_or(own.voice_mode),
            glide: self.glide.unwrap_or(own.glide),
            sends: own.sends,
        }
    }

    /// Returns how the notes of a zone move that moves as `base` says, if it does.
    fn articulation(
        &self,
        base: Option<SamplerArticulation>,
        envelope: Envelope,
        keeps: bool,
    ) -> SamplerArticulation {
        let amplitude = || {
            let Envelope { attack, release } = envelope;
            let Self { decay, sustain, curve, is_one_shot, .. } = *self;
            // The fade that hides a cut stays a straight line unless the envelope has curves.
            let curve = if self.has_amplitude() { curve } else { EnvelopeCurve::Linear };
            Adsr { attack, decay, sustain, release }.segments(curve, !is_one_shot)
        };
        let mut articulation = match base {
            Some(base) if !self.has_amplitude() => base,
            Some(base) => SamplerArticulation { amplitude: amplitude(), ..base },
            // A level that the key ends, so that attack and release are those of the instrument.
            None if keeps => SamplerArticulation::plain(SegmentEnvelope::held()),
            None => SamplerArticulation::plain(amplitude()),
        };
        if let Some(filter) = self.filter.params() {
            let still = |depths: &mut ModulationDepths| depths.cutoff = 0.0;
            articulation.envelopes.iter_mut().for_each(|one| {
                still(&mut one.depths);
                still(&mut one.by_velocity);
            });
            articulation.lfos.iter_mut().for_each(|one| still(&mut one.depths));
            articulation.filter = Some(filter);
            if self.filter.depth != 0.0 {
                let depths = ModulationDepths { cutoff: self.filter.depth, ..ModulationDepths::default() };
                let envelope = self.filter.envelope.segments(EnvelopeCurve::Linear, true);
                let by_velocity = ModulationDepths::default();
                articulation.envelopes.truncate(SamplerArticulation::MAX_ENVELOPES - 1);
                articulation.envelopes.push(ModulationEnvelope { envelope, depths, by_velocity });
            }
        }
        if self.lfo.depths != ModulationDepths::default() {
            articulation.lfos.truncate(SamplerArticulation::MAX_LFOS - 1);
            articulation.lfos.push(self.lfo);
        }
        if self.choke != 0 {
            let group = Choke::shared(self.choke.min(Self::MAX_CHOKE));
            articulation.choke = Choke { group, ended_by: group, mode: ChokeMode::Fast };
        }
        articulation
    }
}

#[cfg(test)]
mod tests;
