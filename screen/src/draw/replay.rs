//! The song: its orders, the pattern that plays, meters of its channels, and the names of its instruments.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use song::module::{Cell, Dialect, Order};

use super::{FAINT, Theme, padded, shortened};
use crate::layout::replay::{CellWidth, HEAD, ROW_NUMBER, SongAreas};
use crate::layout::{first_of_list, inside};
use crate::model::Model;
use crate::model::replay::SongView;
use song::module::cell_text as pattern;

/// Rows of a beat, which are brighter.
const BEAT: usize = 4;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, song: &SongView, theme: Theme, area: Rect) {
    let SongAreas { orders, pattern, names } = SongAreas::of(area);
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
        let style = match () {
            () if place == now => Style::new().add_modifier(Modifier::REVERSED),
            () if song.rows(place).is_none() => FAINT,
            () => Style::new(),
        };
        Line::styled(text, style)
    });
    let block = theme.block(" Order ");
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn draw_pattern(frame: &mut Frame<'_>, song: &SongView, theme: Theme, area: Rect) {
    let inner = inside(area);
    let module = song.module();
    let place = song.heard.place;
    let width = CellWidth::of(module, inner.width);
    let (first, beside) = width.channels(song, inner.width);
    let channels = first..(first + beside).min(song.muted.len());
    let mut lines =
        vec![heads(song, theme, width, channels.clone()), meters(song, theme, width, channels.clone())];
    let rows = song.rows(place.order).unwrap_or(0);
    let seen = usize::from(inner.height).saturating_sub(HEAD);
    let top = place.row.cast_signed() - (seen / 2).cast_signed();
    for row in (top..).take(seen) {
        let row = usize::try_from(row).ok().filter(|row| *row < rows);
        lines.push(row.map_or_else(Line::default, |row| line(song, theme, width, row, channels.clone())));
    }
    let state = if song.is_playing { "" } else { "paused " };
    let looped = if song.loops_pattern { "looped " } else { "" };
    let faster = if song.tempo == 100 { String::new() } else { format!(" at {} %", song.tempo) };
    let count = module.orders.len().saturating_sub(1);
    let is_plain = state.is_empty() && looped.is_empty() && faster.is_empty();
    // As trackers write it, where there is no room for words.
    let speed = if is_plain {
        format!("speed {} tempo {}", place.speed, place.tempo)
    } else {
        format!("{}/{}", place.speed, place.tempo)
    };
    let about =
        format!(" {state}{looped}order {}/{count} row {:02X} {speed}{faster} ", place.order, place.row);
    let of_list = match song.list.count {
        0 | 1 => String::new(),
        count => {
            let how = if song.list.is_shuffled { " shuffled" } else { "" };
            format!("{}/{count}{how} ", song.list.index + 1)
        }
    };
    let clock = |seconds: f64| format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60);
    // As `info` has it: a song is followed for a time only.
    let longer = if song.length.is_some_and(|song| song.is_longer) { "longer than " } else { "" };
    let whole = clock(song.length.map_or(0.0, |song| song.seconds));
    let seconds = format!(" {} / {longer}{whole} ", clock(song.heard.seconds));
    let room = usize::from(area.width).saturating_sub(of_list.len() + seconds.len() + 4);
    let title = format!(" {} {of_list}", shortened(&theme.text(&song.title), room));
    let block = theme.block(title).title_bottom(Line::from(about));
    let block = block.title_top(Line::from(seconds).alignment(Alignment::Right));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Returns numbers of channels, and signs of those that are silent.
fn heads(song: &SongView, theme: Theme, width: CellWidth, channels: std::ops::Range<usize>) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(ROW_NUMBER))];
    for channel in channels {
        let is_muted = song.muted.get(channel) == Some(&true);
        let text = match (is_muted, width) {
            (true, CellWidth::Note) => format!("{}x", channel + 1),
            (true, _) => format!("{} mute", channel + 1),
            (false, _) => format!("{}", channel + 1),
        };
        let style = if is_muted { FAINT } else { theme.heading() };
        let style = if channel == song.channel { style.add_modifier(Modifier::REVERSED) } else { style };
        spans.push(Span::raw(" "));
        spans.push(Span::styled(padded(&text, width.columns(song.module().dialect)), style));
    }
    Line::from(spans)
}

fn meters(
    song: &SongView,
    theme: Theme,
    width: CellWidth,
    channels: std::ops::Range<usize>,
) -> Line<'static> {
    let mut line = " ".repeat(ROW_NUMBER);
    let columns = width.columns(song.module().dialect);
    for channel in channels {
        let level = match song.muted.get(channel) {
            Some(false) => song.levels.get(channel).copied().unwrap_or(0.0),
            _ => 0.0,
        };
        let filled = ((level * columns as f32).round() as usize).min(columns);
        let glyph = if theme.ascii { "#" } else { "▇" };
        line.push(' ');
        line.push_str(&glyph.repeat(filled));
        line.push_str(&" ".repeat(columns - filled));
    }
    Line::styled(line, theme.waveform())
}

fn line(
    song: &SongView,
    theme: Theme,
    width: CellWidth,
    row: usize,
    channels: std::ops::Range<usize>,
) -> Line<'static> {
    let place = song.heard.place;
    let dialect = song.module().dialect;
    let number =
        Style::new().add_modifier(if row.is_multiple_of(BEAT) { Modifier::BOLD } else { Modifier::DIM });
    let mut spans = vec![Span::styled(format!("{row:02X}"), number)];
    for channel in channels {
        let cell = song.score.cell(place.order, row, channel);
        let style = match () {
            () if song.muted.get(channel) == Some(&true) || cell == Cell::default() => FAINT,
            () if theme.colored && row == place.row => theme.heading(),
            () => Style::new(),
        };
        spans.push(Span::raw(" "));
        spans.push(Span::styled(width.text(dialect, &cell), style));
    }
    let line = Line::from(spans);
    if row == place.row { line.style(Modifier::REVERSED) } else { line }
}

impl CellWidth {
    fn text(self, dialect: Dialect, cell: &Cell) -> String {
        match self {
            Self::Whole => pattern::cell(dialect, cell),
            Self::Effect => pattern::narrow_cell(dialect, cell),
            Self::Instrument => pattern::note_and_instrument(cell),
            Self::Note => pattern::note(cell.note),
        }
    }
}

fn draw_names(frame: &mut Frame<'_>, model: &Model, song: &SongView, theme: Theme, area: Rect) {
    let inner = inside(area);
    let names = song.names();
    let chosen = (0..names.len()).find(|name| song.sound_of(*name) == model.chosen);
    let first = first_of_list(names.len(), chosen, inner.height.into());
    let lines = names.iter().enumerate().skip(first).take(inner.height.into()).map(|(index, name)| {
        let text = padded(&format!("{:02} {}", index + 1, theme.text(name)), inner.width.into());
        let style = if song.is_sounding(index) { theme.lit() } else { Style::new() };
        let style = if chosen == Some(index) && !song.is_sounding(index) {
            style.add_modifier(Modifier::REVERSED)
        } else {
            style
        };
        Line::styled(text, style)
    });
    let title = if song.module().instruments.is_empty() { " Samples " } else { " Instruments " };
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(theme.block(title)), area);
}
