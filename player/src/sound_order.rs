//! Orders of lists of sounds.

use std::cmp::Ordering;

use importer::Sound;

/// The order of a list of sounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SoundOrder {
    /// As in the package.
    #[default]
    Index,
    /// By path, without regard to case.
    Name,
    /// Shortest first.
    Length,
    /// Lowest rate first.
    Rate,
}

impl SoundOrder {
    /// Compares two sounds: those whose key is not known come last; equal ones keep the order that they have.
    #[must_use]
    pub fn compare(self, a: &Sound, b: &Sound) -> Ordering {
        let rate = |sound: &Sound| sound.audio().map(|audio| audio.rate.get());
        match self {
            Self::Index => Ordering::Equal,
            Self::Name => a.path().to_lowercase().cmp(&b.path().to_lowercase()),
            Self::Rate => none_last(rate(a), rate(b), Ord::cmp),
            Self::Length => none_last(a.seconds(), b.seconds(), f64::total_cmp),
        }
    }
}

fn none_last<T>(a: Option<T>, b: Option<T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => compare(&a, &b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}
