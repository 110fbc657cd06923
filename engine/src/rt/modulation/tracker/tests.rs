use std::time::Duration;

use fixtures::songs::{curve, hz, unmoved};
use song::{FadeStart, TickLoops};

use super::*;

/// Returns a volume that rises to full within so many ticks, of 10 frames at a rate of 1000.
fn rising(ticks: u16, loops: TickLoops) -> TrackerArticulation {
    TrackerArticulation {
        tick: Duration::from_millis(10),
        volume: Some(curve(&[(0, 0), (ticks, 64)], loops)),
        ..unmoved(FadeStart::AtEnvelopeEnd)
    }
}

fn begun(articulation: &TrackerArticulation) -> TrackerModulation {
    TrackerModulation::new(articulation, (1.0, 1.0), true, 0)
}

/// Returns what a constant becomes in so many frames, asked for as many at a time.
fn poured(
    modulation: &mut TrackerModulation,
    articulation: &TrackerArticulation,
    frames: usize,
    most: usize,
) -> Vec<f32> {
    let (mut heard, line) = (Vec::new(), LinearRamp { from: 1.0, slope: 0.0, at: 0 });
    while heard.len() < frames {
        if modulation.remaining() == 0 {
            modulation.begin_segment(articulation, hz(1000));
        }
        let count = modulation.remaining().min(most).min(frames - heard.len());
        let (mut left, mut right) = (vec![0.0; count], vec![0.0; count]);
        let mut ones = [vec![1.0; count], vec![1.0; count]];
        let [one, other] = &mut ones;
        modulation.mix(articulation, line, [one, other], [&mut left, &mut right]);
        heard.extend(left);
    }
    heard
}

#[test]
fn ticks_come_when_they_should_however_many_there_were() {
    let articulation =
        TrackerArticulation { tick: Duration::from_nanos(9_973_123), ..rising(60_000, TickLoops::default()) };
    let mut modulation = begun(&articulation);
    poured(&mut modulation, &articulation, 500_000, usize::MAX);
    // 500 s in ticks.
    let wanted = (500.0 / 0.009_973_123 / 60_000.0) as f32;
    let [found, _] = modulation.segment.levels();
    assert!((found - wanted).abs() < 1e-4, "{found} and not {wanted}");
}

#[test]
fn frames_are_as_loud_however_many_are_asked_for() {
    let articulation = rising(7, TickLoops::default());
    let whole = poured(&mut begun(&articulation), &articulation, 200, usize::MAX);
    for most in [1, 3, 64] {
        assert_eq!(poured(&mut begun(&articulation), &articulation, 200, most), whole);
    }
    assert_eq!((whole[0], whole[70]), (0.0, 1.0));
}

#[test]
fn a_leg_that_is_cut_goes_on_from_where_it_is() {
    let articulation = rising(7, TickLoops::default());
    let mut modulation = begun(&articulation);
    let mut heard = poured(&mut modulation, &articulation, 33, usize::MAX);
    modulation.cut();
    modulation.cut();
    heard.extend(poured(&mut modulation, &articulation, 100, usize::MAX));
    let whole = poured(&mut begun(&articulation), &articulation, 133, usize::MAX);
    assert!(heard.iter().zip(&whole).all(|(cut, whole)| (cut - whole).abs() < 1e-6));
}

#[test]
fn a_second_release_changes_nothing() {
    let articulation = TrackerArticulation { fadeout: 3277, ..unmoved(FadeStart::AtEnvelopeEnd) };
    let mut modulation = begun(&articulation);
    modulation.release(&articulation);
    let first = poured(&mut modulation.clone(), &articulation, 60, usize::MAX);
    modulation.release(&articulation);
    assert_eq!(poured(&mut modulation, &articulation, 60, usize::MAX), first);
}

#[test]
fn a_released_voice_tells_how_fast_it_fades() {
    let articulation = TrackerArticulation {
        tick: Duration::from_millis(10),
        fadeout: 16_384,
        ..unmoved(FadeStart::AtEnvelopeEnd)
    };
    let mut modulation = begun(&articulation);
    assert_eq!(modulation.course(), (1.0, 0.0));
    modulation.release(&articulation);
    poured(&mut modulation, &articulation, 4, usize::MAX);
    let (level, slope) = modulation.course();
    assert!((level - 0.8).abs() < 1e-5 && (slope + 0.05).abs() < 1e-5, "{level} {slope}");
}

#[test]
fn what_is_silent_at_the_end_of_its_volume_is_over() {
    let volume = Some(curve(&[(0, 64), (2, 0)], TickLoops::default()));
    let articulation = TrackerArticulation { volume, ..rising(1, TickLoops::default()) };
    let mut modulation = begun(&articulation);
    poured(&mut modulation, &articulation, 19, usize::MAX);
    assert!(!modulation.is_over());
    poured(&mut modulation, &articulation, 2, usize::MAX);
    assert!(modulation.is_over());
}
