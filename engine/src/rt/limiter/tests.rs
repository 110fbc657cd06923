use std::f64::consts::PI;

use fixtures::signal::{Noise, sine};
use song::Hz;

use super::*;

/// Returns what comes out for a signal on the left, and a softer one on the right, in blocks of some lengths.
fn heard(signal: &[f32], cuts: &[usize]) -> [Vec<f32>; 2] {
    let mut limiter = Limiter::new(Hz::new(48_000).unwrap());
    let (mut left, mut right) = (signal.to_vec(), signal.iter().map(|value| value * 0.5).collect::<Vec<_>>());
    let mut done = 0;
    for cut in cuts.iter().cycle() {
        let end = (done + cut).min(signal.len());
        limiter.apply(&mut left[done..end], &mut right[done..end]);
        done = end;
        if done == signal.len() {
            break;
        }
    }
    [left, right]
}

fn loud(frequency: f64, amplitude: f64, frames: usize) -> Vec<f32> {
    sine(frequency, amplitude).take(frames).map(|value| value as f32).collect()
}

/// Returns the highest value of the sound that frames stand for, looked for sixteen times between each two, by a filter
/// of 128 taps: no part of the limiter.
fn true_peak(frames: &[f32]) -> f64 {
    let reach = 64_i32;
    let at = |frame: usize, part: i32| -> f64 {
        (1 - reach..=reach)
            .map(|tap| {
                let index = frame as i64 + i64::from(tap);
                let value = usize::try_from(index).ok().and_then(|index| frames.get(index)).copied();
                let away = f64::from(tap) - f64::from(part) / 16.0;
                let sinc = if away == 0.0 { 1.0 } else { (PI * away).sin() / (PI * away) };
                let hann = 0.5 + 0.5 * (PI * away / f64::from(reach)).cos();
                f64::from(value.unwrap_or_default()) * sinc * hann
            })
            .sum::<f64>()
    };
    let points = (0..frames.len()).flat_map(|frame| (0..16).map(move |part| (frame, part)));
    points.map(|(frame, part)| at(frame, part).abs()).fold(0.0, f64::max)
}

fn decibels(gain: f64) -> f64 {
    20.0 * gain.log10()
}

#[test]
fn what_stays_below_the_ceiling_comes_out_later_to_the_bit() {
    let mut noise = Noise::new(7);
    let soft: Vec<f32> = (0..3000).map(|_| (noise.flat() * 0.7) as f32).collect();
    let [left, right] = heard(&soft, &[256]);
    assert!(left[..DELAY].iter().all(|&value| value == 0.0));
    assert_eq!(left[DELAY..], soft[..3000 - DELAY]);
    assert!(right[DELAY..].iter().zip(&soft).all(|(heard, &value)| *heard == value * 0.5));
}

#[test]
fn no_true_peak_is_above_the_ceiling() {
    let mut noise = Noise::new(9);
    let storm: Vec<f32> = (0..2000).map(|_| (noise.flat() * 9.0) as f32).collect();
    let mut bursts = vec![0.0; 2000];
    (0..2000).step_by(171).for_each(|i| bursts[i] = if i % 2 == 0 { 30.0 } else { -3.0 });
    // A quarter of the rate, an eighth of a turn late, has its peaks halfway between frames: 3 dB above them.
    let between: Vec<f32> =
        (0..2000).map(|i| 1.2 * (PI * (f64::from(i) / 2.0 + 0.25)).sin() as f32).collect();
    // Just below half the rate, and so in noise, positions a quarter of a frame apart miss most.
    let signals = [
        (storm, -0.2),
        (bursts, -0.9),
        (between, -0.9),
        (loud(0.0021, 4.0, 2000), -0.9),
        (loud(0.31, 2.0, 2000), -0.8),
        (loud(0.47, 2.0, 2000), -0.2),
    ];
    for (number, (signal, most)) in signals.iter().enumerate() {
        assert!(decibels(true_peak(signal)) > 0.5, "{number} needs no limiter");
        let [left, _] = heard(signal, &[256]);
        let peak = decibels(true_peak(&left));
        assert!(peak <= *most, "{number}: {peak} dB");
        assert!(left.iter().all(|value| value.abs() <= CEILING * 1.000_001));
    }
}

#[test]
fn both_sides_get_the_same_gain() {
    let [left, right] = heard(&loud(0.01, 3.0, 4000), &[256]);
    assert!(left.iter().zip(&right).all(|(left, right)| (left * 0.5 - right).abs() < 1e-6));
}

#[test]
fn the_gain_falls_and_comes_back_without_a_step() {
    // A constant hides nothing: what comes out is the gain.
    let mut signal = vec![0.5; 60_000];
    signal[10_000..10_020].fill(4.0);
    let [left, _] = heard(&signal, &[256]);
    let before = &left[DELAY + 1..10_000 + DELAY - 8];
    let steps = before.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
    assert!(steps < 0.5 / WINDOW as f32, "{steps}");
    let after = &left[10_020 + DELAY + 8..];
    assert!(after.windows(2).all(|pair| pair[1] >= pair[0]), "it comes back steadily");
    assert!(after[0] < 0.15);
    let third = after[(RELEASE_SECONDS * 48_000.0) as usize];
    assert!((third - 0.5 * (1.0 - 0.777 * (-1.0_f32).exp())).abs() < 0.02, "{third}");
    assert_eq!(*after.last().unwrap(), 0.5, "all the way");
}

#[test]
fn cuts_change_no_bit() {
    let mut noise = Noise::new(11);
    let storm: Vec<f32> = (0..5000).map(|_| (noise.flat() * 5.0) as f32).collect();
    let whole = heard(&storm, &[256]);
    for cuts in [&[1][..], &[7, 64, 3], &[63], &[255, 2]] {
        assert_eq!(heard(&storm, cuts), whole, "{cuts:?}");
    }
}

#[test]
fn it_is_empty_once_the_last_frame_came_out() {
    let mut limiter = Limiter::new(Hz::new(48_000).unwrap());
    assert!(limiter.is_empty());
    let mut put = |values: &mut [f32]| {
        limiter.apply(values, &mut vec![0.0; values.len()]);
        limiter.is_empty()
    };
    assert!(!put(&mut [0.1, 0.0]));
    assert!(!put(&mut [0.0; DELAY - 2]));
    let mut last = [0.0];
    assert!(put(&mut last));
    assert!(!put(&mut [0.2; 3]));
}

#[test]
fn the_lowest_gain_is_reported_once() {
    let mut limiter = Limiter::new(Hz::new(48_000).unwrap());
    let mut left = loud(0.01, 2.0 * f64::from(CEILING), 256);
    limiter.apply(&mut left, &mut [0.0; 256]);
    let lowest = limiter.take_lowest();
    assert!((lowest - 0.5).abs() < 0.01, "{lowest}");
    (0..400).for_each(|_| limiter.apply(&mut [0.0; 256], &mut [0.0; 256]));
    limiter.take_lowest();
    assert_eq!(limiter.take_lowest(), 1.0);
}
