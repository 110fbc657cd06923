//! The chosen sound's recording: its shape, its loop, and where its voices are.

use player::live::Picture;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use unicode_width::UnicodeWidthStr as _;

use player::Waveform;

use super::theme::Role;
use super::{Theme, shortened, squeezed};
use crate::model::knob::Knob;
use crate::model::zoom::{column_of, last_column_of, loop_of};
use crate::model::{Model, WaveDrag};

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
    let note = note(model, room);
    let block = theme.block(title).title_bottom(Line::from(format!(" {note} ")).alignment(Alignment::Right));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    if let Some(reason) = &entry.silent {
        let reason = Paragraph::new(theme.text(reason)).style(theme.dim()).wrap(Wrap { trim: true });
        frame.render_widget(reason, inner);
        return;
    }
    if let Some(waveform) = model.chosen_picture().and_then(|picture| picture.waveform.as_ref()) {
        frame.render_widget(Paragraph::new(lines(model, theme, waveform, inner)), inner);
    }
}

/// Returns its loop, or which of several recordings is seen, and its trim: next to the loop if there is room, instead
/// of the loop while the trim is changed.
fn note(model: &Model, room: usize) -> String {
    let several = match model.chosen_picture() {
        Some(Picture { recording, recordings: recordings @ 2.., .. }) => {
            format!("{} of {recordings}, ", recording + 1)
        }
        _ => String::new(),
    };
    let zoom = match model.zoom.sound == model.chosen {
        true if model.zoom.level > 0 => format!("x{}, ", 1_u32 << model.zoom.level),
        _ => String::new(),
    };
    let range = model.loop_range(model.chosen);
    let looping = range.map_or_else(|| "no loop".to_owned(), |range| format!("loop {range}"));
    let trim = model.chosen_picture().and_then(|picture| {
        let waveform = picture.waveform.as_ref()?;
        let drag = model.wave_drag.as_ref().filter(|drag| drag.is_trim());
        let dragged = drag.and_then(|drag| drag.frames(waveform));
        let trim = dragged.or_else(|| model.voicing(model.chosen).trim_of(waveform.length))?;
        Some(format!("trim {}-{}", trim.start, trim.end))
    });
    let of = |parts: &[&str]| format!("{zoom}{several}{}", parts.join(", "));
    let loop_only = of(&[&looping]);
    let Some(trim) = trim else { return shortened(&loop_only, room) };
    let both = of(&[&trim, &looping]);
    let is_trimming = model.wave_drag.as_ref().is_some_and(WaveDrag::is_trim)
        || model.is_adjusting && model.knob == Knob::Trim;
    match () {
        () if both.width() <= room => both,
        () if is_trimming => shortened(&of(&[&trim]), room),
        () => shortened(&loop_only, room),
    }
}

/// The columns of a waveform, and the frames that they show.
struct Scale {
    window: Range<u64>,
    columns: usize,
}

impl Scale {
    fn column(&self, frame: u64) -> Option<usize> {
        column_of(&self.window, frame, self.columns)
    }

    /// Returns the columns that show some of a range of frames.
    fn columns_of(&self, range: &Range<u64>) -> Option<RangeInclusive<usize>> {
        let last = range.end.saturating_sub(1).max(range.start);
        if last < self.window.start || range.start >= self.window.end {
            return None;
        }
        let start = self.column(range.start.max(self.window.start))?;
        Some(start..=self.column(last.min(self.window.end.saturating_sub(1)))?)
    }
}

/// The columns of what is played of a recording.
struct Trim {
    /// None if nothing of it is seen.
    columns: Option<RangeInclusive<usize>>,
    /// The columns of its start and its end that are seen and can be dragged.
    handles: [Option<usize>; 2],
    is_whole: bool,
}

impl Trim {
    /// Returns what is played, or what will be once the mouse lets go.
    fn of(model: &Model, waveform: &Waveform, scale: &Scale, dragged: Option<RangeInclusive<usize>>) -> Self {
        if let Some(columns) = dragged {
            let drag = model.wave_drag.as_ref();
            let handles = drag.and_then(|drag| drag.ends(waveform)).unwrap_or_default();
            return Self { columns: Some(columns), handles, is_whole: false };
        }
        let range = model.trim(waveform);
        let is_whole = range == (0..waveform.length.get());
        let last = last_column_of(&scale.window, range.end, scale.columns);
        // A sound of several recordings cannot be trimmed.
        let can_drag = model.chosen_picture().is_some_and(|picture| picture.recordings == 1);
        let handles = [scale.column(range.start), last].map(|at| at.filter(|_| can_drag));
        let columns = scale.columns_of(&range).map(|seen| *seen.start()..=last.unwrap_or(*seen.end()));
        Self { columns, handles, is_whole }
    }

