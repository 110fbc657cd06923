//! How the notes of a tracker's instrument move, in the terms of samplers: seconds, cents and decibels.
//!
//! ```text
//! ticks ─► paths ─► segments      where a held and a released note go, as straight lines
//! ```

pub(crate) mod adsr;
mod loss;
mod tick_path;

use song::{
    Articulation, Envelope, EnvelopeSegment, FilterKind, FilterParams, Key, Lfo, LfoShape, LowPass,
    ModulationDepths, ModulationEnvelope, ModulationLfo, NoteScaling, PitchLfo, SamplerArticulation,
    SegmentCurve, SegmentEnvelope, Song, TrackerArticulation, Zone,
    module::{LfoWave, VibratoSweep},
};

pub use loss::{Loss, Losses};
use tick_path::{Steps, segment_envelope};

/// Of a fadeout: a note at full volume.
const FULL: f32 = 32_768.0;
/// Cents of a step of Impulse Tracker's cutoff: 24 of them are an octave.
const CUTOFF_STEP: f32 = 50.0;
/// Depth of a pitch envelope: 32 half semitones.
const PITCH_DEPTH: f32 = 1600.0;

/// Returns how the notes of a zone move, and what of it a sampler's articulation does not have. None if they do not
/// move, but for attack and release of their instrument.
pub(crate) fn of_zone(
    song: &Song,
    zone: &Zone,
    envelope: Envelope,
    losses: &mut Losses,
) -> Option<SamplerArticulation> {
    let mut made = match song.articulations().get(zone.articulation()?.get())? {
        Articulation::Sampler(articulation) => articulation.clone(),
        Articulation::Tracker(articulation) => of_tracker(articulation, zone.pan().get(), envelope, losses),
    };
    if envelope != Envelope::default() {
        if made.envelopes.len() < SamplerArticulation::MAX_ENVELOPES {
            made.envelopes.extend(adjusted(envelope));
        } else {
            losses.add(Loss::Adjusted);
        }
    }
    Some(made)
}

/// Returns attack and release of an instrument as an envelope beside those of its articulation.
fn adjusted(envelope: Envelope) -> Option<ModulationEnvelope> {
    let (attack, release) = (envelope.attack.as_secs_f32(), envelope.release.as_secs_f32());
    let segments = vec![linear(attack, 1.0), linear(release, 0.0)];
    let depths = ModulationDepths { amplitude: 1.0, ..ModulationDepths::default() };
    let envelope = SegmentEnvelope::new(if attack > 0.0 { 0.0 } else { 1.0 }, segments, Some(1)).ok()?;
    Some(ModulationEnvelope { envelope, depths, by_velocity: ModulationDepths::default() })
}

/// Returns a release that fades in a straight line.
pub(crate) const fn linear(seconds: f32, level: f32) -> EnvelopeSegment {
    EnvelopeSegment { time: NoteScaling::seconds(seconds), level, curve: SegmentCurve::Linear }
}

fn of_tracker(
    articulation: &TrackerArticulation,
    pan: f32,
    own: Envelope,
    losses: &mut Losses,
) -> SamplerArticulation {
    let tick = articulation.tick.as_secs_f32();
    let mut envelopes = Vec::new();
    let amplitude = amplitude(articulation, tick, own, &mut envelopes, losses);
    let mut add = |envelope: SegmentEnvelope, depths: ModulationDepths| {
        envelopes.push(ModulationEnvelope { envelope, depths, by_velocity: ModulationDepths::default() });
    };
    if let Some(envelope) = &articulation.pan {
        let depths = ModulationDepths { pan: 1.0 - pan.abs(), ..ModulationDepths::default() };
        add(segment_envelope(envelope, tick, Steps::Lines, |value| value / 32.0, losses), depths);
    }
    if let Some(envelope) = &articulation.pitch {
        let depths = ModulationDepths { pitch: PITCH_DEPTH, ..ModulationDepths::default() };
        add(segment_envelope(envelope, tick, Steps::Ticks, |value| value / 32.0, losses), depths);
    }
    let LowPass { cutoff, resonance } = articulation.filter;
    if let Some(envelope) = &articulation.cutoff {
        // At the highest value the cutoff is what the filter says, at the lowest it is 0.
        let depths = ModulationDepths { cutoff: -CUTOFF_STEP * cutoff, ..ModulationDepths::default() };
        add(segment_envelope(envelope, tick, Steps::Lines, |value| (32.0 - value) / 64.0, losses), depths);
    }
    let filter = articulation.is_filtered().then(|| FilterParams {
        kind: FilterKind::LowPass2,
        cutoff: 110.0 * (0.25 + cutoff / 24.0).exp2(),
        q: 10_f32.powf(resonance * 24.0 / 2560.0),
        by_key: 0.0,
        key_centre: Key::C4,
        by_velocity: 0.0,
    });
    let mut lfos = Vec::new();
    if let Some(vibrato) = &articulation.vibrato {
        lfos.extend(lfo(vibrato, tick, &mut add, losses));
    }
    if envelopes.len() > SamplerArticulation::MAX_ENVELOPES {
        losses.add(Loss::Vibrato);
        envelopes.truncate(SamplerArticulation::MAX_ENVELOPES);
    }
    SamplerArticulation { envelopes, lfos, filter, ..SamplerArticulation::plain(amplitude) }
}

