//! Sound banks of middleware: every media, then every event as an instrument of what it plays.
//!
//! ```text
//! LD45_Main.bnk    #1  BAS_CIN_Wind_Loop   media
//! 993985859.wem    #2  BAS_CIN_Wind_End    media, streamed
//! LD45_Main.bnk    #3  Play_Wind           event: #1 or #2, at random
//! ```

mod copies;
mod platform;
mod row;
mod source;
mod switching;
mod zones;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use song::{Articulation, Origin, Sample};
use soundbank::{
    BankFile, BranchKind, Event, EventId, Media, MediaId, PlayKind, PlayNode, Project, StatedHeader,
};
use unreal::ue1to3::bulk::Payload;
use unreal::{Limits, ObjectPath, Source};

use super::Collection;
use super::joined_files::JoinedFiles;
use crate::budget::{DecodeBudget, WorkBudget, bytes};
use crate::codec;
use crate::find::payload::PayloadInfo;
use crate::open::{BankFolder, Files};
use crate::payload_reader::PayloadReader;
use crate::sound::Description;
use crate::{Contents, DamageReason, EmptyReason, Error, Remark, Sound, SoundClass, Status};
pub use row::{BankClass, BankId, BankRow};
use source::{BankSource, FilePart};
pub(crate) use switching::SwitchedEvents;
pub use switching::{SwitchChoice, SwitchValue};
use zones::ZoneBuilder;

/// What a user knows or wants of sound banks.
#[derive(Clone, Debug, Default)]
pub struct BankOptions {
    /// Further names, one each: those whose hash is an id name it.
    pub names: Vec<String>,
    /// Values of switches and states, by the names or numbers of both.
    pub switches: Vec<(String, String)>,
    /// Values of game parameters, by the names or numbers of these.
    pub parameters: Vec<(String, f32)>,
    /// The only platform, by the name of its folder.
    pub platform: Option<String>,
    /// The only language beside what has none.
    pub language: Option<String>,
    /// The key of encrypted banks of FMOD.
    pub fmod_key: Option<String>,
    /// The key of encrypted HCA of CRI.
    pub cri_key: Option<u64>,
}

/// Media and events, described.
pub struct SoundBanks {
    source: BankSource,
    project: Project,
    files: Vec<BankFile>,
    /// The file that was named, by its index; none if a folder was.
    only: Option<usize>,
    /// Values of switches and states that a user named, by their groups.
    chosen: HashMap<(BranchKind, u32), u32>,
    /// Paths of the files as they were opened.
    paths: Vec<String>,
    /// Rows of the same collection before the first.
    before: usize,
    sounds: Vec<Sound>,
    /// Events of the rows after the media, by their index in the project.
    events: Vec<usize>,
    /// Media of the first rows, by their index in the project.
    media: Vec<usize>,
    articulations: Vec<Articulation>,
    remarks: Vec<String>,
}

/// Files of sound banks.
pub(crate) struct BankSet<'s> {
    /// Where they are opened.
    pub(crate) files: &'s Arc<dyn Files>,
    /// Which they are.
    pub(crate) folder: &'s BankFolder,
    /// What their paths are shown below.
    pub(crate) shown: &'s Path,
    /// What rows and bytes come before theirs.
    pub(crate) before: ListedBefore,
}

/// Rows, and bytes of recordings, of the same collection that come before those of sound banks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ListedBefore {
    pub(crate) sounds: usize,
    pub(crate) bytes: u64,
}

