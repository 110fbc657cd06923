//! What is under the mouse: the parts of the screen, found again where [`super::draw`] has put them.

mod replay;

#[cfg(feature = "terminal")]
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::draw::{Theme, progress_bar};
use super::hit_target::{HitTarget, SongTarget};
use super::layout::{self, Areas, MIN_SIZE, PIANO, Wanted, first_of_menu, inside};
use super::model::Model;
use super::model::knob::{Knob, PAGES, ROWS};
#[cfg(feature = "terminal")]
use super::update::{MouseAction, Msg};
use player::keyboard::Scheme;

/// Returns what the mouse does on a screen of some size; none if it means nothing.
#[cfg(feature = "terminal")]
#[must_use]
pub fn message(model: &Model, screen: Rect, mouse: &MouseEvent) -> Option<Msg> {
    let action = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => MouseAction::Down,
        MouseEventKind::Down(MouseButton::Right) => MouseAction::RightDown,
        MouseEventKind::Drag(MouseButton::Left) => MouseAction::Drag,
        MouseEventKind::Up(MouseButton::Left) => MouseAction::Up,
        MouseEventKind::ScrollUp => MouseAction::Wheel(-1),
        MouseEventKind::ScrollDown => MouseAction::Wheel(1),
        _ => return None,
    };
    let target = target(model, screen, Position::new(mouse.column, mouse.row));
    Some(Msg::Mouse { action, target })
}

/// Returns what is at a place. While a loop or a trim is marked, everything is the waveform.
#[must_use]
pub fn target(model: &Model, screen: Rect, at: Position) -> HitTarget {
    if screen.width < MIN_SIZE.0 || screen.height < MIN_SIZE.1 {
        return HitTarget::Nothing;
    }
    if let Some((rows, chosen)) = menu(model) {
        let inner = inside(layout::menu(rows, screen));
        let row = place(inner, at).map(|(_, row)| row + first_of_menu(chosen, inner.height.into()));
        return HitTarget::Menu(row.filter(|row| *row < rows));
    }
    let Areas { bar, middle, list, wave, knobs, piano, .. } = Areas::of(screen, Wanted::of(model));
    let is_in = |area: &Rect| area.contains(at);
    if let Some(area) = bar.filter(is_in) {
        // Its signs are as wide in ASCII.
        let bar = model.song.as_ref().map(|song| progress_bar(song, Theme::plain(), area.width));
        let column = usize::from(at.x - area.x);
        let bar = bar.filter(|bar| bar.contains(&column));
        return bar.map_or(HitTarget::Nothing, |bar| {
            HitTarget::Song(SongTarget::Bar { column: column - bar.start, columns: bar.len() })
        });
    }
    if model.view.is_of_songs() && is_in(&middle) {
        return replay::target(model, middle, at).map_or(HitTarget::Nothing, HitTarget::Song);
    }
    if let Some(area) = wave.filter(|area| model.wave_drag.is_some() || is_in(area)) {
        let inner = inside(area);
        let columns = usize::from(inner.width);
        let column = usize::from(at.x.saturating_sub(inner.x)).min(columns.saturating_sub(1));
        return HitTarget::Wave { column, columns, is_top: at.y <= inner.y };
    }
    if is_in(&list) {
        return HitTarget::List(list_row(model, inside(list), at));
    }
    if let Some(area) = knobs.filter(is_in) {
        return knob(model, inside(area), at).map_or(HitTarget::Nothing, HitTarget::Knob);
    }
    match piano.filter(is_in) {
        Some(area) => HitTarget::Piano(piano_key(model, area, at)),
        None => HitTarget::Nothing,
    }
}

/// Returns the rows of the menu that is shown, and which is chosen.
fn menu(model: &Model) -> Option<(usize, usize)> {
    let devices = model.devices.as_ref();
    let devices = devices.map(|menu| (menu.entries.as_ref().map_or(1, Vec::len), menu.chosen));
    let saving = || model.saving.as_ref().map(|menu| (menu.choices.len(), menu.chosen));
    let switching = || model.switching.as_ref().map(|menu| (menu.rows.len(), menu.chosen));
    devices.or_else(saving).or_else(switching)
}

/// Returns the column and row within an area.
fn place(area: Rect, at: Position) -> Option<(usize, usize)> {
    area.contains(at).then(|| (usize::from(at.x - area.x), usize::from(at.y - area.y)))
}

fn list_row(model: &Model, inner: Rect, at: Position) -> Option<usize> {
    // The first row are the heads of the columns.
    let seen = usize::from(inner.height).saturating_sub(1);
    let row = place(inner, at)?.1.checked_sub(1)?;
    let rows = model.list.rows.len();
    let row = row + model.list.first_row(model.chosen, seen);
    (row < rows).then_some(row)
}

fn knob(model: &Model, inner: Rect, at: Position) -> Option<Knob> {
    let (column, row) = place(inner, at)?;
    let side = column / (usize::from(inner.width) / 2).max(1);
    let knobs = PAGES[model.knob.page()].knobs;
    knobs.get(side * ROWS + row).copied().filter(|_| side < 2 && row < ROWS)
}

fn piano_key(model: &Model, area: Rect, at: Position) -> Option<u8> {
    let inner = if area.height > PIANO { inside(area) } else { area };
    let (column, row) = place(inner, at)?;
    let key = layout::piano_key(column, row)?;
    let last = Scheme::of(model.layout).notes().map(|(_, semitone)| semitone).max()?;
    (key <= last).then_some(key)
}

#[cfg(test)]
mod tests;
