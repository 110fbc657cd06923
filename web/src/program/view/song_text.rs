//! The screens of songs as text: drawn as on a terminal, row by row in pieces of one colour.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use screen::draw::{self, ColorDepth, Palette, RoleColors, Theme};
use screen::model::Model;
use serde_json::{Value, json};

/// Returns the rows of the screen, if it is one of songs; each is a list of texts with their colours.
pub(super) fn of(model: &Model, palette: Palette) -> Value {
    if !model.view.is_of_songs() {
        return Value::Null;
    }
    let (width, height) = model.size;
    let theme = Theme { ascii: false, depth: ColorDepth::Rgb, palette, colors: RoleColors::default() };
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(_) = terminal.draw(|frame| draw::screen(frame, model, theme));
    let buffer = terminal.backend().buffer();
    let rows = buffer.content.chunks(usize::from(width).max(1)).map(row);
    rows.collect()
}

fn row(cells: &[Cell]) -> Value {
    let mut pieces: Vec<(Look, String)> = Vec::new();
    for cell in cells {
        let look = Look::of(cell);
        match pieces.last_mut() {
            Some((last, text)) if *last == look => text.push_str(cell.symbol()),
            _ => pieces.push((look, cell.symbol().to_owned())),
        }
    }
    pieces.into_iter().map(|(look, text)| json!([text, look.fore, look.back, look.is_bold])).collect()
}

#[derive(PartialEq, Eq)]
struct Look {
    fore: Option<String>,
    back: Option<String>,
    is_bold: bool,
}

impl Look {
    fn of(cell: &Cell) -> Self {
        let (fore, back) = (css(cell.fg), css(cell.bg));
        let is_reversed = cell.modifier.contains(Modifier::REVERSED);
        let (fore, back) = if is_reversed { (back, fore) } else { (fore, back) };
        Self { fore, back, is_bold: cell.modifier.contains(Modifier::BOLD) }
    }
}

fn css(color: Color) -> Option<String> {
    match color {
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        _ => None,
    }
}
