//! Recordings of Unreal Engine 3: which of their forms is taken, and what they say of themselves.

use unreal::class::sound_node_wave::{self, Platform, PlatformStream, SoundNodeWave, SpeakerChannel};
use unreal::{ExportIndex, Limits, Package, Source, Value};

use super::cues;
use super::payload::PayloadInfo;
use crate::{Sound, Status};

/// Describes a recording by the form that is wished, else by the first in order of preference that can be decoded,
/// else by the first that is there. What a cue multiplies its gain and its pitch by is given back.
pub(super) fn describe(
    sound: &mut Sound,
    (package, source, index): (&Package, &dyn Source, ExportIndex),
    wish: Option<Platform>,
    limits: &mut Limits,
) -> Result<(f32, f32), unreal::Error> {
    let wave = sound_node_wave::read(package, source, index, limits)?;
    sound.notes = notes(&wave, package, source, limits);
    let channels = wave.channels(package, source, limits)?;
    let mut first: Option<(Platform, PayloadInfo)> = None;
    for stream in wave.preferred().filter(|stream| wish.is_none_or(|wish| wish == stream.platform)) {
        let Some(info) = info(stream, &channels, source) else { continue };
        if info.status == Status::Ok {
            first = Some((stream.platform, info));
            break;
        }
        first.get_or_insert((stream.platform, info));
    }
    match first {
        Some((platform, info)) => {
            sound.stream = Some(platform);
            info.put_into(sound);
        }
        None => sound.status = absent(&wave, wish),
    }
    Ok(cues::factors(&wave))
}

/// More recordings than this in one form are channels of one sound.
const MAX_IN_ONE_FILE: usize = 2;

fn info(stream: &PlatformStream, channels: &[SpeakerChannel], source: &dyn Source) -> Option<PayloadInfo> {
    let payload = stream.bulk.payload()?;
    let speakers = channels.iter().filter(|channel| channel.size > 0).count();
    // The other forms are made of all channels by an encoder, and say themselves how many they have.
    let is_in_parts = stream.platform == Platform::Raw && speakers > MAX_IN_ONE_FILE;
    Some(if is_in_parts {
        PayloadInfo::of_channels(payload, source, channels.to_vec())
    } else {
        PayloadInfo::of(payload, source)
    })
}

/// Why there is no form that could be taken.
fn absent(wave: &SoundNodeWave, wish: Option<Platform>) -> Status {
    if wave
        .streams
        .iter()
        .any(|stream| wish.is_none_or(|wish| wish == stream.platform) && stream.is_elsewhere())
    {
        return Status::Unsupported("its audio lies in another file".to_owned());
    }
    let names: Vec<&str> = wave.preferred().map(|stream| stream.platform.key()).collect();
    Status::Empty(match wish {
        Some(wish) if !names.is_empty() => {
            format!("no stream {} in it, it has {}", wish.key(), names.join(", "))
        }
        _ => "the package holds no data for it".to_owned(),
    })
}

/// What a wave says of itself in words. What is damaged there is left out: it is not the recording.
fn notes(wave: &SoundNodeWave, package: &Package, source: &dyn Source, limits: &mut Limits) -> Vec<String> {
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
    let lines = wave.property("Subtitles").map(|property| property.structs(package, source, limits));
    for line in lines.into_iter().flatten().flatten().flatten() {
        if let Value::Text(text) = line.value {
            notes.push(format!("subtitle: {text}"));
        }
    }
    notes
}
