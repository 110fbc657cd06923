//! The song: its orders, the pattern that plays with those around it, meters of its channels, and its instruments.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use song::module::{Cell, Dialect, Order};

use super::theme::Role;
use super::{Theme, meters, padded, shortened};
use crate::layout::replay::{
    CellWidth, HEAD, ROW_NUMBER, SeenChannel, SeenRow, SongAreas, channels, seen_rows,
};
use crate::layout::{first_of_list, inside};
use crate::model::Model;
use crate::model::replay::SongView;
use song::module::cell_text as pattern;

/// Rows of a beat, which are brighter.
const BEAT: usize = 4;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, song: &SongView, theme: Theme, area: Rect) {
    let SongAreas { orders, pattern, names } = SongAreas::of(area, song);
    if let Some(area) = orders {
        draw_orders(frame, song, theme, area);
    }
    draw_pattern(frame, song, theme, pattern);
    if let Some(area) = names {
        draw_names(frame, model, song, theme, area);
    }
}

fn draw_orders(frame: &mut Frame<'_>, song: &SongView, theme: Theme, area: Rect) {
    let seen = usize::from(inside(area).height);
    let now = song.heard.place.order;
    let orders = &song.module().orders;
    let first = first_of_list(orders.len(), Some(now), seen);
    let lines = orders.iter().enumerate().skip(first).take(seen).map(|(place, order)| {
        let text = match order {
            Order::Pattern(number) => format!("{place:>3} {number:>3}"),
            Order::Skip => format!("{place:>3} +++"),
            Order::End => format!("{place:>3} ---"),
        };
        let role = match () {
            () if place == now => Role::Row,
            () if song.rows(place).is_none() => Role::Dim,
            () => Role::Text,
        };
        Line::styled(text, theme.style(role))
    });
    let block = theme.block(" Order ");
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn draw_pattern(frame: &mut Frame<'_>, song: &SongView, theme: Theme, area: Rect) {
    let inner = inside(area);
    let shown = channels(song, inner.width);
    let mut lines = vec![heads(song, theme, &shown), levels(song, theme, &shown)];
    let seen = usize::from(inner.height).saturating_sub(HEAD);
    let rows = seen_rows(song, seen).into_iter();
    lines.extend(rows.map(|row| row.map_or_else(Line::default, |row| line(song, theme, row, &shown))));
    let hidden = song.used.len().saturating_sub(shown.len());
    let title = match hidden {
        0 => " Pattern ".to_owned(),
        hidden => format!(" Pattern, {hidden} more channels "),
    };
    let block = theme.panel(title, true);
    let about = state(song, usize::from(inner.width));
    let block = block.title_bottom(Line::styled(about, theme.style(Role::Text)));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Returns where the song is and how fast, as much as there is room for.
fn state(song: &SongView, room: usize) -> String {
    let place = song.heard.place;
    let count = song.module().order_count().saturating_sub(1);
    let mut text = format!(" order {}/{count}  row {:02X}  ", place.order, place.row);
    let words = format!("speed {} tempo {}", place.speed, place.tempo);
    // As trackers write it, where there is no room for words.
    let short = format!("{}/{}", place.speed, place.tempo);
    let fits = |speed: &&String| text.len() + speed.len() < room;
    let speed = [&words, &short].into_iter().find(fits).cloned().unwrap_or_default();
    text.push_str(&speed);
    format!("{} ", text.trim_end())
}

/// Returns numbers of channels, and signs of those that are silent.
fn heads(song: &SongView, theme: Theme, shown: &[SeenChannel]) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(ROW_NUMBER))];
    for SeenChannel { channel, width } in shown.iter().copied() {
        let is_muted = song.muted.get(channel) == Some(&true);
        let text = match (is_muted, width) {
            (true, CellWidth::Note) => format!("{}x", channel + 1),
            (true, _) => format!("{} mute", channel + 1),
            (false, _) => format!("{}", channel + 1),
        };
        let style = theme.style(if is_muted { Role::Dim } else { Role::Title });
        let style = if channel == song.channel { theme.on(Role::Selected, style) } else { style };
        spans.push(Span::raw(" "));
        spans.push(Span::styled(padded(&text, width.columns(song.module().dialect)), style));
    }
    Line::from(spans)
}

