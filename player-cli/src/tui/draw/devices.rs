//! The devices to choose from, over the screen.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Clear, List, ListState, Paragraph};

use super::Theme;
use crate::tui::model::{DeviceEntry, DeviceMenu};

/// The border included.
const WIDTH: u16 = 74;
/// Rows that are left free above and below.
const MARGIN: u16 = 2;

pub(super) fn draw(frame: &mut Frame<'_>, chooser: &DeviceMenu, theme: Theme, area: Rect) {
    let entries = chooser.entries.as_deref();
    let rows = u16::try_from(entries.map_or(1, <[DeviceEntry]>::len)).unwrap_or(u16::MAX);
    let width = WIDTH.min(area.width);
    let height = rows.saturating_add(2).min(area.height.saturating_sub(2 * MARGIN));
    let place =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let title = " Devices: Enter selects, Esc closes ".to_owned();
    let block = theme.block(title).title_alignment(Alignment::Center);
    frame.render_widget(Clear, place);
    let Some(entries) = entries else {
        frame.render_widget(Paragraph::new(" looking for devices ...").block(block), place);
        return;
    };
    let lines = entries.iter().map(|DeviceEntry { name, about, plays }| {
        let mark = if *plays { '*' } else { ' ' };
        format!("{mark} {}  {}", theme.text(name), theme.text(about))
    });
    let list = List::new(lines).highlight_style(theme.lit()).block(block);
    frame.render_stateful_widget(list, place, &mut ListState::default().with_selected(Some(chooser.chosen)));
}
