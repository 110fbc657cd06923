//! From the values of a zone to how its notes move.
//!
//! Source: *`SoundFont` Technical Specification* 2.04, §8.1.3 and §9.1; attenuation, panning and the least release time
//! as *fluidsynth* 2.3 has them, by own measurement.

use song::{
    Choke, ChokeMode, Decibels, EnvelopeSegment, FilterKind, FilterParams, Frames, Key, Lfo, LfoShape,
    ModulationDepths, ModulationEnvelope, ModulationLfo, NoteScaling, Pan, SamplerArticulation, SegmentCurve,
    SegmentEnvelope, VelocityGain, ZoneResponse,
};

use super::generator::{Generator, NO_FILTER, NO_TIME, Values};
use super::modulator::{ByNote, Modulators};

/// How much of the stated attenuation players apply, as the EMU8000 did.
const APPLIED: f32 = 0.4;

/// Hertz of 0 absolute cents.
const HERTZ: f32 = 8.176;

/// Centibels below full level at which an envelope is silent.
const SILENCE: f32 = 1000.0;

/// The shortest release in timecents, 16 ms: no click.
const LEAST_RELEASE: f32 = -7200.0;

/// Decibels per time of a decay and a release.
const FALL: SegmentCurve = SegmentCurve::Decibels(100.0);

/// The rise of a modulation envelope's attack: the part of its time, and the level there.
///
/// It is a straight line in decibels: `1 + 40/96 × log10(time)`.
const CONVEX: [(f32, f32); 7] = [
    (0.01, 0.1667),
    (0.03, 0.3655),
    (0.1, 0.5833),
    (0.25, 0.7491),
    (0.5, 0.8746),
    (0.75, 0.9479),
    (1.0, 1.0),
];

/// Generators by whose modulators the note is followed.
const PLAYED: [Generator; 18] = [
    Generator::ATTENUATION,
    Generator::CUTOFF,
    Generator::PAN,
    Generator::SEMITONES,
    Generator::CENTS,
    Generator::RESONANCE,
    Generator::MOD_ENV_PITCH,
    Generator::MOD_ENV_CUTOFF,
    Generator::VOL_ENV_DELAY,
    Generator::VOL_ENV_ATTACK,
    Generator::VOL_ENV_HOLD,
    Generator::VOL_ENV_DECAY,
    Generator::VOL_ENV_RELEASE,
    Generator::MOD_ENV_DELAY,
    Generator::MOD_ENV_ATTACK,
    Generator::MOD_ENV_HOLD,
    Generator::MOD_ENV_DECAY,
    Generator::MOD_ENV_RELEASE,
];

/// Returns whether modulators of a generator follow the note.
pub(super) fn is_played(kind: Generator) -> bool {
    PLAYED.contains(&kind)
}

/// The values of a zone, with what moves them.
pub(super) struct ZoneValues<'v> {
    pub(super) values: &'v Values,
    pub(super) modulators: &'v Modulators,
}

/// Gain, pan, tuning and response of a zone.
pub(super) struct Static {
    pub(super) gain: Decibels,
    pub(super) pan: Pan,
    /// Cents added to every key.
    pub(super) cents: f64,
    pub(super) response: Option<ZoneResponse>,
}

