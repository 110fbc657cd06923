//! Zones set by hand, of the instrument that picked sounds make.

use std::collections::BTreeMap;

use player::live::SavedFormat;
use player::saved_instrument::{Arrangement, ZoneParameter, ZoneRanges};
use song::Parameter;

use super::*;

fn does(model: &mut Model, press: Press) -> Vec<Intent> {
    update(model, Msg::Press(press), ms(0))
}

/// Returns a model whose arrows turn a knob of a zone.
fn turning(parameter: ZoneParameter) -> Model {
    Model { knob: Knob::Zone(parameter), is_adjusting: true, ..model() }
}

fn ranges(set: &[(ZoneParameter, u8)]) -> ZoneRanges {
    let mut ranges = ZoneRanges::default();
    set.iter().for_each(|(parameter, value)| parameter.set(&mut ranges, *value));
    ranges
}

/// Lets keys be held through MIDI.
fn hold(model: &mut Model, keys: &[u8]) {
    let midi = keys.iter().map(|key| Key::new(*key).unwrap()).collect();
    update(model, Msg::Live(LiveEvent::Sounding { positions: Vec::new(), midi }), ms(0));
}

fn notice(model: &Model) -> &str {
    model.notice.as_ref().map_or("", |(text, _)| text)
}

#[test]
fn a_knob_of_a_zone_sets_it_and_picks_the_sound_with_a_notice() {
    for (parameter, press, value) in [
        (ZoneParameter::LowKey, Press::Right(36), 36),
        (ZoneParameter::HighKey, Press::Left(MANY), 117),
        (ZoneParameter::LowVelocity, Press::Right(1), 1),
        (ZoneParameter::HighVelocity, Press::Left(1000), 0),
        (ZoneParameter::Turns, Press::Right(100), 16),
    ] {
        let mut model = turning(parameter);
        assert_eq!(does(&mut model, press), [], "{parameter:?}: what sounds is no other");
        assert_eq!(model.zone(0), ranges(&[(parameter, value)]), "{parameter:?}");
        assert_eq!((&model.list.picked, model.chosen), (&vec![0], 0));
        assert_eq!(notice(&model), "sound 1 is picked: its zone is part of an instrument (Ctrl-E)");
        does(&mut model, Press::Backspace);
        assert!(model.zones.is_empty(), "{parameter:?}");
        assert_eq!(model.list.picked, [0], "it is picked once");
    }
}

#[test]
fn a_step_that_changes_nothing_picks_nothing() {
    let mut model = turning(ZoneParameter::LowKey);
    does(&mut model, Press::Left(1));
    does(&mut model, Press::Backspace);
    assert!(model.zones.is_empty() && model.list.picked.is_empty());
    assert_eq!(notice(&model), "");
}

#[test]
fn the_low_key_pushes_the_high_one_along() {
    let mut model = turning(ZoneParameter::HighKey);
    does(&mut model, Press::Left(87));
    model.knob = Knob::Zone(ZoneParameter::LowKey);
    does(&mut model, Press::Right(45));
    let keys = model.zone(0).keys();
    assert_eq!((keys.start().get(), keys.end().get()), (45, 45));
}

#[test]
fn an_empty_sound_has_no_zone_and_says_why() {
    let mut model = Model { chosen: 2, ..turning(ZoneParameter::LowKey) };
    does(&mut model, Press::Right(1));
    assert!(model.zones.is_empty() && model.list.picked.is_empty());
    assert_eq!(model.warning.as_deref(), Some("#3 Nothing: empty"));
}

#[test]
fn zones_are_undone_and_done_again_like_other_knobs() {
    let mut model = turning(ZoneParameter::LowKey);
    does(&mut model, Press::Right(MANY));
    does(&mut model, Press::Right(2));
    model.knob = Knob::Of(Parameter::Gain);
    does(&mut model, Press::Right(1));
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Undo)).len(), 1, "the gain");
    assert_eq!(model.zone(0), ranges(&[(ZoneParameter::LowKey, 12)]));
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Undo)), []);
    assert_eq!(notice(&model), "undone: low key of sound 1");
    assert!(model.zones.is_empty());
    assert_eq!(model.list.picked, [0], "it stays picked");
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Redo)), []);
    assert_eq!(model.zone(0), ranges(&[(ZoneParameter::LowKey, 12)]));
}

