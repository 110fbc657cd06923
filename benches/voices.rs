//! What one frame of one voice costs in a whole engine: 16-bit mono loops, blocks of 256, within seven semitones of
//! their own pitch; few voices and many, of one recording and each of its own. What is measured is checked first: it
//! sounds, and the same in blocks of another length. Then the same for voices that move, as instruments of trackers do,
//! and what one frame of the effects costs beside one of a voice.

use benches::stage::{BLOCK, Stage, checked, noise};
use benches::{Thing, by_turns, is_measuring};
use engine::{ChannelStrip, Quality};
use fixtures::songs::{curve, looped, mono, repeating, unmoved};
use song::{Decibels, FadeStart, LoopMode, LowPass, Sample, TrackerArticulation};

/// Voices, and whether each has a recording of its own.
const CROWDS: [(usize, bool); 5] = [(32, false), (256, false), (1024, false), (4096, false), (4096, true)];

/// All recordings together are far larger than what a processor keeps at hand.
const FRAMES: usize = 12_000;

const ROUNDS: usize = 40;

fn main() {
    let sample = || looped(mono(noise(FRAMES)), 1000, 11_000, LoopMode::Forward);
    println!("least ns per voice and frame; blocks of {BLOCK}\n");
    print!("{:<8}", "quality");
    for (voices, is_own) in CROWDS {
        print!(" {:>8}", format!("{voices}{}", if is_own { " own" } else { "" }));
    }
    println!(" {:>11} {:>11} {:>18}", "4096 / 256", "own / 4096", "voices at 48 kHz");
    for quality in Quality::ALL {
        let mut stages: Vec<(Stage, usize)> = Vec::new();
        // Where nothing is measured, that it works is seen with fewer.
        for (voices, is_own) in CROWDS.into_iter().filter(|(voices, _)| is_measuring() || *voices <= 256) {
            let samples: Vec<Sample> = (0..if is_own { voices } else { 1 }).map(|_| sample()).collect();
            let (stage, _) = checked(|| Stage::new(quality.into(), &samples, voices, -7..=7));
            stages.push((stage, voices));
        }
        let mut rounds: Vec<Thing<'_>> = Vec::new();
        for (stage, voices) in &mut stages {
            // Few voices render more blocks: long enough for the processor to have settled on them.
            let blocks = (4096 / *voices).min(32);
            let units = (*voices * BLOCK * blocks) as f64;
            rounds.push((units, Box::new(move || (0..blocks).for_each(|_| stage.render()))));
        }
        let ns = by_turns(&mut rounds, ROUNDS);
        print!("{quality:<8}");
        ns.iter().for_each(|ns| print!(" {ns:>8.2}"));
        if let [_, some, _, many, own] = ns[..] {
            // As many as would keep one thread busy all the time.
            let most = 1e9 / 48_000.0 / some;
            print!(" {:>11.2} {:>11.2} {most:>18.0}", many / some, own / many);
        }
        println!();
    }
    moving();
    effects();
}

/// Voices that do not move beside those that do.
fn moving() {
    println!("\n{:<8} {:>8} {:>8} {:>8}", "256", "still", "curves", "filter");
    let sample = [looped(mono(noise(FRAMES)), 1000, 11_000, LoopMode::Forward)];
    for quality in Quality::ALL {
        let kinds = [None, Some(curved()), Some(filtered())];
        let mut stages = kinds.map(|articulation| {
            let set =
                || Stage::moving(quality.into(), &sample, articulation.clone().map(Into::into), 256, -7..=7);
            checked(set).0
        });
        let rounds = stages.iter_mut().map(|stage| -> Thing<'_> {
            let blocks = 16;
            ((256 * BLOCK * blocks) as f64, Box::new(move || (0..blocks).for_each(|_| stage.render())))
        });
        let ns = by_turns(&mut rounds.collect::<Vec<_>>(), ROUNDS);
        print!("{quality:<8}");
        ns.iter().for_each(|ns| print!(" {ns:>8.2}"));
        println!();
    }
}

/// Effects that eight voices are sent to, beside what these cost without.
fn effects() {
    const VOICES: usize = 8;
    let sample = [looped(mono(noise(FRAMES)), 1000, 11_000, LoopMode::Forward)];
    let gain = Decibels::new(-1.0).expect("finite");
    let strips = [(None, None), (Some(gain), None), (None, Some(gain)), (Some(gain), Some(gain))];
    let mut stages = strips.map(|(reverb, delay)| {
        let strip = ChannelStrip { gain, reverb, delay, ..ChannelStrip::default() };
        checked(|| Stage::sending(Quality::default().into(), &sample, strip, VOICES, -7..=7)).0
    });
    let rounds = stages.iter_mut().map(|stage| -> Thing<'_> {
        let blocks = 64;
        ((BLOCK * blocks) as f64, Box::new(move || (0..blocks).for_each(|_| stage.render())))
    });
    let ns = by_turns(&mut rounds.collect::<Vec<_>>(), ROUNDS);
    println!("\n{:<8} {:>8} {:>18}", "effects", "ns/frame", "of a frame's voice");
    if let [dry, sending @ ..] = &ns[..] {
        let voice = dry / VOICES as f64;
        println!("{:<8} {voice:>8.2} {:>18.1}", "voice", 1.0);
        for (name, ns) in ["reverb", "delay", "both"].into_iter().zip(sending) {
            println!("{name:<8} {:>8.2} {:>18.1}", ns - dry, (ns - dry) / voice);
        }
    }
}

/// In volume, pan and pitch, without end.
fn curved() -> TrackerArticulation {
    let curve = |from, to| Some(curve(&[(0, from), (9, to)], repeating(0, 9)));
    TrackerArticulation {
        volume: curve(64, 40),
        pan: curve(-20, 20),
        pitch: curve(0, 3),
        ..unmoved(FadeStart::AtEnvelopeEnd)
    }
}

/// In volume, pan and pitch, without end, through a filter that moves.
fn filtered() -> TrackerArticulation {
    let (cutoff, filter) = (curved().pan, LowPass { cutoff: 100.0, resonance: 40.0 });
    TrackerArticulation { cutoff, filter, ..curved() }
}
