//! Lists to choose from, over the screen: devices, packages.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Clear, List, ListState, Paragraph};

use super::Theme;
use crate::tui::model::{DeviceEntry, DeviceMenu, PackageMenu};

/// The border included.
const WIDTH: u16 = 74;
/// Rows that are left free above and below.
const MARGIN: u16 = 2;

pub(super) fn draw_devices(frame: &mut Frame<'_>, menu: &DeviceMenu, theme: Theme, area: Rect) {
    let title = " Devices: Enter selects, Esc closes ";
    let Some(entries) = &menu.entries else {
        let area = place(1, area);
        let block = theme.block(title).title_alignment(Alignment::Center);
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(" looking for devices ...").block(block), area);
        return;
    };
    let line = |DeviceEntry { name, about, plays }: &DeviceEntry| {
        let mark = if *plays { '*' } else { ' ' };
        format!("{mark} {}  {}", theme.text(name), theme.text(about))
    };
    draw(frame, title, entries.iter().map(line).collect(), menu.chosen, theme, area);
}

pub(super) fn draw_packages(frame: &mut Frame<'_>, menu: &PackageMenu, theme: Theme, area: Rect) {
    let lines = menu.names.iter().map(|name| format!(" {}", theme.text(name))).collect();
    draw(frame, " Packages: Enter opens, Esc closes ", lines, menu.chosen, theme, area);
}

fn draw(
    frame: &mut Frame<'_>,
    title: &'static str,
    lines: Vec<String>,
    chosen: usize,
    theme: Theme,
    area: Rect,
) {
    let area = place(u16::try_from(lines.len()).unwrap_or(u16::MAX), area);
    let block = theme.block(title).title_alignment(Alignment::Center);
    let list = List::new(lines).highlight_style(theme.lit()).block(block);
    frame.render_widget(Clear, area);
    frame.render_stateful_widget(list, area, &mut ListState::default().with_selected(Some(chosen)));
}

/// Returns where a list of so many rows lies.
fn place(rows: u16, area: Rect) -> Rect {
    let width = WIDTH.min(area.width);
    let height = rows.saturating_add(2).min(area.height.saturating_sub(2 * MARGIN));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}
