//! Which sounds a search finds: the one rule of `--filter` and of the search in `jam`.

mod glob;

use std::ops::RangeInclusive;
use std::time::Duration;

use importer::Sound;

use self::glob::{Glob, GlobError};
use crate::error::{Error, ErrorKind};

/// Words that a name must match, all of them. A word with `*`, `?`, `[` or `{` is a pattern over the whole name or its
/// last part, after a `.` or a `/`; any other is a part of the name. Case does not matter. Without a word everything
/// matches.
#[derive(Clone, Debug, Default)]
pub struct NameFilter(Vec<Term>);

#[derive(Clone, Debug)]
enum Term {
    Part(String),
    Pattern(Glob),
}

impl NameFilter {
    /// Reads a search.
    ///
    /// # Errors
    /// [`ErrorKind::Options`] for a pattern that is none, such as `[a`.
    pub fn new(search: &str) -> Result<Self, Error> {
        let term = |word| Term::new(word).map_err(|error| Error::new(ErrorKind::Options, error.to_string()));
        search.split_whitespace().map(term).collect::<Result<_, _>>().map(Self)
    }

    /// Reads a search while it is typed: a pattern that is not typed to its end is a part of a name so far.
    #[must_use]
    pub fn typed(search: &str) -> Self {
        let term = |word: &str| Term::new(word).unwrap_or_else(|_| Term::Part(word.to_lowercase()));
        Self(search.split_whitespace().map(term).collect())
    }

    /// Returns whether a name, `Group.Name` or without a group, is found.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().all(|term| term.matches(name))
    }
}

/// What sounds are wanted. One whose length or rate is not known has none of those asked for.
#[derive(Clone, Debug, Default)]
pub struct SoundFilter {
    /// What they are called.
    pub name: NameFilter,
    /// The shortest that they may be.
    pub longer: Option<Duration>,
    /// The longest that they may be.
    pub shorter: Option<Duration>,
    /// Whether they have to have a loop.
    pub is_looped: bool,
    /// Their rates, in Hz.
    pub rates: Option<RangeInclusive<u32>>,
}

impl SoundFilter {
    /// Returns whether a sound is meant.
    #[must_use]
    pub fn passes(&self, sound: &Sound) -> bool {
        let Self { name, longer, shorter, is_looped, rates } = self;
        let length = || Some(Duration::from_secs_f64(sound.seconds()?));
        let audio = sound.audio();
        name.matches(&sound.path())
            && longer.is_none_or(|least| length().is_some_and(|length| length >= least))
            && shorter.is_none_or(|most| length().is_some_and(|length| length <= most))
            && (!is_looped || audio.is_some_and(|audio| !audio.loops.is_empty()))
            && rates.as_ref().is_none_or(|rates| audio.is_some_and(|audio| rates.contains(&audio.rate.get())))
    }
}

impl Term {
    fn new(word: &str) -> Result<Self, GlobError> {
        if !word.contains(['*', '?', '[', '{']) {
            return Ok(Self::Part(word.to_lowercase()));
        }
        Glob::new(word).map(Self::Pattern)
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Self::Part(part) => name.to_lowercase().contains(part),
            Self::Pattern(glob) => {
                let last = |separator| name.rsplit_once(separator).map(|(_, last)| last);
                let mut parts = [Some(name), last('.'), last('/')].into_iter().flatten();
                parts.any(|part| glob.matches(part))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["Loose", "Drums.Kick", "Pads.Warm", "Drums.Snare", "Deep.Drums.Kick"];

    fn found(filter: &NameFilter) -> Vec<usize> {
        (0..NAMES.len()).filter(|&index| filter.matches(NAMES[index])).collect()
    }

    #[test]
    fn a_word_is_a_part_of_a_name_unless_it_is_a_pattern_and_all_words_must_match() {
        for (search, expected) in [
            ("", &[0, 1, 2, 3, 4][..]),
            ("KICK", &[1, 4]),
            ("kick*", &[1, 4]),
            ("k?ck", &[1, 4]),
            ("drums.*", &[1, 3]),
            ("{kick,warm}", &[1, 2, 4]),
            ("ick", &[1, 4]),
            ("ic*", &[]),
            ("drums kick", &[1, 4]),
            ("kick deep.*", &[4]),
            ("  warm  ", &[2]),
            ("warm kick", &[]),
        ] {
            assert_eq!(found(&NameFilter::new(search).unwrap()), expected, "{search}");
            assert_eq!(found(&NameFilter::typed(search)), expected, "{search}");
        }
    }

    #[test]
    fn a_pattern_that_is_none_is_refused_and_while_it_is_typed_a_part_of_a_name() {
        assert_eq!(NameFilter::new("[a").unwrap_err().kind(), ErrorKind::Options);
        assert_eq!(found(&NameFilter::typed("{kick")), [0_usize; 0]);
        assert!(NameFilter::typed("[a").matches("Odd [a name"));
    }
}
