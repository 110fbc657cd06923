//! Lists to choose from, over the screen: devices, files that sounds can be saved to, values of switches.

use player::live::{DeviceEntry, SoundSwitch};
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::{Clear, List, ListState, Paragraph};
use unicode_width::UnicodeWidthStr as _;

use super::Theme;
use super::theme::Role;
use crate::layout;
use crate::model::{DeviceMenu, SaveMenu, SwitchMenu};

pub(super) fn devices(frame: &mut Frame<'_>, menu: &DeviceMenu, theme: Theme, area: Rect) {
    let title = " Devices: Enter selects, Esc closes ";
    let Some(entries) = &menu.entries else {
        let area = layout::menu(1, area);
        let block = theme.panel(title, true).title_alignment(Alignment::Center);
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(" looking for devices ...").block(block), area);
        return;
    };
    let line = |DeviceEntry { name, about, plays }: &DeviceEntry| {
        let mark = if *plays { '*' } else { ' ' };
        format!("{mark} {}  {}", theme.text(name), theme.text(about))
    };
    rows(frame, title, entries.iter().map(line).collect(), menu.chosen, theme, area);
}

pub(super) fn saving(frame: &mut Frame<'_>, menu: &SaveMenu, theme: Theme, area: Rect) {
    let lines = menu.choices.iter().map(|(what, _)| format!("  {}", theme.text(what))).collect();
    rows(frame, " Save: Enter selects, Esc closes ", lines, menu.chosen, theme, area);
}

pub(super) fn switching(
    frame: &mut Frame<'_>,
    menu: &SwitchMenu,
    switches: &[SoundSwitch],
    theme: Theme,
    area: Rect,
) {
    let shown = || menu.rows.iter().filter_map(|row| switches.get(*row));
    let width = shown().map(|switch| switch.choice.name.width()).max().unwrap_or_default().min(MAX_NAME);
    let line = |SoundSwitch { choice, set, .. }: &SoundSwitch| {
        let value = |index: usize| choice.values.get(index).map(|(_, value)| value.clone());
        let default = || choice.chosen.and_then(value).map(|value| format!("default: {value}"));
        let value = set.and_then(value).or_else(default);
        let name = theme.text(&choice.name);
        let gap = " ".repeat(width.saturating_sub(name.width()));
        format!("  {name}{gap}  < {} >", theme.text(value.as_deref().unwrap_or("default")))
    };
    let title = " Switches: Left, Right choose, Esc closes ";
    rows(frame, title, shown().map(line).collect(), menu.chosen, theme, area);
}

/// Columns beyond which names of switches do not push values to the right.
const MAX_NAME: usize = 32;

fn rows(
    frame: &mut Frame<'_>,
    title: &'static str,
    lines: Vec<String>,
    chosen: usize,
    theme: Theme,
    area: Rect,
) {
    let area = layout::menu(lines.len(), area);
    let block = theme.panel(title, true).title_alignment(Alignment::Center);
    let list = List::new(lines).highlight_style(theme.style(Role::Selected)).block(block);
    frame.render_widget(Clear, area);
    let first = layout::first_of_menu(chosen, layout::inside(area).height.into());
    let mut state = ListState::default().with_offset(first).with_selected(Some(chosen));
    frame.render_stateful_widget(list, area, &mut state);
}
