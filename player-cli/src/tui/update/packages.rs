//! The list of packages that lies over the screen, and the package that is opened from it.

use std::collections::BTreeMap;

use player::voicing::Voicing;

use super::{Intent, Press};
use crate::tui::model::history::ChangeHistory;
use crate::tui::model::list::SoundList;
use crate::tui::model::{ListFacts, Model, SoundEntry, first_playable};

/// Shows the list, if there is anything to choose from.
pub(super) fn open(model: &mut Model) {
    if let Some(menu) = &mut model.packages {
        menu.is_shown = true;
    } else {
        model.warning = Some("only one package was opened; `jam FOLDER` opens a folder of them".to_owned());
    }
}

/// Returns what a key does to the list, if it is shown and has a use for the key.
pub(super) fn pressed(model: &mut Model, press: Press) -> Option<Vec<Intent>> {
    let menu = model.packages.as_mut().filter(|menu| menu.is_shown)?;
    let last = menu.names.len().saturating_sub(1);
    match press {
        Press::Up(by) => menu.chosen = menu.chosen.saturating_sub(by),
        Press::Down(by) => menu.chosen = menu.chosen.saturating_add(by).min(last),
        Press::Home => menu.chosen = 0,
        Press::End => menu.chosen = last,
        Press::Enter => {
            menu.is_shown = false;
            return Some(vec![Intent::OpenPackage(menu.chosen)]);
        }
        Press::Escape | Press::F9 => menu.is_shown = false,
        _ => return None,
    }
    Some(Vec::new())
}

/// Another package is played from here on. What sounds of the old one is released.
pub(super) fn loaded(
    model: &mut Model,
    label: String,
    sounds: Vec<SoundEntry>,
    voicings: BTreeMap<usize, Voicing>,
) -> Vec<Intent> {
    let order = model.list.order;
    model.package = label;
    model.facts = ListFacts::of(&sounds);
    model.list = SoundList { order, ..SoundList::of(sounds.iter().map(SoundEntry::listed)) };
    model.chosen = first_playable(&sounds);
    model.sounds = sounds;
    model.picture = None;
    model.places.clear();
    model.history = ChangeHistory::default();
    model.voicings = voicings;
    model.notes.clear();
    (model.notice, model.warning) = (None, None);
    super::list::arrange(model);
    vec![Intent::ReleaseAll]
}
