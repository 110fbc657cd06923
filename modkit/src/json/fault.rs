//! Errors in a part of a document.

/// The reason why a part of a document is malformed, and where in that part.
#[derive(Debug)]
pub(super) struct Fault {
    /// Names and numbers on the way to it, the last one first.
    path: Vec<String>,
    /// The reason.
    pub(super) why: String,
}

impl Fault {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { path: Vec::new(), why: why.into() }
    }

    pub(super) fn within(mut self, part: impl Into<String>) -> Self {
        self.path.push(part.into());
        self
    }

    /// Returns the way to it: `.value[3]`.
    pub(super) fn path(&self) -> String {
        self.path.iter().rev().map(String::as_str).collect()
    }
}
