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
use super::objects::{Language, Objects};
use crate::{Event, EventId, MediaId};

use media_set::MediaWalk;

/// What reading events may cost, for all namespaces of a project together.
pub(super) struct EventBudget<'l> {
    /// Nodes of trees and entries of sets are paid from here.
    pub(super) limits: &'l mut Limits,
    /// Steps that are left for walking from events to their media.
    pub(super) steps: u64,
    /// What was cut, once per kind.
    pub(super) remarks: BTreeSet<&'static str>,
}

impl<'l> EventBudget<'l> {
    /// Steps for the events of a whole game, with room; a second at most.
    const STEPS: u64 = 8_000_000;

    /// Returns the budget of a project.
    pub(super) fn new(limits: &'l mut Limits) -> Self {
        Self { limits, steps: Self::STEPS, remarks: BTreeSet::new() }
    }
}

/// An event with its language and the order of its bank.
pub(super) struct FoundEvent {
    pub(super) event: Event,
    pub(super) language: Language,
}

/// Makes the events of a namespace, in the order of its banks. An event that several banks define is the one of the
/// first of them; languages have events of their own.
pub(super) fn list(
    namespace: &Namespace,
    names: &[&NameTable],
    media: &MediaIndex,
    budget: &mut EventBudget<'_>,
) -> Vec<FoundEvent> {
    let objects = Objects::of(&namespace.banks);
    let mut walk = MediaWalk::new(&objects);
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
            let find = |id: u32| media.find(id, bank.file, language);
            let missing = set.iter().copied().filter(|id| find(*id).is_none()).map(MediaId::Wwise).collect();
            let context =
                build::Context { objects: &objects, settings: namespace.settings(), language, find: &find };
            let tree = build::tree(&context, object, budget);
            events.push(FoundEvent {
                event: Event {
                    id,
                    names: find_names(names, Named::Event, item.id),
                    file: bank.file,
                    tree,
                    media: set.into_iter().map(MediaId::Wwise).collect(),
                    missing,
                },
                language,
            });
        }
    }
    events
}
