//! No storm of notes clicks: recordings that begin, go on and end without a bend, wherever they are by then, are played
//! by somebody without mercy, and what is heard bends no sharper than ramps of 5 ms may.
//!
//! ```text
//! recording  ╭─╮ ╭─╮ ╭─╮        a raised cosine from 0 to 0 or to its top, and no slope at either end or at the loop's
//!            ─╯ ╰─╯ ╰─╯ ╰─       seam
//! heard       sum of voices × ramps      bends where a ramp begins or ends: by its slope, and that is known
//! ```

use std::f64::consts::TAU;
use std::sync::Arc;
use std::time::Duration;

use engine::{Bank, Config, Controller, Interpolation, Note, NoteId, Processor, Quality};
use fixtures::signal::{Noise, sharpest_bend};
use fixtures::songs::{hz, looped, mono, mono_float, stereo_float, with_envelope};
use proptest::prelude::*;
use song::{Decibels, Envelope, Frames, InstrumentIndex, Key, LoopMode, Sample, Song, Velocity};

const POLYPHONY: usize = 6;

/// A voice's level, with which all of them stay far below full scale.
const LEVEL: f64 = 0.05;

/// Frames of one period: 100 Hz at 48 kHz.
const PERIOD: usize = 480;

/// The most a note is pitched up.
const HIGHEST: f64 = 1.5;

/// 5 ms at 48 kHz.
const FADE: f64 = 240.0;

/// Returns the sharpest bend that is no click, for as many voices as there are slots.
///
/// Each of them may begin or end a ramp at the same frame, which bends it by a ramp's slope, and be bent by the master
/// gain turning round, which bends it by twice that. A cosine bends by its frequency's square, and where it meets a
/// slope by their product; recordings of 16 bits by their steps.
fn bound() -> f32 {
    let slope = 1.0 / FADE;
    let frequency = TAU * HIGHEST / PERIOD as f64;
    let ramps = slope + 2.0 * slope;
    let curve = frequency * frequency / 2.0 + 2.0 * (2.0 * slope) * (frequency / 2.0);
    let steps = 4.0 / 32_768.0;
    (2.0 * POLYPHONY as f64 * LEVEL * (ramps + curve + steps)) as f32
}

fn raised_cosine(periods: usize) -> Vec<f32> {
    cosine(periods * PERIOD)
}

/// Creates a tone of half a period more: it ends at its top, as loud as it ever was.
fn ending_at_the_top(periods: usize) -> Vec<f32> {
    cosine(periods * PERIOD + PERIOD / 2 + 1)
}

fn cosine(frames: usize) -> Vec<f32> {
    let value = |frame: usize| 0.5 - 0.5 * (TAU * frame as f64 / PERIOD as f64).cos();
    (0..frames).map(|frame| (LEVEL * value(frame)) as f32).collect()
}

fn shorts(values: &[f32]) -> Vec<i16> {
    values.iter().map(|value| (value * 32_768.0).round() as i16).collect()
}

/// Returns samples that loop forwards, there and back, in stereo, and that end in silence and at full level; the last
/// one clicks.
fn song(envelope: Envelope) -> Song {
    let (short, long) = (raised_cosine(1), raised_cosine(7));
    let end = |values: &[f32]| values.len() as u64;
    let samples: Vec<Sample> = vec![
        looped(mono(shorts(&long)), PERIOD as u64, end(&long), LoopMode::Forward),
        looped(mono_float(short.clone()), 0, end(&short), LoopMode::Forward),
        looped(mono(shorts(&long)), 0, end(&long), LoopMode::PingPong),
        stereo_float(long.clone(), long.clone()),
        mono_float(ending_at_the_top(2)),
        mono(shorts(&ending_at_the_top(0))),
        mono_float([[LEVEL as f32; 1000], [0.0; 1000]].concat()),
    ];
    with_envelope(samples, envelope)
}

/// How many of them are smooth.
const SMOOTH: usize = 6;

struct Storm {
    noise: Noise,
    controller: Controller,
    processor: Processor,
    notes: Vec<NoteId>,
    heard: [Vec<f32>; 2],
}

impl Storm {
    fn new(seed: u64, interpolation: Interpolation) -> Self {
        let config = Config { polyphony: POLYPHONY, interpolation, ..Config::default() };
        let (controller, mut processor) = engine::split(config).unwrap();
        processor.set_rate(hz(48_000));
        let heard = [Vec::new(), Vec::new()];
        let mut storm = Self { noise: Noise::new(seed), controller, processor, notes: Vec::new(), heard };
        storm.load();
        storm
    }

