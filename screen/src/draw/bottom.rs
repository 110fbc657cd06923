//! The last line: what happened, or what the keys do.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::Theme;
use super::theme::Role;
use crate::keymap::KeyCommand;
use crate::model::knob::Knob;
use crate::model::{Model, View};

/// A hint of the last line: a command, keys that cannot be moved and what they do, or two commands.
enum Hint {
    Command(KeyCommand),
    Fixed(&'static str, &'static str),
    Pair([KeyCommand; 2], &'static str),
}

use Hint::{Command, Fixed, Pair};

/// What keys do in the list, the most wanted first; as many are shown as there is room for.
const LIST: [Hint; 14] = [
    Command(KeyCommand::Help),
    Command(KeyCommand::Search),
    Command(KeyCommand::Adjust),
    Command(KeyCommand::Loop),
    Command(KeyCommand::Take),
    Command(KeyCommand::Map),
    Fixed("Esc", "panic"),
    Command(KeyCommand::Quit),
    Fixed("Enter", "audition"),
    Command(KeyCommand::Sort),
    Command(KeyCommand::Preview),
    Fixed("Tab", "release"),
    Fixed("[]", "octave"),
    Fixed("-=", "velocity"),
];

/// What they do while a song is shown.
const SONG: [Hint; 14] = [
    Command(KeyCommand::Help),
    Command(KeyCommand::PlaySong),
    Fixed("←→", "seek"),
    Fixed("1-9", "mute"),
    Pair([KeyCommand::Louder, KeyCommand::Softer], "volume"),
    Fixed("Tab", "pages"),
    Command(KeyCommand::ShowSong),
    Command(KeyCommand::Quit),
    Command(KeyCommand::NextSong),
    Command(KeyCommand::PreviousSong),
    Fixed("A-Z", "play along"),
    Command(KeyCommand::LoopPattern),
    Command(KeyCommand::Solo),
    Command(KeyCommand::Take),
];

/// What they do while a song is shown and the piano with it.
const ALONG: [Hint; 10] = [
    Command(KeyCommand::Help),
    Fixed("Esc", "hide piano"),
    Command(KeyCommand::PlaySong),
    Fixed("←→", "seek"),
    Fixed("Shift-↑↓", "instrument"),
    Command(KeyCommand::ShowSong),
    Command(KeyCommand::Take),
    Command(KeyCommand::Quit),
    Fixed("[]", "octave"),
    Fixed("-=", "velocity"),
];

/// What they do in the list of songs.
const SONGS: [Hint; 10] = [
    Command(KeyCommand::Help),
    Fixed("Enter", "play"),
    Command(KeyCommand::PlaySong),
    Command(KeyCommand::Search),
    Command(KeyCommand::Sort),
    Command(KeyCommand::Shuffle),
    Command(KeyCommand::ShowSong),
    Command(KeyCommand::Quit),
    Command(KeyCommand::NextSong),
    Fixed("Tab", "pages"),
];

pub(super) fn line(model: &Model, theme: Theme, width: u16) -> Line<'static> {
    if let Some(warning) = &model.warning {
        return Line::styled(format!(" {}", theme.text(warning)), theme.style(Role::Over));
    }
    if let Some(entry) = model.loading.and_then(|sound| model.sounds.get(sound)) {
        let text = format!(" loading {}: it plays as soon as it is there", theme.text(&entry.name));
        return Line::styled(text, theme.style(Role::Bright));
    }
    if let Some((notice, _)) = &model.notice {
        return Line::styled(format!(" {}", theme.text(notice)), theme.style(Role::Bright));
    }
    const TYPING: &str = " type words or patterns with * and ?   Enter keep   Esc clear";
    match model.view {
        View::Sounds if model.list.is_typing => Line::styled(TYPING, theme.dim()),
        View::Songs if model.songs.is_typing => Line::styled(TYPING, theme.dim()),
        View::Sounds if model.is_adjusting => {
            let back = model.keymap.keys(KeyCommand::Adjust).next().map(|key| format!("  {key} back"));
            let [up_down, left_right] = theme.glyph(["↑↓", "←→"], ["up, down", "left, right"]);
            let back = back.unwrap_or_default();
            let turn = match model.knob {
                Knob::Trim => format!("{left_right} start  Shift-{left_right} end"),
                _ => format!("{left_right} turn (shift: 10 steps)"),
            };
            let text = format!(" {up_down} choose  PgUp PgDn page  {turn}  Backspace resets{back}");
            Line::styled(text, theme.dim())
        }
        View::Sounds => hints(&LIST, model, theme, width.into()),
        View::Songs => hints(&SONGS, model, theme, width.into()),
        View::Pattern | View::About if model.plays_along => hints(&ALONG, model, theme, width.into()),
        View::Pattern | View::About => hints(&SONG, model, theme, width.into()),
    }
}

fn hints(hints: &[Hint], model: &Model, theme: Theme, width: usize) -> Line<'static> {
    let mut spans = Vec::new();
    let mut used = 0;
    for hint in hints {
        let (keys, label) = match hint {
            Fixed("Tab", _) if model.view == View::Songs && model.song.is_none() => continue,
            Fixed(keys, label) => ((*keys).to_owned(), *label),
            Pair(commands, label) => {
                let keys = commands.iter().filter_map(|command| model.keymap.keys(*command).next());
                (keys.map(|key| key.to_string()).collect::<String>(), *label)
            }
            Command(KeyCommand::NextSong | KeyCommand::PreviousSong) if model.songs.songs.len() < 2 => {
                continue;
            }
            Command(command) => match model.keymap.keys(*command).next() {
                Some(key) => (key.to_string(), label(model, *command)),
                None => continue,
            },
        };
        let keys = if theme.ascii { super::help::ascii_keys(&keys) } else { keys };
        let gap = if used == 0 { 1 } else { 2 };
        let columns = gap + keys.width() + 1 + label.width();
        if used + columns > width {
            break;
        }
        used += columns;
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(keys, theme.style(Role::Title)));
        spans.push(Span::styled(format!(" {label}"), theme.dim()));
    }
    Line::from(spans)
}

/// Returns what a command does now, in a word.
fn label(model: &Model, command: KeyCommand) -> &'static str {
    let is_paused = model.song.as_ref().is_none_or(|song| !song.is_playing);
    match command {
        KeyCommand::PlaySong if is_paused => "play",
        _ => command.row().label,
    }
}
