//! What is recorded is what is heard.

use std::io::Cursor;

use engine::{Bank, Interpolation, Quality};
use exporter::wav::{Depth, WavWriter};
use fixtures::signal::{Noise, dithered, sine, snr};
use fixtures::songs::{at_rate, hz, looped, mono, mono_float, of, stereo, stereo_float};
use song::{Decibels, Frames, LoopMode, Sample};

use super::rig::Rig;

const RATE: f64 = 48_000.0;

/// 5 ms of it.
const FADE: usize = 240;

fn noise(length: usize, seed: u64) -> Vec<i16> {
    let mut noise = Noise::new(seed);
    (0..length).map(|_| noise.bits() as i16).collect()
}

fn full_scale(values: &[i16]) -> Vec<f32> {
    values.iter().map(|&value| f32::from(value) / 32_768.0).collect()
}

#[test]
fn at_its_own_rate_a_recording_is_rendered_bit_by_bit() {
    let (left, right) = (noise(5000, 1), noise(5000, 2));
    let fine: Vec<f32> = noise(5000, 3).iter().map(|&value| f32::from(value) / 8_388_608.0).collect();
    for how in Interpolation::ALL {
        let samples = vec![
            mono(left.clone()),
            stereo(left.clone(), right.clone()),
            mono_float(fine.clone()),
            stereo_float(fine.clone(), full_scale(&left)),
        ];
        let mut rig = Rig::interpolating(how, &of(samples));
        let mut heard = |index| {
            rig.play(index, 0);
            let heard = rig.render(5000);
            let [left, _] = rig.render(FADE as u64 + 100);
            assert_eq!(left[0], heard[0][4999], "the last value is held, and fades");
            assert_eq!(left[FADE..], [0.0; 100], "nothing follows");
            heard
        };
        assert_eq!(heard(0), [full_scale(&left), full_scale(&left)], "{how}");
        assert_eq!(heard(1), [full_scale(&left), full_scale(&right)], "{how}");
        assert_eq!(heard(2), [fine.clone(), fine.clone()], "{how}");
        assert_eq!(heard(3), [fine.clone(), full_scale(&left)], "{how}");
    }
}

#[test]
fn a_rendered_wav_file_holds_the_recording() {
    let values: Vec<i16> = [i16::MIN, i16::MAX, 0, 1, -1].into_iter().chain(noise(3000, 4)).collect();
    let mut rig = Rig::new(&of(vec![mono(values.clone())]));
    rig.play(0, 0);
    let frames = Frames::of(&values);
    let mut file = Cursor::new(Vec::new());
    let mut writer = WavWriter::new(&mut file, hz(48_000), Depth::Sixteen, frames).unwrap();
    engine::offline::render_into(&mut rig.processor, frames, |block| writer.write(block)).unwrap();
    assert_eq!(writer.finish().unwrap().clipped, 0);
    file.set_position(0);
    let read: Vec<i16> =
        hound::WavReader::new(file).unwrap().into_samples().step_by(2).map(Result::unwrap).collect();
    assert_eq!(read, values);
}

#[test]
fn velocity_and_pan_follow_their_laws() {
    use song::{Pan, Velocity};
    let mut rig = Rig::new(&of(vec![looped(mono_float([0.5; 100]), 0, 100, LoopMode::Forward)]));
    let mut heard = |velocity, gain, pan| {
        rig.controller.all_sound_off();
        rig.render(1000);
        let note = engine::Note {
            velocity: Velocity::new(velocity).unwrap(),
            gain: Decibels::new(gain).unwrap(),
            pan: Pan::new(pan).unwrap(),
            ..Rig::note(0, 0)
        };
        rig.controller.note_on(note).unwrap();
        let [left, right] = rig.render(10);
        (left[9], right[9])
    };
    let near = |(left, right): (f32, f32), expected: (f32, f32)| {
        assert!((left - expected.0).abs() < 1e-6 && (right - expected.1).abs() < 1e-6, "{left} {right}");
    };
    near(heard(127, 0.0, 0.0), (0.5, 0.5));
    near(heard(0, 0.0, 0.0), (0.0, 0.0));
    let half = 0.5 * (64.0_f32 / 127.0).powi(2);
    near(heard(64, 0.0, 0.0), (half, half));
    near(heard(127, -20.0, 0.0), (0.05, 0.05));
    near(heard(127, 0.0, 1.0), (0.0, 0.5 * 2.0_f32.sqrt()));
    near(heard(127, 0.0, -0.5), (0.5 * 1.5_f32.sqrt(), 0.5 * 0.5_f32.sqrt()));
}

