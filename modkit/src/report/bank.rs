//! Sound banks: which they are, and what is in them.

use std::collections::{BTreeMap, BTreeSet};

use importer::{SoundBanks, SoundClass, SoundFile};
use serde::Serialize;
use soundbank::BankItems;

use super::sound_file::{SkippedRow, playable, seconds, skipped};

/// The sound banks of a file or folder as a line of JSON.
#[derive(Debug, Serialize)]
pub struct SoundBankRow {
    schema: &'static str,
    file: String,
    kind: &'static str,
    bytes: u64,
    /// Facts of the file that was named; of a folder only its `banks` have any.
    #[serde(flatten)]
    named: Option<BankFacts>,
    media: usize,
    events: usize,
    playable: usize,
    seconds: f64,
    banks: Vec<BankFileRow>,
    skipped: Vec<SkippedRow>,
}

/// A bank, and what was read of it.
#[derive(Debug, Serialize)]
struct BankFileRow {
    path: String,
    #[serde(flatten)]
    facts: BankFacts,
}

/// What was read of a bank.
#[derive(Clone, Debug, Serialize)]
struct BankFacts {
    version: String,
    platform: Option<String>,
    language: Option<String>,
    items: BTreeMap<String, usize>,
    unread: usize,
    /// Where names came from.
    names_from: Vec<String>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl BankFacts {
    fn of(items: &BankItems) -> Self {
        Self {
            version: items.version.clone(),
            platform: items.platform.clone(),
            language: items.language.clone(),
            items: items.items.iter().cloned().collect(),
            unread: items.unread,
            names_from: items.names.clone(),
            error: items.error.as_ref().map(ToString::to_string),
        }
    }
}

/// Returns the files that were recognised as banks, of all if none was named.
fn banks_of(banks: &SoundBanks) -> impl Iterator<Item = (&str, &BankItems)> {
    let rows = banks.paths().iter().map(String::as_str).zip(&banks.project().files).enumerate();
    let is_wanted = |index| banks.only().is_none_or(|only| only == index);
    rows.filter(move |(index, (_, items))| {
        is_wanted(*index) && (!items.version.is_empty() || items.error.is_some())
    })
    .map(|(_, row)| row)
}

/// Returns how many rows are media, and how many events.
fn counted(file: &SoundFile) -> (usize, usize) {
    file.sounds().iter().fold((0, 0), |(media, events), sound| match sound.class {
        SoundClass::Bank(class) if class.is_recording() => (media + 1, events),
        SoundClass::Bank(_) => (media, events + 1),
        _ => (media, events),
    })
}

impl SoundBankRow {
    /// Describes the sound banks that a file or folder is, whose files have `bytes`; none if it is anything else.
    #[must_use]
    pub fn of(label: &str, bytes: u64, file: &SoundFile) -> Option<Self> {
        let banks: &SoundBanks = file.collection()?;
        let named = banks.only().and_then(|only| banks.project().files.get(only)).map(BankFacts::of);
        let (media, events) = counted(file);
        let row = |(path, items): (&str, &BankItems)| BankFileRow {
            path: path.to_owned(),
            facts: BankFacts::of(items),
        };
        Some(Self {
            schema: "usampler.bank/1",
            file: label.to_owned(),
            kind: file.kind(),
            bytes,
            named,
            media,
            events,
            playable: playable(file),
            seconds: seconds(file),
            banks: banks_of(banks).map(row).collect(),
            skipped: skipped(file),
        })
    }
}

/// Places of names that are told.
const MAX_NAMES: usize = 4;

/// Returns facts of the sound banks of a file, folder or game by their titles; none if there are no banks.
#[must_use]
pub fn facts(file: &SoundFile) -> Vec<(&'static str, String)> {
    let Some(banks) = file.banks() else { return Vec::new() };
    let all: Vec<&BankItems> = banks_of(banks).map(|(_, items)| items).collect();
    let joined = |texts: BTreeSet<&str>| texts.into_iter().collect::<Vec<_>>().join(", ");
    let mut items: BTreeMap<&str, usize> = BTreeMap::new();
    for (kind, count) in all.iter().flat_map(|bank| &bank.items) {
        let sum = items.entry(kind).or_default();
        *sum = sum.saturating_add(*count);
    }
    let items: Vec<String> = items.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let unread = all.iter().fold(0_usize, |sum, bank| sum.saturating_add(bank.unread));
    let names: BTreeSet<&str> = all.iter().flat_map(|bank| &bank.names).map(String::as_str).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    let mut sources = joined(names.into_iter().take(MAX_NAMES).collect());
    if more > 0 {
        sources.push_str(&format!(" and {more} more"));
    }
    let (media, events) = counted(file);
    let versions = all.iter().map(|bank| bank.version.as_str()).filter(|version| !version.is_empty());
    [
        ("banks", joined(versions.collect())),
        ("platform", joined(all.iter().filter_map(|bank| bank.platform.as_deref()).collect())),
        ("language", joined(all.iter().filter_map(|bank| bank.language.as_deref()).collect())),
        ("media", media.to_string()),
        ("events", events.to_string()),
        ("items", items.join(", ")),
        ("unread", if unread > 0 { format!("{unread} items") } else { String::new() }),
        ("names from", sources),
    ]
    .into_iter()
    .filter(|(_, fact)| !fact.is_empty())
    .collect()
}