    fn plays(&self, column: usize) -> bool {
        self.is_whole || self.columns.as_ref().is_some_and(|columns| columns.contains(&column))
    }

    /// Returns the sign of a handle at a column, and what it means.
    fn handle(&self, column: usize) -> Option<(char, Role)> {
        let role = if self.is_whole { Role::Dim } else { Role::Bright };
        let [start, end] = self.handles.map(|handle| handle == Some(column));
        (start || end).then_some((if start { '[' } else { ']' }, role))
    }
}

fn lines(model: &Model, theme: Theme, waveform: &Waveform, area: Rect) -> Vec<Line<'static>> {
    let (width, height) = (usize::from(area.width), usize::from(area.height).saturating_sub(1));
    let window = model.zoom.window(model.chosen, waveform.length.get());
    let scale = Scale { window, columns: width };
    let range = loop_of(waveform);
    let dragged = |is_trim: bool| {
        let drag = model.wave_drag.as_ref().filter(|drag| drag.is_trim() == is_trim);
        drag.and_then(|drag| drag.marked(waveform)).map(|(from, to)| from..=to)
    };
    let marked = dragged(false);
    let trim = Trim::of(model, waveform, &scale, dragged(true));
    let looping = marked.clone().or_else(|| scale.columns_of(range.as_ref()?));
    let places: Vec<usize> = model.positions.iter().filter_map(|place| scale.column(place.get())).collect();
    // A position colours the wave and leaves its shape.
    let role = |at: usize| match &looping {
        _ if places.contains(&at) => Role::Playhead,
        _ if !trim.plays(at) => Role::Dim,
        Some(looping) if looping.contains(&at) => Role::Loop,
        _ => Role::Wave,
    };
    let line = theme.glyph('┊', ':');
    let shape = if theme.ascii { letters } else { dots };
    let lanes = lanes(waveform, height);
    let rows = lanes.iter().flat_map(|(parts, height)| {
        let parts = seen(parts, &scale.window, waveform.length.get());
        shape(parts, width, *height)
    });
    let cells = |(row, cells): (usize, Vec<char>)| {
        let spans = cells.into_iter().enumerate().map(|(at, cell)| {
            if let Some((handle, role)) = trim.handle(at).filter(|_| row == 0) {
                return Span::styled(handle.to_string(), theme.style(role));
            }
            let cell = if cell == ' ' && places.contains(&at) { line } else { cell };
            Span::styled(cell.to_string(), theme.style(role(at)))
        });
        Line::from(spans.collect::<Vec<_>>())
    };
    // Ends of a loop that are seen can be dragged.
    let ends = match (&marked, &range) {
        (Some(marked), _) => vec![*marked.start(), *marked.end()],
        (None, Some(range)) => [range.start, range.end.saturating_sub(1)]
            .into_iter()
            .filter_map(|frame| scale.column(frame))
            .collect(),
        (None, None) => Vec::new(),
    };
    let [voice, inside, outside, handle] = theme.glyph(['▲', '═', ' ', '╪'], ['^', '=', ' ', '#']);
    let ruler = (0..width).map(|at| match &looping {
        _ if places.contains(&at) => Span::styled(voice.to_string(), theme.style(Role::Playhead)),
        _ if ends.contains(&at) => Span::styled(handle.to_string(), theme.style(Role::Loop)),
        Some(looping) if looping.contains(&at) => Span::styled(inside.to_string(), theme.style(Role::Loop)),
        _ => Span::raw(outside.to_string()),
    });
    let ruler = Line::from(ruler.collect::<Vec<_>>());
    rows.enumerate().map(cells).chain([ruler]).collect()
}

/// Returns the parts of a recording that show a window of its frames.
fn seen<'p>(parts: &'p Peaks, window: &Range<u64>, length: u64) -> &'p Peaks {
    let part = |frame: u64, rounds_up: bool| {
        let scaled = u128::from(frame) * parts.len() as u128;
        let length = u128::from(length.max(1));
        let part = if rounds_up { scaled.div_ceil(length) } else { scaled / length };
        usize::try_from(part).unwrap_or(usize::MAX).min(parts.len())
    };
    parts.get(part(window.start, false)..part(window.end, true)).unwrap_or(parts)
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
        let waveform = Waveform { channels: vec![left.clone(), right.clone()], ..Waveform::default() };
        assert_eq!(lanes(&waveform, 5), [(Cow::from(&left), 3), (Cow::from(&right), 2)]);
        assert_eq!(lanes(&waveform, 3), [(Cow::from(vec![[-0.5, 1.0]]), 3)]);
        let mono = Waveform { channels: vec![left.clone()], ..waveform };
        assert_eq!(lanes(&mono, 5), [(Cow::from(&left), 5)]);
    }
}
