//! The help: keys and what they do, in groups, generated from the keymap. It scrolls, and can be searched.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};
use unicode_width::UnicodeWidthStr as _;

use super::theme::Role;
use super::{Theme, padded, shortened};
use crate::keymap::{FixedKey, KeyChord, KeyCommand, KeyGroup, help_lines};
use crate::model::{HelpView, Model, View};
use player::filter::NameFilter;
use player::keyboard::Scheme;

/// Columns of the help at most, with its frame.
const WIDTH: u16 = 84;
/// Columns of the keys, where there is room.
const KEYS: usize = 24;
const NARROW_KEYS: usize = 13;

/// A line of the help.
enum HelpRow {
    Heading(&'static str),
    Key { keys: String, about: String },
    Space,
}

/// Returns how many lines the help has on this screen, and how many of them are seen.
pub(crate) fn rows(model: &Model) -> (usize, usize) {
    let (width, height) = model.size;
    let filter = model.help.as_ref().map_or("", |help| &help.filter);
    let count = lines(model, filter, inner_width(width)).len();
    (count, usize::from(height).saturating_sub(2).min(count.max(1)))
}

fn inner_width(width: u16) -> usize {
    usize::from(width.min(WIDTH)).saturating_sub(2)
}

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, help: &HelpView, theme: Theme, area: Rect) {
    let inner = inner_width(area.width);
    let lines = lines(model, &help.filter, inner);
    let height = u16::try_from(lines.len().max(1) + 2).unwrap_or(u16::MAX).min(area.height);
    let width = area.width.min(WIDTH);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let area = Rect { x, y, width, height };
    let seen = usize::from(height).saturating_sub(2);
    let scroll = help.scroll.min(lines.len().saturating_sub(seen));
    let more = match (scroll, lines.len().saturating_sub(scroll + seen)) {
        (0, 0) => String::new(),
        (above, 0) => format!(" {above} lines above "),
        (_, below) => format!(" {below} more lines: {} ", theme.glyph("↓", "down")),
    };
    let title = match help.is_typing {
        false => " Help: / searches, q closes ".to_owned(),
        true => format!(" Help: {}_ (Esc closes) ", help.filter),
    };
    let block = theme.panel(title, true).title_alignment(Alignment::Center);
    let block = block.title_bottom(Line::from(more).alignment(Alignment::Right));
    let text: Vec<Line<'_>> = if lines.is_empty() {
        vec![Line::styled("no key does that", theme.dim())]
    } else {
        let keys = keys_width(inner);
        let shown = lines.into_iter().skip(scroll).take(seen);
        shown.map(|row| drawn(row, keys, theme)).collect()
    };
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(text).style(theme.style(Role::Text)).block(block), area);
}

fn drawn(row: HelpRow, keys_width: usize, theme: Theme) -> Line<'static> {
    match row {
        HelpRow::Heading(name) => Line::styled(name, theme.style(Role::Title)),
        HelpRow::Key { keys, about } => {
            // Arrows have names where there are no arrows.
            let keys = if theme.ascii { ascii_keys(&keys) } else { keys };
            let keys = format!(" {} ", padded(&keys, keys_width));
            Line::from(vec![Span::styled(keys, theme.style(Role::Bright)), Span::raw(theme.text(&about))])
        }
        HelpRow::Space => Line::default(),
    }
}

pub(super) fn ascii_keys(keys: &str) -> String {
    [
        ("←→", "left/right"),
        ("↑↓", "up/down"),
        ("↑", "up"),
        ("↓", "down"),
        ("←", "left"),
        ("→", "right"),
        ("…", ".."),
    ]
    .into_iter()
    .fold(keys.to_owned(), |keys, (arrow, name)| keys.replace(arrow, name))
}

const fn keys_width(inner: usize) -> usize {
    if inner >= 70 { KEYS } else { NARROW_KEYS }
}

/// Returns the lines that contain all words of a filter; the groups that concern what is shown come first.
fn lines(model: &Model, filter: &str, inner: usize) -> Vec<HelpRow> {
    let mut groups = KeyGroup::ALL.to_vec();
    if model.view.is_of_songs() {
        groups.sort_by_key(|group| *group != KeyGroup::Song);
    }
    let matcher = NameFilter::typed(filter);
    let keys_width = keys_width(inner);
    let room = inner.saturating_sub(keys_width + 2);
    let mut lines = Vec::new();
    for group in groups {
        let has_piano = group == KeyGroup::Notes && (model.plays_along || !model.view.is_of_songs());
        let notes = if has_piano { notes(model) } else { Vec::new() };
        let is_fixed = |key: &FixedKey| is_fixed_here(model, key);
        let is_command = |command, chord| acts(model, command) && is_command_here(model, chord);
        let rows = help_lines(&model.keymap, group, is_fixed, is_command);
        let rows = rows.into_iter().map(|(keys, about)| (keys, about.replace('`', "")));
        let found: Vec<(String, String)> = notes
            .into_iter()
            .chain(rows)
            .filter(|(keys, about)| {
                filter.is_empty() || matcher.matches(&format!("{keys} {about} {}", group.name()))
            })
            .collect();
        if found.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(HelpRow::Space);
        }
        lines.push(HelpRow::Heading(group.name()));
        for (keys, about) in found {
            let mut keys = Some(shortened(&keys, keys_width));
            for about in wrapped(&about, room) {
                lines.push(HelpRow::Key { keys: keys.take().unwrap_or_default(), about });
            }
        }
    }
    lines
}

/// Returns whether a key that cannot be moved does on the page that is shown what is said of it.
fn is_fixed_here(model: &Model, key: &FixedKey) -> bool {
    let is_of_list = key.pages == [View::Songs];
    key.pages.contains(&model.view)
        && (key.group != KeyGroup::Song || is_of_list || model.song.is_some())
        && !(key.types && model.plays_along)
}

/// Returns whether a key is a command on the page that is shown: those that type play elsewhere, and where the piano is
/// shown.
fn is_command_here(model: &Model, chord: KeyChord) -> bool {
    chord.typed().is_none_or(|typed| model.is_typed_command(typed, false))
}

/// Returns whether there is something that a command acts on.
fn acts(model: &Model, command: KeyCommand) -> bool {
    match command {
        KeyCommand::PlaySong | KeyCommand::ShowSong => model.song.is_some() || !model.songs.songs.is_empty(),
        KeyCommand::NextSubsong | KeyCommand::PreviousSubsong => {
            model.song.as_ref().is_some_and(|song| song.subsongs.len() > 1)
        }
        KeyCommand::NextSong | KeyCommand::PreviousSong | KeyCommand::Shuffle => model.songs.songs.len() > 1,
        _ => command.row().group != KeyGroup::Song || model.song.is_some(),
    }
}

/// Returns the keys that play on this keyboard, and what they do.
fn notes(model: &Model) -> Vec<(String, String)> {
    let scheme = Scheme::of(model.layout);
    let keys = |keys: &str| keys.chars().map(|key| model.label(key)).collect::<String>();
    let pairs = |pairs: &[(char, char)]| {
        let shown = pairs.iter().map(|(down, up)| keys(&format!("{down} {up}")));
        shown.collect::<Vec<_>>().join(" ")
    };
    let mut rows: Vec<(String, String)> =
        scheme.help.iter().map(|(typed, what)| (keys(typed), (*what).to_owned())).collect();
    rows.push((pairs(scheme.octave), "octave down, up".to_owned()));
    rows.push((pairs(scheme.velocity), "velocity down, up".to_owned()));
    rows
}

/// Returns a text in lines of at most so many columns, cut between words.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
