//! Voices whose filters run together.
//!
//! ```text
//! voices of a group of slots ──► rows ──┐
//!                                       ├──► filters, eight rows at a time ──► gains ──► buses of their strips
//! filters and gains along them ► parts ─┘
//! ```
//!
//! A frame of a filter has to wait for the one before it, in which time those of other voices are computed. What each
//! of them sounds like does not depend on which others there are, nor does the order in which they are added up: that
//! of slots, group by group.

use std::ops::Range;

use crate::bank::DENORMAL_FLOOR;
use crate::message::StripIndex;
use crate::rt::bus::MAX_BLOCK;
use crate::rt::kernel::Kernels;
use crate::rt::kernel::svf::{CoefficientRamp, Coefficients, FilterLanes, LANES, STAGES};
use crate::rt::modulation::Modulation;
use crate::rt::ramp::LinearRamp;

/// Slots whose voices are filtered together.
pub(crate) const GROUP: usize = 8;

/// A row for each side of each voice, and one for each lane that has none.
const ROWS: usize = 2 * GROUP + LANES;

/// Frames of a sound, and room for a vector after them. Aligned, so that vectors lie within a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Row([f32; MAX_BLOCK + LANES]);

/// Frames along which a filter and the gains of its voice go straight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The first of them, in the rows.
    pub(crate) at: usize,
    pub(crate) frames: usize,
    pub(in crate::rt) filter: CoefficientRamp,
    /// Of the left and the right side.
    pub(crate) gains: [LinearRamp; 2],
    /// By which both are multiplied.
    pub(crate) line: LinearRamp,
}

/// A voice that waits.
#[derive(Clone, Copy, Debug, Default)]
struct QueuedVoice {
    /// Its slot in the group.
    slot: usize,
    strip: StripIndex,
    is_mono: bool,
    /// Its first row.
    row: usize,
    /// Its first part, and the one after its last.
    parts: [usize; 2],
}

/// A side of a voice in one of eight lanes.
#[derive(Clone, Copy, Debug)]
struct Lane {
    voice: QueuedVoice,
    side: usize,
    /// The part after the one it is in, if it is in one.
    next: usize,
    /// The frame up to which its filter goes straight.
    until: usize,
}

/// Voices of a group of slots that wait for their filters.
///
/// # Real-time
/// Making it takes all its memory; all else is safe.
#[derive(Debug)]
pub(crate) struct FilterQueue {
    rows: [Row; ROWS],
    used: usize,
    voices: [QueuedVoice; GROUP],
    waiting: usize,
    parts: Box<[Part]>,
    filled: usize,
    /// The voice that is rendered at present.
    present: QueuedVoice,
    /// Whether that waits already.
    is_open: bool,
}

