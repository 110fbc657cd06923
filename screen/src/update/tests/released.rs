//! On terminals that tell when a key is released.

use super::*;
use song::{FrameRange, Voicing};

fn real() -> Model {
    Model { mode: Mode::Real, tells_release: true, ..model() }
}

fn repeat(model: &mut Model, c: char, at: u64) -> Vec<Intent> {
    update(model, Msg::Repeat(Press::Char(c)), ms(at))
}

fn release(model: &mut Model, c: char) -> Vec<Intent> {
    update(model, Msg::Release(c), ms(0))
}

#[test]
fn a_note_sounds_from_its_press_to_its_release_whatever_repeats() {
    let mut model = real();
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 48)]);
    for at in 1..100 {
        assert_eq!(repeat(&mut model, 'z', at * 30), []);
        assert_eq!(press(&mut model, 'z', at * 30), [], "consoles report repeats as presses");
        assert_eq!(tick(&mut model, at * 30), []);
    }
    assert_eq!(release(&mut model, 'z'), [note_off(0)]);
    assert_eq!(release(&mut model, 'z'), [], "once");
}

#[test]
fn a_trill_faster_than_any_repeat_is_played() {
    let mut model = real();
    for (number, at) in (0..10).zip((0..).step_by(40)) {
        assert_eq!(press(&mut model, 'z', at), [note_on(number, 0, 48)]);
        assert_eq!(release(&mut model, 'z'), [note_off(number)]);
    }
}

#[test]
fn all_keys_at_once_are_notes_of_their_own_and_end_in_any_order() {
    for layout in [KeyboardLayout::Piano, KeyboardLayout::Rows, KeyboardLayout::Daw] {
        let mut model = Model { layout, ..real() };
        let keys: Vec<char> = Scheme::of(layout).notes().map(|(key, _)| key).collect();
        for key in &keys {
            assert_eq!(press(&mut model, *key, 0).len(), 1, "{key}");
        }
        for (number, key) in keys.iter().enumerate().rev() {
            assert_eq!(release(&mut model, *key), [note_off(number as u64)], "{key}");
        }
    }
}

#[test]
fn a_key_released_with_shift_or_caps_lock_ends_what_it_began_without() {
    for (struck, released) in [('z', 'Z'), ('Z', 'z'), (';', ':'), (',', '<'), ('2', '@')] {
        let mut model = real();
        assert_eq!(press(&mut model, struck, 0).len(), 1, "{struck}");
        assert_eq!(release(&mut model, released), [note_off(0)], "{struck} {released}");
        assert_eq!(press(&mut model, struck, 0).len(), 1, "{struck} is up again");
    }
}

#[test]
fn a_release_nobody_waits_for_is_ignored() {
    let mut model = real();
    for c in ['z', 'a', ' ', '[', ':', '\u{1}', '\u{10FFFF}'] {
        assert_eq!(release(&mut model, c), [], "{c:?}");
    }
    press(&mut model, 'z', 0);
    assert_eq!(release(&mut model, 'x'), []);
    update(&mut model, Msg::Live(LiveEvent::Ended(NoteNumber(0))), ms(0));
    assert_eq!(release(&mut model, 'z'), []);
}

#[test]
fn a_release_ends_the_note_of_its_key_whatever_was_switched_meanwhile() {
    let switches = [
        Press::Tab,
        Press::Command(KeyCommand::Layout),
        Press::Command(KeyCommand::Map),
        Press::Down(1),
        Press::Char(']'),
        Press::Char('='),
        Press::Command(KeyCommand::Help),
    ];
    for switch in switches {
        let mut model = real();
        press(&mut model, 'z', 0);
        press(&mut model, 'c', 0);
        assert_eq!(update(&mut model, Msg::Press(switch), ms(1)), [], "{switch:?}");
        assert_eq!(tick(&mut model, 60_000), [], "{switch:?}");
        assert_eq!(release(&mut model, 'c'), [note_off(1)], "{switch:?}");
        assert_eq!(release(&mut model, 'z'), [note_off(0)], "{switch:?}");
    }
}

#[test]
fn whoever_loses_the_focus_holds_no_key() {
    let mut model = real();
    press(&mut model, 'z', 0);
    press(&mut model, 'q', 0);
    assert_eq!(update(&mut model, Msg::FocusLost, ms(1)), [note_off(0), note_off(1)]);
    assert_eq!(repeat(&mut model, 'z', 2), [], "a key that is still held when the focus returns");
    assert_eq!(release(&mut model, 'z'), []);
    assert_eq!(press(&mut model, 'q', 3), [note_on(2, 0, 60)]);
}

#[test]
fn a_latched_note_outlives_the_focus() {
    let mut model = Model { mode: Mode::Latch, ..real() };
    press(&mut model, 'z', 0);
    assert_eq!(update(&mut model, Msg::FocusLost, ms(1)), []);
    assert_eq!(press(&mut model, 'z', 2), [note_off(0)]);
}

#[test]
fn a_key_held_while_the_program_sleeps_is_up_when_it_wakes() {
    let mut model = real();
    press(&mut model, 'z', 0);
    let intents = update(&mut model, Msg::Press(Press::Command(KeyCommand::Suspend)), ms(1));
    assert_eq!(intents, [Intent::ReleaseAll, Intent::Suspend]);
    assert_eq!(press(&mut model, 'z', 2), [note_on(1, 0, 48)]);
}

