//! Sorting, previews, and the ways out of a search.

use super::*;
use crate::model::list::ListOrder;

fn does(model: &mut Model, press: Press) -> Vec<Intent> {
    update(model, Msg::Press(press), ms(0))
}

#[test]
fn escape_shows_all_sounds_again_before_it_is_panic() {
    let mut model = model();
    does(&mut model, Press::Command(KeyCommand::Search));
    press(&mut model, 'd', 0);
    does(&mut model, Press::Enter);
    assert_eq!((model.list.filter.as_str(), model.list.rows.len()), ("d", 2));
    assert_eq!(does(&mut model, Press::Escape), []);
    assert_eq!((model.list.filter.as_str(), model.list.rows.len()), ("", 3));
    assert_eq!(does(&mut model, Press::Escape), [Intent::Silence]);
}

#[test]
fn an_audition_ends_the_last_one_and_leaves_the_notes_of_keys() {
    let mut model = model();
    press(&mut model, 'z', 0);
    assert_eq!(does(&mut model, Press::Enter), [note_on(1, 0, 60)]);
    assert_eq!(does(&mut model, Press::Enter), [note_off(1), note_on(2, 0, 60)]);
    does(&mut model, Press::Down(1));
    assert_eq!(does(&mut model, Press::Enter), [note_off(2), note_on(3, 1, 60)]);
}

#[test]
fn a_sound_is_heard_when_it_is_chosen_where_that_is_wanted() {
    let mut model = model();
    assert_eq!(does(&mut model, Press::Down(1)), []);
    does(&mut model, Press::Command(KeyCommand::Preview));
    assert!(model.notice.as_ref().is_some_and(|(text, _)| text.contains("preview on")));
    assert_eq!(does(&mut model, Press::Up(1)), [note_on(0, 0, 60)]);
    assert_eq!(does(&mut model, Press::Up(1)), [], "the same sound is not heard again");
    assert_eq!(does(&mut model, Press::Down(1)), [note_off(0), note_on(1, 1, 60)]);
    does(&mut model, Press::Command(KeyCommand::Preview));
    assert_eq!(does(&mut model, Press::Home), []);
}

#[test]
fn the_order_goes_round_and_keeps_the_chosen_sound() {
    let mut model = model();
    model.chosen = 1;
    let mut orders = Vec::new();
    for _ in 0..4 {
        does(&mut model, Press::Command(KeyCommand::Sort));
        orders.push((model.list.order, model.list.sounds().collect::<Vec<_>>()));
        assert_eq!(model.chosen, 1);
    }
    assert_eq!(
        orders,
        [
            (ListOrder::Name, vec![1, 2, 0]),
            (ListOrder::Length, vec![0, 1, 2]),
            (ListOrder::Rate, vec![0, 1, 2]),
            (ListOrder::Number, vec![0, 1, 2])
        ]
    );
}

#[test]
fn the_kit_is_made_of_what_the_search_and_the_order_show() {
    let mut model = Model { map: KeyMapMode::Kit, octave: 2, ..model() };
    does(&mut model, Press::Command(KeyCommand::Sort));
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 1, 60)], "Drum is the first by name");
    does(&mut model, Press::Command(KeyCommand::Sort));
    does(&mut model, Press::Command(KeyCommand::Sort));
    does(&mut model, Press::Command(KeyCommand::Sort));
    does(&mut model, Press::Command(KeyCommand::Search));
    press(&mut model, 'p', 2000);
    does(&mut model, Press::Enter);
    assert_eq!(press(&mut model, 'z', 4000), [note_on(1, 0, 60)]);
    assert_eq!(press(&mut model, 's', 4000), [], "only one sound was found");
}

#[test]
fn a_question_mark_shows_the_help_and_hides_it() {
    let mut model = model();
    for key in [Press::Char('?'), Press::Shifted { key: 'ß', types: '?' }, Press::Command(KeyCommand::Help)]
    {
        assert_eq!(does(&mut model, key), []);
        assert!(model.help.is_some(), "{key:?}");
        does(&mut model, key);
        assert!(model.help.is_none(), "{key:?}");
    }
}
