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

/// Lines that are the same but for rounding: `from` is that of one line at different frames, some last bits away from
/// it, and so is the slope.
fn alike() -> impl Strategy<Value = Vec<(Fall, u64)>> {
    let line = (0.1..1.0_f64, prop_oneof![Just(2400.0), 100.0..100_000.0_f64]);
    let one = (0..60_u64, -2..3_i64, prop_oneof![3 => Just(0), 1 => -2..3_i64]);
    (line, prop::collection::vec(one, 2..13)).prop_map(|((loudness, length), ones)| {
        let slope = -loudness / length;
        let beside = |value: f64, bits: i64| f64::from_bits(value.to_bits().wrapping_add_signed(bits));
        let mut at = 0;
        let mut falls = Vec::new();
        for (born, (frames, from_bits, slope_bits)) in ones.into_iter().enumerate() {
            at += frames / 10;
            let from = beside(loudness + slope * at as f64, from_bits);
            falls.push((Fall { from, slope: beside(slope, slope_bits), at, born: born as u64 }, at));
        }
        falls
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    /// Whom the tournament finds must not depend on when its matches were played, which depends on how blocks are cut.
    #[test]
    fn of_falls_that_only_rounding_tells_apart_the_same_is_found_whenever_it_was_looked_for(
        falls in alike(),
        asked in prop::collection::btree_set(0..90_u64, 1..40),
    ) {
        let mut often = Claims::new(13);
        let mut seldom = Claims::new(13);
        let mut told = falls.iter().enumerate().peekable();
        for now in 0..90 {
            while let Some((slot, (fall, _))) = told.next_if(|(_, (_, at))| *at == now) {
                for claims in [&mut often, &mut seldom] {
                    claims.hold(slot);
                    claims.release(slot, *fall, now);
                }
            }
            let found = often.victim(now);
            if asked.contains(&now) {
                prop_assert_eq!(seldom.victim(now), found, "at {}", now);
            }
            let loudness = |fall: &Fall| fall.from + fall.slope * (now - fall.at) as f64;
            let here = falls.iter().enumerate().filter(|(_, (_, at))| *at <= now);
            let quietest = here.min_by(|(_, (a, _)), (_, (b, _))| {
                loudness(a).total_cmp(&loudness(b)).then(a.born.cmp(&b.born))
            });
            prop_assert_eq!(found, quietest.map(|(slot, _)| slot), "at {}", now);
        }
    }
}
