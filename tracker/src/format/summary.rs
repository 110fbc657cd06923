use super::view::ModuleHead;
use super::{ModuleFormat, Raw};

/// What a module is, in a few words and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleSummary {
    /// Its format.
    pub format: ModuleFormat,
    /// May be empty.
    pub title: String,
    /// Which program wrote it, with its version if that is known; "unknown" if nothing is.
    pub writer: String,
    /// Channels in use.
    pub channels: usize,
    /// Orders without the ends after the last.
    pub orders: usize,
    /// Patterns.
    pub patterns: usize,
    /// Rows of the shortest and of the longest pattern; none without patterns.
    pub rows: Option<(usize, usize)>,
    /// Instruments; none where cells name samples.
    pub instruments: usize,
    /// Slots for samples, empty ones too.
    pub samples: usize,
    /// Ticks of a row at the beginning.
    pub speed: u16,
    /// Beats per minute at the beginning.
    pub tempo: u16,
    /// What its author wrote; may be empty.
    pub message: String,
}

impl Raw {
    /// Returns what it is, in a few words and numbers.
    #[must_use]
    pub fn summary(&self) -> ModuleSummary {
        let parts = self.view();
        let ModuleHead { title, writer, globals, channels, orders, message, .. } = parts.head();
        let last = orders.iter().rposition(|order| *order != song::module::Order::End);
        let rows = parts.rows();
        ModuleSummary {
            format: self.format(),
            title,
            writer: writer.name,
            channels: channels.len(),
            orders: last.map_or(0, |last| last.saturating_add(1)),
            patterns: rows.len(),
            rows: rows.iter().min().zip(rows.iter().max()).map(|(least, most)| (*least, *most)),
            instruments: parts.instrument_count(),
            samples: parts.slots().len(),
            speed: globals.speed,
            tempo: globals.tempo,
            message,
        }
    }

    /// Returns which format it has.
    #[must_use]
    pub const fn format(&self) -> ModuleFormat {
        match self {
            Self::Protracker(_) => ModuleFormat::Protracker,
            Self::S3m(_) => ModuleFormat::S3m,
            Self::Xm(_) => ModuleFormat::Xm,
            Self::It(_) => ModuleFormat::It,
        }
    }
}
