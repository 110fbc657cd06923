//! The menu of switches: what its keys do, and what becomes of events.

use importer::{BranchKind, SwitchChoice, SwitchValue};
use player::live::SoundSwitch;

use super::*;
use crate::model::SwitchMenu;

fn switch(first: usize, group: u32, chosen: Option<usize>, events: &[usize]) -> SoundSwitch {
    let values = vec![(7, "Grass".to_owned()), (8, "Stone".to_owned())];
    let name = format!("Group{group}");
    let choice =
        SwitchChoice { kind: BranchKind::Switch, group, name, values, chosen, events: events.to_vec() };
    SoundSwitch { first, choice, set: None }
}

fn hit(model: &mut Model, press: Press) -> Vec<Intent> {
    update(model, Msg::Press(press), ms(0))
}

const fn value(group: u32, value: u32) -> SwitchValue {
    SwitchValue { kind: BranchKind::Switch, group, value }
}

/// Two switches of a package of one sound, and one of a package of two.
fn with_switches() -> Model {
    let switches = vec![switch(0, 1, Some(0), &[1]), switch(1, 2, None, &[1]), switch(1, 3, Some(1), &[2])];
    Model { switches, ..model() }
}

#[test]
fn the_menu_shows_what_the_chosen_sound_depends_on_or_else_all() {
    for (chosen, rows) in [(0, vec![0]), (1, vec![1]), (2, vec![2])] {
        let mut model = Model { chosen, ..with_switches() };
        assert_eq!(hit(&mut model, Press::Command(KeyCommand::Switches)), []);
        assert_eq!(model.switching, Some(SwitchMenu { rows, chosen: 0 }));
    }
    let mut model = Model { switches: vec![switch(1, 2, None, &[1]), switch(1, 3, None, &[2])], ..model() };
    hit(&mut model, Press::Command(KeyCommand::Switches));
    assert_eq!(model.switching.as_ref().map(|menu| menu.rows.len()), Some(2));
    hit(&mut model, Press::Escape);
    assert_eq!(model.switching, None);
    let mut none = super::model();
    hit(&mut none, Press::Command(KeyCommand::Switches));
    assert!(none.switching.is_none() && none.notice.is_some());
}

#[test]
fn a_value_acts_at_once_with_those_that_were_set_before() {
    let mut model = Model { chosen: 1, ..with_switches() };
    hit(&mut model, Press::Command(KeyCommand::Switches));
    model.switches[2].set = Some(1);
    let with = |own: &[u32]| {
        let own = own.iter().map(|own| value(2, *own));
        vec![Intent::Switch { sound: 1, values: own.chain([value(3, 8)]).collect() }]
    };
    assert_eq!(hit(&mut model, Press::Right(1)), with(&[7]));
    assert_eq!(hit(&mut model, Press::Right(1)), with(&[8]));
    assert_eq!(
        hit(&mut model, Press::Enter),
        with(&[]),
        "after the last comes the default, which is not set"
    );
    assert_eq!(hit(&mut model, Press::Left(1)), with(&[8]));
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 1, 48)], "notes go on while it is open");
}

#[test]
fn events_that_play_nothing_by_these_values_are_silent_until_they_play_again() {
    let mut model = with_switches();
    let mut switched = |sounds: &[(usize, bool)]| {
        update(&mut model, Msg::Live(LiveEvent::Switched(sounds.to_vec())), ms(0));
        model.sounds.iter().map(|entry| entry.silent.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(switched(&[(0, true), (1, false), (2, true)]), [false, true, false]);
    assert_eq!(switched(&[(1, true), (2, false)]), [false, false, true]);
}