impl FilterQueue {
    /// # Real-time
    /// Never: takes all its memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(crate) fn new() -> Self {
        let line = LinearRamp::level(0.0);
        let filter = CoefficientRamp::level(Coefficients::IDLE);
        let part = Part { at: 0, frames: 0, filter, gains: [line; 2], line };
        Self {
            rows: [Row([0.0; MAX_BLOCK + LANES]); ROWS],
            used: 0,
            voices: [QueuedVoice::default(); GROUP],
            waiting: 0,
            // A part is a frame at least.
            parts: (0..GROUP * MAX_BLOCK).map(|_| part).collect(),
            filled: 0,
            present: QueuedVoice::default(),
            is_open: false,
        }
    }

    /// Begins with the next voice, which may have nothing to be filtered.
    pub(crate) const fn enter(&mut self, slot: usize, strip: StripIndex) {
        self.present = QueuedVoice { slot: slot % GROUP, strip, is_mono: false, row: 0, parts: [0; 2] };
        self.is_open = false;
    }

    /// Lets the present voice wait, if it does not yet, which is mono or not.
    pub(crate) fn open(&mut self, is_mono: bool) {
        if std::mem::replace(&mut self.is_open, true) {
            return;
        }
        self.present = QueuedVoice { is_mono, row: self.used, parts: [self.filled; 2], ..self.present };
        self.used += if is_mono { 1 } else { 2 };
        if let Some(voice) = self.voices.get_mut(self.waiting) {
            *voice = self.present;
            self.waiting += 1;
        }
    }

    /// Returns the place of frames of the present voice, which waits; of a mono one they are on the left only.
    pub(crate) fn sides(&mut self, frames: Range<usize>) -> [&mut [f32]; 2] {
        let row = self.present.row;
        // A mono voice's other row is written by the next voice, if at all.
        let Some([left, right]) = self.rows.get_mut(row..).and_then(<[Row]>::first_chunk_mut) else {
            return [&mut [], &mut []];
        };
        [left, right].map(|row| row.0.get_mut(frames.clone()).unwrap_or_default())
    }

    /// Adds a part to the present voice, after those it has; it is still to be filled.
    pub(crate) fn push(&mut self) -> Option<&mut Part> {
        let part = self.parts.get_mut(self.filled)?;
        self.filled += 1;
        if let Some(voice) = self.waiting.checked_sub(1).and_then(|last| self.voices.get_mut(last)) {
            voice.parts[1] = self.filled;
        }
        Some(part)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Returns the strips of the voices that wait, one after another.
    pub(crate) fn strip(&self, voice: usize) -> Option<StripIndex> {
        self.voices.get(..self.waiting)?.get(voice).map(|voice| voice.strip)
    }

    /// Runs the filters of all that wait; `now` is the frame that the rows begin at, and `motions` are those of the
    /// group's slots.
    pub(crate) fn filter(&mut self, kernels: Kernels, now: u64, motions: &mut [Modulation]) {
        for stages in 1..=STAGES {
            self.filter_stages(stages, kernels, now, motions);
        }
    }

    /// Runs the filters of so many stages.
    fn filter_stages(&mut self, stages: usize, kernels: Kernels, now: u64, motions: &mut [Modulation]) {
        let mut lanes = [None; LANES];
        let mut count = 0;
        for index in 0..self.waiting {
            let Some(voice) = self.voices.get(index).copied() else { break };
            if motions.get(voice.slot).is_none_or(|motion| motion.filter.stages() != stages) {
                continue;
            }
            for side in 0..if voice.is_mono { 1 } else { 2 } {
                if let Some(lane) = lanes.get_mut(count) {
                    *lane = Some(Lane { voice, side, next: voice.parts[0], until: 0 });
                }
                count += 1;
                if count == LANES {
                    self.filter_lanes(stages, kernels, now, motions, &mut lanes);
                    (lanes, count) = ([None; LANES], 0);
                }
            }
        }
        if count > 0 {
            self.filter_lanes(stages, kernels, now, motions, &mut lanes);
        }
    }

    /// Runs the filters of up to eight rows.
    fn filter_lanes(
        &mut self,
        stages: usize,
        kernels: Kernels,
        now: u64,
        motions: &mut [Modulation],
        lanes: &mut [Option<Lane>; LANES],
    ) {
        let parts = lanes
            .iter()
            .flatten()
            .filter_map(|lane| self.parts.get(lane.voice.parts[0]..lane.voice.parts[1]));
        let ends = parts.filter_map(|parts| Some((parts.first()?.at, parts.last()?)));
        let (mut frame, end) = ends.fold((MAX_BLOCK, 0), |(frame, end), (first, last)| {
            (frame.min(first), end.max(last.at + last.frames))
        });
        let mut filters = FilterLanes::new();
        let mut numbers = std::array::from_fn(|lane| ROWS - LANES + lane);
        for (number, (lane, row)) in lanes.iter().zip(&mut numbers).enumerate() {
            let Some(Lane { voice, side, next, .. }) = lane else { continue };
            *row = voice.row + side;
            let Some(motion) = motions.get_mut(voice.slot) else { continue };
            let first = self.parts.get(*next).map_or(0, |part| part.at);
            let value = |row: usize| self.rows.get(row).and_then(|row| row.0.get(first)).copied();
            motion.filter.enter([voice.row, voice.row + 1].map(|row| value(row).unwrap_or_default()));
            if let Some(state) = motion.filter.sides.get(*side) {
                filters.set_state(number, *state);
            }
        }
        while frame < end {
            let whole = MAX_BLOCK - (now.wrapping_add(frame as u64) % MAX_BLOCK as u64) as usize;
            let mut until = end.min(frame + whole);
            for (number, lane) in lanes.iter_mut().enumerate() {
                let Some(lane) = lane else { continue };
                if lane.until <= frame {
                    filters.set(number, lane.go_on(&self.parts, frame));
                }
                until = until.min(lane.until);
            }
            let Ok(rows) = self.rows.get_disjoint_mut(numbers) else { return };
            let rows = rows.map(|row| row.0.as_mut_slice());
            kernels.filter(stages, &mut filters, rows, frame, until - frame);
            if until == frame + whole {
                // What nobody hears would cost twenty times as much to compute with.
                filters.flush(DENORMAL_FLOOR);
            }
            frame = until;
        }
        for (number, lane) in lanes.iter().enumerate() {
            let Some(Lane { voice, side, .. }) = lane else { continue };
            let motion = motions.get_mut(voice.slot);
            if let Some(state) = motion.and_then(|motion| motion.filter.sides.get_mut(*side)) {
                *state = filters.state(number);
            }
        }
    }

    /// Adds the filtered frames of a voice to both sides of a bus.
    pub(crate) fn mix(&self, voice: usize, kernels: Kernels, [left, right]: [&mut [f32]; 2]) {
        let Some(voice) = self.voices.get(voice) else { return };
        let (Some(one), Some(two)) =
            (self.rows.get(voice.row), self.rows.get(voice.row + usize::from(!voice.is_mono)))
        else {
            return;
        };
        let Some(parts) = self.parts.get(voice.parts[0]..voice.parts[1]) else { return };
        for Part { at, frames, filter: _, gains, line } in parts {
            let frames = *at..*at + *frames;
            let from = [one, two].map(|row| row.0.get(frames.clone()).unwrap_or_default());
            let to = [&mut *left, &mut *right].map(|side| side.get_mut(frames.clone()).unwrap_or_default());
            kernels.add(from, to, *gains, *line);
        }
    }

    /// Forgets all that waited.
    pub(crate) const fn clear(&mut self) {
        (self.used, self.waiting, self.filled) = (0, 0, 0);
    }
}

