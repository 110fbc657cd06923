//! Rustysynth: a `SoundFont` player in Rust, with linear interpolation.

use std::sync::Arc;

use ::rustysynth::{SoundFont, Synthesizer, SynthesizerSettings};
use benches::stage::BLOCK;

use super::font;
use super::scene::{Absent, Block, Engine, Playing, RATE, Scene};

/// More voices it refuses.
const MOST: usize = 256;

/// Fewer too.
const LEAST: usize = 8;

struct Rustysynth {
    synthesizer: Synthesizer,
    planes: [[f32; BLOCK]; 2],
}

/// Plays a scene.
pub(crate) fn play(scene: &Scene) -> Playing {
    Absent::unless(scene.voices(), MOST)?;
    let font = SoundFont::new(&mut font::bytes(scene)?.as_slice())?;
    let mut settings = SynthesizerSettings::new(RATE as i32);
    settings.maximum_polyphony = scene.voices().max(LEAST);
    settings.enable_reverb_and_chorus = false;
    let mut synthesizer = Synthesizer::new(&Arc::new(font), &settings)?;
    synthesizer.set_master_volume(scene.gain);
    for (channel, key) in font::notes(scene.voices()) {
        synthesizer.note_on(channel.into(), key.into(), 127);
    }
    Ok(Box::new(Rustysynth { synthesizer, planes: [[0.0; BLOCK]; 2] }))
}

impl Engine for Rustysynth {
    fn render(&mut self, block: &mut Block) {
        let [left, right] = &mut self.planes;
        self.synthesizer.render(left, right);
        for (frame, (&left, &right)) in block.chunks_exact_mut(2).zip(left.iter().zip(right.iter())) {
            frame.copy_from_slice(&[left, right]);
        }
    }

    fn sounding(&mut self) -> Option<usize> {
        None
    }
}
