//! The search box.

use super::*;

fn does(model: &mut Model, press: Press) -> Vec<Intent> {
    update(model, Msg::Press(press), ms(0))
}

fn types(model: &mut Model, text: &str) {
    for c in text.chars() {
        assert_eq!(does(model, Press::Char(c)), [], "{c} plays nothing");
    }
}

#[test]
fn what_is_typed_is_searched_for_and_the_first_one_found_is_chosen() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Search));
    types(&mut model, "um z");
    assert_eq!(model.list.filter, "um z");
    assert_eq!((model.list.rows.len(), model.chosen), (0, 1));
    for _ in 0..2 {
        does(&mut model, Press::Backspace);
    }
    assert_eq!((model.list.rows.len(), model.chosen), (1, 1));
    assert_eq!(model.velocity.get(), 100);
}

#[test]
fn enter_keeps_what_was_searched_for_and_escape_drops_it() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Search));
    types(&mut model, "drum");
    assert_eq!(does(&mut model, Press::Enter), []);
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 1, 48)], "keys play again");
    assert_eq!(model.list.rows.len(), 1);
    does(&mut model, Press::Command(KeyCommand::Search));
    types(&mut model, "s");
    assert_eq!(does(&mut model, Press::Escape), [], "no panic");
    assert_eq!((model.list.rows.len(), model.chosen), (3, 1));
    assert_eq!(does(&mut model, Press::Escape), [Intent::Silence]);
}

#[test]
fn the_keys_that_leave_leave_from_the_box_too() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Search));
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Suspend)), [Intent::ReleaseAll, Intent::Suspend]);
    assert_eq!(does(&mut model, Press::Command(KeyCommand::Quit)), [Intent::Quit]);
}

#[test]
fn a_note_that_sounds_when_the_box_opens_ends_with_its_key_and_types_nothing() {
    let mut model = Model { mode: Mode::Real, tells_release: true, ..model() };
    press(&mut model, 'z', 0);
    does(&mut model, Press::Command(KeyCommand::Search));
    assert_eq!(update(&mut model, Msg::Repeat(Press::Char('z')), ms(500)), []);
    assert_eq!(model.list.filter, "");
    assert_eq!(update(&mut model, Msg::Release('z'), ms(600)), [note_off(0)]);
    update(&mut model, Msg::Press(Press::Char('z')), ms(700));
    update(&mut model, Msg::Repeat(Press::Char('z')), ms(1200));
    assert_eq!(model.list.filter, "zz");
}

#[test]
fn repeats_of_a_gated_note_prolong_it_and_type_nothing() {
    let mut model = model();
    press(&mut model, 'z', 0);
    press(&mut model, 'z', 500);
    press(&mut model, 'z', 530);
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Search)), ms(540));
    assert_eq!(press(&mut model, 'z', 560), []);
    assert_eq!(model.list.filter, "");
    assert_eq!(tick(&mut model, 679), []);
    assert_eq!(tick(&mut model, 680), [note_off(0)]);
    press(&mut model, 'z', 2000);
    assert_eq!(model.list.filter, "z");
}

#[test]
fn a_pattern_can_be_typed_where_keys_are_reported_and_not_what_they_type() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Search));
    for (key, types) in [('d', 'D'), ('8', '*')] {
        does(&mut model, Press::Shifted { key, types });
    }
    does(&mut model, Press::Char('m'));
    assert_eq!((model.list.filter.as_str(), model.list.rows.len()), ("D*m", 1));
}

#[test]
fn the_box_and_the_knobs_are_never_open_together() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Search));
    does(&mut model, Press::Command(KeyCommand::Adjust));
    assert_eq!((model.list.is_typing, model.is_adjusting), (false, true));
    does(&mut model, Press::Command(KeyCommand::Search));
    assert_eq!((model.list.is_typing, model.is_adjusting), (true, false));
}
