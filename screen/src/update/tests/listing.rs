//! Sounds that are listed and loaded while others are played.

use std::collections::BTreeMap;

use super::*;
use crate::model::list::ListRow;

fn in_package(package: &str, name: &str) -> SoundEntry {
    SoundEntry { group: package.to_owned(), ..entry(&format!("{package}/{name}"), false) }
}

fn lists(model: &mut Model, sounds: Vec<SoundEntry>, chosen: Option<usize>) {
    let message = Msg::Live(LiveEvent::Listed {
        sounds,
        voicings: BTreeMap::new(),
        chosen,
        is_one_of_many: true,
        switches: Vec::new(),
    });
    assert_eq!(update(model, message, ms(0)), []);
}

#[test]
fn packages_are_groups_folded_but_for_the_one_with_the_first_sound_that_can_be_played() {
    let mut model = model();
    model.sounds.clear();
    model.list = SoundList::default();
    model.is_listing = true;
    let silent = SoundEntry { silent: Some("why".to_owned()), ..in_package("a", "Silent") };
    lists(&mut model, vec![silent], None);
    lists(&mut model, vec![in_package("b", "One"), in_package("b", "Two")], None);
    lists(&mut model, vec![in_package("c", "Three")], None);
    update(&mut model, Msg::Live(LiveEvent::AllListed), ms(0));
    assert_eq!((model.chosen, model.is_listing), (1, false));
    use ListRow::{Group, Sound};
    assert_eq!(model.list.rows, [Group(0), Sound(0), Group(1), Sound(1), Sound(2), Group(2)]);
    // Whoever looks around meanwhile stays there.
    model.list.marked = Some(2);
    lists(&mut model, vec![in_package("d", "Four")], None);
    assert_eq!((model.chosen, model.list.marked), (1, Some(2)));
    model.list.marked = None;
    // F9 goes to the next, round and round.
    let goes: Vec<usize> = (0..5)
        .map(|_| {
            update(&mut model, Msg::Press(Press::Command(KeyCommand::NextGroup)), ms(0));
            model.chosen
        })
        .collect();
    assert_eq!(goes, [3, 4, 0, 1, 3]);
    assert!(model.list.rows.contains(&Sound(3)));
}

#[test]
fn the_rest_of_a_package_goes_on_where_its_first_sounds_end_and_moves_nothing() {
    let mut model = model();
    model.sounds.clear();
    model.list = SoundList::default();
    model.is_listing = true;
    let mut lists = |sounds: Vec<SoundEntry>| {
        let (voicings, chosen) = (BTreeMap::new(), None);
        update(
            &mut model,
            Msg::Live(LiveEvent::Listed {
                sounds,
                voicings,
                chosen,
                is_one_of_many: false,
                switches: Vec::new(),
            }),
            ms(0),
        );
        (model.chosen, model.list.marked, model.list.rows.clone())
    };
    use ListRow::{Group, Sound};
    let first = lists(vec![in_package("a", "One"), in_package("b", "Two")]);
    assert_eq!(first, (0, None, vec![Group(0), Sound(0), Group(1), Sound(1)]));
    let all = lists(vec![in_package("b", "Three"), in_package("c", "Four")]);
    assert_eq!(all, (0, None, vec![Group(0), Sound(0), Group(1), Sound(1), Sound(2), Group(2), Sound(3)]));
}

#[test]
fn what_was_asked_for_is_chosen_when_it_comes_and_what_is_played_by_then_stays_as_it_is() {
    let mut model = model();
    let begun = press(&mut model, 'z', 0);
    lists(&mut model, vec![in_package("b", "One"), in_package("b", "Two")], Some(4));
    assert_eq!((model.chosen, model.notes.len(), begun.len()), (4, 1, 1));
    lists(&mut model, vec![in_package("c", "Three")], None);
    assert_eq!(model.chosen, 4);
}

#[test]
fn a_note_that_waits_is_shown_until_it_begins_or_cannot() {
    let mut model = model();
    press(&mut model, 'z', 0);
    update(&mut model, Msg::Live(LiveEvent::Loading(0)), ms(0));
    assert_eq!(model.loading, Some(0));
    update(&mut model, Msg::Live(LiveEvent::Began(NoteNumber(0), Frames::ZERO)), ms(1));
    assert_eq!(model.loading, None);
    update(&mut model, Msg::Live(LiveEvent::Loading(0)), ms(2));
    update(
        &mut model,
        Msg::Live(LiveEvent::Unplayable(0, Unplayable::Undecoded("it is damaged".to_owned()))),
        ms(3),
    );
    assert_eq!((model.loading, model.notes.len()), (None, 0));
    assert_eq!(model.warning.as_deref(), Some("#1 Pad: it is damaged"));
    model.warning = None;
    // Nobody asked for this one.
    update(
        &mut model,
        Msg::Live(LiveEvent::Unplayable(1, Unplayable::Undecoded("it is damaged".to_owned()))),
        ms(4),
    );
    assert_eq!((model.warning.clone(), model.sounds[1].silent.is_some()), (None, true));
}

#[test]
fn near_is_the_chosen_sound_then_the_kit_and_then_what_is_around_it() {
    let sounds: Vec<SoundEntry> = (0..100).map(|number| entry(&format!("S{number:03}"), false)).collect();
    let mut model = Model { list: SoundList::of(sounds.iter().map(SoundEntry::listed)), sounds, ..model() };
    model.chosen = 50;
    assert_eq!(model.near()[..5], [50, 51, 49, 52, 48]);
    model.chosen = 0;
    assert_eq!(model.near()[..3], [0, 1, 2]);
    model.map = KeyMapMode::Kit;
    assert_eq!(model.near()[0], 0);
    assert!(model.near().contains(&20), "a key of the kit: {:?}", model.near());
}
