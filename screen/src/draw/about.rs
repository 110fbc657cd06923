//! A song's page: which program wrote it, its message, its instruments and samples.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use song::module::Dialect;

use super::progress::length;
use super::theme::Role;
use super::{Theme, padded};
use crate::layout::{first_of_list, inside};
use crate::model::Model;
use crate::model::replay::SongView;

/// Columns of the narrowest screen that has the names beside the facts.
const TWO_COLUMNS: u16 = 60;
/// Lines of the facts with their frame.
const FACTS: u16 = 8;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, song: &SongView, theme: Theme, area: Rect) {
    let message = message(song, theme);
    let [about, names] = if area.width < TWO_COLUMNS {
        let facts = FACTS.min(area.height / 2);
        Layout::vertical([Constraint::Length(facts), Constraint::Min(0)]).areas(area)
    } else {
        Layout::horizontal([Constraint::Percentage(50), Constraint::Min(0)]).areas(area)
    };
    let [facts, text] = if message.is_empty() || about.height <= FACTS {
        [about, Rect { height: 0, ..about }]
    } else {
        Layout::vertical([Constraint::Length(FACTS), Constraint::Min(0)]).areas(about)
    };
    draw_facts(frame, song, theme, facts);
    if text.height > 0 {
        let block = theme.block(" Message ");
        let text_widget = Paragraph::new(message).wrap(Wrap { trim: false }).block(block);
        frame.render_widget(text_widget, text);
    }
    draw_names(frame, model, song, theme, names);
}

fn draw_facts(frame: &mut Frame<'_>, song: &SongView, theme: Theme, area: Rect) {
    let module = song.module();
    let format = match module.dialect {
        Dialect::ProTracker => "MOD",
        Dialect::ScreamTracker3 => "S3M",
        Dialect::FastTracker2 => "XM",
        Dialect::ImpulseTracker => "IT",
    };
    let patterns = format!("{} in {} channels", module.patterns.len(), song.used.len());
    let facts = [
        ("program", theme.text(&module.writer.name)),
        ("length", length(song)),
        ("format", format.to_owned()),
        ("patterns", patterns),
        ("title", theme.text(&song.title)),
        ("file", theme.text(&song.file)),
    ];
    let lines = facts.map(|(what, value)| {
        Line::from(vec![Span::styled(format!("{what:<8} "), theme.dim()), Span::raw(value)])
    });
    frame.render_widget(Paragraph::new(lines.to_vec()).block(theme.block(" Song ")), area);
}

/// Returns what the author wrote, line by line.
fn message(song: &SongView, theme: Theme) -> Vec<Line<'static>> {
    let text = song.module().message.replace('\r', "\n");
    let lines: Vec<String> = text.lines().map(|line| theme.text(line.trim_end())).collect();
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |at| at + 1);
    lines.into_iter().take(end).map(Line::from).collect()
}

/// Draws the names, where trackers' writers speak: instruments first, then samples, around the chosen one.
fn draw_names(frame: &mut Frame<'_>, model: &Model, song: &SongView, theme: Theme, area: Rect) {
    let inner = inside(area);
    let module = song.module();
    let mut lines = Vec::new();
    let mut chosen = None;
    let count = song.names().len();
    let line = |number: usize, name: &str, role: Role| {
        let text = padded(&format!("{number:>3} {}", theme.text(name)), inner.width.into());
        Line::styled(text, theme.style(role))
    };
    for index in 0..count {
        let role = if song.is_sounding(index) { Role::Sounding } else { Role::Text };
        let shown = line(index + 1, song.names().get(index).copied().unwrap_or_default(), role);
        if song.sound_of(index) == model.chosen {
            chosen = Some(index);
            let style = theme.on(Role::Selected, shown.style);
            lines.push(shown.style(style));
        } else {
            lines.push(shown);
        }
    }
    if !module.instruments.is_empty() {
        lines.push(Line::styled("samples", theme.style(Role::Title)));
        let samples = module.samples.iter().enumerate();
        lines.extend(samples.map(|(index, sample)| line(index + 1, &sample.name, Role::Dim)));
    }
    let first = first_of_list(lines.len(), chosen, inner.height.into());
    let shown: Vec<Line<'_>> = lines.into_iter().skip(first).take(inner.height.into()).collect();
    let title = if module.instruments.is_empty() { " Samples " } else { " Instruments " };
    frame.render_widget(Paragraph::new(shown).block(theme.panel(title, true)), area);
}
