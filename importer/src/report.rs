use std::collections::HashMap;

use crate::Error;

/// Something that is worth knowing about one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The object: its path in the package.
    pub object: String,
    /// What is the matter with it.
    pub text: String,
    /// Whether it was skipped for want of memory.
    pub is_over_limit: bool,
}

impl Remark {
    pub(crate) fn new(object: impl Into<String>, text: impl Into<String>) -> Self {
        Self { object: object.into(), text: text.into(), is_over_limit: false }
    }

    /// Creates the remark on an object that was skipped.
    pub(crate) fn skipped(object: impl Into<String>, error: &Error) -> Self {
        Self { is_over_limit: error.is_over_limit(), ..Self::new(object, error.to_string()) }
    }
}

/// What was skipped, what was repaired, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Sounds that became no sample, with the reason.
    pub skipped: Vec<Remark>,
    /// Sounds that were read although their bytes contradict themselves, with what was done about it.
    pub repaired: Vec<Remark>,
}

impl Report {
    /// Returns why objects were skipped, by their paths. Of several reasons the last: what is said of a group or a cue
    /// comes after what is said of the sounds it plays.
    #[must_use]
    pub fn reasons(&self) -> HashMap<&str, &Remark> {
        self.skipped.iter().map(|remark| (remark.object.as_str(), remark)).collect()
    }
}
