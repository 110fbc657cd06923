use song::module::{Cell, Module, Order, Pattern, Sample, SampleSource};
use song::{LoopMode, LoopRange, SampleIndex, Song};

/// A module and what replaying it has to know of its recordings.
#[derive(Clone, Debug)]
pub struct Score {
    module: Module,
    /// By index of the module's sample; none where nothing is recorded.
    recordings: Vec<Option<ScoreRecording>>,
}

/// A recording that a sample of the module sounds by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreRecording {
    pub(crate) index: SampleIndex,
    /// In frames, at least one.
    pub(crate) length: u64,
    pub(crate) held: Option<FrameLoop>,
    /// What repeats once the key is released; as above, if it has no sustain loop.
    pub(crate) released: Option<FrameLoop>,
}

/// Frames that repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameLoop {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) mode: LoopMode,
}

impl From<&LoopRange> for FrameLoop {
    fn from(range: &LoopRange) -> Self {
        Self { start: range.start().get(), end: range.end().get(), mode: range.mode() }
    }
}

impl ScoreRecording {
    pub(crate) const fn active_loop(&self, is_released: bool) -> Option<FrameLoop> {
        if is_released { self.released } else { self.held }
    }
}

impl Score {
    /// Takes the module of a song.
    #[must_use]
    pub fn new(song: &Song) -> Self {
        let module = song.module().clone();
        let recordings = module.samples.iter().map(|sample| {
            let SampleSource::Recorded(index) = sample.source else { return None };
            let length = song.samples().get(index.get())?.length().get();
            let plain = sample.loop_range.as_ref().map(FrameLoop::from);
            let held = sample.sustain_loop.as_ref().map(FrameLoop::from).or(plain);
            Some(ScoreRecording { index, length, held, released: plain })
        });
        let recordings = recordings.collect();
        Self { module, recordings }
    }

    /// Takes a module without its recordings: enough to follow its way through orders and rows.
    #[must_use]
    pub fn silent(module: Module) -> Self {
        let recordings = vec![None; module.samples.len()];
        Self { module, recordings }
    }

    /// Returns the module.
    #[must_use]
    pub const fn module(&self) -> &Module {
        &self.module
    }

    pub(crate) fn sample(&self, index: usize) -> Option<&Sample> {
        self.module.samples.get(index)
    }

    pub(crate) fn recording(&self, index: usize) -> Option<ScoreRecording> {
        self.recordings.get(index).copied().flatten()
    }

    pub(crate) fn pattern(&self, order: usize) -> Option<&Pattern> {
        match self.module.orders.get(order)? {
            Order::Pattern(number) => self.module.patterns.get(usize::from(*number)),
            Order::Skip | Order::End => None,
        }
    }

    /// Returns the rows of the pattern of an order; one that is not there has 64 empty ones.
    pub(crate) fn rows(&self, order: usize) -> usize {
        self.pattern(order).map_or(Pattern::ROWS, Pattern::rows)
    }

    /// Returns a cell of the pattern of an order; an empty one where there is none.
    #[must_use]
    pub fn cell(&self, order: usize, row: usize, channel: usize) -> Cell {
        self.pattern(order).map(|pattern| pattern.cell(row, channel)).unwrap_or_default()
    }
}
