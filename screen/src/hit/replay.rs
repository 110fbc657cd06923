use ratatui::layout::{Position, Rect};

use super::{SongTarget, place};
use crate::layout::replay::{CellWidth, HEAD, ROW_NUMBER, SongAreas};
use crate::layout::{first_of_list, inside};
use crate::model::Model;
use crate::model::replay::SongView;

/// Returns what of the song is at a place.
pub(super) fn target(model: &Model, song: &SongView, area: Rect, at: Position) -> Option<SongTarget> {
    let SongAreas { orders, pattern, names } = SongAreas::of(area);
    if let Some(inner) = orders.map(inside)
        && let Some((_, row)) = place(inner, at)
    {
        let count = song.module().orders.len();
        let order = row + first_of_list(count, Some(song.heard.place.order), inner.height.into());
        return song.rows(order).map(|_| SongTarget::Order(order));
    }
    if let Some(inner) = names.map(inside)
        && let Some((_, row)) = place(inner, at)
    {
        let count = song.names().len();
        let chosen = (0..count).find(|name| song.sound_of(*name) == model.chosen);
        let name = row + first_of_list(count, chosen, inner.height.into());
        return (name < count).then_some(SongTarget::Name(name));
    }
    let inner = inside(pattern);
    let (column, row) = place(inner, at)?;
    if row < HEAD {
        let width = CellWidth::of(song.module(), inner.width);
        let (first, seen) = width.channels(song, inner.width);
        let beside = column.checked_sub(ROW_NUMBER)? / (1 + width.columns(song.module().dialect));
        let channel = first + beside;
        return (beside < seen && channel < song.muted.len()).then_some(SongTarget::Channel(channel));
    }
    let seen = usize::from(inner.height).saturating_sub(HEAD);
    let row = (song.heard.place.row + row - HEAD).checked_sub(seen / 2)?;
    (row < song.rows(song.heard.place.order)?).then_some(SongTarget::Row(row))
}
