//! The engine's side of the screen: what is intended becomes commands, and what the engine tells becomes messages.

use std::collections::HashMap;

use engine::{Controller, Event, Note, NoteId};
use song::{Frames, InstrumentIndex};

use super::outputs::Outputs;
use crate::midi::live::Live;
use crate::playback::Playback;
use crate::tui::model::{NoteNumber, Status};
use crate::tui::update::{Intent, Msg};

/// Plays what the screen intends.
pub struct Player {
    /// The engine.
    pub controller: Controller,
    /// What it plays on.
    pub playback: Playback,
    /// What else it can play on.
    pub outputs: Outputs,
    /// What plays besides the screen.
    pub midi: Live,
    /// The engine's id of each of the screen's notes, and the way back.
    notes: HashMap<NoteNumber, NoteId>,
    numbers: HashMap<NoteId, Sounding>,
}

/// A note of the screen while the engine sounds it.
struct Sounding {
    number: NoteNumber,
    voices: usize,
    /// The frame that was next when it was asked for, until its first voice has begun.
    asked: Option<Frames>,
}

impl Player {
    /// With nothing that sounds.
    #[must_use]
    pub fn new(controller: Controller, playback: Playback, outputs: Outputs, midi: Live) -> Self {
        Self { controller, playback, outputs, midi, notes: HashMap::new(), numbers: HashMap::new() }
    }

    /// How the device does.
    pub fn status(&mut self) -> Status {
        self.playback.tend();
        let status = self.playback.status();
        Status {
            xruns: status.xruns(),
            errors: status.errors() + self.controller.lost_events(),
            denied: status.realtime_denials() > 0,
            is_gone: self.playback.is_lost(),
            load: status.take_peak_load(),
            block: status.block(),
        }
    }

    /// What the engine has told since.
    pub fn hear(&mut self, messages: &mut Vec<Msg>) {
        while let Some(event) = self.controller.poll() {
            self.midi.hear(&event);
            match event {
                Event::Started { note, at } => messages.extend(self.began(note, at)),
                Event::Ended { note, .. } => {
                    messages.extend(self.one_less(note).map(Msg::Ended));
                }
                Event::Refused { note, .. } => {
                    let why = "too many notes at once".to_owned();
                    messages.extend(self.one_less(note).map(|number| Msg::Refused(number, why)));
                }
                Event::Meter { left, right, voices, .. } => {
                    messages.push(Msg::Meter { peaks: [left, right], voices: voices as usize });
                }
                _ => {}
            }
        }
        self.controller.collect();
    }

    /// A voice of a note has begun; how late, if it is the first.
    fn began(&mut self, note: NoteId, at: Frames) -> Option<Msg> {
        let sounding = self.numbers.get_mut(&note)?;
        let after = Frames::new(at.get().saturating_sub(sounding.asked.take()?.get()));
        Some(Msg::Began(sounding.number, after))
    }

    /// A voice of a note is over, or never began; the note, if it was the last.
    fn one_less(&mut self, note: NoteId) -> Option<NoteNumber> {
        let sounding = self.numbers.get_mut(&note)?;
        sounding.voices = sounding.voices.saturating_sub(1);
        if sounding.voices > 0 {
            return None;
        }
        let Sounding { number, .. } = self.numbers.remove(&note)?;
        self.notes.remove(&number);
        Some(number)
    }

    /// Does it.
    ///
    /// # Errors
    /// What cannot be done, as a message.
    pub fn carry_out(&mut self, intent: Intent) -> Result<Next, Msg> {
        match intent {
            Intent::NoteOn { number, .. } if !self.playback.is_playing() => {
                return Err(Msg::Refused(number, "no audio device".to_owned()));
            }
            Intent::NoteOn { number, sound, key, velocity } => {
                let note = Note::new(InstrumentIndex::new(sound), key, velocity);
                let asked = Some(self.controller.now());
                let begun = self.controller.begin(note);
                let begun = begun.map_err(|error| Msg::Refused(number, error.to_string()))?;
                self.notes.insert(number, begun.note);
                self.numbers.insert(begun.note, Sounding { number, voices: begun.voices, asked });
            }
            // A note that cannot be released would hang: better none at all.
            Intent::NoteOff(number) => {
                if let Some(id) = self.notes.get(&number)
                    && self.controller.note_off(*id, None).is_err()
                {
                    self.controller.silence();
                }
            }
            Intent::ReleaseAll => {
                if self.controller.release_all(None).is_err() {
                    self.controller.silence();
                }
            }
            Intent::Silence => self.controller.silence(),
            Intent::FindDevices => self.outputs.find()?,
            Intent::UseDevice(index) => self.outputs.choose(index, &mut self.playback),
            Intent::Suspend => return Ok(Next::Suspend),
            Intent::Quit => return Ok(Next::Quit),
        }
        Ok(Next::Play)
    }
}

/// What comes after an intent.
pub enum Next {
    /// The next key.
    Play,
    /// The shell, for a while.
    Suspend,
    /// Nothing.
    Quit,
}
