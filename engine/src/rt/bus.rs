/// Frames rendered in one go, whatever a device asks for: few enough for the first-level cache.
pub(crate) const MAX_BLOCK: usize = 256;

/// A mix bus: one plane for each side. Begins with a cache line, so that vectors lie within one.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Bus {
    left: [f32; MAX_BLOCK],
    right: [f32; MAX_BLOCK],
}

impl Bus {
    pub(crate) const fn new() -> Self {
        Self { left: [0.0; MAX_BLOCK], right: [0.0; MAX_BLOCK] }
    }

    /// Returns the frames `from..from + frames` of both planes; fewer if the bus has not so many.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn part(&mut self, from: usize, frames: usize) -> (&mut [f32], &mut [f32]) {
        fn part(plane: &mut [f32], from: usize, frames: usize) -> &mut [f32] {
            let end = from.saturating_add(frames).min(plane.len());
            plane.get_mut(from..end).unwrap_or_default()
        }
        (part(&mut self.left, from, frames), part(&mut self.right, from, frames))
    }

    /// # Real-time
    /// Safe.
    pub(crate) fn clear(&mut self, frames: usize) {
        let (left, right) = self.part(0, frames);
        left.fill(0.0);
        right.fill(0.0);
    }

    /// Writes the first frames interleaved, for a device of some channels: one gets the mean of both sides; of more
    /// than two the first two get left and right and the others silence. Values after the last whole frame become
    /// silence.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn interleave(&self, out: &mut [f32], channels: usize) {
        let sides = self.left.iter().zip(&self.right);
        if channels == 2 {
            let (frames, rest) = out.as_chunks_mut();
            for ([first, second], (&left, &right)) in frames.iter_mut().zip(sides) {
                (*first, *second) = (left, right);
            }
            rest.fill(0.0);
            return;
        }
        let mut frames = out.chunks_exact_mut(channels.max(1));
        for (frame, (&left, &right)) in frames.by_ref().zip(sides) {
            match frame {
                [mono] => *mono = (left + right) * 0.5,
                [first, second, others @ ..] => {
                    (*first, *second) = (left, right);
                    others.fill(0.0);
                }
                [] => {}
            }
        }
        frames.into_remainder().fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_frames() -> Bus {
        let mut bus = Bus::new();
        let (left, right) = bus.part(0, 3);
        left.copy_from_slice(&[1.0, 2.0, 3.0]);
        right.copy_from_slice(&[5.0, 6.0, 7.0]);
        bus
    }

    #[test]
    fn every_number_of_channels_is_filled() {
        let filled = |channels, length| {
            let mut out = [9.0; 12];
            three_frames().interleave(&mut out[..length], channels);
            out
        };
        assert_eq!(filled(1, 3)[..3], [3.0, 4.0, 5.0]);
        assert_eq!(filled(2, 6)[..6], [1.0, 5.0, 2.0, 6.0, 3.0, 7.0]);
        assert_eq!(filled(4, 12), [1.0, 5.0, 0.0, 0.0, 2.0, 6.0, 0.0, 0.0, 3.0, 7.0, 0.0, 0.0]);
    }

    #[test]
    fn values_that_are_no_whole_frame_are_silent() {
        let mut out = [9.0; 5];
        three_frames().interleave(&mut out, 2);
        assert_eq!(out, [1.0, 5.0, 2.0, 6.0, 0.0]);
    }
}
