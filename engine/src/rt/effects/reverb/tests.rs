use super::*;

fn hz(rate: u32) -> Hz {
    Hz::new(rate).unwrap()
}

fn setting(decay_millis: u32, damping: f32) -> ReverbSetting {
    ReverbSetting { decay: Micros::millis(decay_millis), damping, pre_delay: Micros::millis(0), gain: 1.0 }
}

/// Returns the left side of what comes of a value on both sides and silence after it.
fn response(reverb: &mut Reverb, first: f32, frames: usize) -> Vec<f32> {
    let mut heard = Vec::new();
    for cell in 0..frames / CELL {
        let (mut left, mut right) = ([0.0; CELL], [0.0; CELL]);
        if cell == 0 {
            (left[0], right[0]) = (first, first);
        }
        reverb.run((cell * CELL) as u64, &mut left, &mut right);
        heard.extend(left);
    }
    heard
}

#[test]
fn the_matrix_and_the_rotation_lose_and_add_nothing() {
    let energy = |lanes: &[f32]| lanes.iter().map(|lane| f64::from(*lane).powi(2)).sum::<f64>();
    let mut rotation = Rotation::default();
    for cell in [0, 1, 1000, 123_456_789] {
        rotation.turn(cell * CELL as u64 + 5, hz(48_000));
        for lane in 0..LINES {
            let mut lanes = [0.0; LINES];
            lanes[lane] = 1.0;
            let rotated = rotation.apply(37, &lanes);
            // The chord of the angle of a cell is a little shorter than its arc.
            let kept = 1.0 - 2e-5..1.0 + 1e-6;
            assert!(kept.contains(&energy(rotated.as_flattened())));
            assert!(kept.contains(&energy(&mixed(rotated))));
        }
    }
}

#[test]
fn each_side_hears_another_sum_and_neither_is_a_row_of_the_matrix() {
    let products = LEFT.iter().zip(&RIGHT).map(|(left, right)| left * right);
    for first in 0..2 {
        let common: f32 = products.clone().skip(first).step_by(2).sum();
        assert_eq!(common, 0.0, "of what is sent by side {first}");
    }
    for lane in 0..LINES {
        let mut lanes = [0.0; LINES];
        lanes[lane] = 1.0;
        let column = mixed(halves(lanes));
        assert!(dot(&column, &LEFT).abs() < 0.9 && dot(&column, &RIGHT).abs() < 0.9);
    }
}

#[test]
fn the_damping_frequency_loses_twice_the_decibels_of_the_lowest() {
    for (gain, frequency) in [(0.9, 0.1), (0.99, 0.02), (0.3, 0.4), (0.9999, 0.1), (0.001, 0.004)] {
        let pole = pole_of(gain, frequency);
        assert!((0.0..1.0).contains(&pole), "{pole}");
        let cosine = (TAU * frequency).cos();
        let found = (1.0 - pole) / (1.0 + pole * pole - 2.0 * pole * cosine).sqrt();
        assert!((found / gain - 1.0).abs() < 1e-6, "{found} for {gain} at {frequency}");
    }
    // 60 dB within the decay time, whatever the length.
    assert!((gain_of(2.0, 2.0) - 0.001).abs() < 1e-9);
    assert!((gain_of(0.02, 2.0).powi(100) - 0.001).abs() < 1e-9);
}

#[test]
fn no_two_lines_have_the_same_length_or_a_common_divisor() {
    for rate in [8000, 22_050, 44_100, 48_000, 96_000, 192_000, 384_000] {
        let reverb = Reverb::new(setting(1000, 5000.0), hz(rate));
        let lengths = reverb.lines.each_ref().map(|line| line.length);
        for pair in lengths.windows(2) {
            assert!(pair[0] < pair[1], "{rate}: {lengths:?}");
        }
        assert!(lengths.iter().all(|length| prime(*length) == *length), "{rate}: {lengths:?}");
    }
}

#[test]
fn a_rate_without_memory_for_its_lines_makes_them_shorter_and_stays_stable() {
    for rate in [1, 384_000, u32::MAX] {
        let mut reverb = Reverb::new(setting(30_000, 20_000.0), hz(rate));
        let heard = response(&mut reverb, 1.0, 200_000);
        assert!(heard.iter().all(|value| value.abs() < 2.0), "at {rate}");
    }
}

#[test]
fn nothing_in_it_is_ever_denormal_and_it_falls_silent_altogether() {
    let mut reverb = Reverb::new(setting(100, 300.0), hz(8000));
    response(&mut reverb, 1.0, CELL);
    let mut last = Vec::new();
    for round in 0..120 {
        last = response(&mut reverb, 0.0, 800);
        let lines = reverb.lines.iter().map(|line| &line.values);
        let diffusers = reverb.diffusers.iter().flatten().map(|Allpass(line)| &line.values);
        let values = lines.chain(diffusers).chain(&reverb.pre).flat_map(DelayLine::written);
        let subnormal = values.chain(reverb.damped).find(|value| value.is_subnormal());
        assert_eq!(subnormal, None, "round {round}");
    }
    assert!(last.iter().all(|value| *value == 0.0));
}
