use super::*;
use crate::rt::kernel::Kernels;
use crate::rt::kernel::svf::{FilterLanes, LANES};

const RATE: f64 = 48_000.0;

/// Filters frames in their place, a row at a time.
fn run(filter: &mut VoiceFilter, frames: &mut [f32]) {
    const ROW: usize = 256;
    let mut lanes = FilterLanes::new();
    filter.enter([frames[0]; 2]);
    lanes.set_state(0, filter.sides[0]);
    let mut rest = frames;
    while !rest.is_empty() {
        lanes.set(0, &filter.ramp());
        let some = filter.advance(rest.len().min(ROW));
        let mut rows = [[0.0; ROW + LANES]; LANES];
        rows[0][..some].copy_from_slice(&rest[..some]);
        let sides = rows.each_mut().map(|row| &mut row[..]);
        Kernels::best().filter(filter.stages(), &mut lanes, sides, 0, some);
        let (now, then) = rest.split_at_mut(some);
        now.copy_from_slice(&rows[0][..some]);
        rest = then;
    }
    filter.sides[0] = lanes.state(0);
}

/// Returns the decibels by which a sine is changed, once it has swung in.
fn level(kind: FilterKind, cutoff: f64, q: f64, hz: f64) -> f64 {
    let sine = |frame: u32| (2.0 * PI * hz * f64::from(frame) / RATE).sin() as f32;
    let mut out: Vec<f32> = (0..96_000).map(sine).collect();
    let mut filter = VoiceFilter::default();
    filter.tune(kind, cutoff, q, (RATE, 64));
    run(&mut filter, &mut out);
    let power: f64 = out[48_000..].iter().map(|value| f64::from(*value).powi(2)).sum();
    10.0 * (2.0 * power / 48_000.0).log10()
}

/// Decibels of the analog filter whose corner the bilinear transform has moved to where it is heard.
fn analog(kind: FilterKind, cutoff: f64, q: f64, hz: f64) -> f64 {
    let w = (PI * hz / RATE).tan() / (PI * cutoff / RATE).tan();
    let two = |q: f64| 1.0 / ((1.0 - w * w).powi(2) + (w / q).powi(2)).sqrt();
    20.0 * match kind {
        FilterKind::LowPass1 => 1.0 / (1.0 + w * w).sqrt(),
        FilterKind::HighPass1 => w / (1.0 + w * w).sqrt(),
        FilterKind::LowPass2 => two(q),
        FilterKind::HighPass2 => w * w * two(q),
        FilterKind::BandPass2 => w / q * two(q),
        FilterKind::Notch2 => (1.0 - w * w).abs() * two(q),
        FilterKind::LowPass4 => two(q.sqrt()).powi(2),
        FilterKind::HighPass4 => (w * w * two(q.sqrt())).powi(2),
    }
    .log10()
}

#[test]
fn responses_are_those_of_the_analog_filters() {
    use FilterKind::{BandPass2, HighPass1, HighPass2, HighPass4, LowPass1, LowPass2, LowPass4, Notch2};
    for kind in [LowPass1, LowPass2, LowPass4, HighPass1, HighPass2, HighPass4, BandPass2, Notch2] {
        for (cutoff, q) in [(200.0, 0.707), (1000.0, 4.0), (8000.0, 1.0)] {
            for hz in [100.0, 500.0, 2000.0, 6000.0, 15_000.0] {
                let (found, wanted) = (level(kind, cutoff, q, hz), analog(kind, cutoff, q, hz));
                // Below that, what is left of a sine in 32-bit floats is rounding.
                if wanted > -90.0 {
                    assert!(
                        (found - wanted).abs() < 0.05,
                        "{kind:?} {cutoff} {q} {hz}: {found} for {wanted}"
                    );
                }
            }
        }
    }
}

/// Returns what a filter gives whose numbers are exact at each frame, which is `cents` later each time.
fn swept(kind: FilterKind, (cutoff, q): (f64, f64), cents: impl Fn(usize) -> f64, input: &[f32]) -> Vec<f64> {
    let stages = if kind == FilterKind::LowPass4 { 2 } else { 1 };
    let k = if stages == 2 { q.sqrt().recip() } else { q.recip() };
    let mut state = [[0.0; 2]; 2];
    let frames = input.iter().enumerate().map(|(frame, value)| {
        let g = (PI * cutoff * (cents(frame) / 1200.0).exp2() / RATE).tan();
        let mut value = f64::from(*value);
        for [band, low] in state.iter_mut().take(stages) {
            let input = if kind == FilterKind::BandPass2 { k * value } else { value };
            let own_band = (*band + g * (input - *low)) / (1.0 + g * (g + k));
            let own_low = *low + g * own_band;
            (*band, *low) = (2.0 * own_band - *band, 2.0 * own_low - *low);
            value = if kind == FilterKind::BandPass2 { own_band } else { own_low };
        }
        value
    });
    frames.collect()
}

