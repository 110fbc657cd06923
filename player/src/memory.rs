//! How much memory decoded audio may take in this process.

use std::sync::OnceLock;

use engine::Bank;
use importer::{Budget, SharedBudget};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Upper bound without a wish of the user, in bytes, however much the machine has.
const MAX: u64 = Budget::DECODED;

static SHARED: OnceLock<SharedBudget> = OnceLock::new();

/// Returns the budget that all files of the process share: `wanted` bytes, or half of the machine's memory, at most
/// 4 GiB. The first call decides.
pub fn shared_budget(wanted: Option<u64>) -> SharedBudget {
    SHARED.get_or_init(|| SharedBudget::new(wanted.unwrap_or_else(usual))).clone()
}

/// Returns the budget of a file whose sounds are to be played, within the memory that all files share. Without a wish
/// of the user, it also bounds how much larger audio may become by decoding.
#[must_use]
pub fn budget(wanted: Option<u64>) -> Budget {
    Budget {
        // The shared budget is the bound.
        decoded: u64::MAX,
        expansion: if wanted.is_some() { None } else { Budget::default().expansion },
        shared: Some(shared_budget(wanted)),
        playable_frames: Bank::MAX_FRAMES,
        ..Budget::default()
    }
}

/// Half of the memory that the machine, or the container, has.
fn usual() -> u64 {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    let total = system.cgroup_limits().map_or_else(|| system.total_memory(), |limits| limits.total_memory);
    // Where it is not known, that is no reason to refuse anything.
    if total == 0 { MAX } else { (total / 2).min(MAX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_has_memory_and_half_of_it_is_allowed() {
        assert!((64 << 20..=MAX).contains(&usual()), "{}", usual());
    }
}
