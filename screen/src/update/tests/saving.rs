//! Saving sounds: at once, or from a menu where there is more than one.

use std::collections::BTreeMap;

use super::*;
use player::live::SavedFormat;
use player::saved_instrument::Arrangement;

/// Returns a pad, two drums of a group, one of them empty, and a cue.
fn model() -> Model {
    let recorded = |name, loops| SoundEntry { rate: Some(22_050), ..entry(name, loops) };
    let silent = SoundEntry { silent: Some("empty".to_owned()), ..recorded("Drums.Nothing", false) };
    let sounds = vec![recorded("Pad", true), recorded("Drums.Kick", false), silent, entry("Cue", false)];
    Model::new("test.uax".to_owned(), "null".to_owned(), Hz::new(48_000).unwrap(), sounds, (64, 256))
}

fn command(model: &mut Model, command: KeyCommand) -> Vec<Intent> {
    update(model, Msg::Press(Press::Command(command)), ms(0))
}

fn saves(sounds: &[usize], format: SavedFormat, name: &str) -> Vec<Intent> {
    let (sounds, zones, name) = (sounds.to_vec(), BTreeMap::new(), name.to_owned());
    vec![Intent::SaveSounds(SaveRequest { sounds, zones, format, name })]
}

/// Returns what the menu shows.
fn choices(model: &Model) -> Vec<&str> {
    let choices = model.saving.iter().flat_map(|menu| &menu.choices);
    choices.map(|(what, _)| what.as_str()).collect()
}

#[test]
fn a_chosen_sound_is_saved_at_once() {
    let mut model = model();
    assert_eq!(command(&mut model, KeyCommand::SaveSound), saves(&[0], SavedFormat::Wav, "Pad"));
    assert_eq!(model.saving, None);
}

#[test]
fn what_has_no_recording_of_its_own_is_saved_as_an_instrument() {
    let mut model = Model { chosen: 3, ..model() };
    assert_eq!(command(&mut model, KeyCommand::SaveSound), []);
    assert_eq!(choices(&model), ["Cue as SFZ", "Cue as SoundFont"]);
}

#[test]
fn a_search_can_be_saved_whole_but_for_what_is_silent() {
    let mut model = Model { chosen: 1, ..model() };
    command(&mut model, KeyCommand::Search);
    "drums".chars().for_each(|c| drop(press(&mut model, c, 0)));
    update(&mut model, Msg::Press(Press::Enter), ms(0));
    assert_eq!(command(&mut model, KeyCommand::SaveSound), []);
    let shown = [
        "Drums.Kick as WAV",
        "1 sound as SFZ: test drums",
        "1 sound as SoundFont: test drums",
        "1 sound as an instrument",
    ];
    assert_eq!(choices(&model), shown);
    update(&mut model, Msg::Press(Press::Down(2)), ms(0));
    let saved = update(&mut model, Msg::Press(Press::Enter), ms(0));
    assert_eq!(saved, saves(&[1], SavedFormat::SoundFont, "test drums"));
    assert_eq!(model.saving, None);
}

#[test]
fn a_kit_is_saved_with_a_key_for_each_sound() {
    let mut model = model();
    command(&mut model, KeyCommand::Map);
    command(&mut model, KeyCommand::SaveSound);
    update(&mut model, Msg::Press(Press::Down(1)), ms(0));
    let saved = update(&mut model, Msg::Press(Press::Enter), ms(0));
    assert_eq!(saved, saves(&[0, 1, 3], SavedFormat::Sfz { is_kit: true }, "test kit"));
}

#[test]
fn a_folded_group_is_saved_instead_of_a_sound() {
    let mut model = Model { chosen: 1, ..model() };
    update(&mut model, Msg::Press(Press::Left(1)), ms(0));
    command(&mut model, KeyCommand::SaveSound);
    assert_eq!(
        choices(&model),
        ["1 sound as SFZ: Drums", "1 sound as SoundFont: Drums", "1 sound as an instrument"]
    );
    for key in [Press::Escape, Press::Command(KeyCommand::SaveSound)] {
        let mut other = model.clone();
        assert_eq!(update(&mut other, Msg::Press(key), ms(0)), []);
        assert_eq!(other.saving, None);
    }
}

#[test]
fn an_empty_sound_is_not_saved() {
    let mut model = Model { chosen: 2, ..model() };
    assert_eq!(command(&mut model, KeyCommand::SaveSound), []);
    assert!(model.saving.is_none() && (model.warning.is_some() || model.notice.is_some()));
}

#[test]
fn picked_sounds_are_saved_as_one_instrument_in_the_order_in_which_they_were_picked() {
    let mut model = Model { chosen: 1, ..model() };
    command(&mut model, KeyCommand::Pick);
    assert_eq!((&model.list.picked, model.chosen), (&vec![1], 2));
    // What is silent is not picked, and says why.
    command(&mut model, KeyCommand::Pick);
    assert_eq!((&model.list.picked, model.chosen), (&vec![1], 2));
    assert!(model.warning.is_some() || model.notice.is_some());
    model.chosen = 0;
    command(&mut model, KeyCommand::Pick);
    assert_eq!(model.list.picked, [1, 0]);
    assert_eq!(command(&mut model, KeyCommand::SaveSound), []);
    let shown = [
        "Cue as SFZ",
        "Cue as SoundFont",
        "2 sounds as SFZ: test instrument",
        "2 sounds as SoundFont: test instrument",
        "2 sounds as an instrument, kit: a key each from C2",
        "2 sounds as an instrument, velocities: layers, the softest first",
        "2 sounds as an instrument, turns: one after another on all keys",
        "2 sounds as an instrument, stack: all together",
    ];
    assert_eq!(choices(&model), shown);
    update(&mut model, Msg::Press(Press::Down(5)), ms(0));
    let saved = update(&mut model, Msg::Press(Press::Enter), ms(0));
    let format = SavedFormat::Instrument(Arrangement::Velocities);
    assert_eq!(saved, saves(&[1, 0], format, "test instrument"));
}

#[test]
fn a_group_is_picked_whole_and_no_longer_once_all_of_it_is() {
    let mut model = model();
    let group = model.list.groups.iter().position(|group| group.name == "Drums");
    model.list.marked = group;
    command(&mut model, KeyCommand::Pick);
    assert_eq!(model.list.picked, [1]);
    model.list.marked = group;
    command(&mut model, KeyCommand::Pick);
    assert_eq!(model.list.picked, [] as [usize; 0]);
}

#[test]
fn picked_sounds_are_the_kit() {
    let mut model = model();
    (model.chosen, model.map) = (3, KeyMapMode::Kit);
    command(&mut model, KeyCommand::Pick);
    model.chosen = 0;
    command(&mut model, KeyCommand::Pick);
    assert_eq!(model.kit_sounds(), [3, 0]);
}
