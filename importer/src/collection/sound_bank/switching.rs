//! Switches and states that choose what events play, and what they play by other values.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use song::{Articulation, ZoneTree};
use soundbank::{BranchKind, PlayKind, PlayNode};
use unreal::Limits;

use super::SoundBanks;
use super::zones::ZoneBuilder;

/// A group of switches or states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchChoice {
    /// Whether it is a switch or a state.
    pub kind: BranchKind,
    /// Id of the group.
    pub group: u32,
    /// Name, or the id where that is all that is known.
    pub name: String,
    /// Ids of the values that something depends on, with their names.
    pub values: Vec<(u32, String)>,
    /// The value in effect, by its index; none if nothing depends on it.
    pub chosen: Option<usize>,
    /// Numbers of the rows of events that depend on it, sorted.
    pub events: Vec<usize>,
}

/// The value of a switch or state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchValue {
    /// Whether it is a switch or a state.
    pub kind: BranchKind,
    /// Id of the group.
    pub group: u32,
    /// Id of the value.
    pub value: u32,
}

/// What events play.
pub(crate) struct SwitchedEvents {
    /// By the numbers of their rows.
    pub(crate) trees: Vec<(usize, ZoneTree)>,
    /// Articulations of their zones.
    pub(crate) articulations: Vec<Articulation>,
}

/// What depends on a group.
#[derive(Default)]
struct GroupUse {
    /// Values that branches have.
    values: BTreeSet<u32>,
    /// The value that a container states, unless one is set; 0 if none does.
    stated: u32,
    /// Numbers of the rows of events.
    events: Vec<usize>,
}

/// Adds an event to the groups that it depends on.
fn add_event(groups: &mut BTreeMap<(BranchKind, u32), GroupUse>, number: usize, tree: &PlayNode) {
    let mut nodes = vec![tree];
    while let Some(node) = nodes.pop() {
        if let PlayKind::Branch { kind, group, default, branches } = &node.kind {
            let group = groups.entry((*kind, *group)).or_default();
            group.values.extend(branches.iter().map(|(value, _)| *value));
            if group.stated == 0 {
                group.stated = *default;
            }
            if group.events.last() != Some(&number) {
                group.events.push(number);
            }
        }
        nodes.extend(node.children());
    }
}

impl SoundBanks {
    /// Returns the switches and states that events in the list depend on, by their names.
    #[must_use]
    pub fn switches(&self) -> Vec<SwitchChoice> {
        let mut groups = BTreeMap::new();
        for (number, tree) in self.event_trees() {
            add_event(&mut groups, number, tree);
        }
        let choice = |((kind, group), GroupUse { values, stated, events })| {
            let known = self.project.switches.iter().find(|known| known.kind == kind && known.id == group);
            let named = |value: u32| {
                let known = known.and_then(|known| known.values.iter().find(|(id, _)| *id == value));
                let name = known.and_then(|(_, name)| name.clone());
                (
                    value,
                    name.unwrap_or_else(|| if value == 0 { "None".to_owned() } else { value.to_string() }),
                )
            };
            let values: Vec<(u32, String)> = BTreeSet::into_iter(values).map(named).collect();
            let default = if stated == 0 { known.map_or(0, |known| known.default) } else { stated };
            let value = self.chosen.get(&(kind, group)).copied().unwrap_or(default);
            let name = known.and_then(|known| known.name.clone()).unwrap_or_else(|| group.to_string());
            let chosen = values.iter().position(|(id, _)| *id == value);
            SwitchChoice { kind, group, name, values, chosen, events }
        };
        let mut choices: Vec<SwitchChoice> = groups.into_iter().map(choice).collect();
        choices.sort_by(|one, other| one.name.cmp(&other.name));
        choices
    }

    /// Returns what all events play by values of switches and states, in the order of their rows.
    pub(crate) fn switched(&self, values: &[SwitchValue], limits: &mut Limits) -> SwitchedEvents {
        let mut chosen: HashMap<(BranchKind, u32), u32> = self.chosen.clone();
        chosen.extend(values.iter().map(|SwitchValue { kind, group, value }| ((*kind, *group), *value)));
        let mut builder = ZoneBuilder::new(&self.project, chosen);
        let mut numbers = vec![None; self.project.media.len()];
        for (row, media) in self.media.iter().enumerate() {
            if let Some(number) = numbers.get_mut(*media) {
                *number = Some(self.before.saturating_add(row).saturating_add(1));
            }
        }
        let sounds = (self.before, &self.sounds[..]);
        let tree = |(number, tree)| (number, builder.tree(tree, &numbers, sounds, limits));
        let trees = self.event_trees().map(tree).collect();
        SwitchedEvents { trees, articulations: builder.finish().0 }
    }

    /// Returns what events play, by the numbers of their rows.
    fn event_trees(&self) -> impl Iterator<Item = (usize, &PlayNode)> {
        let first = self.before.saturating_add(self.media.len()).saturating_add(1);
        let events = (first..).zip(&self.events);
        events.filter_map(|(number, event)| Some((number, &self.project.events.get(*event)?.tree)))
    }
}
