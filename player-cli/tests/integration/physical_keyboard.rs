//! Notes by where a key is, whatever is printed on it.

use crate::pty;
use portable_pty::CommandBuilder;
use pty::{Jam, Speaks, Terminal};

#[test]
fn keys_of_other_keyboards_play_by_where_they_are_and_are_shown_as_they_are_printed() {
    for (keyboard, typed, shown) in [("qwertz", "yxq", " Y │ X │"), ("azerty", "wxa", " W │ X │")] {
        let mut jam = Jam::real(&["--keyboard", keyboard]);
        jam.terminal.shows(shown);
        jam.terminal.shows(&format!("{keyboard}  octave C3"));
        for key in typed.chars() {
            jam.terminal.tap(key);
        }
        let expected = ["on 0 C3 #10 100", "off 0", "on 1 D3 #10 100", "off 1", "on 2 C4 #10 100", "off 2"];
        jam.has_played(&expected);
        jam.terminal.press("\x1b[99;5u");
        assert_eq!(jam.terminal.end(), 0);
    }
}

#[test]
fn the_locale_guesses_the_keyboard() {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
    command.args(["jam", "demo:", "--device", "null"]);
    let mut terminal = Terminal::in_locale(Speaks::Nothing, command, "fr_FR.UTF-8");
    terminal.shows("azerty  octave C3");
    terminal.press("\x03");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_terminal_that_reports_where_keys_are_needs_no_guess() {
    for (keys, octave, shown) in [
        ([('y', 'z'), ('x', 'x'), ('q', 'q')], "qwertz  octave C3", " Y │ X │"),
        ([('w', 'z'), ('x', 'x'), ('a', 'q')], "azerty  octave C3", " W │ X │"),
        ([('я', 'z'), ('ч', 'x'), ('й', 'q')], "octave C3", " Я │ Ч │"),
    ] {
        let mut jam = Jam::real(&[]);
        for (typed, us_key) in keys {
            for kind in [1, 2, 3] {
                jam.terminal.key_at(typed, us_key, kind);
            }
        }
        jam.terminal.shows(octave);
        jam.terminal.shows(shown);
        let played = ["on 0 C3 #10 100", "off 0", "on 1 D3 #10 100", "off 1", "on 2 C4 #10 100", "off 2"];
        jam.has_played(&played);
        jam.ends_having_played(&played);
    }
}

#[test]
fn a_keyboard_that_was_asked_for_is_believed_more_than_the_terminal() {
    let mut jam = Jam::real(&["--keyboard", "qwerty"]);
    jam.terminal.key_at('y', 'z', 1);
    jam.terminal.key_at('y', 'z', 3);
    jam.ends_having_played(&["on 0 A4 #10 100", "off 0"]);
}
