//! What is said of sounds that take more memory than is allowed.

pub(crate) use player::memory::{budget, shared_budget};

/// What helps where a sound takes more memory than is allowed.
pub(crate) const HINT: &str = "--memory allows more";

/// Returns the reason why a sound was left out, with what helps if that is memory.
pub(crate) fn with_hint(reason: &str, is_over_limit: bool) -> String {
    if is_over_limit { format!("{reason}; {HINT}") } else { reason.to_owned() }
}