#[test]
fn zones_set_by_hand_are_offered_first_and_saved_with_the_sounds() {
    let mut model = turning(ZoneParameter::HighKey);
    does(&mut model, Press::Left(80));
    model.list.picked.push(1);
    assert_eq!(does(&mut model, Press::Command(KeyCommand::SaveSound)), []);
    let menu = model.saving.as_ref().unwrap();
    let first = &menu.choices[0].0;
    assert_eq!(first, "2 sounds as an instrument, zones: keys and velocities as set by hand");
    let others: Vec<&SaveRequest> = menu.choices[1..].iter().map(|(_, request)| request).collect();
    assert!(others.iter().all(|request| request.zones.is_empty()));
    let request = SaveRequest {
        sounds: vec![0, 1],
        zones: BTreeMap::from([(0, ranges(&[(ZoneParameter::HighKey, 47)]))]),
        format: SavedFormat::Instrument(Arrangement::Zones),
        name: "test instrument".to_owned(),
    };
    assert_eq!(does(&mut model, Press::Enter), [Intent::SaveSounds(request)]);
}

#[test]
fn zones_are_not_offered_while_no_picked_sound_has_one() {
    let mut model = turning(ZoneParameter::HighKey);
    does(&mut model, Press::Left(80));
    model.list.picked = vec![1];
    does(&mut model, Press::Command(KeyCommand::SaveSound));
    let choices = &model.saving.as_ref().unwrap().choices;
    assert!(!choices.is_empty() && choices.iter().all(|(what, _)| !what.contains("zones")), "{choices:?}");
}

/// Returns a model whose kit is of two picked sounds with these zones, the second of which was picked first.
fn kit_of(zones: [&[(ZoneParameter, u8)]; 2]) -> Model {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Map));
    model.list.picked = vec![1, 0];
    zones.into_iter().enumerate().for_each(|(sound, set)| model.set_zone(sound, ranges(set)));
    model
}

/// Returns the sounds that begin at a key, each at that key.
fn begun(model: &mut Model, number: u8) -> Vec<usize> {
    let key = Key::new(number).unwrap();
    let notes = model.begin_kit_note(key).into_iter();
    notes
        .map(|(sound, at)| {
            assert_eq!(at, key);
            sound
        })
        .collect()
}

#[test]
fn keys_set_by_hand_make_the_kit_and_overlapping_zones_sound_together() {
    let mut model = kit_of([&[], &[]]);
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 1, 60)], "each at its root");
    let keys = [(ZoneParameter::LowKey, 50), (ZoneParameter::HighKey, 52)];
    let mut model = kit_of([&[], &keys]);
    assert_eq!([49, 50, 52, 53].map(|number| begun(&mut model, number)), [&[0][..], &[1, 0], &[1, 0], &[0]]);
    assert_eq!(model.kit_sounds(), [0, 1]);
    assert_eq!([49, 50].map(|number| model.kit_sound(Key::new(number).unwrap())), [Some(0), Some(1)]);
    model.turn_octave(1);
    let both = [note_on(0, 1, 50), note_on(1, 0, 50)];
    assert_eq!(press(&mut model, 'x', 500), both, "at the pitch of the key");
    model.set_zone(0, ranges(&[(ZoneParameter::LowKey, 60)]));
    assert_eq!(press(&mut model, 'v', 1000), [], "no zone has the key");
}

