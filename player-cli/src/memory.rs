//! How much memory decoded audio may take in this process.

use std::sync::OnceLock;

use importer::{Budget, SharedBudget};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The most that is allowed unless the user says otherwise, however much the machine has.
const MOST: u64 = Budget::DECODED;

/// What helps where a sound takes more memory than is allowed.
pub(crate) const HINT: &str = "--memory allows more";

static SHARED: OnceLock<SharedBudget> = OnceLock::new();

/// Returns what all files share: what the user wants, or half of the machine's memory, at most 4 GiB. What was wanted
/// first counts.
pub(crate) fn shared_budget(wanted: Option<u64>) -> SharedBudget {
    SHARED.get_or_init(|| SharedBudget::new(wanted.unwrap_or_else(usual))).clone()
}

/// Returns the reason why a sound was left out, with what helps if that is memory.
pub(crate) fn with_hint(reason: &str, is_over_limit: bool) -> String {
    if is_over_limit { format!("{reason}; {HINT}") } else { reason.to_owned() }
}

/// Half of the memory that the machine, or the container, has.
fn usual() -> u64 {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    let total = system.cgroup_limits().map_or_else(|| system.total_memory(), |limits| limits.total_memory);
    // Where it is not known, that is no reason to refuse anything.
    if total == 0 { MOST } else { (total / 2).min(MOST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_has_memory_and_half_of_it_is_allowed() {
        assert!((64 << 20..=MOST).contains(&usual()), "{}", usual());
    }
}
