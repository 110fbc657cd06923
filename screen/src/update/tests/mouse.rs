//! What is clicked, marked and turned.

use engine::Waveform;
use player::live::{DeviceEntry, Picture};
use song::{FrameRange, Parameter};

use super::*;
use crate::hit_target::HitTarget;
use crate::model::{DeviceMenu, Ends};

fn does(model: &mut Model, action: MouseAction, target: HitTarget) -> Vec<Intent> {
    update(model, Msg::Mouse { action, target }, ms(0))
}

/// Returns the pad with the picture of 1,000 frames.
fn seen() -> Model {
    let waveform =
        Waveform { length: Frames::new(1000), channels: vec![vec![[-1.0, 1.0]]], ..Waveform::default() };
    let picture = Picture { sound: 0, recording: 0, recordings: 1, waveform: Some(waveform) };
    Model { picture: Some(picture), ..model() }
}

const fn wave(column: usize) -> HitTarget {
    HitTarget::Wave { column, columns: 100, is_top: false }
}

#[test]
fn a_click_chooses_and_another_on_the_same_sound_plays_it() {
    let mut model = model();
    let row = HitTarget::List(Some(1));
    assert_eq!(does(&mut model, MouseAction::Down, row), []);
    assert_eq!(model.chosen, 1);
    assert_eq!(does(&mut model, MouseAction::Down, row), [note_on(0, 1, 60)]);
    model.previews = true;
    assert_eq!(
        does(&mut model, MouseAction::Down, HitTarget::List(Some(0))),
        [note_off(0), note_on(1, 0, 60)]
    );
    assert_eq!(does(&mut model, MouseAction::Down, HitTarget::List(None)), []);
}

#[test]
fn a_click_leaves_the_rows_under_the_mouse_where_they_are() {
    let sounds = (0..40).map(|number| entry(&number.to_string(), false)).collect();
    let rate = Hz::new(48_000).unwrap();
    let mut model = Model::new("test.uax".to_owned(), "null".to_owned(), rate, sounds, (64, 256));
    model.size = (80, 24);
    model.chosen = 30;
    let seen = model.list.first_row(model.chosen, 12);
    assert_ne!(seen, 0);
    does(&mut model, MouseAction::Down, HitTarget::Piano(Some(0)));
    assert_eq!(model.list.first_row(model.chosen, 12), seen, "nothing was clicked in the list");
    does(&mut model, MouseAction::Down, HitTarget::List(Some(seen)));
    assert_eq!((model.chosen, model.list.first_row(model.chosen, 12)), (seen, seen));
}

#[test]
fn the_wheel_goes_through_the_list_turns_knobs_and_octaves() {
    let mut model = model();
    does(&mut model, MouseAction::Wheel(1), HitTarget::List(None));
    assert_eq!(model.chosen, 2, "three rows, as far as there are");
    does(&mut model, MouseAction::Wheel(-1), HitTarget::List(Some(2)));
    assert_eq!(model.chosen, 0);
    let intents = does(&mut model, MouseAction::Wheel(-1), HitTarget::Knob(Knob::Of(Parameter::Gain)));
    assert_eq!((intents.len(), model.voicing(0).gain.get()), (1, 0.5));
    does(&mut model, MouseAction::Wheel(1), HitTarget::Piano(None));
    assert_eq!(model.octave, 2);
}

#[test]
fn a_key_of_the_piano_sounds_as_long_as_the_button_is_down_and_slides_to_the_next() {
    for mode in [Mode::Gate, Mode::Real] {
        let mut model = Model { mode, ..model() };
        assert_eq!(does(&mut model, MouseAction::Down, HitTarget::Piano(Some(0))), [note_on(0, 0, 48)]);
        assert_eq!(model.notes[0].ends, Ends::KeyUp);
        assert_eq!(does(&mut model, MouseAction::Drag, HitTarget::Piano(Some(0))), []);
        let slid = does(&mut model, MouseAction::Drag, HitTarget::Piano(Some(2)));
        assert_eq!(slid, [note_off(0), note_on(1, 0, 50)]);
        assert_eq!(does(&mut model, MouseAction::Up, HitTarget::Nothing), [note_off(1)]);
        assert_eq!(does(&mut model, MouseAction::Drag, HitTarget::Piano(Some(4))), [], "no button is down");
    }
    let mut model = Model { mode: Mode::Latch, ..model() };
    does(&mut model, MouseAction::Down, HitTarget::Piano(Some(0)));
    assert_eq!(does(&mut model, MouseAction::Up, HitTarget::Piano(Some(0))), []);
    assert_eq!(does(&mut model, MouseAction::Down, HitTarget::Piano(Some(0))), [note_off(0)]);
}

