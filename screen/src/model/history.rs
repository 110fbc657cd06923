//! What was changed on sounds, to be undone and done again.

use player::saved_instrument::ZoneRanges;
use song::{Frames, Voicing};

use super::knob::Knob;

/// The most changes that are remembered.
const MAX_CHANGES: usize = 1000;

/// How a sound is changed, and where it is in the instrument that picked sounds make.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoundSettings {
    /// How it is voiced.
    pub voicing: Voicing,
    /// Its zone.
    pub zone: ZoneRanges,
}

/// A change of one sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoundChange {
    /// Index of the sound.
    pub sound: usize,
    /// What was turned.
    pub knob: Knob,
    /// How the sound was before.
    pub before: SoundSettings,
    /// How it is since.
    pub after: SoundSettings,
}

/// The changes of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangeHistory {
    done: Vec<SoundChange>,
    undone: Vec<SoundChange>,
}

impl ChangeHistory {
    /// Remembers a change. Steps of one knob of one sound after another are one change.
    pub fn push(&mut self, change: SoundChange) {
        self.undone.clear();
        let last = self.done.last_mut().filter(|last| (last.sound, last.knob) == (change.sound, change.knob));
        match last {
            Some(last) if is_step(last, &change) => last.after = change.after,
            _ => self.done.push(change),
        }
        if self.done.len() > MAX_CHANGES {
            self.done.remove(0);
        }
    }

    /// Returns the last change, which is to be undone.
    pub fn undo(&mut self) -> Option<SoundChange> {
        let change = self.done.pop()?;
        self.undone.push(change);
        Some(change)
    }

    /// Returns the change that was undone last, which is to be done again.
    pub fn redo(&mut self) -> Option<SoundChange> {
        let change = self.undone.pop()?;
        self.done.push(change);
        Some(change)
    }
}

/// Returns whether a change of a knob is one more step of the last: not of a loop, nor of the other end of a trim.
fn is_step(last: &SoundChange, change: &SoundChange) -> bool {
    let start = |settings: &SoundSettings| settings.voicing.trim.map_or(Frames::ZERO, |trim| trim.start);
    let moves_start = |change: &SoundChange| start(&change.before) != start(&change.after);
    match change.knob {
        Knob::Loop => false,
        Knob::Trim => {
            let are_trims = last.after.voicing.trim.is_some() && change.after.voicing.trim.is_some();
            are_trims && moves_start(last) == moves_start(change)
        }
        _ => true,
    }
}
