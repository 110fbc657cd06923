use std::collections::{HashMap, HashSet};

use super::names::{NameTable, Named, find_names};
use super::namespace::Namespace;
use super::objects::Language;
use crate::{Media, MediaBytes, MediaId, StreamKind};

/// A media in a file of its own, or in a file package.
#[derive(Clone, Debug)]
pub(super) struct LooseMedia {
    /// The file, by its index.
    pub(super) file: usize,
    /// Its id; none if the file's name is none.
    pub(super) id: Option<u32>,
    /// Language of its folder.
    pub(super) language: Language,
    /// Offset in the file, in bytes.
    pub(super) at: u64,
    /// Bytes.
    pub(super) length: u64,
}

/// The rows of media of one namespace, with the language of each.
pub(super) struct MediaRows {
    pub(super) rows: Vec<(Media, Language)>,
    /// How many lie outside of their file.
    pub(super) outside: usize,
}

/// Makes the rows of a namespace: one for each media of each bank, one for each loose file, one for each media that is
/// nowhere at hand.
pub(super) fn list(namespace: &Namespace, names: &[&NameTable], lengths: &dyn Fn(usize) -> u64) -> MediaRows {
    let streams = stream_kinds(namespace);
    let mut rows = MediaRows { rows: Vec::new(), outside: 0 };
    let mut at_hand = HashSet::new();
    let row = |file: usize, id: MediaId, language: Language, bytes, stream| {
        let names = match id {
            MediaId::Wwise(id) => find_names(names, Named::Media, id),
            _ => Vec::new(),
        };
        let media = Media {
            id,
            names,
            events: Vec::new(),
            file,
            bytes,
            whole: None,
            stream,
            language: namespace.language_name(language),
            sample: None,
        };
        (media, language)
    };
    for bank in &namespace.banks {
        let mut listed = HashSet::new();
        for stored in &bank.bank.media {
            if !listed.insert(stored.id) {
                continue;
            }
            at_hand.insert(stored.id);
            let stream = streams.get(&stored.id).copied().unwrap_or_default();
            let is_prefetch = stream == StreamKind::Prefetch;
            let fits = stored.at.saturating_add(stored.length) <= lengths(bank.file);
            rows.outside = rows.outside.saturating_add(usize::from(!fits));
            let bytes = fits.then_some(MediaBytes {
                file: bank.file,
                at: stored.at,
                length: stored.length,
                is_prefetch,
            });
            rows.rows.push(row(bank.file, MediaId::Wwise(stored.id), bank.language, bytes, stream));
        }
    }
    for loose in &namespace.loose {
        let id = loose.id.map_or(MediaId::File(loose.file), MediaId::Wwise);
        at_hand.extend(loose.id);
        let stream = loose.id.and_then(|id| streams.get(&id).copied()).unwrap_or(StreamKind::Streamed);
        let fits = loose.at.saturating_add(loose.length) <= lengths(loose.file);
        rows.outside = rows.outside.saturating_add(usize::from(!fits));
        let bytes = fits.then_some(MediaBytes {
            file: loose.file,
            at: loose.at,
            length: loose.length,
            is_prefetch: false,
        });
        rows.rows.push(row(loose.file, id, loose.language, bytes, stream));
    }
    for bank in &namespace.banks {
        for source in bank.bank.hierarchy.items.iter().flat_map(|item| item.body.sources()) {
            if source.is_codec() && source.media != 0 && at_hand.insert(source.media) {
                rows.rows.push(row(
                    bank.file,
                    MediaId::Wwise(source.media),
                    bank.language,
                    None,
                    source.stream,
                ));
            }
        }
    }
    join_prefetches(&mut rows.rows);
    rows
}

fn stream_kinds(namespace: &Namespace) -> HashMap<u32, StreamKind> {
    let mut kinds = HashMap::new();
    for bank in &namespace.banks {
        for source in bank.bank.hierarchy.items.iter().flat_map(|item| item.body.sources()) {
            let kind = kinds.entry(source.media).or_insert(source.stream);
            // A bank that could not be read does not know; one that says prefetch does.
            if source.stream == StreamKind::Prefetch {
                *kind = StreamKind::Prefetch;
            }
        }
    }
    kinds
}

/// Tells each start of a media where the whole of it is.
fn join_prefetches(rows: &mut [(Media, Language)]) {
    let mut whole: HashMap<(MediaId, Language), MediaBytes> = HashMap::new();
    for (media, language) in rows.iter() {
        if let Some(bytes) = &media.bytes
            && !bytes.is_prefetch
        {
            whole.entry((media.id, *language)).or_insert_with(|| bytes.clone());
        }
    }
    for (media, language) in rows {
        if media.bytes.as_ref().is_some_and(|bytes| bytes.is_prefetch) {
            let of = |language| whole.get(&(media.id, language));
            media.whole = of(*language).or_else(|| of(0)).cloned();
        }
    }
}

/// The best row of each media for who plays it.
#[derive(Debug, Default)]
pub(super) struct MediaIndex {
    of_file: HashMap<(u32, usize), usize>,
    of_language: HashMap<(u32, Language), (u8, usize)>,
    of_any: HashMap<u32, (u8, usize)>,
    /// Every row of each id, with its language.
    rows: HashMap<u32, Vec<(usize, Language)>>,
}

impl MediaIndex {
    /// Adds the row that has an index in the project.
    pub(super) fn add(&mut self, index: usize, media: &Media, language: Language) {
        let MediaId::Wwise(id) = media.id else { return };
        self.rows.entry(id).or_default().push((index, language));
        let Some(bytes) = &media.bytes else { return };
        let worth = if bytes.is_prefetch { 1 } else { 2 };
        if worth == 2 {
            self.of_file.entry((id, media.file)).or_insert(index);
        }
        for best in [
            self.of_language.entry((id, language)).or_insert((0, index)),
            self.of_any.entry(id).or_insert((0, index)),
        ] {
            if best.0 < worth {
                *best = (worth, index);
            }
        }
    }

    /// Finds the row that a bank of a language plays; none if the media is nowhere at hand.
    pub(super) fn find(&self, id: u32, file: usize, language: Language) -> Option<usize> {
        let of = |language| self.of_language.get(&(id, language)).map(|(_, index)| index);
        let own = self.of_file.get(&(id, file));
        own.or_else(|| of(language))
            .or_else(|| of(0))
            .or_else(|| self.of_any.get(&id).map(|(_, index)| index))
            .copied()
    }

    /// Returns the rows that an event of a language can play.
    pub(super) fn rows(&self, id: u32, language: Language) -> impl Iterator<Item = usize> {
        let rows = self.rows.get(&id).map_or(&[][..], Vec::as_slice);
        rows.iter()
            .filter(move |(_, of)| *of == 0 || language == 0 || *of == language)
            .map(|(index, _)| *index)
    }
}
