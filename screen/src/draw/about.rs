//! A song's page: which program wrote it, its message, its instruments and samples.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::help::wrapped;
use super::progress::length;
use super::theme::Role;
use super::{Theme, padded};
use crate::layout::{Areas, Wanted, inside};
use crate::model::Model;
use crate::model::replay::SongView;

/// Columns of the narrowest screen that has the names beside the facts.
const TWO_COLUMNS: u16 = 60;
/// Lines of the facts with their frame.
const FACTS: u16 = 8;

/// The panels of the page.
struct Panels {
    facts: Rect,
    /// The message; none where it stands below the names.
    message: Option<Rect>,
    names: Rect,
}

impl Panels {
    fn of(area: Rect, song: &SongView) -> Self {
        let [about, names] = if area.width < TWO_COLUMNS {
            let facts = FACTS.min(area.height / 2);
            Layout::vertical([Constraint::Length(facts), Constraint::Min(0)]).areas(area)
        } else {
            Layout::horizontal([Constraint::Percentage(50), Constraint::Min(0)]).areas(area)
        };
        if song.module().message.trim().is_empty() || about.height < FACTS + 3 {
            return Self { facts: about, message: None, names };
        }
        let [facts, text] = Layout::vertical([Constraint::Length(FACTS), Constraint::Min(0)]).areas(about);
        Self { facts, message: Some(text), names }
    }
}

/// Returns how far the page scrolls, in lines, and the line of the chosen instrument; none if it is not one of the
/// song's.
pub(crate) fn extent(model: &Model) -> (usize, Option<usize>) {
    let Some(song) = &model.song else { return (0, None) };
    let (width, height) = model.size;
    let Areas { middle, .. } = Areas::of(Rect::new(0, 0, width, height), Wanted::of(model));
    let panels = Panels::of(middle, song);
    let theme = Theme::plain();
    let beyond = |lines: usize, panel: Rect| lines.saturating_sub(inside(panel).height.into());
    let message = panels.message.map_or(0, |panel| beyond(message(song, theme, panel).len(), panel));
    let names = beyond(names(model, song, theme, &panels).len(), panels.names);
    let chosen = (0..song.names().len()).find(|name| song.sound_of(*name) == model.chosen);
    (message.max(names), chosen)
}

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, song: &SongView, theme: Theme, area: Rect) {
    let panels = Panels::of(area, song);
    let module = song.module();
    frame.render_widget(Paragraph::new(facts(song, theme)).block(theme.block(" Song ")), panels.facts);
    if let Some(panel) = panels.message {
        draw_lines(frame, message(song, theme, panel), model.about_scroll, theme, " Message ", panel);
    }
    let title = if module.instruments.is_empty() { " Samples " } else { " Instruments " };
    let names = names(model, song, theme, &panels);
    draw_lines(frame, names, model.about_scroll, theme, title, panels.names);
}

/// Draws lines in a panel, from one on, as far as there are more than it shows.
fn draw_lines(
    frame: &mut Frame<'_>,
    lines: Vec<Line<'static>>,
    scroll: usize,
    theme: Theme,
    title: &'static str,
    panel: Rect,
) {
    let seen = usize::from(inside(panel).height);
    let first = scroll.min(lines.len().saturating_sub(seen));
    let shown: Vec<Line<'_>> = lines.into_iter().skip(first).take(seen).collect();
    frame.render_widget(Paragraph::new(shown).block(theme.panel(title, true)), panel);
}

fn facts(song: &SongView, theme: Theme) -> Vec<Line<'static>> {
    let module = song.module();
    let which = match song.subsongs.len() {
        0 | 1 => String::new(),
        count => format!(", song {} of {count}", song.subsong + 1),
    };
    let facts = [
        ("program", theme.text(&song.song.writer)),
        ("length", length(song) + &which),
        ("format", song.song.format.to_uppercase()),
        ("patterns", format!("{} in {} channels", module.patterns.len(), song.used.len())),
        ("title", theme.text(&song.song.title)),
        ("file", theme.text(&song.song.file)),
    ];
    let line =
        |(what, value)| Line::from(vec![Span::styled(format!("{what:<8} "), theme.dim()), Span::raw(value)]);
    facts.map(line).to_vec()
}

/// Returns what the author wrote, line by line.
fn message(song: &SongView, theme: Theme, panel: Rect) -> Vec<Line<'static>> {
    let width = inside(panel).width.into();
    let text = song.module().message.replace('\r', "\n");
    let text = text.trim_end();
    text.lines().flat_map(|line| wrapped(&theme.text(line.trim_end()), width)).map(Line::from).collect()
}

/// Returns the names, where trackers' writers speak: instruments, samples, and the message if it has no panel.
fn names(model: &Model, song: &SongView, theme: Theme, panels: &Panels) -> Vec<Line<'static>> {
    let module = song.module();
    let width = inside(panels.names).width.into();
    let line = |number: usize, name: &str, role: Role| {
        Line::styled(padded(&format!("{number:>3} {}", theme.text(name)), width), theme.style(role))
    };
    let mut lines = Vec::new();
    for (index, name) in song.names().into_iter().enumerate() {
        let role = if song.is_sounding(index) { Role::Sounding } else { Role::Text };
        let shown = line(index + 1, name, role);
        let is_chosen = song.sound_of(index) == model.chosen;
        let style = if is_chosen { theme.on(Role::Selected, shown.style) } else { shown.style };
        lines.push(shown.style(style));
    }
    if !module.instruments.is_empty() {
        lines.push(Line::styled("samples", theme.style(Role::Title)));
        let samples = module.samples.iter().enumerate();
        lines.extend(samples.map(|(index, sample)| line(index + 1, &sample.name, Role::Dim)));
    }
    let message = message(song, theme, panels.names);
    if panels.message.is_none() && !message.is_empty() {
        lines.push(Line::styled("message", theme.style(Role::Title)));
        lines.extend(message);
    }
    lines
}
