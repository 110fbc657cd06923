use std::collections::HashMap;

use super::bank::Bank;
use super::hierarchy::{Body, Item};

/// A language of a namespace, by its index; 0 = sound effects.
pub(super) type Language = usize;

/// A bank of a namespace.
#[derive(Debug)]
pub(super) struct NamespaceBank {
    /// The file that holds it, by its index.
    pub(super) file: usize,
    /// Language of its folder.
    pub(super) language: Language,
    /// The bank.
    pub(super) bank: Bank,
}

/// The items of all banks of a namespace, by their ids.
///
/// An id in several banks is one object, of which the fuller item counts. Banks of different languages have the same
/// ids with different media: they are told apart.
#[derive(Debug)]
pub(super) struct Objects<'b> {
    items: Vec<(&'b Item, &'b NamespaceBank)>,
    nodes: Index,
    events: Index,
    dialogues: Index,
}

/// An item of a namespace, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ObjectIndex(usize);

impl ObjectIndex {
    /// Returns the index, below [`Objects::len`].
    pub(super) const fn get(self) -> usize {
        self.0
    }
}

/// Items by their ids, with how full each is.
#[derive(Debug, Default)]
struct Index {
    of_language: HashMap<(u32, Language), Entry>,
    of_any: HashMap<u32, Entry>,
}

/// An item by its index; what was read is fuller than what was not, then the one of more bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    fullness: (bool, u32),
    index: usize,
}

impl Entry {
    /// Takes another item if that is fuller.
    fn prefer(&mut self, other: Self) {
        if self.fullness < other.fullness {
            *self = other;
        }
    }
}

impl Index {
    fn add(&mut self, id: u32, language: Language, entry: Entry) {
        self.of_language.entry((id, language)).or_insert(entry).prefer(entry);
        self.of_any.entry(id).or_insert(entry).prefer(entry);
    }

    /// Finds an item as a language sees it: its own and that of sound effects are one object. What neither has may be
    /// in any other language, as voices are that sound effects start.
    fn find(&self, id: u32, language: Language) -> Option<usize> {
        let of = |language| self.of_language.get(&(id, language)).copied();
        let found = match (of(language), of(0)) {
            (Some(mut own), Some(shared)) => {
                own.prefer(shared);
                Some(own)
            }
            (own, shared) => own.or(shared),
        };
        found.or_else(|| self.of_any.get(&id).copied()).map(|entry| entry.index)
    }
}

impl<'b> Objects<'b> {
    /// Indexes the items of banks.
    pub(super) fn of(banks: &'b [NamespaceBank]) -> Self {
        let count = banks.iter().map(|bank| bank.bank.hierarchy.items.len()).sum();
        let mut objects = Self {
            items: Vec::with_capacity(count),
            nodes: Index::default(),
            events: Index::default(),
            dialogues: Index::default(),
        };
        for bank in banks {
            for item in &bank.bank.hierarchy.items {
                let number = objects.items.len();
                objects.items.push((item, bank));
                let index = match item.body {
                    Body::Event(_) => &mut objects.events,
                    Body::Dialogue(_) => &mut objects.dialogues,
                    _ => &mut objects.nodes,
                };
                let fullness = (!matches!(item.body, Body::Unread(_)), item.size);
                index.add(item.id, bank.language, Entry { fullness, index: number });
            }
        }
        objects
    }

    /// Returns how many items there are.
    pub(super) const fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns an item with its bank.
    pub(super) fn get(&self, index: ObjectIndex) -> Option<(&'b Item, &'b NamespaceBank)> {
        self.items.get(index.0).copied()
    }

    /// Finds a node or action as a bank of a language sees it.
    pub(super) fn node(&self, id: u32, language: Language) -> Option<ObjectIndex> {
        self.nodes.find(id, language).map(ObjectIndex)
    }

    /// Finds an event.
    pub(super) fn event(&self, id: u32, language: Language) -> Option<ObjectIndex> {
        self.events.find(id, language).map(ObjectIndex)
    }

    /// Finds a dialogue event.
    pub(super) fn dialogue(&self, id: u32, language: Language) -> Option<ObjectIndex> {
        self.dialogues.find(id, language).map(ObjectIndex)
    }
}
