//! The computer keyboard as it is played: the keys of the layout, sounding ones lit.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use song::Key;

use super::{FAINT, Theme, map_name};
use crate::tui::model::{Mode, Model};
use player::keyboard::{KeyMapMode, KeyRow, Scheme};

/// Lines there are for keys.
const LINES: usize = 4;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let rows = Scheme::of(model.layout).rows;
    let above = std::iter::repeat_n(Line::default(), LINES.saturating_sub(rows.len()) / 2);
    let lines: Vec<Line<'_>> = above.chain(rows.iter().map(|row| line(model, theme, row))).collect();
    let midi = Line::from(midi(model)).alignment(Alignment::Right);
    let block = theme.block(title(model)).title_bottom(midi).title_bottom(state(model));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn title(model: &Model) -> String {
    let why = match model.mode {
        Mode::Real => "a note ends with its key",
        Mode::Gate if model.tells_release => "a press sounds 600 ms",
        Mode::Gate => "this terminal sends no key-up",
        Mode::Latch => "press on, press off",
        Mode::Oneshot => "every press plays out",
    };
    let (mode, next) = (model.mode.name(), model.mode.after(model.tells_release).name());
    format!(" Keys: release={mode} ({why}; Tab = {next}) ")
}

/// Returns the keys that are held through MIDI; as many as there is room for.
fn midi(model: &Model) -> String {
    const SHOWN: usize = 2;
    let mut names: Vec<String> = model.midi.iter().take(SHOWN).map(Key::to_string).collect();
    match model.midi.len() {
        0 => return String::new(),
        more if more > SHOWN => names.push(format!("+{}", more - SHOWN)),
        _ => {}
    }
    format!(" MIDI {} ", names.join(" "))
}

fn state(model: &Model) -> String {
    let lowest = model.key_at(0).map_or_else(String::new, |key| key.to_string());
    let (map, layout) = (map_name(model.map), Scheme::of(model.layout).name);
    format!(" map {map} (F7)  layout {layout} (F2)  octave {lowest}  vel {} ", model.velocity.get())
}

/// Columns from one place of a row to the next; a key is one wider, so white keys stand one column apart and black
/// ones above their gaps.
const PLACE: usize = 2;

/// Returns a row of keys, and after one that is not black what it goes from and to.
fn line(model: &Model, theme: Theme, row: &KeyRow) -> Line<'static> {
    let mut spans = vec![Span::raw("   ")];
    let mut column = 0;
    for (place, key) in row.keys.chars().enumerate().filter(|(_, key)| *key != ' ') {
        let sounding = semitone_of(row, key).and_then(|semitone| model.key_at(semitone));
        let is_lit = model.notes.iter().any(|note| note.pressed == Some(key) && !note.released)
            || sounding.is_some_and(|key| model.midi.contains(&key));
        let text = format!(" {} ", key.to_ascii_uppercase());
        spans.push(Span::raw(" ".repeat(place * PLACE - column)));
        column = place * PLACE + text.len();
        spans.push(if is_lit { Span::styled(text, theme.lit()) } else { Span::raw(text) });
    }
    if !row.is_black {
        spans.push(Span::styled(legend(model, row), FAINT));
    }
    Line::from(spans)
}

fn semitone_of(row: &KeyRow, key: char) -> Option<u8> {
    row.notes().find_map(|(note, semitone)| (note == key).then_some(semitone))
}

/// From which key to which a row goes.
fn legend(model: &Model, row: &KeyRow) -> String {
    let name = |semitone: Option<&u8>| {
        let key = semitone.and_then(|semitone| model.key_at(*semitone));
        key.map_or_else(|| "-".to_owned(), |key| name(model, key))
    };
    format!("   {} .. {}", name(row.semitones.first()), name(row.semitones.last()))
}

fn name(model: &Model, key: Key) -> String {
    match model.map {
        KeyMapMode::Chromatic => key.to_string(),
        KeyMapMode::Kit => match model.kit_sound(key) {
            Some(sound) => format!("{key} #{}", sound + 1),
            None => format!("{key} -"),
        },
    }
}
