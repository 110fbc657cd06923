//! What banks of samplers have in common: errors with a place, and counts of what is not played.

mod sends;

use std::collections::BTreeMap;
use std::fmt;

use song::{Recording, Width};
use unreal::Source;
use unreal::ue1to3::bulk::Payload;

use crate::budget::{DecodeBudget, WorkBudget};
use crate::payload_reader::PayloadReader;
use crate::{Error, Format, Remark, codec};
pub(crate) use sends::ReverbSends;

/// What is wrong with a bank of a sampler, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankError {
    /// Table and offset, or file and line.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for BankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for BankError {}

/// What a bank has that is not played, each once, with how often.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotPlayed(BTreeMap<String, usize>);

impl NotPlayed {
    /// How many different ones are told apart; a bank may make up any number of names.
    const MOST: usize = 200;

    /// Counts one more.
    pub(crate) fn count(&mut self, what: &str) {
        self.add(what, 1);
    }

    /// Counts any number more.
    pub(crate) fn add(&mut self, what: &str, number: usize) {
        if number == 0 {
            return;
        }
        if let Some(count) = self.0.get_mut(what) {
            *count = count.saturating_add(number);
        } else if self.0.len() < Self::MOST {
            self.0.insert(what.to_owned(), number);
        }
    }

    /// Returns a remark for each: `eq1_gain: 12 regions, not played`.
    pub(crate) fn remarks(&self, file: &str, of: &str) -> Vec<Remark> {
        let text = |(what, count): (&String, &usize)| {
            let plural = if *count == 1 { "" } else { "s" };
            Remark::new(file, format!("{what}: {count} {of}{plural}, not played"))
        };
        self.0.iter().map(text).collect()
    }
}

/// Decodes a payload that is a whole file.
///
/// # Errors
/// If it is of no format that is decoded, damaged, or takes more than is left.
pub(crate) fn decode(
    source: &dyn Source,
    payload: Payload,
    budget: &mut DecodeBudget,
) -> Result<(Recording, Width), Error> {
    let work = WorkBudget::of_file(payload.len, None);
    let decoded = PayloadReader::open(source, payload, &work, |reader| {
        let described = codec::describe(reader, Format::of(reader)?, &[])?;
        let frames = codec::decode(reader, &described, budget);
        Ok(frames.map(|frames| (frames, described.width())))
    });
    decoded?
}
