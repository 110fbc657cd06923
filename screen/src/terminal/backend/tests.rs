use super::*;

fn drawn(cells: &[(u16, u16, &str, Modifier)]) -> String {
    let cells: Vec<(u16, u16, Cell)> = cells
        .iter()
        .map(|(x, y, symbol, modifier)| {
            let mut cell = Cell::default();
            cell.set_symbol(symbol).modifier = *modifier;
            (*x, *y, cell)
        })
        .collect();
    let mut out = Vec::new();
    draw(&mut out, cells.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.split("\x1b[0m").next().unwrap().replace("\x1b[39;49m", "").replace('\x1b', "")
}

#[test]
fn the_cursor_moves_only_where_cells_do_not_follow_each_other() {
    let plain = Modifier::empty();
    let cells = [(3, 1, "a", plain), (4, 1, "b", plain), (6, 1, "c", plain), (7, 2, "d", plain)];
    assert_eq!(drawn(&cells), "[2;4Hab[2;7Hc[3;8Hd");
}

#[test]
fn a_modifier_that_ends_leaves_the_others_on() {
    let (bold, dim, reversed) = (Modifier::BOLD, Modifier::DIM, Modifier::REVERSED);
    let row = |modifiers: &[Modifier]| {
        let cells: Vec<_> = (0..).zip(modifiers).map(|(x, modifier)| (x, 0, "x", *modifier)).collect();
        drawn(&cells).replace("[1;1H", "")
    };
    assert_eq!(row(&[bold, bold, Modifier::empty(), dim]), "[1mxx[22mx[2mx");
    assert_eq!(row(&[bold | dim, dim]), "[1m[2mx[22m[2mx");
    assert_eq!(row(&[bold | reversed, bold, reversed]), "[1m[7mx[27mx[22m[7mx");
    assert_eq!(row(&[Modifier::SLOW_BLINK, Modifier::RAPID_BLINK]), "[5mx[25m[6mx");
}

#[test]
fn the_names_of_the_eight_colours_are_the_dark_ones_of_the_terminal() {
    assert_eq!(color(Color::Red), TerminalColor::DarkRed);
    assert_eq!(color(Color::LightRed), TerminalColor::Red);
    assert_eq!(color(Color::Indexed(17)), TerminalColor::AnsiValue(17));
}
