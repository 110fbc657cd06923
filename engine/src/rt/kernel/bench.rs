//! The kernels on their own: voices without envelopes, loops, commands or a pool, as the bound the engine is held to.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "no audio thread"
)]
#![allow(missing_docs, reason = "hidden: for the benchmarks alone")]

use std::hint::black_box;
use std::sync::Arc;

use song::{Hz, Song};

use super::{Gain, KernelKind, Kernels, SimdLevel};
use crate::bank::{Bank, GUARD};
use crate::config::Interpolation;
use crate::rt::bus::Bus;
use crate::rt::position::{Plane, PositionStep, Run};
use crate::rt::ramp::LinearRamp;

/// The first frame of a recording in its plane, as 32.32 fixed point.
const FIRST: u64 = (GUARD as u64) << 32;

/// So many voices of a song's first recording, which they read from its beginning again and again.
#[derive(Debug)]
pub struct Naked {
    kernels: Kernels,
    bank: Arc<Bank>,
    voices: Vec<(KernelKind, PositionStep, u64)>,
    bus: Box<Bus>,
    block: usize,
}

/// Returns the names of all forms of the kernels the processor has, the slowest first.
#[must_use]
pub fn forms() -> Vec<String> {
    SimdLevel::all().map(|level| level.name().to_owned()).collect()
}

impl Naked {
    /// With one voice for each ratio, and in one of the [`forms`].
    #[must_use]
    pub fn new(form: usize, how: Interpolation, song: &Song, ratios: &[f64], block: usize) -> Self {
        Kernels::prepare(how);
        let level = SimdLevel::all().nth(form).expect("one of those there are");
        let bank = Arc::new(Bank::prepare(song).expect("a short sample"));
        let length = u64::from(bank.tracks[0].length) << 32;
        let voice = |(number, &ratio): (usize, &f64)| {
            let step = PositionStep::new(ratio, Hz::new(1).expect("not 0"));
            assert!(step.get() * block as u64 <= length / 2, "the recording is long enough for two blocks");
            // Each stands somewhere else, and none on a frame.
            let position = (number as u64 * 0x0123_4567_89ab) % (length / 2);
            (KernelKind::of(how, step, false), step, FIRST + position)
        };
        Self {
            kernels: Kernels { level },
            bank,
            voices: ratios.iter().enumerate().map(voice).collect(),
            bus: Box::new(Bus::new()),
            block,
        }
    }

    /// Renders one block of all voices.
    pub fn render(&mut self) {
        let track = &self.bank.tracks[0];
        let end = FIRST + (u64::from(track.length) << 32);
        let frames = self.block;
        self.bus.clear(frames);
        let (left, right) = self.bus.part(0, frames);
        for (choice, step, at) in &mut self.voices {
            let run = Run { plane: Plane::Main, from: *at, frames };
            let gain = Gain { left: LinearRamp::level(0.01), right: LinearRamp::level(0.02) };
            self.kernels.mix(*choice, &track.planes, run, *step, gain, left, right);
            *at += step.get() * frames as u64;
            if *at + step.get() * frames as u64 >= end {
                *at = FIRST + (*at & 0xffff_ffff);
            }
        }
        black_box((left, right));
    }
}
