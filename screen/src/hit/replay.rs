use ratatui::layout::{Position, Rect};

use super::{SongTarget, place};
use crate::layout::replay::{HEAD, ROW_NUMBER, SeenRow, SongAreas, channels, seen_rows};
use crate::layout::{first_of_list, inside};
use crate::model::replay::SongView;
use crate::model::{Model, View};

/// Returns what of the song or of the list of songs is at a place of the middle.
pub(super) fn target(model: &Model, area: Rect, at: Position) -> Option<SongTarget> {
    match (model.view, &model.song) {
        (View::Songs, _) => listed(model, inside(area), at),
        (View::Pattern, Some(song)) => in_song(model, song, area, at),
        (View::About, Some(_)) => Some(SongTarget::Page),
        _ => None,
    }
}

/// Returns the row of the list of songs; its first line has the heads of the columns.
fn listed(model: &Model, inner: Rect, at: Position) -> Option<SongTarget> {
    let seen = usize::from(inner.height).saturating_sub(1);
    let row = place(inner, at)?.1.checked_sub(1)?;
    let row = row + model.songs.first_row(seen);
    (row < model.songs.rows.len()).then_some(SongTarget::Listed(row))
}

fn in_song(model: &Model, song: &SongView, area: Rect, at: Position) -> Option<SongTarget> {
    let SongAreas { orders, pattern, names } = SongAreas::of(area, song);
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
        let mut from = ROW_NUMBER;
        for seen in channels(song, inner.width) {
            let to = from + 1 + seen.width.columns(song.module().dialect);
            if (from..to).contains(&column) {
                return Some(SongTarget::Channel(seen.channel));
            }
            from = to;
        }
        return None;
    }
    let seen = usize::from(inner.height).saturating_sub(HEAD);
    let SeenRow { order, row } = seen_rows(song, seen).get(row - HEAD).copied().flatten()?;
    Some(SongTarget::Row { order, row })
}
