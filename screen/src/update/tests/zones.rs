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

#[test]
fn keys_set_by_hand_make_the_kit_and_of_overlapping_zones_the_first_picked_plays() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Map));
    model.list.picked = vec![1, 0];
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 1, 60)], "each at its root");
    let key = |key| Key::new(key).unwrap();
    model.zones.insert(1, ranges(&[(ZoneParameter::LowVelocity, 3)]));
    assert_eq!(model.kit_note(key(36)), Some((1, Key::C4)), "velocities alone leave the kit as it is");
    model.zones.insert(1, ranges(&[(ZoneParameter::LowKey, 50), (ZoneParameter::HighKey, 52)]));
    let played = [49, 50, 52, 53].map(|number| model.kit_note(key(number)));
    let sounds = [(0, 49), (1, 50), (1, 52), (0, 53)].map(|(sound, number)| Some((sound, key(number))));
    assert_eq!(played, sounds);
    assert_eq!(model.kit_sounds(), [0, 1]);
    model.turn_octave(1);
    assert_eq!(press(&mut model, 'x', 500), [note_on(1, 1, 50)], "at the pitch of the key");
    model.zones.insert(0, ranges(&[(ZoneParameter::LowKey, 60)]));
    assert_eq!(press(&mut model, 'v', 1000), [], "no zone has the key");
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
