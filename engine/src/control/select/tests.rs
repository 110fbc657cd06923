use super::*;
use song::{Cents, Decibels, SampleIndex};

fn zone(sample: usize) -> ZoneTree {
    Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO).into()
}

fn tree(kind: Node) -> ZoneTree {
    ZoneTree::new(kind).unwrap()
}

fn at_random(weights: &[f32], replaced: bool) -> ZoneTree {
    let weighted = |(sample, &weight)| (Weight::new(weight).unwrap(), zone(sample));
    tree(Node::Random {
        children: weights.iter().enumerate().map(weighted).collect(),
        with_replacement: replaced,
    })
}

/// Returns the samples that each of so many notes sounds.
fn notes(selector: &mut ZoneSelector, tree: ZoneTree, count: usize) -> Vec<Vec<usize>> {
    let instrument = Instrument { tree, ..Instrument::default() };
    let one = |_| {
        let (zones, changes) = selector.choose(
            InstrumentIndex::new(0),
            &instrument,
            Key::C4,
            Velocity::HIGHEST,
            Trigger::Attack,
        );
        selector.remember(changes);
        zones.iter().map(|chosen| chosen.zone.sample().get()).collect()
    };
    (0..count).map(one).collect()
}

fn played(tree: ZoneTree, count: usize) -> Vec<Vec<usize>> {
    notes(&mut ZoneSelector::new(1), tree, count)
}

fn shares(notes: &[Vec<usize>], trees: usize) -> Vec<f64> {
    let share = |tree| notes.iter().filter(|note| **note == [tree]).count() as f64 / notes.len() as f64;
    (0..trees).map(share).collect()
}

#[test]
fn layers_sound_together() {
    assert_eq!(played(tree(Node::Layer(vec![zone(0), zone(1)])), 2), [[0, 1], [0, 1]]);
}

#[test]
fn parts_in_turn_come_one_after_another() {
    let turn = tree(Node::RoundRobin(vec![zone(0), zone(1), zone(2)]));
    assert_eq!(played(turn, 5), [[0], [1], [2], [0], [1]]);
}

#[test]
fn a_part_that_does_not_cover_the_note_is_passed_over() {
    let all = Velocity::LOWEST..=Velocity::HIGHEST;
    let low = Zone::whole_keyboard(SampleIndex::new(1), Key::C4, Cents::ZERO);
    let low = low.within(Key::LOWEST..=Key::LOWEST, all).unwrap();
    let turn = tree(Node::RoundRobin(vec![zone(0), low.clone().into(), zone(2)]));
    assert_eq!(played(turn, 4), [[0], [2], [0], [2]]);
    let random = Node::Random {
        children: vec![(Weight::ONE, low.into()), (Weight::ONE, zone(2))],
        with_replacement: true,
    };
    assert_eq!(played(tree(random), 9), vec![[2]; 9]);
}

#[test]
fn parts_at_random_come_as_often_as_they_weigh() {
    let heard = shares(&played(at_random(&[1.0, 3.0, 0.0], true), 4000), 3);
    assert!((heard[0] - 0.25).abs() < 0.03 && (heard[1] - 0.75).abs() < 0.03, "{heard:?}");
    assert_eq!(heard[2], 0.0);
    let alike = shares(&played(at_random(&[0.0, 0.0], true), 4000), 2);
    assert!((alike[0] - 0.5).abs() < 0.03, "{alike:?}");
}

#[test]
fn without_replacement_all_come_before_one_comes_again() {
    let heard = played(at_random(&[1.0, 5.0, 1.0, 0.0], false), 300);
    for round in heard.chunks(3) {
        let mut round: Vec<usize> = round.concat();
        round.sort_unstable();
        assert_eq!(round, [0, 1, 2]);
    }
    let first: Vec<Vec<usize>> = heard.chunks(3).map(|round| round[0].clone()).collect();
    let heard = shares(&first, 3);
    assert!(heard[1] > 0.5 && heard[0] > 0.0 && heard[2] > 0.0, "the heavy one is mostly first: {heard:?}");
}

#[test]
fn the_same_seed_chooses_the_same_and_another_does_not() {
    let play = |seed| notes(&mut ZoneSelector::new(seed), at_random(&[1.0; 4], true), 50);
    assert_eq!(play(7), play(7));
    assert_ne!(play(7), play(8));
}

#[test]
fn a_note_that_is_not_begun_chooses_nothing() {
    let mut selector = ZoneSelector::new(3);
    let turn = Instrument { tree: tree(Node::RoundRobin(vec![zone(0), zone(1)])), ..Instrument::default() };
    for _ in 0..3 {
        let (zones, _) =
            selector.choose(InstrumentIndex::new(0), &turn, Key::C4, Velocity::HIGHEST, Trigger::Attack);
        assert_eq!(zones[0].zone.sample().get(), 0);
    }
    let random = at_random(&[1.0; 8], false);
    let (instrument, index) = (Instrument { tree: random, ..Instrument::default() }, InstrumentIndex::new(0));
    let (first, _) = selector.choose(index, &instrument, Key::C4, Velocity::HIGHEST, Trigger::Attack);
    let (again, changes) = selector.choose(index, &instrument, Key::C4, Velocity::HIGHEST, Trigger::Attack);
    assert_eq!(first, again);
    selector.remember(changes);
}

#[test]
fn parts_within_parts_have_turns_of_their_own() {
    let pair = |first| tree(Node::RoundRobin(vec![zone(first), zone(first + 1)]));
    let layers = tree(Node::Layer(vec![pair(0), tree(Node::RoundRobin(vec![pair(2), pair(4), zone(6)]))]));
    let heard = played(layers, 7);
    assert_eq!(heard, [[0, 2], [1, 4], [0, 6], [1, 3], [0, 5], [1, 6], [0, 2]]);
}

