//! A scene as a `SoundFont`, for the engines that play these.

use song::Song;

use super::scene::{Absent, Scene, Source, key};

/// Returns the number of channels of MIDI that are needed for a scene: each has all keys. The tenth of every 16 is kept
/// free, for it plays drums.
pub(crate) fn channels(scene: &Scene) -> usize {
    let last = notes(scene.voices()).last().map_or(0, |(channel, _)| channel);
    (usize::from(last) + 1).next_multiple_of(16)
}

/// Returns channel and key of each voice.
pub(crate) fn notes(voices: usize) -> impl Iterator<Item = (u8, u8)> {
    let channels = (0..=u8::MAX).filter(|channel| channel % 16 != 9);
    channels.flat_map(|channel| (0..Scene::KEYS).map(move |voice| (channel, key(voice).get()))).take(voices)
}

/// Returns the bytes of a file whose preset 0 has a key for each voice.
///
/// # Errors
/// If the source is not of 16 bits, which is all the format knows.
pub(crate) fn bytes(scene: &Scene) -> Result<Vec<u8>, Absent> {
    let Source::Sixteen(_) = scene.source else {
        return Err(Absent("plays 16 bits only".to_owned()));
    };
    let song: Song = scene.song();
    let mut bytes = Vec::new();
    exporter::sf2::write(&song, &mut bytes)?;
    Ok(bytes)
}
