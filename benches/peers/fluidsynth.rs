//! `FluidSynth`: the `SoundFont` player of most systems, in C and C++.

use super::ffi::fluidsynth::{Setting, Synth};
use super::font;
use super::scene::{Block, Engine, Playing, RATE, Scene};

struct FluidSynth(Synth);

/// Plays a scene, interpolated by so many points.
pub(crate) fn play(points: i32, scene: &Scene) -> Playing {
    let mut synth = Synth::new(&[
        (c"synth.sample-rate", Setting::Number(RATE.into())),
        (c"synth.gain", Setting::Number(scene.gain.into())),
        (c"synth.polyphony", Setting::Whole(i32::try_from(scene.voices())?)),
        (c"synth.midi-channels", Setting::Whole(i32::try_from(font::channels(scene))?)),
        (c"synth.reverb.active", Setting::Whole(0)),
        (c"synth.chorus.active", Setting::Whole(0)),
    ])?;
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(&file, font::bytes(scene)?)?;
    synth.load(file.path())?;
    synth.interpolate(points)?;
    for (channel, key) in font::notes(scene.voices()) {
        synth.note_on(channel, key)?;
    }
    Ok(Box::new(FluidSynth(synth)))
}

impl Engine for FluidSynth {
    fn render(&mut self, block: &mut Block) {
        self.0.write(block);
    }

    fn sounding(&mut self) -> Option<usize> {
        Some(self.0.voices())
    }
}