#[test]
fn what_is_dragged_over_in_the_waveform_is_the_loop_from_then_on() {
    let mut model = seen();
    model.chosen = 0;
    does(&mut model, MouseAction::Down, wave(60));
    assert_eq!(does(&mut model, MouseAction::Drag, wave(20)), []);
    let range = FrameRange { start: Frames::new(200), end: Frames::new(610) };
    let voicing = Voicing { loop_range: Some(range), ..Voicing::default() };
    assert_eq!(
        does(&mut model, MouseAction::Up, HitTarget::Nothing),
        [Intent::Voice { sound: 0, voicing: Box::new(voicing) }]
    );
    assert_eq!((model.loops(0), model.loop_range(0)), (true, Some("200-610".to_owned())));
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Loop)), ms(0));
    assert_eq!((model.loops(0), model.loop_range(0)), (false, None));
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Undo)), ms(0));
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Undo)), ms(0));
    assert!(model.voicings.is_empty());
}

/// Returns the range of the loop after a drag over columns of 10 frames, where the wave rises through zero at frames.
fn dragged(crossings: &[u64], own: Option<(u64, u64)>, from: usize, to: usize) -> (u64, u64) {
    let mut model = seen();
    let waveform = model.picture.as_mut().and_then(|picture| picture.waveform.as_mut()).unwrap();
    waveform.rising_crossings = crossings.iter().copied().map(crossing).collect();
    if let Some((start, end)) = own {
        waveform.looping = Some((Frames::new(start), Frames::new(end), song::LoopMode::Forward));
        model.voicings.insert(0, Voicing { looping: Some(true), ..Voicing::default() });
    }
    does(&mut model, MouseAction::Down, wave(from));
    does(&mut model, MouseAction::Drag, wave(to));
    does(&mut model, MouseAction::Up, HitTarget::Nothing);
    let range = model.voicing(0).loop_range.unwrap();
    (range.start.get(), range.end.get())
}

#[test]
fn ends_of_a_loop_snap_to_rising_zero_crossings_that_are_near() {
    assert_eq!(dragged(&[230, 600], None, 20, 60), (230, 600));
    assert_eq!(dragged(&[263, 700], None, 20, 60), (200, 610), "1000 / 16 is 62 frames");
    assert_eq!(dragged(&[262, 672], None, 20, 60), (262, 672));
    assert_eq!(dragged(&[215], None, 20, 22), (200, 230), "both would be at the same crossing");
}

#[test]
fn the_end_of_a_loop_that_is_not_dragged_stays() {
    let own = Some((205, 605));
    assert_eq!(dragged(&[210, 610, 790], own, 60, 78), (205, 790));
    assert_eq!(dragged(&[210, 290, 610], own, 20, 30), (290, 605));
}

/// The row of the handles of the trim.
const fn top(column: usize) -> HitTarget {
    HitTarget::Wave { column, columns: 100, is_top: true }
}

fn drag(model: &mut Model, from: usize, to: usize) -> Option<(u64, u64)> {
    does(model, MouseAction::Down, top(from));
    does(model, MouseAction::Drag, top(to));
    does(model, MouseAction::Up, HitTarget::Nothing);
    model.voicing(0).trim.map(|trim| (trim.start.get(), trim.end.get()))
}

