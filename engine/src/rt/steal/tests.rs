use super::*;
use proptest::prelude::*;

fn fall(from: f64, slope: f64, at: u64, born: u64) -> Fall {
    Fall { from, slope, at, born }
}

#[test]
fn the_quietest_releasing_voice_yields_before_any_held_one() {
    let mut claims = Claims::new(4);
    (0..4).for_each(|slot| claims.hold(slot));
    claims.release(1, fall(0.5, -0.01, 10, 1), 10);
    claims.release(2, fall(0.2, -0.01, 10, 2), 10);
    assert_eq!((claims.victim(10), claims.playing()), (Some(2), 4));
    claims.forget(2, 10);
    assert_eq!((claims.victim(10), claims.playing()), (Some(1), 3));
}

#[test]
fn without_a_releasing_voice_the_oldest_yields_wherever_it_lies() {
    let mut claims = Claims::new(4);
    [2, 0, 3].into_iter().for_each(|slot| claims.hold(slot));
    assert_eq!(claims.victim(0), Some(2));
    claims.forget(2, 0);
    claims.hold(1);
    assert_eq!(claims.victim(0), Some(0));
    claims.forget(3, 0);
    claims.forget(0, 0);
    assert_eq!(claims.victim(0), Some(1));
    claims.forget(1, 0);
    assert_eq!((claims.victim(0), claims.playing()), (None, 0));
}

#[test]
fn of_equally_quiet_ones_the_older_yields() {
    let mut claims = Claims::new(2);
    (0..2).for_each(|slot| claims.hold(slot));
    claims.release(0, fall(1.0, -0.1, 0, 9), 0);
    claims.release(1, fall(1.0, -0.1, 0, 4), 0);
    assert_eq!(claims.victim(5), Some(1));
}

#[test]
fn one_that_falls_faster_overtakes_a_quieter_one() {
    let mut claims = Claims::new(2);
    (0..2).for_each(|slot| claims.hold(slot));
    claims.release(0, fall(0.5, -0.001, 0, 0), 0);
    claims.release(1, fall(1.0, -0.01, 0, 1), 0);
    assert_eq!([0, 55, 56, 90].map(|now| claims.victim(now)), [Some(0), Some(0), Some(1), Some(1)]);
}

#[test]
fn a_voice_that_is_not_there_is_forgotten_without_a_trace() {
    let mut claims = Claims::new(2);
    claims.hold(0);
    claims.forget(1, 0);
    claims.release(1, fall(1.0, -1.0, 0, 0), 0);
    assert_eq!((claims.victim(0), claims.playing()), (Some(0), 1));
}

/// What happens to a slot, and some frames later.
#[derive(Clone, Debug)]
enum Deed {
    Hold(usize),
    Release(usize, f64, u32),
    Forget(usize),
}

fn deeds() -> impl Strategy<Value = Vec<(Deed, u64)>> {
    let slot = 0..13_usize;
    let deed = prop_oneof![
        slot.clone().prop_map(Deed::Hold),
        (slot.clone(), prop_oneof![Just(1.0), 0.0..1.0_f64], prop_oneof![Just(64_u32), 1..500_u32])
            .prop_map(|(slot, loudness, length)| Deed::Release(slot, loudness, length)),
        slot.prop_map(Deed::Forget),
    ];
    prop::collection::vec((deed, 0..40_u64), 1..120)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn who_yields_is_whom_a_look_at_every_voice_would_find(deeds in deeds()) {
        // Of each slot: when it began, and how it falls.
        let mut voices: [Option<(u64, Option<Fall>)>; 13] = [None; 13];
        let (mut claims, mut now, mut born) = (Claims::new(13), 0, 0);
        for (deed, frames) in deeds {
            match deed {
                Deed::Hold(slot) if voices[slot].is_none() => {
                    voices[slot] = Some((born, None));
                    born += 1;
                    claims.hold(slot);
                }
                Deed::Release(slot, loudness, length) => {
                    if let Some((born, fall @ None)) = &mut voices[slot] {
                        let slope = -loudness / f64::from(length);
                        *fall = Some(Fall { from: loudness, slope, at: now, born: *born });
                        claims.release(slot, fall.unwrap(), now);
                    }
                }
                Deed::Forget(slot) => {
                    voices[slot] = None;
                    claims.forget(slot, now);
                }
                Deed::Hold(_) => {}
            }
            now += frames;
            let loudness = |fall: &Fall| fall.from + fall.slope * (now - fall.at) as f64;
            let all = || voices.iter().enumerate().filter_map(|(slot, voice)| voice.map(|voice| (slot, voice)));
            let quietest = all().filter_map(|(slot, (born, fall))| Some((loudness(&fall?), born, slot)));
            let quietest = quietest.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, _, slot)| slot);
            let oldest = all().min_by_key(|(_, (born, _))| *born).map(|(slot, _)| slot);
            prop_assert_eq!(claims.victim(now), quietest.or(oldest));
            prop_assert_eq!(claims.playing(), all().count());
        }
    }
}
