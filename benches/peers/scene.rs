//! What every engine is asked to play, and what it must be able to do for it.

use std::sync::Arc;

use benches::stage::{BLOCK, noise};
use fixtures::songs;
use song::{
    Articulation, ArticulationIndex, Cents, Envelope, Instrument, Key, LoopMode, Sample, SampleIndex, Shape,
    Song, SongParts, Velocity, Zone, ZoneTree,
};

/// Frames a second, of recordings and of output.
pub(crate) const RATE: u32 = 48_000;

/// A block of output: left and right values in turn, [`BLOCK`] frames.
pub(crate) type Block = [f32; 2 * BLOCK];

/// An engine in the middle of a scene.
pub(crate) trait Engine {
    /// Renders one block.
    fn render(&mut self, block: &mut Block);

    /// Returns how many voices sound, if the engine can say.
    fn sounding(&mut self) -> Option<usize>;
}

/// Why an engine cannot play a scene.
#[derive(Clone, Debug)]
pub(crate) struct Absent(pub(crate) String);

impl Absent {
    /// For an engine that cannot play more than some voices at once.
    pub(crate) fn unless(voices: usize, most: usize) -> Result<(), Self> {
        if voices <= most { Ok(()) } else { Err(Self(format!("at most {most} voices"))) }
    }
}

/// Anything an engine says of why it cannot.
impl<E: std::error::Error> From<E> for Absent {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// An engine, playing; or why it is not.
pub(crate) type Playing = Result<Box<dyn Engine>, Absent>;

/// What a recording is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Material {
    Sixteen,
    Float,
}

impl Material {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sixteen => "i16",
            Self::Float => "f32",
        }
    }
}

/// One channel at [`RATE`], full scale −1..=1 for floats; repeats as a whole.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Sixteen(Vec<i16>),
    Float(Vec<f32>),
}

impl Source {
    /// As floats, for engines that know nothing else.
    pub(crate) fn floats(&self) -> Vec<f32> {
        match self {
            Self::Sixteen(values) => values.iter().map(|&value| f32::from(value) / 32_768.0).collect(),
            Self::Float(values) => values.clone(),
        }
    }
}

/// One source, played by some voices from its beginning, each at its own pitch, in the centre.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) source: Source,
    /// Semitones above the source's own pitch, for each voice; the same again after [`Scene::KEYS`] voices.
    pub(crate) pitches: Vec<f64>,
    /// Of each voice, linear.
    pub(crate) gain: f32,
    /// How each voice moves, if it does.
    articulation: Option<Articulation>,
}

impl Scene {
    /// Keys that sound voices, a whole number of times each of the chord's pitches. Not all that MIDI has: near the
    /// ends, some engines do not keep the pitch.
    pub(crate) const KEYS: usize = 112;

    /// The first of them.
    const FIRST_KEY: u8 = 15;

    /// Pitches of the chord, a semitone apart.
    const PITCHES: usize = 14;

    /// Returns noise in a second's loop, −6.5 to 6.5 semitones around its own pitch, and never a whole ratio to it.
    pub(crate) fn chord(material: Material, voices: usize, gain: f32) -> Self {
        let noise = noise(RATE as usize);
        let source = match material {
            Material::Sixteen => Source::Sixteen(noise),
            Material::Float => {
                Source::Float(noise.into_iter().map(|value| f32::from(value) / 32_768.0).collect())
            }
        };
        let pitches = (0..voices).map(|voice| (voice % Self::PITCHES) as f64 - 6.5).collect();
        Self { source, pitches, gain, articulation: None }
    }

    /// Creates one voice at full gain.
    pub(crate) fn solo(source: Source, semitones: f64) -> Self {
        Self { source, pitches: vec![semitones], gain: 1.0, articulation: None }
    }

    /// Returns it with all voices shaped; a shape that changes nothing leaves them as they are.
    pub(crate) fn shaped(self, shape: &Shape) -> Self {
        let mut made = Vec::new();
        for instrument in self.song().instruments() {
            let _ = shape.instrument(instrument, Envelope::default(), &[], (0, &mut made));
        }
        Self { articulation: made.pop(), ..self }
    }

    /// Returns the voices.
    pub(crate) fn voices(&self) -> usize {
        self.pitches.len()
    }

    /// Returns the number of frames a voice advances for each of output: the ratio of its pitch.
    pub(crate) fn ratio(semitones: f64) -> f64 {
        (semitones / 12.0).exp2()
    }

    /// Returns the gain of each voice, in decibels.
    pub(crate) fn decibels(&self) -> f32 {
        20.0 * self.gain.log10()
    }

    /// As a song of one instrument: each voice has its [`key`].
    pub(crate) fn song(&self) -> Song {
        let sample = match &self.source {
            Source::Sixteen(values) => songs::mono(values.iter().copied()),
            Source::Float(values) => songs::mono_float(values.iter().copied()),
        };
        let sample = whole(sample);
        let moves = self.articulation.is_some().then(|| ArticulationIndex::new(0));
        let zones = self.pitches.iter().take(Self::KEYS).enumerate().map(|(voice, semitones)| {
            let key = key(voice);
            let tuning = Cents::new(100.0 * semitones).expect("finite");
            Zone::whole_keyboard(SampleIndex::new(0), key, tuning)
                .with_articulation(moves)
                .within(key..=key, Velocity::LOWEST..=Velocity::HIGHEST)
                .expect("one key")
        });
        let instrument = Instrument { tree: ZoneTree::layered(zones), ..Instrument::default() };
        let parts = SongParts {
            samples: vec![Arc::new(sample)],
            instruments: vec![instrument],
            articulations: self.articulation.iter().cloned().collect(),
            ..SongParts::default()
        };
        Song::new(parts).expect("each zone has its sample")
    }
}

/// Returns the key that sounds a voice.
pub(crate) fn key(voice: usize) -> Key {
    Key::new(Scene::FIRST_KEY + (voice % Scene::KEYS) as u8).expect("below 128")
}

fn whole(sample: Sample) -> Sample {
    let length = sample.length().get();
    songs::looped(sample, 0, length, LoopMode::Forward)
}
