use std::num::NonZeroU16;

use song::module::{
    self, CellNote, Channel, CompatFlags, Dialect, Effect, EffectCommand, FrequencyMode, Globals, Level,
    Order, SampleSource, SampleTuning,
};
use song::{Invalid, LoopMode, LoopRange, Pan};

use super::program::has_sample_run;
use super::{Cell, ModModule, ROWS, Sample};
use crate::format::view::{ModuleHead, ModuleView, SampleSlot, TextEncoding, cells, looping, text};

const DIALECT: Dialect = Dialect::ProTracker;

impl From<Cell> for module::Cell {
    fn from(cell: Cell) -> Self {
        let Cell { sample, period, effect, parameter } = cell;
        Self {
            note: NonZeroU16::new(period).map_or(CellNote::None, CellNote::Period),
            instrument: (sample > 0).then_some(sample.into()),
            volume: None,
            effect: (effect > 0 || parameter > 0)
                .then(|| Effect { command: EffectCommand::from_number(DIALECT, effect), parameter }),
        }
    }
}

impl Cell {
    /// Returns the cell as it is stored; none if the format cannot store it.
    #[must_use]
    pub fn from_song(cell: module::Cell) -> Option<Self> {
        let period = match cell.note {
            CellNote::None => 0,
            CellNote::Period(period) => period.get(),
            _ => return None,
        };
        let (effect, parameter) = match cell.effect {
            Some(Effect { command, parameter }) => (command.number(DIALECT)?, parameter),
            None => (0, 0),
        };
        let sample = u8::try_from(cell.instrument.unwrap_or(0)).ok()?;
        cell.volume.is_none().then_some(Self { sample, period, effect, parameter })
    }
}

impl ModuleView for ModModule {
    fn head(&self) -> ModuleHead {
        let header = &self.header;
        let length = usize::from(header.length);
        let played = header.orders.get(..length).unwrap_or(&header.orders);
        // Without a tag the byte is a tempo of the first trackers.
        let restart = header.tag.map(|_| u16::from(header.restart)).filter(|at| usize::from(*at) < length);
        ModuleHead {
            title: text(&header.title, TextEncoding::Amiga),
            dialect: DIALECT,
            writer: self.writer(),
            globals: Globals {
                frequency_mode: FrequencyMode::Amiga,
                compat: CompatFlags {
                    is_for_amiga: self.is_for_amiga(),
                    has_word_loops: self.has_word_loops(),
                    has_sample_runs: self.patterns.iter().any(has_sample_run),
                    narrow_pans: self.has_narrow_pans(),
                    ..CompatFlags::default()
                },
                ..Globals::default()
            },
            channels: (0..header.channels).map(|channel| Channel::at(side(channel))).collect(),
            orders: played.iter().map(|order| Order::Pattern(header.pattern_of(*order))).collect(),
            restart: restart.filter(|at| *at > 0),
            message: String::new(),
            macros: None,
        }
    }

    fn slots(&self) -> Vec<SampleSlot<'_>> {
        self.samples.iter().map(Sample::slot).collect()
    }

    fn samples(&self) -> Vec<module::Sample> {
        let samples = self.samples.iter().map(|sample| module::Sample {
            name: text(&sample.name, TextEncoding::Amiga),
            volume: Level::from_64(sample.volume),
            tuning: SampleTuning::Finetune(eighths(sample.finetune)),
            loop_range: sample.looping(),
            ..module::Sample::silent(SampleSource::Silent)
        });
        samples.collect()
    }

    fn rows(&self) -> Vec<usize> {
        self.patterns.iter().map(|_| ROWS).collect()
    }

    fn pattern(&self, number: usize) -> Option<Result<module::Pattern, Invalid>> {
        let pattern = self.patterns.get(number)?;
        Some(module::Pattern::new(ROWS, pattern.channels.into(), cells(&pattern.cells)))
    }

    fn cells(&self) -> usize {
        self.patterns.iter().map(|pattern| pattern.cells.len()).fold(0, usize::saturating_add)
    }
}

impl Sample {
    const fn slot(&self) -> SampleSlot<'_> {
        // A word of length stands for none.
        SampleSlot::of(self.frames.as_ref(), if self.length > 1 { 1 } else { 0 })
    }

    fn looping(&self) -> Option<LoopRange> {
        let frames = self.slot().length();
        let [start, length] = [self.loop_start, self.loop_length].map(u64::from);
        let length = length.saturating_mul(2);
        if length <= 2 {
            return None;
        }
        let doubled = start.saturating_mul(2);
        let reaches = |start: u64| start.saturating_add(length) > frames;
        // Some of the first trackers have the start in bytes.
        let start = if reaches(doubled) && !reaches(start) { start } else { doubled };
        looping(start, start.saturating_add(length), frames, LoopMode::Forward)
    }
}

/// Returns four bits with a sign.
const fn eighths(finetune: u8) -> i8 {
    i8::from_le_bytes([finetune << 4]) >> 4
}

/// Returns the pan of a channel: left, right, right, left.
fn side(channel: u8) -> Pan {
    let side = if matches!(channel & 3, 0 | 3) { -1.0 } else { 1.0 };
    Pan::new(side).unwrap_or_default()
}
