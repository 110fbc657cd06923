//! The sounds of a file: samples, groups and cues.

use importer::{Audio, BankId, Format, Platform, Sound, Status};
use serde::Serialize;
use serde_json::Value;
use song::{LoopCount, LoopRange};

use super::sound_file::ModuleRow;

/// A sound as a line of JSON.
#[derive(Debug, Serialize)]
pub struct SoundRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// The file as the user named it.
    pub file: String,
    /// The sound's number, from 1.
    pub index: usize,
    /// `Group.Name`.
    pub name: String,
    /// Its id in a sound bank; null where it has none there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Option<IdRow>>,
    /// Every name that a sound bank, or what lies beside it, has for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The events that can play a media.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<String>>,
    /// The ids of all media that an event can play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<Vec<IdRow>>,
    /// Its class in the package.
    pub class: &'static str,
    /// What its bytes are.
    pub format: Option<&'static str>,
    /// How its audio is coded.
    pub codec: Option<String>,
    /// Hertz.
    pub rate: Option<u32>,
    /// Values per frame.
    pub channels: Option<u16>,
    /// Bits per value.
    pub bits: Option<u16>,
    /// Frames per channel.
    pub frames: Option<u64>,
    /// Its loops.
    pub loops: Vec<LoopRow>,
    /// `ok`, `empty`, `unsupported` or `damaged`.
    pub status: &'static str,
    /// Why it is not `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it cannot be played, for a program: a word that never changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_code: Option<&'static str>,
    /// The numbers of the sounds that a group or cue plays.
    pub plays: Vec<usize>,
    /// Which form of it was taken, where it has one for each platform; how a media of a sound bank is loaded.
    pub stream: Option<&'static str>,
    /// The tracker module that it is.
    pub module: Option<ModuleRow>,
    /// The path of its package in a game.
    pub path: Option<String>,
    /// The file of the game that the package lies in.
    pub container: Option<String>,
}

/// An id: a number, or a text.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum IdRow {
    /// A number.
    Number(u32),
    /// A text.
    Text(String),
}

impl From<&BankId> for IdRow {
    fn from(id: &BankId) -> Self {
        match id {
            BankId::Number(number) => Self::Number(*number),
            BankId::Text(text) => Self::Text(text.clone()),
        }
    }
}

/// A loop; the end is exclusive.
#[derive(Debug, Serialize)]
pub struct LoopRow {
    /// First frame.
    pub start: u64,
    /// First frame after it.
    pub end: u64,
    /// `forward` or `ping-pong`.
    pub mode: &'static str,
    /// Whether it is left when the key is released; reported if so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sustain: bool,
    /// How often it was meant to be played; none without end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays: Option<u32>,
}

impl SoundRow {
    /// Describes a sound of a file.
    #[must_use]
    pub fn new(file: &str, sound: &Sound) -> Self {
        let audio = sound.audio();
        let bank = sound.bank.as_deref();
        let loops = audio.map_or(&[][..], |audio| &audio.loops);
        let row = |l: &LoopRange| LoopRow {
            start: l.start().get(),
            end: l.end().get(),
            mode: l.mode().name(),
            sustain: l.is_sustaining(),
            plays: match l.plays() {
                LoopCount::Forever => None,
                LoopCount::Times(times) => Some(times.get()),
            },
        };
        Self {
            schema: "usampler.sound/1",
            file: file.to_owned(),
            index: sound.number,
            name: sound.path(),
            id: bank.map(|bank| bank.id.as_ref().map(IdRow::from)),
            names: bank.map(|bank| bank.names.clone()),
            events: bank.and_then(|bank| bank.events.clone()),
            media: bank.and_then(|bank| Some(bank.media.as_ref()?.iter().map(IdRow::from).collect())),
            class: sound.class.name(),
            format: sound.format().map(Format::name),
            codec: audio.map(|audio| audio.codec.name()),
            rate: audio.map(|audio| audio.rate.get()),
            channels: audio.map(|audio| audio.channels),
            bits: audio.and_then(|audio| audio.bits),
            frames: audio.map_or_else(
                || (matches!(sound.status, Status::Empty(_)) && bank.is_none()).then_some(0),
                |audio: &Audio| audio.frames,
            ),
            loops: loops.iter().map(row).collect(),
            status: sound.status.name(),
            reason: sound.status.reason(),
            reason_code: sound.status.reason_code(),
            plays: sound.plays(),
            stream: bank.map_or_else(|| sound.stream().map(Platform::key), |bank| bank.stream),
            module: sound.module().map(|summary| ModuleRow::new(None, summary)),
            path: sound.package_path(),
            container: sound.container.as_deref().map(str::to_owned),
        }
    }

    /// The columns of tab-separated output: the same keys.
    pub const COLUMNS: [&'static str; 20] = [
        "schema",
        "file",
        "index",
        "name",
        "class",
        "format",
        "codec",
        "rate",
        "channels",
        "bits",
        "frames",
        "loops",
        "status",
        "reason",
        "plays",
        "stream",
        "module",
        "reason_code",
        "path",
        "container",
    ];

    /// Returns the values of [`Self::COLUMNS`] as in JSON; what is not known is empty, loops are `start-end:mode`
    /// joined by `;`, as are the numbers of sounds.
    #[must_use]
    pub fn values(&self) -> [String; Self::COLUMNS.len()] {
        let row = serde_json::to_value(self).unwrap_or_default();
        Self::COLUMNS.map(|column| match (column, row.get(column)) {
            (_, None | Some(Value::Null)) => String::new(),
            ("loops", _) => joined(self.loops.iter().map(|l| format!("{}-{}:{}", l.start, l.end, l.mode))),
            ("plays", _) => joined(self.plays.iter().map(usize::to_string)),
            (_, Some(Value::String(text))) => text.clone(),
            (_, Some(value)) => value.to_string(),
        })
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(";")
}
