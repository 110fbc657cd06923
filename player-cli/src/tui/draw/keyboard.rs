//! The computer keyboard as a piano: two octaves and a bit, sounding keys lit.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use song::Key;

use super::{Look, map_name};
use crate::args::{Map, Release};
use crate::tui::keys::{self, ROWS};
use crate::tui::model::Model;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, look: Look, area: Rect) {
    let lines: Vec<Line<'_>> =
        ROWS.iter().enumerate().map(|(index, row)| line(model, look, row, index)).collect();
    let block = look.block(title(model)).title_bottom(state(model));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn title(model: &Model) -> String {
    let release = match model.release {
        Release::Gate => "gate (this terminal sends no key-up; Tab = latch)",
        Release::Latch => "latch (press on, press off; Tab = gate)",
    };
    format!(" Keys: release={release} ")
}

fn state(model: &Model) -> String {
    let lowest = model.key_at(0).map_or_else(String::new, |key| key.to_string());
    format!(" map {} (F7)  octave {lowest}  vel {} ", map_name(model.map), model.velocity.get())
}

/// Columns from one place of a row to the next; a key is one wider, so white keys stand one column apart and black
/// ones above their gaps.
const PLACE: usize = 2;

/// A row of keys, and behind the white ones what it goes from and to.
fn line(model: &Model, look: Look, row: &str, index: usize) -> Line<'static> {
    let mut spans = vec![Span::raw("   ")];
    let mut column = 0;
    for (place, pressed) in row.chars().enumerate().filter(|(_, pressed)| *pressed != ' ') {
        let is_lit = model.notes.iter().any(|note| note.pressed == Some(pressed) && !note.released);
        let text = format!(" {} ", pressed.to_ascii_uppercase());
        spans.push(Span::raw(" ".repeat(place * PLACE - column)));
        column = place * PLACE + text.len();
        spans.push(if is_lit { Span::styled(text, look.lit()) } else { Span::raw(text) });
    }
    if index % 2 == 1 {
        spans.push(Span::styled(legend(model, row), look.faint()));
    }
    Line::from(spans)
}

/// From which key to which a row of white keys goes.
fn legend(model: &Model, row: &str) -> String {
    let end =
        |pressed: Option<char>| pressed.and_then(keys::semitone).and_then(|semitone| model.key_at(semitone));
    let name = |key: Option<Key>| key.map_or_else(|| "-".to_owned(), |key| name(model, key));
    format!("   {} .. {}", name(end(row.chars().next())), name(end(row.chars().next_back())))
}

fn name(model: &Model, key: Key) -> String {
    match model.map {
        Map::Chromatic => key.to_string(),
        Map::Kit => match model.kit_sound(key) {
            Some(sound) => format!("{key} #{}", sound + 1),
            None => format!("{key} -"),
        },
    }
}
