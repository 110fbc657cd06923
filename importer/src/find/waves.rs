//! Recordings of Unreal Engine 3: which of their forms is taken, and what they say of themselves.

use unreal::ue1to3::class::sound_node_wave::{self, Platform, PlatformStream, SoundNodeWave, SpeakerChannel};
use unreal::{Object, Value};

use super::cues;
use super::payload::{PayloadInfo, Payloads};
use crate::sound::Description;
use crate::{Contents, EmptyReason, Status, StoredRecording, UnsupportedReason};

/// A recording of Unreal Engine 3, and what a cue multiplies its gain and its pitch by.
pub(super) struct CueWave {
    pub(super) description: Description,
    pub(super) gain: f32,
    pub(super) pitch: f32,
}

/// Describes a recording by the stream that is wanted, else by the first in order of preference that can be decoded,
/// else by the first that is there.
pub(super) fn describe(
    object: &mut Object<'_>,
    wanted: Option<Platform>,
    payloads: &mut Payloads<'_>,
) -> Result<CueWave, unreal::Error> {
    let wave = sound_node_wave::read(object)?;
    let mut notes = notes(&wave, object);
    let channels = wave.channels(object)?;
    let mut first: Option<(Platform, PayloadInfo)> = None;
    for stream in wave.preferred().filter(|stream| wanted.is_none_or(|wanted| wanted == stream.platform)) {
        let Some(info) = info(stream, &channels, payloads) else { continue };
        if info.status == Status::Ok {
            first = Some((stream.platform, info));
            break;
        }
        first.get_or_insert((stream.platform, info));
    }
    let description = match first {
        Some((platform, PayloadInfo { recording, status, repairs, notes: said })) => {
            notes.extend(said);
            let contents = Contents::Recording(StoredRecording { stream: Some(platform), ..recording });
            Description { file_type: String::new(), contents, status, repairs, notes }
        }
        None => Description { notes, ..Description::unread(absent(&wave, wanted)) },
    };
    let (gain, pitch) = cues::factors(&wave);
    Ok(CueWave { description, gain, pitch })
}

/// More recordings than this in one form are channels of one sound.
const MAX_IN_ONE_FILE: usize = 2;

fn info(
    stream: &PlatformStream,
    channels: &[SpeakerChannel],
    payloads: &mut Payloads<'_>,
) -> Option<PayloadInfo> {
    let payload = stream.bulk.payload()?;
    let speakers = channels.iter().filter(|channel| channel.size > 0).count();
    // The other forms are made of all channels by an encoder, and say themselves how many they have.
    let is_in_parts = stream.platform == Platform::Raw && speakers > MAX_IN_ONE_FILE;
    Some(payloads.describe(payload, if is_in_parts { channels.to_vec() } else { Vec::new() }))
}

/// Returns why there is no form that could be taken.
fn absent(wave: &SoundNodeWave, wanted: Option<Platform>) -> Status {
    if wave
        .streams
        .iter()
        .any(|stream| wanted.is_none_or(|wanted| wanted == stream.platform) && stream.is_elsewhere())
    {
        return Status::Unsupported(UnsupportedReason::OtherFile);
    }
    let there: Vec<Platform> = wave.preferred().map(|stream| stream.platform).collect();
    Status::Empty(match wanted {
        Some(wanted) if !there.is_empty() => EmptyReason::NoStream { wanted, there },
        _ => EmptyReason::NoData,
    })
}

/// Returns what a wave says of itself in words. What is damaged there is left out: it is not the recording.
fn notes(wave: &SoundNodeWave, object: &mut Object<'_>) -> Vec<String> {
    const TEXTS: [(&str, &str); 3] =
        [("SourceFilePath", "imported from"), ("SpokenText", "spoken"), ("Comment", "comment")];
    let mut notes = Vec::new();
    for (name, title) in TEXTS {
        if let Some(Value::Text(text)) = wave.property(name).map(|property| &property.value)
            && !text.is_empty()
        {
            notes.push(format!("{title}: {text}"));
        }
    }
    let lines = wave.property("Subtitles").map(|property| property.structs(object));
    for line in lines.into_iter().flatten().flatten().flatten() {
        if let Value::Text(text) = line.value {
            notes.push(format!("subtitle: {text}"));
        }
    }
    notes
}
