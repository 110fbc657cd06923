use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use song::{ArticulationIndex, Hz, LoopRange, Width, ZoneTree};
use tracker::ModuleSummary;
use unreal::ue1to3::bulk::Payload;
use unreal::ue1to3::class::sound_node_wave::{Platform, SpeakerChannel};
use unreal::{Class, ObjectPath, Source};

use crate::budget::WorkBudget;
use crate::codec::RootTuning;
use crate::collection::sound_bank::{BankClass, BankRow};
use crate::find::payload::PayloadInfo;
use crate::{Codec, Format, Status};

/// What is known of a sound without decoding it.
#[derive(Clone, Debug)]
pub struct Sound {
    /// Its number, counted from 1: first the sounds with audio of their own in the order of the export table, then
    /// groups and cues; of a tracker module its samples, then its instruments; of a sampler's bank its instruments,
    /// then its samples. Empty and unreadable sounds have one too.
    pub number: usize,
    /// Its place in the package: the groups it lies in, and its own name.
    pub object: ObjectPath,
    /// Its class.
    pub class: SoundClass,
    /// What the package calls its bytes: a hint that may lie.
    pub file_type: String,
    /// What it is made of.
    pub contents: Contents,
    /// Whether it can be played, or opened as a module.
    pub status: Status,
    /// What was repaired while reading it.
    pub repairs: Vec<String>,
    /// What the package says of it in words: where it was imported from, what is spoken.
    pub notes: Vec<String>,
    /// The file of a game that its package lies in, or the sound bank that it is listed in.
    pub container: Option<Arc<str>>,
    /// What a sound bank says of it.
    pub bank: Option<Box<BankRow>>,
}

/// The class of a sound: an object's in a package, or a slot's in a tracker module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SoundClass {
    /// An object of a package.
    Object(Class),
    /// A sample of a tracker module or a sampler's bank.
    Sample,
    /// An instrument of a tracker module or a sampler's bank.
    Instrument,
    /// A file of a collection.
    File,
    /// A media or event of a sound bank.
    Bank(BankClass),
}

impl SoundClass {
    /// Returns its name as it is listed: `Sound`, `SoundCue`, `Sample` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Object(class) => class.name(),
            Self::Sample => "Sample",
            Self::Instrument => "Instrument",
            Self::File => "File",
            Self::Bank(class) => class.name(),
        }
    }
}

impl fmt::Display for SoundClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a sound is made of.
#[derive(Clone, Debug, Default)]
pub enum Contents {
    /// Nothing that could be read.
    #[default]
    Nothing,
    /// Audio of its own.
    Recording(StoredRecording),
    /// Other sounds, as a group, a cue or an instrument plays them. Sample i of its zones stands for sound #i+1, and
    /// their keys for keys from that sound's root on.
    Zones(ZoneTree),
    /// Other sounds, as an instrument of a sampler's bank plays them: as `Zones`, but the zones have root keys of their
    /// own.
    Preset(ZoneTree),
}

/// Audio as it is stored.
#[derive(Clone, Debug, Default)]
pub struct StoredRecording {
    /// Platform of the chosen stream, if there is one per platform.
    pub stream: Option<Platform>,
    /// Where its bytes lie in the file, and how many; none in a tracker module.
    pub payload: Option<Payload>,
    /// Where in its bytes the recording of each speaker lies, if they are planar.
    pub(crate) channels: Vec<SpeakerChannel>,
    /// What its bytes were recognised as.
    pub format: Option<Format>,
    /// What its bytes say of the audio in them.
    pub audio: Option<Audio>,
    /// The key that plays it at its own rate, if its bytes say.
    pub(crate) tuning: Option<RootTuning>,
    /// How wide its values are, if it can be decoded.
    pub(crate) width: Option<Width>,
    /// How its notes move, by the song's articulations.
    pub(crate) articulation: Option<ArticulationIndex>,
    /// What the tracker module is that its bytes are, if they can be read as one.
    pub module: Option<Box<ModuleSummary>>,
}

/// What was found out about a sound, besides its number, place and class.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) file_type: String,
    pub(crate) contents: Contents,
    pub(crate) status: Status,
    pub(crate) repairs: Vec<String>,
    pub(crate) notes: Vec<String>,
}

