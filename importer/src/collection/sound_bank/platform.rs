//! Which platform is meant where banks of several are there.

use std::collections::BTreeSet;

use super::SoundBanks;
use crate::Sound;

/// Platforms that are meant where several are there and none is named, the best first.
const PREFERRED: [&str; 3] = ["Windows", "PC", "Desktop"];

impl SoundBanks {
    /// Returns the platform of the bank that a row is from; none where nothing says it.
    #[must_use]
    pub fn platform_of(&self, row: &Sound) -> Option<&str> {
        let file = self.paths.iter().position(|path| Some(path.as_str()) == row.container.as_deref())?;
        self.project.files.get(file)?.platform.as_deref()
    }

    /// Returns the platform that is meant where none is named: Windows, PC or Desktop, else the first by name.
    #[must_use]
    pub fn usual_platform(&self) -> Option<&str> {
        let all: BTreeSet<&str> =
            self.project.files.iter().filter_map(|items| items.platform.as_deref()).collect();
        let named = |wanted: &&&str| all.iter().any(|platform| platform.eq_ignore_ascii_case(wanted));
        PREFERRED.iter().find(named).copied().or_else(|| all.first().copied())
    }

    /// Returns whether a row is of the platform that is meant where none is named, or of no certain one.
    #[must_use]
    pub fn is_usual(&self, row: &Sound) -> bool {
        match (self.platform_of(row), self.usual_platform()) {
            (Some(own), Some(usual)) => own.eq_ignore_ascii_case(usual),
            _ => true,
        }
    }
}
