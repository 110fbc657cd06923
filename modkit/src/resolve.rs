//! Packages and entries by the names that people type for them.
//!
//! ```text
//! Shooter/Content/Audio/SW_Steps.uasset   its path              /Game/Audio/SW_Steps   its own name
//! Shooter/Content/Audio/SW_Steps          without extension     Audio/SW_Steps         the end of it, if unique
//! ```
//!
//! Case never matters.

use std::fmt;

use unreal::containers::mount::{Mount, MountedEntry};

use crate::suggest::suggestions;

/// Things that a name is looked up among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The packages.
    Package,
    /// All entries.
    Entry,
}

/// Errors of looking up a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResolveError {
    /// Several end with it: their paths.
    Ambiguous {
        /// Kind of thing that was looked up.
        wanted: Wanted,
        /// The name.
        name: String,
        /// The paths.
        candidates: Vec<String>,
    },
    /// None has it.
    Unknown {
        /// Kind of thing that was looked up.
        wanted: Wanted,
        /// The name.
        name: String,
        /// Paths with a similar name, the most similar first.
        near: Vec<String>,
    },
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous { wanted, name, candidates } => {
                let what = match wanted {
                    Wanted::Package => "packages",
                    Wanted::Entry => "entries",
                };
                write!(f, "{} {what} are called {name}", candidates.len())
            }
            Self::Unknown { wanted: Wanted::Package, name, .. } => write!(f, "no package {name}"),
            Self::Unknown { wanted: Wanted::Entry, name, .. } => write!(f, "no entry {name}"),
        }
    }
}

impl std::error::Error for ResolveError {}

/// Extensions that a name may have of files that belong to a package.
const OF_PACKAGE: [&str; 5] = ["uasset", "umap", "uexp", "ubulk", "uptnl"];

/// Finds the package or entry that a name stands for, those left out that are overridden: by its path, by its own name
/// (`/Game/Audio/SW_Steps`, also as `/Game/Audio/SW_Steps.SW_Steps`), by its path without extension, by the end of its
/// path if no other ends so, or by its chunk identifier.
///
/// # Errors
/// [`ResolveError`] if it is none, or several are called that.
pub fn resolve(mount: &Mount, name: &str, wanted: Wanted) -> Result<MountedEntry, ResolveError> {
    let is_meant = |entry: &MountedEntry| {
        !mount.is_overridden(*entry) && (wanted == Wanted::Entry || mount.is_package(*entry))
    };
    let text = name.trim().replace('\\', "/");
    let text = text.trim_start_matches("../");
    if let Some(entry) = mount.at_path(text).filter(is_meant) {
        return Ok(entry);
    }
    let lower = text.to_lowercase();
    let stem = match lower.rsplit_once('.') {
        Some((stem, extension)) if OF_PACKAGE.contains(&extension) => stem,
        _ => &lower,
    };
    let own_name = format!("/{}", without_object(stem).trim_start_matches('/'));
    // What begins at a root is either there or it is not.
    let end = (!lower.starts_with('/')).then(|| format!("/{lower}"));
    let stem_end = (wanted == Wanted::Package).then(|| format!("/{stem}"));
    let stem_end = end.as_ref().and(stem_end.or_else(|| end.clone()));
    let [mut named, mut whole, mut ending, mut stems] = [const { Vec::new() }; 4];
    for entry in mount.entries().filter(is_meant) {
        let label = mount.label(entry).to_lowercase();
        if label == lower && mount.path(entry).is_none() {
            return Ok(entry);
        }
        let path = label.rsplit_once('.').map_or(&*label, |(path, _)| path);
        if mount.is_package(entry) && is_called(mount, entry, &own_name) {
            named.push(entry);
        } else if path == stem && wanted == Wanted::Package || path == lower {
            whole.push(entry);
        } else if ends_with(&label, end.as_deref()) {
            ending.push(entry);
        } else if ends_with(path, stem_end.as_deref()) {
            stems.push(entry);
        }
    }
    let found = [named, whole, ending, stems].into_iter().find(|found| !found.is_empty()).unwrap_or_default();
    match found[..] {
        [entry] => Ok(entry),
        [] => {
            let labels = mount.entries().filter(is_meant).map(|entry| mount.label(entry));
            let near = suggestions(labels, without_object(stem));
            Err(ResolveError::Unknown { wanted, name: name.to_owned(), near })
        }
        _ => {
            let mut candidates: Vec<String> = found.iter().map(|entry| mount.label(*entry)).collect();
            candidates.sort();
            Err(ResolveError::Ambiguous { wanted, name: name.to_owned(), candidates })
        }
    }
}

/// Returns the name of a package without the object in it that may follow after a dot.
fn without_object(name: &str) -> &str {
    let (folder, last) = name.rsplit_once('/').unwrap_or(("", name));
    let package = last.split_once('.').map_or(last, |(package, _)| package);
    let length = if folder.is_empty() && !name.starts_with('/') { 0 } else { folder.len() + 1 };
    name.get(..length + package.len()).unwrap_or(name)
}