/// Reads banks and describes what is in them.
///
/// # Errors
/// If the rows take more than the limits, or a bank that was named cannot be read.
pub(crate) fn open(
    BankSet { files, folder, shown, before }: &BankSet<'_>,
    options: &BankOptions,
    work: &WorkBudget,
    limits: &mut Limits,
) -> Result<SoundBanks, Error> {
    let mut joined = JoinedFiles::after(before.bytes, Arc::clone(files));
    let entries = folder.entries();
    let payloads: Vec<Payload> =
        entries.iter().map(|entry| joined.add(entry.path.clone(), entry.size)).collect();
    let joined = Arc::new(joined);
    let part = |payload: &Payload| Arc::new(FilePart { joined: Arc::clone(&joined), payload: *payload });
    let banks: Vec<BankFile> =
        entries.iter().zip(&payloads).map(|(entry, payload)| entry.bank_file(part(payload))).collect();
    let parameters = zones::parameters(&options.parameters);
    let wwise = soundbank::wwise::OpenOptions { words: &options.names, parameters: &parameters };
    let project = soundbank::wwise::open(&banks, wwise, limits);
    let key = options.fmod_key.as_deref();
    let project = project.joined(soundbank::fmod::open(&banks, key, limits));
    let project = project.joined(soundbank::cri::open(&banks, options.cri_key, limits));
    if let Some(only) = folder.only()
        && let Some(error) = project.files.get(only).and_then(|items| items.error.clone())
    {
        return Err(Error::SoundBank(error));
    }
    let source = BankSource::new(joined, &project, &payloads);
    let paths = entries.iter().map(|entry| match folder.only() {
        Some(_) => entry.path.display().to_string(),
        None => shown.join(&entry.below).display().to_string(),
    });
    let paths: Vec<String> = paths.map(|path| path.replace('\\', "/")).collect();
    let choice = RowChoice::new(&project, folder.only(), options);
    let mut rows = Rows {
        project: &project,
        paths: &paths,
        payloads: &payloads,
        numbers: vec![None; project.media.len()],
        before: before.sounds,
        sounds: Vec::new(),
        media: Vec::new(),
    };
    for (index, media) in project.media.iter().enumerate() {
        if choice.has_media(index, media) {
            limits.take(bytes(size_of::<Sound>().saturating_add(ROW)), 0, "rows of a sound bank")?;
            rows.media(index, media, &source, work);
        }
    }
    let (chosen, mut unknown) = zones::chosen_values(&project, &options.switches);
    unknown.extend(zones::unknown_parameters(&project, &options.parameters));
    let mut builder = ZoneBuilder::new(&project, chosen.clone());
    let mut events = Vec::new();
    for (index, event) in project.events.iter().enumerate().filter(|(_, event)| choice.has_event(event)) {
        events.push(index);
        limits.take(bytes(size_of::<Sound>().saturating_add(ROW)), 0, "rows of a sound bank")?;
        rows.event(event, &mut builder, limits);
    }
    let Rows { sounds, media, .. } = rows;
    let (articulations, not_simulated) = builder.finish();
    let mut remarks = [unknown, not_simulated].concat();
    for (items, path) in project.files.iter().zip(&paths) {
        if let Some(error) = &items.error {
            remarks.push(format!("{path}: {error}"));
        }
    }
    remarks.extend(project.remarks.iter().cloned());
    let (files, only) = (banks, folder.only());
    Ok(SoundBanks {
        source,
        project,
        files,
        only,
        chosen,
        paths,
        before: before.sounds,
        sounds,
        events,
        media,
        articulations,
        remarks,
    })
}

/// Bytes that the texts of a row take at most on average.
const ROW: usize = 256;

/// Which rows are wanted.
struct RowChoice<'p> {
    project: &'p Project,
    /// The file that was named.
    only: Option<usize>,
    options: &'p BankOptions,
    /// Media that the events of that file play, by their index.
    played: HashSet<usize>,
}

impl<'p> RowChoice<'p> {
    fn new(project: &'p Project, only: Option<usize>, options: &'p BankOptions) -> Self {
        let mut choice = Self { project, only, options, played: HashSet::new() };
        let events = project.events.iter().filter(|event| only.is_some() && choice.has_event(event));
        let mut nodes: Vec<&PlayNode> = events.map(|event| &event.tree).collect();
        let mut played = HashSet::new();
        while let Some(node) = nodes.pop() {
            if let PlayKind::Media(index) = node.kind {
                played.insert(index);
            }
            nodes.extend(node.children());
        }
        choice.played = played;
        choice
    }

    fn has_event(&self, event: &Event) -> bool {
        self.only.is_none_or(|only| event.file == only) && self.has_file(event.file)
    }

    fn has_media(&self, index: usize, media: &Media) -> bool {
        let is_wanted = self.only.is_none_or(|only| {
            // Waves in an archive of CRI are listed by the cue sheet beside it.
            let place = media.whole.as_ref().or(media.bytes.as_ref());
            let is_in_archive =
                matches!(media.id, MediaId::Cri(_)) && place.is_some_and(|place| place.file == only);
            media.file == only || is_in_archive || self.played.contains(&index)
        });
        let speaks = match (&self.options.language, &media.language) {
            (Some(wanted), Some(language)) => wanted.eq_ignore_ascii_case(language),
            _ => true,
        };
        is_wanted && speaks && self.has_file(media.file)
    }

    fn has_file(&self, file: usize) -> bool {
        let platform = self.project.files.get(file).and_then(|items| items.platform.as_ref());
        match (&self.options.platform, platform) {
            (Some(wanted), Some(platform)) => wanted.eq_ignore_ascii_case(platform),
            _ => true,
        }
    }
}