#[test]
fn on_its_way_between_tunings_that_are_near_enough_it_filters_as_it_should() {
    const SEGMENT: usize = 256;
    for kind in [FilterKind::LowPass2, FilterKind::LowPass4, FilterKind::BandPass2] {
        for (cutoff, q) in
            [(200.0, 0.7), (2000.0, 1.4), (2000.0, 4.0), (500.0, 30.0), (8000.0, 1.4), (16_000.0, 0.7)]
        {
            let mut filter = VoiceFilter::default();
            filter.tune(kind, cutoff, q, (RATE, 64));
            let most = f64::from(filter.blend_cents());
            // Up and down again, by as much with each segment as may be.
            let cents = |frame: usize| {
                let segment = frame as f64 / SEGMENT as f64 % 4.0;
                most * (2.0 - (segment - 2.0).abs() - 1.0)
            };
            for hz in [0.5, 0.9, 1.0, 1.2].map(|part: f64| part * cutoff) {
                let sine = |frame: u32| (2.0 * PI * hz * f64::from(frame) / RATE).sin() as f32;
                let input: Vec<f32> = (0..24_576).map(sine).collect();
                let mut filter = VoiceFilter::default();
                filter.tune(kind, cutoff * (cents(0) / 1200.0).exp2(), q, (RATE, 64));
                let mut found = input.clone();
                for (number, frames) in found.chunks_mut(SEGMENT).enumerate() {
                    let to = cutoff * (cents((number + 1) * SEGMENT) / 1200.0).exp2();
                    let half_way = cutoff * (cents(number * SEGMENT + SEGMENT / 2) / 1200.0).exp2();
                    filter.tune_by(kind, [half_way, to], q, (RATE, SEGMENT));
                    run(&mut filter, frames);
                }
                let wanted = swept(kind, (cutoff, q), cents, &input);
                let pairs = found.iter().zip(&wanted).skip(12_288);
                let (off, whole) = pairs.fold((0.0, 0.0), |(off, whole), (found, wanted)| {
                    (off + (f64::from(*found) - wanted).powi(2), whole + wanted.powi(2))
                });
                let off = 10.0 * (off / whole).log10();
                assert!(off < -60.0, "{kind:?} {cutoff} {q} {hz}: {off} dB");
            }
        }
    }
}

#[test]
fn the_tangent_is_one() {
    for angle in (1..490).map(|part| PI * f64::from(part) / 1000.0) {
        assert!((tangent(angle) / angle.tan() - 1.0).abs() < 1e-7, "{angle}");
    }
}

#[test]
fn frames_are_the_same_however_they_are_cut() {
    let noise = |frame: u32| ((frame * 7919) % 1013) as f32 / 1013.0 - 0.5;
    let whole: Vec<f32> = (0..1400).map(noise).collect();
    // Tuned to another cutoff after 75 frames: far away, in steps with every chunk, and near, in steps of 16 chunks.
    let filtered = |(cutoff, q, frames): (f64, f64, usize), cuts: &[usize]| {
        let (mut filter, mut out) = (VoiceFilter::default(), whole.clone());
        let mut rest = &mut out[..];
        for (number, cut) in cuts.iter().chain([&1400]).enumerate() {
            if number == cuts.len() / 2 {
                // Cut for another tuning, which is the same frame in both.
                filter.tune(FilterKind::LowPass4, cutoff, q, (RATE, frames));
            } else if number == 0 {
                filter.tune(FilterKind::LowPass4, 1000.0, 2.0, (RATE, 64));
            }
            let (now, then) = rest.split_at_mut((*cut).min(rest.len()));
            run(&mut filter, now);
            rest = then;
        }
        out
    };
    for to in [(3000.0, 4.0, 64), (1004.0, 2.0, 1024)] {
        assert_eq!(filtered(to, &[75, 100]), filtered(to, &[1, 3, 8, 63, 5, 9, 2, 31]), "{to:?}");
        assert_eq!(filtered(to, &[75, 100]), filtered(to, &[40, 35, 290, 333]), "{to:?}");
    }
}

#[test]
fn a_filter_that_is_tuned_again_on_its_way_does_not_jump() {
    let heard = |again: Option<f64>| {
        let mut filter = VoiceFilter::default();
        filter.tune(FilterKind::LowPass2, 200.0, 0.7, (RATE, 64));
        let mut out: Vec<f32> = (0..336).map(|frame| (0.05 * frame as f32).sin()).collect();
        let (before, rest) = out.split_at_mut(64);
        run(&mut filter, before);
        filter.tune(FilterKind::LowPass2, 8000.0, 0.7, (RATE, 256));
        let (begun, rest) = rest.split_at_mut(16);
        run(&mut filter, begun);
        if let Some(cutoff) = again {
            filter.tune(FilterKind::LowPass2, cutoff, 0.7, (RATE, 256));
        }
        run(&mut filter, rest);
        out
    };
    let (once, again) = (heard(None), heard(Some(8001.0)));
    // It has as long a way again, so it lags, by less with each chunk.
    for (frame, (once, again)) in once.iter().zip(&again).enumerate() {
        assert!((once - again).abs() < 0.1, "frame {frame}: {again} for {once}");
    }
}

#[test]
fn it_dies_away_and_is_never_louder_than_it_may_be() {
    for kind in [FilterKind::LowPass2, FilterKind::LowPass4, FilterKind::HighPass4, FilterKind::BandPass2] {
        for cutoff in [1.0, 100.0, 5000.0, 1e6] {
            for q in [0.0, 1.0, 1e9] {
                let mut filter = VoiceFilter::default();
                filter.tune(kind, cutoff, q, (RATE, 64));
                let mut click = vec![0.0; 200_000];
                click[0] = 1.0;
                run(&mut filter, &mut click);
                let most: f64 = click.iter().map(|value| f64::from(value.abs())).sum();
                assert!(most <= MAX_RAISE, "{most}: {kind:?} {cutoff} {q}");
            }
        }
    }
}
