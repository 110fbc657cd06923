use std::collections::HashSet;

use super::super::hierarchy::{Body, MusicChoice, MusicSwitch, Verb};
use super::super::objects::{Language, ObjectIndex, Objects};
use super::EventBudget;

/// What is said of sets that are cut.
const CUT: &str = "the media of some events are not all listed: there are too many";

impl EventBudget<'_> {
    /// Takes so many steps; false if there are no more.
    fn take(&mut self, steps: usize) -> bool {
        match self.steps.checked_sub(steps as u64) {
            Some(left) => {
                self.steps = left;
                true
            }
            None => {
                self.remarks.insert(CUT);
                false
            }
        }
    }
}

/// Walks from events to the media that they can play, whatever is drawn or switched.
pub(super) struct MediaWalk<'o, 'b> {
    objects: &'o Objects<'b>,
    /// The number of the walk that came by each object last.
    visited: Vec<u32>,
    walk: u32,
}

impl<'o, 'b> MediaWalk<'o, 'b> {
    pub(super) fn new(objects: &'o Objects<'b>) -> Self {
        Self { objects, visited: vec![0; objects.len()], walk: 0 }
    }

    /// Returns the ids of all media that an event can play, sorted. Generators have none.
    pub(super) fn media_of(
        &mut self,
        event: ObjectIndex,
        language: Language,
        budget: &mut EventBudget<'_>,
    ) -> Vec<u32> {
        let objects = self.objects;
        self.walk = self.walk.saturating_add(1);
        let mut media = Vec::new();
        let mut open = vec![event];
        while let Some(index) = open.pop() {
            let Some(visited) = self.visited.get_mut(index.get()) else { continue };
            if *visited == self.walk {
                continue;
            }
            *visited = self.walk;
            let Some((item, _)) = objects.get(index) else { continue };
            let leaves = match &item.body {
                Body::Dialogue(tree)
                | Body::MusicSwitch(MusicSwitch { choice: MusicChoice::Tree(tree) }, _)
                    if budget.take(tree.nodes.len()) =>
                {
                    tree.leaves()
                }
                _ => Vec::new(),
            };
            let mut follow = |ids: &mut dyn Iterator<Item = u32>| {
                for id in ids {
                    if !budget.take(1) {
                        return;
                    }
                    open.extend(objects.node(id, language));
                }
            };
            match &item.body {
                Body::Event(actions) => follow(&mut actions.iter().copied()),
                Body::Action(action) => match action.verb {
                    Verb::Play => follow(&mut std::iter::once(action.target)),
                    Verb::PlayEvent => open.extend(objects.event(action.target, language)),
                    Verb::SetState { .. } | Verb::SetSwitch { .. } | Verb::Other => {}
                },
                Body::Sound(source, _) => media.extend(source.is_codec().then_some(source.media)),
                Body::Track(track, _) => {
                    if budget.take(track.clips.len()) {
                        let used: HashSet<u32> = track.clips.iter().map(|clip| clip.media).collect();
                        let sources = track.sources.iter().filter(|source| source.is_codec());
                        media.extend(sources.map(|source| source.media).filter(|id| used.contains(id)));
                    }
                }
                Body::Playlist(playlist, _) => follow(&mut playlist.entries.iter().map(|(id, _)| *id)),
                Body::Switch(switch, _) => {
                    follow(&mut switch.branches.iter().flat_map(|(_, ids)| ids.iter().copied()));
                }
                Body::Mixer(children, _) | Body::Segment(children, _) => {
                    follow(&mut children.iter().copied());
                }
                Body::Blend(blend, _) => follow(&mut blend.children.iter().copied()),
                Body::MusicSwitch(switch, _) => match &switch.choice {
                    MusicChoice::Tree(_) => follow(&mut leaves.into_iter()),
                    MusicChoice::List { branches, .. } => follow(&mut branches.iter().map(|(_, id)| *id)),
                },
                Body::MusicPlaylist(playlist, _) => {
                    follow(&mut playlist.items.iter().map(|item| item.segment).filter(|id| *id != 0));
                }
                Body::Dialogue(_) => follow(&mut leaves.into_iter()),
                Body::Unread(_) => {}
            }
        }
        media.sort_unstable();
        media.dedup();
        let cost = (media.len() as u64).saturating_mul(16);
        if budget.limits.take(cost, 0, "media of events").is_err() {
            budget.remarks.insert(CUT);
            media.clear();
        }
        media
    }
}
