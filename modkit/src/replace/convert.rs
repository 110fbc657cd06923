//! Audio in the form that games play: 16 bits, and for Opus one of its rates.

use song::{Frames, Hz, LoopRange, Planes, Recording, Sample, Width};

/// Returns a sample in 16 bits. Values of more bits are rounded after triangular dither of two steps, from a fixed
/// seed, so that the same file always becomes the same bytes.
pub(super) fn of_16_bits(sample: &Sample) -> Sample {
    let recording = match sample.recording() {
        Recording::I16(planes) => Recording::I16(planes.clone()),
        Recording::F32(planes) => {
            let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
            let planes = planes.iter().map(|plane| {
                plane.iter().map(|value| quantised(f64::from(*value), &mut noise)).collect::<Vec<i16>>()
            });
            Recording::I16(Planes::new(planes.collect()).expect("planes of the same shape"))
        }
    };
    with_recording(sample, recording, sample.rate(), sample.loops().to_vec())
}

/// Rounds a value, full scale 1, to 16 bits.
fn quantised(value: f64, noise: &mut Noise) -> i16 {
    let steps = value * 32_768.0 + noise.next() - noise.next();
    steps.round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
}

/// Random numbers of 0 to 1 (xorshift64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Values on each side of a frame that a resampled one is made of.
const REACH: usize = 32;
/// Of a Kaiser window: 100 dB of stop band.
const BETA: f64 = 10.0;

/// Returns a sample at another rate, through a windowed sinc of 64 values that passes nine tenths of the lower rate's
/// band. Loops keep their times.
pub(super) fn resampled(sample: &Sample, rate: Hz) -> Sample {
    let (from, to) = (f64::from(sample.rate().get()), f64::from(rate.get()));
    let length = (sample.length().get() as f64 * to / from).round().max(1.0) as usize;
    let kernel = SincKernel::new((to / from).min(1.0));
    let plane = |values: Vec<f64>| -> Vec<f32> {
        (0..length)
            .map(|frame| {
                let at = frame as f64 * from / to;
                let first = (at - kernel.reach).ceil().max(0.0) as usize;
                let last = ((at + kernel.reach).floor() as usize).min(values.len() - 1);
                let weighted = (first..=last).map(|n| values[n] * kernel.at((at - n as f64).abs()));
                weighted.sum::<f64>() as f32
            })
            .collect()
    };
    let planes: Vec<Vec<f32>> = match sample.recording() {
        Recording::I16(planes) => {
            let values = |plane: &[i16]| plane.iter().map(|value| f64::from(*value) / 32_768.0).collect();
            planes.iter().map(|values_of| plane(values(values_of))).collect()
        }
        Recording::F32(planes) => {
            let values = |plane: &[f32]| plane.iter().map(|value| f64::from(*value)).collect();
            planes.iter().map(|values_of| plane(values(values_of))).collect()
        }
    };
    let frames = Frames::new(length as u64);
    let at =
        |frame: Frames| Frames::new(((frame.get() as f64 * to / from).round() as u64).min(length as u64));
    let moved = |range: &LoopRange| {
        LoopRange::new(at(range.start()), at(range.end()), frames, range.mode(), range.plays()).ok()
    };
    let loops = sample.loops().iter().filter_map(moved).collect();
    let recording = Recording::F32(Planes::new(planes).expect("planes of the same shape"));
    with_recording(sample, recording, rate, loops)
}

/// One side of a windowed sinc, as a table.
struct SincKernel {
    /// Number of values on either side.
    reach: f64,
    table: Vec<f64>,
}

impl SincKernel {
    /// Entries of the table for each value: interpolated linearly, they are exact to −118 dB.
    const STEPS: f64 = 1024.0;

    /// Creates the kernel of a band: of the part of the source's band that stays.
    fn new(band: f64) -> Self {
        let (cutoff, reach) = (0.95 * band, (REACH as f64 / band).ceil());
        let entry = |n: usize| {
            let distance = n as f64 / Self::STEPS;
            cutoff * sinc(cutoff * distance) * kaiser((distance / reach).min(1.0))
        };
        Self { reach, table: (0..=(reach * Self::STEPS) as usize + 1).map(entry).collect() }
    }

    fn at(&self, distance: f64) -> f64 {
        let position = distance * Self::STEPS;
        let (index, part) = (position as usize, position.fract());
        let [low, high] = [index, index + 1].map(|index| self.table.get(index).copied().unwrap_or(0.0));
        low + (high - low) * part
    }
}

fn sinc(x: f64) -> f64 {
    let x = x * std::f64::consts::PI;
    if x.abs() < 1e-9 { 1.0 } else { x.sin() / x }
}

/// The Kaiser window at −1 to 1.
fn kaiser(x: f64) -> f64 {
    bessel(BETA * (1.0 - x * x).max(0.0).sqrt()) / bessel(BETA)
}

