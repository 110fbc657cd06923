//! Building blocks of the effects: delay lines, read heads that crossfade, coefficients that glide.

use crate::rt::grid::CELL;
use crate::rt::ramp::Ramp;

/// A delay line: a ring of the latest values.
#[derive(Debug)]
pub(super) struct DelayLine {
    values: Box<[f32]>,
    /// Index of the next value to be written.
    at: usize,
    /// Values written since it was cleared, at most its size. Older ones are read as silence, so that clearing takes
    /// no time.
    filled: usize,
}

impl DelayLine {
    /// Creates a silent line of `frames` values. All of them are written once, so that the audio thread is not the
    /// first to touch a page of memory.
    ///
    /// # Real-time
    /// Never: takes memory.
    #[expect(clippy::disallowed_methods, reason = "made before there is an audio thread")]
    pub(super) fn new(frames: usize) -> Self {
        let values = (0..frames).map(|_| std::hint::black_box(0.0)).collect();
        Self { values, at: 0, filled: 0 }
    }

    /// Returns its size in values.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn size(&self) -> usize {
        self.values.len()
    }

    /// # Real-time
    /// Safe.
    pub(super) const fn clear(&mut self) {
        self.filled = 0;
    }

    /// Reads values in the order they were written, beginning `back` values before the next to be written. `back` is at
    /// least the length of `out`, and at most the size of the line.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn read(&self, back: usize, out: &mut [f32]) {
        let silent = back.saturating_sub(self.filled).min(out.len());
        let Some((silence, out)) = out.split_at_mut_checked(silent) else { return };
        silence.fill(0.0);
        let from = (self.at + self.size() - back.min(self.size()) + silent) % self.size().max(1);
        let first = self.values.get(from..).unwrap_or_default();
        let Some((out, wrapped)) = out.split_at_mut_checked(first.len().min(out.len())) else { return };
        copy(first, out);
        copy(&self.values, wrapped);
    }

    /// # Real-time
    /// Safe.
    pub(super) fn write(&mut self, values: &[f32]) {
        let room = self.size() - self.at;
        let Some((now, wrapped)) = values.split_at_checked(room.min(values.len())) else { return };
        copy(now, self.values.get_mut(self.at..).unwrap_or_default());
        copy(wrapped, &mut self.values);
        self.at = (self.at + values.len()) % self.size().max(1);
        self.filled = (self.filled + values.len()).min(self.size());
    }

    /// Returns the values that were written since it was cleared.
    #[cfg(test)]
    pub(super) fn written(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.filled];
        self.read(self.filled, &mut values);
        values
    }
}

fn copy(from: &[f32], to: &mut [f32]) {
    for (from, to) in from.iter().zip(to) {
        *to = *from;
    }
}

/// A read position of delay lines, in frames before the one to be written. A change is a crossfade between both
/// positions: nothing jumps, and no pitch changes.
#[derive(Debug)]
pub(super) struct ReadHead {
    from: usize,
    to: usize,
    /// The position of the next crossfade.
    next: usize,
    fade: Ramp,
}

impl ReadHead {
    /// Creates a head at a position.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn at(frames: usize) -> Self {
        Self { from: frames, to: frames, next: frames, fade: Ramp::constant(1.0) }
    }

    /// Crossfades to another position within `length` frames, after the present crossfade if there is one.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn move_to(&mut self, frames: usize, length: u32) {
        self.next = frames;
        if self.fade.remaining() == 0 {
            self.begin(length);
        }
    }

    fn begin(&mut self, length: u32) {
        self.from = self.to;
        if self.next != self.to {
            self.to = self.next;
            self.fade = Ramp::new(0.0, 1.0, length);
        }
    }

    /// Returns the earliest position that it reads from, or will.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn reach(&self) -> usize {
        self.from.max(self.to).max(self.next)
    }

    /// Returns the number of frames until its crossfade ends, if there is one.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn remaining(&self) -> Option<usize> {
        match self.fade.remaining() {
            0 => None,
            frames => Some(frames as usize),
        }
    }

    /// Moves to its last position at once.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn settle(&mut self) {
        *self = Self::at(self.next);
    }

    /// Reads frames that begin `lead` frames before its position: a cell at most, and no more than
    /// [`remaining`](Self::remaining).
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn read(&self, line: &DelayLine, lead: usize, out: &mut [f32]) {
        line.read(lead + self.to, out);
        if self.fade.remaining() == 0 {
            return;
        }
        let mut old = [0.0; CELL];
        let old = old.get_mut(..out.len()).unwrap_or_default();
        line.read(lead + self.from, old);
        let fade = self.fade.line();
        for ((out, old), i) in out.iter_mut().zip(old).zip(fade.at..) {
            let level = fade.from + fade.slope * i as f32;
            *out = *old * (1.0 - level) + *out * level;
        }
    }

    /// Moves on by the frames that were read of each side, and begins the next crossfade of `length` frames if due.
    ///
    /// # Real-time
    /// Safe.
    pub(super) fn advance(&mut self, frames: usize, length: u32) {
        if self.fade.remaining() == 0 {
            return;
        }
        self.fade.advance(frames);
        if self.fade.remaining() == 0 {
            self.begin(length);
        }
    }
}

