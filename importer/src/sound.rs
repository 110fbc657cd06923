use std::collections::BTreeSet;

use song::{ArticulationIndex, Hz, LoopRange, ZoneTree};
use tracker::ModuleSummary;
use unreal::ObjectPath;
use unreal::class::sound_node_wave::{Platform, SpeakerChannel};

use crate::module_sounds::{INSTRUMENT, SAMPLE};
use crate::{Codec, Format};

/// What is known of a sound without decoding it.
#[derive(Clone, Debug)]
pub struct Sound {
    /// Its number, counted from 1: first the sounds with audio of their own in the order of the export table, then
    /// groups and cues; of a tracker module its samples, then its instruments. Empty and unreadable sounds have one too.
    pub number: usize,
    /// Its place in the package: the groups it lies in, and its own name.
    pub object: ObjectPath,
    /// Its class: `Sound`, `Music`, `SoundNodeWave` and so on; of a tracker module `Sample` and `Instrument`.
    pub class: &'static str,
    /// What the package calls its bytes: a hint that may lie.
    pub file_type: String,
    /// Whom the chosen form of the recording is for, where there is one for each platform.
    pub stream: Option<Platform>,
    /// Where its stored bytes lie in the file, and how many; none if the object is damaged or empty.
    pub payload: Option<unreal::bulk::Payload>,
    /// Where in its bytes the recording of each speaker lies, if they are stored apart.
    pub(crate) channels: Vec<SpeakerChannel>,
    /// What its bytes were recognised as.
    pub format: Option<Format>,
    /// What its bytes say of the audio in them.
    pub audio: Option<Audio>,
    /// What it plays if it has no audio of its own: a group or a cue. Sample i of its zones stands for sound #i+1, and
    /// their keys for keys from that sound's root on.
    pub tree: Option<ZoneTree>,
    /// How its notes move, by the song's articulations, if it has audio of its own.
    pub(crate) articulation: Option<ArticulationIndex>,
    /// What the tracker module is that its bytes are, if they can be read as one.
    pub module: Option<Box<ModuleSummary>>,
    /// Whether it can be played, or opened as a module.
    pub status: Status,
    /// What was repaired while reading it.
    pub repairs: Vec<String>,
    /// What the package says of it in words: where it was imported from, what is spoken.
    pub notes: Vec<String>,
}

impl Sound {
    /// A sound of which no more is known than that it is there.
    pub(crate) const fn new(number: usize, object: ObjectPath, class: &'static str) -> Self {
        Self {
            number,
            object,
            class,
            file_type: String::new(),
            stream: None,
            payload: None,
            channels: Vec::new(),
            format: None,
            audio: None,
            tree: None,
            articulation: None,
            module: None,
            status: Status::Ok,
            repairs: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// `Group.Name`, or the name alone if it is in no group.
    #[must_use]
    pub fn path(&self) -> String {
        self.object.to_string()
    }

    /// Whether it is one that has audio of its own, and not a group, a cue or an instrument, be it empty, damaged or not.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        !matches!(self.class, "SoundGroup" | "SoundCue" | INSTRUMENT)
    }

    /// Whether it is a slot of a tracker module that nothing is in, which is no failure.
    #[must_use]
    pub fn is_vacant(&self) -> bool {
        matches!(self.class, SAMPLE | INSTRUMENT) && matches!(self.status, Status::Empty(_))
    }

    /// Whether it can be played. A tracker module is opened instead: [`crate::Opened::music`].
    #[must_use]
    pub fn is_playable(&self) -> bool {
        self.status == Status::Ok && self.module.is_none()
    }

    /// Whether it is an export that holds a tracker module, as far as its first bytes tell.
    #[must_use]
    pub fn is_module(&self) -> bool {
        self.payload.is_some()
            && matches!(self.format, Some(Format::It | Format::S3m | Format::Xm | Format::Mod))
    }

    /// The numbers of the sounds it plays if it has no audio of its own, each once, in order.
    #[must_use]
    pub fn plays(&self) -> Vec<usize> {
        let zones = self.tree.iter().flat_map(ZoneTree::zones);
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

/// Whether there is something to be had of a sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can be played, or is a tracker module that can be opened.
    Ok,
    /// The package holds no data for it, as those made for servers do.
    Empty(String),
    /// Its bytes are whole as far as can be seen, but are not of a kind that is decoded, or would take more memory than
    /// is allowed.
    Unsupported(String),
    /// The object or its bytes contradict themselves.
    Damaged(String),
}

impl Status {
    /// The status as it is listed.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Empty(_) => "empty",
            Self::Unsupported(_) => "unsupported",
            Self::Damaged(_) => "damaged",
        }
    }

    /// Why it cannot be played.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Ok => None,
            Self::Empty(reason) | Self::Unsupported(reason) | Self::Damaged(reason) => Some(reason),
        }
    }
}