#[test]
fn in_the_kit_a_drum_plays_out_and_a_pad_ends_with_its_key() {
    let mut model = Model { map: KeyMapMode::Kit, octave: 2, ..real() };
    press(&mut model, 'z', 0);
    press(&mut model, 's', 0);
    assert_eq!(release(&mut model, 's'), []);
    assert_eq!(release(&mut model, 'z'), [note_off(0)]);
    let mut chromatic = Model { chosen: 1, ..real() };
    press(&mut chromatic, 'z', 0);
    assert_eq!(release(&mut chromatic, 'z'), [note_off(0)], "on the piano every note ends with its key");
}

#[test]
fn gate_mode_tells_a_strike_from_a_repeat() {
    let mut model = Model { mode: Mode::Gate, ..real() };
    assert_eq!(press(&mut model, 'z', 0), [note_on(0, 0, 48)]);
    assert_eq!(repeat(&mut model, 'z', 550), []);
    assert_eq!(tick(&mut model, 669), [], "the repeat at 550 prolongs it by 120");
    assert_eq!(release(&mut model, 'z'), []);
    assert_eq!(press(&mut model, 'z', 669), [note_off(0), note_on(1, 0, 48)]);
    assert_eq!(tick(&mut model, 1268), []);
    assert_eq!(tick(&mut model, 1269), [note_off(1)]);
}

#[test]
fn every_press_in_oneshot_mode_plays_out_and_a_loop_once_through() {
    let mut model = Model { mode: Mode::Oneshot, ..real() };
    assert_eq!(press(&mut model, 'q', 0), [note_on(0, 0, 60)]);
    assert_eq!(release(&mut model, 'q'), []);
    assert_eq!(press(&mut model, 'q', 100), [note_on(1, 0, 60)]);
    assert_eq!(press(&mut model, 'z', 100), [note_on(2, 0, 48)]);
    model.chosen = 1;
    press(&mut model, 'x', 100);
    assert_eq!(tick(&mut model, 899), []);
    assert_eq!(tick(&mut model, 900), [note_off(0)], "the pad lasts 900 ms at C4");
    assert_eq!(tick(&mut model, 1000), [note_off(1)]);
    assert_eq!(tick(&mut model, 1899), []);
    assert_eq!(tick(&mut model, 1900), [note_off(2)], "and twice as long an octave below");
    assert_eq!(tick(&mut model, 100_000), [], "the drum plays out");
}

#[test]
fn a_trimmed_loop_plays_once_through_its_trim_in_oneshot_mode() {
    let mut model = Model { mode: Mode::Oneshot, ..real() };
    model.sounds[0].length = Some(Frames::new(900));
    let trim = Some(FrameRange { start: Frames::new(100), end: Frames::new(800) });
    model.voicings.insert(0, Voicing { trim, ..Voicing::default() });
    press(&mut model, 'q', 0);
    assert_eq!(tick(&mut model, 699), []);
    assert_eq!(tick(&mut model, 701), [note_off(0)]);
}

#[test]
fn a_loop_of_one_cycle_is_heard_in_oneshot_mode() {
    let mut model = Model { mode: Mode::Oneshot, ..real() };
    model.sounds[0].lasts = ms(4);
    press(&mut model, 'z', 0);
    assert_eq!(tick(&mut model, 599), []);
    assert_eq!(tick(&mut model, 600), [note_off(0)]);
}

#[test]
fn tab_goes_through_the_modes_that_make_sense() {
    let modes = |mut model: Model| -> Vec<Mode> {
        (0..3)
            .map(|_| {
                tab(&mut model);
                model.mode
            })
            .collect()
    };
    assert_eq!(modes(real()), [Mode::Latch, Mode::Oneshot, Mode::Real]);
    assert_eq!(modes(model()), [Mode::Latch, Mode::Oneshot, Mode::Gate]);
    assert_eq!(modes(Model { mode: Mode::Gate, ..real() }), [Mode::Latch, Mode::Oneshot, Mode::Real]);
}

#[test]
fn a_held_command_goes_on_by_degrees_and_switches_once() {
    let mut model = real();
    let held = |model: &mut Model, press| update(model, Msg::Repeat(press), ms(0));
    held(&mut model, Press::Down(1));
    held(&mut model, Press::Char(']'));
    assert_eq!((model.chosen, model.octave), (1, 4));
    let before = model.clone();
    for press in [
        Press::Tab,
        Press::Command(KeyCommand::Help),
        Press::Command(KeyCommand::Layout),
        Press::Command(KeyCommand::Map),
        Press::Enter,
        Press::Command(KeyCommand::Quit),
        Press::Char(' '),
    ] {
        assert_eq!(held(&mut model, press), [], "{press:?}");
        assert_eq!(model, before, "{press:?}");
    }
}

#[test]
fn the_layout_decides_what_a_key_is() {
    let mut model = real();
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Layout)), ms(0));
    assert_eq!(model.layout, KeyboardLayout::Rows);
    assert_eq!(press(&mut model, 'a', 0), [note_on(0, 0, 53)]);
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Layout)), ms(0));
    assert_eq!(model.layout, KeyboardLayout::Daw);
    assert_eq!(press(&mut model, 'X', 0), []);
    assert_eq!(press(&mut model, 'v', 0), []);
    assert_eq!((model.octave, model.velocity.get()), (4, 108));
    assert_eq!(release(&mut model, 'a'), [note_off(0)]);
    update(&mut model, Msg::Press(Press::Command(KeyCommand::Layout)), ms(0));
    assert_eq!(model.layout, KeyboardLayout::Piano);
}
