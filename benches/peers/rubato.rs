//! Rubato: a resampler by sinc. It mixes nothing, so its voices are added here.

use ::rubato::audioadapter_buffers::direct::SequentialSlice;
use ::rubato::{
    Async, FixedAsync, Resampler, SincInterpolationParameters, SincInterpolationType, WindowFunction,
};
use benches::stage::BLOCK;

use super::scene::{Block, Engine, Playing, Scene};

/// Points of the sinc.
const TAPS: usize = 32;

/// Phases of the sinc that are kept; what lies between two is interpolated. The fewest, and the cheapest way, that
/// sound as our best quality must: each voice has a table of its own, and larger ones only miss the cache.
const PHASES: usize = 64;

/// One resampler: voices that differ in pitch cannot share it.
struct Voice {
    resampler: Async<f32>,
    /// Where it reads on, in frames of the source.
    at: usize,
}

struct Rubato {
    /// The source, and its beginning once more, so that every read is in one piece.
    source: Vec<f32>,
    length: usize,
    gain: f32,
    voices: Vec<Voice>,
    out: [f32; BLOCK],
}

/// Plays a scene.
pub(crate) fn play(scene: &Scene) -> Playing {
    let parameters = SincInterpolationParameters::new(TAPS, WindowFunction::BlackmanHarris2)
        .oversampling_factor(PHASES)
        .interpolation(SincInterpolationType::Linear);
    let voices = scene.pitches.iter().map(|&semitones| {
        let ratio = Scene::ratio(semitones).recip();
        let resampler = Async::new_sinc(ratio, 1.0, &parameters, BLOCK, 1, FixedAsync::Output)?;
        Ok(Voice { resampler, at: 0 })
    });
    let voices = voices.collect::<Result<Vec<_>, ::rubato::ResamplerConstructionError>>()?;
    let mut source = scene.source.floats();
    let length = source.len();
    let most = voices.iter().map(|voice| voice.resampler.input_frames_max()).max().unwrap_or(0);
    source.extend_from_within(..most.min(length));
    Ok(Box::new(Rubato { source, length, gain: scene.gain, voices, out: [0.0; BLOCK] }))
}

impl Engine for Rubato {
    fn render(&mut self, block: &mut Block) {
        block.fill(0.0);
        for Voice { resampler, at } in &mut self.voices {
            let read = resampler.input_frames_next();
            let input = SequentialSlice::new(&self.source[*at..*at + read], 1, read).expect("one channel");
            let mut output = SequentialSlice::new_mut(&mut self.out, 1, BLOCK).expect("one channel");
            resampler.process_into_buffer(&input, &mut output, None).expect("as much as it asked for");
            *at = (*at + read) % self.length;
            for (frame, value) in block.chunks_exact_mut(2).zip(self.out) {
                frame[0] += self.gain * value;
                frame[1] += self.gain * value;
            }
        }
    }

    fn sounding(&mut self) -> Option<usize> {
        Some(self.voices.len())
    }
}