#[test]
fn the_master_gain_scales_every_frame_and_back_at_unity_touches_none() {
    let values = noise(3000, 6);
    let mut rig = Rig::new(&of(vec![mono(values.clone())]));
    for decibels in [-6.0, 12.0, 0.0] {
        let gain = Decibels::new(decibels).unwrap();
        rig.controller.set_gain(gain, None).unwrap();
        rig.render(1000);
        rig.play(0, 0);
        let expected: Vec<f32> = full_scale(&values).iter().map(|value| value * gain.gain()).collect();
        assert_eq!(rig.left(3000), expected, "{decibels} dB");
    }
}

#[test]
fn no_recording_makes_a_sum_overflow() {
    let largest = 2.0_f32.powi(40);
    let beyond = |value: f32| looped(mono_float([0.5, value, -value].repeat(300)), 0, 900, LoopMode::Forward);
    for how in Interpolation::ALL {
        for value in [f32::MAX, 3e38, largest * 1.001, largest] {
            let mut rig = Rig::interpolating(how, &of(vec![beyond(value)]));
            let loudest = Decibels::new(300.0).unwrap();
            rig.controller.set_gain(loudest, None).unwrap();
            for _ in 0..60 {
                let note = engine::Note { gain: loudest, ..Rig::note(0, 3) };
                rig.controller.note_on(note).unwrap();
            }
            let heard = rig.left(2000);
            assert!(heard.iter().all(|value| value.is_finite()), "{how}, {value}");
            assert!(heard.iter().any(|&value| value != 0.0), "{how}, {value}: the rest of it is heard");
        }
        // A value that is none is silence; as large a one as there may be is what it is.
        for (value, expected) in [(f32::MAX, 0.0), (largest * 1.001, 0.0), (largest, largest)] {
            let mut rig = Rig::interpolating(how, &of(vec![beyond(value)]));
            rig.play(0, 0);
            assert_eq!(rig.left(3), [0.5, expected, -expected], "{how}");
        }
    }
}

#[test]
fn a_constant_stays_constant_at_any_pitch() {
    for how in Interpolation::ALL {
        let constant = |sample: Sample| looped(sample, 0, 1000, LoopMode::Forward);
        let song = of(vec![constant(mono_float([0.3; 1000])), constant(mono([12_345; 1000]))]);
        for (index, value) in [(0, 0.3), (1, 12_345.0 / 32_768.0)] {
            for semitones in [-40, -7, 3, 7, 19, 60] {
                let mut rig = Rig::interpolating(how, &song);
                rig.play(index, semitones);
                // The first frames also see the silence before them.
                let heard = rig.left(20_000).split_off(400);
                // Floats times the floats of a sinc are rounded: −120 dB.
                let rounding = match how {
                    Interpolation::Sinc32 => 1e-6,
                    Interpolation::Sinc8 | Interpolation::Sinc16 if index == 0 => 1e-6,
                    _ => 0.0,
                };
                let off = heard.iter().map(|&frame| (frame / value - 1.0).abs()).fold(0.0, f32::max);
                assert!(off <= rounding, "{how} at {semitones} semitones: off by {off}");
            }
        }
    }
}

#[test]
fn a_straight_line_stays_exactly_straight() {
    // 60 kHz played at 48 kHz: five quarters of a frame each time, which a float holds exactly.
    let line = at_rate(&mono((0..4000).map(|frame| frame * 8 - 16_000)), 60_000);
    for how in [Interpolation::Linear, Interpolation::Cubic] {
        let mut rig = Rig::interpolating(how, &of(vec![line.clone()]));
        rig.play(0, 0);
        for (i, frame) in rig.left(3000).into_iter().enumerate().skip(2) {
            let expected = (i as f32 * 1.25 * 8.0 - 16_000.0) / 32_768.0;
            assert_eq!(frame, expected, "{how}, frame {i}");
        }
    }
}

