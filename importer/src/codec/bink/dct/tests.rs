use std::f64::consts::PI;

use super::Dct;

/// The transform as it is defined, in double precision.
fn defined(values: &[f32]) -> Vec<f64> {
    let length = values.len();
    let cosine =
        |n: usize, k: usize| (PI * (n * (2 * k + 1) % (4 * length)) as f64 / (2 * length) as f64).cos();
    let sample =
        |k: usize| values.iter().enumerate().map(|(n, value)| f64::from(*value) * cosine(n, k)).sum::<f64>();
    (0..length).map(sample).collect()
}

fn check(dct: &mut Dct, values: &[f32], case: &str) {
    let expected = defined(values);
    let mut samples = values.to_vec();
    dct.process(&mut samples);
    let peak = expected.iter().fold(0.0, |peak: f64, value| peak.max(value.abs()));
    for (index, (sample, expected)) in samples.iter().zip(&expected).enumerate() {
        let error = (f64::from(*sample) - expected).abs();
        assert!(error <= 1e-5 * peak, "{case}, sample {index}: {sample}, not {expected}");
    }
}

#[test]
fn each_length_gives_the_defined_sums() {
    for length in [4, 8, 16, 32, 512, 1024, 2048] {
        let mut dct = Dct::new(length);
        let mut state = 1_u32;
        let noise: Vec<f32> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        })
        .take(length)
        .collect();
        // Twice: nothing of the first is left in the second.
        check(&mut dct, &noise, &format!("noise of {length}"));
        let reversed: Vec<f32> = noise.iter().rev().copied().collect();
        check(&mut dct, &reversed, &format!("noise of {length}, reversed"));
    }
}

#[test]
fn each_coefficient_alone_gives_its_cosine() {
    let length = 512;
    let mut dct = Dct::new(length);
    for index in 0..length {
        let mut values = vec![0.0; length];
        values[index] = 1.0;
        check(&mut dct, &values, &format!("coefficient {index}"));
    }
}