/// Returns the meters of channels.
fn levels(song: &SongView, theme: Theme, shown: &[SeenChannel]) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(ROW_NUMBER))];
    for SeenChannel { channel, width } in shown.iter().copied() {
        let columns = width.columns(song.module().dialect);
        let level = match song.muted.get(channel) {
            Some(false) => song.levels.get(channel).copied().unwrap_or(0.0),
            _ => 0.0,
        };
        let filled = ((level * columns as f32).round() as usize).min(columns);
        spans.push(Span::raw(" "));
        spans.extend(meters::bar(filled, columns, theme));
        let point = theme.glyph("·", ".");
        spans.push(Span::styled(point.repeat(columns - filled), theme.dim()));
    }
    Line::from(spans)
}

fn line(song: &SongView, theme: Theme, seen: SeenRow, shown: &[SeenChannel]) -> Line<'static> {
    let place = song.heard.place;
    let SeenRow { order, row } = seen;
    let is_own = order == place.order;
    let is_now = is_own && row == place.row;
    let on = |style: Style| if is_now { theme.on(Role::Row, style) } else { style };
    let number = theme.style(if is_own && row.is_multiple_of(BEAT) { Role::Bright } else { Role::Dim });
    let mut spans = vec![Span::styled(format!("{row:02X}"), on(number))];
    for SeenChannel { channel, width } in shown.iter().copied() {
        let cell = song.score.cell(order, row, channel);
        let is_faint = !is_own || song.muted.get(channel) == Some(&true);
        spans.push(Span::styled(" ", on(Style::new())));
        for (text, role) in width.fields(song.module().dialect, &cell) {
            let style = theme.style(if is_faint { Role::Dim } else { role });
            // The patterns around the one that plays are fainter still.
            let style = if is_own { style } else { style.add_modifier(Modifier::DIM) };
            spans.push(Span::styled(text, on(style)));
        }
    }
    Line::from(spans)
}

impl CellWidth {
    /// Returns the fields of a cell that are shown, with the blanks between them, and what each is.
    fn fields(self, dialect: Dialect, cell: &Cell) -> Vec<(String, Role)> {
        let role = |is_there: bool, role: Role| if is_there { role } else { Role::Dim };
        let has_note = cell.note != Cell::default().note;
        let mut fields = vec![(pattern::note(cell.note), role(has_note, Role::Note))];
        let instrument = pattern::instrument(cell.instrument);
        let instrument = (instrument, role(cell.instrument.is_some(), Role::Instrument));
        let volume = (pattern::volume(cell.volume), role(cell.volume.is_some(), Role::Volume));
        let effect = (pattern::effect(dialect, cell.effect), role(cell.effect.is_some(), Role::Effect));
        let has_volumes = dialect != Dialect::ProTracker;
        match self {
            Self::Note => {}
            Self::Instrument => fields.push(instrument),
            Self::Effect if cell.effect.is_none() => fields.extend([instrument, volume]),
            Self::Effect => fields.extend([instrument, effect]),
            Self::Whole if has_volumes => fields.extend([instrument, volume, effect]),
            Self::Whole => fields.extend([instrument, effect]),
        }
        let gaps = fields.iter_mut().skip(1);
        gaps.for_each(|(text, _)| text.insert(0, ' '));
        fields
    }
}

/// Draws the names of its instruments: the chosen one is marked, those that sound have a sign and a colour.
fn draw_names(frame: &mut Frame<'_>, model: &Model, song: &SongView, theme: Theme, area: Rect) {
    let inner = inside(area);
    let count = song.names().len();
    let chosen = (0..count).find(|name| song.sound_of(*name) == model.chosen);
    let first = first_of_list(count, chosen, inner.height.into());
    let shown: Range<usize> = first..(first + usize::from(inner.height)).min(count);
    let lines = shown.map(|index| {
        let sounds = song.is_sounding(index);
        let sign = if sounds { theme.glyph('•', '*') } else { ' ' };
        let name = shortened(&theme.text(song.name(index)), usize::from(inner.width).saturating_sub(4));
        let text = padded(&format!("{sign}{:02} {name}", index + 1), inner.width.into());
        let style = theme.style(if sounds { Role::Sounding } else { Role::Text });
        let style = if chosen == Some(index) { theme.on(Role::Selected, style) } else { style };
        Line::styled(text, style)
    });
    let title = if song.module().instruments.is_empty() { " Samples " } else { " Instruments " };
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(theme.block(title)), area);
}
