//! A frame of four filters at a time: see [`FilterLanes`].

use std::ops::Range;

use super::LANES;
use super::vector::{F32x4, add, load, mul, mul_add, mul_sub, splat, store, sub, transposed};
use crate::rt::kernel::svf::{self, FilterLanes, NUMBERS};

/// Numbers of four lanes.
type Numbers = [F32x4; NUMBERS];

/// Filters so many frames of each row in their place, from one on. Reads and rewrites whole vectors of frames.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(in super::super) fn run(
    stages: usize,
    lanes: &mut FilterLanes,
    rows: [&mut [f32]; svf::LANES],
    from: usize,
    frames: usize,
) {
    let mut rows = rows;
    let (halves, _) = rows.as_chunks_mut::<LANES>();
    for (half, rows) in halves.iter_mut().enumerate() {
        // Of idle lanes nothing is heard.
        if !is_idle(lanes, half) {
            run_half(stages, lanes, half, rows, from..from + frames);
        }
    }
    lanes.at.iter_mut().for_each(|at| *at += frames as f32);
}

fn is_idle(lanes: &FilterLanes, half: usize) -> bool {
    [&lanes.from, &lanes.step, &lanes.bend].into_iter().all(|numbers| {
        let [_, b, c, ..] = numbers;
        part(b, half) == &[0.0; LANES] && part(c, half) == &[0.0; LANES]
    })
}

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn run_half(
    count: usize,
    lanes: &mut FilterLanes,
    half: usize,
    rows: &mut [&mut [f32]; LANES],
    frames: Range<usize>,
) {
    let (is_moving, still) = (!lanes.are_level(), of(&lanes.from, half));
    let (steps, bends, mut at) = (of(&lanes.step, half), of(&lanes.bend, half), load(part(&lanes.at, half)));
    let mut stages = lanes.stages.each_ref().map(|stage| of(stage, half));
    let mut numbers = still;
    for first in frames.clone().step_by(LANES) {
        let mut block = [splat(0.0); LANES];
        for (to, row) in block.iter_mut().zip(&*rows) {
            let Some(frames) = row.get(first..).and_then(<[f32]>::first_chunk) else { return };
            *to = load(frames);
        }
        let mut block = transposed(block);
        for values in block.iter_mut().take(frames.end - first) {
            if is_moving {
                let ramps = numbers.iter_mut().zip(&still).zip(steps.iter().zip(&bends));
                for ((number, from), (step, bend)) in ramps {
                    *number = mul_add(*from, at, mul_add(*step, *bend, at));
                }
                at = add(at, splat(1.0));
            }
            for stage in stages.iter_mut().take(count) {
                *values = filtered(&numbers, stage, *values);
            }
        }
        for (from, row) in transposed(block).into_iter().zip(&mut *rows) {
            let Some(frames) = row.get_mut(first..).and_then(<[f32]>::first_chunk_mut) else { return };
            store(frames, from);
        }
    }
    for (all, held) in lanes.stages.as_flattened_mut().iter_mut().zip(stages.as_flattened()) {
        let (halves, _) = all.as_chunks_mut::<LANES>();
        if let Some(to) = halves.get_mut(half) {
            store(to, *held);
        }
    }
}

/// Returns what a stage gives for a value of each lane.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn filtered(numbers: &Numbers, [band, low]: &mut [F32x4; 2], x: F32x4) -> F32x4 {
    let [k, b, c, input, direct, of_band, of_low] = *numbers;
    let around = sub(mul(input, x), *low);
    let next_band = mul_add(mul_sub(*band, mul_add(c, k, b), *band), b, around);
    let next_low = mul_add(mul_add(*low, b, *band), c, around);
    let (band_twice, low_twice) = (add(*band, next_band), add(*low, next_low));
    (*band, *low) = (next_band, next_low);
    mul_add(mul_add(mul(direct, x), of_band, band_twice), of_low, low_twice)
}

/// Returns a half of the lanes of all numbers.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn of<const N: usize>(numbers: &[[f32; svf::LANES]; N], half: usize) -> [F32x4; N] {
    numbers.each_ref().map(|all| load(part(all, half)))
}

/// Returns a half of the lanes of a number.
#[inline]
fn part(all: &[f32; svf::LANES], half: usize) -> &[f32; LANES] {
    let (halves, _) = all.as_chunks::<LANES>();
    halves.get(half).unwrap_or(&[0.0; LANES])
}
