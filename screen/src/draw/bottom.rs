//! The last line: what happened, or what the keys do.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;

use super::{FAINT, Theme};
use crate::keymap::KeyCommand;
use crate::model::Model;

/// A hint of the last line: a command, or keys that cannot be moved and what they do.
enum Hint {
    Command(KeyCommand),
    Fixed(&'static str),
}

/// What keys do, the most wanted first; as many are shown as there is room for.
const HINTS: [Hint; 14] = [
    Hint::Command(KeyCommand::Help),
    Hint::Command(KeyCommand::Search),
    Hint::Command(KeyCommand::Adjust),
    Hint::Command(KeyCommand::Loop),
    Hint::Command(KeyCommand::Take),
    Hint::Command(KeyCommand::Map),
    Hint::Fixed("Esc panic"),
    Hint::Command(KeyCommand::Quit),
    Hint::Fixed("Enter audition"),
    Hint::Command(KeyCommand::Sort),
    Hint::Command(KeyCommand::Preview),
    Hint::Fixed("Tab release"),
    Hint::Fixed("[] octave"),
    Hint::Fixed("-= velocity"),
];

/// The same while a song is shown.
const SONG_HINTS: [Hint; 13] = [
    Hint::Command(KeyCommand::Help),
    Hint::Command(KeyCommand::PlaySong),
    Hint::Fixed("arrows seek"),
    Hint::Command(KeyCommand::LoopPattern),
    Hint::Command(KeyCommand::Mute),
    Hint::Command(KeyCommand::Solo),
    Hint::Command(KeyCommand::ShowSong),
    Hint::Command(KeyCommand::Quit),
    Hint::Command(KeyCommand::Slower),
    Hint::Command(KeyCommand::Faster),
    Hint::Command(KeyCommand::Take),
    Hint::Command(KeyCommand::NextSong),
    Hint::Command(KeyCommand::Shuffle),
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
            let back = model.keymap.keys(KeyCommand::Adjust).next().map(|key| format!("  {key} back"));
            let [up_down, left_right] = arrows;
            let back = back.unwrap_or_default();
            format!(" {up_down} choose  {left_right} turn (shift: 10 steps)  Backspace resets{back}")
        }
        (false, false) if model.shown_song().is_some() => hints(&SONG_HINTS, model, width.into()),
        (false, false) => hints(&HINTS, model, width.into()),
    };
    Line::styled(text, FAINT)
}

fn hints(hints: &[Hint], model: &Model, width: usize) -> String {
    hints.iter().fold(String::new(), |line, hint| {
        let hint = match hint {
            Hint::Fixed(text) => (*text).to_owned(),
            Hint::Command(command) => match model.keymap.keys(*command).next() {
                Some(key) => format!("{key} {}", command.row().label),
                None => return line,
            },
        };
        let longer = if line.is_empty() { format!(" {hint}") } else { format!("{line}  {hint}") };
        if longer.chars().count() <= width { longer } else { line }
    })
}
