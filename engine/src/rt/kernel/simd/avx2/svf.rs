//! A frame of eight filters at a time: see [`FilterLanes`].

use std::arch::x86_64::*;

use super::load;
use crate::rt::kernel::svf::{Coefficients, FilterLanes, LANES, NUMBERS, are_zero};

const _: () = assert!(LANES == super::LANES);

/// Numbers of all lanes.
type Numbers = [__m256; NUMBERS];

/// Filters so many frames of each row in their place, from one on. Reads and rewrites whole vectors of frames.
#[target_feature(enable = "avx2,fma")]
pub(in super::super) fn run(
    stages: usize,
    lanes: &mut FilterLanes,
    rows: [&mut [f32]; LANES],
    from: usize,
    frames: usize,
) {
    match (stages, lanes.are_level(), are_low_passes(lanes)) {
        (1, true, true) => run_along::<1, false, true>(lanes, rows, from, frames),
        (1, true, false) => run_along::<1, false, false>(lanes, rows, from, frames),
        (1, false, true) => run_along::<1, true, true>(lanes, rows, from, frames),
        (1, false, false) => run_along::<1, true, false>(lanes, rows, from, frames),
        (_, true, true) => run_along::<2, false, true>(lanes, rows, from, frames),
        (_, true, false) => run_along::<2, false, false>(lanes, rows, from, frames),
        (_, false, true) => run_along::<2, true, true>(lanes, rows, from, frames),
        (_, false, false) => run_along::<2, true, false>(lanes, rows, from, frames),
    }
}

/// Returns whether all of them are low-passes and stay so, as resonant as they are.
fn are_low_passes(lanes: &FilterLanes) -> bool {
    let [k_steps, _, _, steps @ ..] = &lanes.step;
    let [k_bends, _, _, bends @ ..] = &lanes.bend;
    let [_, _, _, input, direct, band, low] = &lanes.from;
    let [wanted_direct, wanted_band, wanted_low] = Coefficients::LOW_PASS;
    let wanted = [(input, 1.0), (direct, wanted_direct), (band, wanted_band), (low, wanted_low)];
    wanted.into_iter().all(|(numbers, wanted)| numbers.iter().all(|number| *number == wanted))
        && [k_steps, k_bends].into_iter().chain(steps).chain(bends).all(|numbers| are_zero(numbers))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn run_along<const STAGES: usize, const MOVING: bool, const LOW: bool>(
    lanes: &mut FilterLanes,
    rows: [&mut [f32]; LANES],
    from: usize,
    frames: usize,
) {
    let still = lanes.from.each_ref().map(|number| load(number));
    let mut at = load(&lanes.at);
    let mut stages = lanes.stages.each_ref().map(|stage| stage.each_ref().map(|held| load(held)));
    let (mut rows, end) = (rows, from + frames);
    let mut first = from;
    while first < end {
        let mut block = [_mm256_setzero_ps(); LANES];
        for (to, row) in block.iter_mut().zip(&rows) {
            let Some(frames) = row.get(first..).and_then(<[f32]>::first_chunk) else { return };
            *to = load(frames);
        }
        let mut block = transposed(block);
        let filter = |values: &mut __m256| {
            let numbers = if MOVING { along::<LOW>(lanes, at) } else { still };
            for stage in stages.iter_mut().take(STAGES) {
                *values = filtered::<LOW>(&numbers, stage, *values);
            }
            at = _mm256_add_ps(at, _mm256_set1_ps(1.0));
        };
        // Whole vectors are a body of their own, which has no branches.
        match end - first {
            some @ 0..LANES => block.iter_mut().take(some).for_each(filter),
            _ => block.iter_mut().for_each(filter),
        }
        for (from, row) in transposed(block).into_iter().zip(&mut rows) {
            let Some(frames) = row.get_mut(first..).and_then(<[f32]>::first_chunk_mut) else { return };
            store(from, frames);
        }
        first += LANES;
    }
    store(at, &mut lanes.at);
    for (to, from) in lanes.stages.as_flattened_mut().iter_mut().zip(stages.as_flattened()) {
        store(*from, to);
    }
}

/// Returns the numbers at a frame; of low-passes only those that are heard.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn along<const LOW: bool>(lanes: &FilterLanes, at: __m256) -> Numbers {
    let number =
        |from, step, bend| _mm256_fmadd_ps(_mm256_fmadd_ps(load(bend), at, load(step)), at, load(from));
    let [k, b, c, input, direct, band, low] = &lanes.from;
    let [k_step, b_step, c_step, input_step, direct_step, band_step, low_step] = &lanes.step;
    let [k_bend, b_bend, c_bend, input_bend, direct_bend, band_bend, low_bend] = &lanes.bend;
    let (b, c) = (number(b, b_step, b_bend), number(c, c_step, c_bend));
    if LOW {
        let unheard = _mm256_setzero_ps();
        return [load(k), b, c, unheard, unheard, unheard, unheard];
    }
    [
        number(k, k_step, k_bend),
        b,
        c,
        number(input, input_step, input_bend),
        number(direct, direct_step, direct_bend),
        number(band, band_step, band_bend),
        number(low, low_step, low_bend),
    ]
}

