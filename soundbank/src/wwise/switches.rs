use std::collections::{BTreeMap, BTreeSet};

use super::hierarchy::{Body, MusicChoice, TrackKind, Tree};
use super::names::{NameTable, Named, find_names};
use super::namespace::Namespace;
use crate::{BranchKind, SwitchGroup};

/// A group: whether it is one of states, and its id.
type Key = (bool, u32);

#[derive(Default)]
struct Group {
    default: Option<u32>,
    values: BTreeSet<u32>,
    /// Whether something that sounds depends on it; else it is only in the settings.
    is_used: bool,
    name: Option<String>,
    value_names: BTreeMap<u32, String>,
}

/// Lists the groups that choose what is played, with all of their values that anything names.
pub(super) fn list(namespaces: &[Namespace], tables: &[Vec<&NameTable>]) -> Vec<SwitchGroup> {
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    for (namespace, names) in namespaces.iter().zip(tables) {
        let mut own: BTreeMap<Key, Group> = BTreeMap::new();
        for bank in &namespace.banks {
            for item in &bank.bank.hierarchy.items {
                collect(&item.body, &mut own);
            }
            for (kind, id, values) in bank.bank.settings.iter().flat_map(|settings| &settings.groups) {
                if let Some(group) = own.get_mut(&key(*kind, *id)) {
                    group.values.extend(values);
                }
            }
        }
        let name = |id| find_names(names, Named::Other, id).into_iter().next();
        for (key, found) in own {
            let group = groups.entry(key).or_default();
            group.name = group.name.take().or_else(|| name(key.1));
            group.default = group.default.or(found.default);
            for value in found.values {
                // 0 is any value, not one of its own.
                if value != 0
                    && group.values.insert(value)
                    && let Some(name) = name(value)
                {
                    group.value_names.insert(value, name);
                }
            }
            group.is_used |= found.is_used;
        }
    }
    groups
        .into_iter()
        .filter(|(_, group)| group.is_used && !group.values.is_empty())
        .map(|((is_state, id), mut group)| SwitchGroup {
            kind: if is_state { BranchKind::State } else { BranchKind::Switch },
            id,
            name: group.name,
            default: group.default.unwrap_or_default(),
            values: group.values.iter().map(|value| (*value, group.value_names.remove(value))).collect(),
        })
        .collect()
}

fn key(kind: BranchKind, id: u32) -> Key {
    (kind == BranchKind::State, id)
}

fn collect(body: &Body, groups: &mut BTreeMap<Key, Group>) {
    let mut add = |kind, id, default: Option<u32>, values: &mut dyn Iterator<Item = u32>| {
        let group = groups.entry(key(kind, id)).or_default();
        group.is_used = true;
        group.default = group.default.or(default);
        group.values.extend(values);
    };
    match body {
        Body::Switch(switch, _) => {
            let values = &mut switch.branches.iter().map(|(value, _)| *value);
            add(switch.kind, switch.group, Some(switch.default), values);
        }
        Body::Track(track, _) => {
            if let TrackKind::Switch { group, default, values } = &track.kind {
                add(group.kind, group.id, Some(*default), &mut values.iter().copied());
            }
        }
        Body::MusicSwitch(switch, _) => match &switch.choice {
            MusicChoice::Tree(tree) => collect_tree(tree, &mut add),
            MusicChoice::List { group, default, branches } => {
                add(group.kind, group.id, Some(*default), &mut branches.iter().map(|(value, _)| *value));
            }
        },
        Body::Dialogue(tree) => collect_tree(tree, &mut add),
        _ => {}
    }
}

/// Adds a group and values of it.
type Add<'a> = dyn FnMut(BranchKind, u32, Option<u32>, &mut dyn Iterator<Item = u32>) + 'a;

fn collect_tree(tree: &Tree, add: &mut Add<'_>) {
    for (group, values) in tree.groups.iter().zip(tree.values()) {
        add(group.kind, group.id, None, &mut values.into_iter());
    }
}