    /// An attack is no attack, or as long as a fade at least.
    fn load(&mut self) {
        let millis = |noise: &mut Noise| Duration::from_millis([0, 5, 20][noise.below(3)]);
        let envelope = Envelope { attack: millis(&mut self.noise), release: millis(&mut self.noise) };
        self.controller.load(Arc::new(Bank::prepare(&song(envelope)).unwrap()));
    }

    /// Now, or within the next frames.
    fn soon(&mut self) -> Option<Frames> {
        let now = self.controller.now().get();
        [None, Some(Frames::new(now + self.noise.below(400) as u64))][self.noise.below(2)]
    }

    fn note(&mut self, instrument: usize) -> Note {
        let key = Key::C4.shifted(self.noise.below(20) as i32 - 12).unwrap();
        let velocity = Velocity::new(60 + self.noise.below(68) as u8).unwrap();
        let quality = [None, Some(Quality::ALL[self.noise.below(5)])][self.noise.below(2)];
        Note { quality, at: self.soon(), ..Note::new(InstrumentIndex::new(instrument), key, velocity) }
    }

    fn action(&mut self) {
        let at = self.soon();
        match self.noise.below(40) {
            0 => self.controller.all_sound_off(),
            1 => self.controller.all_notes_off(at).unwrap(),
            2 | 3 => self.load(),
            4..8 => {
                let gain = [0.0, -6.0, -300.0][self.noise.below(3)];
                self.controller.set_gain(Decibels::new(gain).unwrap(), at).unwrap();
            }
            8..20 if !self.notes.is_empty() => {
                let which = self.noise.below(self.notes.len());
                let note = self.notes.swap_remove(which);
                self.controller.note_off(note, at).unwrap();
            }
            // Now and then more than there are voices.
            number => {
                for _ in 0..if number == 39 { 2 * POLYPHONY } else { 1 } {
                    let instrument = self.noise.below(SMOOTH);
                    let note = self.note(instrument);
                    self.notes.push(self.controller.note_on(note).unwrap());
                }
            }
        }
    }

    fn render(&mut self, frames: usize) {
        let sides = engine::offline::render_planar(&mut self.processor, Frames::new(frames as u64));
        for (heard, side) in self.heard.iter_mut().zip(sides) {
            heard.extend(side);
        }
    }

    /// Every smooth recording at once, so that each storm has something to bend: what chance strikes may all be at -300
    /// dB.
    fn chord(&mut self) {
        for instrument in 0..SMOOTH {
            let note = Note::new(InstrumentIndex::new(instrument), Key::C4, Velocity::HIGHEST);
            self.notes.push(self.controller.note_on(note).unwrap());
        }
        self.render(2 * PERIOD);
    }

    fn rage(&mut self) {
        self.chord();
        for _ in 0..150 {
            self.action();
            let frames = 1 + self.noise.below(300);
            self.render(frames);
        }
        while self.controller.poll().is_some() {}
    }

    /// Returns both sides, with silence before the first frame.
    fn sharpest_bend(&self) -> f32 {
        let with_silence = |side: &Vec<f32>| [&[0.0; 2][..], side].concat();
        self.heard.iter().map(|side| sharpest_bend(&with_silence(side))).fold(0.0, f32::max)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn no_storm_of_smooth_recordings_clicks(
        seed in any::<u64>(),
        interpolation in prop::sample::select(&Interpolation::ALL[1..]),
    ) {
        let mut storm = Storm::new(seed, interpolation);
        storm.rage();
        let (bend, bound) = (storm.sharpest_bend(), bound());
        prop_assert!(bend <= bound, "bends by {}, {} at most", bend, bound);
        let loudest = storm.heard.iter().flatten().fold(0.0, |loudest: f32, value| loudest.max(value.abs()));
        prop_assert!(f64::from(loudest) > LEVEL, "nothing happened");
    }
}

#[test]
fn one_voice_that_clicks_in_a_storm_is_found() {
    for seed in 0..10 {
        let mut storm = Storm::new(seed, Interpolation::Cubic);
        storm.rage();
        // As loud as the others once its attack is over, and then silent from one frame to the next.
        storm.controller.set_gain(Decibels::UNITY, None).unwrap();
        storm.render(300);
        storm
            .controller
            .note_on(Note::new(InstrumentIndex::new(SMOOTH), Key::C4, Velocity::HIGHEST))
            .unwrap();
        storm.render(1500);
        let (bend, bound) = (storm.sharpest_bend(), bound());
        assert!(bend > 3.0 * bound, "a click of {bend} where {bound} is allowed");
    }
}
