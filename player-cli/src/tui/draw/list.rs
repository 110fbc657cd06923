//! The list of sounds.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Row, Table, TableState};

use super::Look;
use crate::tui::model::{Entry, Model};

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, look: Look, area: Rect) {
    let digits = model.sounds.len().max(1).ilog10() as usize + 1;
    let rows = model.sounds.iter().zip(1..).map(|(entry, number): (&Entry, usize)| {
        let style = if entry.silent.is_some() { look.faint() } else { Style::new() };
        let cells = [
            format!("{number:0>digits$}"),
            look.text(&entry.name),
            entry.rate.clone(),
            entry.bits.clone(),
            entry.channels.clone(),
            entry.length.clone(),
            entry.looping.clone(),
        ];
        Row::new(cells).style(style)
    });
    let widths = [
        Constraint::Length(u16::try_from(digits).unwrap_or(u16::MAX)),
        Constraint::Min(24),
        Constraint::Length(6),
        Constraint::Length(4),
        Constraint::Length(2),
        Constraint::Length(11),
        Constraint::Length(16),
    ];
    let table = Table::new(rows, widths)
        .header(Row::new(["#", "name", "rate", "bits", "ch", "length", "loop"]).style(Modifier::BOLD))
        .row_highlight_style(look.lit())
        .block(look.block(" Sounds ".to_owned()));
    let chosen = (!model.sounds.is_empty()).then_some(model.chosen);
    frame.render_stateful_widget(table, area, &mut TableState::new().with_selected(chosen));
}
