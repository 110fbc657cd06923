//! What the files of one folder hold together, in one form for every middleware.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use unreal::Source;

use crate::{BranchKind, Error, PlayNode};

/// A file that belongs to a project.
#[derive(Clone)]
pub struct BankFile {
    /// Its path below the folder or container that was opened, with `/`.
    pub path: String,
    /// Its bytes.
    pub source: Arc<dyn Source>,
    /// True if a package of the engine holds it: such files of a game are for one platform, wherever they are.
    pub is_packaged: bool,
}

impl BankFile {
    /// Creates a file that no package holds.
    #[must_use]
    pub fn new(path: impl Into<String>, source: Arc<dyn Source>) -> Self {
        Self { path: path.into(), source, is_packaged: false }
    }
}

/// Returns the path of a file.
pub(crate) fn path(files: &[BankFile], file: usize) -> &str {
    files.get(file).map_or("", |file| file.path.as_str())
}

/// Returns the folder of a path, and the name in it.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The media and events of banks that belong together.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Every media, by container path, then as stored.
    pub media: Vec<Media>,
    /// Every event, in the order of their banks.
    pub events: Vec<Event>,
    /// What was read of each file, in the order in which the files were given.
    pub files: Vec<BankItems>,
    /// Switches and states that choose what events play, by their groups.
    pub switches: Vec<SwitchGroup>,
    /// Ids of game parameters that the loudness of layers depends on.
    pub parameters: BTreeSet<u32>,
    /// What was repaired, left out or not simulated, once per kind.
    pub remarks: Vec<String>,
}

impl Project {
    /// Creates a project of files of which nothing is read.
    pub(crate) fn of(files: &[BankFile]) -> Self {
        Self { files: files.iter().map(|_| BankItems::default()).collect(), ..Self::default() }
    }

    /// Changes what is known of a file.
    pub(crate) fn items(&mut self, file: usize, with: impl FnOnce(&mut BankItems)) {
        if let Some(items) = self.files.get_mut(file) {
            with(items);
        }
    }

    /// Notes what is wrong with a file, if nothing was before.
    pub(crate) fn fail(&mut self, file: usize, error: Error) {
        self.items(file, |items| {
            items.error.get_or_insert_with(|| Arc::new(error));
        });
    }

    /// Adds what another middleware has in the same files.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        let (media, events) = (self.media.len(), self.events.len());
        self.media.extend(other.media.into_iter().map(|mut row| {
            row.events.iter_mut().for_each(|event| *event = event.saturating_add(events));
            row
        }));
        self.events.extend(other.events.into_iter().map(|mut event| {
            event.tree.shift_media(media);
            event
        }));
        for (own, other) in self.files.iter_mut().zip(other.files) {
            if own.version.is_empty() && own.error.is_none() {
                *own = other;
            }
        }
        self.switches.extend(other.switches);
        self.parameters.extend(other.parameters);
        self.remarks.extend(other.remarks);
        self
    }
}

/// A group of switches or states, which chooses branches of what events play.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchGroup {
    /// What its values belong to.
    pub kind: BranchKind,
    /// Its id.
    pub id: u32,
    /// Its name, if it is known.
    pub name: Option<String>,
    /// The value unless one is set.
    pub default: u32,
    /// Ids of all values that something depends on, sorted, with their names as far as known.
    pub values: Vec<(u32, Option<String>)>,
}

/// What was read of a file.
#[derive(Clone, Debug, Default)]
pub struct BankItems {
    /// Kind and version: `Wwise 132 (2018.1)`, `FMOD 142`, `ACB 1.42`.
    pub version: String,
    /// Platform, where the file or its folder says.
    pub platform: Option<String>,
    /// Language, where the file or its folder says; none of sound effects.
    pub language: Option<String>,
    /// The namespace that it belongs to, by its number: files of one share ids. None of what holds no sounds.
    pub namespace: Option<usize>,
    /// Items by their type, with how many there are.
    pub items: Vec<(String, usize)>,
    /// Items that could not be read.
    pub unread: usize,
    /// Where names came from.
    pub names: Vec<String>,
    /// Why it could not be read.
    pub error: Option<Arc<Error>>,
}

