use std::io::{self, Write};

use song::{LoopMode, Recording, Sample};

/// The least a loop may have, and the frames around it that must fit.
const SHORTEST_LOOP: usize = 32;
const AROUND: usize = 8;

/// The frames of a sample as they are written: with its loop as the format wants it.
pub(super) struct Frames<'s> {
    sample: &'s Sample,
    /// Where the frames of the sample repeat, and whether back as well.
    source: Option<(usize, usize, LoopMode)>,
    /// The loop as it is written, half-open.
    pub(super) looping: Option<(usize, usize)>,
    /// Frames written of each channel.
    pub(super) length: usize,
}

impl<'s> Frames<'s> {
    /// With the sample's own loop, or if it is to be endless and has none, with one over all of it.
    pub(super) fn of(sample: &'s Sample, is_endless: bool) -> Self {
        let length = sample.length().index();
        let own = sample.loops().first().map(|l| (l.start().index(), l.end().index(), l.mode()));
        let Some((start, end, mode)) = own.or(is_endless.then_some((0, length, LoopMode::Forward))) else {
            return Self { sample, source: None, looping: None, length };
        };
        let period = match mode {
            LoopMode::Forward => end - start,
            LoopMode::PingPong => 2 * (end - start),
        };
        let first = start.max(AROUND);
        let last = first + period * SHORTEST_LOOP.div_ceil(period);
        Self { sample, source: Some((start, end, mode)), looping: Some((first, last)), length: last + AROUND }
    }

    pub(super) const fn sample(&self) -> &'s Sample {
        self.sample
    }

    pub(super) fn channels(&self) -> usize {
        self.sample.recording().channels()
    }

    /// The frame of the sample that is written at a place.
    fn frame(&self, at: usize) -> usize {
        match self.source {
            Some((start, end, mode)) if at >= end => {
                let length = end - start;
                match mode {
                    LoopMode::Forward => start + (at - start) % length,
                    LoopMode::PingPong => {
                        let within = (at - start) % (2 * length);
                        start + within.min(2 * length - 1 - within)
                    }
                }
            }
            _ => at,
        }
    }

    pub(super) fn write(&self, plane: usize, out: &mut impl Write) -> io::Result<()> {
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
