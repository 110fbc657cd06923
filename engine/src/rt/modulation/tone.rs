//! How bright voices are beyond what their articulations say: what notes and strips add to filters, and the low-pass of
//! a voice that has no filter.

use song::FilterKind;

use super::cell_timer::CellTimer;
use super::filter::VoiceFilter;
use crate::message::Tone;
use crate::rt::grid::CELL;

/// The cutoff of a voice without a filter, in hertz: nothing is taken away.
const OPEN: f64 = 20_000.0;
/// The quality factor of a filter without resonance.
const FLAT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The fewest cells from one tone to the next: 11 ms at 48 kHz, so that steps of a controller cannot be told apart.
const MIN_CELLS: f32 = 8.0;
/// The most: 128 ms.
const MAX_CELLS: f32 = 96.0;
/// How far a cell goes at most on a way of fewer cells: in cents, and in decibels. Farther would be heard as a step.
const CENTS_PER_CELL: f32 = 50.0;
const DECIBELS_PER_CELL: f32 = 0.5;

/// A tone on its way to another, a step for each cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ToneGlide {
    now: Tone,
    to: Tone,
    left: u8,
}

impl ToneGlide {
    /// # Real-time
    /// Safe.
    pub(crate) const fn at(tone: Tone) -> Self {
        Self { now: tone, to: tone, left: 0 }
    }

    /// # Real-time
    /// Safe.
    pub(crate) const fn now(&self) -> Tone {
        self.now
    }

    /// # Real-time
    /// Safe.
    pub(crate) const fn is_moving(&self) -> bool {
        self.left > 0
    }

    /// Goes to another tone from the next step on.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn follow(&mut self, to: Tone) {
        if self.to != to {
            let cutoff = (to.cutoff - self.now.cutoff).abs() / CENTS_PER_CELL;
            let resonance = (to.resonance - self.now.resonance).abs() / DECIBELS_PER_CELL;
            let cells = cutoff.max(resonance).clamp(MIN_CELLS, MAX_CELLS).ceil();
            (self.to, self.left) = (to, cells as u8);
        }
    }

    /// Goes on by a step.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn step(&mut self) {
        if self.left > 0 {
            let part = 1.0 / f32::from(self.left);
            self.now.cutoff += (self.to.cutoff - self.now.cutoff) * part;
            self.now.resonance += (self.to.resonance - self.now.resonance) * part;
            self.left -= 1;
        }
    }
}

/// The tone of a note.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VoiceTone {
    glide: ToneGlide,
    timer: CellTimer,
}

impl VoiceTone {
    /// # Real-time
    /// Safe.
    pub(crate) const fn now(&self) -> Tone {
        self.glide.now()
    }

    /// Sets the tone of the note: at once, or gliding there.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn set(&mut self, tone: Tone, is_gliding: bool) {
        if !is_gliding {
            self.glide = ToneGlide::at(tone);
            return;
        }
        self.glide.follow(tone);
        if self.glide.is_moving() {
            self.timer.hurry();
        }
    }

    /// Returns the number of frames for which the tone stays, at most `most`.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn segment(&self, most: usize) -> usize {
        self.timer.segment(most)
    }

    /// Goes on by some frames, no more than [`segment`](Self::segment).
    ///
    /// # Real-time
    /// Safe.
    pub(crate) const fn advance(&mut self, frames: usize) {
        self.timer.advance(frames);
    }

    /// Takes the step that is due at the present frame, if one is; returns whether the tone is another one now.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn step(&mut self) -> bool {
        if !self.timer.take() || !self.glide.is_moving() {
            return false;
        }
        self.glide.step();
        if self.glide.is_moving() {
            self.timer = CellTimer::wait();
        }
        true
    }

    /// Sets the low-pass.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn tune(filter: &mut VoiceFilter, tone: Tone, rate: f64) {
        let cutoff = OPEN * f64::from(tone.cutoff / 1200.0).exp2();
        filter.tune(FilterKind::LowPass2, cutoff.min(OPEN), FLAT * tone.q_factor(), (rate, CELL));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_reached_in_equal_steps_and_can_turn_on_its_way() {
        let tone = |cutoff| Tone { cutoff, resonance: 0.0 };
        let mut glide = ToneGlide::at(tone(0.0));
        glide.follow(tone(-1200.0));
        for wanted in [-50.0, -100.0] {
            glide.step();
            assert_eq!(glide.now().cutoff, wanted);
        }
        glide.follow(tone(-108.0));
        for wanted in [-101.0, -102.0] {
            glide.step();
            assert_eq!(glide.now().cutoff, wanted, "never faster than the fewest cells");
        }
        (0..6).for_each(|_| glide.step());
        assert!(!glide.is_moving() && glide.now() == tone(-108.0));
    }
}
