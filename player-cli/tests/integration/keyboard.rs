//! `jam` on terminals that tell when a key is released and on those that do not: the log of notes is exact, and the
//! terminal is put back.

use crate::pty;
use std::fs;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
use pty::{ASKED, CONTROL, ENTER, Jam, SHIFT, SUPER, Speaks, Terminal, log};
use screen::draw::Theme;
use screen::terminal::TerminalScreen;
use tempfile::TempDir;

/// How the screen says so.
const REAL: &str = "release=real";
const GATE: &str = "release=gate (this terminal sends no key-up";

const TAB: char = '\t';
const FOCUS_LOST: &str = "\x1b[O";
const F2: &str = "\x1bOQ";
const F7: &str = "\x1b[18~";
const DOWN: &str = "\x1b[B";

#[test]
fn the_notes_of_a_chord_end_with_their_own_keys_in_any_order() {
    let mut jam = Jam::real(&[]);
    jam.terminal.shows(REAL);
    for key in ['z', 'c', 'b'] {
        jam.terminal.down(key);
    }
    jam.terminal.shows("voices 3/64");
    jam.terminal.up('c');
    jam.terminal.down('n');
    for key in ['z', 'n', 'b'] {
        jam.terminal.up(key);
    }
    jam.terminal.shows("voices 0/64");
    jam.ends_having_played(&[
        "on 0 C3 #10 100",
        "on 1 E3 #10 100",
        "on 2 G3 #10 100",
        "off 1",
        "on 3 A3 #10 100",
        "off 0",
        "off 3",
        "off 2",
    ]);
}

#[test]
fn a_held_key_is_one_note_however_often_it_repeats() {
    let mut jam = Jam::real(&[]);
    jam.terminal.down('z');
    for _ in 0..100 {
        jam.terminal.repeat('z');
    }
    jam.terminal.down('x');
    jam.terminal.up('z');
    jam.terminal.up('x');
    jam.ends_having_played(&["on 0 C3 #10 100", "on 1 D3 #10 100", "off 0", "off 1"]);
}

