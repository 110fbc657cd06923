use super::*;
use proptest::prelude::*;

fn decay(from: f64, slope: f64, at: u64, born: u64) -> Decay {
    Decay { from, slope, at, started: born }
}

#[test]
fn the_quietest_releasing_voice_yields_before_any_held_one() {
    let mut steal_order = StealOrder::new(4);
    (0..4).for_each(|slot| steal_order.hold(slot));
    steal_order.release(1, decay(0.5, -0.01, 10, 1), 10);
    steal_order.release(2, decay(0.2, -0.01, 10, 2), 10);
    assert_eq!((steal_order.victim(10), steal_order.playing()), (Some(2), 4));
    steal_order.remove(2, 10);
    assert_eq!((steal_order.victim(10), steal_order.playing()), (Some(1), 3));
}

#[test]
fn without_a_releasing_voice_the_oldest_yields_wherever_it_lies() {
    let mut steal_order = StealOrder::new(4);
    [2, 0, 3].into_iter().for_each(|slot| steal_order.hold(slot));
    assert_eq!(steal_order.victim(0), Some(2));
    steal_order.remove(2, 0);
    steal_order.hold(1);
    assert_eq!(steal_order.victim(0), Some(0));
    steal_order.remove(3, 0);
    steal_order.remove(0, 0);
    assert_eq!(steal_order.victim(0), Some(1));
    steal_order.remove(1, 0);
    assert_eq!((steal_order.victim(0), steal_order.playing()), (None, 0));
}

#[test]
fn of_equally_quiet_ones_the_older_yields() {
    let mut steal_order = StealOrder::new(2);
    (0..2).for_each(|slot| steal_order.hold(slot));
    steal_order.release(0, decay(1.0, -0.1, 0, 9), 0);
    steal_order.release(1, decay(1.0, -0.1, 0, 4), 0);
    assert_eq!(steal_order.victim(5), Some(1));
}

#[test]
fn one_that_falls_faster_overtakes_a_quieter_one() {
    let mut steal_order = StealOrder::new(2);
    (0..2).for_each(|slot| steal_order.hold(slot));
    steal_order.release(0, decay(0.5, -0.001, 0, 0), 0);
    steal_order.release(1, decay(1.0, -0.01, 0, 1), 0);
    assert_eq!([0, 55, 56, 90].map(|now| steal_order.victim(now)), [Some(0), Some(0), Some(1), Some(1)]);
}

#[test]
fn a_voice_that_is_not_there_is_forgotten_without_a_trace() {
    let mut steal_order = StealOrder::new(2);
    steal_order.hold(0);
    steal_order.remove(1, 0);
    steal_order.release(1, decay(1.0, -1.0, 0, 0), 0);
    assert_eq!((steal_order.victim(0), steal_order.playing()), (Some(0), 1));
}

/// What happens to a slot, and some frames later.
#[derive(Clone, Debug)]
enum Step {
    Hold(usize),
    Release(usize, f64, u32),
    Forget(usize),
}

fn deeds() -> impl Strategy<Value = Vec<(Step, u64)>> {
    let slot = 0..13_usize;
    let deed = prop_oneof![
        slot.clone().prop_map(Step::Hold),
        (slot.clone(), prop_oneof![Just(1.0), 0.0..1.0_f64], prop_oneof![Just(64_u32), 1..500_u32])
            .prop_map(|(slot, loudness, length)| Step::Release(slot, loudness, length)),
        slot.prop_map(Step::Forget),
    ];
    prop::collection::vec((deed, 0..40_u64), 1..120)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn who_yields_is_whom_a_look_at_every_voice_would_find(deeds in deeds()) {
        // Of each slot: when it began, and how it decays.
        let mut voices: [Option<(u64, Option<Decay>)>; 13] = [None; 13];
        let (mut steal_order, mut now, mut born) = (StealOrder::new(13), 0, 0);
        for (deed, frames) in deeds {
            match deed {
                Step::Hold(slot) if voices[slot].is_none() => {
                    voices[slot] = Some((born, None));
                    born += 1;
                    steal_order.hold(slot);
                }
                Step::Release(slot, loudness, length) => {
                    if let Some((born, decay @ None)) = &mut voices[slot] {
                        let slope = -loudness / f64::from(length);
                        *decay = Some(Decay { from: loudness, slope, at: now, started: *born });
                        steal_order.release(slot, decay.unwrap(), now);
                    }
                }
                Step::Forget(slot) => {
                    voices[slot] = None;
                    steal_order.remove(slot, now);
                }
                Step::Hold(_) => {}
            }
            now += frames;
            let loudness = |decay: &Decay| decay.from + decay.slope * (now - decay.at) as f64;
            let all = || voices.iter().enumerate().filter_map(|(slot, voice)| voice.map(|voice| (slot, voice)));
            let quietest = all().filter_map(|(slot, (born, decay))| Some((loudness(&decay?), born, slot)));
            let quietest = quietest.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, _, slot)| slot);
            let oldest = all().min_by_key(|(_, (born, _))| *born).map(|(slot, _)| slot);
            prop_assert_eq!(steal_order.victim(now), quietest.or(oldest));
            prop_assert_eq!(steal_order.playing(), all().count());
        }
    }
}

/// Returns lines that are the same but for rounding: `from` is that of one line at different frames, some last bits
/// away from it, and so is the slope.
fn alike() -> impl Strategy<Value = Vec<(Decay, u64)>> {
    let line = (0.1..1.0_f64, prop_oneof![Just(2400.0), 100.0..100_000.0_f64]);
    let one = (0..60_u64, -2..3_i64, prop_oneof![3 => Just(0), 1 => -2..3_i64]);
    (line, prop::collection::vec(one, 2..13)).prop_map(|((loudness, length), ones)| {
        let slope = -loudness / length;
        let beside = |value: f64, bits: i64| f64::from_bits(value.to_bits().wrapping_add_signed(bits));
        let mut at = 0;
        let mut decays = Vec::new();
        for (born, (frames, from_bits, slope_bits)) in ones.into_iter().enumerate() {
            at += frames / 10;
            let from = beside(loudness + slope * at as f64, from_bits);
            decays.push((Decay { from, slope: beside(slope, slope_bits), at, started: born as u64 }, at));
        }
        decays
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    /// Whom the tournament finds must not depend on when its matches were played, which depends on how blocks are cut.
    #[test]
    fn of_falls_that_only_rounding_tells_apart_the_same_is_found_whenever_it_was_looked_for(
        decays in alike(),
        asked in prop::collection::btree_set(0..90_u64, 1..40),
    ) {
        let mut often = StealOrder::new(13);
        let mut seldom = StealOrder::new(13);
        let mut releases = decays.iter().enumerate().peekable();
        for now in 0..90 {
            while let Some((slot, (decay, _))) = releases.next_if(|(_, (_, at))| *at == now) {
                for steal_order in [&mut often, &mut seldom] {
                    steal_order.hold(slot);
                    steal_order.release(slot, *decay, now);
                }
            }
            let found = often.victim(now);
            if asked.contains(&now) {
                prop_assert_eq!(seldom.victim(now), found, "at {}", now);
            }
            let loudness = |decay: &Decay| decay.from + decay.slope * (now - decay.at) as f64;
            let here = decays.iter().enumerate().filter(|(_, (_, at))| *at <= now);
            let quietest = here.min_by(|(_, (a, _)), (_, (b, _))| {
                loudness(a).total_cmp(&loudness(b)).then(a.started.cmp(&b.started))
            });
            prop_assert_eq!(found, quietest.map(|(slot, _)| slot), "at {}", now);
        }
    }
}