impl ZoneValues<'_> {
    /// Returns a generator's value by the note.
    fn by_note(&self, kind: Generator) -> ByNote {
        let ByNote { base, by_velocity, by_key } = self.modulators.by_note(kind);
        ByNote { base: self.values.float(kind) + base, by_velocity, by_key }
    }

    /// Returns a time; `by_key` states timecents for each key below 60.
    fn time(&self, kind: Generator, by_key: Option<Generator>, least: f32) -> NoteScaling {
        let value = self.by_note(kind);
        let seconds = |timecents: f32| {
            if timecents <= f32::from(NO_TIME) && least <= f32::from(NO_TIME) {
                return 0.0;
            }
            (timecents.clamp(least, 8000.0) / 1200.0).exp2()
        };
        let base = seconds(value.base);
        let by_velocity = if value.by_velocity == 0.0 { 0.0 } else { seconds(value.loudest()) - base };
        let stated = by_key.map_or(0.0, |kind| -self.values.float(kind));
        NoteScaling { base, by_velocity, by_key: (stated + value.by_key) / 1200.0 }
    }

    fn free_time(&self, kind: Generator) -> NoteScaling {
        self.time(kind, None, f32::from(NO_TIME))
    }

    /// Returns the envelope of the amplitude.
    fn amplitude(&self) -> SegmentEnvelope {
        let least = f32::from(NO_TIME);
        let sustained = self.values.float(Generator::VOL_ENV_SUSTAIN).clamp(0.0, 1440.0);
        let sustained = if sustained >= SILENCE { 0.0 } else { 10.0_f32.powf(-sustained / 200.0) };
        let [delay, attack] =
            [Generator::VOL_ENV_DELAY, Generator::VOL_ENV_ATTACK].map(|kind| self.free_time(kind));
        let hold = self.time(Generator::VOL_ENV_HOLD, Some(Generator::KEY_VOL_ENV_HOLD), least);
        let decay = self.time(Generator::VOL_ENV_DECAY, Some(Generator::KEY_VOL_ENV_DECAY), least);
        let release = self.time(Generator::VOL_ENV_RELEASE, None, LEAST_RELEASE);
        let rise = [
            EnvelopeSegment { time: delay, level: 0.0, curve: SegmentCurve::Linear },
            EnvelopeSegment { time: attack, level: 1.0, curve: SegmentCurve::Linear },
        ];
        envelope(&rise, hold, (decay, sustained, FALL), (release, FALL))
    }

    /// Returns the modulation envelope; none if it moves nothing.
    fn modulation(&self) -> Option<ModulationEnvelope> {
        let (pitch, cutoff) =
            (self.by_note(Generator::MOD_ENV_PITCH), self.by_note(Generator::MOD_ENV_CUTOFF));
        let depths = |pitch, cutoff| ModulationDepths { pitch, cutoff, ..ModulationDepths::default() };
        let (depths, by_velocity) =
            (depths(pitch.base, cutoff.base), depths(pitch.by_velocity, cutoff.by_velocity));
        let nothing = ModulationDepths::default();
        if depths == nothing && by_velocity == nothing {
            return None;
        }
        let least = f32::from(NO_TIME);
        // In tenths of a percent below full level.
        let sustained = 1.0 - self.values.float(Generator::MOD_ENV_SUSTAIN).clamp(0.0, 1000.0) / 1000.0;
        let [delay, attack, release] =
            [Generator::MOD_ENV_DELAY, Generator::MOD_ENV_ATTACK, Generator::MOD_ENV_RELEASE]
                .map(|kind| self.free_time(kind));
        let hold = self.time(Generator::MOD_ENV_HOLD, Some(Generator::KEY_MOD_ENV_HOLD), least);
        let decay = self.time(Generator::MOD_ENV_DECAY, Some(Generator::KEY_MOD_ENV_DECAY), least);
        // Both are the times of the whole way, at a constant rate.
        let part_of = |time: NoteScaling, part: f32| NoteScaling {
            base: time.base * part,
            by_velocity: time.by_velocity * part,
            by_key: time.by_key,
        };
        let mut rise = vec![EnvelopeSegment { time: delay, level: 0.0, curve: SegmentCurve::Linear }];
        let mut before = 0.0;
        for (until, level) in CONVEX {
            let time = part_of(attack, until - before);
            rise.push(EnvelopeSegment { time, level, curve: SegmentCurve::Linear });
            before = until;
        }
        let decay = (part_of(decay, 1.0 - sustained), sustained, SegmentCurve::Linear);
        // From the level that is held; of one that falls to nothing from the top, where a key that is released early
        // finds it.
        let from = if sustained > 0.0 { sustained } else { 1.0 };
        let release = (part_of(release, from), SegmentCurve::Linear);
        Some(ModulationEnvelope { envelope: envelope(&rise, hold, decay, release), depths, by_velocity })
    }

    /// Returns an LFO; none if it moves nothing.
    fn lfo(&self, rate: Generator, delay: Generator, depths: ModulationDepths) -> Option<ModulationLfo> {
        if depths == ModulationDepths::default() {
            return None;
        }
        let frequency = hertz(self.by_note(rate).base.clamp(-16_000.0, 4500.0));
        let delay = self.free_time(delay).base;
        let lfo = Lfo { shape: LfoShape::Triangle, frequency, delay, fade: 0.0, phase: 0.0 };
        Some(ModulationLfo { lfo, depths })
    }

    /// Returns the filter, unless nothing ever lowers it.
    fn filter(&self, is_moved: bool) -> Option<FilterParams> {
        let cutoff = self.by_note(Generator::CUTOFF);
        let resonance = self.by_note(Generator::RESONANCE).loudest().clamp(0.0, 960.0);
        let is_open = cutoff.base.min(cutoff.loudest()) >= f32::from(NO_FILTER) && cutoff.by_key >= 0.0;
        if is_open && !is_moved && resonance == 0.0 {
            return None;
        }
        Some(FilterParams {
            kind: FilterKind::LowPass2,
            cutoff: hertz(cutoff.base.clamp(1500.0, 20_000.0)),
            // A resonance of 0 dB is that of the flattest filter.
            q: 10.0_f32.powf((resonance / 10.0 - 3.01) / 20.0),
            by_key: cutoff.by_key,
            key_centre: Key::C4,
            by_velocity: cutoff.by_velocity,
        })
    }

    /// Returns how its notes move.
    pub(super) fn articulation(&self, offset: Frames) -> Option<SamplerArticulation> {
        let envelopes: Vec<ModulationEnvelope> = self.modulation().into_iter().collect();
        let value = |kind| self.by_note(kind).base;
        let moved = ModulationDepths {
            pitch: value(Generator::MOD_LFO_PITCH),
            cutoff: value(Generator::MOD_LFO_CUTOFF),
            gain: value(Generator::MOD_LFO_VOLUME) / 10.0,
            ..ModulationDepths::default()
        };
        let vibrato =
            ModulationDepths { pitch: value(Generator::VIB_LFO_PITCH), ..ModulationDepths::default() };
        let lfos = [
            self.lfo(Generator::MOD_LFO_RATE, Generator::MOD_LFO_DELAY, moved),
            self.lfo(Generator::VIB_LFO_RATE, Generator::VIB_LFO_DELAY, vibrato),
        ];
        let is_moved = moved.cutoff != 0.0
            || envelopes.iter().any(|one| one.depths.cutoff != 0.0 || one.by_velocity.cutoff != 0.0);
        let group = u32::try_from(self.values.get(Generator::EXCLUSIVE_CLASS)).unwrap_or_default();
        let articulation = SamplerArticulation {
            amplitude: self.amplitude(),
            envelopes,
            lfos: lfos.into_iter().flatten().collect(),
            filter: self.filter(is_moved),
            offset,
            choke: Choke { group, ended_by: group, mode: ChokeMode::Fast },
        };
        articulation.checked().ok()
    }

    /// Returns gain, pan and pitch.
    pub(super) fn fixed(&self, root: u8) -> Static {
        let Self { values, modulators } = self;
        let attenuation = values.float(Generator::ATTENUATION) * APPLIED / 10.0;
        let resonance = self.by_note(Generator::RESONANCE).loudest().clamp(0.0, 960.0);
        let pan = self.by_note(Generator::PAN);
        let [semitones, cents] = [Generator::SEMITONES, Generator::CENTS].map(|kind| self.by_note(kind));
        let scale = f64::from(values.get(Generator::SCALE_TUNING));
        let mut response = ZoneResponse {
            pitch_by_key: scale + f64::from(100.0 * semitones.by_key + cents.by_key),
            pitch_by_velocity: f64::from(100.0 * semitones.by_velocity + cents.by_velocity),
            pan_by_key: pan.by_key / 500.0,
            pan_by_velocity: pan.by_velocity / 500.0,
            ..ZoneResponse::default()
        };
        let mut tuning = f64::from(100.0 * semitones.base + cents.base);
        // Modulators count keys from 60, pitch from the root.
        tuning += f64::from(100.0 * semitones.by_key + cents.by_key) * (f64::from(root) - 60.0);
        // Half of the resonance is taken from the whole.
        let mut gain = -attenuation.max(0.0) - resonance / 20.0;
        if let Ok(velocity @ 1..=127) = u8::try_from(values.get(Generator::VELOCITY)) {
            gain -= modulators.at(Generator::ATTENUATION, 60, velocity) / 10.0;
            response.velocity_gain = VelocityGain::Tracking(0.0);
        } else if !modulators.has_usual_velocity() || attenuation < 0.0 {
            // Players bound the sum with what the velocity takes: nothing is louder than its recording.
            let excess = (10.0 * attenuation).min(0.0);
            let gain = |velocity| {
                let centibels = modulators.at(Generator::ATTENUATION, 60, velocity);
                let least = if excess < 0.0 { 0.0 } else { -1440.0 };
                10.0_f32.powf(-(excess + centibels).clamp(least, 1440.0) / 200.0)
            };
            response.velocity_gain = VelocityGain::Curve((0..128).map(gain).collect());
            response.gain_by_key = -modulators.by_note(Generator::ATTENUATION).by_key / 10.0;
        }
        if let Ok(key @ 0..=127) = u8::try_from(values.get(Generator::KEY)) {
            tuning += response.pitch_by_key * (f64::from(key) - f64::from(root));
            response.pitch_by_key = 0.0;
        }
        let response = Some(response).filter(|response| *response != ZoneResponse::default());
        Static {
            gain: Decibels::new(gain.clamp(-200.0, 96.0)).unwrap_or_default(),
            pan: equal_power(pan.base / 500.0),
            cents: tuning,
            response: response.and_then(|response| response.checked().ok()),
        }
    }
}

