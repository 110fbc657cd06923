use proptest::prelude::{any, proptest};

use super::*;

fn events(bytes: &str) -> Vec<TerminalEvent> {
    let mut parser = InputParser::default();
    parser.feed(bytes.as_bytes());
    if parser.is_within_sequence() {
        parser.end_sequence();
    }
    std::iter::from_fn(|| parser.next()).collect()
}

fn strokes(bytes: &str) -> Vec<KeyStroke> {
    let keys = events(bytes).into_iter().map(|event| match event {
        TerminalEvent::Key(stroke) => stroke,
        other => panic!("{other:?}"),
    });
    keys.collect()
}

fn pressed(bytes: &str) -> Vec<(KeyCode, KeyModifiers)> {
    strokes(bytes).into_iter().map(|stroke| (stroke.code, stroke.modifiers)).collect()
}

fn codes(bytes: &str) -> Vec<KeyCode> {
    strokes(bytes).into_iter().map(|stroke| stroke.code).collect()
}

#[test]
fn characters_are_keys() {
    let letters = ['z', 'Z', 'ö', '€', '😀'].map(KeyCode::Char);
    assert_eq!(codes("zZö€😀"), letters);
    assert_eq!(codes("\r\t\x7f\x08"), [KeyCode::Enter, KeyCode::Tab, KeyCode::Backspace, KeyCode::Backspace]);
    let control = |c| (KeyCode::Char(c), KeyModifiers::CONTROL);
    assert_eq!(pressed("\x03\x1a\x11"), ['c', 'z', 'q'].map(control));
    assert_eq!(pressed("\x1bz"), [(KeyCode::Char('z'), KeyModifiers::ALT)]);
}

#[test]
fn function_keys_and_arrows_are_known_as_each_terminal_sends_them() {
    let first_five = [1, 2, 3, 4, 5].map(KeyCode::F);
    assert_eq!(codes("\x1bOP\x1bOQ\x1bOR\x1bOS\x1b[15~"), first_five);
    assert_eq!(codes("\x1b[11~\x1b[12~\x1b[13~\x1b[14~\x1b[15~"), first_five);
    assert_eq!(codes("\x1b[[A\x1b[[B\x1b[[C\x1b[[D\x1b[[E"), first_five);
    assert_eq!(
        codes("\x1b[17~\x1b[18~\x1b[19~\x1b[20~\x1b[21~\x1b[23~\x1b[24~"),
        [6, 7, 8, 9, 10, 11, 12].map(KeyCode::F)
    );
    let arrows = [KeyCode::Up, KeyCode::Down, KeyCode::Right, KeyCode::Left];
    assert_eq!([codes("\x1b[A\x1b[B\x1b[C\x1b[D"), codes("\x1bOA\x1bOB\x1bOC\x1bOD")], [arrows, arrows]);
    let ends = [KeyCode::Home, KeyCode::End];
    for ways in ["\x1b[H\x1b[F", "\x1b[1~\x1b[4~", "\x1b[7~\x1b[8~", "\x1bOH\x1bOF"] {
        assert_eq!(codes(ways), ends);
    }
    assert_eq!(codes("\x1b[5~\x1b[6~\x1b[Z"), [KeyCode::PageUp, KeyCode::PageDown, KeyCode::BackTab]);
    assert_eq!(pressed("\x1b[1;2C"), [(KeyCode::Right, KeyModifiers::SHIFT)]);
    assert_eq!(pressed("\x1b[17;2~"), [(KeyCode::F(6), KeyModifiers::SHIFT)]);
}

