//! The sounds of a package as the screen lists them.

use std::collections::BTreeSet;
use std::time::Duration;

use importer::{Audio, Sound, SoundClass, SoundFile};
use song::{AfterRelease, Articulation, FrameRange, Frames, SoundDefaults, Zone};

use crate::OptionNames;
use crate::model::column::COLUMNS;
use crate::model::{SoundEntry, SoundKind};

/// Returns the sounds of a package as the list shows them, in groups of their own or all in that of a package.
#[must_use]
pub fn entries(package: &SoundFile, packaged: Option<&str>, options: OptionNames) -> Vec<SoundEntry> {
    let has_instruments = package.sounds().iter().any(|sound| sound.class == SoundClass::Instrument);
    let place = |sound: &Sound| match (packaged, sound.class) {
        (Some(group), _) => (format!("{group}/{}", sound.path()), group.to_owned()),
        // A tracker has a page for each.
        (None, SoundClass::Sample | SoundClass::Instrument) if has_instruments => {
            (sound.path(), format!("{}s", sound.class))
        }
        (None, _) => (sound.path(), sound.object.group.clone()),
    };
    package.sounds().iter().map(|sound| entry(package, sound, place(sound), options)).collect()
}

fn entry(
    package: &SoundFile,
    sound: &Sound,
    (name, group): (String, String),
    options: OptionNames,
) -> SoundEntry {
    let audio = sound.audio();
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
    // Its own recording, or the only one that it plays.
    let places: BTreeSet<usize> = zones.iter().map(|zone| zone.sample().get()).collect();
    let only = places.first().filter(|_| places.len() == 1).and_then(|place| package.sounds().get(*place));
    let recording = audio.or_else(|| only.and_then(Sound::audio));
    SoundEntry {
        name,
        group,
        cells: COLUMNS.map(|column| (column.cell)(sound)),
        rate: audio.map(|audio| audio.rate.get()),
        silent: sound
            .module()
            .map(|_| options.module(sound.number))
            .or_else(|| sound.status.reason())
            .or_else(|| instrument.is_silent().then(|| "nothing that it plays can be decoded".to_owned())),
        kind: match () {
            () if sound.class == SoundClass::Instrument => SoundKind::Instrument,
            () if sound.module().is_some() => SoundKind::Module,
            () if sound.zones().is_some() => SoundKind::Cue,
            () => SoundKind::Recording,
        },
        length: recording.and_then(|audio| audio.frames).map(Frames::new),
        loop_range: recording
            .and_then(|audio| audio.loops.first())
            .map(|looping| FrameRange { start: looping.start(), end: looping.end() }),
        loops: zones.iter().any(|zone| zone.loops_whole() || !loops(zone).is_empty()),
        defaults: SoundDefaults::of(&instrument),
        lasts: audio.map_or(Duration::ZERO, lasts),
        plays_out: zones.iter().any(|zone| ends(zone)),
    }
}

/// Returns how long a recording lasts; beyond an hour it makes no difference.
fn lasts(audio: &Audio) -> Duration {
    let longest = 3600.0;
    let seconds = audio.frames.map_or(0.0, |frames| frames as f64 / f64::from(audio.rate.get()));
    Duration::from_secs_f64(seconds.min(longest))
}