/// Returns the pan that makes both sides as loud as a quarter of a circle does.
fn equal_power(pan: f32) -> Pan {
    Pan::new((pan.clamp(-1.0, 1.0) * std::f32::consts::FRAC_PI_2).sin()).unwrap_or(Pan::CENTRE)
}

/// Returns the frequency of absolute cents.
fn hertz(cents: f32) -> f32 {
    HERTZ * (cents / 1200.0).exp2()
}

/// Returns an envelope that rises, holds, decays to a level and is released.
fn envelope(
    rise: &[EnvelopeSegment],
    hold: NoteScaling,
    (decay, sustained, decay_curve): (NoteScaling, f32, SegmentCurve),
    (release, release_curve): (NoteScaling, SegmentCurve),
) -> SegmentEnvelope {
    let takes_time = |time: &NoteScaling| time.base > 0.0 || time.by_velocity > 0.0;
    let mut segments: Vec<EnvelopeSegment> =
        rise.iter().copied().filter(|segment| takes_time(&segment.time)).collect();
    // Without an attack it is at full level as soon as the delay is over.
    let start = if segments.is_empty() { 1.0 } else { 0.0 };
    if !segments.is_empty() && segments.last().is_none_or(|last| last.level < 1.0) {
        segments.push(EnvelopeSegment {
            time: NoteScaling::seconds(0.0),
            level: 1.0,
            curve: SegmentCurve::Linear,
        });
    }
    if takes_time(&hold) {
        segments.push(EnvelopeSegment { time: hold, level: 1.0, curve: SegmentCurve::Linear });
    }
    if sustained < 1.0 {
        segments.push(EnvelopeSegment { time: decay, level: sustained, curve: decay_curve });
    }
    let held = segments.len();
    segments.push(EnvelopeSegment { time: release, level: 0.0, curve: release_curve });
    SegmentEnvelope::new(start, segments, Some(held)).unwrap_or_else(|_| SegmentEnvelope::level())
}
