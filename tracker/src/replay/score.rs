use super::{backward, vblank};
use song::module::{Cell, Dialect, EffectCommand, Module, Order, Pattern, Sample, SampleSource};
use song::{FmPatch, LoopMode, LoopRange, SampleIndex, Song};

/// A module and what replaying it has to know of its recordings.
#[derive(Clone, Debug)]
pub struct Score {
    module: Module,
    /// By index of the module's sample; none where nothing is recorded.
    recordings: Vec<Option<ScoreRecording>>,
    /// The same backwards; empty unless the module plays any so.
    backwards: Vec<Option<ScoreRecording>>,
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

    /// Returns the same from the end to the beginning, which is another recording.
    fn backwards(self, index: SampleIndex) -> Self {
        let mirrored = |range: FrameLoop| FrameLoop {
            start: self.length.saturating_sub(range.end),
            end: self.length.saturating_sub(range.start),
            mode: range.mode,
        };
        Self { index, held: self.held.map(mirrored), released: self.released.map(mirrored), ..self }
    }
}

/// Returns a module with what only playing it shows.
fn settled(mut module: Module) -> Module {
    module.globals.compat.vblank_timing = vblank::is_timed_by_vblank(&module);
    module
}

impl Score {
    /// Takes the module of a song, whose recordings are played forwards only; [`prepare`](Self::prepare) plays them
    /// backwards where cells say so.
    #[must_use]
    pub fn new(song: &Song) -> Self {
        let module = settled(song.module().clone());
        let recordings = module.samples.iter().map(|sample| {
            let SampleSource::Recorded(index) = sample.source else { return None };
            let length = song.samples().get(index.get())?.length().get();
            let plain = sample.loop_range.as_ref().map(FrameLoop::from);
            let held = sample.sustain_loop.as_ref().map(FrameLoop::from).or(plain);
            Some(ScoreRecording { index, length, held, released: plain })
        });
        let recordings = recordings.collect();
        Self { module, recordings, backwards: Vec::new() }
    }

    /// Takes the module of a song. Where its cells play recordings backwards, these are added to the song, which then
    /// takes up to twice the memory.
    #[must_use]
    pub fn prepare(song: Song) -> (Self, Song) {
        let mut score = Self::new(&song);
        if !backward::is_used(&score.module) {
            return (score, song);
        }
        let (song, indices) = backward::added(&song);
        let backwards = score.recordings.iter().map(|recording| {
            let recording = (*recording)?;
            Some(recording.backwards(*indices.get(&recording.index)?))
        });
        score.backwards = backwards.collect();
        (score, song)
    }

    /// Takes a module without its recordings: enough to follow its way through orders and rows.
    #[must_use]
    pub fn silent(module: Module) -> Self {
        Self::of_rows(settled(module))
    }

    /// Takes a module as it is, without its recordings.
    pub(super) fn of_rows(module: Module) -> Self {
        let recordings = vec![None; module.samples.len()];
        Self { module, recordings, backwards: Vec::new() }
    }

    /// Returns whether any cell inverts the loop of a sample (`EFx` of `ProTracker`).
    #[must_use]
    pub fn inverts_loops(&self) -> bool {
        let mut cells = self.module.patterns.iter().flat_map(Pattern::cells);
        self.module.dialect == Dialect::ProTracker
            && cells.any(|cell| {
                cell.effect.is_some_and(|effect| {
                    effect.command == EffectCommand::Extended && effect.parameter > 0xF0
                })
            })
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

    /// Returns what a sample without a recording is synthesised from.
    pub(crate) fn fm_patch(&self, index: usize) -> Option<FmPatch> {
        match self.sample(index)?.source {
            SampleSource::Synthesised(patch) => Some(patch),
            SampleSource::Silent | SampleSource::Recorded(_) => None,
        }
    }

    /// Returns the recording of a sample as it is played backwards; none unless that was prepared.
    pub(crate) fn backwards(&self, index: usize) -> Option<ScoreRecording> {
        self.backwards.get(index).copied().flatten()
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
