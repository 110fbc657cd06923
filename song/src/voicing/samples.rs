use super::{FrameRange, Voicing};
use crate::{Planes, Recording, Sample};

impl Voicing {
    /// Returns the frames of a recording that are played, without loops; none if all are.
    #[must_use]
    pub fn trimmed(&self, sample: &Sample) -> Option<Sample> {
        let trim = self.trim_of(sample.length())?;
        let recording = match sample.recording() {
            Recording::I16(planes) => Recording::I16(part(planes, trim)?),
            Recording::F32(planes) => Recording::F32(part(planes, trim)?),
        };
        let cut = Sample::new(sample.origin().clone(), recording, sample.width(), sample.rate());
        Some(match sample.root() {
            Some(root) => cut.with_root(root, sample.tuning()),
            None => cut,
        })
    }
}

/// Returns a range of the frames of planes.
fn part<T: Copy>(planes: &Planes<T>, range: FrameRange) -> Option<Planes<T>> {
    let part = |plane: &[T]| plane.get(range.start.index()..range.end.index()).map(<[T]>::to_vec);
    Planes::new(planes.iter().map(part).collect::<Option<_>>()?).ok()
}