impl Description {
    /// Creates a sound that nothing could be read of, and why.
    pub(crate) const fn unread(status: Status) -> Self {
        Self {
            file_type: String::new(),
            contents: Contents::Nothing,
            status,
            repairs: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Describes a sound as its bytes say.
    pub(crate) fn of_payload(info: PayloadInfo) -> Self {
        let PayloadInfo { recording, status, repairs, notes } = info;
        let contents = Contents::Recording(recording);
        Self { contents, repairs, notes, ..Self::unread(status) }
    }

    /// Returns the sound that is described.
    pub(crate) fn named(self, number: usize, object: ObjectPath, class: SoundClass) -> Sound {
        let Self { file_type, contents, status, repairs, notes } = self;
        Sound {
            number,
            object,
            class,
            file_type,
            contents,
            status,
            repairs,
            notes,
            container: None,
            bank: None,
        }
    }

    pub(crate) const fn recording(&self) -> Option<&StoredRecording> {
        match &self.contents {
            Contents::Recording(recording) => Some(recording),
            _ => None,
        }
    }
}

impl StoredRecording {
    /// Returns whether its bytes are a tracker module, as far as the first of them say.
    pub(crate) const fn is_module(&self) -> bool {
        self.payload.is_some()
            && matches!(self.format, Some(Format::It | Format::S3m | Format::Xm | Format::Mod))
    }
}

impl Sound {
    /// Describes stored bytes as a sound of its own: recognises their format and reads their header.
    #[must_use]
    pub fn of_payload(number: usize, object: ObjectPath, source: &dyn Source, payload: Payload) -> Self {
        let work = WorkBudget::of_file(payload.len, None);
        Description::of_payload(PayloadInfo::of(payload, Vec::new(), source, &work)).named(
            number,
            object,
            SoundClass::File,
        )
    }

    /// Returns `Group.Name`, or the name alone if it is in no group.
    #[must_use]
    pub fn path(&self) -> String {
        self.object.to_string()
    }

    /// Returns the path of its package if that is one of a game: `/Game/Audio/SW_Steps`.
    #[must_use]
    pub fn package_path(&self) -> Option<String> {
        self.container.as_ref().filter(|_| self.bank.is_none())?;
        let ObjectPath { group, name } = &self.object;
        // An object that is not called as its package comes after it.
        let package = name.split('.').next().unwrap_or_default();
        Some(if group.is_empty() { package.to_owned() } else { format!("{group}/{package}") })
    }

    /// Returns its audio as it is stored, if it has any of its own.
    #[must_use]
    pub const fn recording(&self) -> Option<&StoredRecording> {
        match &self.contents {
            Contents::Recording(recording) => Some(recording),
            _ => None,
        }
    }

    /// Returns what its bytes say of the audio in them.
    #[must_use]
    pub fn audio(&self) -> Option<&Audio> {
        self.recording()?.audio.as_ref()
    }

    /// Returns how long it lasts at its own rate, in seconds; none if it has no audio or that is not known.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let audio = self.audio()?;
        Some(audio.frames? as f64 / f64::from(audio.rate.get()))
    }

    /// Returns how many bytes it takes decoded, where its frames are known beforehand. More than two channels are mixed
    /// down to these, most of them as floats, which is what is stated.
    #[must_use]
    pub fn decoded_len(&self) -> Option<u64> {
        let audio = self.audio()?;
        let width = if audio.channels > 2 { Width::Float } else { self.recording()?.width? };
        let value = width.decoded_bytes();
        Some(audio.frames?.saturating_mul(audio.channels.min(2).into()).saturating_mul(value))
    }

    /// Returns what its bytes were recognised as.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.recording()?.format
    }

    /// Returns where its stored bytes lie in the file; none if the object is damaged or empty.
    #[must_use]
    pub fn payload(&self) -> Option<Payload> {
        self.recording()?.payload
    }

    /// Returns the platform of the chosen stream, if there is one per platform.
    #[must_use]
    pub fn stream(&self) -> Option<Platform> {
        self.recording()?.stream
    }

    /// Returns what the tracker module is that its bytes are, if they can be read as one.
    #[must_use]
    pub fn module(&self) -> Option<&ModuleSummary> {
        self.recording()?.module.as_deref()
    }

    /// Returns what it plays if it has no audio of its own.
    #[must_use]
    pub const fn zones(&self) -> Option<&ZoneTree> {
        match &self.contents {
            Contents::Zones(tree) | Contents::Preset(tree) => Some(tree),
            _ => None,
        }
    }

    /// Returns whether its zones have root keys of their own, whatever the sounds say that they play.
    #[must_use]
    pub(crate) const fn has_own_roots(&self) -> bool {
        matches!(self.contents, Contents::Preset(_))
    }

    /// Returns whether it is one that has audio of its own, and not a group, a cue or an instrument, be it empty,
    /// damaged or not.
    #[must_use]
    pub const fn is_recording(&self) -> bool {
        match self.class {
            SoundClass::Object(class) => !class.plays_others(),
            SoundClass::Sample | SoundClass::File => true,
            SoundClass::Instrument => false,
            SoundClass::Bank(class) => class.is_recording(),
        }
    }

    /// Returns whether it is a slot of a module or bank that nothing is in, or an event that plays nothing, which is no
    /// failure.
    #[must_use]
    pub const fn is_vacant(&self) -> bool {
        let is_slot = match self.class {
            SoundClass::Bank(class) => !class.is_recording(),
            class => matches!(class, SoundClass::Sample | SoundClass::Instrument),
        };
        is_slot && matches!(self.status, Status::Empty(_))
    }

    /// Returns whether it can be played. A tracker module is opened instead: [`crate::SoundFile::music`].
    #[must_use]
    pub fn is_playable(&self) -> bool {
        self.status == Status::Ok && self.module().is_none()
    }

    /// Returns whether it is an export that holds a tracker module, as far as its first bytes say.
    #[must_use]
    pub fn is_module(&self) -> bool {
        self.recording().is_some_and(StoredRecording::is_module)
    }

    /// Returns the numbers of the sounds it plays if it has no audio of its own, each once, in order.
    #[must_use]
    pub fn plays(&self) -> Vec<usize> {
        let zones = self.zones().into_iter().flat_map(ZoneTree::zones);
        let numbers: BTreeSet<usize> = zones.map(|zone| zone.sample().get().saturating_add(1)).collect();
        numbers.into_iter().collect()
    }
}

/// What the header of a payload says of its audio.
#[derive(Clone, Debug, PartialEq)]
pub struct Audio {
    /// How it is coded.
    pub codec: Codec,
    /// Frames per second.
    pub rate: Hz,
    /// Values per frame.
    pub channels: u16,
    /// Bits per value; none for codecs that have no such thing.
    pub bits: Option<u16>,
    /// Frames per channel, where it can be known without decoding.
    pub frames: Option<u64>,
    /// Its loops, in frames, half-open.
    pub loops: Vec<LoopRange>,
}
