use super::*;

const CONTROL: KeyModifiers = KeyModifiers::CONTROL;
const NONE: KeyModifiers = KeyModifiers::NONE;

#[test]
fn each_command_has_one_row_with_keys_that_are_read_and_printed_alike() {
    for row in ROWS {
        assert_eq!(ROWS.iter().filter(|other| other.command == row.command).count(), 1, "{}", row.name);
        assert_eq!(ROWS.iter().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
        assert_eq!(row.command.row().name, row.name);
        assert_eq!(Keymap::default().named(row.command), row.keys.replace(' ', ", "));
        assert!(row.about.len() <= 72, "{} does not fit", row.name);
    }
    let keymap = Keymap::default();
    for (at, (chord, _)) in keymap.0.iter().enumerate() {
        assert!(keymap.0[..at].iter().all(|(other, _)| other != chord), "{chord} has two commands");
    }
}

#[test]
fn capitals_and_held_keys_that_do_not_matter_are_ignored() {
    let keymap = Keymap::default();
    assert_eq!(
        keymap.command(KeyChord::new(KeyCode::Char('F'), CONTROL | KeyModifiers::SHIFT)),
        Some(KeyCommand::Search)
    );
    assert_eq!(keymap.command(KeyChord::new(KeyCode::F(6), NONE)), Some(KeyCommand::Take));
    assert_eq!(
        keymap.command(KeyChord::new(KeyCode::F(6), KeyModifiers::SHIFT)),
        Some(KeyCommand::SaveRecent)
    );
    assert_eq!(keymap.command(KeyChord::new(KeyCode::Char('f'), NONE)), None, "it plays");
    assert_eq!(keymap.command(KeyChord::new(KeyCode::Left, NONE)), None, "it folds");
}

#[test]
fn a_command_that_is_moved_leaves_its_keys_and_takes_those_of_others() {
    let keymap: Keymap = "search=Ctrl-W,f4 suspend=".parse().unwrap();
    assert_eq!(keymap.named(KeyCommand::Search), "Ctrl-W, F4");
    assert_eq!(keymap.named(KeyCommand::Adjust), "");
    assert_eq!(keymap.named(KeyCommand::Suspend), "");
    assert_eq!(keymap.named(KeyCommand::Take), "F6, Ctrl-S");
    assert_eq!(keymap.command(KeyChord::new(KeyCode::F(3), NONE)), None);
    assert_eq!(keymap.command(KeyChord::new(KeyCode::F(4), NONE)), Some(KeyCommand::Search));
}

#[test]
fn characters_are_commands_on_the_screens_of_songs_only() {
    let keymap: Keymap = "mute=% softer=-,Ctrl-D".parse().unwrap();
    assert_eq!(keymap.typed('%'), Some(KeyCommand::Mute));
    assert_eq!(keymap.typed('-'), Some(KeyCommand::Softer));
    assert_eq!(keymap.typed('<'), Some(KeyCommand::PreviousSong));
    assert_eq!(keymap.typed('f'), None);
    assert_eq!(keymap.command(KeyChord::new(KeyCode::Char('<'), NONE)), None);
    assert_eq!(keymap.named(KeyCommand::PlaySong), "Space, Ctrl-T");
}

#[test]
fn control_c_quits_whatever_is_moved() {
    let keymap: Keymap = "quit=Ctrl-W".parse().unwrap();
    assert_eq!(keymap.command(KeyChord::new(KeyCode::Char('c'), CONTROL)), Some(KeyCommand::Quit));
    assert_eq!(keymap.command(KeyChord::new(KeyCode::F(10), NONE)), None);
}

#[test]
fn keys_that_cannot_be_are_refused_by_name() {
    let refused = |text: &str| text.parse::<Keymap>().unwrap_err().to_string();
    for (text, part) in [
        ("search", "a command and its keys"),
        ("find=F3", "find: no such command; there are help, layout"),
        ("search=Hyper-F", "only Ctrl, Alt and Shift"),
        ("search=F99", "no such key"),
        ("search=x", "plays or moves"),
        ("search=+", "plays or moves"),
        ("mute=x", "plays or moves"),
        ("search=Shift-Left", "plays or moves"),
        ("search=Ctrl-I", "is Tab"),
        ("search=Ctrl-C", "always quits"),
        ("search=F11 map=F11", "F11: two commands"),
        ("search=F10,Ctrl-Q", "no way out"),
    ] {
        assert!(refused(text).contains(part), "{text}: {}", refused(text));
    }
}

#[test]
fn the_guide_lists_the_keys_as_the_table_has_them() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/playing.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    for row in ROWS {
        let keys: Vec<String> = row.keys.split(' ').map(|key| format!("`{key}`")).collect();
        let line = format!("| {} | {} |", keys.join(", "), row.about);
        assert!(guide.lines().any(|other| other == line), "docs/playing.md lacks: {line}");
    }
}
