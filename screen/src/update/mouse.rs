//! The mouse: what is clicked, marked and turned.

use std::time::Duration;

use super::{Intent, MouseAction, NOTICED, Press, choose, in_menu, knobs, list, notes, replay, zoom};
use crate::hit_target::{HitTarget, SongTarget};
use crate::model::list::ListRow;
use crate::model::{Model, WaveDrag, WaveMark};

/// Rows that a step of the wheel goes in the list.
const WHEEL_ROWS: isize = 3;

/// Handles what the mouse does.
pub(super) fn handle(
    model: &mut Model,
    action: MouseAction,
    target: HitTarget,
    now: Duration,
) -> Vec<Intent> {
    model.is_touched = true;
    match (action, target) {
        (MouseAction::Down, _) if model.help.is_some() => model.help = None,
        (MouseAction::Wheel(steps), _) if model.help.is_some() => {
            let press = if steps < 0 { Press::Up(1) } else { Press::Down(1) };
            return super::help::pressed(model, press).unwrap_or_default();
        }
        (_, _) if model.help.is_some() => {}
        (MouseAction::Down, target) => return down(model, target, now),
        (MouseAction::RightDown, HitTarget::Song(SongTarget::Channel(channel))) => {
            return model.song.as_mut().map_or_else(Vec::new, |own| replay::solo(own, channel));
        }
        (MouseAction::RightDown, _) => {}
        (MouseAction::Drag, HitTarget::Wave { column, .. }) => {
            if let Some(drag) = &mut model.wave_drag {
                drag.to = column;
            }
        }
        (MouseAction::Drag, HitTarget::Piano(Some(semitone)))
            if notes::is_mouse_elsewhere(model, semitone) =>
        {
            let mut intents = notes::mouse_up(model);
            intents.extend(notes::mouse_down(model, semitone, now));
            return intents;
        }
        (MouseAction::Drag, _) => {}
        (MouseAction::Up, _) => {
            let mut intents = notes::mouse_up(model);
            if let Some(drag) = model.wave_drag.take() {
                intents.extend(mark(model, &drag, now));
            }
            return intents;
        }
        (MouseAction::Wheel(steps), target) => return turn(model, steps, target, now),
    }
    Vec::new()
}

fn down(model: &mut Model, target: HitTarget, now: Duration) -> Vec<Intent> {
    match target {
        HitTarget::Menu(row) => return menu(model, row, now),
        HitTarget::List(Some(row)) => match model.list.rows.get(row).copied() {
            Some(ListRow::Group(group)) => list::toggle(model, group),
            Some(ListRow::Sound(sound)) if sound == model.chosen && model.list.marked.is_none() => {
                return notes::audition(model, now);
            }
            Some(row) => return choose(model, now, |model| list::mark(model, Some(row))),
            None => {}
        },
        HitTarget::Wave { column, columns, is_top } => {
            model.wave_drag = WaveDrag::begin(model, column, columns, is_top);
        }
        HitTarget::Knob(knob) => {
            model.knob = knob;
            model.is_adjusting = true;
            model.list.is_typing = false;
        }
        HitTarget::Piano(Some(semitone)) => return notes::mouse_down(model, semitone, now),
        HitTarget::Song(target) => return in_song(model, target),
        HitTarget::List(None) | HitTarget::Piano(None) | HitTarget::Nothing => {}
    }
    Vec::new()
}

/// Clicks on a part of the song.
fn in_song(model: &mut Model, target: SongTarget) -> Vec<Intent> {
    match target {
        SongTarget::Name(name) => {
            replay::choose(model, name);
            return Vec::new();
        }
        SongTarget::Listed(row) => return replay::click(model, row),
        _ => {}
    }
    let Some(own) = &mut model.song else { return Vec::new() };
    match target {
        SongTarget::Order(order) => replay::seek(own, order, 0),
        SongTarget::Row { order, row } => replay::seek(own, order, row),
        SongTarget::Channel(channel) => replay::mute(own, channel),
        SongTarget::Bar { column, columns } => replay::seek_to(own, column, columns),
        SongTarget::Name(_) | SongTarget::Listed(_) | SongTarget::Page => Vec::new(),
    }
}

/// Chooses a row of the menu that is shown; a click beside its rows closes it.
fn menu(model: &mut Model, row: Option<usize>, now: Duration) -> Vec<Intent> {
    if let (Some(row), Some(menu)) = (row, &mut model.devices) {
        menu.chosen = row;
    }
    if let (Some(row), Some(menu)) = (row, &mut model.saving) {
        menu.chosen = row;
    }
    if let (Some(row), Some(menu)) = (row, &mut model.switching) {
        menu.chosen = row;
    }
    in_menu(model, if row.is_some() { Press::Enter } else { Press::Escape }, now).unwrap_or_default()
}

/// Sets the loop or the trim to what was marked. Where nothing was, the sound is heard.
fn mark(model: &mut Model, drag: &WaveDrag, now: Duration) -> Vec<Intent> {
    if drag.from == drag.to {
        return notes::audition(model, now);
    }
    let Some(picture) = model.chosen_picture() else { return Vec::new() };
    match picture.waveform.as_ref().and_then(|waveform| drag.frames(waveform)) {
        None => Vec::new(),
        Some(_) if picture.recordings > 1 => {
            let what = match drag.what {
                WaveMark::Loop { .. } => "a sound of several recordings keeps its loops",
                WaveMark::Trim { .. } => "a sound of several recordings is played whole",
            };
            model.notice = Some((what.to_owned(), now + NOTICED));
            Vec::new()
        }
        Some(frames) => match drag.what {
            WaveMark::Loop { .. } => knobs::set_loop(model, frames),
            WaveMark::Trim { .. } => knobs::set_trim(model, Some(frames)),
        },
    }
}

fn turn(model: &mut Model, steps: isize, target: HitTarget, now: Duration) -> Vec<Intent> {
    match target {
        HitTarget::Menu(_) => {
            let press = if steps < 0 { Press::Up(1) } else { Press::Down(1) };
            return in_menu(model, press, now).unwrap_or_default();
        }
        HitTarget::List(_) => return choose(model, now, |model| list::step(model, WHEEL_ROWS * steps)),
        HitTarget::Knob(knob) => {
            model.knob = knob;
            // Away from the hand is more.
            return knobs::turn(model, -steps, now + NOTICED);
        }
        HitTarget::Piano(_) => model.turn_octave(if steps < 0 { 1 } else { -1 }),
        HitTarget::Song(_) => {
            let press = if steps < 0 { Press::Up(1) } else { Press::Down(1) };
            return replay::pressed(model, press, now).unwrap_or_default();
        }
        HitTarget::Wave { column, columns, .. } => zoom::step_at(model, steps < 0, column, columns),
        HitTarget::Nothing => {}
    }
    Vec::new()
}
