//! The parts of a game that could not be opened, in words.

use importer::open::{GameMount, LeftOut, SetAside};

/// Missing files that are named.
const MISSING: usize = 10;

/// Returns the containers that could not be opened, worded by `reason`, and the files that are missing.
#[must_use]
pub fn warnings(game: &GameMount, reason: impl Fn(&LeftOut) -> String) -> Vec<String> {
    let GameMount { left_out, missing, .. } = game;
    let mut warnings: Vec<String> = left_out.iter().map(|one| format!("left out {}", reason(one))).collect();
    let mut missing = missing.iter();
    for file in missing.by_ref().take(MISSING) {
        warnings.push(format!("{} is missing; its contents cannot be read", file.display()));
    }
    if missing.len() > 0 {
        warnings.push(format!("{} more files are missing", missing.len()));
    }
    warnings
}

/// Returns the copies of packages that were left out on purpose.
#[must_use]
pub fn notes(game: &GameMount) -> Vec<String> {
    let note = |SetAside { folder, count }: &SetAside| {
        let s = if *count == 1 { "" } else { "s" };
        format!("{count} package{s} under {folder} left out; name the folder to see them")
    };
    game.set_aside.iter().map(note).collect()
}
