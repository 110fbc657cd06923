//! Kira: a mixer for games, with cubic interpolation.

use ::kira::backend::{Backend, Renderer};
use ::kira::sound::static_sound::{StaticSoundData, StaticSoundHandle, StaticSoundSettings};
use ::kira::track::MainTrackBuilder;
use ::kira::{AudioManager, AudioManagerSettings, Capacities, Decibels, Frame, PlaybackRate};
use benches::stage::BLOCK;

use super::scene::{Absent, Block, Engine, Playing, RATE, Scene};

/// A device that renders when it is asked to.
#[derive(Default)]
struct Bench(Option<Renderer>);

impl Backend for Bench {
    type Settings = ();
    type Error = std::convert::Infallible;

    fn setup((): (), _: usize) -> Result<(Self, u32), Self::Error> {
        Ok((Self::default(), RATE))
    }

    fn start(&mut self, renderer: Renderer) -> Result<(), Self::Error> {
        self.0 = Some(renderer);
        Ok(())
    }
}

struct Kira {
    manager: AudioManager<Bench>,
    /// Kept, as a program would that wants to stop its sounds.
    _handles: Vec<StaticSoundHandle>,
}

/// Plays a scene.
pub(crate) fn play(scene: &Scene) -> Playing {
    // It takes −60 dB for silence, so half of that is left to the main track.
    let half = Decibels(scene.decibels() / 2.0);
    let mut manager = AudioManager::<Bench>::new(AudioManagerSettings {
        capacities: Capacities::default(),
        main_track_builder: MainTrackBuilder::new().sound_capacity(scene.voices()).volume(half),
        internal_buffer_size: BLOCK,
        backend_settings: (),
    })?;
    let data = StaticSoundData {
        sample_rate: RATE,
        frames: scene.source.floats().into_iter().map(Frame::from_mono).collect(),
        settings: StaticSoundSettings::new().loop_region(..).volume(half),
        slice: None,
    };
    let handles = scene.pitches.iter().map(|&semitones| {
        let sound = data.playback_rate(PlaybackRate(Scene::ratio(semitones)));
        manager.play(sound).map_err(|error| Absent(error.to_string()))
    });
    let handles = handles.collect::<Result<_, _>>()?;
    Ok(Box::new(Kira { manager, _handles: handles }))
}

impl Engine for Kira {
    fn render(&mut self, block: &mut Block) {
        let renderer = self.manager.backend_mut().0.as_mut().expect("started with the manager");
        renderer.on_start_processing();
        renderer.process(block, 2);
    }

    fn sounding(&mut self) -> Option<usize> {
        Some(self.manager.main_track().num_sounds())
    }
}
