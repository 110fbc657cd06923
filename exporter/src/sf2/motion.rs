//! How the notes of a zone move: the generators that come closest to an articulation.

mod fit;

use song::{
    Choke, Decibels, FilterKind, Lfo, LfoShape, ModulationDepths, ModulationLfo, NotePlayed,
    SamplerArticulation, SegmentEnvelope, Velocity,
};

use super::generator;
use crate::articulation::adsr::{self, Adsr};
use crate::{Loss, Losses};
use fit::{Amplitude, Modulation};

/// Decibels that a decay and a release fall by in the time that is stated. Source: specification, §8.1.3.
pub(super) const DECAY: f32 = 100.0;
/// The lowest frequency that is stated in absolute cents, in hertz.
const ABSOLUTE: f32 = 8.176;
/// The note that times and levels are measured of.
const PLAYED: NotePlayed = NotePlayed { key: song::Key::C4, velocity: Velocity::HIGHEST };

/// Generators of a zone, and what they do not say.
#[derive(Default)]
pub(super) struct Motion {
    /// Generators and amounts, in the order that they are written in.
    pub(super) generators: Vec<(u16, i16)>,
    /// Decibels by which the zone is louder than its level says.
    pub(super) gain: f32,
    /// Cents by which it is higher.
    pub(super) pitch: f32,
}

impl Motion {
    pub(super) fn of(articulation: &SamplerArticulation, losses: &mut Losses) -> Self {
        let mut motion = Self::default();
        motion.amplitude(articulation, losses);
        motion.modulation(articulation, losses);
        motion.lfos(&articulation.lfos, losses);
        // A one-shot plays to its end, whatever its key does.
        if articulation.amplitude.release().is_none() && articulation.amplitude.segments().is_empty() {
            motion.generators.retain(|(kind, _)| *kind != generator::RELEASE);
            motion.seconds(generator::RELEASE, 100.0);
        }
        let offset = articulation.offset.get();
        if offset > 0 {
            motion.add(generator::OFFSET, (offset % 32_768) as f32);
            motion.add(generator::COARSE_OFFSET, (offset / 32_768) as f32);
        }
        if articulation.choke.ended_by != 0 {
            // Groups that all instruments share have the last classes.
            let group = articulation.choke.ended_by;
            let class = Choke::shared_number(group).map_or(group.min(111), |number| 111 + number.min(16));
            motion.add(generator::EXCLUSIVE_CLASS, class as f32);
        }
        motion
    }

    fn add(&mut self, generator: u16, amount: f32) {
        // The cast saturates.
        self.generators.push((generator, amount.round() as i16));
    }

    fn seconds(&mut self, generator: u16, seconds: f32) {
        self.add(generator, timecents(seconds));
    }

    /// Adds timecents for each key below 60, of octaves of time for each key upwards.
    fn by_key(&mut self, generators: [u16; 2], by_key: [f32; 2]) {
        for (generator, by_key) in generators.into_iter().zip(by_key).filter(|(_, by_key)| *by_key != 0.0) {
            self.add(generator, (-1200.0 * by_key).clamp(-1200.0, 1200.0));
        }
    }

    fn amplitude(&mut self, articulation: &SamplerArticulation, losses: &mut Losses) {
        let SamplerArticulation { amplitude, envelopes, .. } = articulation;
        let others: Vec<&SegmentEnvelope> =
            envelopes.iter().filter(|one| one.depths.amplitude > 0.5).map(|one| &one.envelope).collect();
        let adsr = Adsr::of(amplitude)
            .filter(|adsr| others.is_empty() && adsr.start == if adsr.attack.is_some() { 0.0 } else { 1.0 });
        let found = match adsr {
            Some(Adsr { delay, attack, hold, decay, release, .. }) => {
                let time = |stage: Option<song::EnvelopeSegment>| {
                    stage.map_or(0.0, |stage| stage.time.of(PLAYED) * adsr::factor(stage.curve, DECAY))
                };
                Amplitude {
                    delay: time(delay),
                    attack: time(attack),
                    hold: time(hold),
                    decay: time(decay),
                    sustain: decay.map_or(1.0, |decay| decay.level),
                    release: time(Some(release)),
                    peak: 1.0,
                    by_key: [hold, decay].map(|stage| stage.map_or(0.0, |stage| stage.time.by_key)),
                }
            }
            None => {
                let (found, is_close) = Amplitude::fit(amplitude, &others);
                if !is_close {
                    losses.add(Loss::VolumeShape);
                }
                found
            }
        };
        let stages = [
            (generator::DELAY, found.delay),
            (generator::ATTACK, found.attack),
            (generator::HOLD, found.hold),
            (generator::DECAY, found.decay),
            (generator::RELEASE, found.release),
        ];
        for (generator, seconds) in stages {
            if seconds > 0.001 || generator == generator::RELEASE {
                self.seconds(generator, seconds);
            }
        }
        self.by_key([generator::KEY_TO_HOLD, generator::KEY_TO_DECAY], found.by_key);
        if found.sustain < 1.0 {
            self.add(generator::SUSTAIN, (-200.0 * found.sustain.max(1e-5).log10()).clamp(0.0, 1000.0));
        }
        self.gain += Decibels::from_gain(found.peak).map_or(0.0, Decibels::get);
    }

