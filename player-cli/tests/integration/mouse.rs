//! `jam` played with the mouse.

use crate::pty;
use pty::{Jam, Speaks, Terminal};

/// Presses the left button and lets it go.
fn click(terminal: &mut Terminal, (column, row): (u16, u16)) {
    terminal.mouse(0, column, row, 'M');
    terminal.mouse(0, column, row, 'm');
}

#[test]
fn sounds_are_chosen_and_keys_played_with_the_mouse() {
    let mut jam = Jam::on(Speaks::Nothing, &[]);
    assert!(jam.terminal.has_mouse());
    let (line, row) = jam.terminal.find("│C4 ");
    let middle_c = (line + 2, row);
    jam.terminal.mouse(0, middle_c.0, middle_c.1 - 1, 'M');
    jam.has_played(&["on 0 C4 #10 100"]);
    jam.terminal.mouse(32, middle_c.0 + 4, middle_c.1 - 1, 'M');
    jam.has_played(&["on 0 C4 #10 100", "off 0", "on 1 D4 #10 100"]);
    jam.terminal.mouse(0, middle_c.0 + 4, middle_c.1 - 1, 'm');
    let laser = jam.terminal.find("Laser");
    click(&mut jam.terminal, laser);
    jam.terminal.shows("#11 of 11");
    click(&mut jam.terminal, laser);
    jam.has_played(&["on 0 C4 #10 100", "off 0", "on 1 D4 #10 100", "off 1", "on 2 C4 #11 100"]);
    jam.terminal.mouse(64, laser.0, laser.1, 'M');
    jam.terminal.shows("#8 of 11");
    jam.terminal.press("\x03");
    assert_eq!(jam.terminal.end(), 0);
    jam.terminal.is_put_back();
}

#[test]
fn a_loop_is_marked_on_the_waveform_and_undone() {
    let mut jam = Jam::on(Speaks::Nothing, &[]);
    // The waveform comes after the first picture.
    jam.terminal.shows("⣿");
    jam.terminal.shows("─ loop 3000-11091 ");
    // The waveform fills the columns from the middle of the screen to its right.
    jam.terminal.mouse(0, 54, 4, 'M');
    jam.terminal.mouse(32, 60, 9, 'M');
    jam.terminal.mouse(0, 63, 12, 'm');
    jam.terminal.shows("*loop on");
    assert!(!jam.terminal.contents().contains("─ loop 3000-11091 "));
    jam.terminal.press("\x15");
    jam.terminal.shows("undone: loop");
    jam.terminal.shows("─ loop 3000-11091 ");
    jam.terminal.press("\x03");
    assert_eq!(jam.terminal.end(), 0);
}

#[test]
fn without_the_mouse_the_terminal_selects_as_always() {
    let mut jam = Jam::on(Speaks::Nothing, &["--mouse", "off"]);
    assert!(!jam.terminal.has_mouse());
    jam.terminal.press("\x03");
    assert_eq!(jam.terminal.end(), 0);
}
