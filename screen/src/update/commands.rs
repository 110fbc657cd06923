//! What the commands of the keymap do.

use std::time::Duration;

use player::keyboard;

use super::{Intent, NOTICED, choose, devices, knobs, list, notes, replay, search};
use crate::keymap::Command;
use crate::model::{Model, TakeClock};

/// Carries out a command.
pub(super) fn run(model: &mut Model, command: Command, now: Duration) -> Vec<Intent> {
    match command {
        Command::Quit => return vec![Intent::Quit],
        Command::Suspend => {
            notes::forget_keys(model);
            return vec![Intent::ReleaseAll, Intent::Suspend];
        }
        Command::Help => model.help = !model.help,
        Command::Layout => model.layout = keyboard::after(model.layout),
        Command::Search => search::open(model),
        Command::Adjust => {
            model.is_adjusting = !model.is_adjusting;
            model.list.is_typing = false;
            (model.notice, model.warning) = (None, None);
        }
        Command::Loop => return knobs::toggle_loop(model),
        Command::Take => {
            let intent = if model.take.is_some() { Intent::StopTake } else { Intent::StartTake };
            model.take = match model.take {
                Some(_) => None,
                None => Some(TakeClock { since: now, now }),
            };
            return vec![intent];
        }
        Command::SaveRecent => return vec![Intent::Write],
        Command::Map => {
            model.map = keyboard::other(model.map);
            std::mem::swap(&mut model.octave, &mut model.other_octave);
        }
        Command::Devices => return devices::open(model),
        Command::NextGroup => return choose(model, now, list::next_group),
        Command::SaveSound if model.chosen_entry().is_some_and(|entry| entry.silent.is_none()) => {
            return vec![Intent::SaveSound(model.chosen)];
        }
        Command::SaveSound => notes::show_reason(model, model.chosen),
        Command::Undo => return knobs::step_back(model, true, now + NOTICED),
        Command::Redo => return knobs::step_back(model, false, now + NOTICED),
        Command::Sort => list::next_order(model),
        Command::Preview => {
            model.previews = !model.previews;
            let what = if model.previews { "on: a sound is heard when it is chosen" } else { "off" };
            let hint = model.keymap.hint(Command::Preview);
            model.notice = Some((format!("preview {what}{hint}"), now + NOTICED));
        }
        Command::PlaySong
        | Command::ShowSong
        | Command::LoopPattern
        | Command::Mute
        | Command::Solo
        | Command::Slower
        | Command::Faster
        | Command::NextSong
        | Command::PreviousSong
        | Command::Shuffle => return replay::steer(model, command),
    }
    Vec::new()
}
