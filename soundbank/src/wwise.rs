//! Wwise: banks, packages of files, and the names that lie beside them.
//!
//! ```text
//! files ─► folders ─► namespaces: one for each platform
//!   bank.rs  package.rs  names ─► Namespace { banks, loose media, names } ─► media rows, events, switches
//! ```
//!
//! DATA, which has the media of a bank, is never read: its list says where each of them is.

mod bank;
mod events;
mod files;
mod folders;
mod hash;
mod hierarchy;
mod layout;
mod media;
mod names;
mod namespace;
mod objects;
mod package;
mod rewrite;
mod rewrite_package;
mod settings;
mod switches;
mod verify;
mod version;
mod wem;

use std::collections::{BTreeSet, HashMap};

use unreal::Limits;

use crate::{BankFile, MediaId, Project};
use events::EventBudget;
use media::MediaIndex;
use names::NameTable;
use objects::Objects;

pub(crate) use files::extension_of_head;
pub use files::is_wwise;
pub use hash::fnv32 as id_of_name;
pub use rewrite::{MediaUse, PCM, Replacement, RewrittenBank, rewrite, uses};
pub use rewrite_package::{MAX_PACKAGE, RewrittenPackage, rewrite_package};
pub use verify::{verify, verify_media, verify_package};
pub use wem::{PcmMedia, WemCodec, WemFormat, WemHead, check_byte_order, write_pcm};

/// What a user knows or wants of banks.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions<'o> {
    /// Further names, which are found by their hashes.
    pub words: &'o [String],
    /// Values of game parameters, by the ids of these, in place of their defaults.
    pub parameters: &'o [(u32, f32)],
}

/// Reads the files of a folder or container: banks, packages, media and names. Those of one platform, whatever their
/// language, make one namespace.
///
/// A file that cannot be read says why in its [`crate::BankItems`]; the others are read nevertheless.
#[must_use]
pub fn open(files: &[BankFile], options: OpenOptions<'_>, limits: &mut Limits) -> Project {
    let mut project = Project::default();
    let namespaces = files::read(files, &mut project, limits);
    let (words, is_whole) = names::word_table(options.words, limits);
    if !is_whole {
        project.remarks.push("some words are left out: there are too many".into());
    }
    let mut media_indices: Vec<MediaIndex> = Vec::new();
    let tables: Vec<Vec<&NameTable>> = (0..namespaces.len())
        .map(|own| {
            // A media has the same id on all platforms: names of others help where there are none.
            let others = namespaces.iter().enumerate().filter(|(index, _)| *index != own).take(MAX_TABLES);
            let own = namespaces.get(own).into_iter().map(|namespace| &namespace.names);
            own.chain(others.map(|(_, namespace)| &namespace.names)).chain([&words]).collect()
        })
        .collect();
    list_media(files, &namespaces, &tables, &mut media_indices, &mut project);
    let used = list_events(files, &namespaces, &tables, &media_indices, &mut project, (options, limits));
    project.parameters = used;
    project.switches = switches::list(&namespaces, &tables);
    project
}

/// Tables of names of other platforms that are asked; more would cost time for each media.
const MAX_TABLES: usize = 8;

fn list_media(
    files: &[BankFile],
    namespaces: &[namespace::Namespace],
    tables: &[Vec<&NameTable>],
    indices: &mut Vec<MediaIndex>,
    project: &mut Project,
) {
    let lengths = |file: usize| files.get(file).map_or(0, |file| file.source.len());
    let path = |file: usize| files.get(file).map_or("", |file| file.path.as_str());
    let mut rows = Vec::new();
    let mut outside = 0_usize;
    for (number, (namespace, names)) in namespaces.iter().zip(tables).enumerate() {
        let found = media::list(namespace, names, &lengths);
        outside = outside.saturating_add(found.outside);
        rows.extend(found.rows.into_iter().map(|(media, language)| (number, media, language)));
        indices.push(MediaIndex::default());
    }
    if outside > 0 {
        project.remarks.push(format!("{outside} media lie outside of their file: it is cut"));
    }
    rows.sort_by(|(_, first, _), (_, second, _)| path(first.file).cmp(path(second.file)));
    for (number, media, language) in rows {
        if let Some(index) = indices.get_mut(number) {
            index.add(project.media.len(), &media, language);
        }
        project.media.push(media);
    }
}

fn list_events(
    files: &[BankFile],
    namespaces: &[namespace::Namespace],
    tables: &[Vec<&NameTable>],
    indices: &[MediaIndex],
    project: &mut Project,
    (options, limits): (OpenOptions<'_>, &mut Limits),
) -> BTreeSet<u32> {
    let path = |file: usize| files.get(file).map_or("", |file| file.path.as_str());
    let mut budget = EventBudget::new(limits);
    let mut found: Vec<(usize, events::FoundEvent)> = Vec::new();
    let objects: Vec<Objects<'_>> =
        namespaces.iter().map(|namespace| Objects::of(&namespace.banks)).collect();
    for (number, (namespace, objects)) in namespaces.iter().zip(&objects).enumerate() {
        let (Some(names), Some(media)) = (tables.get(number), indices.get(number)) else { continue };
        let events = events::list(namespace, objects, names, media, &mut budget);
        found.extend(events.into_iter().map(|event| (number, event)));
    }
    found.sort_by(|(_, first), (_, second)| path(first.event.file).cmp(path(second.event.file)));
    let mut players: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, (number, event)) in found.iter().enumerate() {
        let Some(media) = indices.get(*number) else { continue };
        for id in &event.event.media {
            let MediaId::Wwise(id) = id else { continue };
            for row in media.rows(*id, event.language) {
                if budget.limits.take(size_of::<usize>() as u64, 0, "events of media").is_err() {
                    budget.remarks.insert("the events of some media are not all listed: there are too many");
                    break;
                }
                players.entry(row).or_default().push(index);
            }
        }
    }
    for (row, events) in players {
        if let Some(media) = project.media.get_mut(row) {
            media.events = events;
        }
    }
    // Trees come last: they take what is left, and everything else is known without them.
    for (number, event) in &mut found {
        let (Some(namespace), Some(objects)) = (namespaces.get(*number), objects.get(*number)) else {
            continue;
        };
        let Some(media) = indices.get(*number) else { continue };
        events::build(event, namespace, objects, media, (options.parameters, &mut budget));
    }
    let parameters = std::mem::take(&mut budget.parameters);
    project.remarks.extend(budget.remarks.into_iter().map(str::to_owned));
    project.events = found.into_iter().map(|(_, event)| event.event).collect();
    parameters
}
