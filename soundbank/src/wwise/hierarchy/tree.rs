use std::ops::Range;

use super::super::layout::Layout;
use super::container::group_kind;
use super::node::{Bundle, Ranges};
use crate::reader::Reader;
use crate::{BranchKind, Error};

/// What the values of several groups lead to.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) struct Tree {
    /// The groups, from the root down.
    pub(in crate::wwise) groups: Vec<Group>,
    /// All nodes; the first one is the root.
    pub(in crate::wwise) nodes: Vec<TreeNode>,
    /// The chance that a dialogue event plays, 0..=1.
    pub(in crate::wwise) chance: f32,
}

/// A group that a level of a tree asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wwise) struct Group {
    /// What it is.
    pub(in crate::wwise) kind: BranchKind,
    /// Its id.
    pub(in crate::wwise) id: u32,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wwise) struct TreeNode {
    /// The value that leads to it; 0 = any.
    pub(in crate::wwise) key: u32,
    /// The id of a node that sounds, unless it has children.
    audio: u32,
    /// Index of the first child; the same bytes as the id.
    first: u16,
    /// Number of children.
    count: u16,
}

/// What a node of a tree leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::wwise) enum TreeLeaf {
    /// A node that sounds.
    Audio(u32),
    /// Further nodes of the tree, by their indices.
    Children(Range<usize>),
}

/// Bytes of a node.
const NODE: usize = 12;

impl Tree {
    /// Reads groups and nodes; a dialogue event's and a music switch's differ in what is around them.
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let depth = reader.count(4)?;
        let mut groups = Vec::with_capacity(depth);
        for _ in 0..depth {
            groups.push(Group { kind: BranchKind::State, id: reader.u32()? });
        }
        if layout.has_group_kinds {
            for group in &mut groups {
                group.kind = group_kind(reader.u8()?.into());
            }
        }
        let size = reader.u32()?;
        reader.skip(layout.tree_mode)?;
        let size = reader.fitting(size.into(), 1)?;
        let mut part = reader.part(size, "Wwise decision tree")?;
        let count = size.checked_div(NODE).unwrap_or_default();
        let mut nodes = Vec::with_capacity(count);
        for _ in 0..count {
            let key = part.u32()?;
            let audio = part.clone().u32()?;
            nodes.push(TreeNode { key, audio, first: part.u16()?, count: part.u16()? });
            part.skip(4)?;
        }
        Ok(Self { groups, nodes, chance: 1.0 })
    }

    /// Returns what a node leads to that is at a depth; the root's is 0. None if there is no such node.
    pub(in crate::wwise) fn leaf(&self, index: usize, depth: usize) -> Option<TreeLeaf> {
        let node = self.nodes.get(index)?;
        let (first, count) = (usize::from(node.first), usize::from(node.count));
        let end = first.saturating_add(count);
        let most = self.nodes.len();
        if depth >= self.groups.len() || first > most || count > most || end > most {
            return Some(TreeLeaf::Audio(node.audio));
        }
        Some(TreeLeaf::Children(first..end))
    }

    /// Returns the ids of all nodes that its leaves name.
    pub(in crate::wwise) fn leaves(&self) -> Vec<u32> {
        let mut leaves = Vec::new();
        self.visit(|_, _, leaf| leaves.extend(leaf));
        leaves
    }

    /// Returns the values that each of its groups has a branch for.
    pub(in crate::wwise) fn values(&self) -> Vec<Vec<u32>> {
        let mut values = vec![Vec::new(); self.groups.len()];
        self.visit(|depth, key, _| {
            // The key of the root belongs to no group.
            if let Some(values) = depth.checked_sub(1).and_then(|level| values.get_mut(level)) {
                values.push(key);
            }
        });
        values
    }

    /// Visits each node with its depth, its key, and the audio node that it names if it is a leaf.
    fn visit(&self, mut each: impl FnMut(usize, u32, Option<u32>)) {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![(0, 0_usize)];
        while let Some((index, depth)) = open.pop() {
            // A child that is named twice would make a damaged tree grow without end.
            if seen.get_mut(index).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            let key = self.nodes.get(index).map_or(0, |node| node.key);
            match self.leaf(index, depth) {
                Some(TreeLeaf::Audio(id)) => each(depth, key, Some(id)),
                Some(TreeLeaf::Children(children)) => {
                    each(depth, key, None);
                    open.extend(children.rev().map(|child| (child, depth.saturating_add(1))));
                }
                None => {}
            }
        }
    }
}

/// Reads a dialogue event.
pub(super) fn read_dialogue(reader: &mut Reader<'_>, layout: &Layout) -> Result<Tree, Error> {
    let percent = if layout.has_dialogue_probability { reader.u8()? } else { 100 };
    let mut tree = Tree::read(reader, layout)?;
    tree.chance = (f32::from(percent) / 100.0).min(1.0);
    if layout.has_dialogue_properties {
        Bundle::read(reader)?;
        Ranges::read(reader)?;
    }
    Ok(tree)
}
