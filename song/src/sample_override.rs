use crate::Frames;

/// How an instrument plays its recordings, whatever its zones and samples say. The default changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleOverride {
    /// How they repeat; none if as the zones and samples say.
    pub looping: Option<LoopOverride>,
    /// The first frame they are played from, and the first that is not played any more. A loop that is not wholly
    /// within does not repeat. Recordings that end before that stay whole.
    pub trim: Option<(Frames, Frames)>,
}

/// How an instrument repeats, whatever its zones and samples say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopOverride {
    /// It plays through.
    Off,
    /// Each of its recordings repeats in its own loop, or from its first frame to its last.
    On,
    /// Its recordings repeat forwards from one frame to before another; those that are shorter stay as they are.
    Range(Frames, Frames),
}

impl From<LoopOverride> for SampleOverride {
    fn from(looping: LoopOverride) -> Self {
        Self { looping: Some(looping), trim: None }
    }
}