/// The rows while they are made.
struct Rows<'p> {
    project: &'p Project,
    paths: &'p [String],
    payloads: &'p [Payload],
    /// Numbers of the rows of media, by their index.
    numbers: Vec<Option<usize>>,
    /// Rows before the first.
    before: usize,
    sounds: Vec<Sound>,
    /// Media of the rows, by their index.
    media: Vec<usize>,
}

impl Rows<'_> {
    fn media(&mut self, index: usize, media: &Media, source: &BankSource, work: &WorkBudget) {
        let number = self.before.saturating_add(self.sounds.len()).saturating_add(1);
        let place = media.whole.as_ref().or(media.bytes.as_ref());
        let payload = place.and_then(|place| {
            let file = self.payloads.get(place.file)?;
            Some(Payload::plain(file.offset.saturating_add(place.at), place.length))
        });
        let mut description = match payload {
            Some(payload) => Description::of_payload(match &media.sample {
                Some(header) => PayloadInfo::of_stated(payload, header, source, work),
                None => PayloadInfo::of(payload, Vec::new(), source, work),
            }),
            None => {
                let missing = EmptyReason::MissingMedia(vec![media.id.to_string()]);
                Description::unread(Status::Empty(missing))
            }
        };
        if place.is_some_and(|place| place.is_prefetch) && description.status == Status::Ok {
            description.status = Status::Damaged(DamageReason::OnlyStart);
        }
        let mut events: Vec<String> = media
            .events
            .iter()
            .filter_map(|event| self.project.events.get(*event))
            .map(|event| event.names.first().cloned().unwrap_or_else(|| event_id(event.id).to_string()))
            .collect();
        events.sort();
        events.dedup();
        let (id, class) = match media.id {
            MediaId::Wwise(id) => (Some(BankId::Number(id)), BankClass::WwiseMedia),
            MediaId::File(_) => (None, BankClass::WwiseMedia),
            MediaId::Fmod { .. } => (Some(BankId::Text(media.id.to_string())), BankClass::FmodSound),
            MediaId::Cri(id) => (Some(BankId::Number(id)), BankClass::CriWave),
        };
        let file = self.paths.get(media.file).map_or("", String::as_str);
        let name = match (media.names.first(), &id) {
            (Some(name), _) if class == BankClass::FmodSound => name.clone(),
            (Some(name), _) => stem(name).to_owned(),
            (None, Some(id)) => id.to_string(),
            (None, None) => stem(file).to_owned(),
        };
        let row = BankRow {
            id,
            names: media.names.clone(),
            events: Some(events),
            media: None,
            stream: Some(media.stream.name()),
        };
        if let Some(place) = self.numbers.get_mut(index) {
            *place = Some(number);
        }
        self.media.push(index);
        self.push(number, name, class, description, row, media.file);
    }

    fn event(&mut self, event: &Event, builder: &mut ZoneBuilder, limits: &mut Limits) {
        let number = self.before.saturating_add(self.sounds.len()).saturating_add(1);
        let tree = builder.tree(&event.tree, &self.numbers, (self.before, &self.sounds), limits);
        let plays_any = !tree.zones().is_empty();
        let status = if plays_any {
            Status::Ok
        } else if event.missing.is_empty() {
            Status::Empty(EmptyReason::PlaysNothing)
        } else {
            let missing = event.missing.iter().map(MediaId::to_string).collect();
            Status::Empty(EmptyReason::MissingMedia(missing))
        };
        let description = Description { contents: Contents::Zones(tree), ..Description::unread(status) };
        let id = event_id(event.id);
        let class = match event.id {
            EventId::Wwise(_) => BankClass::WwiseEvent,
            EventId::WwiseDialogue(_) => BankClass::WwiseDialogue,
            EventId::Fmod(_) => BankClass::FmodEvent,
            EventId::Cri(_) => BankClass::CriCue,
        };
        let name = event.names.first().cloned().unwrap_or_else(|| id.to_string());
        let media = event.media.iter().map(|media| match media {
            MediaId::Wwise(id) | MediaId::Cri(id) => BankId::Number(*id),
            other => BankId::Text(other.to_string()),
        });
        let mut media: Vec<BankId> = media.collect();
        media.sort();
        let media = Some(media);
        let row = BankRow { id: Some(id), names: event.names.clone(), events: None, media, stream: None };
        self.push(number, name, class, description, row, event.file);
    }

    fn push(
        &mut self,
        number: usize,
        name: String,
        class: BankClass,
        description: Description,
        row: BankRow,
        file: usize,
    ) {
        let object = ObjectPath { group: String::new(), name };
        let sound = description.named(number, object, SoundClass::Bank(class));
        let container = self.paths.get(file).map(|path| Arc::from(path.as_str()));
        self.sounds.push(Sound { bank: Some(Box::new(row)), container, ..sound });
    }
}