fn is_called(mount: &Mount, entry: MountedEntry, lower: &str) -> bool {
    mount.package_name(entry).is_some_and(|name| name.to_lowercase() == lower)
}

/// Returns whether a path ends with whole parts: with a slash and what follows it, or is that without the slash.
fn ends_with(path: &str, end: Option<&str>) -> bool {
    end.is_some_and(|end| path.ends_with(end) || Some(path) == end.strip_prefix('/'))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use importer::open::MemoryFiles;
    use unreal::containers::{Container, Folder, FolderFile};

    use super::*;

    fn mount(paths: &[&str]) -> Mount {
        let file = |path: &&str| FolderFile { path: (*path).to_owned(), file: (*path).into(), size: 1 };
        let folder = Folder::new(paths.iter().map(file).collect(), Arc::new(MemoryFiles::default()));
        Mount::new(vec![("Game".to_owned(), Container::Folder(folder))])
    }

    const PATHS: [&str; 7] = [
        "Shooter/Content/Audio/SW_Steps.uasset",
        "Shooter/Content/Audio/SW_Steps.uexp",
        "Shooter/Content/Audio/Far/SW_Rain.uasset",
        "Shooter/Content/Audio/Near/SW_Rain.uasset",
        "Shooter/Content/Maps/Town.umap",
        "Shooter/Plugins/Fx/Content/Town.uasset",
        "Shooter/Config/Game.ini",
    ];

    fn found(name: &str, wanted: Wanted) -> Result<String, Vec<String>> {
        let mount = mount(&PATHS);
        match resolve(&mount, name, wanted) {
            Ok(entry) => Ok(mount.label(entry)),
            Err(ResolveError::Ambiguous { candidates, .. }) => Err(candidates),
            Err(ResolveError::Unknown { near, .. }) => Err(near),
        }
    }

    #[test]
    fn a_package_is_found_by_each_of_its_names_in_any_case() {
        for name in [
            "Shooter/Content/Audio/SW_Steps.uasset",
            "/shooter/content/audio/sw_steps.UASSET",
            "../../../Shooter/Content/Audio/SW_Steps.uasset",
            "Shooter\\Content\\Audio\\SW_Steps.uasset",
            "/Game/Audio/SW_Steps",
            "/game/audio/sw_steps.SW_STEPS",
            "Game/Audio/SW_Steps",
            "Shooter/Content/Audio/SW_Steps",
            "Shooter/Content/Audio/SW_Steps.uexp",
            "Audio/SW_Steps",
            "SW_Steps.uasset",
            "sw_steps",
        ] {
            assert_eq!(found(name, Wanted::Package), Ok(PATHS[0].to_owned()), "{name}");
        }
        assert_eq!(found("/Fx/Town", Wanted::Package), Ok(PATHS[5].to_owned()));
        assert_eq!(found("Near/SW_Rain", Wanted::Package), Ok(PATHS[3].to_owned()));
        assert_eq!(found("town.umap", Wanted::Package), Ok(PATHS[4].to_owned()));
        assert_eq!(found("game.ini", Wanted::Entry), Ok(PATHS[6].to_owned()));
        assert_eq!(found("SW_Steps.uexp", Wanted::Entry), Ok(PATHS[1].to_owned()));
    }

    #[test]
    fn a_name_of_several_lists_them_and_a_part_of_a_word_is_no_name() {
        let both = [PATHS[2], PATHS[3]].map(str::to_owned).to_vec();
        assert_eq!(found("SW_Rain", Wanted::Package), Err(both.clone()));
        assert_eq!(found("Rain", Wanted::Package), Err(both));
        // An entry has its extension.
        assert_eq!(
            found("SW_Steps", Wanted::Entry),
            Err(PATHS[..2].iter().map(|p| (*p).to_owned()).collect())
        );
    }

    #[test]
    fn a_name_that_begins_at_the_root_is_not_looked_for_elsewhere() {
        assert_eq!(found("/Game/SW_Steps", Wanted::Package), Err(vec![PATHS[0].to_owned()]));
        assert_eq!(found("/Content/Audio/SW_Steps", Wanted::Package), Err(vec![PATHS[0].to_owned()]));
    }

    #[test]
    fn what_is_not_there_suggests_what_is_written_nearly_so() {
        assert_eq!(found("SW_Stesp", Wanted::Package), Err(vec![PATHS[0].to_owned()]));
        assert_eq!(found("Twon", Wanted::Package), Err([PATHS[4], PATHS[5]].map(str::to_owned).to_vec()));
        assert_eq!(found("Unheard", Wanted::Package), Err(Vec::new()));
        assert_eq!(found("", Wanted::Package), Err(Vec::new()));
    }

    #[test]
    fn a_whole_path_comes_before_those_that_end_so() {
        let mount = mount(&["A/SW.uasset", "B/A/SW.uasset", "A/SW.uexp", "B/A/SW.uexp"]);
        for name in ["A/SW.uexp", "a/sw"] {
            let found = resolve(&mount, name, Wanted::Package).map(|entry| mount.label(entry));
            assert_eq!(found.unwrap(), "A/SW.uasset", "{name}");
        }
    }
}
