//! The list of sounds. Only the rows that are seen are made, so a package may have any number.

use std::collections::HashSet;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthStr as _;

use super::theme::Role;
use super::{Theme, padded, squeezed};
use crate::keymap::KeyCommand;
use crate::model::column::{COLUMNS, LOOP};
use crate::model::list::{ListOrder, ListRow};
use crate::model::{ListFacts, Model, SoundEntry, SoundKind};
use player::keyboard::KeyMapMode;

/// The columns of the list, from the left; those with a width of 0 are left out.
struct Columns {
    number: usize,
    /// The computer's key that plays a sound of the kit.
    key: usize,
    name: usize,
    rest: [usize; COLUMNS.len()],
}

impl Columns {
    fn of(model: &Model, width: usize) -> Self {
        let ListFacts { name, path, columns } = &model.facts;
        let name = if model.list.is_flat() { path } else { name };
        let picked = usize::from(!model.list.picked.is_empty());
        let number = model.sounds.len().max(1).ilog10() as usize + 1 + picked;
        let key = if model.map == KeyMapMode::Kit { 1 } else { 0 };
        let mut rest: [usize; COLUMNS.len()] =
            std::array::from_fn(|at| columns[at].width.max(COLUMNS[at].heading.len()));
        let room = |rest: &[usize; COLUMNS.len()]| {
            let others: usize = rest.iter().filter(|width| **width > 0).map(|width| width + 1).sum();
            width.saturating_sub(number + 1 + key + usize::from(key > 0) + others)
        };
        // What is the same in every row is missed least.
        let mut dropped: Vec<usize> =
            (0..COLUMNS.len()).filter(|at| COLUMNS[*at].drop_order.is_some()).collect();
        dropped.sort_by_key(|at| (!columns[*at].is_constant, COLUMNS[*at].drop_order));
        for at in dropped {
            if room(&rest) < *name {
                rest[at] = 0;
            }
        }
        Self { number, key, name: room(&rest), rest }
    }
}

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, area: Rect) {
    let block = theme.panel(title(model, theme), !model.is_adjusting);
    let block = block.title_bottom(Line::from(count(model)).alignment(Alignment::Right));
    let inner = block.inner(area);
    let width = usize::from(inner.width);
    let columns = Columns::of(model, width);

    let seen = usize::from(inner.height).saturating_sub(1);
    let rows = &model.list.rows;
    let marked = model.list.marked_row(model.chosen);
    let first = model.list.first_row(model.chosen, seen);
    let kit_keys = model.kit_keys();
    let picked: HashSet<usize> = model.list.picked.iter().copied().collect();
    let heads = columns.line(["#", "", "name"], COLUMNS.map(|column| column.heading)).concat();
    let mut lines = vec![Line::styled(heads, theme.style(Role::Title))];
    for (place, row) in rows.iter().enumerate().skip(first).take(seen) {
        let spans = match *row {
            ListRow::Group(group) => {
                vec![Span::styled(head_of(model, theme, group, width), theme.style(Role::Title))]
            }
            ListRow::Sound(sound) => {
                sound_row(model, theme, &columns, sound, kit_keys.get(&sound).copied(), &picked)
            }
        };
        let is_marked = marked == Some(place);
        let on = |span: Span<'static>| Span { style: theme.on(Role::Selected, span.style), ..span };
        let spans = spans.into_iter().map(|span| if is_marked { on(span) } else { span });
        lines.push(Line::from(spans.collect::<Vec<_>>()));
    }
    if rows.is_empty() {
        let text = if model.is_listing { "reading ..." } else { "nothing found" };
        lines.push(Line::styled(text, theme.dim()));
    }
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn title(model: &Model, theme: Theme) -> String {
    let list = &model.list;
    let filter = theme.text(&list.filter);
    match (list.is_typing, list.is_filtered()) {
        (true, _) => format!(" Search: {filter}_ "),
        (false, true) => format!(" Sounds: {filter} (Esc shows all) "),
        (false, false) => match list.order {
            ListOrder::Number => " Sounds ".to_owned(),
            order => format!(" Sounds by {}{} ", order.name(), model.keymap.hint(KeyCommand::Sort)),
        },
    }
}

fn count(model: &Model) -> String {
    let all = model.sounds.len();
    if model.list.is_filtered() || model.list.is_typing {
        let found = model.list.rows.iter().filter(|row| matches!(row, ListRow::Sound(_))).count();
        return format!(" {found} of {all} found ");
    }
    let more = if model.is_listing { " so far" } else { "" };
    match all {
        0 => more.to_owned(),
        _ => {
            let picked = match model.list.picked.len() {
                0 => String::new(),
                count => format!(", {count} picked"),
            };
            format!(" #{} of {all}{more}{picked} ", model.chosen + 1)
        }
    }
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

fn sound_row(
    model: &Model,
    theme: Theme,
    columns: &Columns,
    sound: usize,
    kit_key: Option<char>,
    picked: &HashSet<usize>,
) -> Vec<Span<'static>> {
    let Some(entry) = model.sounds.get(sound) else { return Vec::new() };
    let role = match (&entry.silent, entry.kind) {
        _ if model.notes.iter().any(|note| note.sound == sound) => Role::Sounding,
        (_, SoundKind::Module) => Role::Song,
        (Some(_), _) => Role::Dim,
        (None, SoundKind::Cue | SoundKind::Instrument) => Role::Cue,
        (None, SoundKind::Recording) => Role::Text,
    };
    // What was found stands alone, what is in a group stands below its head.
    let name = theme.text(if model.list.is_flat() { &entry.name } else { entry.listed().own_name() });
    let name = match model.list.prefix_of(sound) {
        prefix @ 1.. if name.width() > columns.name => format!("~{}", name.get(prefix..).unwrap_or(&name)),
        _ => name,
    };
    let is_picked = picked.contains(&sound);
    let digits = columns.number - usize::from(!picked.is_empty());
    let number = format!("{:0>digits$}{}", sound + 1, if is_picked { "+" } else { "" });
    let range = looping(model, entry, sound, columns);
    let cells = std::array::from_fn(|at| match COLUMNS[at].heading {
        LOOP => &*range,
        _ => &*entry.cells[at],
    });
    let key = kit_key.map(String::from).unwrap_or_default();
    let [number, key, name, rest] = columns.line([&number, &key, &squeezed(&name, columns.name)], cells);
    let style = |role| -> Style { theme.style(role) };
    let rest_role = if entry.silent.is_some() { Role::Dim } else { Role::Text };
    vec![
        Span::styled(number, style(if is_picked { Role::Lit } else { Role::Dim })),
        Span::styled(key, style(Role::Lit)),
        Span::styled(name, style(role)),
        Span::styled(rest, style(rest_role)),
    ]
}

/// Returns the loop's range where there is room, else whether there is one.
fn looping(model: &Model, entry: &SoundEntry, sound: usize, columns: &Columns) -> String {
    match model.loop_range(sound) {
        None if entry.loops => "off".to_owned(),
        None => "-".to_owned(),
        Some(range) if range.width() > columns.width_of(LOOP) => "yes".to_owned(),
        Some(range) => range,
    }
}

impl Columns {
    /// Returns the width of a column, by its heading.
    fn width_of(&self, heading: &str) -> usize {
        let columns = COLUMNS.iter().zip(self.rest);
        columns.filter(|(column, _)| column.heading == heading).map(|(_, width)| width).sum()
    }

    /// Returns number, key, name and the rest of a row, each with the blank before it.
    fn line(&self, [number, key, name]: [&str; 3], rest: [&str; COLUMNS.len()]) -> [String; 4] {
        let cell = |text: &str, width: usize| match width {
            0 => String::new(),
            width => format!(" {}", padded(text, width)),
        };
        let rest: String = rest.into_iter().zip(self.rest).map(|(text, width)| cell(text, width)).collect();
        [padded(number, self.number), cell(key, self.key), cell(name, self.name), rest]
    }
}
