//! Media of Wwise: every bank of the platform that holds or uses it, loose media and packages.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use soundbank::wwise::{MediaUse, Replacement, WemHead, check_byte_order, rewrite, rewrite_package, uses};
use soundbank::{Media, MediaId};
use unreal::Source;

use super::output::{BankMod, Check};
use super::target::TargetKey;
use super::{BankError, BankRecording, BankSounds, BankTarget, limits};

/// Media that change together: those of one language of a platform.
type Group = (usize, Option<String>);

/// A media and what takes its place.
#[derive(Clone)]
pub(super) struct NewMedia {
    pub(super) id: u32,
    pub(super) bytes: Arc<[u8]>,
    codec: Option<u32>,
    start: Option<u32>,
    /// Index of the replacement.
    index: usize,
    name: String,
    /// Whether it plays as long as the old one; of music that matters.
    is_as_long: bool,
}

impl NewMedia {
    pub(super) fn replacement(&self) -> Replacement<'_> {
        Replacement { id: self.id, bytes: &self.bytes, codec: self.codec, start: self.start }
    }
}

/// Changes to media, before they are made.
pub(super) struct WwiseChange<'c, 'b> {
    sounds: &'c BankSounds<'b>,
    only: Option<usize>,
    groups: BTreeMap<Group, Vec<NewMedia>>,
    /// Loose media by their files.
    loose: BTreeMap<usize, Arc<[u8]>>,
}

/// What was found of the media of a group.
#[derive(Default)]
struct Found {
    uses: MediaUse,
    /// Whether all of the media is in a file that changes.
    is_whole: bool,
}

/// What a file of Wwise is, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Bank,
    Package,
    Other,
}

impl Container {
    fn of(source: &dyn Source) -> Self {
        let mut head = [0; 4];
        match source.len() >= 4 && source.read_at(0, &mut head).is_ok() {
            true if &head == b"BKHD" => Self::Bank,
            true if &head == b"AKPK" => Self::Package,
            _ => Self::Other,
        }
    }
}

/// Returns whether a file of a language is concerned by a media of another one: sound effects are part of all.
pub(super) fn speaks(wanted: Option<&str>, language: Option<&str>) -> bool {
    match (wanted, language) {
        (Some(wanted), Some(language)) => wanted.eq_ignore_ascii_case(language),
        _ => true,
    }
}

impl<'c, 'b> WwiseChange<'c, 'b> {
    pub(super) const fn new(sounds: &'c BankSounds<'b>, only: Option<usize>) -> Self {
        Self { sounds, only, groups: BTreeMap::new(), loose: BTreeMap::new() }
    }

    /// Adds a media and its recording.
    pub(super) fn add(
        &mut self,
        target: &BankTarget,
        index: usize,
        recording: &BankRecording,
    ) -> Result<(), BankError> {
        let bytes: Arc<[u8]> = recording.wem()?.into();
        let (namespace, language, id) = match &target.key {
            TargetKey::Wwise { namespace, language, id } => (*namespace, language.clone(), *id),
            TargetKey::File(file) => {
                self.check_byte_order(*file, &bytes)?;
                self.loose.insert(*file, bytes);
                return Ok(());
            }
            TargetKey::Fmod { .. } | TargetKey::Cri { .. } => return Err(BankError::Internal),
        };
        let is_other = |(group, media): (&Group, &Vec<NewMedia>)| {
            group.0 == namespace && group.1 != language && media.iter().any(|media| media.id == id)
        };
        if self.groups.iter().any(is_other) {
            return Err(BankError::Languages(id));
        }
        let head = WemHead::read(&bytes);
        let head = head.map_err(|error| BankError::Bank("the recording".to_owned(), error))?;
        // Who streams an unchanged media needs as much of it as before.
        let is_same = self.is_same(target, &bytes);
        let start = u32::try_from(head.start).ok().filter(|_| !is_same);
        let old = self.sounds.row(target.media).and_then(importer::Sound::seconds);
        let is_as_long =
            is_same || old.zip(recording.seconds()).is_some_and(|(old, new)| (old - new).abs() < 0.001);
        let name = target.name.clone();
        let media = NewMedia { id, bytes, codec: head.codec, start, index, name, is_as_long };
        self.groups.entry((namespace, language)).or_default().push(media);
        Ok(())
    }

