//! How much noise each interpolation adds, measured as sines that were moved in pitch.

use engine::{Interpolation, Quality};
use fixtures::signal::{dithered, level, sine, snr};
use fixtures::songs::{mono, mono_float, of};
use song::Sample;

use super::rig::Rig;

const RATE: f64 = 48_000.0;
/// Long enough for the longest filter to have filled.
const BEGINNING: usize = 500;

/// Returns a dithered 16-bit sine at −6 dBFS.
fn sixteen_bits(frequency: f64) -> Sample {
    mono(dithered(sine(frequency / RATE, 0.5)).take(1 << 17))
}

/// Returns a sine as fine as floats are.
fn floats(frequency: f64) -> Sample {
    mono_float(sine(frequency / RATE, 0.5).take(1 << 17).map(|value| value as f32))
}

/// Returns a source some semitones higher.
fn moved(how: Interpolation, source: Sample, semitones: i32) -> Vec<f32> {
    let mut rig = Rig::interpolating(how, &of(vec![source]));
    rig.play(0, semitones);
    rig.left((1 << 16) + BEGINNING as u64).split_off(BEGINNING)
}

fn higher(frequency: f64, semitones: i32) -> f64 {
    frequency * (f64::from(semitones) / 12.0).exp2()
}

/// Floors at 1, 5 and 10 kHz, seven semitones down and up.
fn keeps(how: Interpolation, source: fn(f64) -> Sample, floors: [f64; 3]) {
    for (frequency, floor) in [1000.0, 5000.0, 10_000.0].into_iter().zip(floors) {
        for semitones in [-7, 7] {
            let heard = moved(how, source(frequency), semitones);
            let measured = snr(&heard, higher(frequency, semitones), RATE);
            println!("{how} {frequency} Hz {semitones:+}: {measured:.1} dB");
            assert!(measured >= floor, "{how} {frequency} Hz {semitones:+}: {measured:.1} dB < {floor}");
        }
    }
}

#[test]
fn every_quality_keeps_its_floor_of_noise() {
    keeps(Interpolation::Nearest, sixteen_bits, [28.0, 14.0, 8.0]);
    let floors = [
        (Quality::Draft, [63.0, 35.0, 22.0]),
        (Quality::Normal, [86.0, 48.0, 28.0]),
        (Quality::Good, [60.0, 53.0, 55.0]),
        (Quality::High, [79.0, 79.0, 79.0]),
        (Quality::Max, [87.0, 87.0, 87.0]),
    ];
    for (quality, floors) in floors {
        keeps(quality.into(), sixteen_bits, floors);
        keeps(quality.into(), floats, floors);
    }
    keeps(Quality::Max.into(), floats, [96.0, 96.0, 96.0]);
}

#[test]
fn a_sinc_is_as_loud_at_10_khz_as_at_1() {
    for quality in [Quality::Good, Quality::High, Quality::Max] {
        let loudness = |frequency| level(&moved(quality.into(), sixteen_bits(frequency), -7), RATE);
        let droop = loudness(1000.0) - loudness(10_000.0);
        println!("{quality}: {droop:.2} dB less at 10 kHz");
        assert!(droop.abs() <= 2.0, "{quality}: {droop:.2} dB");
    }
}

#[test]
fn what_is_pitched_beyond_hearing_does_not_fold_back() {
    for (quality, floor) in [(Quality::High, 60.0), (Quality::Max, 80.0)] {
        for source in [sixteen_bits, floats] {
            let loudness = |frequency| level(&moved(quality.into(), source(frequency), 11), RATE);
            let rejection = loudness(1000.0) - loudness(15_000.0);
            println!("{quality}: 15 kHz folds back {rejection:.1} dB below");
            assert!(rejection >= floor, "{quality}: {rejection:.1} dB");
        }
    }
}
