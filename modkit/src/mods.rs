//! Mods over their game, and what packages need of both.
//!
//! ```text
//! game ──┐
//! mods ──┴─► mounted together, the mods last ──► their entries ──► packages that these need, to the end
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue4to6::bulk::BulkFile;
use unreal::ue4to6::zen::ZenForm;
use unreal::{AssetPackage, Error, Limits, PackageTables};

use crate::pack::known_packages;

/// Mounts mods over a game: their entries win over its own. Returns the number of the first container that is a mod's.
#[must_use]
pub fn mount_over(game: &Mount, mods: &[Arc<Mount>]) -> (Mount, usize) {
    let mut containers = game.containers().to_vec();
    let first = containers.len();
    containers.extend(mods.iter().flat_map(|mount| mount.containers()).cloned());
    (Mount::new(containers), first)
}

/// Entries that some entries need.
#[derive(Debug, Default)]
pub struct Needed {
    /// The packages that they need, directly or not, with their data.
    pub entries: HashSet<MountedEntry>,
    /// Packages that are not there: names, or numbers where no more is known.
    pub missing: BTreeSet<String>,
    /// Packages that cannot be read, so that nobody knows what they need.
    pub failed: Vec<(MountedEntry, Error)>,
}

/// Finds the packages that others need, to the end, the others left out.
#[must_use]
pub fn needed(mount: &Mount, packages: impl IntoIterator<Item = MountedEntry>) -> Needed {
    let is_winning = |entry: &MountedEntry| mount.is_package(*entry) && !mount.is_overridden(*entry);
    let named = mount.entries().filter(is_winning).filter_map(|entry| {
        let name = mount.package_name(entry)?;
        Some((name.to_lowercase(), entry))
    });
    let names: HashMap<String, MountedEntry> = named.collect();
    let known = known_packages(mount);
    let mut needed = Needed::default();
    let mut waiting: Vec<MountedEntry> =
        packages.into_iter().filter(|entry| mount.is_package(*entry)).collect();
    let mut met: HashSet<MountedEntry> = waiting.iter().copied().collect();
    while let Some(entry) = waiting.pop() {
        let package = match mount.open_package(entry, None, &mut Limits::default()) {
            Ok(package) => package,
            Err(error) => {
                needed.failed.push((entry, error));
                continue;
            }
        };
        let by_name = imported_names(&package).into_iter().map(|name| {
            let found = names.get(&name.to_lowercase()).copied();
            found.ok_or(name)
        });
        // Before 5.3 only the container says which, and by numbers.
        let is_silent = matches!(package.tables(), PackageTables::Zen(zen) if zen.summary().form != ZenForm::Dependencies);
        let id = mount.container(entry).and_then(|container| container.chunk_id(entry.entry));
        let stated = id.filter(|_| is_silent).and_then(|id| known.get(&id.number()));
        let by_number = stated.into_iter().flat_map(|package| &package.imports);
        let by_number = by_number.map(|id| mount.package(*id).ok_or_else(|| format!("{id:016x}")));
        for found in by_name.chain(by_number) {
            match found {
                Ok(entry) if met.insert(entry) => {
                    waiting.push(entry);
                    needed.entries.extend(files_of(mount, entry));
                }
                Ok(_) => {}
                Err(name) => _ = needed.missing.insert(name),
            }
        }
    }
    needed
}

/// Returns the names of the packages that a package needs, those of the game's code left out.
fn imported_names(package: &AssetPackage) -> Vec<String> {
    match package.tables() {
        PackageTables::Zen(zen) => zen.imported_packages().to_vec(),
        PackageTables::Asset(asset) => {
            let imports = asset.imports().iter().filter(|import| import.class == "Package");
            let names = imports.map(|import| import.name.clone());
            names.filter(|name| name.starts_with('/') && !name.starts_with("/Script/")).collect()
        }
    }
}

/// Returns a package and the files that belong to it.
fn files_of(mount: &Mount, package: MountedEntry) -> impl Iterator<Item = MountedEntry> {
    let places = [BulkFile::Bulk, BulkFile::Optional, BulkFile::MemoryMapped];
    let data = places.into_iter().filter_map(move |place| mount.data_of(package, place));
    [package].into_iter().chain(mount.objects_of(package)).chain(data)
}
