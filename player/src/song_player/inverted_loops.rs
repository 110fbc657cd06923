use std::sync::Arc;

use engine::{Bank, PreparedRecording};
use song::{Planes, Recording, Sample, SampleIndex, Song};

/// The recordings of a song of which single frames are inverted while it plays: private copies, and what voices sound
/// them from.
#[derive(Clone, Debug)]
pub(crate) struct InvertedLoops {
    samples: Vec<Arc<Sample>>,
    prepared: Vec<PreparedRecording>,
}

impl InvertedLoops {
    /// Takes the recordings of a song as they are at its beginning; none if one is too long to be played.
    pub(crate) fn new(song: &Song) -> Option<Self> {
        let samples = song.samples().to_vec();
        let prepared =
            samples.iter().map(|sample| PreparedRecording::new(sample).ok()).collect::<Option<_>>()?;
        Some(Self { samples, prepared })
    }

    /// Returns a bank of the recordings as they are now; it shares all that it can with those before it.
    pub(crate) fn bank(&self) -> Arc<Bank> {
        Arc::new(Bank::of_recordings(self.prepared.clone(), Vec::new(), Arc::default()))
    }

    /// Inverts a frame of a recording of 8 bits; returns whether there is one.
    pub(crate) fn invert(&mut self, index: SampleIndex, frame: u64) -> bool {
        let Some(sample) = self.samples.get_mut(index.get()) else { return false };
        let Some(inverted) = inverted(sample, frame) else { return false };
        let (Some(place), Ok(prepared)) =
            (self.prepared.get_mut(index.get()), PreparedRecording::new(&inverted))
        else {
            return false;
        };
        (*sample, *place) = (Arc::new(inverted), prepared);
        true
    }
}

fn inverted(sample: &Sample, frame: u64) -> Option<Sample> {
    let Recording::I16(planes) = sample.recording() else { return None };
    let frame = usize::try_from(frame).ok()?;
    let mut planes: Vec<Vec<i16>> = planes.iter().map(<[i16]>::to_vec).collect();
    for plane in &mut planes {
        let value = plane.get_mut(frame)?;
        // −1 − the 8 bits above.
        *value = !(*value >> 8) << 8;
    }
    let recording = Recording::I16(Planes::new(planes).ok()?);
    let copy = Sample::new(sample.origin().clone(), recording, sample.width(), sample.rate());
    copy.with_loops(sample.loops().to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use fixtures::songs::{mono, of};

    use super::*;

    #[test]
    fn a_frame_is_inverted_by_its_upper_bits_and_back() {
        let song = of(vec![mono([0x1200, -0x3400, 0])]);
        let mut loops = InvertedLoops::new(&song).unwrap();
        let values = |loops: &InvertedLoops| match loops.samples[0].recording() {
            Recording::I16(planes) => planes.left().to_vec(),
            Recording::F32(_) => panic!("16 bits stay 16 bits"),
        };
        assert!(loops.invert(SampleIndex::new(0), 1) && loops.invert(SampleIndex::new(0), 2));
        assert_eq!(values(&loops), [0x1200, 0x3300, -0x100]);
        assert!(loops.invert(SampleIndex::new(0), 1) && loops.invert(SampleIndex::new(0), 2));
        assert_eq!(values(&loops), [0x1200, -0x3400, 0]);
        assert!(!loops.invert(SampleIndex::new(0), 3) && !loops.invert(SampleIndex::new(1), 0));
    }
}
