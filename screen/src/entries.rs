//! The sounds of a package as the screen lists them.

use std::time::Duration;

use importer::{Audio, Sound, SoundClass, SoundFile};
use song::{AfterRelease, Articulation, Zone};

use crate::model::SoundEntry;
use player::text;

/// Returns the sounds of a package as the list shows them, in groups of their own or all in that of a package.
#[must_use]
pub fn entries(package: &SoundFile, packaged: Option<&str>) -> Vec<SoundEntry> {
    let has_instruments = package.sounds().iter().any(|sound| sound.class == SoundClass::Instrument);
    let place = |sound: &Sound| match (packaged, sound.class) {
        (Some(group), _) => (format!("{group}/{}", sound.path()), group.to_owned()),
        // A tracker has a page for each.
        (None, SoundClass::Sample | SoundClass::Instrument) if has_instruments => {
            (sound.path(), format!("{}s", sound.class))
        }
        (None, _) => (sound.path(), sound.object.group.clone()),
    };
    package.sounds().iter().map(|sound| entry(package, sound, place(sound))).collect()
}

fn entry(package: &SoundFile, sound: &Sound, (name, group): (String, String)) -> SoundEntry {
    let audio = sound.audio();
    let shown = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let instrument = package.instrument(sound.number).unwrap_or_default();
    let zones = instrument.zones();
    let loops = |zone: &Zone| {
        let sound = package.sounds().get(zone.sample().get());
        sound.and_then(Sound::audio).map_or(&[][..], |audio| &audio.loops)
    };
    let ends = |zone: &Zone| {
        let articulation = zone.articulation().and_then(|index| package.articulations().get(index.get()));
        articulation.is_some_and(Articulation::ends) || AfterRelease::of(loops(zone)) == AfterRelease::End
    };
    SoundEntry {
        name,
        group,
        rate: shown(audio.map(|audio| audio.rate.to_string())),
        bits: shown(audio.and_then(|audio| audio.bits).map(|bits| bits.to_string())),
        channels: shown(audio.map(|audio| audio.channels.to_string())),
        length: match (sound.module(), sound.status.reason()) {
            (Some(_), _) => "module".to_owned(),
            (None, Some(_)) => sound.status.name().to_owned(),
            (None, None) => shown(sound.seconds().map(text::seconds).or_else(|| plays(sound))),
        },
        looping: shown(audio.and_then(|audio| audio.loops.first()).map(text::looping)),
        silent: text::unsupported_reason(sound)
            .or_else(|| instrument.is_silent().then(|| "nothing that it plays can be decoded".to_owned())),
        is_instrument: sound.class == SoundClass::Instrument,
        loops: zones.iter().any(|zone| zone.loops_whole() || !loops(zone).is_empty()),
        root: instrument.root(),
        lasts: audio.map_or(Duration::ZERO, lasts),
        envelope: instrument.envelope,
        plays_out: zones.iter().any(|zone| ends(zone)),
    }
}

/// Returns what a group or a cue plays, in the little room that a length has.
fn plays(sound: &Sound) -> Option<String> {
    text::plays(sound).map(|plays| plays.trim_start_matches("plays ").to_owned())
}

/// Returns how long a recording lasts; beyond an hour it makes no difference.
fn lasts(audio: &Audio) -> Duration {
    let longest = 3600.0;
    let seconds = audio.frames.map_or(0.0, |frames| frames as f64 / f64::from(audio.rate.get()));
    Duration::from_secs_f64(seconds.min(longest))
}
