//! Requests and answers as lines. Errors about the form of a request name these types.

use std::collections::HashMap;

use serde::de::IgnoredAny;
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

/// A line of which only the identifier is known.
#[derive(Deserialize)]
struct Identified<'r> {
    #[serde(borrow, default)]
    id: Option<&'r RawValue>,
}

/// Returns the identifier of a request.
pub(super) fn id(line: &[u8]) -> Option<&RawValue> {
    serde_json::from_slice::<Identified<'_>>(line).ok()?.id
}

/// Returns whether a line is a request with `action`, or is meant to be one: its JSON is wrong, and it has that key.
pub(super) fn has_action(line: &[u8]) -> bool {
    match serde_json::from_slice::<HashMap<String, Option<IgnoredAny>>>(line) {
        Ok(keys) => keys.get("action").is_some_and(Option::is_some),
        Err(_) => {
            let text = String::from_utf8_lossy(line);
            text.split("\"action\"").skip(1).any(|rest| rest.trim_start().starts_with(':'))
        }
    }
}
