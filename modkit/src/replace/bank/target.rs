//! Which media is meant.

use std::collections::{BTreeMap, BTreeSet};

use importer::Sound;
use soundbank::{EventId, MediaId};

use super::{BankError, BankSounds};
use crate::suggest::suggestions;

/// A sound of a bank that is to be replaced, wherever it is stored.
#[derive(Clone, Debug)]
pub struct BankTarget {
    pub(super) key: TargetKey,
    /// What messages call it.
    pub(super) name: String,
    /// Its media in the project; of several the first.
    pub(super) media: usize,
}

/// What tells one sound from another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TargetKey {
    /// A media of a platform.
    Wwise { namespace: usize, language: Option<String>, id: u32 },
    /// A media whose file is called otherwise than by its id.
    File(usize),
    /// A sound of a sample bank of a file.
    Fmod { file: usize, fsb: u32, sound: u32 },
    /// A wave of a cue sheet or archive.
    Cri { file: usize, id: u32 },
}

impl BankTarget {
    /// Finds the sound that is meant: `#N`, a name or id of a media, or of an event that plays one media, or `N`. Of
    /// several platforms one counts: Windows, PC or Desktop, else the first by name.
    ///
    /// # Errors
    /// [`BankError`] if there is none, or several are meant.
    pub fn find(sounds: &BankSounds<'_>, selector: &str) -> Result<Self, BankError> {
        let rows = sounds.package.sounds();
        let numbered = |number: &str| rows.get(number.parse::<usize>().ok()?.checked_sub(1)?);
        if let Some(number) = selector.strip_prefix('#') {
            let row = numbered(number).ok_or_else(|| BankError::Unknown(selector.to_owned(), Vec::new()))?;
            return Self::of_rows(sounds, &[row], selector);
        }
        let is_there = |row: &&Sound| sounds.package.banks().is_none_or(|banks| banks.is_usual(row));
        let wanted = selector.to_lowercase();
        let matches: Vec<&Sound> =
            rows.iter().filter(|row| is_called(row, &wanted)).filter(is_there).collect();
        match (matches.is_empty(), numbered(selector)) {
            (false, _) => Self::of_rows(sounds, &matches, selector),
            (true, Some(row)) => Self::of_rows(sounds, &[row], selector),
            (true, None) => {
                let near = suggestions(rows.iter().map(Sound::path), selector);
                Err(BankError::Unknown(selector.to_owned(), near))
            }
        }
    }

    /// Returns the one media of rows: those of media, or what events play.
    fn of_rows(sounds: &BankSounds<'_>, rows: &[&Sound], selector: &str) -> Result<Self, BankError> {
        let media_of = |row: &&Sound| sounds.media.get(row.number.checked_sub(1)?).copied().flatten();
        let own: Vec<usize> = rows.iter().filter_map(media_of).collect();
        if !own.is_empty() {
            let found = Self::by_key(sounds, own);
            return match <[Self; 1]>::try_from(found) {
                Ok([target]) => Ok(target),
                Err(several) => {
                    let choices = several.iter().map(|target| target.choice(sounds)).collect();
                    Err(BankError::Several(selector.to_owned(), choices))
                }
            };
        }
        let (mut played, mut missing, mut ids) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for row in rows {
            let Some(event) = event_of(sounds, row) else { continue };
            let Some(known) = sounds.project.events.get(event) else { continue };
            ids.extend(known.media.iter().copied());
            missing.extend(known.missing.iter().map(MediaId::to_string));
            let media = sounds.project.media.iter().enumerate();
            played.extend(media.filter(|(_, media)| media.events.contains(&event)).map(|(index, _)| index));
        }
        let found = Self::by_key(sounds, played);
        match <[Self; 1]>::try_from(found) {
            Ok([target]) if ids.len() <= 1 => Ok(target),
            Ok([target]) => {
                let choices = std::iter::once(target.choice(sounds)).chain(missing).collect();
                Err(BankError::PlaysSeveral(selector.to_owned(), choices))
            }
            Err(several) if several.is_empty() => Err(match missing.into_iter().next() {
                Some(id) => BankError::Missing(id),
                None => BankError::PlaysNothing(selector.to_owned()),
            }),
            Err(several) => {
                let choices = several.iter().map(|target| target.choice(sounds)).chain(missing).collect();
                Err(BankError::PlaysSeveral(selector.to_owned(), choices))
            }
        }
    }

    /// Returns a target for each sound among media that are listed.
    fn by_key(sounds: &BankSounds<'_>, media: Vec<usize>) -> Vec<Self> {
        let mut found: BTreeMap<TargetKey, Self> = BTreeMap::new();
        for index in media {
            let (Some(row), Some(media)) = (sounds.row(index), sounds.project.media.get(index)) else {
                continue;
            };
            let namespace = sounds.project.files.get(media.file).and_then(|items| items.namespace);
            let key = match media.id {
                MediaId::Wwise(id) => TargetKey::Wwise {
                    namespace: namespace.unwrap_or_default(),
                    language: media.language.clone(),
                    id,
                },
                MediaId::File(file) => TargetKey::File(file),
                MediaId::Fmod { fsb, sound } => TargetKey::Fmod { file: media.file, fsb, sound },
                MediaId::Cri(id) => TargetKey::Cri { file: media.file, id },
            };
            let target = || Self { key: key.clone(), name: row.object.name.clone(), media: index };
            found.entry(key.clone()).or_insert_with(target);
        }
        found.into_values().collect()
    }

    /// Returns how it can be named, and where it is.
    fn choice(&self, sounds: &BankSounds<'_>) -> String {
        let row = sounds.row(self.media);
        let (number, container) =
            row.map_or((0, ""), |row| (row.number, row.container.as_deref().unwrap_or("")));
        format!("'#{number}' {} in {container}", self.name)
    }
}

/// Returns whether a row of a bank is called so: by one of its names, with or without folders, or by its id.
pub(crate) fn is_called(row: &Sound, wanted: &str) -> bool {
    let is_name = |name: &str| {
        let name = name.to_lowercase();
        let last = name.rsplit(['\\', '/']).next().unwrap_or(&name);
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        // Paths of events have slashes, too: only the whole of them is a name.
        name == wanted || (!name.contains(':') && (last == wanted || stem == wanted))
    };
    let bank = row.bank.as_ref();
    is_name(&row.object.name)
        || row.path().to_lowercase() == wanted
        || bank.is_some_and(|bank| {
            bank.names.iter().any(|name| is_name(name))
                || bank.id.as_ref().is_some_and(|id| id.to_string().to_lowercase() == wanted)
        })
}

/// Returns the event in the project that a row is.
fn event_of(sounds: &BankSounds<'_>, row: &Sound) -> Option<usize> {
    let id = row.bank.as_ref()?.id.as_ref()?.to_string();
    let is_it = |event: &soundbank::Event| {
        let of_event = match event.id {
            EventId::Wwise(id) | EventId::WwiseDialogue(id) | EventId::Cri(id) => id.to_string(),
            EventId::Fmod(guid) => format!("{{{guid}}}"),
        };
        of_event == id && sounds.paths.get(event.file).map(String::as_str) == row.container.as_deref()
    };
    sounds.project.events.iter().position(is_it)
}
