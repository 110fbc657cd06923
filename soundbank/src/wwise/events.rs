//! Events: what each plays, as a tree and as the set of its media.

mod build;
mod media_set;
mod params;

use std::collections::{BTreeSet, HashSet};

use unreal::Limits;

use super::hierarchy::Body;
use super::media::MediaIndex;
use super::names::{NameTable, Named, find_names};
use super::namespace::Namespace;
use super::objects::{Language, ObjectIndex, Objects};
use crate::{Event, EventId, MediaId, PlayKind, PlayNode};

use media_set::MediaWalk;

/// What reading events may cost, for all namespaces of a project together.
pub(super) struct EventBudget<'l> {
    /// Nodes of trees and entries of sets are paid from here.
    pub(super) limits: &'l mut Limits,
    /// Steps that are left for walking from events to their media.
    pub(super) steps: u64,
    /// What was cut, once per kind.
    pub(super) remarks: BTreeSet<&'static str>,
    /// Ids of game parameters that gains depend on.
    pub(super) parameters: BTreeSet<u32>,
}

impl<'l> EventBudget<'l> {
    /// Steps for the events of a whole game, with room; a tenth of a second.
    const STEPS: u64 = 8_000_000;

    /// Returns the budget of a project.
    pub(super) fn new(limits: &'l mut Limits) -> Self {
        Self { limits, steps: Self::STEPS, remarks: BTreeSet::new(), parameters: BTreeSet::new() }
    }
}

/// An event whose tree is not built yet.
pub(super) struct FoundEvent {
    pub(super) event: Event,
    pub(super) language: Language,
    object: ObjectIndex,
}

/// Finds the events of a namespace with their media, in the order of its banks. An event that several banks define is
/// the one of the first of them; languages have events of their own.
pub(super) fn list(
    namespace: &Namespace,
    objects: &Objects<'_>,
    names: &[&NameTable],
    media: &MediaIndex,
    budget: &mut EventBudget<'_>,
) -> Vec<FoundEvent> {
    let mut walk = MediaWalk::new(objects);
    let mut seen = HashSet::new();
    let mut events = Vec::new();
    for bank in &namespace.banks {
        for item in &bank.bank.hierarchy.items {
            let language = bank.language;
            let (id, object) = match item.body {
                Body::Event(_) => (EventId::Wwise(item.id), objects.event(item.id, language)),
                Body::Dialogue(_) => (EventId::WwiseDialogue(item.id), objects.dialogue(item.id, language)),
                _ => continue,
            };
            let Some(object) = object else { continue };
            if !seen.insert((id, language)) {
                continue;
            }
            let set = walk.media_of(object, language, budget);
            let is_missing = |id: &u32| media.find(*id, bank.file, language).is_none();
            let event = Event {
                id,
                names: find_names(names, Named::Event, item.id),
                file: bank.file,
                tree: PlayNode::new(PlayKind::Silence),
                missing: set.iter().copied().filter(is_missing).map(MediaId::Wwise).collect(),
                media: set.into_iter().map(MediaId::Wwise).collect(),
            };
            events.push(FoundEvent { event, language, object });
        }
    }
    events
}

/// Builds the tree of an event.
pub(super) fn build(
    found: &mut FoundEvent,
    namespace: &Namespace,
    objects: &Objects<'_>,
    media: &MediaIndex,
    (parameters, budget): (&[(u32, f32)], &mut EventBudget<'_>),
) {
    let (file, language) = (found.event.file, found.language);
    let find = |id: u32| media.find(id, file, language);
    let settings = namespace.settings();
    let context = build::Context { objects, settings, parameters, language, find: &find };
    found.event.tree = build::tree(&context, found.object, budget);
}