#[test]
fn the_nearest_frame_is_heard_as_recorded_and_halfway_the_later() {
    // Three quarters, a half and five quarters of a frame for each frame of the output.
    for (rate, expected) in
        [(36_000, [1, 2, 3, 3, 4, 5]), (24_000, [1, 2, 2, 3, 3, 4]), (60_000, [1, 2, 4, 5, 6, 7])]
    {
        let source = at_rate(&mono(1..=9), rate);
        let mut rig = Rig::interpolating(Interpolation::Nearest, &of(vec![source]));
        rig.play(0, 0);
        assert_eq!(rig.left(6), full_scale(&expected), "{rate} Hz");
    }
}

#[test]
fn each_quality_sounds_like_the_interpolation_it_chooses() {
    let source = mono(noise(1000, 5));
    let heard = |how: Interpolation| {
        let mut rig = Rig::interpolating(how, &of(vec![source.clone()]));
        rig.play(0, -3);
        rig.left(1000)
    };
    let chosen = [
        (Quality::Draft, Interpolation::Linear),
        (Quality::Normal, Interpolation::Cubic),
        (Quality::Good, Interpolation::Sinc8),
        (Quality::High, Interpolation::Sinc16),
        (Quality::Max, Interpolation::Sinc32),
    ];
    assert_eq!(chosen.map(|(quality, _)| quality), Quality::ALL);
    for (quality, how) in chosen {
        assert_eq!(heard(quality.into()), heard(how), "{quality}");
    }
    for pair in Interpolation::ALL.windows(2) {
        assert_ne!(heard(pair[0]), heard(pair[1]), "{pair:?}");
    }
}

#[test]
fn a_note_may_ask_for_a_quality_of_its_own() {
    let source = mono(noise(1000, 5));
    let heard = |engine: Quality, note: Option<Quality>| {
        let mut rig = Rig::interpolating(engine, &of(vec![source.clone()]));
        rig.controller.note_on(engine::Note { quality: note, ..Rig::note(0, -3) }).unwrap();
        rig.left(1000)
    };
    for quality in Quality::ALL {
        assert_eq!(heard(Quality::Draft, Some(quality)), heard(quality, None), "{quality}");
    }
}

#[test]
fn the_default_is_high_everywhere() {
    assert_eq!(Quality::default(), Quality::High);
    assert_eq!(engine::Config::default().interpolation, Quality::High.into());
}

#[test]
fn another_output_rate_keeps_the_pitch() {
    let source = mono(dithered(sine(1000.0 / RATE, 0.5)).take(1 << 16));
    for rate in [22_050, 44_100, 96_000] {
        let mut rig = Rig::new(&of(vec![source.clone()]));
        rig.processor.set_rate(hz(rate));
        rig.play(0, 0);
        let heard = rig.left((1 << 14) + 100).split_off(100);
        assert!(snr(&heard, 1000.0, f64::from(rate)) > 70.0, "{rate} Hz");
    }
}

#[test]
fn a_sounding_note_keeps_its_pitch_when_the_output_rate_changes() {
    let source = mono(dithered(sine(1000.0 / RATE, 0.5)).take(1 << 16));
    let mut rig = Rig::new(&of(vec![source]));
    rig.play(0, 0);
    rig.render(1000);
    rig.processor.set_rate(hz(44_100));
    assert!(snr(&rig.left(1 << 14), 1000.0, 44_100.0) > 70.0);
}

#[test]
fn mono_devices_hear_both_sides_and_others_hear_silence_beyond_two() {
    let bank = Bank::prepare(&of(vec![stereo(vec![16_384; 4], vec![-8192; 4])])).unwrap();
    let bank = std::sync::Arc::new(bank);
    for (channels, expected) in [(1, vec![0.125]), (2, vec![0.5, -0.25]), (3, vec![0.5, -0.25, 0.0])] {
        let (mut controller, mut processor) = engine::split(engine::Config::default()).unwrap();
        controller.load(std::sync::Arc::clone(&bank));
        controller.note_on(Rig::note(0, 0)).unwrap();
        let mut out = vec![9.0; 4 * channels];
        processor.process(&mut out, channels);
        assert_eq!(out, expected.repeat(4));
    }
}
