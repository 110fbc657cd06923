//! From cues to waves: everything that a cue can reach, and what it plays when it is started.

use std::collections::{BTreeSet, HashSet};

use unreal::Limits;

use super::acb::{BlockSequence, Choice, CueSheet, Group, Part};
use crate::reader::take;
use crate::{BranchKind, Error, PlayKind, PlayNode};

/// Cost of a node in memory.
const NODE_COST: u64 = size_of::<PlayNode>() as u64;
/// The most nodes of a cue.
const MAX_NODES: usize = 1 << 16;

impl CueSheet {
    /// Returns the parts right below one.
    fn below(&self, part: Part) -> impl Iterator<Item = Part> {
        fn at<T>(rows: &[T], index: u32) -> Option<&T> {
            rows.get(usize::try_from(index).ok()?)
        }
        let (first, second): (&[Part], &[Part]) = match part {
            Part::Wave(_) => (&[], &[]),
            Part::Synth(index) => (at(&self.synths, index).map_or(&[], |group| &group.parts), &[]),
            Part::Sequence(index) => (at(&self.sequences, index).map_or(&[], |group| &group.parts), &[]),
            Part::Track(index) => {
                let event = at(&self.tracks, index).and_then(|event| at(&self.events, *event));
                (event.map_or(&[], |parts| &parts[..]), &[])
            }
            Part::BlockSequence(index) => match at(&self.block_sequences, index) {
                Some(BlockSequence { tracks, blocks }) => (tracks, blocks),
                None => (&[], &[]),
            },
            Part::Block(index) => (at(&self.blocks, index).map_or(&[], |tracks| &tracks[..]), &[]),
        };
        first.iter().chain(second).copied()
    }

    /// Returns every wave that a part can play, by its row.
    ///
    /// # Errors
    /// If looking for them takes more than is allowed.
    pub(super) fn reach(&self, part: Part, limits: &mut Limits) -> Result<BTreeSet<u32>, Error> {
        let mut found = BTreeSet::new();
        let mut seen = HashSet::from([part]);
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            match part {
                Part::Wave(index) => {
                    found.insert(index);
                }
                part => {
                    for next in self.below(part) {
                        take(limits, size_of::<Part>() as u64, 0, "CRI cue")?;
                        if seen.insert(next) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns what a part plays. `media` gives the index of a wave in the project.
    ///
    /// # Errors
    /// If that takes more memory than is allowed.
    pub(super) fn tree(
        &self,
        part: Part,
        media: &dyn Fn(u32) -> Option<usize>,
        limits: &mut Limits,
    ) -> Result<PlayNode, Error> {
        let mut builder = TreeBuilder { sheet: self, media, limits, path: Vec::new(), nodes: 0 };
        builder.node(part)
    }
}

/// Makes a tree, along a path that it never enters twice.
struct TreeBuilder<'c, 'l> {
    sheet: &'c CueSheet,
    media: &'c dyn Fn(u32) -> Option<usize>,
    limits: &'l mut Limits,
    path: Vec<Part>,
    nodes: usize,
}

impl TreeBuilder<'_, '_> {
    fn node(&mut self, part: Part) -> Result<PlayNode, Error> {
        take(self.limits, NODE_COST, 0, "CRI cue")?;
        self.nodes = self.nodes.saturating_add(1);
        let silence = PlayNode::new(PlayKind::Silence);
        let is_too_much = self.path.len() >= PlayNode::MAX_DEPTH || self.nodes > MAX_NODES;
        if is_too_much || self.path.contains(&part) {
            return Ok(silence);
        }
        self.path.push(part);
        let node = self.kind(part).map(|kind| kind.map_or(silence, PlayNode::new));
        self.path.pop();
        node
    }

    fn kind(&mut self, part: Part) -> Result<Option<PlayKind>, Error> {
        let sheet = self.sheet;
        let row = |index: u32| usize::try_from(index).ok();
        let kind = match part {
            Part::Wave(index) => (self.media)(index).map(PlayKind::Media),
            Part::Synth(index) => match row(index).and_then(|index| sheet.synths.get(index)) {
                Some(group) => self.group(index, group)?,
                None => None,
            },
            Part::Sequence(index) => match row(index).and_then(|index| sheet.sequences.get(index)) {
                Some(group) => self.group(index, group)?,
                None => None,
            },
            Part::BlockSequence(index) => match row(index).and_then(|index| sheet.block_sequences.get(index))
            {
                Some(BlockSequence { tracks, blocks }) => {
                    let mut layers = self.nodes(tracks)?;
                    let mut chain = self.nodes(blocks)?;
                    match chain.len() {
                        0 => {}
                        1 => layers.append(&mut chain),
                        _ => layers.push(PlayNode::new(PlayKind::Chain(chain))),
                    }
                    all(layers)
                }
                None => None,
            },
            Part::Track(_) | Part::Block(_) => {
                let below: Vec<Part> = sheet.below(part).collect();
                all(self.nodes(&below)?)
            }
        };
        Ok(kind)
    }

    fn nodes(&mut self, parts: &[Part]) -> Result<Vec<PlayNode>, Error> {
        parts.iter().map(|part| self.node(*part)).collect()
    }

    fn group(&mut self, index: u32, group: &Group) -> Result<Option<PlayKind>, Error> {
        let mut nodes = self.nodes(&group.parts)?;
        if nodes.len() < 2 {
            return Ok(nodes.pop().map(|node| node.kind));
        }
        let random = |nodes: Vec<PlayNode>, with_replacement, avoid_repeat| {
            let weights = group.weights.iter().map(|weight| *weight as f32);
            let are_stated = weights.len() == nodes.len() && weights.clone().any(|weight| weight > 0.0);
            let weights: Vec<f32> = if are_stated { weights.collect() } else { vec![1.0; nodes.len()] };
            let children = weights.into_iter().zip(nodes).collect();
            PlayKind::Random { children, with_replacement, avoid_repeat }
        };
        Ok(match group.choice {
            Choice::All => all(nodes),
            Choice::Sequential => Some(PlayKind::Sequence(nodes)),
            Choice::Shuffle => Some(random(nodes, false, 0)),
            Choice::Random => Some(random(nodes, true, 0)),
            Choice::RandomNoRepeat => Some(random(nodes, true, 1)),
            Choice::Switch => {
                let branches = (0..).zip(nodes).collect();
                Some(PlayKind::Branch { kind: BranchKind::Switch, group: index, default: 0, branches })
            }
        })
    }
}

/// Returns parts that play together; a single one as it is.
fn all(mut nodes: Vec<PlayNode>) -> Option<PlayKind> {
    if nodes.len() < 2 { nodes.pop().map(|node| node.kind) } else { Some(PlayKind::Layer(nodes)) }
}