    /// Checks that a media has the byte order of a file of one that it takes the place of.
    fn check_byte_order(&self, file: usize, media: &[u8]) -> Result<(), BankError> {
        let failed = |error| BankError::Bank(self.sounds.path(file).to_owned(), error);
        check_byte_order(media, self.sounds.source(file)?).map_err(failed)
    }

    fn is_same(&self, target: &BankTarget, bytes: &[u8]) -> bool {
        let media = self.sounds.project.media.get(target.media);
        let Some(place) = media.and_then(|media| media.whole.as_ref().or(media.bytes.as_ref())) else {
            return false;
        };
        let Some(file) = self.sounds.files.get(place.file).filter(|_| place.length == bytes.len() as u64)
        else {
            return false;
        };
        let mut old = vec![0; bytes.len()];
        file.source.read_at(place.at, &mut old).is_ok() && old == bytes
    }

    /// Makes the changes.
    pub(super) fn apply(self, made: &mut BankMod) -> Result<(), (usize, BankError)> {
        for (file, bytes) in &self.loose {
            made.put(*file, bytes, Check::Media);
        }
        for (group, media) in &self.groups {
            self.group(group, media, made)?;
        }
        Ok(())
    }

    fn group(&self, group: &Group, media: &[NewMedia], made: &mut BankMod) -> Result<(), (usize, BankError)> {
        let first = media.first().map_or(0, |media| media.index);
        let mut found: Vec<Found> = media.iter().map(|_| Found::default()).collect();
        let mut others: BTreeSet<&str> = BTreeSet::new();
        for (file, items) in self.sounds.project.files.iter().enumerate() {
            let language = items.language.as_deref();
            if items.namespace != Some(group.0) || !speaks(group.1.as_deref(), language) {
                continue;
            }
            let is_wanted = self.only.is_none_or(|only| only == file);
            let container = self.sounds.source(file).map_or(Container::Other, |source| Container::of(source));
            let changed = match container {
                Container::Bank => self.bank(file, media, is_wanted, made, &mut found),
                Container::Package if is_wanted => self.package(file, group, media, made, &mut found),
                _ => Ok(false),
            };
            let is_changed = changed.map_err(|error| (first, error))?;
            if is_changed && !is_wanted {
                others.insert(self.sounds.path(file));
            }
        }
        for (media, found) in media.iter().zip(&mut found) {
            self.loose_media(group, media, made, found).map_err(|error| (media.index, error))?;
            if found.uses.is_music && !media.is_as_long {
                made.warn(format!(
                    "{}: a music track plays it, whose times stay those of the old media",
                    media.name
                ));
            }
        }
        if let Some(path) = others.first() {
            made.warn(format!(
                "{path} uses it, too ({} such banks): give the folder to change all",
                others.len()
            ));
        }
        Ok(())
    }

