//! How a voice moves as the articulation of a sampler's bank says.
//!
//! ```text
//! amplitude  ╱‾╲____      segments end where its straight lines do
//! others     ⌢⌣⌢⌣⌢⌣      while anything else moves, or bends, no segment is longer than a cell
//! ```

use song::{
    EnvelopePosition, Hz, ModulationDepths, ModulationEnvelope, ModulationLfo, NotePlayed,
    SamplerArticulation,
};

use super::filter::VoiceFilter;
use super::segment::{MAX_SEGMENT, Segment, add};
use crate::message::Tone;
use crate::pan;
use crate::rt::grid::CELL;
use crate::rt::ramp::LinearRamp;

/// Part of full level that is no jump of a straight line.
const JUMP: f32 = 1e-4;

/// Where a voice is in the articulation of a sampler's bank.
#[derive(Clone, Debug)]
pub(crate) struct SamplerModulation {
    played: NotePlayed,
    /// The voice's own.
    gain: f32,
    pan: f32,
    is_mono: bool,
    is_held: bool,
    is_over: bool,
    is_delayed: bool,
    amplitude: EnvelopePosition,
    envelopes: [EnvelopePosition; SamplerArticulation::MAX_ENVELOPES],
    /// Seconds since it began.
    age: f64,
    /// Seconds of a segment that was cut, which the envelopes have not gone on by yet.
    pending: f64,
    /// Seconds of a frame in the present segment.
    frame: f64,
    segment: Segment,
}

impl SamplerModulation {
    /// # Real-time
    /// Safe.
    pub(super) fn new(
        articulation: &SamplerArticulation,
        played: NotePlayed,
        sides: (f32, f32),
        is_mono: bool,
    ) -> Self {
        let (gain, pan) = pan::gain_and_pan(sides, is_mono);
        let mut envelopes = [EnvelopePosition::default(); SamplerArticulation::MAX_ENVELOPES];
        for (state, envelope) in envelopes.iter_mut().zip(&articulation.envelopes) {
            *state = EnvelopePosition::new(&envelope.envelope, played);
        }
        let mut modulation = Self {
            played,
            gain,
            pan,
            is_mono,
            is_held: true,
            is_over: false,
            is_delayed: false,
            amplitude: EnvelopePosition::new(&articulation.amplitude, played),
            envelopes,
            age: 0.0,
            pending: 0.0,
            frame: 0.0,
            segment: Segment::default(),
        };
        modulation.settle(articulation);
        modulation.segment = Segment::at(modulation.gains(articulation, 0.0));
        modulation
    }

    /// Sees whether it has begun, and whether it has come to its end.
    fn settle(&mut self, articulation: &SamplerArticulation) {
        let envelope = &articulation.amplitude;
        let is_delayed = self.amplitude.is_delay(envelope);
        if std::mem::replace(&mut self.is_delayed, is_delayed) && !is_delayed {
            // Its recording begins now, as loud as it is to be.
            self.segment = Segment::at(self.gains(articulation, 0.0));
        }
        self.is_over = self.amplitude.is_over(envelope) && self.amplitude.value(envelope, 0.0) <= 0.0;
    }

    /// # Real-time
    /// Safe.
    pub(super) fn release(&mut self, articulation: &SamplerArticulation) {
        if !std::mem::take(&mut self.is_held) {
            return;
        }
        self.cut();
        let pending = std::mem::take(&mut self.pending);
        self.advance(articulation, pending);
        self.amplitude.release(&articulation.amplitude, self.played);
        for (state, envelope) in self.envelopes.iter_mut().zip(&articulation.envelopes) {
            state.release(&envelope.envelope, self.played);
        }
        self.settle(articulation);
    }

    /// # Real-time
    /// Safe.
    pub(super) fn cut(&mut self) {
        if let Some(frames) = self.segment.cut() {
            self.pending += f64::from(frames) * self.frame;
        }
    }

    /// # Real-time
    /// Safe.
    pub(super) const fn remaining(&self) -> usize {
        self.segment.remaining()
    }

    /// # Real-time
    /// Safe.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// # Real-time
    /// Safe.
    pub(super) const fn is_delayed(&self) -> bool {
        self.is_delayed
    }

    /// # Real-time
    /// Safe.
    pub(super) fn course(&self) -> (f32, f32) {
        let ([left, right], [left_slope, right_slope]) = (self.segment.levels(), self.segment.slopes());
        let slope = if self.is_held { 0.0 } else { left_slope.max(right_slope).min(0.0) };
        (left.max(right), slope)
    }

