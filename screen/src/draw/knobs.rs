//! The knobs of the chosen sound and of the engine; those that were turned are marked.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::theme::Role;
use super::{Theme, padded, shortened};
use crate::keymap::KeyCommand;
use crate::model::Model;
use crate::model::knob::{Knob, KnobPage, PAGES, ROWS};

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    // Where it takes the place of the list, nothing else says of which sound.
    let sound = model.sounds.get(model.chosen).filter(|_| model.is_adjusting);
    let sound = sound.map_or_else(String::new, |sound| format!(": {}", theme.text(&sound.name)));
    let page = model.knob.page();
    let KnobPage { name, knobs } = PAGES[page];
    let hint = model.keymap.hint(KeyCommand::Adjust);
    let title = format!(" Adjust{hint}: {name} {}/{}{sound} ", page + 1, PAGES.len());
    let title = shortened(&title, usize::from(area.width).saturating_sub(2));
    let block = theme.panel(title, model.is_adjusting);
    let width = usize::from(block.inner(area).width) / 2;
    let lines = (0..ROWS).map(|row| {
        let row = knobs.iter().enumerate().skip(row).step_by(ROWS);
        Line::from(row.map(|(place, knob)| span(model, theme, (place, *knob), width)).collect::<Vec<_>>())
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn span(model: &Model, theme: Theme, (place, knob): (usize, Knob), width: usize) -> Span<'static> {
    let is_changed = model.is_knob_changed(knob);
    let mark = if is_changed { '*' } else { ' ' };
    // The names of a column are as wide as the longest.
    let column = PAGES[knob.page()].knobs.chunks(ROWS).nth(place / ROWS).unwrap_or_default();
    let name = column.iter().map(|knob| knob.name().len()).max().unwrap_or_default() + 1;
    let text = padded(&format!("{mark}{:<name$}{}", knob.name(), model.knob_text(knob)), width);
    let style = theme.style(if is_changed { Role::Sounding } else { Role::Text });
    let is_turned = model.is_adjusting && model.knob == knob;
    Span::styled(text, if is_turned { theme.on(Role::Selected, style) } else { style })
}
