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
