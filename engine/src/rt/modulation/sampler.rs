//! How a voice moves as the articulation of a sampler's bank says.
//!
//! ```text
//! amplitude  ╱‾╲____      segments end where its straight lines do
//! others     ⌢⌣⌢⌣⌢⌣      while anything else moves, or bends, segments are a cell long, or a few if it goes slowly
//! ```

use song::{
    EnvelopePosition, Hz, LfoShape, ModulationDepths, ModulationEnvelope, ModulationLfo, NotePlayed,
    SamplerArticulation,
};

use super::filter::{MAX_BLEND, VoiceFilter};
use super::segment::{MAX_SEGMENT, Segment};
use crate::message::Tone;
use crate::pan;
use crate::rt::grid::CELL;
use crate::rt::kernel::{Gain, Kernels};
use crate::rt::ramp::LinearRamp;

/// Part of full level that is no jump of a straight line.
const JUMP: f32 = 1e-4;

/// Cells of the longest segment along which everything goes slowly: a filter blends along all of it.
const MAX_CELLS: u8 = (MAX_BLEND / CELL) as u8;
/// Those of the shortest.
const MIN_CELLS: u8 = 2;
/// The most that gains change along one, in shares and in decibels: a straight line is off by a ten-thousandth.
const SLOW_GAIN: f32 = 0.03;
const SLOW_DECIBELS: f32 = 0.25;
/// The longest part of its cycle that an LFO goes through along one: its line is off by 0.5 % of its depth.
const SLOW_CYCLE: f64 = 1.0 / 32.0;
/// The same for one that moves the cutoff alone, which goes along a parabola: off by 0.4 %, and 6 % where the swing of
/// a triangle turns, as lines are there.
const SLOW_CUTOFF_CYCLE: f64 = 1.0 / 8.0;

/// Where a voice is in the articulation of a sampler's bank.
#[derive(Clone, Debug)]
pub(crate) struct SamplerModulation {
    played: NotePlayed,
    /// The voice's own.
    gain: f32,
    pan: f32,
    /// Gains of both sides where nothing moves the pan.
    sides: [f32; 2],
    is_mono: bool,
    /// Cutoff of its filter in hertz where nothing moves it.
    cutoff: f32,
    /// What its filter was tuned to: cents of the cutoff, decibels of the resonance, and the rate.
    tuned: Option<(f32, f32, f64)>,
    /// What note and strip added to the filter in the present segment.
    tone: Tone,
    /// What envelopes and LFOs move.
    moves_gains: bool,
    moves_pitch: bool,
    moves_cutoff: bool,
    moves_pan: bool,
    /// How far they have moved everything where the present segment ends, unless that was cut.
    last: Option<ModulationDepths>,
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
    /// Cells that the next segment may have, as far as the last one tells.
    slow_cells: u8,
}