fn event_id(id: EventId) -> BankId {
    match id {
        EventId::Wwise(id) | EventId::WwiseDialogue(id) | EventId::Cri(id) => BankId::Number(id),
        EventId::Fmod(guid) => BankId::Text(format!("{{{guid}}}")),
    }
}

/// Returns the name of a source file without its folders and extension.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['\\', '/']).next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 4 => stem,
        _ => name,
    }
}

impl SoundBanks {
    /// Returns the banks that it is made of.
    #[must_use]
    pub const fn project(&self) -> &Project {
        &self.project
    }

    /// Returns the paths of its files.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Returns its files, in the order of their paths, with their paths below the folder that was opened.
    #[must_use]
    pub fn files(&self) -> &[BankFile] {
        &self.files
    }

    /// Returns the file that was named, by its index; none if a folder was.
    #[must_use]
    pub const fn only(&self) -> Option<usize> {
        self.only
    }

    /// Returns what each event can play, whatever switches say, by the numbers of rows: of the event, and of the media.
    #[must_use]
    pub fn media_by_event(&self) -> HashMap<usize, Vec<usize>> {
        let row = |number: usize| self.before.saturating_add(number).saturating_add(1);
        let mut rows: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, media) in self.media.iter().enumerate() {
            let events = self.project.media.get(*media).map_or(&[][..], |media| &media.events);
            events.iter().for_each(|event| rows.entry(*event).or_default().push(row(number)));
        }
        let events = self.events.iter().enumerate();
        events
            .filter_map(|(number, event)| {
                Some((row(self.media.len().saturating_add(number)), rows.remove(event)?))
            })
            .collect()
    }

    /// Returns the ids of media of an event that are in no file, by the number of its row.
    #[must_use]
    pub fn missing_of(&self, number: usize) -> &[MediaId] {
        let index = number
            .checked_sub(1)
            .and_then(|index| index.checked_sub(self.before)?.checked_sub(self.media.len()));
        let event = index.and_then(|index| self.project.events.get(*self.events.get(index)?));
        event.map_or(&[], |event| &event.missing)
    }

    /// Returns what a bank states of a media whose bytes do not, by the number of its row.
    pub(crate) fn stated_header(&self, number: usize) -> Option<&StatedHeader> {
        self.project.media.get(self.media_of(number)?)?.sample.as_ref()
    }

    /// Returns the index in the project of the media that a row is, by the number of the row; none of an event.
    #[must_use]
    pub fn media_of(&self, number: usize) -> Option<usize> {
        self.media.get(number.checked_sub(1)?.checked_sub(self.before)?).copied()
    }
}

impl Collection for SoundBanks {
    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &self.source
    }

    fn decode(
        &self,
        package: &str,
        sound: &Sound,
        budget: &mut DecodeBudget,
    ) -> Option<Result<Sample, Error>> {
        let header = self.stated_header(sound.number)?;
        let payload = sound.payload().filter(|_| sound.status == Status::Ok)?;
        let work = WorkBudget::of_file(payload.len, None);
        let decoded = PayloadReader::open(self.source(), payload, &work, |reader| {
            let described = codec::describe_stated(reader, header)?;
            let frames = codec::decode(reader, &described, budget);
            Ok(frames.map(|frames| (described, frames)))
        });
        let origin =
            Origin { package: package.to_owned(), group: String::new(), name: sound.object.name.clone() };
        Some(decoded.map_err(Error::from).flatten().and_then(|(described, frames)| {
            let audio = described.audio.as_ref().ok_or_else(|| Error::Sound(sound.status.clone()))?;
            let sample = Sample::new(origin, frames, described.width(), audio.rate);
            // A stream may end before it said it would; its loops then lead nowhere.
            let length = sample.length();
            let loops = audio.loops.iter().copied().filter(|range| range.end() <= length).collect();
            Ok(sample.with_loops(loops)?)
        }))
    }

    fn articulations(&self) -> &[Articulation] {
        &self.articulations
    }

    fn remarks(&self, package: &str) -> Vec<Remark> {
        self.remarks.iter().map(|remark| Remark::new(package, remark.clone())).collect()
    }

    fn kind(&self) -> &'static str {
        "sound bank"
    }
}
