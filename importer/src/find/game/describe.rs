//! What was found in the packages of a game, as a list of sounds.

use std::collections::HashMap;
use std::sync::Arc;

use unreal::containers::mount::Mount;
use unreal::ue4to6::class::sound_cue::CueObjects;
use unreal::{Limits, ObjectRef};

use super::audio::GameAudio;
use super::object::{self, FoundContents, FoundObject, FoundWave};
use crate::budget::WorkBudget;
use crate::budget::bytes;
use crate::find::cues::{CueGraph, PlayableSound, Recordings};
use crate::find::payload::PayloadInfo;
use crate::find::{text_bytes, without_texts};
use crate::sound::Description;
use crate::{Contents, Sound, SoundClass, Status, UnsupportedReason};

/// Describes the objects that were found: those with audio of their own come first.
pub(super) fn describe(
    mount: &Arc<Mount>,
    objects: Vec<FoundObject>,
    budget: u64,
    work: &WorkBudget,
) -> (GameAudio, Vec<Sound>) {
    let containers: Vec<Arc<str>> = mount.containers().iter().map(|(name, _)| name.as_str().into()).collect();
    let mut audio = GameAudio::new(Arc::clone(mount));
    let mut playable = HashMap::new();
    // The trees of cues, which stay.
    let mut kept = Limits::with_structures(budget);
    let mut sounds = Vec::with_capacity(objects.len());
    for (number, FoundObject { path, entry, class, contents, notes }) in (1..).zip(objects) {
        let mut description = match contents {
            FoundContents::Recording(wave) => {
                let sound =
                    PlayableSound { number, gain: wave.gain, pitch: wave.pitch, ..PlayableSound::default() };
                let description = recording(*wave, &mut audio);
                let is_playable = description.status == Status::Ok;
                playable.insert(path.to_string().to_lowercase(), PlayableSound { is_playable, ..sound });
                description
            }
            FoundContents::Cue(cue) => self::cue(&cue, &playable, &mut kept, budget, work),
            FoundContents::File(file) => {
                let payload = audio.add_bytes(file);
                Description::of_payload(PayloadInfo::of(payload, Vec::new(), &audio, work))
            }
            FoundContents::Nothing(status) => Description::unread(status),
        };
        description.notes.splice(0..0, notes);
        if let Err(error) = kept.take(bytes(text_bytes(&description)), 0, "notes on sounds") {
            description = without_texts(description, UnsupportedReason::OverLimit(error.to_string()));
        }
        let sound = description.named(number, path, SoundClass::Object(class));
        sounds.push(Sound { container: containers.get(entry.container).cloned(), ..sound });
    }
    (audio, sounds)
}

fn recording(wave: FoundWave, audio: &mut GameAudio) -> Description {
    let PayloadInfo { mut recording, status, repairs, notes } = wave.info;
    recording.payload = Some(audio.add(wave.parts));
    if let Some(audio) = &mut recording.audio
        && let Some(loops) = audio.frames.and_then(|frames| wave.loops.of(frames))
    {
        audio.loops = loops;
    }
    let contents = Contents::Recording(recording);
    Description { file_type: wave.format, contents, status, repairs, notes }
}

/// Describes a cue by the recordings that were found before it.
fn cue(
    cue: &CueObjects,
    playable: &HashMap<String, PlayableSound>,
    kept: &mut Limits,
    budget: u64,
    work: &WorkBudget,
) -> Description {
    let mut recordings = Recordings::default();
    for (node, wave) in &cue.waves {
        if let Some(found) = playable.get(&sound_of(&wave.path).to_lowercase()) {
            recordings.add(*node, PlayableSound { loops_whole: wave.loops, ..*found });
        }
    }
    let wave = |node: ObjectRef| cue.waves.get(&node);
    let path = |node| match wave(node) {
        Some(wave) if !wave.path.is_empty() => sound_of(&wave.path),
        _ => "a recording that is not named".to_owned(),
    };
    let is_elsewhere =
        |node| wave(node).is_some_and(|wave| !playable.contains_key(&sound_of(&wave.path).to_lowercase()));
    let graph = CueGraph {
        cue: &cue.cue,
        nodes: &cue.nodes,
        recordings: &recordings,
        path: &path,
        is_elsewhere: &is_elsewhere,
        at: 0,
    };
    // What was spent on a cue that comes to nothing is there for the next.
    let mut spent = kept.clone();
    let described = work.spend(budget, |limits| graph.describe(limits, &mut spent));
    match described {
        Ok(description) => {
            *kept = spent;
            description
        }
        Err(error) => {
            Description::unread(Status::Unsupported(UnsupportedReason::OverLimit(error.to_string())))
        }
    }
}

/// Returns what a sound is listed as that has a path: its package, if the object is called as that is.
fn sound_of(path: &str) -> String {
    match path.rsplit_once('.') {
        Some((package, object)) => object::path(package, object).to_string(),
        None => path.to_owned(),
    }
}
