//! Requests and answers as lines. Errors about the form of a request name these types.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A request as a line.
#[derive(Deserialize)]
pub(super) struct RequestLine<'r> {
    /// Identifier that its answer repeats.
    #[serde(borrow, default)]
    pub(super) id: Option<&'r RawValue>,
    /// Arguments, as they follow `usampler asset`.
    pub(super) args: Vec<String>,
}

/// An answer as a line.
#[derive(Serialize)]
pub(super) struct AnswerLine<'a> {
    /// Identifier of its request.
    pub(super) id: Option<&'a RawValue>,
    #[serde(flatten)]
    pub(super) answer: &'a super::ServerAnswer,
}