/// What a segment begins with.
struct SegmentStart {
    /// Of the amplitude.
    level: f32,
    /// How far everything has moved.
    moved: ModulationDepths,
    /// How far its filter's cutoff may move along it.
    blend_cents: f32,
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
        let moves = |is_moved: fn(&ModulationDepths) -> bool| {
            let envelopes =
                articulation.envelopes.iter().flat_map(|moved| [&moved.depths, &moved.by_velocity]);
            envelopes.chain(articulation.lfos.iter().map(|moved| &moved.depths)).any(is_moved)
        };
        let mut modulation = Self {
            played,
            gain,
            pan,
            sides: pan::sides(pan, is_mono).into(),
            is_mono,
            cutoff: articulation.filter.map_or(0.0, |filter| filter.cutoff_of(played)),
            tuned: None,
            tone: Tone::default(),
            moves_gains: moves(|depths| [depths.gain, depths.amplitude, depths.pan] != [0.0; 3]),
            moves_pitch: moves(|depths| depths.pitch != 0.0),
            moves_cutoff: moves(|depths| depths.cutoff != 0.0),
            moves_pan: moves(|depths| depths.pan != 0.0),
            last: None,
            is_held: true,
            is_over: false,
            is_delayed: false,
            amplitude: EnvelopePosition::new(&articulation.amplitude, played),
            envelopes,
            age: 0.0,
            pending: 0.0,
            frame: 0.0,
            segment: Segment::default(),
            slow_cells: MAX_CELLS,
        };
        modulation.settle(articulation);
        modulation.segment = Segment::at(modulation.present_gains(articulation));
        modulation
    }

    /// Sees whether it has begun, and whether it has come to its end.
    fn settle(&mut self, articulation: &SamplerArticulation) {
        let envelope = &articulation.amplitude;
        let is_delayed = self.amplitude.is_delay(envelope);
        if std::mem::replace(&mut self.is_delayed, is_delayed) && !is_delayed {
            // Its recording begins now, as loud as it is to be.
            self.segment = Segment::at(self.present_gains(articulation));
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
        self.last = None;
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
    pub(super) const fn is_long(&self, articulation: &SamplerArticulation) -> bool {
        self.segment.length() as usize > if articulation.filter.is_some() { MAX_BLEND } else { CELL }
    }

    /// # Real-time
    /// Safe.
    pub(super) const fn keeps_pitch(&self) -> bool {
        !self.moves_pitch
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
        (tone, filter): (Tone, &mut VoiceFilter),
    ) -> f64 {
        let pending = std::mem::take(&mut self.pending);
        if pending > 0.0 {
            self.advance(articulation, pending);
        }
        let rate = f64::from(rate.get());
        self.frame = rate.recip();
        // The cast saturates.
        let straight = (self.amplitude.remaining(&articulation.amplitude) * rate).ceil() as u64;
        let from = self.last.unwrap_or_else(|| self.moved(articulation, 0.0));
        let level = self.amplitude.value(&articulation.amplitude, 0.0);
        let was_tuned = self.tuned.is_some();
        if !was_tuned {
            self.tune(articulation, filter, (None, from.cutoff, tone), (rate, CELL));
        }
        let start = SegmentStart { level, moved: from, blend_cents: filter.blend_cents() };
        let is_bent = self.is_bent(articulation);
        let (length, slow) = if self.jumps(level, &from) {
            (straight.clamp(1, CELL as u64), None)
        } else if !is_bent {
            (straight.clamp(1, MAX_SEGMENT), None)
        } else if self.last.is_none() && was_tuned {
            // What was cut may go on from elsewhere.
            (straight.clamp(1, CELL as u64), None)
        } else if let Some((length, to)) = self.slowly(articulation, &start, (straight, tone)) {
            (length, Some(to))
        } else {
            (straight.clamp(1, CELL as u64), None)
        };
        let seconds = length as f64 * self.frame;
        let half_way =
            (slow.is_some() && self.moves_cutoff).then(|| self.moved(articulation, 0.5 * seconds).cutoff);
        let (level, to) = slow.unwrap_or_else(|| {
            let level = self.amplitude.value(&articulation.amplitude, seconds);
            (level, self.moved(articulation, seconds))
        });
        self.segment.follow(length as u32, self.gains_at(level, &to));
        // A filter goes there along the segment, or within a cell.
        let frames = if is_bent { length as usize } else { CELL };
        self.tune(articulation, filter, (half_way, to.cutoff, tone), (rate, frames));
        (self.last, self.tone) = (Some(to), tone);
        // What stays for the whole segment is right in its middle.
        if self.moves_pitch { ratio(self.moved(articulation, 0.5 * seconds).pitch) } else { 1.0 }
    }

    /// Tunes its filter, if it has one, with some cents added to the cutoff, by others half-way.
    fn tune(
        &mut self,
        articulation: &SamplerArticulation,
        own_filter: &mut VoiceFilter,
        (half_way, cents, tone): (Option<f32>, f32, Tone),
        (rate, frames): (f64, usize),
    ) {
        let Some(filter) = &articulation.filter else { return };
        let tuning = (cents + tone.cutoff, tone.resonance, rate);
        if self.tuned.replace(tuning) != Some(tuning) || half_way.is_some() {
            let cutoff = |cents: f32| f64::from(self.cutoff) * ratio(cents + tone.cutoff);
            let q = f64::from(filter.q) * tone.q_factor();
            match half_way {
                Some(half_way) => {
                    own_filter.tune_by(filter.kind, [cutoff(half_way), cutoff(cents)], q, (rate, frames));
                }
                None => own_filter.tune(filter.kind, cutoff(cents), q, (rate, frames)),
            }
        }
    }

    /// Returns a segment along which everything is close to straight lines from what it is now: its frames, at most
    /// `most`, and the level of the amplitude and how far everything has moved where it ends.
    fn slowly(
        &mut self,
        articulation: &SamplerArticulation,
        start: &SegmentStart,
        (most, tone): (u64, Tone),
    ) -> Option<(u64, (f32, ModulationDepths))> {
        let is_quick =
            |moved: &ModulationLfo| !matches!(moved.lfo.shape, LfoShape::Triangle | LfoShape::Sine);
        // A pitch stays along a segment, gains are steep where the pan ends, and a tone goes a step in each cell.
        if self.moves_pitch || self.moves_pan || self.tone != tone || articulation.lfos.iter().any(is_quick) {
            return None;
        }
        while self.slow_cells >= MIN_CELLS {
            let cells = self.slow_cells;
            let frames = most.clamp(1, u64::from(cells) * CELL as u64);
            let (change, to) = self.change(articulation, start, frames as f64 * self.frame);
            let is_whole = frames == u64::from(cells) * CELL as u64;
            // As many as would change as much as may be. The cast saturates.
            let wanted = (f32::from(cells) / change) as u8;
            if change <= 1.0 {
                // One that is cut short does not tell.
                if is_whole {
                    self.slow_cells = wanted.clamp(cells, MAX_CELLS.min(2 * cells));
                }
                return Some((frames, to));
            }
            self.slow_cells = wanted.min(cells - 1);
        }
        self.slow_cells = MIN_CELLS;
        None
    }

    /// Returns how much changes within some seconds, as a part of what a straight line may, and the level of the
    /// amplitude and how far everything has moved then.
    fn change(
        &self,
        articulation: &SamplerArticulation,
        start: &SegmentStart,
        seconds: f64,
    ) -> (f32, (f32, ModulationDepths)) {
        let SegmentStart { level, moved: now, blend_cents } = *start;
        let part = |change: f32, most: f32| if change == 0.0 { 0.0 } else { change.abs() / most };
        let cycles = articulation.lfos.iter().map(|ModulationLfo { lfo, depths }| {
            let is_of_gains = [depths.gain, depths.amplitude] != [0.0; 2];
            let most = if is_of_gains { SLOW_CYCLE } else { SLOW_CUTOFF_CYCLE };
            f64::from(lfo.frequency) * seconds / most
        });
        let ends = self.envelopes.iter().zip(&articulation.envelopes);
        let ends = ends.map(|(state, moved)| seconds / state.remaining(&moved.envelope));
        let longest = cycles.chain(ends).fold(0.0, f64::max) as f32;
        let amplitude = &articulation.amplitude;
        let end = self.amplitude.value(amplitude, seconds);
        let then = self.moved(articulation, seconds);
        let is_straight = self.amplitude.is_straight(amplitude);
        let change = [
            if is_straight { 0.0 } else { part(end - level, SLOW_GAIN * level) },
            part(then.cutoff - now.cutoff, blend_cents),
            part(then.gain - now.gain, SLOW_DECIBELS),
            part(then.amplitude - now.amplitude, SLOW_GAIN * now.amplitude),
        ];
        (change.into_iter().fold(longest, f32::max), (end, then))
    }

    /// Returns whether it is to be louder or softer at once, which it then is within a cell.
    fn jumps(&self, level: f32, moved: &ModulationDepths) -> bool {
        let ([left, right], [to_left, to_right]) = (self.segment.levels(), self.gains_at(level, moved));
        (to_left - left).abs().max((to_right - right).abs()) > JUMP * self.gain
    }

    /// Returns whether anything but straight lines of the amplitude has to be followed.
    fn is_bent(&self, articulation: &SamplerArticulation) -> bool {
        let mut envelopes = self.envelopes.iter().zip(&articulation.envelopes);
        !articulation.lfos.is_empty()
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
        if articulation.envelopes.is_empty() && articulation.lfos.is_empty() {
            return sum;
        }
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

    /// Returns the gains of both sides where it is now.
    fn present_gains(&self, articulation: &SamplerArticulation) -> [f32; 2] {
        let level = self.amplitude.value(&articulation.amplitude, 0.0);
        self.gains_at(level, &self.moved(articulation, 0.0))
    }

    /// Returns the gains of both sides at a level of the amplitude, when everything has moved so far.
    fn gains_at(&self, level: f32, moved: &ModulationDepths) -> [f32; 2] {
        if !self.moves_gains {
            return self.sides.map(|side| self.gain * level * side);
        }
        let decibels = (moved.gain.clamp(-144.0, 48.0) * (std::f32::consts::LOG2_10 / 20.0)).exp2();
        let gain = self.gain * level * decibels * moved.amplitude.max(0.0);
        let (left, right) = pan::sides(self.pan + moved.pan, self.is_mono);
        [gain * left, gain * right]
    }

    /// # Real-time
    /// Safe.
    pub(super) fn gain_along(
        &self,
        articulation: &SamplerArticulation,
        envelope: LinearRamp,
    ) -> Option<Gain> {
        let [left, right] = self.segment.lines();
        articulation.filter.is_none().then(|| Gain::along(left, right, envelope)).flatten()
    }

    /// # Real-time
    /// Safe.
    pub(super) fn gains(&self) -> [LinearRamp; 2] {
        self.segment.lines()
    }

    /// # Real-time
    /// Safe.
    pub(super) fn mix(
        &mut self,
        kernels: Kernels,
        articulation: &SamplerArticulation,
        line: LinearRamp,
        [left, right]: [&[f32]; 2],
        to: [&mut [f32]; 2],
    ) {
        let from = [left, if self.is_mono { left } else { right }];
        kernels.add(from, to, self.gains(), line);
        self.go_on(articulation, left.len());
    }

    /// # Real-time
    /// Safe.
    pub(super) fn go_on(&mut self, articulation: &SamplerArticulation, frames: usize) {
        self.segment.advance(frames);
        if self.segment.is_over() {
            self.advance(articulation, f64::from(self.segment.length()) * self.frame);
        }
    }
}

/// Returns the ratio of frequencies of some cents.
fn ratio(cents: f32) -> f64 {
    if cents == 0.0 { 1.0 } else { f64::from(cents / 1200.0).exp2() }
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

#[cfg(test)]
mod tests;
