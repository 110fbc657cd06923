use super::*;

const DEPTHS: [ColorDepth; 4] = [ColorDepth::None, ColorDepth::Ansi, ColorDepth::Indexed, ColorDepth::Rgb];

#[test]
fn the_depth_is_what_the_terminal_promises() {
    for (colorterm, term, depth) in [
        (Some("truecolor"), "xterm", ColorDepth::Rgb),
        (None, "xterm-kitty", ColorDepth::Rgb),
        (None, "screen-256color", ColorDepth::Indexed),
        (Some(""), "xterm-256color", ColorDepth::Indexed),
        (None, "linux", ColorDepth::Ansi),
    ] {
        assert_eq!(ColorDepth::of_terminal(colorterm, Some(term)), depth, "{term}");
    }
    assert_eq!(ColorDepth::of_terminal(None, None), ColorDepth::Ansi);
}

#[test]
fn each_role_has_one_row_and_stands_out_at_every_depth() {
    for row in &ROLES {
        assert_eq!(ROLES.iter().filter(|other| other.role == row.role).count(), 1, "{}", row.name);
        assert_eq!(ROLES.iter().filter(|other| other.name == row.name).count(), 1, "{}", row.name);
    }
    for depth in DEPTHS {
        let theme = Theme { depth, ..Theme::plain() };
        let colored = |role| theme.style(role).fg.is_some() || theme.style(role).bg.is_some();
        assert_eq!(colored(Role::Wave), depth != ColorDepth::None, "{depth:?}");
        assert_ne!(theme.style(Role::Selected), theme.style(Role::Text), "{depth:?}");
        assert_ne!(theme.style(Role::Dim), theme.style(Role::Bright), "{depth:?}");
    }
}

#[test]
fn colours_are_as_near_as_the_terminal_has_them() {
    assert_eq!(nearest([0, 0, 0]), 16);
    assert_eq!(nearest([255, 0, 0]), 196);
    assert_eq!(nearest([128, 128, 128]), 244);
    assert_eq!(nearest([97, 175, 239]), 75);
}

#[test]
fn the_user_changes_colours_by_name() {
    let colors: RoleColors = "wave=#010203 selected=#040506".parse().unwrap();
    let theme = Theme { depth: ColorDepth::Rgb, colors, ..Theme::plain() };
    assert_eq!(theme.style(Role::Wave).fg, Some(Color::Rgb(1, 2, 3)));
    assert_eq!(theme.style(Role::Selected).bg, Some(Color::Rgb(4, 5, 6)));
    assert_eq!(theme.style(Role::Selected).fg, Some(Color::Rgb(255, 255, 255)));
    for (text, part) in [
        ("wave", "expected NAME=#RRGGBB"),
        ("wave=red", "expected NAME=#RRGGBB"),
        ("wave=#12345g", "expected NAME=#RRGGBB"),
        ("wove=#123456", "wove: no such colour; there are text, dim"),
    ] {
        let error = text.parse::<RoleColors>().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn the_terminals_palette_has_its_16_colours_only() {
    let theme = Theme { depth: ColorDepth::Rgb, palette: Palette::Terminal, ..Theme::plain() };
    for row in &ROLES {
        let style = theme.style(row.role);
        for color in [style.fg, style.bg].into_iter().flatten() {
            assert!(!matches!(color, Color::Rgb(..) | Color::Indexed(_)), "{}", row.name);
        }
    }
}