/// A recording in a bank, or beside one.
#[derive(Clone, Debug)]
pub struct Media {
    /// Its id.
    pub id: MediaId,
    /// Every name that is known of it, the best one first: source files with their folders, a name of the bank.
    pub names: Vec<String>,
    /// The events that can play it, by their index.
    pub events: Vec<usize>,
    /// The file that lists it, by its index.
    pub file: usize,
    /// Where its bytes are; none if they are nowhere at hand.
    pub bytes: Option<MediaBytes>,
    /// Where the whole media is, if `bytes` are only its start and the rest is at hand.
    pub whole: Option<MediaBytes>,
    /// Whether it is streamed.
    pub stream: StreamKind,
    /// Language; none of sound effects.
    pub language: Option<String>,
    /// What its bank says of it; none of a media that has a header of its own.
    pub sample: Option<StatedHeader>,
}

/// What a bank says of the recording in a media.
#[derive(Clone, Debug, PartialEq)]
pub enum StatedHeader {
    /// All that is known of a sound of FMOD.
    Fmod(Arc<crate::fmod::SampleHeader>),
    /// What holds of a wave of CRI unless its bytes have a header.
    Cri(Arc<crate::cri::WaveHeader>),
}

impl StatedHeader {
    /// Returns the header of a sound of FMOD.
    #[must_use]
    pub fn fmod(&self) -> Option<&crate::fmod::SampleHeader> {
        match self {
            Self::Fmod(header) => Some(header),
            Self::Cri(_) => None,
        }
    }
}

/// Where bytes of a media lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaBytes {
    /// The file, by its index.
    pub file: usize,
    /// Offset in bytes.
    pub at: u64,
    /// Length in bytes.
    pub length: u64,
    /// Whether it is only the start of the media.
    pub is_prefetch: bool,
}

/// How a media reaches the memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StreamKind {
    /// Loaded with its bank.
    #[default]
    Memory,
    /// Streamed; its start lies in a bank.
    Prefetch,
    /// Streamed.
    Streamed,
}

impl StreamKind {
    /// Returns its name: `memory`, `prefetch`, `streamed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Prefetch => "prefetch",
            Self::Streamed => "streamed",
        }
    }
}

/// Identifies a media within its project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MediaId {
    /// A media of Wwise.
    Wwise(u32),
    /// A file whose name is no id, by its index.
    File(usize),
    /// A sound of FMOD: the number of its sample bank in the file, and its number there.
    Fmod {
        /// Number of the sample bank.
        fsb: u32,
        /// Number of the sound.
        sound: u32,
    },
    /// A wave of CRI: its row in the table of the cue sheet, or its id in an archive without one.
    Cri(u32),
}

impl fmt::Display for MediaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wwise(id) | Self::Cri(id) => write!(f, "{id}"),
            // The file names it better than its index would.
            Self::File(_) => Ok(()),
            Self::Fmod { fsb, sound } => write!(f, "{fsb}.{sound}"),
        }
    }
}

/// Identifies an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventId {
    /// An event of Wwise.
    Wwise(u32),
    /// A dialogue event of Wwise.
    WwiseDialogue(u32),
    /// An event of FMOD.
    Fmod(crate::fmod::FmodGuid),
    /// A cue of CRI.
    Cri(u32),
}

/// What a game starts by its name.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// Every name that is known of it, the best one first; none if only its id is known.
    pub names: Vec<String>,
    /// The file that defines it, by its index.
    pub file: usize,
    /// What it plays.
    pub tree: PlayNode,
    /// Ids of all media that it can play, at hand or not, sorted.
    pub media: Vec<MediaId>,
    /// Ids of those that are nowhere at hand, sorted.
    pub missing: Vec<MediaId>,
}
