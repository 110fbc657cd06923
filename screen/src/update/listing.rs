//! Sounds that are listed while others are played, and what becomes of them.

use std::collections::BTreeMap;

use player::library::Unplayable;
use song::Voicing;

use super::{list, notes};
use crate::model::{Model, SoundEntry, first_playable};

/// Adds the sounds of a package. Of several packages each is folded, but for the one that the chosen sound is in.
pub(super) fn listed(
    model: &mut Model,
    sounds: Vec<SoundEntry>,
    voicings: BTreeMap<usize, Voicing>,
    chosen: Option<usize>,
    is_one_of_many: bool,
) {
    let (first, groups) = (model.sounds.len(), model.list.groups.len());
    let is_playable = |sound: &SoundEntry| sound.silent.is_none();
    let has_chosen = model.chosen_entry().is_some_and(is_playable);
    let playable = sounds.iter().any(is_playable).then(|| first + first_playable(&sounds));
    model.facts.add(&sounds, model.sounds.last());
    model.sounds.extend(sounds);
    model.list.add(model.sounds.iter().map(SoundEntry::listed), first);
    model.voicings.extend(voicings);
    if let Some(chosen) = chosen.or_else(|| playable.filter(|_| !has_chosen)) {
        model.chosen = chosen;
        model.list.marked = None;
    }
    if is_one_of_many {
        let chosen = model.chosen;
        for group in model.list.groups.iter_mut().skip(groups) {
            group.is_folded = group.sounds.binary_search(&chosen).is_err();
        }
    }
    list::arrange(model);
}

/// Shows why a sound cannot be played, here and from now on.
pub(super) fn unplayable(model: &mut Model, sound: usize, why: &Unplayable) {
    if model.loading == Some(sound) {
        model.loading = None;
    }
    if let Some(entry) = model.sounds.get_mut(sound) {
        entry.silent = Some(match why {
            Unplayable::Undecoded(reason) => reason.clone(),
            Unplayable::OverLimit(reason) => format!("{reason}; {} allows more", model.option_names.memory),
            Unplayable::TooLarge { .. } => format!("{why}; {} allows more", model.option_names.cache),
        });
    }
    // Somebody wanted to hear it.
    let notes = model.notes.len();
    model.notes.retain(|note| note.sound != sound);
    if model.notes.len() < notes {
        notes::show_reason(model, sound);
    }
}
