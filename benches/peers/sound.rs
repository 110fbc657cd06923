//! How well an engine sounds: sines that were moved in pitch, measured as the tests measure ours.

use std::f64::consts::TAU;
use std::fmt;

use benches::stage::BLOCK;
use fixtures::signal::{dithered, level, sine, snr};

use super::cast::Who;
use super::scene::{Absent, Block, Material, RATE, Scene, Source};

/// Frames that are measured.
const HEARD: usize = 1 << 16;

/// Until filters are filled and ramps are done.
const BEGINNING: usize = 2048;

/// Frames of a source: more than is heard of it, eleven semitones up.
const LENGTH: usize = 160_000;

/// What an engine's sound is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sound {
    /// How much louder sines of 1, 5 and 10 kHz are than all else, seven semitones down; decibels.
    pub(crate) snr: [f64; 3],
    /// How much quieter 15 kHz is than 1 kHz, eleven semitones up, where nobody could hear it; decibels.
    pub(crate) rejection: f64,
}

impl Sound {
    /// Returns the worst of the three signal-to-noise ratios.
    pub(crate) fn worst(&self) -> f64 {
        self.snr.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Listens to an engine.
    ///
    /// # Errors
    /// [`Absent`] if it cannot play.
    ///
    /// # Panics
    /// If it plays another pitch than it was asked for.
    pub(crate) fn of(who: Who, material: Material) -> Result<Self, Absent> {
        let mut ratios = [0.0; 3];
        for (ratio, frequency) in ratios.iter_mut().zip([1000.0, 5000.0, 10_000.0]) {
            let heard = moved(who, material, frequency, -7.0)?;
            let asked = frequency * Scene::ratio(-7.0);
            let played = tuned(&heard, asked);
            let off = 1200.0 * (played / asked).log2();
            assert!(off.abs() < 1.0, "{who}: {off:.2} cents off");
            *ratio = snr(&heard, played, RATE.into());
        }
        let loudness =
            |frequency| moved(who, material, frequency, 11.0).map(|heard| level(&heard, RATE.into()));
        Ok(Self { snr: ratios, rejection: loudness(1000.0)? - loudness(15_000.0)? })
    }
}

impl fmt::Display for Sound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, middle, high] = self.snr;
        f.pad(&format!("{low:>3.0} {middle:>3.0} {high:>3.0} {:>5.0}", self.rejection))
    }
}

/// Returns what is heard of a sine of −6 dBFS that is moved some semitones, on the left.
fn moved(who: Who, material: Material, frequency: f64, semitones: f64) -> Result<Vec<f32>, Absent> {
    let sine = sine(frequency / f64::from(RATE), 0.5).take(LENGTH);
    let source = match material {
        Material::Sixteen => Source::Sixteen(dithered(sine).collect()),
        Material::Float => Source::Float(sine.map(|value| value as f32).collect()),
    };
    let mut engine = who.play(&Scene::solo(source, semitones))?;
    let mut heard = Vec::with_capacity(BEGINNING + HEARD);
    let mut block: Block = [0.0; 2 * BLOCK];
    while heard.len() < BEGINNING + HEARD {
        engine.render(&mut block);
        heard.extend(block.iter().step_by(2));
    }
    Ok(heard.split_off(BEGINNING))
}

/// Returns the frequency of a sine in hertz, known to a few already: an engine may round its steps, which makes no
/// noise.
///
/// The phases of two halves give how far it is off. The halves grow: the shorter, the farther it may be off; the
/// longer, the more accurate.
fn tuned(frames: &[f32], near: f64) -> f64 {
    let mut turns = near / f64::from(RATE);
    for half in [1024, 4096, 16_384, HEARD / 2] {
        let phase = |begin: usize| {
            let (mut re, mut im) = (0.0, 0.0);
            for (i, &value) in frames[begin..begin + half].iter().enumerate() {
                // Hann's window: other sounds leak less.
                let window = 0.5 - 0.5 * (TAU * i as f64 / half as f64).cos();
                let (sin, cos) = (TAU * (turns * (begin + i) as f64).fract()).sin_cos();
                re += window * f64::from(value) * cos;
                im -= window * f64::from(value) * sin;
            }
            im.atan2(re)
        };
        let ahead = (phase(half) - phase(0)) / TAU;
        turns += (ahead - ahead.round()) / half as f64;
    }
    turns * f64::from(RATE)
}
