//! The worklet's half: the engine's processor.

use engine::remote::{RemoteProcessor, WireError};
use engine::{Config, ConfigError, Quality};
use song::Hz;

/// Voices that the engine has room for.
pub const POLYPHONY: usize = 256;

/// Frames that a browser asks for at once.
const QUANTUM: usize = 128;

/// Returns the configuration that both halves of the engine have: `voices` are those of a song beside those of hands.
#[must_use]
pub fn config(voices: usize, seed: u64) -> Config {
    Config {
        polyphony: voices,
        interpolation: Quality::default().into(),
        seed,
        limiter: true,
        effects: true,
        ..Config::default()
    }
}

/// What plays: a processor, and the frames that it renders.
pub struct Audio {
    processor: RemoteProcessor,
    /// Left and right by turns.
    frames: Vec<f32>,
    /// The left side, then the right one.
    planes: Vec<f32>,
}

impl Audio {
    /// Creates what plays at a rate.
    ///
    /// # Errors
    /// [`ConfigError`] for a configuration that no engine has.
    pub fn new(config: Config, rate: Hz) -> Result<Self, ConfigError> {
        let processor = RemoteProcessor::new(config, rate, true)?;
        Ok(Self { processor, frames: vec![0.0; 2 * QUANTUM], planes: vec![0.0; 2 * QUANTUM] })
    }

    /// Takes bytes of the worker.
    ///
    /// # Errors
    /// [`WireError`] if they are of another build.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        self.processor.receive(bytes)
    }

    /// Renders so many frames; returns the left side, then the right one.
    ///
    /// # Real-time
    /// Safe for as many frames as before, and up to 128.
    pub fn render(&mut self, frames: usize) -> &[f32] {
        self.frames.resize(2 * frames, 0.0);
        self.planes.resize(2 * frames, 0.0);
        self.processor.process(&mut self.frames, 2);
        let (left, right) = self.planes.split_at_mut(frames);
        let (pairs, _) = self.frames.as_chunks::<2>();
        for (([one, two], left), right) in pairs.iter().zip(left).zip(right) {
            (*left, *right) = (*one, *two);
        }
        &self.planes
    }

    /// Returns bytes for the worker; none if there is nothing to report.
    pub fn report(&mut self) -> Vec<u8> {
        self.processor.report()
    }
}