/// Returns what a stage gives for a value of each lane.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn filtered<const LOW: bool>(numbers: &Numbers, [band, low]: &mut [__m256; 2], x: __m256) -> __m256 {
    let [k, b, c, input, direct, of_band, of_low] = *numbers;
    let around = if LOW { _mm256_sub_ps(x, *low) } else { _mm256_fmsub_ps(input, x, *low) };
    let loss = _mm256_fmadd_ps(k, b, c);
    let next_band = _mm256_fmadd_ps(b, around, _mm256_fnmadd_ps(loss, *band, *band));
    let next_low = _mm256_fmadd_ps(c, around, _mm256_fmadd_ps(b, *band, *low));
    let (band_twice, low_twice) = (_mm256_add_ps(*band, next_band), _mm256_add_ps(*low, next_low));
    (*band, *low) = (next_band, next_low);
    if LOW {
        return _mm256_mul_ps(_mm256_set1_ps(0.5), low_twice);
    }
    let straight = _mm256_fmadd_ps(of_band, band_twice, _mm256_mul_ps(direct, x));
    _mm256_fmadd_ps(of_low, low_twice, straight)
}

/// Returns the columns of eight rows.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn transposed([a, b, c, d, e, f, g, h]: [__m256; LANES]) -> [__m256; LANES] {
    let pairs = |one, other| (_mm256_unpacklo_ps(one, other), _mm256_unpackhi_ps(one, other));
    let ((ab0, ab2), (cd0, cd2), (ef0, ef2), (gh0, gh2)) =
        (pairs(a, b), pairs(c, d), pairs(e, f), pairs(g, h));
    let fours = |one, other| {
        (_mm256_shuffle_ps::<0b01_00_01_00>(one, other), _mm256_shuffle_ps::<0b11_10_11_10>(one, other))
    };
    let ((low0, low1), (low2, low3)) = (fours(ab0, cd0), fours(ab2, cd2));
    let ((high0, high1), (high2, high3)) = (fours(ef0, gh0), fours(ef2, gh2));
    let first = |one, other| _mm256_permute2f128_ps::<0x20>(one, other);
    let second = |one, other| _mm256_permute2f128_ps::<0x31>(one, other);
    [
        first(low0, high0),
        first(low1, high1),
        first(low2, high2),
        first(low3, high3),
        second(low0, high0),
        second(low1, high1),
        second(low2, high2),
        second(low3, high3),
    ]
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn store(vector: __m256, to: &mut [f32; LANES]) {
    // SAFETY: an array of eight floats is as long as a vector, and the store does not ask for alignment.
    unsafe { _mm256_storeu_ps(to.as_mut_ptr(), vector) };
}
