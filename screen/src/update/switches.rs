//! The menu of switches and states: what events of sound banks play. A change acts at once.

use importer::SwitchValue;

use super::{Intent, NOTICED, Press, devices};
use crate::keymap::KeyCommand;
use crate::model::{Model, SwitchMenu};
use player::live::SoundSwitch;
use std::time::Duration;

/// Shows the switches that the chosen sound depends on, or all if it depends on none.
pub(super) fn open(model: &mut Model, now: Duration) -> Vec<Intent> {
    let concerns = |switch: &SoundSwitch| switch.concerns(model.chosen);
    let own: Vec<usize> =
        (0..model.switches.len()).filter(|index| concerns(&model.switches[*index])).collect();
    let rows = if own.is_empty() { (0..model.switches.len()).collect() } else { own };
    if rows.is_empty() {
        model.notice = Some(("nothing here depends on switches or states".to_owned(), now + NOTICED));
    } else {
        model.switching = Some(SwitchMenu { rows, chosen: 0 });
    }
    Vec::new()
}

/// Returns what a key does to the menu, if it is shown and has a use for the key.
pub(super) fn pressed(model: &mut Model, press: Press) -> Option<Vec<Intent>> {
    let SwitchMenu { rows, chosen } = model.switching.as_mut()?;
    if devices::step(chosen, rows.len(), press) {
        return Some(Vec::new());
    }
    let row = rows.get(*chosen).copied();
    match press {
        Press::Left(_) => return row.map(|row| turn(model, row, false)),
        Press::Right(_) | Press::Enter => return row.map(|row| turn(model, row, true)),
        Press::Escape | Press::Command(KeyCommand::Switches) => model.switching = None,
        _ => return None,
    }
    Some(Vec::new())
}

/// Chooses the next value of a switch, or the one before it.
fn turn(model: &mut Model, row: usize, is_on: bool) -> Vec<Intent> {
    let Some(SoundSwitch { first, choice, set }) = model.switches.get_mut(row) else { return Vec::new() };
    // The default comes before the first value and after the last.
    let last = choice.values.len().checked_sub(1);
    *set = match (*set, is_on) {
        (None, true) => last.map(|_| 0),
        (None, false) => last,
        (Some(at), true) => (Some(at) < last).then_some(at + 1),
        (Some(at), false) => at.checked_sub(1),
    };
    let first = *first;
    let of_package = model.switches.iter().filter(|switch| switch.first == first);
    let values: Vec<SwitchValue> = of_package.filter_map(SoundSwitch::value).collect();
    vec![Intent::Switch { sound: first, values }]
}

/// Marks the sounds that play something, now that values were chosen, and those that do not.
pub(super) fn switched(model: &mut Model, sounds: &[(usize, bool)]) {
    /// Reason why an event cannot be played.
    const NOTHING: &str = "it plays nothing by these switches";
    for (sound, plays) in sounds {
        let is_switched = model.switches.iter().any(|switch| switch.concerns(*sound));
        if let Some(entry) = model.sounds.get_mut(*sound).filter(|_| is_switched) {
            entry.silent = (!plays).then(|| NOTHING.to_owned());
        }
    }
}
