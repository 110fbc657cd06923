//! Saving sounds as they are adjusted: the chosen one, or all that were picked, or that a search, a kit or a folded
//! group shows.

use std::collections::BTreeMap;
use std::time::Duration;

use player::keyboard::KeyMapMode;
use player::live::{SaveRequest, SavedFormat};
use player::saved_instrument::{Arrangement, ZoneRanges, arrangements};
use song::Key;

use super::{Intent, NOTICED, Press, devices, notes};
use crate::keymap::KeyCommand;
use crate::model::{Model, SaveMenu, title};

/// Saves the recording of the chosen sound, or shows what can be saved if there is more than that.
pub(super) fn open(model: &mut Model) -> Vec<Intent> {
    let mut choices = Vec::new();
    let chosen = model.chosen_entry().filter(|entry| model.list.marked.is_none() && entry.silent.is_none());
    if let Some(entry) = chosen {
        // What plays other sounds has no recording of its own.
        let formats = match entry.rate {
            Some(_) => &[("WAV", SavedFormat::Wav)][..],
            None => &[("SFZ", SavedFormat::Sfz { is_kit: false }), ("SoundFont", SavedFormat::SoundFont)],
        };
        for (ending, format) in formats {
            let (sounds, name) = (vec![model.chosen], entry.name.clone());
            let request = SaveRequest { sounds, zones: BTreeMap::new(), format: *format, name };
            choices.push((format!("{} as {ending}", entry.name), request));
        }
    }
    choices.extend(of_several(model));
    // Who has set zones wants them.
    let is_of_zones =
        |(_, request): &(String, SaveRequest)| request.format == SavedFormat::Instrument(Arrangement::Zones);
    if let Some(place) = choices.iter().position(is_of_zones) {
        choices[..=place].rotate_right(1);
    }
    match choices.as_slice() {
        [] => notes::show_reason(model, model.chosen),
        [(_, only)] => return vec![Intent::SaveSounds(only.clone())],
        _ => model.saving = Some(SaveMenu { choices, chosen: 0 }),
    }
    Vec::new()
}

/// Returns the files that can be written of picked sounds, a kit, a search or a folded group.
fn of_several(model: &Model) -> Vec<(String, SaveRequest)> {
    let package = title(&model.package);
    let filter = &model.list.filter;
    let group = model.list.marked.and_then(|group| model.list.groups.get(group));
    let picked = &model.list.picked;
    let (mut sounds, name): (Vec<usize>, String) = if !picked.is_empty() {
        (picked.clone(), format!("{package} instrument"))
    } else if let Some(group) = group {
        (group.sounds.clone(), group.name.clone())
    } else if model.map == KeyMapMode::Kit {
        let searched = if filter.is_empty() { String::new() } else { format!(" {filter}") };
        (model.kit_sounds(), format!("{package}{searched} kit"))
    } else if model.list.is_filtered() {
        (model.list.sounds().collect(), format!("{package} {filter}"))
    } else {
        return Vec::new();
    };
    sounds.retain(|sound| model.sounds.get(*sound).is_some_and(|entry| entry.silent.is_none()));
    if sounds.is_empty() {
        return Vec::new();
    }
    let is_kit = model.map == KeyMapMode::Kit && (group.is_none() || !picked.is_empty());
    let what = player::text::counted(sounds.len());
    let what = if is_kit { format!("the kit of {what}") } else { what };
    let request = |format, zones| SaveRequest { sounds: sounds.clone(), zones, format, name: name.clone() };
    let choice = |format, ending: &str| {
        let request = request(format, BTreeMap::new());
        (format!("{what} as {ending}: {name}"), request)
    };
    let mut choices =
        vec![choice(SavedFormat::Sfz { is_kit }, "SFZ"), choice(SavedFormat::SoundFont, "SoundFont")];
    let root = |sound: usize| model.voicing(sound).root(model.defaults(sound).root);
    let named = sounds.iter().filter_map(|sound| Some((&*model.sounds.get(*sound)?.name, root(*sound))));
    let named: Vec<(&str, Key)> = named.collect();
    let is_zoned = |(sound, _): &(&usize, &ZoneRanges)| !picked.is_empty() && sounds.contains(sound);
    let zones = model.zones.iter().filter(is_zoned).map(|(sound, zone)| (*sound, *zone));
    let zones: BTreeMap<usize, ZoneRanges> = zones.collect();
    for (arrangement_name, arrangement, about) in arrangements(named.iter().copied(), !zones.is_empty()) {
        let what = player::text::counted(sounds.len());
        let is_of_zones = arrangement == Arrangement::Zones;
        let zones = if is_of_zones { zones.clone() } else { BTreeMap::new() };
        let is_alone = sounds.len() == 1 && !is_of_zones;
        let request = request(SavedFormat::Instrument(arrangement), zones);
        let how = if is_alone { String::new() } else { format!(", {arrangement_name}: {about}") };
        choices.push((format!("{what} as an instrument{how}"), request));
    }
    choices
}

/// Returns what a key does to the menu, if it is shown and has a use for the key.
pub(super) fn pressed(model: &mut Model, press: Press, now: Duration) -> Option<Vec<Intent>> {
    let SaveMenu { choices, chosen } = model.saving.as_mut()?;
    if devices::step(chosen, choices.len(), press) {
        return Some(Vec::new());
    }
    match press {
        Press::Enter => {
            let choice = choices.get(*chosen).cloned();
            model.saving = None;
            let (_, request) = choice?;
            model.notice = Some((format!("writing {} ...", request.name), now + NOTICED));
            return Some(vec![Intent::SaveSounds(request)]);
        }
        Press::Escape | Press::Command(KeyCommand::SaveSound) => model.saving = None,
        _ => return None,
    }
    Some(Vec::new())
}
