//! Choosing, folding and unfolding.

use super::*;
use crate::model::list::ListRow;

/// Returns two groups of which the second has sounds on both sides of the first.
fn grouped() -> Model {
    let names = ["B.One", "A.Two", "B.Three", "Loose", "A.Five"];
    let sounds: Vec<SoundEntry> = names.iter().map(|name| entry(name, false)).collect();
    Model { list: SoundList::of(sounds.iter().map(SoundEntry::listed)), sounds, ..model() }
}

fn does(model: &mut Model, press: Press) -> (usize, Option<usize>) {
    assert_eq!(update(model, Msg::Press(press), ms(0)), []);
    (model.chosen, model.list.marked)
}

#[test]
fn the_arrows_go_through_groups_and_skip_their_heads() {
    let mut model = grouped();
    let down: Vec<usize> = (0..5).map(|_| does(&mut model, Press::Down(1)).0).collect();
    assert_eq!(down, [2, 1, 4, 3, 3]);
    assert_eq!(does(&mut model, Press::Up(1)), (4, None));
    assert_eq!(does(&mut model, Press::Home), (0, None));
    assert_eq!(does(&mut model, Press::End), (3, None));
}

#[test]
fn a_folded_group_is_one_row_while_its_sound_is_still_played() {
    let mut model = grouped();
    assert_eq!(does(&mut model, Press::Down(1)), (2, None));
    assert_eq!(does(&mut model, Press::Left(1)), (2, Some(0)));
    assert_eq!(model.list.rows[..2], [ListRow::Group(0), ListRow::Group(1)]);
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 2, 48)], "the keys play what was chosen");
    assert_eq!(does(&mut model, Press::Down(1)), (1, None), "the hidden ones are skipped");
    assert_eq!(does(&mut model, Press::Up(1)), (1, Some(0)));
    assert_eq!(
        does(&mut model, Press::Right(1)),
        (0, None),
        "its first sound, for the chosen one is elsewhere"
    );
}

#[test]
fn enter_on_a_folded_group_unfolds_it_and_on_a_sound_auditions() {
    let mut model = grouped();
    does(&mut model, Press::Down(1));
    does(&mut model, Press::Left(1));
    assert_eq!(does(&mut model, Press::Enter), (2, None), "the chosen one is in it");
    assert_eq!(update(&mut model, Msg::Press(Press::Enter), ms(0)), [note_on(0, 2, 60)]);
}

#[test]
fn with_shift_all_groups_are_folded_and_unfolded() {
    let mut model = grouped();
    assert_eq!(does(&mut model, Press::Left(MANY)), (0, Some(0)));
    assert_eq!(model.list.rows, [ListRow::Group(0), ListRow::Group(1), ListRow::Sound(3)]);
    assert_eq!(does(&mut model, Press::End), (3, None));
    assert_eq!(does(&mut model, Press::Left(1)), (3, None), "it has no group");
    does(&mut model, Press::Right(MANY));
    assert_eq!(model.list.rows.len(), 7);
}
