//! The list of sounds. Only the rows that are seen are made, so a package may have any number.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::{FAINT, Theme, padded, squeezed};
use crate::tui::model::list::{ListRow, split};
use crate::tui::model::{Model, SoundEntry};

/// The widths of the columns: of the number, the name, and the rest from the left.
struct Columns {
    number: usize,
    name: usize,
    rest: [usize; 5],
}

/// The columns after the name in a list that has room for ranges of loops, and in one that has not.
const WIDE: [usize; 5] = [6, 4, 2, 11, 16];
const NARROW: [usize; 5] = [5, 3, 2, 8, 4];
/// From here on there is room.
const ROOM: usize = 66;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let block =
        theme.block(title(model, theme)).title_bottom(Line::from(count(model)).alignment(Alignment::Right));
    let inner = block.inner(area);
    let width = usize::from(inner.width);
    let number = model.sounds.len().max(1).ilog10() as usize + 1;
    let rest = if width >= ROOM { WIDE } else { NARROW };
    let name = width.saturating_sub(number + 1 + rest.iter().map(|column| column + 1).sum::<usize>());
    let columns = Columns { number, name, rest };

    let seen = usize::from(inner.height).saturating_sub(1);
    let rows = &model.list.rows;
    let marked = model.list.marked_row(model.chosen);
    let first = marked.unwrap_or(0).saturating_sub(seen / 2).min(rows.len().saturating_sub(seen));
    let head = ["#", "name", "rate", "bit", "ch", "length", "loop"].map(str::to_owned);
    let mut lines = vec![Line::styled(columns.line(head), Modifier::BOLD)];
    for (place, row) in rows.iter().enumerate().skip(first).take(seen) {
        let (text, style) = match *row {
            ListRow::Group(group) => {
                (head_of(model, theme, group, width), Style::new().add_modifier(Modifier::BOLD))
            }
            ListRow::Sound(sound) => sound_row(model, theme, &columns, sound),
        };
        let style = if marked == Some(place) { style.add_modifier(Modifier::REVERSED) } else { style };
        lines.push(Line::styled(text, style));
    }
    if rows.is_empty() {
        lines.push(Line::styled("nothing found", FAINT));
    }
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn title(model: &Model, theme: Theme) -> String {
    let list = &model.list;
    let filter = theme.text(&list.filter);
    match (list.is_typing, list.is_filtered()) {
        (true, _) => format!(" Search: {filter}_ "),
        (false, true) => format!(" Sounds: {filter} (F3) "),
        (false, false) => " Sounds ".to_owned(),
    }
}

fn count(model: &Model) -> String {
    let all = model.sounds.len();
    if model.list.is_filtered() || model.list.is_typing {
        let found = model.list.rows.iter().filter(|row| matches!(row, ListRow::Sound(_))).count();
        return format!(" {found} of {all} found ");
    }
    format!(" #{} of {all} ", model.chosen + 1)
}

fn head_of(model: &Model, theme: Theme, group: usize, width: usize) -> String {
    let Some(group) = model.list.groups.get(group) else { return String::new() };
    let sign = match (theme.ascii, group.is_folded) {
        (true, true) => '+',
        (true, false) => '-',
        (false, true) => '▸',
        (false, false) => '▾',
    };
    padded(&format!("{sign} {}  {}", theme.text(&group.name), group.sounds.len()), width)
}

fn sound_row(model: &Model, theme: Theme, columns: &Columns, sound: usize) -> (String, Style) {
    let Some(entry) = model.sounds.get(sound) else { return (String::new(), Style::new()) };
    let style = if entry.silent.is_some() { FAINT } else { Style::new() };
    // What was found stands alone, what is in a group stands below its head.
    let name = if model.list.is_filtered() { &entry.name } else { split(&entry.name).1 };
    let number = format!("{:0>width$}", sound + 1, width = columns.number);
    let [rate, bits, channels, length] =
        [&entry.rate, &entry.bits, &entry.channels, &entry.length].map(Clone::clone);
    let range = looping(model, entry, sound, columns);
    let name = squeezed(&theme.text(name), columns.name);
    (columns.line([number, name, rate, bits, channels, length, range]), style)
}

/// Returns the loop's range where there is room, else whether there is one.
fn looping(model: &Model, entry: &SoundEntry, sound: usize, columns: &Columns) -> String {
    let text = match (model.loops(sound), entry.looping.as_str()) {
        (false, "-") => "-",
        (false, _) if entry.loops => "off",
        (false, _) => "-",
        (true, "-") => "all",
        (true, _) if columns.rest == NARROW => "yes",
        (true, range) => range,
    };
    text.to_owned()
}

impl Columns {
    fn line(&self, [number, name, cells @ ..]: [String; 7]) -> String {
        let mut line = format!("{} {}", padded(&number, self.number), padded(&name, self.name));
        for (cell, width) in cells.iter().zip(self.rest) {
            line.push(' ');
            line.push_str(&padded(cell, width));
        }
        line
    }
}
