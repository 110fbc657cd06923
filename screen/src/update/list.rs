//! Choosing a sound in the list, and folding its groups.

use std::collections::HashSet;
use std::time::Duration;

use super::notes;
use crate::keymap::KeyCommand;
use crate::model::list::ListRow;
use crate::model::{Model, SoundEntry};

/// So many rows further down, among those that can be marked.
pub(super) fn step(model: &mut Model, by: isize) {
    let stops = stops(model);
    let marked = model.list.marked.map_or(ListRow::Sound(model.chosen), ListRow::Group);
    let at = stops.iter().position(|row| *row == marked);
    let wanted = at.map_or(0, |at| at.saturating_add_signed(by).min(stops.len() - 1));
    mark(model, stops.get(wanted).copied());
}

/// To the first row or the last.
pub(super) fn to_end(model: &mut Model, is_last: bool) {
    let stops = stops(model);
    mark(model, if is_last { stops.last() } else { stops.first() }.copied());
}

fn stops(model: &Model) -> Vec<ListRow> {
    model.list.rows.iter().copied().filter(|row| model.list.is_stop(*row)).collect()
}

/// A folded group is marked while the keys still play the sound that was chosen before.
pub(super) fn mark(model: &mut Model, row: Option<ListRow>) {
    match row {
        Some(ListRow::Group(group)) => model.list.marked = Some(group),
        Some(ListRow::Sound(sound)) => {
            model.list.marked = None;
            model.chosen = sound;
        }
        None => {}
    }
}

/// Picks the chosen sound, or all of the marked group, for an instrument; or no longer if all of them are picked. Goes
/// on to the next row.
pub(super) fn pick(model: &mut Model, until: Duration) {
    let sounds = match model.list.marked.and_then(|group| model.list.groups.get(group)) {
        Some(group) => group.sounds.clone(),
        None => vec![model.chosen],
    };
    let is_playable = |sound: &usize| model.sounds.get(*sound).is_some_and(|entry| entry.silent.is_none());
    let sounds: Vec<usize> = sounds.into_iter().filter(is_playable).collect();
    if sounds.is_empty() {
        notes::show_reason(model, model.chosen);
        return;
    }
    let picked = &mut model.list.picked;
    let all: HashSet<usize> = picked.iter().copied().collect();
    if sounds.iter().all(|sound| all.contains(sound)) {
        let gone: HashSet<usize> = sounds.into_iter().collect();
        picked.retain(|sound| !gone.contains(sound));
    } else {
        picked.extend(sounds.into_iter().filter(|sound| !all.contains(sound)));
    }
    let what = match picked.len() {
        0 => "nothing is picked".to_owned(),
        1 => "1 sound is picked".to_owned(),
        count => format!("{count} sounds are picked"),
    };
    let hint = model.keymap.hint(KeyCommand::SaveSound);
    model.notice = Some((format!("{what}{hint}"), until));
    step(model, 1);
}

/// Sorts by what comes next.
pub(super) fn next_order(model: &mut Model) {
    model.list.order = model.list.order.after();
    arrange(model);
}

/// To the first sound of the next group that has a head, from the last to the first; that group is unfolded.
pub(super) fn next_group(model: &mut Model) {
    let own = model.list.marked.or_else(|| model.list.group_of(model.chosen));
    let count = model.list.groups.len();
    let after = own.map_or(0, |own| own + 1);
    let mut others = (after..after + count).map(|place| place % count.max(1));
    let Some(next) = others.find(|place| model.list.groups.get(*place).is_some_and(|g| !g.name.is_empty()))
    else {
        let key = model.keymap.keys(KeyCommand::Search).next();
        let search = key.map_or_else(String::new, |key| format!("; {key} searches"));
        model.warning = Some(format!("there are no groups{search}"));
        return;
    };
    let group = &mut model.list.groups[next];
    group.is_folded = false;
    model.list.marked = None;
    if let Some(first) = group.sounds.first() {
        model.chosen = *first;
    }
    arrange(model);
}

/// Folds the group of the chosen sound, or all.
pub(super) fn fold(model: &mut Model, all: bool) {
    if model.list.is_flat() {
        return;
    }
    let own = model.list.marked.or_else(|| model.list.group_of(model.chosen));
    for (place, group) in model.list.groups.iter_mut().enumerate() {
        group.is_folded |= !group.name.is_empty() && (all || own == Some(place));
    }
    arrange(model);
}

/// Folds a group, or unfolds it.
pub(super) fn toggle(model: &mut Model, group: usize) {
    let Some(group) = model.list.groups.get_mut(group) else { return };
    group.is_folded = !group.is_folded;
    model.list.marked = None;
    arrange(model);
}

/// Unfolds the marked group, or all.
pub(super) fn unfold(model: &mut Model, all: bool) {
    let marked = model.list.marked.take();
    for (place, group) in model.list.groups.iter_mut().enumerate() {
        group.is_folded &= !(all || marked == Some(place));
    }
    if let Some(group) = marked.and_then(|place| model.list.groups.get(place))
        && !group.sounds.contains(&model.chosen)
        && let Some(first) = group.sounds.first()
    {
        model.chosen = *first;
    }
    arrange(model);
}

/// Finds the rows again. Something of them is marked: the group that the chosen sound is hidden in, or the first sound
/// that was found.
pub(super) fn arrange(model: &mut Model) {
    model.list.arrange(model.sounds.iter().map(SoundEntry::listed));
    if model.list.is_flat() {
        if model.list.marked_row(model.chosen).is_none() {
            mark(model, model.list.rows.first().copied());
        }
    } else if model.list.marked.is_none() {
        let group = model.list.group_of(model.chosen);
        model.list.marked = group.filter(|group| model.list.is_stop(ListRow::Group(*group)));
    }
}
