use serde::Serialize;

/// An error in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// One line.
    pub message: String,
    /// Further lines that help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Exit code.
    pub code: u8,
}
