//! The first packages of a game by their names, to be read before all others.

use std::collections::{BTreeMap, HashMap};

use unreal::containers::mount::Mount;

/// Sounds that make a page: more than a screen shows.
pub(super) const SOUNDS: usize = 200;

/// Packages that are read for a page at first; if they have too few sounds, twice as many come next.
pub(super) const PACKAGES: usize = 2048;

/// Returns the first of some packages by their names, so many if there are as many.
pub(super) fn first(mount: &Mount, packages: &[u32], most: usize) -> Vec<u32> {
    let mut folders = Folders::default();
    let mut counts: Vec<usize> = Vec::new();
    for number in packages {
        let group = folders.group_of(mount, *number);
        counts.resize(folders.groups.len(), 0);
        if let Some(count) = counts.get_mut(group) {
            *count = count.saturating_add(1);
        }
    }
    let mut wanted = vec![None; counts.len()];
    let mut found = 0_usize;
    for (place, group) in folders.groups.values().enumerate() {
        if found >= most {
            break;
        }
        if let (Some(wanted), Some(count)) = (wanted.get_mut(*group), counts.get(*group)) {
            *wanted = Some(place);
            found = found.saturating_add(*count);
        }
    }
    let mut first = Vec::with_capacity(found);
    for number in packages {
        let group = folders.group_of(mount, *number);
        if let Some(place) = wanted.get(group).copied().flatten() {
            let name = mount.folder_and_name(mount.entry(*number)).map_or("", |(_, name)| name);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            first.push((place, stem, *number));
        }
    }
    if most < first.len() {
        first.select_nth_unstable(most);
        first.truncate(most);
    }
    first.into_iter().map(|(.., number)| number).collect()
}

/// The folders of packages, and what the names of the packages in them begin with.
#[derive(Default)]
struct Folders<'m> {
    /// The number of each group, by its name.
    groups: BTreeMap<String, usize>,
    /// The group of each folder.
    known: HashMap<&'m str, usize>,
    /// What was asked for last: packages that follow each other often lie in one folder.
    last: Option<(&'m str, usize)>,
}

impl<'m> Folders<'m> {
    /// Returns the number of the group of a package.
    fn group_of(&mut self, mount: &'m Mount, package: u32) -> usize {
        let entry = mount.entry(package);
        let folder = mount.folder_and_name(entry).map_or("", |(folder, _)| folder);
        if let Some((_, group)) = self.last.filter(|(last, _)| *last == folder) {
            return group;
        }
        let group = match self.known.get(folder) {
            Some(group) => *group,
            None => {
                let name = mount.package_name(entry).unwrap_or_else(|| format!("{folder}/"));
                let name = name.rsplit_once('/').map_or("", |(group, _)| group);
                let next = self.groups.len();
                let group = *self.groups.entry(name.to_owned()).or_insert(next);
                self.known.insert(folder, group);
                group
            }
        };
        self.last = Some((folder, group));
        group
    }
}
