use std::collections::HashMap;

/// Something that is worth knowing about one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The object: its path in the package.
    pub object: String,
    /// What is the matter with it.
    pub text: String,
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
    pub fn reasons(&self) -> HashMap<&str, &str> {
        self.skipped.iter().map(|remark| (remark.object.as_str(), remark.text.as_str())).collect()
    }
}
