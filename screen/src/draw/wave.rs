//! The chosen sound's recording: its shape, its loop, and where its voices are.

use player::live::Picture;
use std::borrow::Cow;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use unicode_width::UnicodeWidthStr as _;

use player::Waveform;

use super::{FAINT, Theme, shortened, squeezed};
use crate::model::{LoopDrag, Model};

/// Rows of a lane that shows anything.
const MIN_LANE: usize = 2;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let Some(entry) = model.chosen_entry() else {
        frame.render_widget(theme.block(""), area);
        return;
    };
    let room = usize::from(area.width).saturating_sub(4);
    let path = theme.text(&entry.name);
    // Where the group has no room it is seen in the list.
    let name = if path.width() <= room { path } else { theme.text(entry.listed().own_name()) };
    let title = format!(" {} ", squeezed(&name, room));
    let note = shortened(&note(model), room);
    let block = theme.block(title).title_bottom(Line::from(format!(" {note} ")).alignment(Alignment::Right));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if let Some(reason) = &entry.silent {
        let reason = Paragraph::new(theme.text(reason)).style(FAINT).wrap(Wrap { trim: true });
        frame.render_widget(reason, inner);
        return;
    }
    if let Some(waveform) = model.chosen_picture().and_then(|picture| picture.waveform.as_ref()) {
        frame.render_widget(Paragraph::new(lines(model, theme, waveform, inner)), inner);
    }
}

/// Returns its loop, or which of several recordings is seen.
fn note(model: &Model) -> String {
    let several = match model.chosen_picture() {
        Some(Picture { recording, recordings: recordings @ 2.., .. }) => {
            format!("{} of {recordings}, ", recording + 1)
        }
        _ => String::new(),
    };
    let range = model.loop_range(model.chosen);
    let looping = range.map_or_else(|| "no loop".to_owned(), |range| format!("loop {range}"));
    format!("{several}{looping}")
}

fn lines(model: &Model, theme: Theme, waveform: &Waveform, area: Rect) -> Vec<Line<'static>> {
    let (width, height) = (usize::from(area.width), usize::from(area.height).saturating_sub(1));
    let column = |frame: u64| {
        let place = u128::from(frame) * width as u128 / u128::from(waveform.length.get().max(1));
        usize::try_from(place).unwrap_or(usize::MAX)
    };
    let marked = model.loop_drag.filter(|drag| drag.from != drag.to);
    let marked = marked.map(|LoopDrag { from, to, .. }| from.min(to)..=from.max(to));
    let looping = waveform.looping.map(|(start, end, _)| {
        let last = end.get().saturating_sub(1).max(start.get());
        column(start.get())..=column(last)
    });
    let looping = marked.or(looping);
    let places: Vec<usize> = model.positions.iter().map(|place| column(place.get())).collect();
    let style = |at: usize| match &looping {
        _ if places.contains(&at) => theme.lit(),
        Some(looping) if theme.colored && looping.contains(&at) => Style::new().fg(Color::Cyan),
        _ => theme.waveform(),
    };
    let shape = if theme.ascii { letters } else { dots };
    let lanes = lanes(waveform, height);
    let rows = lanes.iter().flat_map(|(parts, height)| shape(parts, width, *height));
    let cells = |row: Vec<char>| {
        let spans = row.into_iter().enumerate().map(|(at, cell)| Span::styled(cell.to_string(), style(at)));
        Line::from(spans.collect::<Vec<_>>())
    };
    let [voice, inside, outside] = if theme.ascii { ['^', '=', ' '] } else { ['▲', '═', ' '] };
    let ruler = (0..width).map(|at| match &looping {
        _ if places.contains(&at) => voice,
        Some(looping) if looping.contains(&at) => inside,
        _ => outside,
    });
    let ruler = Line::from(ruler.collect::<String>());
    rows.map(cells).chain([ruler]).collect()
}

/// The lowest and highest value in each part of a recording.
type Peaks = [[f32; 2]];

/// Returns a lane for each channel and its height, the left one above; one for all where there is little room.
fn lanes(waveform: &Waveform, height: usize) -> Vec<(Cow<'_, Peaks>, usize)> {
    match waveform.channels.as_slice() {
        [left, right] if height >= 2 * MIN_LANE => {
            let upper = height.div_ceil(2);
            vec![(left.into(), upper), (right.into(), height - upper)]
        }
        [left, right] => {
            let both = left.iter().zip(right).map(|(left, right)| either(*left, *right));
            vec![(both.collect(), height)]
        }
        channels => channels.iter().map(|parts| (parts.into(), height)).collect(),
    }
}

