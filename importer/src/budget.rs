//! What a file may cost: the one place that says how much memory and work reading it may take.
//!
//! | what | usual bound | named |
//! |---|---|---|
//! | tables, names and properties of a package; a module's cells | 64 MiB | [`Budget::structures`] |
//! | a compressed package, inflated | 2 GiB; 64 MiB and 64 bytes for each stored one | [`Budget::inflated`] |
//! | tables of all containers of a game | 2 GiB, or the memory that is left | [`Budget::TABLES`] |
//! | a stream | 4 GiB | [`Budget::STREAM`] |
//! | decoded audio of an import | 4 GiB; 64 MiB and 64 bytes for each stored one | [`Budget::decoded`] |
//! | decoded audio of all files, while it is held | what the user allows | [`SharedBudget`], [`HeldMemory`] |
//! | bytes that are looked at | 40 for each stored one, and 64 MiB for all files | `WorkBudget` |
//!
//! A budget is spent: what was taken is gone until it is given back. A reader asks before it reserves anything.

mod decode;
mod shared;
mod work;

use unreal::Limits;

pub use decode::DecodeBudget;
pub use shared::{HeldMemory, SharedBudget};
pub(crate) use work::{WorkBudget, most_inflated};

/// How much may be held in memory on a file's word.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Bytes for tables and objects of a package.
    pub structures: u64,
    /// Bytes for decoded audio, all sounds of an import together.
    pub decoded: u64,
    /// Bytes that each stored byte may be decoded to, beyond the first 64 MiB of a sound and of an import; none for any
    /// number.
    pub expansion: Option<u64>,
    /// Bytes that a compressed package is inflated to.
    pub inflated: u64,
    /// What all files share; if there is none, each has memory without a bound and 64 MiB of work.
    pub shared: Option<SharedBudget>,
    /// Frames of a sound that can be played; longer ones are not imported.
    pub playable_frames: u64,
}

impl Budget {
    /// Bytes of decoded audio unless it is said otherwise.
    pub const DECODED: u64 = 4 << 30;

    /// Bytes for the tables of all containers of a game: a million entries take some 90 MB.
    pub const TABLES: u64 = 2 << 30;

    /// Bytes for the cells of a tracker module.
    pub const CELLS: u64 = 64 << 20;

    /// Bytes of a stream, which is held in memory.
    pub const STREAM: u64 = 4 << 30;

    /// Returns how many bytes of memory are left of what all files share.
    #[must_use]
    pub fn memory_left(&self) -> u64 {
        self.shared.as_ref().map_or(u64::MAX, SharedBudget::memory_left)
    }

    /// Returns how many bytes so many stored ones may be decoded to.
    pub(crate) fn decoded_of(&self, stored: u64) -> u64 {
        let most = self.expansion.map_or(u64::MAX, |each| Limits::expanded(stored, each));
        most.min(self.decoded).min(self.memory_left())
    }
}

impl Default for Budget {
    /// Allows 64 MiB of structures, 4 GiB of decoded audio and 64 bytes for each stored one, 2 GiB of inflated package,
    /// and sounds of any length.
    fn default() -> Self {
        Self {
            structures: Limits::STRUCTURES,
            decoded: Self::DECODED,
            expansion: Some(Limits::EXPANSION),
            inflated: Limits::INFLATED,
            shared: None,
            playable_frames: u64::MAX,
        }
    }
}

/// Returns a length in memory as budgets count it.
pub(crate) fn bytes(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
