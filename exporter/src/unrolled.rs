//! A recording whose loop is written out until every reader can play it: forward, not too short, with frames before and
//! after that are those at the other end of the loop. After a loop that the release of the key ends comes what follows
//! it in the recording.

use std::io::{self, Write};

use song::{AfterRelease, LoopCount, LoopMode, LoopRange, Planes, Recording, Sample};

/// The least a loop may have, and the frames around it that must fit.
const SHORTEST_LOOP: usize = 32;
const AROUND: usize = 8;

/// The frames of a sample as they are written: with its loop as the format wants it.
pub(crate) struct UnrolledSample<'s> {
    sample: &'s Sample,
    /// Where the frames of the sample repeat, and whether back as well.
    source: Option<(usize, usize, LoopMode)>,
    /// The loop as it is written, half-open.
    pub(crate) looping: Option<(usize, usize)>,
    /// Whether a released note leaves the loop and plays what follows it.
    pub(crate) is_left: bool,
    /// Frames written of each channel.
    pub(crate) length: usize,
}

impl<'s> UnrolledSample<'s> {
    /// With the sample's own loop, or if it is to be endless and has none, with one over all of it.
    pub(crate) fn of(sample: &'s Sample, is_endless: bool) -> Self {
        let length = sample.length().index();
        let own = sample.loops().first().map(|l| (l.start().index(), l.end().index(), l.mode()));
        let Some((start, end, mode)) = own.or(is_endless.then_some((0, length, LoopMode::Forward))) else {
            return Self { sample, source: None, looping: None, is_left: false, length };
        };
        let period = mode.period((end - start) as u64) as usize;
        let first = start.max(AROUND);
        let last = first + period * SHORTEST_LOOP.div_ceil(period);
        let is_left = AfterRelease::of(sample.loops()) == AfterRelease::End;
        let rest = if is_left { length - end } else { 0 };
        let length = last + rest.max(AROUND);
        Self { sample, source: Some((start, end, mode)), looping: Some((first, last)), is_left, length }
    }

    /// Returns whether it differs from the sample.
    pub(crate) fn is_rewritten(&self) -> bool {
        self.source.is_some_and(|(start, end, mode)| Self::differs(start, end, mode))
    }

    /// Returns whether a loop is not written as it is.
    pub(crate) const fn differs(start: usize, end: usize, mode: LoopMode) -> bool {
        !matches!(mode, LoopMode::Forward) || start < AROUND || end - start < SHORTEST_LOOP
    }

    /// As a sample of its own.
    pub(crate) fn to_sample(&self) -> Option<Sample> {
        let recording = match self.sample.recording() {
            Recording::I16(planes) => Recording::I16(self.planes(planes)?),
            Recording::F32(planes) => Recording::F32(self.planes(planes)?),
        };
        let own = self.sample;
        let sample = Sample::new(own.origin().clone(), recording, own.width(), own.rate());
        let sample = match own.root() {
            Some(root) => sample.with_root(root, own.tuning()),
            None => sample,
        };
        let frame = |frame: usize| song::Frames::new(frame as u64);
        let looping = self.looping.and_then(|(start, end)| {
            LoopRange::new(frame(start), frame(end), sample.length(), LoopMode::Forward, LoopCount::Forever)
                .ok()
        });
        sample.with_loops(looping.into_iter().collect()).ok()
    }

    fn planes<T: Copy + Default>(&self, planes: &Planes<T>) -> Option<Planes<T>> {
        let written = |plane: &[T]| -> Vec<T> {
            (0..self.length).map(|at| plane.get(self.frame(at)).copied().unwrap_or_default()).collect()
        };
        Planes::new(planes.iter().map(written).collect()).ok()
    }

    pub(crate) const fn sample(&self) -> &'s Sample {
        self.sample
    }

    pub(crate) fn channels(&self) -> usize {
        self.sample.recording().channels()
    }

    /// Returns the frame of the sample that is written at an index; after its end the last one.
    fn frame(&self, at: usize) -> usize {
        let Some((start, end, mode)) = self.source else { return at };
        match self.looping {
            Some((_, last)) if self.is_left && at >= last => {
                (end + at - last).min(self.sample.length().index().saturating_sub(1))
            }
            _ => mode.fold(start as u64, end as u64, at as u64).0 as usize,
        }
    }

    pub(crate) fn write(&self, plane: usize, out: &mut impl Write) -> io::Result<()> {
        const BLOCK: usize = 4096;
        let mut bytes = Vec::with_capacity(2 * BLOCK);
        for begin in (0..self.length).step_by(BLOCK) {
            bytes.clear();
            for at in begin..self.length.min(begin + BLOCK) {
                bytes.extend(self.value(plane, self.frame(at)).to_le_bytes());
            }
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    fn value(&self, plane: usize, frame: usize) -> i16 {
        match self.sample.recording() {
            Recording::I16(planes) => planes.iter().nth(plane).map_or(0, |values| values[frame]),
            Recording::F32(planes) => {
                let value = planes.iter().nth(plane).map_or(0.0, |values| values[frame]);
                // The cast saturates.
                (value * 32_768.0).round() as i16
            }
        }
    }
}
