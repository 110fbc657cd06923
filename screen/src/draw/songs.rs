//! The list of songs.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::progress::clock;
use super::theme::Role;
use super::{Theme, padded};
use crate::keymap::KeyCommand;
use crate::layout::inside;
use crate::model::Model;
use crate::model::songs::SongOrder;
use player::live::ListedSong;

/// Columns of the format and of the length.
const FORMAT: usize = 4;
const LENGTH: usize = 8;
/// Columns of the narrowest list that has files, and one that has programs.
const WITH_FILES: usize = 56;
const WITH_WRITERS: usize = 84;

/// Widths of title, file and program; 0 where there is no room for one.
struct Columns {
    title: usize,
    file: usize,
    writer: usize,
}

impl Columns {
    fn of(width: usize) -> Self {
        let rest = width.saturating_sub(2 + FORMAT + 1 + LENGTH + 1);
        let (file, writer) = match width {
            ..WITH_FILES => (0, 0),
            WITH_FILES..WITH_WRITERS => (rest * 2 / 5, 0),
            _ => (rest * 3 / 10, rest * 3 / 10),
        };
        let gaps = usize::from(file > 0) + usize::from(writer > 0);
        Self { title: rest.saturating_sub(file + writer + gaps), file, writer }
    }

    fn line(&self, [sign, title, file, writer, format, length]: [&str; 6]) -> Vec<(String, Role)> {
        let mut cells = vec![(format!("{sign} "), Role::Playhead), (padded(title, self.title), Role::Text)];
        for (text, width) in [(file, self.file), (writer, self.writer)] {
            if width > 0 {
                cells.push((format!(" {}", padded(text, width)), Role::Dim));
            }
        }
        cells.push((format!(" {}", padded(format, FORMAT)), Role::Song));
        cells.push((format!(" {length:>LENGTH$}"), Role::Text));
        cells
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let songs = &model.songs;
    let inner = inside(area);
    let columns = Columns::of(inner.width.into());
    let seen = usize::from(inner.height).saturating_sub(1);
    let first = songs.first_row(seen);
    let heads = columns.line([" ", "title", "file", "program", "", "length"]);
    let heads: String = heads.into_iter().map(|(text, _)| text).collect();
    let mut lines = vec![Line::styled(heads, theme.style(Role::Title))];
    for (place, index) in songs.rows.iter().enumerate().skip(first).take(seen) {
        let Some(song) = songs.songs.get(*index) else { continue };
        let plays = songs.playing == Some(*index);
        let is_chosen = place == songs.chosen;
        let spans = row(song, plays, &columns, theme).into_iter().map(|(text, role)| {
            let style = theme.style(match role {
                Role::Text if plays => Role::Sounding,
                // The colour of songs is not read on that of what is chosen.
                Role::Song if is_chosen => Role::Text,
                role => role,
            });
            Span::styled(text, if is_chosen { theme.on(Role::Selected, style) } else { style })
        });
        lines.push(Line::from(spans.collect::<Vec<_>>()));
    }
    if songs.rows.is_empty() {
        lines.push(Line::styled(if model.is_listing { "reading ..." } else { "nothing found" }, theme.dim()));
    }
    let count = match (songs.filter.is_empty(), model.is_listing) {
        (false, _) => format!(" {} of {} found ", songs.rows.len(), songs.songs.len()),
        (true, true) => format!(" {} songs so far ", songs.songs.len()),
        (true, false) => format!(" {} songs, {} ", songs.songs.len(), total(&songs.songs)),
    };
    let block = theme.panel(title(model, theme), true);
    let block = block.title_bottom(Line::from(count).alignment(Alignment::Right));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn row(song: &ListedSong, plays: bool, columns: &Columns, theme: Theme) -> Vec<(String, Role)> {
    let sign = if plays { theme.glyph("▶", ">") } else { " " };
    let length = song.length.map_or_else(
        || "-".to_owned(),
        |length| {
            let more = if length.is_longer { "> " } else { "" };
            format!("{more}{}", clock(length.seconds))
        },
    );
    let [title, file, writer] = [song.name(), &song.file, &song.writer].map(|text| theme.text(text));
    columns.line([sign, &title, &file, &writer, &song.format.to_uppercase(), &length])
}

/// Returns how long all songs are together.
fn total(songs: &[ListedSong]) -> String {
    let seconds: f64 = songs.iter().filter_map(|song| song.length).map(|length| length.seconds).sum();
    let minutes = (seconds / 60.0) as u64;
    match minutes {
        ..60 => format!("{minutes} min"),
        _ => format!("{} h {:02} min", minutes / 60, minutes % 60),
    }
}

fn title(model: &Model, theme: Theme) -> String {
    let songs = &model.songs;
    let filter = theme.text(&songs.filter);
    let order = match songs.order {
        _ if songs.is_shuffled => " shuffled".to_owned(),
        SongOrder::File => String::new(),
        order => format!(" by {}{}", order.name(), model.keymap.hint(KeyCommand::Sort)),
    };
    match (songs.is_typing, songs.filter.is_empty()) {
        (true, _) => format!(" Search: {filter}_ "),
        (false, false) => format!(" Songs: {filter} (Esc shows all) "),
        (false, true) => format!(" Songs{order} "),
    }
}