#[test]
fn turns_of_one_instrument_are_not_those_of_another_and_end_with_the_bank() {
    let mut selector = ZoneSelector::new(0);
    let turn = Instrument { tree: tree(Node::RoundRobin(vec![zone(0), zone(1)])), ..Instrument::default() };
    let play = |selector: &mut ZoneSelector, index| {
        let (zones, changes) =
            selector.choose(InstrumentIndex::new(index), &turn, Key::C4, Velocity::HIGHEST, Trigger::Attack);
        let sample = zones[0].zone.sample().get();
        selector.remember(changes);
        sample
    };
    assert_eq!([play(&mut selector, 0), play(&mut selector, 1), play(&mut selector, 0)], [0, 0, 1]);
    selector.restart();
    assert_eq!(play(&mut selector, 1), 0);
}

#[test]
fn a_variation_stays_within_its_range_and_is_one_for_all_layers() {
    let cents = |cents| Cents::new(cents).unwrap();
    let decibels = |decibels| Decibels::new(decibels).unwrap();
    let variation =
        RandomizedParams::new(cents(-1200.0)..=cents(1200.0), decibels(-6.0)..=decibels(0.0)).unwrap();
    let layers = tree(Node::Layer(vec![zone(0), zone(1)]));
    let varied = tree(Node::Randomized(variation, Box::new(layers)));
    let instrument = Instrument { tree: varied, ..Instrument::default() };
    let mut selector = ZoneSelector::new(5);
    let mut pitches = Vec::new();
    for _ in 0..2000 {
        let (zones, changes) = selector.choose(
            InstrumentIndex::new(0),
            &instrument,
            Key::C4,
            Velocity::HIGHEST,
            Trigger::Attack,
        );
        assert_eq!((zones[0].pitch, zones[0].gain), (zones[1].pitch, zones[1].gain));
        assert!((0.5..=2.0).contains(&zones[0].pitch) && (0.501..=1.0).contains(&zones[0].gain));
        pitches.push(zones[0].pitch);
        selector.remember(changes);
    }
    let mean = pitches.iter().sum::<f64>() / 2000.0;
    assert!((mean - 1.25).abs() < 0.03, "every factor is equally likely: {mean}");
}

fn conditional(sample: usize, conditions: ZoneConditions) -> ZoneTree {
    let zone = Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO);
    zone.with_conditions(Some(conditions.into())).into()
}

#[test]
fn zones_of_a_sequence_count_the_notes_that_they_could_sound() {
    let turn = |sample, position| {
        let sequence = song::SequenceTurn::new(position, 3).ok();
        conditional(sample, ZoneConditions { sequence, ..ZoneConditions::default() })
    };
    let layer = tree(Node::Layer(vec![turn(0, 1), turn(1, 3)]));
    assert_eq!(played(layer, 5), [vec![0], vec![], vec![1], vec![0], vec![]]);
}

#[test]
fn zones_of_random_ranges_share_the_number_of_a_note() {
    let range = |sample, random| {
        conditional(sample, ZoneConditions { random: Some(random), ..ZoneConditions::default() })
    };
    let layer = tree(Node::Layer(vec![range(0, 0.0..0.25), range(1, 0.25..1.0)]));
    let notes = played(layer, 4000);
    assert!(notes.iter().all(|note| note.len() == 1));
    assert!((shares(&notes, 2)[0] - 0.25).abs() < 0.03);
}

#[test]
fn a_key_switch_decides_for_the_notes_after_it_and_needs_no_zone() {
    let key = |key| Key::new(key).unwrap();
    let on = |sample, last| {
        let switch =
            song::KeySwitch { keys: key(24)..=key(25), last: key(last)..=key(last), default: Some(key(24)) };
        let zone = Zone::whole_keyboard(SampleIndex::new(sample), Key::C4, Cents::ZERO);
        let zone = zone.within(key(40)..=key(80), Velocity::LOWEST..=Velocity::HIGHEST).unwrap();
        let conditions = ZoneConditions { switch: Some(switch), ..ZoneConditions::default() };
        ZoneTree::from(zone.with_conditions(Some(conditions.into())))
    };
    let layer = tree(Node::Layer(vec![on(0, 24), on(1, 25)]));
    let instrument = Instrument { tree: layer, ..Instrument::default() };
    let mut selector = ZoneSelector::new(1);
    let mut note = |pressed: u8| -> Vec<usize> {
        let index = InstrumentIndex::new(0);
        let (zones, changes) =
            selector.choose(index, &instrument, key(pressed), Velocity::HIGHEST, Trigger::Attack);
        let chosen = zones.iter().map(|chosen| chosen.zone.sample().get()).collect();
        assert_eq!(changes.are_for_silence_too(), pressed < 40);
        selector.remember(changes);
        chosen
    };
    assert_eq!([60, 25, 60, 61, 24, 60].map(&mut note), [vec![0], vec![], vec![1], vec![1], vec![], vec![0]]);
}

#[test]
fn zones_of_a_released_key_sound_only_then() {
    let released = ZoneConditions { trigger: Trigger::Release, ..ZoneConditions::default() };
    let instrument = Instrument {
        tree: tree(Node::Layer(vec![zone(0), conditional(1, released)])),
        ..Instrument::default()
    };
    let selector = ZoneSelector::new(1);
    let on = |trigger| {
        let (zones, _) =
            selector.choose(InstrumentIndex::new(0), &instrument, Key::C4, Velocity::HIGHEST, trigger);
        zones.iter().map(|chosen| chosen.zone.sample().get()).collect::<Vec<_>>()
    };
    assert_eq!([on(Trigger::Attack), on(Trigger::Release)], [vec![0], vec![1]]);
}
