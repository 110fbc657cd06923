use std::collections::HashMap;
use std::mem::size_of;

use super::super::hierarchy::{
    Action, Blend, Body, MusicChoice, MusicPlaylist, Playlist, PlaylistItem, PlaylistKind, Track, TrackKind,
    Tree, TreeLeaf, Verb,
};
use super::super::objects::{Language, ObjectIndex, Objects};
use super::super::settings::Settings;
use super::EventBudget;
use super::params::{
    MAX_GAIN, MAX_PITCH, add, branch, clamp, clip_params, decibels, delay, layer, value_at, with_base,
};
use crate::{BranchKind, PlayKind, PlayNode, PlayParams, Varied};

/// What a tree is built from.
pub(super) struct Context<'c> {
    /// The items of the namespace.
    pub(super) objects: &'c Objects<'c>,
    /// Global settings.
    pub(super) settings: Option<&'c Settings>,
    /// Values of game parameters in place of their defaults, by their ids.
    pub(super) parameters: &'c [(u32, f32)],
    /// Language of the event's bank.
    pub(super) language: Language,
    /// Finds the row of a media.
    pub(super) find: &'c dyn Fn(u32) -> Option<usize>,
}

impl Context<'_> {
    /// Returns the value of a game parameter: the one that was set, or its default; none if neither is known.
    fn parameter(&self, id: u32) -> Option<f32> {
        let set = self.parameters.iter().rev().find(|(of, _)| *of == id).map(|(_, value)| *value);
        set.or_else(|| self.settings?.parameters.get(&id).copied())
    }
}

/// Nodes of one tree; real ones have hundreds.
const MAX_NODES: usize = 10_000;

/// What is said of a tree that is cut.
const CUT: &str = "some events are not simulated whole: they have too many parts";

/// Builds the tree of an event. What it would repeat within itself is silence, and so is what goes beyond its budget.
pub(super) fn tree(context: &Context<'_>, event: ObjectIndex, budget: &mut EventBudget<'_>) -> PlayNode {
    let mut builder = Builder {
        context,
        budget: &mut *budget,
        left: MAX_NODES,
        path: Vec::new(),
        depth: 0,
        defaults: HashMap::new(),
    };
    let Some((item, _)) = context.objects.get(event) else { return PlayNode::new(PlayKind::Silence) };
    if let Body::Event(actions) = &item.body {
        builder.set_defaults(actions);
    }
    let mut tree = builder.object(event);
    if prune(&mut tree, PlayNode::MAX_DEPTH) {
        budget.remarks.insert(CUT);
    }
    tree
}

/// Silences what is deeper than so many levels; true if something was.
fn prune(node: &mut PlayNode, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else {
        let is_cut = node.kind != PlayKind::Silence;
        *node = PlayNode::new(PlayKind::Silence);
        return is_cut;
    };
    let prune = |node: &mut PlayNode, is_cut: bool| prune(node, levels) || is_cut;
    match &mut node.kind {
        PlayKind::Media(_) | PlayKind::Silence => false,
        PlayKind::Layer(nodes) | PlayKind::Chain(nodes) | PlayKind::Sequence(nodes) => {
            nodes.iter_mut().fold(false, |is_cut, node| prune(node, is_cut))
        }
        PlayKind::Random { children, .. } => {
            children.iter_mut().fold(false, |is_cut, (_, node)| prune(node, is_cut))
        }
        PlayKind::Branch { branches, .. } => {
            branches.iter_mut().fold(false, |is_cut, (_, node)| prune(node, is_cut))
        }
    }
}

struct Builder<'c, 'l, 'b> {
    context: &'c Context<'c>,
    budget: &'b mut EventBudget<'l>,
    left: usize,
    /// Objects that are being built, from the event down.
    path: Vec<ObjectIndex>,
    /// Objects, levels of trees and groups of playlists that are being built.
    depth: usize,
    /// Values that the event's own actions set.
    defaults: HashMap<(bool, u32), u32>,
}

