//! What one frame of one voice costs by kind of recording, interpolation and pitch; 256 voices, so that hardly anything
//! but the kernel is measured. What is measured is checked first: it sounds, and the same in blocks of another length.

use std::time::Duration;

use benches::stage::{BLOCK, Stage, checked, noise};
use benches::{Time, is_measuring, time};
use engine::Interpolation;
use fixtures::songs::{looped, mono, mono_float, stereo, stereo_float};
use song::{LoopMode, Sample};

const VOICES: usize = 256;
const FRAMES: usize = 48_000;

fn main() {
    let floats = || noise(FRAMES).into_iter().map(|value| f32::from(value) / 32_768.0);
    let forward = |sample: Sample| looped(sample, 1000, 47_000, LoopMode::Forward);
    let recordings = [
        ("16-bit mono", forward(mono(noise(FRAMES)))),
        ("16-bit stereo", forward(stereo(noise(FRAMES), noise(FRAMES)))),
        ("float mono", forward(mono_float(floats()))),
        ("float stereo", forward(stereo_float(floats().collect(), floats().collect()))),
        ("short loop", looped(mono(noise(1000)), 900, 917, LoopMode::Forward)),
    ];
    println!("ns per voice and frame, least (median); {VOICES} voices, blocks of {BLOCK}\n");
    println!(
        "{:<14} {:<8} {:>14} {:>14} {:>14}  fingerprint",
        "recording", "kernel", "-24..-17", "-7..7", "17..24"
    );
    for (name, sample) in recordings {
        for how in Interpolation::ALL {
            let mut print = 0;
            let costs = [-24..=-17, -7..=7, 17..=24].map(|semitones| {
                let (mut stage, part) =
                    checked(|| Stage::new(how, sample.clone(), VOICES, semitones.clone()));
                print ^= part;
                let blocks = if is_measuring() { 4 } else { 1 };
                let Time { least, median } =
                    time(Duration::from_millis(150), (VOICES * BLOCK * blocks) as f64, || {
                        (0..blocks).for_each(|_| stage.render());
                    });
                format!("{least:.2} ({median:.2})")
            });
            let [low, middle, high] = costs;
            println!("{name:<14} {how:<8} {low:>14} {middle:>14} {high:>14}  {print:016x}");
        }
    }
}
