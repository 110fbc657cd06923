//! The list of devices that lies over the screen. Keys that it has no use for go on playing.

use player::live::DeviceEntry;

use super::{Intent, Press};
use crate::keymap::KeyCommand;
use crate::model::{DeviceMenu, Model};

/// Moves the mark of a menu of `rows` rows; false if the key does something else.
pub(super) fn step(chosen: &mut usize, rows: usize, press: Press) -> bool {
    let last = rows.saturating_sub(1);
    *chosen = match press {
        Press::Up(by) => chosen.saturating_sub(by),
        Press::Down(by) => chosen.saturating_add(by).min(last),
        Press::Home => 0,
        Press::End => last,
        _ => return false,
    };
    true
}

/// Shows the list, and has it filled.
pub(super) fn open(model: &mut Model) -> Vec<Intent> {
    model.devices = Some(DeviceMenu::default());
    vec![Intent::FindDevices]
}

/// The devices were found; what plays is chosen at first.
pub(super) fn found(model: &mut Model, entries: Vec<DeviceEntry>) {
    // Who closed it meanwhile does not want it any more.
    if let Some(chooser) = &mut model.devices {
        chooser.chosen = entries.iter().position(|entry| entry.plays).unwrap_or(0);
        chooser.entries = Some(entries);
    }
}

/// Returns what a key does to the list, if it is shown and has a use for the key.
pub(super) fn pressed(model: &mut Model, press: Press) -> Option<Vec<Intent>> {
    let DeviceMenu { entries, chosen } = model.devices.as_mut()?;
    if step(chosen, entries.as_ref().map_or(0, Vec::len), press) {
        return Some(Vec::new());
    }
    match press {
        Press::Enter => {
            let selector = entries.as_ref().and_then(|entries| entries.get(*chosen)).map(|_| *chosen);
            model.devices = None;
            return Some(selector.map(Intent::UseDevice).into_iter().collect());
        }
        Press::Escape | Press::Command(KeyCommand::Devices) => model.devices = None,
        _ => return None,
    }
    Some(Vec::new())
}
