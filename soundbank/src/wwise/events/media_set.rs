use std::collections::HashSet;

use super::super::hierarchy::{Body, MusicChoice, Verb};
use super::super::objects::{Language, ObjectIndex, Objects};
use super::EventBudget;
use crate::MediaId;

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
    /// What each object leads to for the language that was walked for last; ids are looked up once.
    edges: Vec<Option<Box<[ObjectIndex]>>>,
    language: Language,
    /// The number of the walk that came by each object last.
    visited: Vec<u32>,
    walk: u32,
}

impl<'o, 'b> MediaWalk<'o, 'b> {
    pub(super) fn new(objects: &'o Objects<'b>) -> Self {
        let count = objects.len();
        Self { objects, edges: vec![None; count], language: 0, visited: vec![0; count], walk: 0 }
    }

    /// Returns the ids of all media that an event can play, sorted. Generators have none.
    pub(super) fn media_of(
        &mut self,
        event: ObjectIndex,
        language: Language,
        budget: &mut EventBudget<'_>,
    ) -> Vec<u32> {
        if self.language != language {
            self.language = language;
            self.edges.fill(None);
        }
        self.walk = self.walk.saturating_add(1);
        let mut media = Vec::new();
        let mut open = vec![event];
        while let Some(index) = open.pop() {
            let Some(visited) = self.visited.get_mut(index.get()) else { continue };
            if *visited == self.walk {
                continue;
            }
            *visited = self.walk;
            let Some((item, _)) = self.objects.get(index) else { continue };
            add_media(&item.body, &mut media, budget);
            let Some(edges) = self.edges.get_mut(index.get()) else { continue };
            let edges = edges.get_or_insert_with(|| edges_of(&item.body, self.objects, language));
            if budget.take(edges.len()) {
                open.extend_from_slice(edges);
            }
        }
        media.sort_unstable();
        media.dedup();
        let cost = (media.len() as u64).saturating_mul(size_of::<MediaId>() as u64);
        if budget.limits.take(cost, 0, "media of events").is_err() {
            budget.remarks.insert(CUT);
            media.clear();
        }
        media
    }
}

/// Adds the media of an object itself.
fn add_media(body: &Body, media: &mut Vec<u32>, budget: &mut EventBudget<'_>) {
    match body {
        Body::Sound(source, _) if source.is_codec() => media.push(source.media),
        Body::Track(track, _) if budget.take(track.clips.len()) => {
            let used: HashSet<u32> = track.clips.iter().map(|clip| clip.media).collect();
            let sources = track.sources.iter().filter(|source| source.is_codec());
            media.extend(sources.map(|source| source.media).filter(|id| used.contains(id)));
        }
        _ => {}
    }
}

/// Returns what an object leads to.
fn edges_of(body: &Body, objects: &Objects<'_>, language: Language) -> Box<[ObjectIndex]> {
    let nodes =
        |ids: &mut dyn Iterator<Item = u32>| ids.filter_map(|id| objects.node(id, language)).collect();
    match body {
        Body::Action(action) => match action.verb {
            Verb::Play => nodes(&mut std::iter::once(action.target)),
            Verb::PlayEvent => objects.event(action.target, language).into_iter().collect(),
            Verb::SetState { .. } | Verb::SetSwitch { .. } | Verb::Other => Box::default(),
        },
        Body::Event(ids) | Body::Mixer(ids, _) | Body::Segment(ids, _) => nodes(&mut ids.iter().copied()),
        Body::Playlist(playlist, _) => nodes(&mut playlist.entries.iter().map(|(id, _)| *id)),
        Body::Switch(switch, _) => {
            nodes(&mut switch.branches.iter().flat_map(|(_, ids)| ids.iter().copied()))
        }
        Body::Blend(blend, _) => nodes(&mut blend.children.iter().copied()),
        Body::MusicSwitch(switch, _) => match &switch.choice {
            MusicChoice::Tree(tree) => nodes(&mut tree.leaves().into_iter()),
            MusicChoice::List { branches, .. } => nodes(&mut branches.iter().map(|(_, id)| *id)),
        },
        Body::MusicPlaylist(playlist, _) => {
            nodes(&mut playlist.items.iter().map(|item| item.segment).filter(|id| *id != 0))
        }
        Body::Dialogue(tree) => nodes(&mut tree.leaves().into_iter()),
        Body::Sound(..) | Body::Track(..) | Body::Unread(_) => Box::default(),
    }
}
