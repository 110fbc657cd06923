//! Packages that are listed, and sounds that are loaded, while others are played.

use std::collections::BTreeMap;

use importer::SwitchChoice;

use super::event::{SongEvent, SoundSwitch};
use super::{KeptAdjustments, ListedSong, LiveEvent, LivePlayer, notice_event};
use crate::library::{LibraryEvent, Readiness};
use song::Voicing;

/// A package that was opened: its sounds `S` as a front end lists them. `F` says why a sound is not found.
pub struct ListedPackage<S, F> {
    /// Its song, if it is a module.
    pub song: Option<ListedSong>,
    /// Its sounds, without those that were listed before.
    pub sounds: Vec<S>,
    /// Whether it is one of the packages of a folder.
    pub is_one_of_many: bool,
    /// Index of the sound to start with, or why there is none; none if none was typed.
    pub chosen: Option<Result<usize, F>>,
    /// Its adjustments, if they are kept, or why they cannot be.
    pub kept: Result<Option<KeptAdjustments>, String>,
    /// What of it cannot be read.
    pub warnings: Vec<String>,
}

/// Why there is nothing to play, now that all packages were opened.
#[derive(Debug)]
pub enum NothingToPlay<F> {
    /// None could be opened; why the last one could not.
    Unopened(F),
    /// There are no sounds in them.
    NoSounds,
}

impl<S: Send + 'static, F: Send + 'static> LivePlayer<S, F> {
    /// Collects what was listed and loaded since, and plays the notes that waited for it. `near` are the sounds to load
    /// in advance, the chosen one first.
    pub fn poll_library(&mut self, near: Vec<usize>, events: &mut Vec<LiveEvent<S>>) {
        self.library.set_near(near);
        for event in self.library.poll(&mut self.controller) {
            self.handle_library(event, events);
        }
    }

    /// Returns why nothing can ever be played, once that is known.
    pub fn nothing_to_play(&mut self) -> Option<NothingToPlay<F>> {
        self.nothing_to_play.take()
    }

    /// Handles what has happened in the library.
    pub fn handle_library(
        &mut self,
        event: LibraryEvent<ListedPackage<S, F>, F>,
        events: &mut Vec<LiveEvent<S>>,
    ) {
        match event {
            LibraryEvent::Listed { first, package, switches } => {
                self.listed(first, package, switches, events);
            }
            LibraryEvent::Switched(sounds) => events.push(LiveEvent::Switched(sounds)),
            LibraryEvent::Failed(failure) => self.failures.push(failure),
            LibraryEvent::AllListed => {
                events.push(LiveEvent::AllListed);
                match (self.failures.as_slice(), self.library.is_empty()) {
                    ([], false) => {}
                    ([failure], false) => events.push(LiveEvent::Warning((self.reason)(failure))),
                    ([.., last], false) => {
                        let count = self.failures.len();
                        events.push(LiveEvent::Warning(format!(
                            "{count} files cannot be opened, at last {}",
                            (self.reason)(last)
                        )));
                    }
                    (_, true) => {
                        let failure = self.failures.pop();
                        self.nothing_to_play =
                            Some(failure.map_or(NothingToPlay::NoSounds, NothingToPlay::Unopened));
                    }
                }
            }
            LibraryEvent::Ready(sound) => self.play_waiting(sound, events),
            LibraryEvent::Unplayable(sound, why) => {
                self.midi.forget_waiting(sound);
                drop(self.waiting.take(sound));
                events.push(LiveEvent::Unplayable(sound, why));
            }
        }
    }

    /// Adds the sounds of a package, as they were adjusted in an earlier session.
    fn listed(
        &mut self,
        first: usize,
        package: ListedPackage<S, F>,
        switches: Vec<SwitchChoice>,
        events: &mut Vec<LiveEvent<S>>,
    ) {
        let ListedPackage { song, sounds, is_one_of_many, chosen, kept, warnings } = package;
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
            Err(reason) => events.push(LiveEvent::Warning(reason)),
        }
        self.midi.set_sounds(self.library.len());
        voicings.iter().for_each(|(sound, voicing)| self.voice(*sound, *voicing));
        let chosen = chosen.and_then(Result::ok).map(|own| first + own);
        let switches = switches.into_iter().map(|choice| SoundSwitch { first, choice, set: None }).collect();
        events.push(LiveEvent::Listed { sounds, voicings, chosen, is_one_of_many, switches });
        events.extend(warnings.into_iter().map(LiveEvent::Warning));
        if let Some(song) = song {
            events.push(SongEvent::Added(Box::new(song.clone())).into());
            // One that was typed plays, unless a sound of it was; those of a folder wait to be asked for.
            self.songs.add(song, first, !is_one_of_many && chosen.is_none());
        }
    }

    /// Plays the notes that waited for a sound.
    fn play_waiting(&mut self, sound: usize, events: &mut Vec<LiveEvent<S>>) {
        events.extend(self.load_for_midi());
        for ((number, sound, note), held) in self.waiting.take(sound) {
            if let Err(refusal) = self.strike(number, sound, note) {
                events.push(refusal);
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
    pub(super) fn load_for_midi(&mut self) -> Option<LiveEvent<S>> {
        let mut sounds: Vec<usize> = self.midi.wanted().collect();
        sounds.sort_unstable();
        sounds.dedup();
        let mut notice = None;
        for sound in sounds {
            notice = match self.library.prepare(&mut self.controller, sound) {
                Readiness::Ready => {
                    self.midi.play_waiting(&mut self.controller, sound).map(notice_event).or(notice)
                }
                Readiness::Loading => notice.or(Some(LiveEvent::Loading(sound))),
                Readiness::Unplayable(why) => {
                    self.midi.forget_waiting(sound);
                    Some(LiveEvent::Unplayable(sound, why))
                }
            };
        }
        notice
    }
}
