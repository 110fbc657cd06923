//! Recordings from their end to their beginning, for modules that play them so.

use std::collections::BTreeMap;
use std::sync::Arc;

use song::module::{Dialect, EffectCommand, Module, Pattern};
use song::{Frames, LoopRange, Planes, Recording, Sample, SampleIndex, Song, SongParts};

/// The effect that plays backwards: `S9F`, of `ModPlug` Tracker and those after it.
const BACKWARDS: u8 = 0x9F;

/// Returns whether any cell of a module plays its sample backwards.
pub(super) fn is_used(module: &Module) -> bool {
    let mut cells = module.patterns.iter().flat_map(Pattern::cells);
    module.dialect == Dialect::ImpulseTracker
        && cells.any(|cell| {
            cell.effect.is_some_and(|effect| {
                effect.command == EffectCommand::Extended && effect.parameter == BACKWARDS
            })
        })
}

/// Returns a song with its recordings a second time, backwards, and where these are by those that they are made of.
pub(super) fn added(song: &Song) -> (Song, BTreeMap<SampleIndex, SampleIndex>) {
    let mut samples = song.samples().to_vec();
    let mut indices = BTreeMap::new();
    for (index, sample) in song.samples().iter().enumerate() {
        if let Some(reversed) = reversed(sample) {
            indices.insert(SampleIndex::new(index), SampleIndex::new(samples.len()));
            samples.push(Arc::new(reversed));
        }
    }
    let parts = SongParts {
        name: song.name().to_owned(),
        samples,
        instruments: song.instruments().to_vec(),
        articulations: song.articulations().to_vec(),
        module: song.module().clone(),
    };
    match Song::new(parts) {
        Ok(longer) => (longer, indices),
        // More samples take nothing away from what the song refers to.
        Err(_) => (song.clone(), BTreeMap::new()),
    }
}

/// Returns a sample from its end to its beginning, its loops where they are then.
fn reversed(sample: &Sample) -> Option<Sample> {
    fn planes<T: Copy>(planes: &Planes<T>) -> Option<Planes<T>> {
        Planes::new(planes.iter().map(|plane| plane.iter().rev().copied().collect()).collect()).ok()
    }
    let recording = match sample.recording() {
        Recording::I16(own) => Recording::I16(planes(own)?),
        Recording::F32(own) => Recording::F32(planes(own)?),
    };
    let length = sample.length();
    let mirrored = |range: &LoopRange| {
        let at = |frame: Frames| Frames::new(length.get() - frame.get());
        let own =
            LoopRange::new(at(range.end()), at(range.start()), length, range.mode(), range.plays()).ok()?;
        Some(if range.is_sustaining() { own.sustaining() } else { own })
    };
    let loops = sample.loops().iter().filter_map(mirrored).collect();
    Sample::new(sample.origin().clone(), recording, sample.width(), sample.rate()).with_loops(loops).ok()
}
