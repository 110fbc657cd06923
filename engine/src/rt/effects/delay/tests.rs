use super::*;

fn delay(setting: DelaySetting) -> Delay {
    Delay::new(setting, Hz::new(8000).unwrap())
}

const SHORT: DelaySetting =
    DelaySetting { time: Micros::millis(10), feedback: 0.95, tone: Some(1000.0), ping_pong: true, gain: 1.0 };

fn run(delay: &mut Delay, first: f32, frames: usize) -> f32 {
    let mut last = 0.0;
    for cell in 0..frames / CELL {
        let (mut left, mut right) = ([0.0; CELL], [0.0; CELL]);
        if cell == 0 {
            (left[0], right[0]) = (first, -0.5 * first);
        }
        last = delay.run((cell * CELL) as u64, &mut left, &mut right);
    }
    last
}

#[test]
fn nothing_in_it_is_ever_denormal_and_it_falls_silent_altogether() {
    let mut delay = delay(SHORT);
    let mut peak = run(&mut delay, 1.0, CELL);
    for round in 0..100 {
        peak = run(&mut delay, 0.0, 3200);
        let values = delay.lines.iter().flat_map(DelayLine::written).chain(delay.filtered);
        let subnormal = values.into_iter().find(|value| value.is_subnormal());
        assert_eq!(subnormal, None, "round {round}");
    }
    assert_eq!(peak, 0.0);
}

#[test]
fn a_rate_that_is_too_slow_or_too_fast_changes_its_time_only() {
    let mut delay = delay(DelaySetting { time: Micros::millis(4000), ..SHORT });
    for (rate, frames) in [(1, CELL), (192_000, 768_000), (u32::MAX, 768_000)] {
        delay.set_rate(Hz::new(rate).unwrap());
        assert_eq!(delay.time(), frames);
        assert!(run(&mut delay, 1.0, 8000).is_finite());
    }
}
