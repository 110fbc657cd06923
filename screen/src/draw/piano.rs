//! The notes of the computer keyboard, drawn as a piano: the computer's keys on the piano's, sounding ones lit.
//!
//! ```text
//! │ ▐S▌ ▐D▌ │ ▐G▌
//! │ ▐█▌ ▐█▌ │ ▐█▌
//! │ Z │ X │ C │ V
//! │C3 │   │   │
//! ```

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use song::Key;

use super::theme::Role;
use super::{Theme, map_name};
use crate::keymap::KeyCommand;
use crate::layout::{BLACK_ROWS, PIANO, WHITE_KEY, is_black};
use crate::model::{Mode, Model, PianoKey};
use player::keyboard::{ComputerKeyboard, Scheme};

/// The row below the keys, which names them.
const NAMES_ROW: usize = PIANO as usize - 1;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let is_framed = area.height > PIANO;
    let width = usize::from(area.width).saturating_sub(if is_framed { 2 } else { 0 });
    let keys = Paragraph::new(lines(model, theme, width, is_framed));
    if !is_framed {
        frame.render_widget(keys, area);
        return;
    }
    let midi = Line::from(midi(model)).alignment(Alignment::Right);
    let block = theme.block(title(model)).title_bottom(midi).title_bottom(state(model));
    frame.render_widget(keys.block(block), area);
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
    // On the screens of songs, Tab turns their pages.
    let next = if model.view.is_of_songs() { String::new() } else { format!("; Tab = {next}") };
    format!(" Keys: release={mode} ({why}{next}) ")
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
    let keyboard = match model.keyboard {
        ComputerKeyboard::Qwerty => String::new(),
        other => format!("{}  ", other.name()),
    };
    let velocity = model.velocity.get();
    let key = |command| model.keymap.hint(command);
    let (map_key, layout_key) = (key(KeyCommand::Map), key(KeyCommand::Layout));
    format!(" map {map}{map_key}  layout {layout}{layout_key}  {keyboard}octave {lowest}  vel {velocity} ")
}

fn lines(model: &Model, theme: Theme, width: usize, is_framed: bool) -> Vec<Line<'static>> {
    let most = Scheme::of(model.layout).notes().map(|(_, semitone)| semitone).max().unwrap_or_default();
    let mut lines = [const { Vec::new() }; PIANO as usize];
    let bar = if theme.ascii { "|" } else { "│" };
    let (edges, body) = if theme.ascii { (["[", "]"], "#") } else { (["▐", "▌"], "█") };
    let white = (0..=most).filter(|semitone| !is_black(*semitone));
    let fits = width.saturating_sub(1) / WHITE_KEY;
    let mut column = 0;
    for semitone in white.take(fits) {
        let Some(key) = PianoKey::of(model, semitone) else { continue };
        let style = style(theme, key.is_lit);
        let black =
            (semitone > 0 && is_black(semitone - 1)).then(|| PianoKey::of(model, semitone - 1)).flatten();
        for (row, line) in lines.iter_mut().enumerate() {
            // A black key covers the line between two white ones, and a column on each side.
            let cover = match (&black, row) {
                (Some(black), ..BLACK_ROWS) => {
                    let text = if row == 0 { black.label(model, 1) } else { body.to_owned() };
                    let [left, right] = edges;
                    line.pop();
                    let (edge, key) = black_styles(theme, black.is_lit);
                    line.push(Span::styled(left, edge));
                    line.push(Span::styled(text, if row == 0 { key } else { edge }));
                    line.push(Span::styled(right, edge));
                    1
                }
                _ => {
                    // A frame stands on the left of the first one.
                    let edge = if is_framed && column == 0 { " " } else { bar };
                    line.push(Span::styled(edge, edge_style(theme, row)));
                    0
                }
            };
            let text = match row {
                2 => key.label(model, WHITE_KEY - 1),
                3 => key.name(model),
                _ => String::new(),
            };
            let cell = format!("{text:<room$}", room = WHITE_KEY - 1 - cover);
            // The last column may be covered by the next black key.
            let (body, last) = cell.split_at(cell.char_indices().last().map_or(0, |(at, _)| at));
            let style = if row < 3 { style } else { edge_style(theme, row) };
            line.push(Span::styled(body.to_owned(), style));
            line.push(Span::styled(last.to_owned(), style));
        }
        column += WHITE_KEY;
    }
    // A frame stands on the right of the last one, too.
    if column > 0 && !(is_framed && column == width) {
        let rows = lines.iter_mut().enumerate();
        rows.for_each(|(row, line)| line.push(Span::styled(bar, edge_style(theme, row))));
    }
    lines.into_iter().map(Line::from).collect()
}

fn style(theme: Theme, is_lit: bool) -> Style {
    theme.style(if is_lit { Role::Lit } else { Role::WhiteKey })
}

/// Returns the style of what stands between white keys, and of the names below them.
fn edge_style(theme: Theme, row: usize) -> Style {
    if theme.has_colors() && row < NAMES_ROW { theme.on(Role::WhiteKey, theme.dim()) } else { theme.dim() }
}

/// Returns the styles of a black key's edges and body, and of what stands on it.
fn black_styles(theme: Theme, is_lit: bool) -> (Style, Style) {
    let key = theme.style(if is_lit { Role::Lit } else { Role::BlackKey });
    let edge = match (key.bg, theme.style(Role::WhiteKey).bg) {
        // The halves of its edges beyond the key show the white ones.
        (Some(body), Some(beyond)) => Style::new().fg(body).bg(beyond),
        _ => key,
    };
    (edge, key)
}
