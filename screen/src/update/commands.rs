//! What the commands of the keymap do.

use std::time::Duration;

use player::keyboard;

use super::{
    Intent, NOTICED, choose, devices, help, knobs, list, notes, replay, saving, search, switches, zoom,
};
use crate::keymap::{KeyCommand, KeyGroup};
use crate::model::{Model, TakeClock, View};

/// Carries out a command.
pub(super) fn run(model: &mut Model, command: KeyCommand, now: Duration) -> Vec<Intent> {
    show(model, command.row().group);
    match command {
        KeyCommand::Quit => return vec![Intent::Quit],
        KeyCommand::Suspend => {
            notes::forget_keys(model);
            return vec![Intent::ReleaseAll, Intent::Suspend];
        }
        KeyCommand::Help => help::toggle(model),
        KeyCommand::Layout => model.layout = keyboard::after(model.layout),
        KeyCommand::Search => search::open(model),
        KeyCommand::Adjust => {
            model.is_adjusting = !model.is_adjusting;
            model.list.is_typing = false;
            (model.notice, model.warning) = (None, None);
        }
        KeyCommand::Learn => return knobs::learn(model, now + NOTICED),
        KeyCommand::Loop => return knobs::toggle_loop(model, now + NOTICED),
        KeyCommand::Take => {
            let intent = if model.take.is_some() { Intent::StopTake } else { Intent::StartTake };
            model.take = match model.take {
                Some(_) => None,
                None => Some(TakeClock { since: now, now }),
            };
            return vec![intent];
        }
        KeyCommand::SaveRecent => return vec![Intent::Write],
        KeyCommand::Map => {
            model.map = keyboard::other(model.map);
            std::mem::swap(&mut model.octave, &mut model.other_octave);
        }
        KeyCommand::Devices => return devices::open(model),
        KeyCommand::NextGroup => return choose(model, now, list::next_group),
        KeyCommand::SaveSound => return saving::open(model),
        KeyCommand::Switches => return switches::open(model, now),
        KeyCommand::Undo => return knobs::step_back(model, true, now + NOTICED),
        KeyCommand::Redo => return knobs::step_back(model, false, now + NOTICED),
        KeyCommand::Pick => list::pick(model, now + NOTICED),
        KeyCommand::Sort => list::next_order(model),
        KeyCommand::Preview => {
            model.previews = !model.previews;
            let what = if model.previews { "on: a sound is heard when it is chosen" } else { "off" };
            let hint = model.keymap.hint(KeyCommand::Preview);
            model.notice = Some((format!("preview {what}{hint}"), now + NOTICED));
        }
        KeyCommand::ZoomIn => zoom::step(model, true),
        KeyCommand::ZoomOut => zoom::step(model, false),
        KeyCommand::PlaySong
        | KeyCommand::ShowSong
        | KeyCommand::Louder
        | KeyCommand::Softer
        | KeyCommand::Narrower
        | KeyCommand::Wider
        | KeyCommand::UnmuteAll
        | KeyCommand::LoopPattern
        | KeyCommand::Mute
        | KeyCommand::Solo
        | KeyCommand::Slower
        | KeyCommand::Faster
        | KeyCommand::NextSong
        | KeyCommand::NextSubsong
        | KeyCommand::PreviousSubsong
        | KeyCommand::PreviousSong
        | KeyCommand::Shuffle => return replay::steer(model, command, now),
    }
    Vec::new()
}

/// Shows what a command acts on.
fn show(model: &mut Model, group: KeyGroup) {
    match group {
        KeyGroup::List | KeyGroup::Sound => model.view = View::Sounds,
        KeyGroup::Notes => model.plays_along |= model.view.is_of_songs(),
        KeyGroup::Song | KeyGroup::Program => {}
    }
}