impl Builder<'_, '_, '_> {
    /// Takes over the switches and states that the event sets itself.
    fn set_defaults(&mut self, actions: &[u32]) {
        for id in actions.iter().take(MAX_NODES) {
            let found = self.context.objects.node(*id, self.context.language);
            let Some((item, _)) = found.and_then(|index| self.context.objects.get(index)) else { continue };
            if let Body::Action(action) = &item.body {
                match action.verb {
                    Verb::SetState { group, value } => self.defaults.insert((true, group), value),
                    Verb::SetSwitch { group, value } => self.defaults.insert((false, group), value),
                    Verb::Play | Verb::PlayEvent | Verb::Other => None,
                };
            }
        }
    }

    fn default(&self, kind: BranchKind, group: u32, stated: u32) -> u32 {
        self.defaults.get(&(kind == BranchKind::State, group)).copied().unwrap_or(stated)
    }

    /// Pays for a node; false if there are too many.
    fn pay(&mut self) -> bool {
        let cost = (size_of::<PlayNode>() as u64).saturating_add(16);
        match self.left.checked_sub(1) {
            Some(left) if self.budget.limits.take(cost, 0, "events").is_ok() => {
                self.left = left;
                true
            }
            _ => {
                self.left = 0;
                self.budget.remarks.insert(CUT);
                false
            }
        }
    }

    /// Goes a level deeper; false if it is too deep.
    fn enter(&mut self) -> bool {
        if self.depth >= PlayNode::MAX_DEPTH {
            self.budget.remarks.insert(CUT);
            return false;
        }
        self.depth = self.depth.saturating_add(1);
        true
    }

    fn node(&mut self, id: u32) -> PlayNode {
        match self.context.objects.node(id, self.context.language) {
            Some(index) => self.object(index),
            None => PlayNode::new(PlayKind::Silence),
        }
    }

    fn nodes(&mut self, ids: impl Iterator<Item = u32>) -> Vec<PlayNode> {
        let mut nodes = Vec::new();
        for id in ids {
            if !self.pay() {
                break;
            }
            nodes.push(self.node(id));
        }
        nodes
    }

    fn object(&mut self, index: ObjectIndex) -> PlayNode {
        let silence = PlayNode::new(PlayKind::Silence);
        let Some((item, _)) = self.context.objects.get(index) else { return silence };
        if self.path.contains(&index) || !self.enter() {
            return silence;
        }
        self.path.push(index);
        let mut node = self.body(&item.body);
        self.path.pop();
        self.depth = self.depth.saturating_sub(1);
        if let Some(base) = item.body.base() {
            node = with_base(node, base);
        }
        node
    }

    fn body(&mut self, body: &Body) -> PlayNode {
        match body {
            Body::Event(actions) => {
                let mut nodes = Vec::new();
                for id in actions {
                    if !self.pay() {
                        break;
                    }
                    let node = self.node(*id);
                    if node.kind != PlayKind::Silence {
                        nodes.push(node);
                    }
                }
                layer(nodes)
            }
            Body::Action(action) => self.action(action),
            Body::Sound(source, base) if source.is_codec() => {
                let mut node = self.media(source.media);
                if node.kind != PlayKind::Silence {
                    node.params.loops = base.loops.unwrap_or(1);
                }
                node
            }
            Body::Sound(..) | Body::Unread(_) => PlayNode::new(PlayKind::Silence),
            Body::Playlist(playlist, _) => self.playlist(playlist),
            Body::Switch(switch, _) => {
                let mut branches = Vec::new();
                for (value, ids) in &switch.branches {
                    if !self.pay() {
                        break;
                    }
                    branches.push((*value, layer(self.nodes(ids.iter().copied()))));
                }
                let default = self.default(switch.kind, switch.group, switch.default);
                branch(switch.kind, switch.group, default, branches)
            }
            Body::Mixer(children, _) | Body::Segment(children, _) => {
                layer(self.nodes(children.iter().copied()))
            }
            Body::Blend(blend, _) => self.blend(blend),
            Body::Track(track, _) => self.track(track),
            Body::MusicSwitch(switch, _) => match &switch.choice {
                MusicChoice::Tree(tree) => self.tree(tree, 0, 0),
                MusicChoice::List { group, default, branches } => {
                    let ids = branches.iter().map(|(_, id)| *id);
                    let nodes = self.nodes(ids);
                    let branches = branches.iter().map(|(value, _)| *value).zip(nodes).collect();
                    let default = self.default(group.kind, group.id, *default);
                    branch(group.kind, group.id, default, branches)
                }
            },
            Body::MusicPlaylist(playlist, _) => self
                .music_playlist(playlist, &mut 0)
                .map_or_else(|| PlayNode::new(PlayKind::Silence), |(_, node)| node),
            Body::Dialogue(tree) => {
                let mut node = self.tree(tree, 0, 0);
                node.params.chance *= tree.chance;
                node
            }
        }
    }

    fn media(&self, id: u32) -> PlayNode {
        PlayNode::new((self.context.find)(id).map_or(PlayKind::Silence, PlayKind::Media))
    }

    fn action(&mut self, action: &Action) -> PlayNode {
        let objects = self.context.objects;
        let (target, parent) = match action.verb {
            Verb::Play => {
                let target = objects.node(action.target, self.context.language);
                let item = target.and_then(|index| objects.get(index)).map(|(item, _)| item);
                (target, item.and_then(|item| item.body.base()).map_or(0, |base| base.parent))
            }
            Verb::PlayEvent => (objects.event(action.target, self.context.language), 0),
            Verb::SetState { .. } | Verb::SetSwitch { .. } | Verb::Other => (None, 0),
        };
        let Some(target) = target else { return PlayNode::new(PlayKind::Silence) };
        let node = self.object(target);
        if node.kind == PlayKind::Silence {
            return node;
        }
        let (gain, pitch) = self.around(parent);
        let params = PlayParams {
            gain,
            pitch,
            delay: delay(action.delay),
            chance: action.chance,
            ..PlayParams::default()
        };
        if params == PlayParams::default() {
            return node;
        }
        PlayNode { kind: PlayKind::Layer(vec![node]), params }
    }

    /// Adds up gain and pitch of the nodes that one is in.
    fn around(&self, mut id: u32) -> (Varied, Varied) {
        let objects = self.context.objects;
        let (mut gain, mut pitch) = (Varied::default(), Varied::default());
        // A cycle ends with the number of steps.
        for _ in 0..PlayNode::MAX_DEPTH {
            let found = objects.node(id, self.context.language).and_then(|index| objects.get(index));
            let Some(base) = found.and_then(|(item, _)| item.body.base()) else { break };
            gain = add(gain, base.gain);
            pitch = add(pitch, base.pitch);
            id = base.parent;
        }
        (clamp(gain, MAX_GAIN), clamp(pitch, MAX_PITCH))
    }

    fn playlist(&mut self, playlist: &Playlist) -> PlayNode {
        let count = u32::try_from(playlist.entries.len()).unwrap_or(u32::MAX);
        let nodes = self.nodes(playlist.entries.iter().map(|(id, _)| *id));
        if nodes.is_empty() {
            return PlayNode::new(PlayKind::Silence);
        }
        let kind = match (playlist.is_sequence, playlist.is_continuous) {
            (true, true) => PlayKind::Chain(nodes),
            (true, false) => PlayKind::Sequence(nodes),
            (false, _) => PlayKind::Random {
                children: playlist.entries.iter().map(|(_, weight)| *weight).zip(nodes).collect(),
                with_replacement: !playlist.is_shuffle,
                avoid_repeat: playlist.avoid_repeat,
            },
        };
        let mut node = PlayNode::new(kind);
        if playlist.is_continuous {
            // A continuous draw goes on until each child could have had its turn.
            let rounds = if playlist.is_sequence { 1 } else { count };
            node.params.loops = playlist.loops.saturating_mul(rounds);
        }
        node
    }

    fn blend(&mut self, blend: &Blend) -> PlayNode {
        let mut gains: HashMap<u32, f32> = HashMap::new();
        for (parameter, child, points) in &blend.curves {
            self.budget.parameters.insert(*parameter);
            let Some(x) = self.context.parameter(*parameter) else { continue };
            let y = value_at(points, x).unwrap_or(1.0);
            let gain = gains.entry(*child).or_insert(y);
            *gain = gain.max(y);
        }
        let mut nodes = self.nodes(blend.children.iter().copied());
        for (node, child) in nodes.iter_mut().zip(&blend.children) {
            if let Some(gain) = gains.get(child) {
                node.params.gain.base += decibels(*gain);
            }
        }
        if nodes.is_empty() {
            PlayNode::new(PlayKind::Silence)
        } else {
            PlayNode::new(PlayKind::Layer(nodes))
        }
    }

    fn track(&mut self, track: &Track) -> PlayNode {
        let mut tracks: Vec<(u32, Vec<PlayNode>)> = Vec::new();
        let mut index: HashMap<u32, usize> = HashMap::new();
        let codecs: HashMap<u32, bool> =
            track.sources.iter().map(|source| (source.media, source.is_codec())).collect();
        for clip in &track.clips {
            if codecs.get(&clip.media) != Some(&true) {
                continue;
            }
            if !self.pay() {
                break;
            }
            let mut node = self.media(clip.media);
            if node.kind != PlayKind::Silence {
                node.params = clip_params(clip);
            }
            let at = *index.entry(clip.sub_track).or_insert(tracks.len());
            match tracks.get_mut(at) {
                Some((_, nodes)) => nodes.push(node),
                None => tracks.push((clip.sub_track, vec![node])),
            }
        }
        tracks.sort_by_key(|(number, _)| *number);
        let numbers: Vec<u32> = tracks.iter().map(|(number, _)| *number).collect();
        let nodes: Vec<PlayNode> = tracks.into_iter().map(|(_, nodes)| layer(nodes)).collect();
        if nodes.len() <= 1 && !matches!(track.kind, TrackKind::Switch { .. }) {
            return layer(nodes);
        }
        match &track.kind {
            TrackKind::Normal => layer(nodes),
            TrackKind::Sequence => PlayNode::new(PlayKind::Sequence(nodes)),
            TrackKind::Random => PlayNode::new(PlayKind::Random {
                children: nodes.into_iter().map(|node| (1.0, node)).collect(),
                with_replacement: true,
                avoid_repeat: 0,
            }),
            TrackKind::Switch { group, default, values } => {
                let value = |number: u32| values.get(usize::try_from(number).unwrap_or(usize::MAX)).copied();
                let branches = numbers
                    .into_iter()
                    .zip(nodes)
                    .filter_map(|(number, node)| Some((value(number)?, node)))
                    .collect();
                branch(group.kind, group.id, self.default(group.kind, group.id, *default), branches)
            }
        }
    }

    fn tree(&mut self, tree: &Tree, index: usize, depth: usize) -> PlayNode {
        let silence = PlayNode::new(PlayKind::Silence);
        if !self.enter() {
            return silence;
        }
        let node = self.tree_node(tree, index, depth);
        self.depth = self.depth.saturating_sub(1);
        node
    }

    fn tree_node(&mut self, tree: &Tree, index: usize, depth: usize) -> PlayNode {
        let silence = PlayNode::new(PlayKind::Silence);
        match tree.leaf(index, depth) {
            None => silence,
            Some(TreeLeaf::Audio(id)) => self.node(id),
            Some(TreeLeaf::Children(children)) => {
                let Some(group) = tree.groups.get(depth) else { return silence };
                let mut branches = Vec::new();
                for child in children {
                    let Some(key) = tree.nodes.get(child).map(|node| node.key) else { break };
                    if !self.pay() {
                        break;
                    }
                    branches.push((key, self.tree(tree, child, depth.saturating_add(1))));
                }
                // The key of any value is 0.
                branch(group.kind, group.id, self.default(group.kind, group.id, 0), branches)
            }
        }
    }

    /// Builds the item of a playlist that is next, with its children; none if there is no further one.
    fn music_playlist(
        &mut self,
        playlist: &MusicPlaylist,
        next: &mut usize,
    ) -> Option<(PlaylistItem, PlayNode)> {
        let item = *playlist.items.get(*next)?;
        *next = next.saturating_add(1);
        if !self.pay() {
            *next = playlist.items.len();
            return None;
        }
        if item.children == 0 {
            let mut node = self.node(item.segment);
            if node.kind != PlayKind::Silence && item.loops != 1 {
                node = PlayNode::new(PlayKind::Chain(vec![node]));
                node.params.loops = item.loops;
            }
            return Some((item, node));
        }
        if !self.enter() {
            *next = playlist.items.len();
            return None;
        }
        let mut children = Vec::new();
        for _ in 0..item.children {
            let Some((child, node)) = self.music_playlist(playlist, next) else { break };
            children.push((child.weight, node));
        }
        self.depth = self.depth.saturating_sub(1);
        let count = u32::try_from(children.len()).unwrap_or(u32::MAX);
        let plain = |children: Vec<(f32, PlayNode)>| children.into_iter().map(|(_, node)| node).collect();
        let is_random = matches!(item.kind, PlaylistKind::ContinuousRandom | PlaylistKind::StepRandom);
        let is_continuous =
            matches!(item.kind, PlaylistKind::ContinuousRandom | PlaylistKind::ContinuousSequence);
        let kind = match (is_random, is_continuous) {
            _ if children.is_empty() => PlayKind::Silence,
            (false, true) => PlayKind::Chain(plain(children)),
            (false, false) => PlayKind::Sequence(plain(children)),
            (true, _) => PlayKind::Random {
                children,
                with_replacement: !item.is_shuffle,
                avoid_repeat: item.avoid_repeat,
            },
        };
        let mut node = PlayNode::new(kind);
        let rounds = if is_random && is_continuous { count } else { 1 };
        node.params.loops = item.loops.saturating_mul(rounds);
        Some((item, node))
    }
}
