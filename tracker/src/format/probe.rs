use super::protracker;

/// The formats of modules that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModuleFormat {
    /// `ProTracker` and its relatives.
    Protracker,
    /// Scream Tracker 3.
    S3m,
    /// `FastTracker` 2.
    Xm,
    /// Impulse Tracker.
    It,
}

/// How many bytes [`probe`] looks at: the longest header and its first pattern.
pub const PROBE_LENGTH: usize = protracker::untagged::PROBED;

/// Returns which format a file is, by its first [`PROBE_LENGTH`] bytes, or all if it has fewer, and its length.
///
/// Only the oldest MODs have nothing to be identified by: those must make sense in every field.
#[must_use]
pub fn probe(head: &[u8], length: u64) -> Option<ModuleFormat> {
    signed(head).or_else(|| {
        let is_protracker = is_tagged(head) || protracker::untagged::is_plausible(head, length);
        is_protracker.then_some(ModuleFormat::Protracker)
    })
}

/// Returns a format that is identified by a signature of its own; sources: the trackers' own documentations.
pub fn signed(head: &[u8]) -> Option<ModuleFormat> {
    if head.starts_with(b"IMPM") {
        Some(ModuleFormat::It)
    } else if head.starts_with(b"Extended Module: ") {
        Some(ModuleFormat::Xm)
    } else if head.get(44..48) == Some(b"SCRM") {
        Some(ModuleFormat::S3m)
    } else {
        None
    }
}

/// Returns whether a MOD's tag is where it belongs.
pub fn is_tagged(head: &[u8]) -> bool {
    protracker::FormatTag::of(head).is_some()
}