#[test]
fn the_kitty_protocol_names_key_shifted_key_and_place() {
    let plain = KeyStroke::press(KeyCode::Char('y'), KeyModifiers::NONE);
    assert_eq!(strokes("\x1b[121u"), [plain]);
    assert_eq!(strokes("\x1b[121::122u"), [KeyStroke { us_key: Some('z'), ..plain }]);
    let shifted = KeyStroke {
        modifiers: KeyModifiers::SHIFT,
        kind: KeyEventKind::Repeat,
        shifted: Some('Y'),
        us_key: Some('z'),
        ..plain
    };
    assert_eq!(strokes("\x1b[121:89:122;2:2u"), [shifted]);
    assert_eq!(
        strokes("\x1b[121::122;1:3u"),
        [KeyStroke { kind: KeyEventKind::Release, us_key: Some('z'), ..plain }]
    );
    assert_eq!(strokes("\x1b[228::39;1:1u")[0].us_key, Some('\''));
    assert_eq!(
        codes("\x1b[27u\x1b[13u\x1b[9u\x1b[127u\x1b[57414u\x1b[57402u"),
        [KeyCode::Esc, KeyCode::Enter, KeyCode::Tab, KeyCode::Backspace, KeyCode::Enter, KeyCode::Char('3'),]
    );
    assert_eq!(codes("\x1b[57441;2:1u"), [], "shift itself");
    assert_eq!(pressed("\x1b[99;5u"), [(KeyCode::Char('c'), KeyModifiers::CONTROL)]);
    assert_eq!(pressed("\x1b[122;9u"), [(KeyCode::Char('z'), KeyModifiers::SUPER)]);
    assert_eq!(pressed("\x1b[122;65u"), [(KeyCode::Char('z'), KeyModifiers::NONE)], "caps lock");
}

#[test]
fn a_lone_escape_is_a_key_and_what_is_begun_and_not_ended_is_none() {
    assert_eq!(codes("\x1b"), [KeyCode::Esc]);
    assert_eq!(codes("\x1b\x1b"), [KeyCode::Esc, KeyCode::Esc]);
    assert_eq!(codes("\x1b\x1b[A"), [KeyCode::Esc, KeyCode::Up]);
    assert_eq!(codes("z\x1b"), [KeyCode::Char('z'), KeyCode::Esc]);
    for begun in ["\x1b[", "\x1b[1;", "\x1bO", "\x1bP", "\x1b]0;title", "\x1b[<0;3"] {
        let mut parser = InputParser::default();
        parser.feed(begun.as_bytes());
        assert!(parser.is_within_sequence(), "{begun:?}");
        parser.end_sequence();
        assert_eq!(parser.next(), None, "{begun:?}");
        parser.feed(b"z");
        assert!(parser.next().is_some() && !parser.is_within_sequence(), "{begun:?}");
    }
}

#[test]
fn answers_of_the_terminal_and_what_nobody_knows_are_no_keys() {
    assert_eq!(
        events("\x1b[?11u\x1b[?62;22c\x1b[I\x1b[99~\x1b[1;1R").len(),
        1,
        "the last is F3, as xterm has it"
    );
    assert_eq!(events("\x1b[O"), [TerminalEvent::FocusLost]);
}

#[test]
fn the_mouse_is_pressed_dragged_released_and_turned() {
    let mouse = |bytes: &str| match events(bytes).as_slice() {
        [TerminalEvent::Mouse(mouse)] => Some(*mouse),
        _ => None,
    };
    let at = |kind, modifiers| Some(MouseEvent { kind, column: 9, row: 4, modifiers });
    let (left, none) = (MouseButton::Left, HeldKeys::NONE);
    assert_eq!(mouse("\x1b[<0;10;5M"), at(MouseEventKind::Down(left), none));
    assert_eq!(mouse("\x1b[<32;10;5M"), at(MouseEventKind::Drag(left), none));
    assert_eq!(mouse("\x1b[<0;10;5m"), at(MouseEventKind::Up(left), none));
    assert_eq!(mouse("\x1b[<2;10;5M"), at(MouseEventKind::Down(MouseButton::Right), none));
    assert_eq!(mouse("\x1b[<64;10;5M"), at(MouseEventKind::ScrollUp, none));
    assert_eq!(mouse("\x1b[<69;10;5M"), at(MouseEventKind::ScrollDown, HeldKeys::SHIFT));
    assert_eq!([mouse("\x1b[<35;10;5M"), mouse("\x1b[<0;0;5M"), mouse("\x1b[<0M")], [None; 3]);
}

proptest! {
    #[test]
    fn no_bytes_are_too_odd_and_the_cut_does_not_matter(
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
        cut in 0_usize..60,
    ) {
        let mut whole = InputParser::default();
        whole.feed(&bytes);
        let mut parts = InputParser::default();
        let (one, other) = bytes.split_at(cut.min(bytes.len()));
        parts.feed(one);
        parts.feed(other);
        for parser in [&mut whole, &mut parts] {
            parser.end_sequence();
        }
        assert!(std::iter::from_fn(|| whole.next()).eq(std::iter::from_fn(|| parts.next())));
    }
}
