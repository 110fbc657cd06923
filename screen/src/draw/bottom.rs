//! The last line: what happened, or what the keys do.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;

use super::{FAINT, Theme};
use crate::model::Model;

/// What keys do, the most wanted first; as many are shown as there is room for, and the last one in any case.
const KEYS: [&str; 14] = [
    "F1 help",
    "F3 search",
    "F4 adjust",
    "F5 loop",
    "F6 take",
    "F7 map",
    "Esc panic",
    "F10 quit",
    "Enter audition",
    "Ctrl-O sort",
    "Ctrl-P preview",
    "Tab release",
    "[] octave",
    "-= velocity",
];

/// The same while a song is shown.
const SONG_KEYS: [&str; 12] = [
    "F1 help",
    "Ctrl-T pause",
    "arrows seek",
    "Ctrl-L loop",
    "Ctrl-K mute",
    "Ctrl-Y solo",
    "Ctrl-G sounds",
    "F10 quit",
    "Ctrl-\u{2190}\u{2192} tempo",
    "F6 take",
    "Ctrl-PgDn next",
    "Ctrl-X shuffle",
];

pub(super) fn line(model: &Model, theme: Theme, width: u16) -> Line<'static> {
    if let Some(warning) = &model.warning {
        let style = Style::new().add_modifier(Modifier::BOLD);
        let style = if theme.colored { style.fg(Color::Red) } else { style };
        return Line::styled(format!(" {}", theme.text(warning)), style);
    }
    if let Some(entry) = model.loading.and_then(|sound| model.sounds.get(sound)) {
        let text = format!(" loading {}: it plays as soon as it is there", theme.text(&entry.name));
        return Line::styled(text, Modifier::BOLD);
    }
    if let Some((notice, _)) = &model.notice {
        return Line::styled(format!(" {}", theme.text(notice)), Modifier::BOLD);
    }
    let arrows = if theme.ascii { ["up, down", "left, right"] } else { ["↑↓", "←→"] };
    let text = match (model.list.is_typing, model.is_adjusting) {
        (true, _) => " type words or patterns with * and ?   Enter keep   Esc clear".to_owned(),
        (false, true) => {
            format!(" {} choose  {} turn (shift: 10 steps)  Backspace resets  F4 back", arrows[0], arrows[1])
        }
        (false, false) if model.shown_song().is_some() => hints(&SONG_KEYS, theme, width.into()),
        (false, false) => hints(&KEYS, theme, width.into()),
    };
    Line::styled(text, FAINT)
}

fn hints(keys: &[&str], theme: Theme, width: usize) -> String {
    keys.iter().fold(String::new(), |line, hint| {
        let hint =
            if theme.ascii { hint.replace("\u{2190}\u{2192}", "left, right") } else { (*hint).to_owned() };
        let longer = if line.is_empty() { format!(" {hint}") } else { format!("{line}  {hint}") };
        if longer.chars().count() <= width { longer } else { line }
    })
}
