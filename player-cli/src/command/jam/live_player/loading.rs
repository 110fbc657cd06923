//! Sounds that come while others are played: packages that are listed, and notes that wait for what they play.

use std::collections::BTreeMap;

use player::library::{LibraryEvent, Readiness, Unplayable};
use player::voicing::Voicing;

use super::{ListedPackage, LivePlayer, message};
use crate::command::jam::packages::nothing_in;
use crate::command::jam::songs::SongFile;
use crate::failure::Failure;
use crate::memory;
use crate::tui::update::Msg;

impl LivePlayer {
    /// Collects what was listed and loaded since, and plays what waited for it. `near` are the sounds that are likely
    /// to be played next, the chosen one first.
    pub fn poll_library(&mut self, near: Vec<usize>, messages: &mut Vec<Msg>) {
        self.library.set_near(near);
        for event in self.library.poll(&mut self.controller) {
            self.handle_library(event, messages);
        }
    }

    /// Returns why nothing can ever be played, once that is known.
    pub fn nothing_to_play(&mut self) -> Option<Failure> {
        self.nothing_to_play.take()
    }

    /// Handles what has happened in the library.
    pub fn handle_library(&mut self, event: LibraryEvent<ListedPackage, Failure>, messages: &mut Vec<Msg>) {
        match event {
            LibraryEvent::Listed { first, package } => self.listed(first, package, messages),
            LibraryEvent::Failed(failure) => self.failures.push(failure),
            LibraryEvent::AllListed => {
                messages.push(Msg::AllListed);
                match (self.failures.as_slice(), self.library.is_empty()) {
                    ([], false) => {}
                    ([failure], false) => messages.push(Msg::Warning(failure.message.clone())),
                    ([.., last], false) => {
                        let (count, last) = (self.failures.len(), &last.message);
                        messages
                            .push(Msg::Warning(format!("{count} files cannot be opened, at last {last}")));
                    }
                    (_, true) => {
                        let failure = self.failures.pop();
                        self.nothing_to_play = Some(failure.unwrap_or_else(|| nothing_in(&self.title)));
                    }
                }
            }
            LibraryEvent::Ready(sound) => self.play_waiting(sound, messages),
            LibraryEvent::Unplayable(sound, why) => {
                self.midi.forget_waiting(sound);
                drop(self.waiting.take(sound));
                messages.push(unplayable(sound, &why));
            }
        }
    }

    /// Adds the sounds of a package, as they were adjusted in an earlier session.
    fn listed(&mut self, first: usize, package: ListedPackage, messages: &mut Vec<Msg>) {
        let ListedPackage { label, song, sounds, is_one_of_many, chosen, kept, warnings } = package;
        let mut voicings: BTreeMap<usize, Voicing> = BTreeMap::new();
        match kept {
            Ok(Some(mut kept)) => {
                kept.set_first(first);
                voicings.extend(kept.voicings());
                // What was adjusted before all of the package was listed counts more.
                for (sound, _) in self.voicings.range(first..) {
                    voicings.remove(sound);
                    kept.touch(*sound);
                }
                self.kept.push(kept);
            }
            Ok(None) => {}
            Err(reason) => messages.push(Msg::Warning(reason)),
        }
        self.midi.set_sounds(self.library.len());
        voicings.iter().for_each(|(sound, voicing)| self.voice(*sound, *voicing));
        let chosen = chosen.and_then(Result::ok).map(|own| first + own);
        messages.push(Msg::Listed { sounds, voicings, chosen, is_one_of_many });
        messages.extend(warnings.into_iter().map(Msg::Warning));
        if let Some(path) = song {
            let file = SongFile { path, label, first_sound: first };
            // One that was typed plays, unless a sound of it was; those of a folder wait to be asked for.
            self.songs.add(file, !is_one_of_many && chosen.is_none());
        }
    }

    /// Plays the notes that waited for a sound.
    fn play_waiting(&mut self, sound: usize, messages: &mut Vec<Msg>) {
        messages.extend(self.load_for_midi());
        for ((number, sound, note), held) in self.waiting.take(sound) {
            if let Err(refusal) = self.strike(number, sound, note) {
                messages.push(refusal);
                continue;
            }
            let Some(held) = held else { continue };
            let at = song::Frames::new(self.controller.now().get().saturating_add(held.get()));
            let off = self.notes.get(&number).map(|id| self.controller.note_off(*id, Some(at)));
            // A note that cannot be released would hang: better none at all.
            if off.is_some_and(|off| off.is_err()) {
                self.controller.all_sound_off();
            }
        }
    }

    /// Gets what notes of MIDI ports wait for; what is there is played.
    pub(super) fn load_for_midi(&mut self) -> Option<Msg> {
        let mut sounds: Vec<usize> = self.midi.wanted().collect();
        sounds.sort_unstable();
        sounds.dedup();
        let mut notice = None;
        for sound in sounds {
            notice = match self.library.prepare(&mut self.controller, sound) {
                Readiness::Ready => {
                    self.midi.play_waiting(&mut self.controller, sound).map(message).or(notice)
                }
                Readiness::Loading => notice.or(Some(Msg::Loading(sound))),
                Readiness::Unplayable(why) => {
                    self.midi.forget_waiting(sound);
                    Some(unplayable(sound, &why))
                }
            };
        }
        notice
    }
}

/// Returns the message for a sound that cannot be played.
pub(super) fn unplayable(sound: usize, why: &Unplayable) -> Msg {
    let why = match why {
        Unplayable::Undecoded(reason) => reason.clone(),
        Unplayable::OverLimit(reason) => memory::with_hint(reason, true),
        Unplayable::TooLarge { .. } => format!("{why}; --cache allows more"),
    };
    Msg::Unplayable(sound, why)
}