#[test]
fn the_velocity_chooses_among_zones_as_it_does_once_they_are_saved() {
    let mut model = kit_of([&[(ZoneParameter::HighVelocity, 79)], &[(ZoneParameter::LowVelocity, 80)]]);
    for (velocity, sound) in [(79, 0), (80, 1)] {
        model.velocity = Velocity::new(velocity).unwrap();
        assert_eq!(begun(&mut model, 36), [sound]);
        assert_eq!(model.kit_sound(Key::new(36).unwrap()), Some(sound));
    }
    assert_eq!(model.kit_sounds(), [1, 0]);
}

#[test]
fn zones_of_a_group_take_turns_until_they_are_changed() {
    let turns = [(ZoneParameter::Turns, 3)];
    let mut model = kit_of([&turns, &turns]);
    assert_eq!([36; 3].map(|number| begun(&mut model, number)), [[1], [0], [1]]);
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 36)]);
    model.set_zone(0, ranges(&[(ZoneParameter::Turns, 3), (ZoneParameter::LowKey, 1)]));
    assert_eq!(begun(&mut model, 36), [1], "anew");
}

#[test]
fn all_notes_of_a_key_end_with_it() {
    for (mode, tells_release) in [(Mode::Real, true), (Mode::Latch, true), (Mode::Gate, false)] {
        let mut model = kit_of([&[(ZoneParameter::LowKey, 1)], &[]]);
        (model.mode, model.tells_release) = (mode, tells_release);
        model.sounds[1].loops = true;
        assert_eq!(press(&mut model, 'z', 0), [note_on(0, 1, 36), note_on(1, 0, 36)], "{mode:?}");
        let ended = match mode {
            Mode::Real => update(&mut model, Msg::Release('z'), ms(10)),
            Mode::Latch => {
                update(&mut model, Msg::Release('z'), ms(10));
                press(&mut model, 'z', 500)
            }
            _ => {
                assert_eq!(press(&mut model, 'z', 590), [], "both are prolonged");
                assert_eq!(tick(&mut model, 709), []);
                tick(&mut model, 710)
            }
        };
        assert_eq!(ended, [note_off(0), note_off(1)], "{mode:?}");
    }
}

#[test]
fn what_cannot_be_played_takes_no_turn() {
    let turns = [(ZoneParameter::Turns, 3)];
    let mut model = kit_of([&turns, &turns]);
    model.sounds[1].silent = Some("empty".to_owned());
    assert_eq!([36, 36].map(|number| begun(&mut model, number)), [[0], [0]]);
}

#[test]
fn a_midi_note_sets_the_key_of_a_zone_that_waits_for_it() {
    let mut model = turning(ZoneParameter::LowKey);
    hold(&mut model, &[40]);
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Learn)), [Intent::Learn(None)]);
    assert_eq!(notice(&model), "play a MIDI note for low key; again (Ctrl-N): none");
    hold(&mut model, &[40]);
    assert!(model.zones.is_empty(), "it was held before");
    hold(&mut model, &[40, 48]);
    assert_eq!(model.zone(0), ranges(&[(ZoneParameter::LowKey, 48)]));
    assert_eq!(model.list.picked, [0]);
    hold(&mut model, &[]);
    hold(&mut model, &[60]);
    assert_eq!(model.zone(0), ranges(&[(ZoneParameter::LowKey, 48)]), "one note only");
}

#[test]
fn a_midi_note_sets_nothing_once_it_is_not_waited_for() {
    let mut model = turning(ZoneParameter::HighKey);
    does(&mut model, Press::Command(KeyCommand::Learn));
    does(&mut model, Press::Command(KeyCommand::Learn));
    hold(&mut model, &[48]);
    assert!(model.zones.is_empty(), "asked for again");
    hold(&mut model, &[]);
    does(&mut model, Press::Command(KeyCommand::Learn));
    does(&mut model, Press::Command(KeyCommand::Adjust));
    hold(&mut model, &[48]);
    assert!(model.zones.is_empty() && model.learning.is_none(), "the arrows turn no knob any more");
    model.is_adjusting = true;
    model.knob = Knob::Zone(ZoneParameter::Turns);
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Learn)), []);
    assert_eq!(notice(&model), "a MIDI controller cannot set turns");
}
