//! Recordings played otherwise than they were recorded: with another loop, or a part of their frames.

use song::{Frames, LoopOverride, SampleOverride, Zone};

use super::{PreparedSample, Tail};

/// One way to play a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Variant {
    pub(crate) looping: VariantLoop,
    /// The frames that are played: from the first to before the second; none if all are.
    pub(crate) trim: Option<(u32, u32)>,
}

/// What repeats of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum VariantLoop {
    /// Its own loop, if it has one.
    #[default]
    Own,
    /// Nothing, though it has a loop.
    Plain,
    /// All that is played of it, which has no loop.
    Whole,
    /// The frames from the first to before the second.
    Range(u32, u32),
}

impl Variant {
    /// A recording without a loop of its own, repeated from its first frame to its last.
    pub(crate) const WHOLE: Self = Self { looping: VariantLoop::Whole, trim: None };

    /// Returns how a zone of an instrument plays a recording.
    pub(crate) fn of(how: SampleOverride, zone: &Zone, recording: &PreparedSample) -> Self {
        let has_loop = recording.tail == Tail::Looped;
        let looping = match how.looping {
            Some(LoopOverride::Off) if has_loop => VariantLoop::Plain,
            Some(LoopOverride::On) if !has_loop => VariantLoop::Whole,
            Some(LoopOverride::Range(start, end)) => frames_within(start, end, recording.length)
                .map_or(VariantLoop::Own, |(start, end)| VariantLoop::Range(start, end)),
            None if zone.loops_whole() && !has_loop => VariantLoop::Whole,
            _ => VariantLoop::Own,
        };
        let trim = how.trim.and_then(|(start, end)| frames_within(start, end, recording.length));
        Self { looping, trim: trim.filter(|trim| *trim != (0, recording.length)) }
    }
}

/// Returns a range of frames, if a recording of so many has it.
fn frames_within(start: Frames, end: Frames, length: u32) -> Option<(u32, u32)> {
    let range = (u32::try_from(start.get()).ok()?, u32::try_from(end.get()).ok()?);
    (range.0 < range.1 && range.1 <= length).then_some(range)
}