    /// Adds filter, and the envelope that moves it or the pitch.
    fn modulation(&mut self, articulation: &SamplerArticulation, losses: &mut Losses) {
        let SamplerArticulation { envelopes, filter, .. } = articulation;
        let filter = filter.filter(|filter| {
            let is_known = filter.kind == FilterKind::LowPass2;
            if !is_known {
                losses.add(Loss::FilterKind);
            }
            is_known
        });
        let mut cutoff = filter.map(|filter| filter.cutoff_of(PLAYED));
        let mut is_taken = false;
        for one in envelopes {
            let ModulationDepths { pitch, cutoff: moved, pan, gain, .. } = one.depths;
            if pan != 0.0 {
                losses.add(Loss::PanEnvelope);
            }
            if gain != 0.0 {
                losses.add(Loss::VolumeShape);
            }
            if one.by_velocity != ModulationDepths::default() {
                losses.add(Loss::Velocity);
            }
            let moved = if cutoff.is_some() { moved } else { 0.0 };
            if pitch == 0.0 && moved == 0.0 {
                continue;
            }
            let (found, is_close) = Modulation::fit(&one.envelope);
            let (low, high) = (found.low, found.high);
            let is_moving = (high - low).abs() * pitch.abs().max(moved.abs()) > 1.0;
            if is_moving && std::mem::replace(&mut is_taken, true) {
                losses.add(Loss::SecondEnvelope);
            } else if is_moving {
                if !is_close {
                    losses.add(Loss::ModulationShape);
                }
                self.add(generator::MODULATION_TO_PITCH, (high - low) * pitch);
                self.add(generator::MODULATION_TO_CUTOFF, (high - low) * moved);
                for (generator, seconds) in [
                    (generator::MODULATION_DELAY, found.delay),
                    (generator::MODULATION_ATTACK, found.attack),
                    (generator::MODULATION_HOLD, found.hold),
                    (generator::MODULATION_DECAY, found.decay),
                    (generator::MODULATION_RELEASE, found.release),
                ] {
                    self.seconds(generator, seconds);
                }
                let keys = [generator::KEY_TO_MODULATION_HOLD, generator::KEY_TO_MODULATION_DECAY];
                self.by_key(keys, found.by_key);
                self.add(generator::MODULATION_SUSTAIN, 1000.0 * (1.0 - found.sustain));
            }
            self.pitch += low * pitch;
            cutoff = cutoff.map(|cutoff| cutoff * (low * moved / 1200.0).exp2());
        }
        if let (Some(filter), Some(cutoff)) = (filter, cutoff) {
            self.add(generator::CUTOFF, absolute_cents(cutoff).clamp(1500.0, 13_500.0));
            let resonance = (20.0 * filter.q.log10() + 3.01).clamp(0.0, 96.0);
            self.add(generator::RESONANCE, 10.0 * resonance);
            // Players take half of the resonance from the whole. Source: specification, §8.1.3, initialFilterQ.
            self.gain += resonance / 2.0;
            if filter.by_key != 0.0 || filter.by_velocity != 0.0 {
                losses.add(Loss::Velocity);
            }
        }
    }

    fn lfos(&mut self, lfos: &[ModulationLfo], losses: &mut Losses) {
        let (mut vibrato, mut other) = (false, false);
        for ModulationLfo { lfo: Lfo { shape, frequency, delay, fade, .. }, depths } in lfos {
            let ModulationDepths { pitch, cutoff, gain, amplitude, pan } = *depths;
            let is_vibrato = cutoff == 0.0 && gain == 0.0 && !vibrato;
            if pan != 0.0 || amplitude != 0.0 || !is_vibrato && std::mem::replace(&mut other, true) {
                losses.add(Loss::SecondLfo);
                continue;
            }
            if *shape != LfoShape::Triangle || *fade > 0.0 {
                losses.add(Loss::LfoShape);
            }
            let delay = delay + 0.5 * fade;
            if is_vibrato {
                vibrato = true;
                self.add(generator::VIBRATO_TO_PITCH, pitch);
                self.add(generator::VIBRATO_FREQUENCY, absolute_cents(*frequency));
                self.seconds(generator::VIBRATO_DELAY, delay);
            } else {
                self.add(generator::LFO_TO_PITCH, pitch);
                self.add(generator::LFO_TO_CUTOFF, cutoff);
                self.add(generator::LFO_TO_VOLUME, 10.0 * gain);
                self.add(generator::LFO_FREQUENCY, absolute_cents(*frequency));
                self.seconds(generator::LFO_DELAY, delay);
            }
        }
    }
}

/// Returns the time for 100 dB of the fall that is closest to a straight fade within some seconds.
pub(super) fn straight_release(seconds: f32) -> f32 {
    // The shape of the fit is the same for all times.
    const OF_A_SECOND: f32 = 6.05;
    OF_A_SECOND * seconds
}

/// Returns 1200 times the binary logarithm of the seconds; the shortest the format has for none.
pub(super) fn timecents(seconds: f32) -> f32 {
    (1200.0 * seconds.log2()).clamp(-12_000.0, 8_000.0)
}

/// Returns the cents of a frequency above 8.176 Hz.
fn absolute_cents(hertz: f32) -> f32 {
    (1200.0 * (hertz / ABSOLUTE).log2()).clamp(-16_000.0, 13_500.0)
}