/// The modified Bessel function of the first kind and order 0.
fn bessel(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..40 {
        term *= (x / 2.0 / f64::from(k)).powi(2);
        sum += term;
    }
    sum
}

fn with_recording(sample: &Sample, recording: Recording, rate: Hz, loops: Vec<LoopRange>) -> Sample {
    let converted = Sample::new(sample.origin().clone(), recording, Width::Sixteen, rate);
    let converted = match sample.root() {
        Some(root) => converted.with_root(root, sample.tuning()),
        None => converted,
    };
    converted.with_loops(loops).expect("loops of the same sample")
}

#[cfg(test)]
mod tests {
    use song::{LoopCount, LoopMode, Origin};

    use super::*;

    fn tone(rate: u32, seconds: f64) -> Sample {
        let frames = (f64::from(rate) * seconds) as usize;
        let value = |n: usize| 0.5 * (std::f64::consts::TAU * 1000.0 * n as f64 / f64::from(rate)).sin();
        let plane = (0..frames).map(|n| value(n) as f32).collect();
        let recording = Recording::F32(Planes::new(vec![plane]).unwrap());
        Sample::new(Origin::default(), recording, Width::TwentyFour, Hz::new(rate).unwrap())
    }

    fn values(sample: &Sample) -> Vec<f64> {
        match sample.recording() {
            Recording::I16(planes) => planes.left().iter().map(|v| f64::from(*v) / 32_768.0).collect(),
            Recording::F32(planes) => planes.left().iter().map(|v| f64::from(*v)).collect(),
        }
    }

    #[test]
    fn a_resampled_tone_is_the_tone_at_the_other_rate() {
        for (from, to) in [(44_100, 48_000), (48_000, 24_000), (22_050, 48_000)] {
            let [found, expected] =
                [values(&resampled(&tone(from, 0.5), Hz::new(to).unwrap())), values(&tone(to, 0.5))];
            assert_eq!(found.len(), expected.len());
            let inner = 200..found.len() - 200;
            let noise: f64 = inner.clone().map(|n| (found[n] - expected[n]).powi(2)).sum();
            let signal: f64 = inner.map(|n| expected[n].powi(2)).sum();
            let ratio = 10.0 * (signal / noise).log10();
            assert!(ratio > 80.0, "{from} to {to}: {ratio:.1} dB");
        }
    }

    #[test]
    fn dither_is_within_two_steps_and_always_the_same() {
        let sample = tone(48_000, 0.1);
        let (once, again) = (of_16_bits(&sample), of_16_bits(&sample));
        assert_eq!(once, again);
        let worst = values(&once).iter().zip(values(&sample)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst > 0.5 / 32_768.0 && worst < 1.6 / 32_768.0, "{worst}");
    }

    #[test]
    fn dither_keeps_what_is_smaller_than_a_step() {
        for part in [0.25_f32, -0.5] {
            let recording = Recording::F32(Planes::new(vec![vec![part / 32_768.0; 100_000]]).unwrap());
            let rate = Hz::new(48_000).unwrap();
            let sample = Sample::new(Origin::default(), recording, Width::TwentyFour, rate);
            let steps: Vec<f64> = values(&of_16_bits(&sample)).iter().map(|value| value * 32_768.0).collect();
            let mean = steps.iter().sum::<f64>() / steps.len() as f64;
            assert!((mean - f64::from(part)).abs() < 0.02, "{part}: {mean}");
            // Noise of two steps in the form of a triangle, rounded: a quarter of a square step at any value.
            let variance = steps.iter().map(|step| (step - mean).powi(2)).sum::<f64>() / steps.len() as f64;
            assert!((variance - 0.25).abs() < 0.02, "{part}: {variance}");
        }
    }

    #[test]
    fn the_window_is_that_of_the_tables() {
        // Abramowitz and Stegun, table 9.8 and 9.11.
        for (x, expected) in [(0.0, 1.0), (1.0, 1.266_065_878), (5.0, 27.239_871_8), (10.0, 2_815.716_63)] {
            assert!((bessel(x) / expected - 1.0).abs() < 1e-8, "{x}: {}", bessel(x));
        }
        assert!((kaiser(0.0) - 1.0).abs() < 1e-12 && (kaiser(1.0) - 1.0 / 2_815.716_63).abs() < 1e-9);
    }

    #[test]
    fn loops_keep_their_times() {
        let sample = tone(24_000, 0.1);
        let range = LoopRange::new(
            Frames::new(240),
            Frames::new(2400),
            sample.length(),
            LoopMode::Forward,
            LoopCount::Forever,
        );
        let sample = sample.with_loops(vec![range.unwrap()]).unwrap();
        let moved = resampled(&sample, Hz::new(48_000).unwrap());
        assert_eq!((moved.loops()[0].start().get(), moved.loops()[0].end().get()), (480, 4800));
    }
}
