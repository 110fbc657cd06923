//! Which sample a key plays, and at which rate.

use song::Key;

use super::ItProcessor;
use super::rules::ItRules;
use crate::replay::period::{C4_PERIOD, S3M_CLOCK, s3m_period, uneven_period};
use crate::replay::score::Score;

/// A key as its instrument maps it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapped {
    pub(super) key: u8,
    /// As its sample plays it.
    pub(super) sounding: i32,
    pub(super) sample: usize,
    pub(super) c4_rate: f64,
    pub(super) hz: f64,
}

/// So little less than a whole number is one.
pub(super) const EPSILON: f64 = 1e-6;

impl ItRules {
    /// Returns the frames per second of a note, by those of C4.
    pub(super) fn note_hz(self, sounding: i32, c4_rate: f64) -> f64 {
        if self.rounds_amiga_periods && !self.is_linear {
            S3M_CLOCK / f64::from(s3m_period(sounding, c4_rate as u32).max(1))
        } else if self.has_uneven_notes {
            c4_rate * C4_PERIOD / uneven_period(sounding)
        } else {
            // The tracker counts whole frames per second.
            (c4_rate * (f64::from(sounding - 60) / 12.0).exp2() + EPSILON).floor()
        }
    }
}

impl ItProcessor {
    /// Returns whether a key of a channel's instrument plays no sample, not even an empty one.
    pub(super) fn is_void(&self, score: &Score, index: usize, key: u8) -> bool {
        let Some(instrument) = self.hosts.get(index).and_then(|host| host.instrument) else { return false };
        let instrument = score.module().instruments.get(instrument);
        let mapping = instrument.zip(Key::new(key).ok()).map(|(found, key)| found.keys.get(key));
        self.rules.has_instruments && mapping.is_none_or(|mapping| mapping.sample.is_none())
    }

    /// Returns what a key of a channel's instrument plays.
    pub(super) fn mapped(&self, score: &Score, index: usize, key: u8) -> Option<Mapped> {
        let host = self.hosts.get(index)?;
        let (sample, sounding) = if self.rules.has_instruments {
            let instrument = score.module().instruments.get(host.instrument?)?;
            let mapping = instrument.keys.get(Key::new(key).ok()?);
            (usize::from(mapping.sample?), i32::from(key) + i32::from(mapping.transpose))
        } else {
            (host.instrument?, i32::from(key))
        };
        score.recording(sample)?;
        let rate = score.sample(sample)?.tuning.c4_rate();
        let hz = self.rules.note_hz(sounding, rate);
        Some(Mapped { key, sounding, sample, c4_rate: rate, hz })
    }
}
