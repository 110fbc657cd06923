//! What one frame of one voice costs by kind of recording, interpolation and pitch: of the kernels alone, in each form
//! the processor has, and in the engine, with 256 voices. What is measured in the engine is checked first: it sounds,
//! and the same in blocks of another length. Kernels and engine are measured by turns, so that their ratio means
//! something on a machine whose speed drifts.

use benches::stage::{BLOCK, Stage, checked, noise};
use benches::{Thing, by_turns};
use engine::Interpolation;
use engine::bench::{self, Naked};
use fixtures::songs::{looped, mono, mono_float, of, stereo, stereo_float};
use song::{LoopMode, Sample};

const VOICES: usize = 256;
const FRAMES: usize = 48_000;

/// Rounds of all that is compared, one after another.
const ROUNDS: usize = 40;

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
    let forms = bench::forms();
    println!("least ns per voice and frame; {VOICES} voices, blocks of {BLOCK}\n");
    print!("{:<14} {:<8} {:>8}", "recording", "kernel", "pitch");
    forms.iter().for_each(|form| print!(" {form:>8}"));
    println!(" {:>8} {:>13}  fingerprint", "engine", "/ last kernel");
    for (name, sample) in recordings {
        for how in Interpolation::ALL {
            for semitones in [-24..=-17, -7..=7, 17..=24] {
                let (mut stage, print) =
                    checked(|| Stage::new(how, std::slice::from_ref(&sample), VOICES, semitones.clone()));
                let ratios: Vec<f64> = semitones
                    .clone()
                    .cycle()
                    .map(|semitones| (f64::from(semitones) / 12.0 + 1.0 / 24.0).exp2())
                    .take(VOICES)
                    .collect();
                // A loop is the engine's business: kernels alone read a long recording.
                let song = of(vec![if name == "short loop" { mono(noise(FRAMES)) } else { sample.clone() }]);
                let mut naked: Vec<Naked> =
                    (0..forms.len()).map(|form| Naked::new(form, how, &song, &ratios, BLOCK)).collect();
                let units = (VOICES * BLOCK) as f64;
                let mut rounds: Vec<Thing<'_>> = Vec::new();
                for naked in &mut naked {
                    rounds.push((units, Box::new(|| naked.render())));
                }
                rounds.push((units, Box::new(|| stage.render())));
                let times = by_turns(&mut rounds, ROUNDS);
                let pitch = format!("{}..{}", semitones.start(), semitones.end());
                print!("{name:<14} {how:<8} {pitch:>8}");
                times.iter().for_each(|time| print!(" {time:>8.2}"));
                let [.., kernel, engine] = times[..] else { unreachable!("both were measured") };
                println!(" {:>13.2}  {print:016x}", engine / kernel);
            }
        }
    }
}
