//! The search box. While it is open, what is typed goes there and plays nothing.

use std::time::Duration;

use super::{Intent, Press, character, list, repeats};
use crate::keymap::KeyCommand;
use crate::model::Model;

/// No name is longer that somebody would type.
const MAX_QUERY: usize = 64;

/// Opens the box, on what was searched for before.
pub(super) fn open(model: &mut Model) {
    model.list.is_typing = true;
    model.is_adjusting = false;
    // What the keys do now is worth more than what is old.
    (model.notice, model.warning) = (None, None);
}

/// Returns what a key does in the open box; none if it does what it always does.
pub(super) fn pressed(model: &mut Model, press: Press, now: Duration) -> Option<Vec<Intent>> {
    match press {
        // A key that was down when the box was opened goes on with its note.
        Press::Char(typed) | Press::Shifted { key: typed, .. } if is_held(model, typed, now) => {
            return Some(character(model, typed, true, now));
        }
        Press::Char(types) | Press::Shifted { types, .. } => push(model, types),
        Press::Backspace => {
            model.list.filter.pop();
            list::arrange(model);
        }
        Press::Enter | Press::Command(KeyCommand::Search) => model.list.is_typing = false,
        Press::Escape => clear(model),
        Press::Left(_) | Press::Right(_) => {}
        _ => return None,
    }
    Some(Vec::new())
}

/// Ends a search: all sounds are shown again.
pub(super) fn clear(model: &mut Model) {
    model.list.is_typing = false;
    model.list.filter.clear();
    list::arrange(model);
}

/// Searches for words that were typed elsewhere.
pub(super) fn set(model: &mut Model, words: String) {
    model.list.filter = words;
    list::arrange(model);
}

fn push(model: &mut Model, typed: char) {
    if model.list.filter.chars().count() < MAX_QUERY {
        model.list.filter.push(typed);
        list::arrange(model);
    }
}

fn is_held(model: &Model, typed: char, now: Duration) -> bool {
    let key = model.us_key(typed);
    if model.tells_release { model.down.contains(&key) } else { repeats::is_held(model, key, now) }
}