#[test]
fn all_keys_at_once_are_as_many_notes() {
    let mut jam = Jam::real(&["--layout", "rows"]);
    let keys: Vec<char> = "zxcvbnm,./asdfghjkl;qwertyuiop1234567890".chars().collect();
    keys.iter().for_each(|key| jam.terminal.down(*key));
    keys.iter().rev().for_each(|key| jam.terminal.up(*key));
    let mut expected = Vec::new();
    for number in 0..keys.len() {
        let semitone = number / 10 * 5 + number % 10;
        let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
        expected.push(format!("on {number} {}{} #10 100", names[semitone % 12], 3 + semitone / 12));
    }
    expected.extend((0..keys.len()).rev().map(|number| format!("off {number}")));
    jam.ends_having_played(&expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn shift_and_the_desktops_keys_neither_begin_nor_hide_a_release() {
    let mut jam = Jam::real(&[]);
    jam.terminal.down('z');
    jam.terminal.key('z', SHIFT, 3);
    jam.terminal.key('x', SHIFT, 1);
    jam.terminal.key('x', CONTROL, 3);
    jam.terminal.key('c', SUPER, 1);
    jam.terminal.key('c', 0, 3);
    jam.terminal.up('v');
    jam.ends_having_played(&["on 0 C3 #10 100", "off 0", "on 1 D3 #10 100", "off 1"]);
}

#[test]
fn losing_the_focus_releases_every_key() {
    let mut jam = Jam::real(&[]);
    jam.terminal.down('z');
    jam.terminal.down('c');
    jam.terminal.press(FOCUS_LOST);
    jam.terminal.shows("voices 0/64");
    jam.terminal.press("\x1b[I");
    jam.terminal.repeat('z');
    jam.terminal.up('z');
    jam.terminal.tap('c');
    jam.ends_having_played(&[
        "on 0 C3 #10 100",
        "on 1 E3 #10 100",
        "off 0",
        "off 1",
        "on 2 E3 #10 100",
        "off 2",
    ]);
}

#[test]
fn a_key_ends_its_note_whatever_is_switched_while_it_is_down() {
    for (switch, shown) in [
        ("\x1b[9u", "release=latch"),
        (F2, "layout rows"),
        (F7, "map kit"),
        (DOWN, REAL),
        ("\x1b[93u", "octave C4"),
        ("\x1b[61u", "vel 108"),
    ] {
        let mut jam = Jam::real(&[]);
        jam.terminal.down('z');
        jam.terminal.down('q');
        jam.terminal.press(switch);
        jam.terminal.shows(shown);
        jam.terminal.shows("voices 2/64");
        jam.terminal.up('q');
        jam.terminal.up('z');
        jam.terminal.shows("voices 0/64");
        jam.ends_having_played(&["on 0 C3 #10 100", "on 1 C4 #10 100", "off 1", "off 0"]);
    }
}

#[test]
fn tab_goes_from_real_to_latch_to_oneshot_and_back() {
    let mut jam = Jam::real(&[]);
    jam.terminal.tap(TAB);
    jam.terminal.shows("release=latch");
    jam.terminal.tap('z');
    jam.terminal.tap('x');
    jam.terminal.tap('z');
    jam.terminal.tap(TAB);
    jam.terminal.shows("release=oneshot");
    jam.terminal.tap('q');
    jam.has_played(&["on 0 C3 #10 100", "on 1 D3 #10 100", "off 0", "off 1", "on 2 C4 #10 100", "off 2"]);
    let log = jam.log();
    assert!(log[5].0 - log[4].0 >= 0.5, "a loop is played once through: {log:?}");
    jam.terminal.tap(TAB);
    jam.terminal.shows(REAL);
    let before = jam.played();
    jam.terminal.tap('z');
    let expected = [before, vec!["on 3 C3 #10 100".to_owned(), "off 3".to_owned()]].concat();
    jam.ends_having_played(&expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_storm_of_sizes_loses_no_key_and_the_last_size_is_drawn() {
    let mut jam = Jam::real(&[]);
    let mut expected = Vec::new();
    for n in 0..100 {
        let (columns, rows) = [(80, 24), (1, 1), (200, 60), (79, 24), (120, 40)][n % 5];
        jam.terminal.resize(columns, rows);
        jam.terminal.signal("WINCH");
        if n % 10 == 0 {
            jam.terminal.tap('z');
            let number = n / 10;
            expected.extend([format!("on {number} C3 #10 100"), format!("off {number}")]);
        }
    }
    jam.terminal.resize(100, 30);
    jam.terminal.shows("F10 quit");
    jam.terminal.until("edge at column 100", |terminal| {
        let contents = terminal.contents();
        let edge = contents.lines().nth(1).unwrap_or_default();
        edge.contains(" Sounds ") && edge.chars().count() == 100 && contents.lines().count() == 30
    });
    jam.ends_having_played(&expected.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Run by a shell that controls jobs, as a person would: to the shell with Ctrl-Z, back with `fg`. The shell shows
/// how many characters it was typed.
#[test]
fn a_shell_gets_the_terminal_as_it_was_with_nothing_typed_into_it_and_fg_takes_it_again() {
    let folder = TempDir::new().unwrap();
    let mut command = CommandBuilder::new("sh");
    let script = r#""$0" jam demo: Warm --device null --log "$1"
        echo stopped; read typed; echo "read ${#typed}"; read go
        fg; echo "ended $?"; read typed; echo "at last ${#typed}""#;
    command.args(["-m", "-c", script, env!("CARGO_BIN_EXE_usampler"), &log(&folder)]);
    let terminal = Terminal::running(Speaks::Kitty, command);
    let mut jam = Jam { terminal, folder };
    jam.terminal.shows(REAL);
    jam.terminal.down('z');
    jam.terminal.shows("voices 1/64");
    jam.terminal.up_belatedly('z', CONTROL);
    jam.terminal.key('z', CONTROL, 1);
    jam.terminal.shows("stopped");
    jam.terminal.is_put_back();
    jam.terminal.press("\n");
    jam.terminal.shows("read 0");
    jam.terminal.press("\n");
    jam.terminal.shows(REAL);
    assert_eq!(jam.terminal.asked(), ASKED);
    jam.terminal.tap('x');
    jam.terminal.shows("voices 0/64");
    jam.terminal.up_belatedly('q', CONTROL);
    jam.terminal.key('q', CONTROL, 1);
    jam.terminal.shows("ended 0");
    jam.terminal.press("\n");
    jam.terminal.shows("at last 0");
    assert_eq!(jam.terminal.end(), 0);
    jam.terminal.is_put_back();
    let expected = ["on 0 C3 #10 100", "off all", "suspend", "on 1 D3 #10 100", "off 1", "quit"];
    assert_eq!(jam.played(), expected);
}

#[test]
fn signals_put_the_terminal_back_while_keys_are_down() {
    for signal in ["TERM", "INT", "HUP", "QUIT"] {
        let mut jam = Jam::real(&[]);
        jam.terminal.down('z');
        jam.terminal.down('c');
        jam.has_played(&["on 0 C3 #10 100", "on 1 E3 #10 100"]);
        jam.terminal.signal(signal);
        assert_eq!(jam.terminal.end(), 130, "{signal}");
        jam.terminal.is_put_back();
        assert_eq!(jam.played().len(), 2);
    }
}

/// This test again, as a program in the terminal: what panics there is a thread, and nothing is dropped.
#[test]
fn a_panic_puts_the_terminal_back_before_it_is_reported() {
    const IN_TERMINAL: &str = "PANICS_IN_TERMINAL";
    if std::env::var_os(IN_TERMINAL).is_some() {
        let screen = TerminalScreen::open(Theme { ascii: true, ..Theme::plain() }, false).unwrap();
        assert!(screen.tells_release());
        let _ = thread::spawn(|| panic!("it was meant to be")).join();
        std::process::exit(0);
    }
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "keyboard::a_panic_puts_the_terminal_back_before_it_is_reported",
        "--nocapture",
    ]);
    command.env(IN_TERMINAL, "1");
    let mut terminal = Terminal::running(Speaks::Kitty, command);
    assert_eq!(terminal.end(), 0, "{}", terminal.printed);
    terminal.is_put_back();
    assert!(terminal.contents().contains("it was meant to be"), "on the screen that stays");
}

#[test]
fn the_stop_signal_releases_the_notes_and_puts_the_terminal_back() {
    let mut jam = Jam::real(&[]);
    jam.terminal.down('z');
    jam.has_played(&["on 0 C3 #10 100"]);
    jam.terminal.signal("TSTP");
    jam.terminal.stops();
    jam.terminal.is_put_back();
    jam.terminal.signal("CONT");
    jam.terminal.shows("voices 0/64");
    assert_eq!(jam.terminal.asked(), ASKED);
    jam.terminal.up('z');
    jam.ends_having_played(&["on 0 C3 #10 100", "off all", "suspend"]);
}

#[test]
fn a_terminal_that_tells_no_release_gates_each_key_by_itself() {
    let mut jam = Jam::on(Speaks::Nothing, &[]);
    jam.terminal.shows(GATE);
    jam.terminal.down('z');
    sleep(Duration::from_millis(200));
    jam.terminal.down('c');
    jam.has_played(&["on 0 C3 #10 100", "on 1 E3 #10 100", "off 0", "off 1"]);
    let log = jam.log();
    assert!(log[2].0 - log[0].0 >= 0.6 && log[3].0 - log[1].0 >= 0.6, "{log:?}");
    assert!(!jam.terminal.printed.contains("\x1b[>"), "nothing is sent that it does not know");
    assert!(!jam.terminal.printed.contains("\x1b[?1004"));
    let played = jam.played();
    jam.ends_having_played(&played.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn repeats_of_a_gated_note_begin_no_other() {
    let mut jam = Jam::on(Speaks::Nothing, &[]);
    jam.terminal.down('z');
    sleep(Duration::from_millis(250));
    for _ in 0..20 {
        jam.terminal.down('z');
        sleep(Duration::from_millis(5));
    }
    jam.has_played(&["on 0 C3 #10 100", "off 0"]);
    let log = jam.log();
    assert!(log[1].0 - log[0].0 >= 0.6, "{log:?}");
    jam.ends_having_played(&["on 0 C3 #10 100", "off 0"]);
}

#[test]
fn without_releases_tab_goes_from_gate_to_latch_to_oneshot_and_back() {
    let mut jam = Jam::on(Speaks::Nothing, &[]);
    jam.terminal.down(TAB);
    jam.terminal.shows("release=latch (press on, press off; Tab = oneshot)");
    jam.terminal.down('z');
    jam.terminal.down('x');
    jam.has_played(&["on 0 C3 #10 100", "on 1 D3 #10 100"]);
    // Longer than any repeat takes.
    sleep(Duration::from_secs(1));
    jam.terminal.down('z');
    jam.terminal.down(TAB);
    jam.terminal.shows("release=oneshot (every press plays out; Tab = gate)");
    jam.terminal.down(TAB);
    jam.terminal.shows(GATE);
    jam.ends_having_played(&["on 0 C3 #10 100", "on 1 D3 #10 100", "off 0", "off 1"]);
}

#[test]
fn a_terminal_that_grants_only_part_of_the_protocol_is_played_with_gate() {
    for granted in [0, 1, 1 | 2, 1 | 8] {
        let mut jam = Jam::on(Speaks::Only(granted), &[]);
        jam.terminal.shows(GATE);
        assert_eq!(jam.terminal.asked(), (0, false), "{granted}");
        jam.terminal.down('z');
        jam.has_played(&["on 0 C3 #10 100", "off 0"]);
        jam.ends_having_played(&["on 0 C3 #10 100", "off 0"]);
    }
}

#[test]
fn a_terminal_that_answers_nothing_is_not_waited_for_and_its_late_answer_is_no_key() {
    let begun = Instant::now();
    let mut jam = Jam::on(Speaks::Never, &[]);
    assert!(begun.elapsed() >= Duration::from_millis(900), "it was waited for");
    jam.terminal.shows(GATE);
    jam.terminal.press("\x1b[?11u\x1b[?62;22c");
    jam.terminal.down('z');
    jam.has_played(&["on 0 C3 #10 100", "off 0"]);
    jam.ends_having_played(&["on 0 C3 #10 100", "off 0"]);
}

#[test]
fn real_release_is_refused_where_there_is_none_and_gate_is_kept_where_there_is() {
    let mut terminal =
        Terminal::speaking(Speaks::Nothing, &["jam", "demo:", "--device", "null", "--release", "real"]);
    assert_eq!(terminal.end(), 2);
    assert!(terminal.printed.contains("this terminal does not report key releases"));
    assert!(terminal.printed.contains(ENTER));
    terminal.is_put_back();

    let mut jam = Jam::real(&["--release", "gate"]);
    jam.terminal.shows("release=gate (a press sounds 600 ms; Tab = latch)");
    jam.terminal.tap('z');
    jam.has_played(&["on 0 C3 #10 100", "off 0"]);
    assert!(jam.log()[1].0 - jam.log()[0].0 >= 0.6);
    jam.ends_having_played(&["on 0 C3 #10 100", "off 0"]);
}

#[test]
fn the_keys_of_a_daw_play_and_those_below_turn_the_octave() {
    let mut jam = Jam::real(&["--layout", "daw"]);
    jam.terminal.tap('a');
    jam.terminal.tap('w');
    jam.terminal.tap('x');
    jam.terminal.shows("octave C4");
    jam.terminal.tap('k');
    jam.terminal.tap('c');
    jam.terminal.tap('\'');
    jam.terminal.press("\x1bOP");
    jam.terminal.shows("[ ] Z X ");
    jam.terminal.shows("octave down, up");
    jam.ends_having_played(&[
        "on 0 C3 #10 100",
        "off 0",
        "on 1 C#3 #10 100",
        "off 1",
        "on 2 C5 #10 100",
        "off 2",
        "on 3 F5 #10 92",
        "off 3",
    ]);
}

#[test]
fn a_log_that_cannot_be_written_ends_it_before_the_terminal_is_taken() {
    let args = ["jam", "demo:", "--device", "null", "--log", "/no/such/folder/notes.log"];
    let mut terminal = Terminal::of(&args);
    assert_eq!(terminal.end(), 5);
    assert!(!terminal.printed.contains(ENTER));
}

#[test]
fn a_key_that_was_read_begins_its_note_in_the_block_that_comes_next() {
    let mut jam = Jam::real(&["--buffer", "512", "--rate", "48000"]);
    for key in "zxcvbnm".chars().cycle().take(50) {
        jam.terminal.tap(key);
        jam.terminal.read(Duration::from_millis(7));
    }
    jam.terminal.shows("voices 0/64");
    let log = fs::read_to_string(log(&jam.folder)).unwrap();
    let began: Vec<u64> = log
        .lines()
        .filter(|line| line.contains(" began "))
        .map(|line| line.split(' ').rev().nth(1).unwrap().parse().unwrap())
        .collect();
    assert_eq!(began.len(), 50, "{log}");
    // The device may be rendering a block just when the key comes.
    assert!(began.iter().all(|after| [0, 512].contains(after)), "{began:?}");
    assert!(began.contains(&0), "{began:?}");
}