    /// Begins the next segment, and tunes its filter for that; gives the ratio of frequencies that lasts for it. `tone`
    /// is added to the filter.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn begin_segment(
        &mut self,
        articulation: &SamplerArticulation,
        rate: Hz,
        (tone, own_filter): (Tone, &mut VoiceFilter),
    ) -> f64 {
        let pending = std::mem::take(&mut self.pending);
        if pending > 0.0 {
            self.advance(articulation, pending);
        }
        let rate = f64::from(rate.get());
        self.frame = rate.recip();
        // The cast saturates.
        let straight = (self.amplitude.remaining(&articulation.amplitude) * rate).ceil() as u64;
        let most =
            if self.is_bent(articulation) || self.jumps(articulation) { CELL as u64 } else { MAX_SEGMENT };
        let length = straight.clamp(1, most);
        let seconds = length as f64 * self.frame;
        self.segment.follow(length as u32, self.gains(articulation, seconds));
        // What stays for the whole segment is right in its middle.
        let now = self.moved(articulation, 0.5 * seconds);
        if let Some(filter) = &articulation.filter {
            let cutoff = filter.cutoff_of(self.played);
            let cutoff = f64::from(cutoff) * f64::from((now.cutoff + tone.cutoff) / 1200.0).exp2();
            let q = f64::from(filter.q) * tone.q_factor();
            own_filter.tune(filter.kind, cutoff, q, rate);
        }
        f64::from(now.pitch / 1200.0).exp2()
    }

    /// Returns whether it is to be louder or softer at once, which it then is within a cell.
    fn jumps(&self, articulation: &SamplerArticulation) -> bool {
        let ([left, right], [to_left, to_right]) = (self.segment.levels(), self.gains(articulation, 0.0));
        (to_left - left).abs().max((to_right - right).abs()) > JUMP * self.gain
    }

    /// Returns whether anything but straight lines of the amplitude has to be followed.
    fn is_bent(&self, articulation: &SamplerArticulation) -> bool {
        let mut envelopes = self.envelopes.iter().zip(&articulation.envelopes);
        articulation.filter.is_some()
            || !articulation.lfos.is_empty()
            || !self.amplitude.is_straight(&articulation.amplitude)
            || envelopes.any(|(state, moved)| !state.is_level(&moved.envelope))
    }

    /// Goes on by some seconds.
    fn advance(&mut self, articulation: &SamplerArticulation, seconds: f64) {
        let (played, is_held) = (self.played, self.is_held);
        self.age += seconds;
        self.amplitude.advance(&articulation.amplitude, played, seconds, is_held);
        for (state, envelope) in self.envelopes.iter_mut().zip(&articulation.envelopes) {
            state.advance(&envelope.envelope, played, seconds, is_held);
        }
        self.settle(articulation);
    }

    /// Returns how far envelopes and LFOs move everything some seconds from now; of the amplitude the factor.
    fn moved(&self, articulation: &SamplerArticulation, ahead: f64) -> ModulationDepths {
        let mut sum = ModulationDepths { amplitude: 1.0, ..ModulationDepths::default() };
        let mut move_by = |depths: ModulationDepths, value: f32| {
            sum.pitch += depths.pitch * value;
            sum.cutoff += depths.cutoff * value;
            sum.gain += depths.gain * value;
            sum.pan += depths.pan * value;
            sum.amplitude *= 1.0 + depths.amplitude * (value - 1.0);
        };
        let velocity = f32::from(self.played.velocity.get()) / 127.0;
        for (state, moved) in self.envelopes.iter().zip(&articulation.envelopes) {
            let ModulationEnvelope { envelope, depths, by_velocity } = moved;
            move_by(scaled(*depths, by_velocity, velocity), state.value(envelope, ahead));
        }
        for ModulationLfo { lfo, depths } in &articulation.lfos {
            move_by(*depths, lfo_value(lfo, self.age + ahead));
        }
        sum
    }

    /// Returns the gains of both sides some seconds from now.
    fn gains(&self, articulation: &SamplerArticulation, ahead: f64) -> [f32; 2] {
        let level = self.amplitude.value(&articulation.amplitude, ahead);
        let moved = self.moved(articulation, ahead);
        let decibels = (moved.gain.clamp(-144.0, 48.0) * (std::f32::consts::LOG2_10 / 20.0)).exp2();
        let gain = self.gain * level * decibels * moved.amplitude.max(0.0);
        let (left, right) = pan::sides(self.pan + moved.pan, self.is_mono);
        [gain * left, gain * right]
    }

    /// # Real-time
    /// Safe.
    pub(super) fn mix(
        &mut self,
        articulation: &SamplerArticulation,
        (line, filter): (LinearRamp, &mut VoiceFilter),
        [left, right]: [&mut [f32]; 2],
        [to_left, to_right]: [&mut [f32]; 2],
    ) {
        let frames = left.len();
        if articulation.filter.is_some() {
            filter.run(left, right, self.is_mono);
        }
        let [from_left, from_right] = self.segment.lines();
        add(left, to_left, from_left, line);
        add(right, to_right, from_right, line);
        self.segment.advance(frames);
        if self.segment.is_over() {
            self.advance(articulation, f64::from(self.segment.length()) * self.frame);
        }
    }
}

/// Returns depths with what the velocity adds to them.
fn scaled(depths: ModulationDepths, by_velocity: &ModulationDepths, velocity: f32) -> ModulationDepths {
    ModulationDepths {
        pitch: depths.pitch + by_velocity.pitch * velocity,
        cutoff: depths.cutoff + by_velocity.cutoff * velocity,
        gain: depths.gain + by_velocity.gain * velocity,
        amplitude: depths.amplitude + by_velocity.amplitude * velocity,
        pan: depths.pan + by_velocity.pan * velocity,
    }
}

/// Returns the value of an LFO that is some seconds old.
fn lfo_value(lfo: &song::Lfo, age: f64) -> f32 {
    let seconds = age - f64::from(lfo.delay);
    if seconds < 0.0 {
        return 0.0;
    }
    let fade = f64::from(lfo.fade);
    let grown = if seconds < fade { seconds / fade } else { 1.0 };
    let phase = (f64::from(lfo.phase) + seconds * f64::from(lfo.frequency)).fract();
    lfo.shape.value(phase as f32) * grown as f32
}
