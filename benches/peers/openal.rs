//! `OpenAL` Soft: what many games mix their sounds with, in C++ with SIMD.

use super::ffi::openal::Loopback;
use super::scene::{Block, Engine, Playing, RATE, Scene};

struct OpenAl(Loopback);

/// Plays a scene with the resampler of a name.
pub(crate) fn play(resampler: &str, scene: &Scene) -> Playing {
    let mut loopback = Loopback::new(RATE, scene.voices())?;
    let ratios = scene.pitches.iter().map(|&semitones| Scene::ratio(semitones) as f32);
    loopback.play(resampler, (&scene.source, RATE), ratios, scene.gain)?;
    Ok(Box::new(OpenAl(loopback)))
}

impl Engine for OpenAl {
    fn render(&mut self, block: &mut Block) {
        self.0.render(block);
    }

    fn sounding(&mut self) -> Option<usize> {
        Some(self.0.voices())
    }
}
