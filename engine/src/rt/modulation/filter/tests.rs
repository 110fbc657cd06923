use super::*;

const RATE: f64 = 48_000.0;

/// Returns the decibels by which a sine is changed, once it has swung in.
fn level(kind: FilterKind, cutoff: f64, q: f64, hz: f64) -> f64 {
    let sine = |frame: u32| (2.0 * PI * hz * f64::from(frame) / RATE).sin() as f32;
    let mut out: Vec<f32> = (0..96_000).map(sine).collect();
    let mut filter = VoiceFilter::default();
    filter.tune(kind, cutoff, q, (RATE, 64));
    filter.run(Kernels::best(), &mut out, &mut [], true);
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

/// Returns the decibels by which half-way between two tunings a sine is louder than in a filter of the mean cutoff,
/// and those of what is no sine.
fn between(kind: FilterKind, (cutoff, q): (f64, f64), cents: f64, hz: f64) -> (f64, f64) {
    let heard = |tunings: [f64; 2]| {
        let mut filter = VoiceFilter::default();
        let [from, to] = tunings.map(|cents| cutoff * (cents / 1200.0).exp2());
        filter.tune(kind, to, q, (RATE, 64));
        let to = filter.poles;
        filter.tune(kind, from, q, (RATE, 8));
        let mut from = filter.poles;
        let step = from.step_to(&to, 2);
        from.add(&step);
        let mut filter = VoiceFilter::default();
        filter.tune(kind, cutoff, q, (RATE, 64));
        filter.poles = from;
        let sine = |frame: u32| (2.0 * PI * hz * f64::from(frame) / RATE).sin() as f32;
        let mut out: Vec<f32> = (0..24_000).map(sine).collect();
        filter.run(Kernels::best(), &mut out, &mut [], true);
        out.split_off(14_400)
    };
    // Cycles are whole in what is left.
    let wave = |frame: usize, of: fn(f64) -> f64| of(2.0 * PI * hz * (frame as f64 + 14_400.0) / RATE);
    let part = |out: &[f32], of: fn(f64) -> f64| {
        let sum: f64 = out.iter().enumerate().map(|(frame, value)| f64::from(*value) * wave(frame, of)).sum();
        2.0 * sum / out.len() as f64
    };
    let amplitude = |out: &[f32]| part(out, f64::sin).hypot(part(out, f64::cos));
    let (found, wanted) = (heard([-0.5 * cents, 0.5 * cents]), heard([0.0, 0.0]));
    let (sine, cosine) = (part(&found, f64::sin), part(&found, f64::cos));
    let rest = found.iter().enumerate().map(|(frame, value)| {
        f64::from(*value) - sine * wave(frame, f64::sin) - cosine * wave(frame, f64::cos)
    });
    let power: f64 = rest.map(|value| 2.0 * value.powi(2)).sum::<f64>() / found.len() as f64;
    (20.0 * (amplitude(&found) / amplitude(&wanted)).log10(), 10.0 * power.log10())
}

#[test]
fn between_two_tunings_that_are_near_enough_it_filters_as_between_them() {
    for kind in [FilterKind::LowPass2, FilterKind::LowPass4, FilterKind::BandPass2] {
        for (cutoff, q) in [(200.0, 0.7), (2000.0, 1.4), (2000.0, 4.0), (8000.0, 1.4), (16_000.0, 0.7)] {
            let mut filter = VoiceFilter::default();
            filter.tune(kind, cutoff, q, (RATE, 64));
            let cents = f64::from(filter.blend_cents());
            for hz in [0.5, 0.9, 1.0, 1.2].map(|part: f64| (part * cutoff / 50.0).round() * 50.0) {
                let (louder, noise) = between(kind, (cutoff, q), cents, hz);
                assert!(louder.abs() < 0.05, "{kind:?} {cutoff} {q} {hz}: {louder} dB");
                assert!(noise < -60.0, "{kind:?} {cutoff} {q} {hz}: {noise} dB beside it");
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
            filter.run(Kernels::best(), now, &mut [], true);
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
        filter.run(Kernels::best(), before, &mut [], true);
        filter.tune(FilterKind::LowPass2, 8000.0, 0.7, (RATE, 256));
        let (begun, rest) = rest.split_at_mut(16);
        filter.run(Kernels::best(), begun, &mut [], true);
        if let Some(cutoff) = again {
            filter.tune(FilterKind::LowPass2, cutoff, 0.7, (RATE, 256));
        }
        filter.run(Kernels::best(), rest, &mut [], true);
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
                filter.run(Kernels::best(), &mut click, &mut [], true);
                let most: f64 = click.iter().map(|value| f64::from(value.abs())).sum();
                assert!(most <= MAX_RAISE, "{most}: {kind:?} {cutoff} {q}");
            }
        }
    }
}
