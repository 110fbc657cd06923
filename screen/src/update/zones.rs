//! The zone of the chosen sound in the instrument that picked sounds make.

use std::time::Duration;

use player::saved_instrument::{ZoneParameter, ZoneRanges};
use song::Key;

use super::notes;
use crate::keymap::KeyCommand;
use crate::model::Model;
use crate::model::history::{SoundChange, SoundSettings};
use crate::model::knob::Knob;

/// Changes the zone of the chosen sound. A sound that is not picked is picked then, because only picked sounds are in
/// the instrument; undoing the change leaves it picked.
pub(super) fn change(
    model: &mut Model,
    parameter: ZoneParameter,
    until: Duration,
    how: impl FnOnce(&mut ZoneRanges),
) {
    let sound = model.chosen;
    let Some(entry) = model.sounds.get(sound) else { return };
    if entry.silent.is_some() {
        notes::show_reason(model, sound);
        return;
    }
    let before = model.settings(sound);
    let mut zone = before.zone;
    how(&mut zone);
    if zone == before.zone {
        return;
    }
    let after = SoundSettings { zone, ..before };
    model.history.push(SoundChange { sound, knob: Knob::Zone(parameter), before, after });
    model.set_zone(sound, zone);
    if !model.list.picked.contains(&sound) {
        model.list.picked.push(sound);
        let hint = model.keymap.hint(KeyCommand::SaveSound);
        let what = format!("sound {} is picked: its zone is part of an instrument{hint}", sound + 1);
        model.notice = Some((what, until));
    }
}

/// Sets the key that waits for a MIDI note, if one of the keys held through MIDI is new. Nothing is set where another
/// knob is marked by then.
pub(super) fn hear(model: &mut Model, held: &[Key], until: Duration) {
    let Some(Knob::Zone(parameter)) = model.learning else { return };
    let Some(key) = held.iter().find(|key| !model.midi.contains(key)) else { return };
    model.learning = None;
    if model.is_adjusting && model.knob == Knob::Zone(parameter) {
        model.notice = Some((format!("{}: {key}, by a MIDI note", parameter.name()), until));
        change(model, parameter, until, |zone| parameter.set(zone, key.get()));
    }
}
