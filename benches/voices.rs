//! What one frame of one voice costs in a whole engine: 16-bit mono loops, blocks of 256, within seven semitones of
//! their own pitch. What is measured is checked first: it sounds, and the same in blocks of another length.

use std::time::Duration;

use benches::stage::{BLOCK, Stage, checked, noise};
use benches::{Time, time};
use engine::Quality;
use fixtures::songs::{looped, mono};
use song::LoopMode;

fn main() {
    let sample = looped(mono(noise(48_000)), 1000, 47_000, LoopMode::Forward);
    println!("ns per voice and frame, least (median); blocks of {BLOCK}\n");
    println!("{:<8} {:>6} {:>14} {:>22}  fingerprint", "quality", "voices", "ns", "voices at 48 kHz");
    for quality in Quality::ALL {
        for voices in [32, 256, 1024] {
            let (mut stage, print) = checked(|| Stage::new(quality.into(), sample.clone(), voices, -7..=7));
            let Time { least, median } =
                time(Duration::from_millis(400), (voices * BLOCK) as f64, || stage.render());
            // As many as would keep one thread busy all the time.
            let most = 1e9 / 48_000.0 / median;
            let ns = format!("{least:.2} ({median:.2})");
            println!("{quality:<8} {voices:>6} {ns:>14} {most:>22.0}  {print:016x}");
        }
    }
}
