//! The list of devices to choose from, over the screen.

use player::live::DeviceEntry;
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Clear, List, ListState, Paragraph};

use super::Theme;
use crate::layout;
use crate::model::DeviceMenu;

pub(super) fn draw(frame: &mut Frame<'_>, menu: &DeviceMenu, theme: Theme, area: Rect) {
    let title = " Devices: Enter selects, Esc closes ";
    let Some(entries) = &menu.entries else {
        let area = layout::menu(1, area);
        let block = theme.block(title).title_alignment(Alignment::Center);
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(" looking for devices ...").block(block), area);
        return;
    };
    let line = |DeviceEntry { name, about, plays }: &DeviceEntry| {
        let mark = if *plays { '*' } else { ' ' };
        format!("{mark} {}  {}", theme.text(name), theme.text(about))
    };
    let area = layout::menu(entries.len(), area);
    let block = theme.block(title).title_alignment(Alignment::Center);
    let list = List::new(entries.iter().map(line)).highlight_style(theme.lit()).block(block);
    frame.render_widget(Clear, area);
    let first = layout::first_of_menu(menu.chosen, layout::inside(area).height.into());
    let mut state = ListState::default().with_offset(first).with_selected(Some(menu.chosen));
    frame.render_stateful_widget(list, area, &mut state);
}