/// Returns the envelope that ends a note; that of the volume is another one if it does not.
fn amplitude(
    articulation: &TrackerArticulation,
    tick: f32,
    own: Envelope,
    envelopes: &mut Vec<ModulationEnvelope>,
    losses: &mut Losses,
) -> SegmentEnvelope {
    let volume = articulation.volume.as_ref();
    let volume =
        volume.map(|envelope| segment_envelope(envelope, tick, Steps::Lines, |value| value / 64.0, losses));
    let fade = (articulation.fadeout > 0).then(|| FULL / articulation.fadeout as f32 * tick);
    let gate = |seconds: f32| SegmentEnvelope::gate(linear(seconds, 0.0));
    let ending = match (fade, volume) {
        (Some(fade), volume) if articulation.fades_from_release() => (gate(fade), volume),
        (Some(fade), Some(volume)) if articulation.fades_from_envelope_end() => {
            let segments = [volume.segments(), &[linear(fade, 0.0)]].concat();
            match SegmentEnvelope::new(volume.start(), segments, volume.release()) {
                Ok(faded) if volume.held_loop().is_none() => (faded, None),
                _ => (gate(own.release.as_secs_f32()), Some(volume)),
            }
        }
        (_, Some(volume)) if volume.falls_silent() => (volume, None),
        (_, volume) => (gate(own.release.as_secs_f32()), volume),
    };
    let (amplitude, volume) = ending;
    let depths = ModulationDepths { amplitude: 1.0, ..ModulationDepths::default() };
    envelopes.extend(volume.map(|envelope| ModulationEnvelope {
        envelope,
        depths,
        by_velocity: ModulationDepths::default(),
    }));
    amplitude
}

/// Returns a vibrato as an LFO; `add` gets an envelope for what lifts all of it.
fn lfo(
    vibrato: &PitchLfo,
    tick: f32,
    add: &mut impl FnMut(SegmentEnvelope, ModulationDepths),
    losses: &mut Losses,
) -> Option<ModulationLfo> {
    let pitch = |pitch| ModulationDepths { pitch, ..ModulationDepths::default() };
    let mut depth = f32::from(vibrato.depth) / 64.0 * 100.0;
    let (shape, phase) = match vibrato.wave {
        LfoWave::Sine => (LfoShape::Sine, 0.0),
        LfoWave::RampUp => (LfoShape::SawUp, vibrato.ramp_phase.fract()),
        LfoWave::RampDown => (LfoShape::SawDown, vibrato.ramp_phase.fract()),
        LfoWave::Square => {
            let middle = 0.5 * (1.0 + vibrato.square_low);
            if middle != 0.0 {
                add(SegmentEnvelope::level(), pitch(depth * middle));
            }
            depth *= 1.0 - middle;
            (LfoShape::Square, 0.0)
        }
        LfoWave::Random => {
            losses.add(Loss::Vibrato);
            return None;
        }
    };
    let ticks = match vibrato.sweep {
        VibratoSweep::Ticks(ticks) => f32::from(ticks),
        VibratoSweep::Rate(0) => {
            losses.add(Loss::Vibrato);
            return None;
        }
        VibratoSweep::Rate(rate) => 256.0 * f32::from(vibrato.depth) / f32::from(rate),
    };
    let frequency = f32::from(vibrato.speed) / 256.0 / tick;
    let lfo = Lfo { shape, frequency, delay: 0.0, fade: ticks * tick, phase };
    Some(ModulationLfo { lfo, depths: pitch(depth) })
}

#[cfg(test)]
mod tests;