/// Coefficients that go to others in straight lines, all at the same time.
#[derive(Debug)]
pub(super) struct Glide<const N: usize> {
    from: [f32; N],
    to: [f32; N],
    ramp: Ramp,
}

impl<const N: usize> Glide<N> {
    /// # Real-time
    /// Safe.
    pub(super) const fn at(values: [f32; N]) -> Self {
        Self { from: values, to: values, ramp: Ramp::constant(1.0) }
    }

    /// # Real-time
    /// Safe.
    pub(super) fn set(&mut self, to: [f32; N], length: u32) {
        *self = Self { from: self.values(0), to, ramp: Ramp::new(0.0, 1.0, length) };
    }

    /// Returns the number of frames until they are level, if they are not.
    ///
    /// # Real-time
    /// Safe.
    pub(super) const fn remaining(&self) -> Option<usize> {
        match self.ramp.remaining() {
            0 => None,
            frames => Some(frames as usize),
        }
    }

    /// Returns the coefficients at one of the next [`remaining`](Self::remaining) frames, or at any once they are
    /// level.
    ///
    /// # Real-time
    /// Safe.
    #[inline]
    pub(super) fn values(&self, frame: u32) -> [f32; N] {
        let line = self.ramp.line();
        if line.slope == 0.0 {
            return self.to;
        }
        let level = line.from + line.slope * (line.at + frame) as f32;
        let mut values = self.from;
        for (value, to) in values.iter_mut().zip(self.to) {
            *value += (to - *value) * level;
        }
        values
    }

    /// # Real-time
    /// Safe.
    pub(super) fn advance(&mut self, frames: usize) {
        self.ramp.advance(frames);
    }

    /// # Real-time
    /// Safe.
    pub(super) const fn settle(&mut self) {
        *self = Self::at(self.to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &DelayLine, back: usize, frames: usize) -> Vec<f32> {
        let mut out = vec![9.0; frames];
        line.read(back, &mut out);
        out
    }

    #[test]
    fn a_line_gives_back_what_was_written_and_silence_from_before() {
        let mut line = DelayLine::new(5);
        line.write(&[1.0, 2.0, 3.0]);
        assert_eq!(read(&line, 5, 5), [0.0, 0.0, 1.0, 2.0, 3.0]);
        line.write(&[4.0, 5.0, 6.0]);
        assert_eq!(read(&line, 5, 5), [2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(read(&line, 3, 2), [4.0, 5.0]);
    }

    #[test]
    fn a_line_that_was_cleared_has_forgotten_everything() {
        let mut line = DelayLine::new(4);
        line.write(&[1.0, 2.0, 3.0, 4.0]);
        line.clear();
        assert_eq!(read(&line, 4, 4), [0.0; 4]);
        line.write(&[5.0]);
        assert_eq!(read(&line, 4, 4), [0.0, 0.0, 0.0, 5.0]);
    }

    #[test]
    fn a_head_that_moves_crossfades_from_one_position_to_the_next() {
        let mut line = DelayLine::new(16);
        line.write(&[1.0; 8]);
        line.write(&[0.0; 8]);
        let mut head = ReadHead::at(8);
        head.move_to(16, 4);
        head.move_to(8, 4);
        let mut heard = Vec::new();
        for _ in 0..9 {
            let mut out = [9.0];
            head.read(&line, 0, &mut out);
            heard.push(out[0]);
            head.advance(1, 4);
        }
        assert_eq!(heard, [0.0, 0.25, 0.5, 0.75, 1.0, 0.75, 0.5, 0.25, 0.0]);
        assert_eq!(head.remaining(), None);
    }

    #[test]
    fn numbers_glide_in_straight_lines_and_turn_where_they_are() {
        let mut glide = Glide::at([0.0, 8.0]);
        glide.set([4.0, 4.0], 4);
        assert_eq!(glide.values(1), [1.0, 7.0]);
        glide.advance(2);
        assert_eq!((glide.values(1), glide.remaining()), ([3.0, 5.0], Some(2)));
        glide.set([2.0, 6.0], 4);
        glide.advance(4);
        assert_eq!((glide.values(0), glide.remaining()), ([2.0, 6.0], None));
    }
}