/// Returns the lowest and highest of two parts.
const fn either([low, high]: [f32; 2], [other_low, other_high]: [f32; 2]) -> [f32; 2] {
    [low.min(other_low), high.max(other_high)]
}

/// Returns the lowest and highest value in each of some columns.
fn extremes(parts: &Peaks, columns: usize) -> impl Iterator<Item = [f32; 2]> {
    (0..columns).map(move |column| {
        let first = (column * parts.len() / columns.max(1)).min(parts.len().saturating_sub(1));
        let end = ((column + 1) * parts.len() / columns.max(1)).clamp(first + 1, parts.len().max(first + 1));
        let parts = parts.get(first..end).unwrap_or_default();
        parts.iter().copied().reduce(either).unwrap_or_default()
    })
}

/// Returns the row of a value, of so many from the highest.
fn row(value: f32, rows: usize) -> usize {
    let part = (1.0 - value.clamp(-1.0, 1.0)) / 2.0;
    (part * rows.saturating_sub(1) as f32).round() as usize
}

/// In dots of Braille, two by four in each cell.
fn dots(parts: &Peaks, width: usize, height: usize) -> Vec<Vec<char>> {
    const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    const NOTHING: u32 = 0x2800;
    let mut cells = vec![vec![NOTHING; width]; height];
    for (x, [low, high]) in extremes(parts, 2 * width).enumerate() {
        for y in row(high, 4 * height)..=row(low, 4 * height) {
            if let Some(cell) = cells.get_mut(y / 4).and_then(|row: &mut Vec<u32>| row.get_mut(x / 2)) {
                *cell |= DOTS[y % 4][x % 2];
            }
        }
    }
    // Some fonts show a cell without dots as eight rings.
    let glyph = |cell| if cell == NOTHING { ' ' } else { char::from_u32(cell).unwrap_or(' ') };
    cells.into_iter().map(|row| row.into_iter().map(glyph).collect()).collect()
}

/// In letters.
fn letters(parts: &Peaks, width: usize, height: usize) -> Vec<Vec<char>> {
    let mut cells = vec![vec![' '; width]; height];
    for (x, [low, high]) in extremes(parts, width).enumerate() {
        let (top, bottom) = (row(high, height), row(low, height));
        let glyph = if top == bottom { '-' } else { '#' };
        cells.iter_mut().take(bottom + 1).skip(top).for_each(|row| row[x] = glyph);
    }
    cells
}

#[cfg(test)]
mod tests {
    use song::Frames;

    use super::*;

    fn seen(rows: &[Vec<char>]) -> Vec<String> {
        rows.iter().map(|row| row.iter().collect()).collect()
    }

    #[test]
    fn each_value_is_at_its_height() {
        let parts = [[-1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
        assert_eq!(seen(&letters(&parts, 4, 3)), ["# # ", "#-# ", "#  -"]);
        assert_eq!(seen(&dots(&parts, 2, 1)), ["⡧⢇"]);
    }

    #[test]
    fn a_recording_of_one_frame_fills_the_width_and_no_size_is_too_small() {
        let parts = [[1.0, 1.0]];
        assert_eq!(seen(&letters(&parts, 3, 2)), ["---", "   "]);
        for (width, height) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            letters(&parts, width, height);
            dots(&parts, width, height);
        }
    }

    #[test]
    fn stereo_has_a_lane_for_each_channel_where_there_is_room() {
        let (left, right) = (vec![[0.0, 1.0]], vec![[-0.5, 0.0]]);
        let waveform =
            Waveform { length: Frames::new(1), looping: None, channels: vec![left.clone(), right.clone()] };
        assert_eq!(lanes(&waveform, 5), [(Cow::from(&left), 3), (Cow::from(&right), 2)]);
        assert_eq!(lanes(&waveform, 3), [(Cow::from(vec![[-0.5, 1.0]]), 3)]);
        let mono = Waveform { channels: vec![left.clone()], ..waveform };
        assert_eq!(lanes(&mono, 5), [(Cow::from(&left), 5)]);
    }
}