    /// Rewrites a bank; returns whether it has anything to do with the media. One that is not wanted stays.
    fn bank(
        &self,
        file: usize,
        media: &[NewMedia],
        is_wanted: bool,
        made: &mut BankMod,
        found: &mut [Found],
    ) -> Result<bool, BankError> {
        let path = self.sounds.path(file);
        let failed = |error| BankError::Bank(path.to_owned(), error);
        let ids: Vec<u32> = media.iter().map(|media| media.id).collect();
        let old = made.current(file, self.sounds.source(file)?);
        let of_bank = match uses(&old, &ids, &mut limits()) {
            Ok(of_bank) => of_bank,
            // Of a bank that could not be read nothing is known; it stays as it is unless it is listed with one.
            Err(error) => {
                let is_error = self.sounds.project.files.get(file).is_some_and(|items| items.error.is_some());
                let lists = |media: &Media| {
                    media.file == file && ids.iter().any(|id| media.id == MediaId::Wwise(*id))
                };
                if is_wanted && (!is_error || self.sounds.project.media.iter().any(lists)) {
                    return Err(failed(error));
                }
                made.warn(format!("{path} stays as it is: {error}"));
                return Ok(false);
            }
        };
        if !of_bank.iter().any(MediaUse::is_any) || !is_wanted {
            return Ok(of_bank.iter().any(MediaUse::is_any));
        }
        for (found, of_bank) in found.iter_mut().zip(&of_bank) {
            found.uses.add(of_bank);
            found.is_whole |= of_bank.is_listed && !of_bank.is_start;
        }
        let used: Vec<&NewMedia> =
            media.iter().zip(&of_bank).filter(|(_, uses)| uses.is_any()).map(|(media, _)| media).collect();
        let replacements: Vec<Replacement<'_>> = used.iter().map(|media| media.replacement()).collect();
        let new = rewrite(&old, &replacements, &mut limits()).map_err(failed)?;
        let used = used.into_iter().cloned().collect();
        made.put(file, &new.bytes.into(), Check::Bank(used));
        Ok(true)
    }

    fn package(
        &self,
        file: usize,
        group: &Group,
        media: &[NewMedia],
        made: &mut BankMod,
        found: &mut [Found],
    ) -> Result<bool, BankError> {
        let failed = |error| BankError::Bank(self.sounds.path(file).to_owned(), error);
        let replacements: Vec<Replacement<'_>> = media.iter().map(NewMedia::replacement).collect();
        let speaks = |language: Option<&str>| speaks(group.1.as_deref(), language);
        let old = made.current(file, self.sounds.source(file)?);
        let mut new = Vec::new();
        let changed =
            rewrite_package(&old, &replacements, &speaks, &mut limits(), &mut new).map_err(failed)?;
        for ((found, uses), media) in found.iter_mut().zip(&changed.uses).zip(media) {
            found.uses.add(uses);
            let is_stream = |row: &Media| row.file == file && self.is_held(row, media.id, group);
            found.is_whole |=
                (uses.is_listed && !uses.is_start) || self.sounds.project.media.iter().any(is_stream);
        }
        if changed.banks + changed.streams == 0 {
            return Ok(false);
        }
        made.put(file, &new.into(), Check::Package(media.to_vec(), group.1.clone()));
        Ok(true)
    }

    /// Returns whether a row is all of a media of a group.
    fn is_held(&self, row: &Media, id: u32, group: &Group) -> bool {
        let namespace = self.sounds.project.files.get(row.file).and_then(|items| items.namespace);
        let is_it = row.id == MediaId::Wwise(id) && namespace == Some(group.0) && row.language == group.1;
        is_it && row.bytes.as_ref().is_some_and(|bytes| !bytes.is_prefetch)
    }

    /// Replaces files that are the media, and checks that all of it is replaced.
    fn loose_media(
        &self,
        group: &Group,
        media: &NewMedia,
        made: &mut BankMod,
        found: &mut Found,
    ) -> Result<(), BankError> {
        let rows = self.sounds.project.media.iter().filter(|row| self.is_held(row, media.id, group));
        let mut elsewhere = None;
        for row in rows {
            let source = self.sounds.source(row.file)?;
            let is_loose = Container::of(source) == Container::Other;
            if self.only.is_some_and(|only| only != row.file) {
                elsewhere = Some(row.file).filter(|_| is_loose || elsewhere.is_none()).or(elsewhere);
            } else if is_loose {
                self.check_byte_order(row.file, &media.bytes)?;
                made.put(row.file, &media.bytes, Check::Media);
                found.is_whole = true;
            }
        }
        let needs_more = found.uses.is_loose || !found.is_whole;
        match elsewhere {
            Some(file) if needs_more => Err(BankError::Elsewhere(self.sounds.path(file).to_owned())),
            _ if !found.is_whole => Err(BankError::Missing(media.name.clone())),
            _ => Ok(()),
        }
    }
}