impl Lane {
    /// Goes to what begins at a frame, and returns that: the next part, or none.
    fn go_on<'a>(&mut self, parts: &'a [Part], frame: usize) -> &'a CoefficientRamp {
        let next = parts.get(self.next..self.voice.parts[1]).and_then(<[Part]>::first);
        match next {
            Some(part) if part.at <= frame => {
                self.next += 1;
                self.until = part.at + part.frames;
                &part.filter
            }
            before => {
                self.until = before.map_or(usize::MAX, |part| part.at);
                const { &CoefficientRamp::level(Coefficients::IDLE) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fixtures::signal::Noise;
    use fixtures::songs::segment;
    use song::{
        Articulation, FilterKind, FilterParams, Hz, Key, NotePlayed, SamplerArticulation, SegmentCurve,
        SegmentEnvelope, Velocity,
    };

    use super::*;
    use crate::message::Tone;

    const FRAMES: usize = 200;

    /// Where the voice of each slot begins, whether it is mono, and its filter.
    const VOICES: [(usize, bool, FilterKind); GROUP] = [
        (0, true, FilterKind::LowPass2),
        (5, false, FilterKind::LowPass4),
        (0, false, FilterKind::BandPass2),
        (64, true, FilterKind::LowPass2),
        (13, false, FilterKind::HighPass4),
        (1, false, FilterKind::Notch2),
        (99, false, FilterKind::LowPass1),
        (0, false, FilterKind::HighPass2),
    ];

    fn articulation(kind: FilterKind) -> Articulation {
        let decay = [segment(0.0, 1.0, SegmentCurve::Linear), segment(0.1, 0.0, SegmentCurve::Linear)];
        let envelope = SegmentEnvelope::new(0.0, decay.to_vec(), None).unwrap();
        let (cutoff, key_centre) = (900.0, Key::C4);
        let filter = FilterParams { kind, cutoff, q: 3.0, by_key: 0.0, key_centre, by_velocity: 0.0 };
        SamplerArticulation { filter: Some(filter), ..SamplerArticulation::plain(envelope) }.into()
    }

    /// Returns what is heard of each of the voices that are chosen, on the left and then on the right; their filters
    /// are turned up after 100 frames.
    fn heard(chosen: &[usize]) -> Vec<(usize, Vec<f32>)> {
        let played = NotePlayed { key: Key::C4, velocity: Velocity::HIGHEST };
        let (rate, kernels) = (Hz::new(48_000).unwrap(), Kernels::best());
        let mut queue = FilterQueue::new();
        let mut motions: Vec<Modulation> = VOICES
            .iter()
            .map(|(_, is_mono, kind)| Modulation::new(&articulation(*kind), played, (0.5, 0.25), *is_mono, 1))
            .collect();
        for &slot in chosen {
            let (first, is_mono, kind) = VOICES[slot];
            let articulation = articulation(kind);
            queue.enter(slot, StripIndex::default());
            queue.open(is_mono);
            let mut noise = Noise::new(slot as u64);
            let sides = queue.sides(first..FRAMES).into_iter().take(if is_mono { 1 } else { 2 });
            sides.for_each(|side| side.iter_mut().for_each(|value| *value = noise.flat() as f32));
            let mut at = first;
            while at < FRAMES {
                if motions[slot].remaining() == 0 || at == 100 {
                    motions[slot].cut();
                    let cutoff = if at < 100 { 0.0 } else { 700.0 };
                    motions[slot].begin_segment(&articulation, rate, Tone { cutoff, resonance: 0.0 });
                }
                let most = if at < 100 { 100 } else { FRAMES };
                let end = most.min(at + motions[slot].remaining());
                motions[slot].queue(&articulation, &mut queue, LinearRamp::level(1.0), at..end);
                at = end;
            }
        }
        queue.filter(kernels, 77, &mut motions);
        let mut heard = Vec::new();
        for (number, slot) in chosen.iter().enumerate() {
            let mut sides = vec![0.0; 2 * FRAMES];
            let (left, right) = sides.split_at_mut(FRAMES);
            queue.mix(number, kernels, [left, right]);
            heard.push((*slot, sides));
        }
        heard
    }

    #[test]
    fn a_voice_sounds_the_same_alone_and_with_others() {
        let together = heard(&[0, 1, 2, 3, 4, 5, 6, 7]);
        for one in &together {
            assert!(one.1.iter().any(|value| *value != 0.0), "{}", one.0);
            assert_eq!(heard(&[one.0])[0], *one);
        }
        assert_eq!(heard(&[2, 4, 5, 7]), [2, 4, 5, 7].map(|slot| together[slot].clone()));
    }

    #[test]
    fn nothing_is_heard_of_a_voice_before_it_begins() {
        for (slot, sides) in heard(&[1, 3, 4, 6]) {
            let (first, ..) = VOICES[slot];
            assert!(sides[..first].iter().all(|value| *value == 0.0) && sides[first] != 0.0, "{slot}");
        }
    }
}