#[test]
fn ends_of_a_sound_are_dragged_at_the_top_of_the_wave_and_undone() {
    let mut model = seen();
    assert_eq!(drag(&mut model, 0, 20), Some((200, 1000)));
    assert_eq!(drag(&mut model, 99, 60), Some((200, 610)));
    assert_eq!(drag(&mut model, 20, 30), Some((300, 610)));
    assert_eq!(drag(&mut model, 31, 99), Some((609, 610)), "the start stays before the end");
    let undo = |model: &mut Model| {
        update(model, Msg::Press(Press::Command(KeyCommand::Undo)), ms(0));
        model.voicing(0).trim.map(|trim| (trim.start.get(), trim.end.get()))
    };
    // The start was moved twice.
    assert_eq!([(); 3].map(|()| undo(&mut model)), [Some((200, 610)), Some((200, 1000)), None]);
    assert_eq!(model.voicing(0).loop_range, None);
    assert_eq!(drag(&mut model, 50, 70), None, "no handle is there");
    assert_eq!(model.voicing(0).loop_range.map(|range| range.start.get()), Some(500));
}

#[test]
fn a_trim_of_everything_is_none_and_its_ends_are_not_snapped() {
    let mut model = seen();
    let waveform = model.picture.as_mut().and_then(|picture| picture.waveform.as_mut()).unwrap();
    waveform.rising_crossings = [30, 205, 600, 990].map(crossing).to_vec();
    assert_eq!(drag(&mut model, 0, 20), Some((205, 1000)));
    assert_eq!(drag(&mut model, 99, 60), Some((205, 600)));
    assert_eq!(drag(&mut model, 59, 99), Some((205, 1000)));
    assert_eq!(drag(&mut model, 20, 25), Some((250, 1000)), "none is within a column");
    assert_eq!(drag(&mut model, 25, 0), None);
}

#[test]
fn a_trim_that_leaves_out_some_of_the_loop_ends_it() {
    let mut model = seen();
    drag(&mut model, 50, 70);
    assert!(model.loops(0));
    drag(&mut model, 99, 69);
    assert_eq!((model.loops(0), model.loop_range(0)), (false, None));
    assert_eq!(update(&mut model, Msg::Press(Press::Command(KeyCommand::Loop)), ms(0)), []);
    assert!(model.notice.take().is_some(), "it says why it does not loop");
    assert!(model.warning.take().is_some(), "it said so when it was trimmed");
    drag(&mut model, 69, 80);
    assert_eq!((model.loops(0), model.loop_range(0)), (true, Some("500-710".to_owned())));
}

#[test]
fn a_sound_of_several_recordings_is_not_trimmed() {
    let mut model = seen();
    model.picture.as_mut().unwrap().recordings = 2;
    assert_eq!(drag(&mut model, 0, 20), None);
    assert!(model.notice.is_some());
}

#[test]
fn a_click_on_the_waveform_plays_and_a_sound_of_several_recordings_keeps_its_loops() {
    let mut model = seen();
    does(&mut model, MouseAction::Down, wave(60));
    assert_eq!(does(&mut model, MouseAction::Up, wave(60)), [note_on(0, 0, 60)]);
    model.picture.as_mut().unwrap().recordings = 2;
    does(&mut model, MouseAction::Down, wave(60));
    does(&mut model, MouseAction::Drag, wave(70));
    assert_eq!(does(&mut model, MouseAction::Up, wave(70)), []);
    assert!(model.notice.is_some() && model.voicings.is_empty());
}

#[test]
fn a_row_of_a_menu_is_chosen_by_a_click_and_a_click_beside_it_closes_the_menu() {
    let entry = |name: &str| DeviceEntry { name: name.to_owned(), about: String::new(), plays: false };
    let menu = DeviceMenu { entries: Some(vec![entry("one"), entry("other")]), chosen: 0 };
    let mut model = Model { devices: Some(menu), ..model() };
    does(&mut model, MouseAction::Wheel(1), HitTarget::Menu(None));
    assert_eq!(model.devices.as_ref().unwrap().chosen, 1);
    let mut other = model.clone();
    assert_eq!(does(&mut model, MouseAction::Down, HitTarget::Menu(Some(0))), [Intent::UseDevice(0)]);
    assert_eq!(does(&mut other, MouseAction::Down, HitTarget::Menu(None)), []);
    assert!(other.devices.is_none());
}

#[test]
fn a_click_closes_the_help_and_does_nothing_else() {
    let mut model = Model { help: Some(HelpView::default()), ..model() };
    assert_eq!(does(&mut model, MouseAction::Down, HitTarget::Piano(Some(0))), []);
    assert!(model.help.is_none());
}
