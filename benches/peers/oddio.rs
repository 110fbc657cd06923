//! Oddio: the smallest mixer for games, with linear interpolation.

use ::oddio::{Cycle, FixedGain, Frames, Mixer, MixerControl, MonoToStereo, Speed, frame_stereo};

use super::scene::{Block, Engine, Playing, RATE, Scene};

struct Oddio {
    mixer: Mixer<[f32; 2]>,
    /// Kept, as a program would that wants to play more.
    _control: MixerControl<[f32; 2]>,
}

/// Plays a scene.
pub(crate) fn play(scene: &Scene) -> Playing {
    let frames = Frames::from_slice(RATE, &scene.source.floats());
    let (mut control, mixer) = Mixer::new();
    for &semitones in &scene.pitches {
        let (mut speed, signal) = Speed::new(Cycle::new(frames.clone()));
        speed.set_speed(Scene::ratio(semitones) as f32);
        control.play(MonoToStereo::new(FixedGain::new(signal, scene.decibels())));
    }
    Ok(Box::new(Oddio { mixer, _control: control }))
}

impl Engine for Oddio {
    fn render(&mut self, block: &mut Block) {
        ::oddio::run(&mut self.mixer, RATE, frame_stereo(block));
    }

    fn sounding(&mut self) -> Option<usize> {
        None
    }
}
